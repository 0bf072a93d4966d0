// @ts-check
/** A hand that lies open, as replays and ended games show it. */
import { cardTile } from './cards.js';
import { counted, el, namedMark } from './common.js';
import { isFamily } from './family.js';
import { showCard } from './panels.js';

/**
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
