// @ts-check
/** Keys of the pages with a question: its buttons, the board, the hand, player aids. */
import { focusMap, steerByKeys } from './board.js';
import { byId } from './common.js';
import { showAids } from './panels.js';

/**
 * Listen to the keys of a page. @param {import('./common.js').Facts} facts
 * @param {(key: string) => boolean} [more] does what other keys stand for; returns true if it did something
 */
export function listenToKeys(facts, more = () => false) {
  steerByKeys();
  byId('hand').addEventListener('keydown', alongHand);
  document.addEventListener('keydown', (event) => {
    const target = /** @type {Element} */ (event.target);
    if (event.ctrlKey || event.metaKey || event.altKey || target.closest('dialog, input, textarea, select')) return;
    if (/^[0-9]$/.test(event.key)) /** @type {HTMLElement | null} */ (document.querySelector(`.choice[data-key="${event.key}"]`))?.click();
    else if (event.key === 'm') focusMap();
    else if (event.key === 'c') /** @type {HTMLElement | null} */ (document.querySelector('.tiles .card.legal, .tiles .card'))?.focus();
    else if (event.key === '?') showAids(facts);
    else if (!more(event.key)) return;
    event.preventDefault();
  });
}

/** Arrow keys go along the hand. @param {KeyboardEvent} event */
function alongHand(event) {
  const card = /** @type {Element} */ (event.target).closest('.card');
  const step = event.key === 'ArrowRight' ? 'nextElementSibling' : event.key === 'ArrowLeft' ? 'previousElementSibling' : null;
  if (!card || !step) return;
  event.preventDefault();
  /** @type {HTMLElement | null} */ (card[step])?.focus();
}

/** Focus a button of the question, unless something else on the page has the focus. @param {string} selector */
export function focusPrompt(selector) {
  if (document.activeElement && document.activeElement !== document.body) return;
  /** @type {HTMLElement | null} */ (byId('prompt').querySelector(selector))?.focus({ preventScroll: true });
}
