// @ts-check
/** The struggle, the log, events in play and piles, player aids. */
import { bidPanel, isBidding } from './bid.js';
import { cardDetails, cardList, faceChips } from './cards.js';
import { capital, dialog, el, mark, sideClass, SIDES } from './common.js';
import { familyPanel, familyTables, isFamily } from './family.js';

/**
 * What goes on beside the board: a bid, the struggle hands of family mode, or a power struggle; null when nothing does.
 * @param {import('./common.js').Facts} facts @param {any} state
 * @param {{legal: Set<string>, side: number}} [how] the side whose cards can be played, and which
 */
export function contestPanel(facts, state, how = { legal: new Set(), side: -1 }) {
  if (isBidding(state)) return bidPanel(state.bid, how.side >= 0);
  if (isFamily(state)) return familyPanel(facts, state, how);
  return state.struggle ? strugglePanel(facts, state, how) : null;
}

/**
 * A power struggle: how it stands and both hands as far as they are seen; cards that can be played are marked.
 * @param {import('./common.js').Facts} facts @param {any} state
 * @param {{legal: Set<string>, side: number}} how
 */
function strugglePanel(facts, state, how) {
  const fight = state.struggle;
  const stand = [
    el('span', null, mark(fight.starter), ` started by the ${SIDES[fight.starter]}`),
    el('span', null, mark(fight.attacker), ` the ${SIDES[fight.attacker]} attacks`),
    fight.suit ? el('span', { class: 'led' }, 'led: ', el('b', null, `${capital(fight.suit)}${fight.rank ? ` ${fight.rank}` : ''}`)) : null,
    fight.blocked ? el('span', null, `blocked: ${fight.blocked}`) : null,
    ...[0, 1].filter((side) => fight.raised[side]).map((side) => el('span', null, mark(side), ' raised the stakes')),
    fight.winner >= 0 ? el('span', { class: 'led' }, mark(fight.winner), el('b', null, ` ${SIDES[fight.winner]} wins`)) : null,
    el('span', { class: 'soft' }, `deck ${fight.deck}`),
  ];
  return el('section', { class: 'panel struggle', 'aria-label': 'Power struggle' },
    el('h2', null, `Power struggle in ${facts.countries[fight.country]}`),
    el('p', { class: 'facts' }, ...stand.filter((part) => part !== null)),
    el('div', { class: 'hands' }, ...[0, 1].map((side) => hand(state, side, how)),
      el('div', { class: 'faces' }, el('h3', { class: 'soft' }, 'Played'), ...faceChips(fight.discards))));
}

/** @param {any} state @param {number} side @param {any} how */
function hand(state, side, how) {
  const fight = state.struggle;
  const faces = fight.hands[side];
  const size = fight.sizes[side];
  const playable = (/** @type {string} */ face) => side === how.side && how.legal.has(`power:${face}`);
  const cards = faces === null ? Array.from({ length: size }, () => el('span', { class: 'chip back', 'aria-hidden': 'true' }, '?'))
    : faceChips(faces, playable);
  return el('div', { class: 'faces' },
    el('h3', { class: `${sideClass(side)}w` }, mark(side), ` ${SIDES[side]}: ${size} card${size === 1 ? '' : 's'}`), ...cards);
}

/**
 * Lines of the log; a new heading where the round changes.
 * @param {Element} place @param {[string, string[]][]} entries @param {number} from how many are shown already
 * @param {number} [fresh] from where on they are marked as new
 */
export function showLog(place, entries, from, fresh = from) {
  if (from === 0) place.replaceChildren();
  let last = from ? entries[from - 1][0] : '';
  place.querySelectorAll('.new').forEach((entry) => entry.classList.remove('new'));
  for (const [at, [heading, lines]] of [...entries.entries()].slice(from)) {
    if (heading !== last) place.append(el('h3', null, heading));
    last = heading;
    place.append(el('div', { class: at >= fresh ? 'entry new' : 'entry' }, ...logLines(lines)));
  }
  place.scrollTop = place.scrollHeight;
}

/** @param {string[]} lines @returns {HTMLElement[]} */
export function logLines(lines) {
  return lines.map((line) => {
    const inner = line.startsWith('  ');
    const side = line.startsWith('Democrat ') ? 0 : line.startsWith('Communist ') ? 1 : -1;
    return el('p', { class: inner ? 'inner' : '' }, !inner && side >= 0 ? mark(side) : null, !inner && side >= 0 ? ' ' : null, line.trim());
  });
}

/**
 * Lasting events, piles, and cards not yet in the game.
 * @param {import('./common.js').Facts} facts @param {any} state
 */
export function tablePanel(facts, state) {
  const show = (/** @type {number} */ card) => showCard(facts, card, isFamily(state));
  if (isFamily(state)) return familyTables(facts, state, show);
  const part = (/** @type {string} */ title, /** @type {any[]} */ cards, open = false) => el('details', { open },
    el('summary', null, title, el('span', { class: 'count' }, cards.length)), cardList(facts, cards, show));
  return el('div', null,
    state.bid?.settled ? bidPanel(state.bid) : null,
    part('Lasting events', state.inPlay, true),
    el('p', { class: 'soft' }, `Draw pile: ${state.drawPile} cards`),
    part('Discarded', state.discarded), part('Removed', state.removed), part('Not yet in the game', state.future));
}

/** @param {import('./common.js').Facts} facts @param {number} card @param {boolean} [plain] without events */
export function showCard(facts, card, plain = false) {
  dialog(facts.cards[card]?.title ?? '', cardDetails(facts, card, { plain }));
}

/** @param {import('./common.js').Facts} facts */
export function showAids(facts) {
  const parts = facts.aids.map((aid, at) => el('details', { open: at === 0, name: 'aid' }, el('summary', null, aid.title),
    el('ul', null, ...aid.lines.map((line) => el('li', null, line))), aid.table ? table(aid.table) : null));
  dialog('Player aids', ...parts);
}

/** @param {string[][]} rows */
function table([head, ...rows]) {
  return el('div', { class: 'scroll', tabindex: '0' }, el('table', null,
    el('thead', null, el('tr', null, ...head.map((cell) => el('th', { scope: 'col' }, cell)))),
    el('tbody', null, ...rows.map((row) => el('tr', null, ...row.map((cell) => el('td', null, cell)))))));
}

/** How a game ended, in words. @param {{result: string, reason: string}} over */
export function outcomeWords(over) {
  return `${over.result === 'draw' ? 'The game is a draw' : `The ${capital(over.result)} wins`} (${over.reason})`;
}

/**
 * Tabs: buttons and the panels they show.
 * @param {HTMLElement} place @param {[string, HTMLElement][]} tabs
 */
export function showTabs(place, tabs) {
  const buttons = tabs.map(([title, panel], at) => el('button', {
    type: 'button', role: 'tab', id: `tab-${at}`, 'aria-controls': panel.id, 'aria-selected': at === 0 ? 'true' : 'false',
    onclick: () => choose(at),
  }, title));
  const choose = (/** @type {number} */ chosen) => tabs.forEach(([, panel], at) => {
    buttons[at].setAttribute('aria-selected', String(at === chosen));
    panel.hidden = at !== chosen;
  });
  place.replaceChildren(el('div', { role: 'tablist', class: 'tabs' }, ...buttons), ...tabs.map(([, panel]) => panel));
  tabs.forEach(([, panel], at) => {
    panel.setAttribute('role', 'tabpanel');
    panel.setAttribute('aria-labelledby', `tab-${at}`);
  });
  choose(0);
}
