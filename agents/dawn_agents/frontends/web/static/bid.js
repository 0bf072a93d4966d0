/** The bid for sides: who decides while there are none, and the offers as far as they are seen. */
import { capital, el, mark, PLAYERS, SIDE_KEYS, SIDES } from './common.js';
import { facts } from './facts.js';
import { eventWords } from './words.js';

/** @typedef {{settled: boolean, offers: ([number, number | null] | null)[]}} Bid */

/** Whether sides are still to be given out. @param {{bid: Bid | null}} state */
export function isBidding(state) {
  return Boolean(state.bid && !state.bid.settled);
}

/** Who is to decide. @param {any} state */
export function actorName(state) {
  return isBidding(state) ? capital(PLAYERS[state.actor]) : SIDES[state.actor] ?? '';
}

/** @param {Bid} bid @param {number} [viewer] the player to whom it is told, if it is one */
export function bidPanel(bid, viewer) {
  const rows = bid.offers.map((offer, player) => {
    const isOwn = player === viewer;
    const words = offer ? eventWords({ event: 'offer', who: PLAYERS[player], side: SIDE_KEYS[offer[0]], points: offer[1] })
      : `${capital(PLAYERS[player])}: ${isOwn ? 'to be named' : 'secret until both offers are made'}`;
    return el('li', null, offer ? mark(offer[0]) : null, isOwn ? el('b', null, ' Your offer: ') : ' ', words);
  });
  return el('section', { class: 'panel bid', 'aria-label': 'Bid for sides' }, el('h2', null, 'Bid for sides'), el('ul', null, ...rows),
    ...(bid.settled ? [] : facts.aids.find((aid) => aid.title === 'Bid for sides')?.lines ?? []).map((line) => el('p', { class: 'soft' }, line)));
}
