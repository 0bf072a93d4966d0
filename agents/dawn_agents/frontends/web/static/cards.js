/** Strategy cards: tiles, details, lists. */
import { counted, el, faceName, mark, namedMark, refuse, sideClass, SIDES } from './common.js';
import { facts } from './facts.js';
import { barredWords, faceHelp, oddsWords, percent } from './words.js';

const BEFORE_CARD = ['card', 'strike-card', 'swap-card']; // questions before the card of a round is played

/** @param {number} card */
export function cardTitle(card) {
  return facts.cards[card]?.title ?? '';
}

const NAMES = new RegExp(`(?<!\\d)(${facts.cards.flatMap((card, number) => (card ? [`${number} ${card.title.replace(/[^\w ]/g, '\\$&')}`] : []))
  .sort((one, other) => other.length - one.length).join('|')})`);

/** Words in which the names of cards show what the cards say, see `explain`. @param {string} words @param {boolean} [isStop] whether Tab stops at them */
export function withCards(words, isStop = false) {
  const stop = isStop ? { tabindex: '0', role: 'note' } : {};
  return words.split(NAMES).map((part, at) => (at % 2 ? el('span', { 'data-card': parseInt(part, 10), ...stop }, part) : part));
}

/**
 * Rounds of the turn in which a side can still play a card, the present one included; 0 where scoring cards do not matter.
 * @param {any} state
 */
export function roundsLeft(state) {
  if (state.over || !state.turn || !state.power) return 0; // family mode has no Power
  const isOwn = state.phasing === state.side;
  const hasPlayed = isOwn ? !BEFORE_CARD.includes(state.decision) : state.side === 1;
  return Math.max(0, facts.rounds - state.round + (hasPlayed ? 0 : 1));
}

/** @param {import('./facts.js').Card} card */
function whose(card) {
  return card.scores >= 0 ? 'scoring card' : card.owner < 2 ? `${SIDES[card.owner]} event` : 'Neutral event';
}

/** The value in its shape. @param {import('./facts.js').Card} card @param {number} [value] now */
function worth(card, value) {
  const words = card.scores >= 0 ? '★' : value !== undefined ? String(value) : String(card.ops);
  const changed = card.scores < 0 && value !== undefined && value !== card.ops;
  return el('span', { class: `ops ${sideClass(card.owner)}${changed ? ' changed' : ''}` }, el('b', null, words));
}

/**
 * A card of a hand as a button.
 * @param {number} number
 * @param {{value?: number, occurs?: boolean, legal?: boolean, why?: string, chosen?: boolean, hinted?: boolean, note?: string, plain?: boolean,
 *   onclick: () => void, ondblclick?: () => void}} how
 */
export function cardTile(number, how) {
  const card = /** @type {import('./facts.js').Card} */ (facts.cards[number]);
  const notes = [how.note, how.occurs === false && card.scores < 0 ? 'event cannot occur' : ''].filter(Boolean);
  const words = `${number} ${card.title}, ${whose(card)}, ${card.scores >= 0 ? 'no value' : `value ${how.value ?? card.ops}`}`;
  return el('button', {
    type: 'button', class: `card ${sideClass(card.owner)}${how.chosen ? ' chosen' : ''}${how.hinted ? ' hinted' : ''}${how.legal ? ' legal' : ''}`,
    'data-card': number, 'data-legal': how.legal, 'aria-pressed': how.chosen ? 'true' : 'false',
    'aria-label': [words, ...notes, how.legal ? 'can be chosen' : how.why ? `cannot be chosen: ${how.why}` : ''].filter(Boolean).join(', '), onclick: how.onclick, ondblclick: how.ondblclick ?? null,
  }, el('span', { class: 'head' }, worth(card, how.value), el('span', { class: 'number' }, number)),
  el('span', { class: 'title' }, card.title),
  el('span', { class: 'foot' }, notes.join(' · ') || (how.plain ? '' : card.scores >= 0 ? 'scoring card' : card.once ? 'removed after the event' : '')));
}

/**
 * All about a card.
 * @param {number} number @param {{value?: number, occurs?: boolean, plain?: boolean, why?: string}} [now] plain: in a game without events;
 *   why: it cannot be chosen
 */
