// @ts-check
/** A position in which something is to be done, outside a game: puzzles and the lesson. */
import { showMap, spaceDetails } from './board.js';
import { cardDetails } from './cards.js';
import { handTile } from './choices.js';
import { byId, counted, el, fill, mark, SIDES, spaceOf } from './common.js';
import { showLog } from './events.js';
import { isFamily } from './family.js';
import { contestPanel, frameBoard, tablePanel } from './panels.js';
import { prepared } from './preparing.js';
import { showTracks } from './tracks.js';

/** @type {HTMLElement} */ let logPanel;
/** @type {HTMLElement} */ let tablesPanel;

/**
 * The page around it, once the server is ready. @param {import('./common.js').Facts} facts @param {() => any} state
 */
export async function preparePage(facts, state) {
  ({ log: logPanel, tables: tablesPanel } = frameBoard(facts, state));
  document.addEventListener('keydown', (event) => {
    if (/^[0-9]$/.test(event.key)) /** @type {HTMLElement | null} */ (document.querySelector(`.choice[data-key="${event.key}"]`))?.click();
  });
  await prepared();
}

/**
 * Draw a position.
 * @param {import('./common.js').Facts} facts @param {any} state @param {import('./choices.js').How} how
 */
export function showExercise(facts, state, how) {
  const look = (/** @type {string | null} */ name) => { if (name && byId('detail')) fill(byId('detail'), spaceDetails(facts, state, name)); };
  const hand = state.hands[state.side];
  showTracks(byId('tracks'), facts, state);
  showMap(byId('board'), facts, state, {
    legal: new Set([...how.open].map(spaceOf)), costs: state.ask.costs, chosen: spaceOf(how.chosen),
    hinted: new Set([spaceOf(how.best)]), pick: (name) => how.pick(`space:${name}`), look,
  });
  fill(byId('fight'), contestPanel(facts, state, { legal: how.open, side: state.side, act: how.pick, odds: state.ask.odds }));
  fill(byId('hand'), el('h2', null, mark(state.side), ' Your hand', el('span', { class: 'soft' }, ` ${counted(hand.size, 'card')}`)),
    el('div', { class: 'tiles' }, ...[...hand.cards, ...(hand.drawn ?? [])].map((/** @type {number} */ card) => handTile(facts, state, card, how, '', () => {
      const [value, occurs] = state.values[card] ?? [];
      if (how.open.has(`card:${card}`)) how.pick(`card:${card}`);
      else fill(byId('detail'), cardDetails(facts, card, { value, occurs, plain: isFamily(state) }));
    }))));
  fill(tablesPanel, tablePanel(facts, state));
  delete logPanel.dataset.shown;
  showLog(facts, logPanel, state.log, state.log.length, state.log.length);
}

/** Which side decides, and when. @param {any} state */
export function whose(state) {
  return el('p', { class: 'soft' }, mark(state.side), ` ${SIDES[state.side]} · ${state.when}`);
}
