// @ts-check
/** A position in which something is to be done, outside a game: puzzles and the lesson. */
import { heldDetails, ownHand } from './choices.js';
import { byId, dialog, el, fill, mark, menuButton, request, showProblem, SIDES } from './common.js';
import { announcePart, showLog } from './events.js';
import { keyList, listenToKeys } from './keys.js';
import { frameBoard, showPosition } from './panels.js';
import { prepared } from './preparing.js';

/** The page around it, once the server is ready. @param {() => any} state */
export async function preparePage(state) {
  frameBoard(state, [menuButton('Keys', () => dialog('Keys', keyList()))]);
  listenToKeys();
  await prepared();
}


/**
 * An exercise, or the first one where there is none of this number; null, and said on the page, if there is none at all.
 * @param {'lesson' | 'puzzles'} kind @param {number} number @returns {Promise<any>}
 */
export async function fetchExercise(kind, number) {
  try {
    const found = await request(`/api/${kind}/${number}`);
    localStorage.setItem(kind, String(number)); // a page that is opened again goes on here
    return { ...found, number };
  } catch (error) {
    if (number > 1) return fetchExercise(kind, 1);
    showProblem('This page cannot be opened', /** @type {Error} */ (error).message);
    return null;
  }
}

/** Draw a position. @param {any} state @param {import('./choices.js').How} how */
export function showExercise(state, how) {
  showPosition(state, how);
  fill(byId('hand'), ...ownHand(state, how, (card) => {
    if (how.open?.has(`card:${card}`)) how.pick?.(`card:${card}`);
    else {
      fill(byId('detail'), heldDetails(state, card));
      announcePart('#detail');
    }
  }));
  showLog(state.log, state.log.length, state.log.length);
}

/** Which side decides, and when. @param {any} state */
export function whose(state) {
  return el('p', { class: 'soft' }, mark(state.side), ` ${SIDES[state.side]} · ${state.when}`);
}
