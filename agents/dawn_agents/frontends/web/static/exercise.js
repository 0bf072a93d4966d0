/** A position in which something is to be done, outside a game: puzzles and the lesson. */
import { heldDetails, ownHand } from './choices.js';
import { byId, dialog, el, fill, mark, menuButton, request, showProblem, SIDES } from './common.js';
import { announcePart, showLog } from './events.js';
import { keyList, listenToKeys } from './keys.js';
import { bringUp } from './overview.js';
import { frameBoard, showPosition } from './panels.js';
import './preparing.js';

/**
 * Make a page of exercises.
 * @param {(number: number) => string} address where the server tells an exercise @param {(found: any) => void} show draws one that was opened
 * @param {() => void} [bring] scrolls to what matters @returns {(number: number) => Promise<void>} opens an exercise, or the first one
 * where there is none of this number
 */
export function exercises(address, show, bring = bringUp) {
  /** @type {any} */ let state = null;
  frameBoard(() => state, [menuButton('Keys', () => dialog('Keys', keyList()))]);
  listenToKeys();
  return async function open(number) {
    try {
      state = { ...await request(address(number)), number };
    } catch (error) {
      if (number > 1) await open(1);
      else showProblem('This page cannot be opened', /** @type {Error} */ (error).message);
      return;
    }
    show(state);
    bring();
  };
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
