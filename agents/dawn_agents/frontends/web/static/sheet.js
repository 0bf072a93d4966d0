/** The question at the bottom of the window folds away to its heading where it covers what can be chosen. */
import { byId } from './common.js';

/** Let a button fold the question; one that is answered in its own place, or by a second word, unfolds by itself. */
export function foldAway() {
  const [sheet, button, prompt] = [byId('sheet'), byId('fold'), byId('prompt')];
  const show = (/** @type {boolean} */ isFolded) => {
    sheet.classList.toggle('folded', isFolded);
    button.textContent = isFolded ? '▴' : '▾';
    button.title = isFolded ? 'Show the whole question' : 'Fold the question away';
    button.setAttribute('aria-label', button.title);
    button.setAttribute('aria-expanded', String(!isFolded));
  };
  button.addEventListener('click', () => show(!sheet.classList.contains('folded')));
  new MutationObserver(() => {
    const isElsewhere = document.querySelector('#board [data-legal], #hand [data-legal], #fight [data-legal]');
    if (!isElsewhere || prompt.querySelector('.strong')) show(false);
  }).observe(prompt, { childList: true });
  show(false);
}
