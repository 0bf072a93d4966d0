/** The struggle, the log, events in play and piles, player aids. */
import { bidPanel, isBidding } from './bid.js';
import { showMap } from './board.js';
import { cardDetails, cardList, cardTile, duel, faceChips, faceHand } from './cards.js';
import { byId, capital, counted, dialog, el, fill, mark, menuButton, namedMark, showMenu, SIDES, table } from './common.js';
import { facts } from './facts.js';
import { familyPanel, familyTables, isFamily } from './family.js';
import { explain, showLegend } from './legend.js';
import { foldAway } from './sheet.js';
import { showTracks } from './tracks.js';

/** @typedef {import('./choices.js').How} How */

/**
 * What stands around the board of each page: explanations, the menu, the log and the cards as tabs.
 * @param {() => any} state that is shown, if any
 * @param {HTMLElement[]} [buttons] of the menu besides @param {[string, HTMLElement][]} [tabs] between log and cards
 */
export function frameBoard(state, buttons = [], tabs = []) {
  explain(state);
  foldAway();
  showMenu(menuButton('Aids', () => showAids()), menuButton('Legend', () => showLegend(state()?.mode ?? 'standard')), ...buttons);
  showTabs([['Log', el('div', { id: 'log', class: 'log', tabindex: '0' })], ...tabs, ['Cards', el('div', { id: 'tables' })]]);
}

/** Draw a position: tracks, map, what goes on beside it, cards in play. @param {any} state @param {How} [how] */
export function showPosition(state, how = {}) {
  showTracks(state);
  showMap(state, how);
  fill(byId('fight'), contestPanel(state, how));
  fill(byId('tables'), tablePanel(state));
}

/**
 * What goes on beside the board: a bid, the struggle hands of family mode, or a power struggle; null when nothing does.
 * @param {any} state @param {How} how
 */
function contestPanel(state, how) {
  if (isBidding(state)) return bidPanel(state.bid, state.side);
  if (isFamily(state)) return familyPanel(state, how);
  return state.struggle ? strugglePanel(state, how) : null;
}

/**
 * A power struggle: how it stands and both hands as far as they are seen; cards that can be played are marked.
 * @param {any} state @param {How} how
 */
function strugglePanel(state, how) {
  const fight = state.struggle;
  const attack = fight.led_suit && `${capital(fight.led_suit)}${fight.led_rank ? ` ${fight.led_rank}` : ''}`;
  const isDecided = fight.winner >= 0;
  const stand = [
    el('span', null, mark(fight.starter), ` started by the ${SIDES[fight.starter]}`),
    isDecided || attack ? null : el('span', null, mark(fight.attacker), ` the ${SIDES[fight.attacker]} attacks`),
    isDecided && attack ? el('span', null, 'led: ', el('b', null, attack)) : null,
    fight.blocked ? el('span', null, `blocked: ${fight.blocked}`) : null,
    ...[0, 1].filter((side) => fight.raised[side]).map((side) => el('span', null, namedMark(side), ' raised the stakes')),
    isDecided ? el('span', { class: 'led' }, mark(fight.winner), el('b', null, ` ${SIDES[fight.winner]} wins`)) : null,
    el('span', { class: 'soft' }, `deck ${fight.deck}`),
  ];
  return el('section', { class: 'panel struggle', 'aria-label': 'Power struggle' },
    el('h2', null, `Power struggle in ${facts.countries[fight.country]}`),
    el('p', { class: 'facts' }, ...stand.filter((part) => part !== null)),
    fight.led_suit && !isDecided ? duel(fight.attacker, attack) : null, state.ask?.aftermath ? aftermathTable(state.ask.aftermath) : null,
    el('div', { class: 'hands' }, ...[0, 1].map((side) => faceHand(state, side, fight.hands[side] ?? {}, fight.sizes[side], 'card', how)),
      el('div', { class: 'faces' }, el('h3', { class: 'soft' }, 'Played'), ...faceChips(fight.discarded))));
}

