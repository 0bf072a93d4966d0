/** Keys of the pages with a question: its buttons, the board, the hand, player aids. */
import { focusMap, steerByKeys } from './board.js';
import { byId, el } from './common.js';
import { showAids } from './panels.js';

export const PRESSED_BY_SPACE = 'button, a, summary, [role=button]'; // what Space presses itself, or leaves alone
const KEYS = [['1 … 9', 'the buttons of the question, or the number'], ['m', 'the board; arrow keys move, with Shift to any space, m goes to the next one, Enter chooses or says why not'],
  ['c', 'your hand; arrow keys move, Enter chooses or says why not'], ['?', 'player aids'], ['Tab', 'from one thing to the next']];

/** What keys do. @param {string[][]} [more] keys of the page */
export function keyList(more = []) {
  return el('dl', { class: 'keys' }, ...[...KEYS, ...more].flatMap(([name, words]) => [el('dt', null, el('kbd', null, name)), el('dd', null, words)]));
}

/** Listen to the keys of a page. @param {(key: string) => boolean} [more] does what other keys stand for; returns true if it did something */
export function listenToKeys(more = () => false) {
  steerByKeys();
  keepFocus();
  byId('hand').addEventListener('keydown', alongHand);
  document.addEventListener('keydown', (event) => {
    const target = /** @type {Element} */ (event.target);
    if (event.ctrlKey || event.metaKey || event.altKey || target.closest('dialog, input, textarea, select')) return;
    if (event.key === ' ' && target.closest(PRESSED_BY_SPACE)) return;
    if (/^[0-9]$/.test(event.key)) /** @type {HTMLElement | null} */ (document.querySelector(`.choice[data-key="${event.key}"]`))?.click();
    else if (event.key === 'm') focusMap();
    else if (event.key === 'c') /** @type {HTMLElement | null} */ (document.querySelector('.tiles .card.legal') ?? document.querySelector('.tiles .card'))?.focus();
    else if (event.key === '?') showAids();
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

/**
 * Whenever what had the focus is gone: focus the same thing where it is shown again, unless it was an answer, or else the button to go on
 * with, or else the question.
 */
export function keepFocus() {
  /** @type {HTMLElement | null} */ let last = null;
  document.addEventListener('focusin', (event) => { last = /** @type {HTMLElement} */ (event.target); });
  new MutationObserver(() => {
    const active = document.activeElement;
    if (active && !active.matches('body, #prompt, [inert] *, [data-space]:not([tabindex])')) return;
    const prompt = byId('prompt');
    const wanted = last && !last.isConnected && !('action' in last.dataset) ? last : null;
    const again = wanted && [...document.querySelectorAll(wanted.tagName)].find((one) => one.textContent === wanted.textContent);
    for (const place of [again, prompt.querySelector('.strong'), navigator.userActivation.hasBeenActive && prompt]) {
      if (place) place.focus({ preventScroll: true });
      if (document.activeElement === place) return;
    }
  }).observe(document.body, { childList: true, subtree: true });
}