export function cardDetails(number, now = {}) {
  const card = /** @type {import('./facts.js').Card} */ (facts.cards[number]);
  if (now.plain) {
    return el('div', { class: 'details' }, el('h3', null, worth(card), ` ${number} ${card.title}`),
      el('p', { class: 'soft' }, `${SIDES[card.owner]} · ${counted(card.ops, 'support point')} in one space`));
  }
  const changed = now.value !== undefined && card.scores < 0 && now.value !== card.ops;
  const line = [whose(card), card.scores >= 0 ? null : changed ? `ops ${card.ops}, now ${now.value}` : `ops ${card.ops}`,
    `${card.period} year`, card.once ? 'removed once the event has occurred' : null].filter(Boolean).join(' · ');
  const can = now.occurs === undefined || card.scores >= 0 ? null : now.occurs
    ? el('p', { class: 'can' }, '✓ The event can occur now.')
    : el('p', { class: 'cannot' }, `✗ The event cannot occur now${card.condition ? `: only ${card.condition}` : ''}.`);
  return el('div', { class: 'details' },
    el('h3', null, worth(card, now.value), ` ${number} ${card.title}`),
    el('p', { class: 'soft' }, line),
    el('p', null, card.effect),
    card.condition && !can ? el('p', { class: 'soft' }, `Can occur only ${card.condition}.`) : null,
    card.stays ? el('p', { class: 'soft' }, `Stays in play ${card.stays}.`) : null,
    can, now.why ? el('p', { class: 'cannot' }, `✗ ${now.why}.`) : null);
}

/**
 * Cards as a list of buttons that show their details.
 * @param {(number | [number, string])[]} cards with a note, or without
 * @param {(card: number) => void} show
 */
export function cardList(cards, show) {
  if (!cards.length) return el('p', { class: 'soft' }, 'none');
  return el('ul', { class: 'cards' }, ...cards.map((entry) => {
    const [number, note] = typeof entry === 'number' ? [entry, ''] : entry;
    const card = /** @type {import('./facts.js').Card} */ (facts.cards[number]);
    return el('li', null, el('button', { type: 'button', class: 'plain', 'data-card': number, onclick: () => show(number) },
      namedMark(card.owner), ` ${number} ${card.title}`, note ? el('span', { class: 'soft' }, ` ${note}`) : null));
  }));
}

/**
 * Power struggle cards; those that can be played act.
 * @param {Record<string, number>} faces copies by face @param {import('./choices.js').How} [how] @param {Record<string, number>} [chances] faces of a die, by action
 * @param {(face: string) => string} [barred] why a card cannot be played
 * @returns {HTMLElement[]}
 */
export function faceChips(faces, how = {}, chances = {}, barred = () => '') {
  return Object.entries(faces).map(([face, copies]) => {
    const action = `power:${face}`;
    const odds = chances[action];
    const words = [faceName(face), copies > 1 ? el('b', null, ` ×${copies}`) : null, odds === undefined ? null : el('small', null, ` ${percent(odds)}`)];
    if (!how.open?.has(action)) {
      const why = barred(face);
      return why ? el('button', { type: 'button', class: 'chip barred', title: `${why}. ${faceHelp(face)}`, onclick: () => refuse(faceName(face), why) }, ...words)
        : el('span', { class: 'chip', title: faceHelp(face) }, ...words);
    }
    const help = [faceHelp(face), oddsWords(action, odds)].filter(Boolean).join('; ');
    return el('button', { type: 'button', class: 'chip legal', 'data-action': action, title: help, onclick: () => how.pick?.(action) }, ...words);
  });
}

/**
 * A hand of power struggle cards, as far as it is seen.
 * @param {any} state @param {number} side @param {Record<string, number>} faces copies by face @param {number} size @param {string} noun of a card
 * @param {import('./choices.js').How} how what the viewer can play
 */
export function faceHand(state, side, faces, size, noun, how) {
  return el('div', { class: 'faces' }, el('h3', { class: `${sideClass(side)}w` }, mark(side), ` ${SIDES[side]}: ${counted(size, noun)}`),
    ...(side === state.side ? faceChips(faces, how, state.ask?.odds, (face) => (how.open?.size ? barredWords(state.ask, `power:${face}`) : '')) : faceChips(faces)));
}

/** An attack and its answer, opposite each other. @param {number} attacker @param {string} attack @param {string} [answer] @param {string} [verb] */
export function duel(attacker, attack, answer = '…', verb = 'answers') {
  return el('p', { class: 'duel' }, ...[0, 1].map((side) => el('span', { class: `${sideClass(side)}e` }, namedMark(side),
    el('b', null, ` ${side === attacker ? attack : answer}`), el('small', null, ` ${side === attacker ? 'attacks' : verb}`))));
}
