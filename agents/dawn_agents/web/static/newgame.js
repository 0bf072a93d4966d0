// @ts-check
/** Forms for new games: who plays, options of the game as they declare themselves, seed. */
import { capital, el, mark, request, select, SIDE_KEYS, SIDES, toast } from './common.js';

/** @typedef {{spec: string, name: string, rating: number | null, note: string, modes: string[],
 *   strength: [string, string] | null}} Offer */
/** @typedef {{name: string, title: string, note: string, options: Record<string, any>}} Kind */
/** @typedef {{name: string, default: any, kind: string, metavar: string[], help: string, choices: string[],
 *   bounds: [number, number] | null}} Option */

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

/** @param {Option} option */
function optionField(option) {
  const label = capital(option.name.replaceAll('_', ' '));
  const number = { type: 'number', class: 'short', min: option.bounds?.[0], max: option.bounds?.[1] };
  if (option.kind === 'bool') {
    return el('label', { class: 'field', 'data-option': option.name }, el('input', { type: 'checkbox', name: option.name, checked: option.default }), ` ${label} `,
      el('span', { class: 'soft' }, option.help));
  }
  if (option.kind === 'tuple') {
    return el('div', { class: 'field', 'data-option': option.name }, el('span', null, `${label} `), ...option.default.map((/** @type {any} */ value, /** @type {number} */ at) =>
      el('label', null, `${option.metavar[at] ?? at + 1} `, el('input', { ...number, name: `${option.name}.${at}`, value }))),
    el('span', { class: 'soft' }, option.help));
  }
  const input = option.choices.length
    ? el('select', { name: option.name }, ...option.choices.map((value) => el('option', { value, selected: value === option.default }, value)))
    : el('input', { ...(option.kind === 'int' ? number : { type: 'text' }), name: option.name, value: option.default ?? '' });
  return el('label', { class: 'field', 'data-option': option.name }, `${label} `, input, el('span', { class: 'soft' }, ` ${option.help}`));
}

/** @param {Option[]} options */
export function moreFields(options) {
  const box = el('details', null, el('summary', null, 'Seed and options of the game'),
    el('label', { class: 'field' }, 'Seed ', el('input', { type: 'text', name: 'seed', inputmode: 'numeric', pattern: '[0-9]*', title: 'Digits only', size: 20 }),
      el('span', { class: 'soft' }, ' the same seed gives the same cards and dice; drawn if left empty')),
    el('fieldset', null, ...options.map(optionField)));
  box.addEventListener('invalid', () => box.setAttribute('open', ''), true);
  return box;
}

/** What a form says of the options, by name. @param {HTMLFormElement} form @param {Option[]} options */
export function optionValues(form, options) {
  const field = (/** @type {string} */ name) => /** @type {HTMLInputElement} */ (form.elements.namedItem(name));
  const value = (/** @type {Option} */ option) => {
    if (option.kind === 'bool') return field(option.name).checked;
    if (option.kind === 'tuple') return option.default.map((/** @type {any} */ _, /** @type {number} */ at) => Number(field(`${option.name}.${at}`).value));
    return option.kind === 'int' ? Number(field(option.name).value) : field(option.name).value;
  };
  return Object.fromEntries(options.map((option) => [option.name, value(option)]));
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
