// @ts-check
/** The bid for sides: who decides while there are none, and the offers as far as they are seen. */
import { capital, el, mark, SIDES } from './common.js';

/** @typedef {{player: number, settled: boolean, offers: ([number, number | null] | null)[]}} Bid */

const PLAYERS = ['first player', 'second player'];

/** Whether sides are still to be given out. @param {{bid: Bid | null}} state */
export function isBidding(state) {
  return Boolean(state.bid && !state.bid.settled);
}

/** Who is to decide. @param {any} state */
export function actorName(state) {
  return isBidding(state) ? capital(PLAYERS[state.actor]) : SIDES[state.actor] ?? '';
}

/** @param {[number, number | null] | null} offer */
function offerWords(offer) {
  if (!offer) return [el('span', { class: 'soft' }, 'secret until both are made')];
  const [side, points] = offer;
  return ['gives away the ', mark(side), ` ${SIDES[side]}`, points === null ? ' …' : ` with ${points} support point${points === 1 ? '' : 's'}`];
}

/** @param {Bid} bid @param {boolean} [mine] whether it is told to one of the players */
export function bidPanel(bid, mine = false) {
  const rows = bid.offers.map((offer, player) => el('li', null, el('b', null, `${capital(PLAYERS[player])}${mine && player === bid.player ? ' (you)' : ''}`), ' ', ...offerWords(offer)));
  return el('section', { class: 'panel bid', 'aria-label': 'Bid for sides' }, el('h2', null, 'Bid for sides'), el('ul', null, ...rows),
    bid.settled ? null : el('p', { class: 'soft' }, 'Each offers the opponent a side with support points, so as to play the other side. '
      + 'If both give away the same side, the larger offer counts, and its player plays the other side; if not, both get what they want and no points. Nothing is dealt before.'));
}
