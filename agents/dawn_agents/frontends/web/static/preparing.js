/** A server that has just been started compiles the rules first: how far it has come, beside the empty board. */
import { showMap } from './board.js';
import { byId, el, fill } from './common.js';
import { announce } from './events.js';

/** The server is not ready for games yet. @param {{words: string, share: number}} message */
export function showPreparing(message) {
  const box = byId('prompt');
  if (box.dataset.state !== 'preparing') announce('Preparing the rules');
  box.dataset.state = 'preparing';
  fill(box, el('h2', null, 'Preparing the rules'), el('p', null, message.words),
    el('p', { class: 'progress' }, el('progress', { value: message.share, 'aria-label': 'Preparing the rules' })));
  if (!byId('board').childElementCount) showMap(null);
}

addEventListener('preparing', (event) => showPreparing(/** @type {CustomEvent} */ (event).detail)); // of a request