/** What either die of the aftermath would cost if the attack were conceded. @param {number[]} amounts by face */
function aftermathTable(amounts) {
  return el('details', { class: 'aftermath' }, el('summary', null, 'What conceding would cost, by the die'),
    table([['die', '1', '2', '3', '4', '5', '6'], ['support points, and VP', ...amounts.map(String)]]));
}

/** Lasting events, piles, and cards not yet in the game. @param {any} state */
function tablePanel(state) {
  const show = (/** @type {number} */ card) => showCard(card, isFamily(state));
  if (isFamily(state)) return familyTables(state, show);
  const part = (/** @type {string} */ title, /** @type {any[]} */ cards, open = false) => el('details', { open },
    el('summary', null, `${title} `, el('span', { class: 'count' }, cards.length)), cardList(cards, show));
  return el('div', null,
    state.bid?.settled ? bidPanel(state.bid) : null,
    part('Lasting events', state.in_play, true),
    el('p', { class: 'soft' }, `Draw pile: ${state.draw_pile_size} cards`),
    part('Discarded', state.discard_pile), part('Removed', state.removed), part('Not yet in the game', state.future));
}

/**
 * A hand that lies open, as replays and ended games show it.
 * @param {any} state @param {number} side @param {string} name of its player
 * @param {{chosen?: string, best?: string}} [actions] the move played and the best one, which are marked
 */
export function openHand(state, side, name, actions = {}) {
  const held = state.hands[side];
  const cards = [...held.cards, ...(held.drawn ?? []), ...(held.aside ?? [])];
  const hidden = held.size - held.cards.length;
  const plain = isFamily(state);
  const tile = (/** @type {number} */ card) => {
    const [isPlayed, isBest] = [actions.chosen, actions.best].map((action) => side === state.actor && action === `card:${card}`);
    const notes = [isPlayed && 'played', isBest && 'best', held.shown?.includes(card) && 'known'].filter(Boolean);
    return cardTile(card, { onclick: () => showCard(card, plain), chosen: isPlayed, hinted: isBest, note: notes.join(' · '), plain });
  };
  return el('div', null, el('h2', null, namedMark(side), ` ${name}`, el('span', { class: 'soft' }, ` ${counted(held.size, 'card')}${hidden > 0 ? `, ${hidden} not seen` : ''}`)),
    el('div', { class: 'tiles' }, ...cards.map(tile)));
}

/** @param {number} card @param {boolean} [plain] without events */
export function showCard(card, plain = false) {
  dialog(facts.cards[card]?.title ?? '', cardDetails(card, { plain }));
}

export function showAids() {
  const parts = facts.aids.map((aid, at) => el('details', { open: at === 0, name: 'aid' }, el('summary', null, aid.title),
    el('ul', null, ...aid.lines.map((line) => el('li', null, line))), aid.table.length ? table(aid.table) : null));
  dialog('Player aids', ...parts);
}

/** Tabs: buttons and the panels they show. @param {[string, HTMLElement][]} tabs */
function showTabs(tabs) {
  const buttons = tabs.map(([title, panel], at) => el('button', {
    type: 'button', role: 'tab', id: `tab-${at}`, 'aria-controls': panel.id, 'aria-selected': at === 0 ? 'true' : 'false',
    onclick: () => choose(at),
  }, title));
  const choose = (/** @type {number} */ chosen) => tabs.forEach(([, panel], at) => {
    buttons[at].setAttribute('aria-selected', String(at === chosen));
    buttons[at].tabIndex = at === chosen ? 0 : -1;
    panel.hidden = at !== chosen;
  });
  const steer = (/** @type {KeyboardEvent} */ event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!step) return;
    const at = (buttons.findIndex((button) => button === event.target) + step + tabs.length) % tabs.length;
    choose(at);
    buttons[at].focus();
  };
  fill(byId('side'), el('div', { role: 'tablist', class: 'tabs', onkeydown: steer }, ...buttons), ...tabs.map(([, panel]) => panel));
  tabs.forEach(([, panel], at) => {
    panel.setAttribute('role', 'tabpanel');
    panel.setAttribute('aria-labelledby', `tab-${at}`);
  });
  choose(0);
}
