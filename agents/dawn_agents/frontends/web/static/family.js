/** What family mode has of its own: what would be scored now, struggle hands, shifts and take-overs, decks. */
import { cardList, faceChips, faceHand } from './cards.js';
import { capital, counted, el, faceName, mark, namedMark, sideClass, SIDES } from './common.js';
import { facts } from './facts.js';

/** @param {{mode: string}} state */
export function isFamily(state) {
  return state.mode === 'family';
}

/** What the scoring at the end of the turn would give. @param {any} state */
export function scoredNow(state) {
  const total = state.scores.reduce((/** @type {number} */ sum, /** @type {number} */ score) => sum + score, 0);
  const words = (/** @type {number} */ score) => (score ? `+${Math.abs(score)}` : '0');
  const side = (/** @type {number} */ score) => (score > 0 ? 0 : score < 0 ? 1 : 2);
  return el('div', { class: 'block scored' },
    el('span', { class: 'label' }, el('b', null, 'Family mode'), el('span', null, 'all countries scored now ', namedMark(side(total)), ` ${words(total)}`)),
    el('span', { class: 'cells' }, ...state.scores.map((/** @type {number} */ score, /** @type {number} */ country) =>
      el('i', { class: `${sideClass(side(score))}e` }, el('small', null, facts.countries[country]), el('b', null, namedMark(side(score)), ` ${words(score)}`)))));
}

/** Struggle hands and what moves on the board. @param {any} state @param {import('./choices.js').How} how */
export function familyPanel(state, how) {
  return el('section', { class: 'panel struggle family', 'aria-label': 'Struggle cards, shift or take-over' },
    state.move ? movement(state) : null,
    el('div', { class: 'hands' }, ...[0, 1].map((side) => faceHand(state, side, state.hands[side].faces, state.hands[side].faces_size, 'struggle card', how)),
      el('div', { class: 'faces' }, el('h3', { class: 'soft' }, `Played; ${state.power_deck} left in the deck`), ...faceChips(state.power_discarded))));
}

/** @param {any} state */
function movement(state) {
  const { side, origin, destination, points, take_over: isTakeOver } = state.move;
  const [from, to] = [origin, destination].map((space) => facts.spaces[space]?.name ?? '…');
  return el('div', { class: 'movement' },
    el('h2', null, mark(side), ` ${SIDES[side]}: ${destination < 0 ? 'points move' : isTakeOver ? 'take-over' : 'shift'}, ${from} → ${to}${points ? `, ${counted(points, 'point')}` : ''}`),
    state.fight ? fight(state) : null);
}

/** The sums of a take-over. @param {any} state */
function fight(state) {
  const { attack, defence, attack_die, defence_die, points, stability, face } = state.fight;
  const { side } = state.move;
  const line = (/** @type {number} */ who, /** @type {string} */ verb, /** @type {number} */ sum, /** @type {string[]} */ parts) =>
    el('li', null, mark(who), ` ${SIDES[who]} ${verb} with `, el('b', null, sum), el('span', { class: 'soft' }, ` = ${parts.join(' + ')}`));
  const held = stability ? [counted(points, 'point'), `stability ${stability}`] : [];
  return el('ul', { class: 'sums' },
    line(side, 'attacks', attack, [counted(attack - attack_die, 'point'), `die ${attack_die}`]),
    face ? el('li', null, namedMark(side), ` adds ${capital(faceName(face))}`) : null,
    line(1 - side, 'defends', defence, [...held, `die ${defence_die}`]));
}

/** Decks and discards by colour. @param {any} state @param {(card: number) => void} show */
export function familyTables(state, show) {
  return el('div', null, ...[0, 1].map((side) => {
    const cards = state.discard_pile.filter((/** @type {number} */ card) => facts.cards[card]?.owner === side);
    return el('details', null, el('summary', null, mark(side), ` Discarded by the ${SIDES[side]} `, el('span', { class: 'count' }, cards.length)), cardList(cards, show));
  }), el('p', { class: 'soft' }, `Left to draw: ${SIDES.map((name, side) => `${name} ${state.decks[side]}`).join(', ')}.`));
}
