// @ts-check
/** A position in which something is to be done, outside a game: puzzles and the lesson. */
import { handTile, held, heldDetails } from './choices.js';
import { byId, counted, dialog, el, fill, mark, menuButton, SIDES } from './common.js';
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

/** Draw a position. @param {any} state @param {import('./choices.js').How} how */
export function showExercise(state, how) {
  showPosition(state, how);
  fill(byId('hand'), el('h2', null, mark(state.side), ' Your hand', el('span', { class: 'soft' }, ` ${counted(state.hands[state.side].size, 'card')}`)),
    el('div', { class: 'tiles' }, ...held(state).map((card) => handTile(state, card, how, '', () => {
      if (how.open?.has(`card:${card}`)) how.pick?.(`card:${card}`);
      else {
        fill(byId('detail'), heldDetails(state, card));
        announcePart('#detail');
      }
    }))));
  showLog(state.log, state.log.length, state.log.length);
}

/** Which side decides, and when. @param {any} state */
export function whose(state) {
  return el('p', { class: 'soft' }, mark(state.side), ` ${SIDES[state.side]} · ${state.when}`);
}
