/** Two people at one screen: each sees their own seat only, and a curtain hangs between their turns. */
import { isBidding } from './bid.js';
import { el, ownSeats, PLAYERS, SIDES } from './common.js';

const HANDED = 'handed'; // the seat of the person who has the screen now
let isHere = sessionStorage.getItem(HANDED) === location.pathname;
sessionStorage.removeItem(HANDED);

/** The path of the other seat, where both people sit at this screen. @returns {string | undefined} */
export function partner() {
  const own = ownSeats().find((seat) => seat.path === location.pathname);
  return own?.together ? own.opponent : undefined;
}

/**
 * Hang the curtain where the person at this seat need not be here, or take it away.
 * @param {any} state of this seat @param {boolean} waits for the other person @param {() => void} look shows the seat to its person
 * @returns {boolean} whether it hangs
 */
export function hangCurtain(state, waits, look) {
  const other = partner();
  const hangs = Boolean(other) && !state.over && (waits || !isHere);
  document.getElementById('curtain')?.remove();
  document.body.classList.toggle('curtained', hangs);
  for (const part of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('header.top, main'))) part.inert = hangs;
  if (!hangs || !other) return false;
  isHere = false;
  const passes = waits || !state.ask;
  const side = passes ? 1 - state.side : state.side;
  const name = isBidding(state) ? PLAYERS[side] : SIDES[side];
  const take = () => {
    button.remove();
    if (passes) {
      sessionStorage.setItem(HANDED, other);
      location.href = other;
    } else {
      isHere = true;
      look();
    }
  };
  document.title = `The ${name} is next`;
  const button = el('button', { type: 'button', class: 'strong', 'data-wish': 'look', onclick: take }, `I am the ${name}: show my cards`);
  document.body.append(el('section', { id: 'curtain', role: 'dialog', 'aria-label': document.title },
    el('h2', null, document.title), el('p', null, passes ? 'Pass the screen; your cards are hidden.' : 'Only they should look now.'), el('p', { class: 'buttons' }, button)));
  button.focus();
  return true;
}
