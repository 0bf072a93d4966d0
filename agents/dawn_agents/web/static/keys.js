// @ts-check
/** Keys of the pages with a question: its buttons, the board, the hand, player aids. */
import { focusMap, steerByKeys } from './board.js';
import { byId, el } from './common.js';
import { showAids } from './panels.js';

const KEYS = [['1 … 9', 'the buttons of the question, or the number'], ['m', 'the board; arrow keys move, m goes to the next space, Enter chooses'],
  ['c', 'your hand; arrow keys move, Enter chooses'], ['?', 'player aids'], ['Tab', 'from one thing to the next']];

/** What keys do. @param {string[][]} [more] keys of the page */
export function keyList(more = []) {
  return el('dl', { class: 'keys' }, ...[...KEYS, ...more].flatMap(([name, words]) => [el('dt', null, el('kbd', null, name)), el('dd', null, words)]));
}

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
    else if (event.key === 'c') /** @type {HTMLElement | null} */ (document.querySelector('.tiles .card.legal') ?? document.querySelector('.tiles .card'))?.focus();
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
