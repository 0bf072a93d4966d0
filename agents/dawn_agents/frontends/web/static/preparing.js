/** A server that has just been started compiles the rules first, and reads long games before it shows them: how far it has come, beside the board. */
import { showMap } from './board.js';
import { byId, el, fill } from './common.js';
import { announce } from './events.js';

/** The server is not ready yet. @param {{title: string, words: string, share: number}} message */
export function showPreparing(message) {
  const box = byId('prompt');
  if (box.dataset.state !== 'preparing') announce(message.title);
  box.dataset.state = 'preparing';
  fill(box, el('h2', null, message.title), el('p', null, message.words),
    el('p', { class: 'progress' }, el('progress', { value: message.share, 'aria-label': message.title })));
  if (!byId('board').childElementCount) showMap(null);
}

addEventListener('preparing', (event) => showPreparing(/** @type {CustomEvent} */ (event).detail)); // of a request
