/** Forms for new games: who plays, and the seed. */
import { el, mark, request, select, SIDE_KEYS, SIDES, toast } from './common.js';

/** @typedef {{spec: string, name: string, rating: number | null, note: string, modes: string[],
 *   strength: [string, string] | null}} Offer */
/** @typedef {{name: string, title: string, note: string, options: Record<string, any>}} Kind */

/** The seats of a game with a bid, which gives the sides. */
export const SEATS = ['first', 'second'];

/** @param {Kind[]} kinds @param {() => void} changed */
export function kindChoice(kinds, changed) {
  return el('fieldset', { class: 'sides' }, el('legend', null, 'Game'), ...kinds.map((kind, at) => el('label', { title: kind.note },
    el('input', { type: 'radio', name: 'kind', value: kind.name, checked: at === 0, onchange: changed }), el('span', null, kind.title))));
}

/** @param {Offer[]} offers @param {string} name @param {string} chosen */
export function offerSelect(offers, name, chosen) {
  const words = (/** @type {Offer} */ offer) => (offer.rating === null ? offer.name : `${offer.name} · ${offer.rating} Elo`);
  const box = select(name, offers.map((offer) => /** @type {[string, string]} */ ([offer.spec, words(offer)])), chosen);
  box.name = name;
  return box;
}

/** Four strengths in plain words, and all the others folded. @param {Offer[]} offers */
export function offerChoice(offers) {
  const one = (/** @type {Offer} */ offer, /** @type {string} */ name, /** @type {string} */ note) => el('label', null,
    el('input', { type: 'radio', name: 'opponent', value: offer.spec, checked: offer.spec === 'heuristic:level=6' }),
    el('span', null, el('b', null, name), el('span', { class: 'soft' }, ` ${note}`)),
    el('span', { class: 'rating' }, offer.rating ?? ''));
  const plain = offers.filter((offer) => offer.strength);
  const others = offers.filter((offer) => !offer.strength).reverse();
  return el('fieldset', null, el('legend', null, 'Opponent'),
    el('div', { class: 'offers strengths' }, ...plain.map((offer) => one(offer, ...(/** @type {[string, string]} */ (offer.strength))))),
    el('details', null, el('summary', null, `${others.length} more opponents, with their ratings in Elo`),
      el('div', { class: 'offers' }, ...others.map((offer) => one(offer, offer.name, offer.note)))));
}

export function sideChoice() {
  const one = (/** @type {string} */ value, /** @type {any} */ words, checked = false) =>
    el('label', null, el('input', { type: 'radio', name: 'side', value, checked }), el('span', null, ...words));
  return el('fieldset', { class: 'sides' }, el('legend', null, 'Your side'),
    ...SIDES.map((side, at) => one(SIDE_KEYS[at], [mark(at), ` ${side}`], at === 0)), one('random', ['either']));
}

export function seedField() {
  const box = el('details', null, el('summary', null, 'Seed of the game'),
    el('label', { class: 'field' }, 'Seed ', el('input', { type: 'text', name: 'seed', inputmode: 'numeric', pattern: '[0-9]*', title: 'Digits only', size: 20 }),
      el('span', { class: 'soft' }, ' the same seed gives the same cards and dice; drawn if left empty')));
  box.addEventListener('invalid', () => box.setAttribute('open', ''), true);
  return box;
}

/** @param {string} seat @param {string} mine @param {string} theirs @param {string[]} [seats] */
export function seating(seat, mine, theirs, seats = SIDE_KEYS) {
  return Object.fromEntries(seats.map((name) => [name, name === seat ? mine : theirs]));
}

/** Create a game and go to the seat of a person in it. @param {any} wanted */
export async function playNew(wanted) {
  try {
    location.href = /** @type {string[]} */ (Object.values((await request('/api/games', wanted)).seats))[0];
  } catch (error) {
    toast(/** @type {Error} */ (error).message);
  }
}
