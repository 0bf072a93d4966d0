// @ts-check
/** A position in which something is to be done, outside a game: puzzles and the lesson. */
import { showMap, spaceDetails } from './board.js';
import { cardDetails, cardTile } from './cards.js';
import { byId, counted, el, fill, mark, narrow, SIDES } from './common.js';
import { showLog } from './events.js';
import { isFamily } from './family.js';
import { contestPanel, frameBoard, tablePanel } from './panels.js';
import { showTracks } from './tracks.js';
import { choiceWords, hintWords } from './words.js';

/** @type {HTMLElement} */ let logPanel;
/** @type {HTMLElement} */ let tablesPanel;

/**
 * The page around it. @param {import('./common.js').Facts} facts @param {() => any} state @param {() => void} draw anew
 */
export function preparePage(facts, state, draw) {
  ({ log: logPanel, tables: tablesPanel } = frameBoard(facts, state));
  narrow.addEventListener('change', draw);
  document.addEventListener('keydown', (event) => {
    if (/^[1-9]$/.test(event.key)) /** @type {HTMLElement | undefined} */ (document.querySelectorAll('.choice')[Number(event.key) - 1])?.click();
  });
}

/**
 * Draw a position.
 * @param {import('./common.js').Facts} facts @param {any} state
 * @param {{open: Set<string>, chosen: string | null, best?: string, pick: (action: string) => void}} how the actions that
 *   can be chosen, the one that was, the best one once it may be seen
 */
export function showExercise(facts, state, how) {
  const spaces = (/** @type {string} */ action) => (action.startsWith('space:') ? [action.slice(6)] : []);
  const look = (/** @type {string | null} */ name) => { if (name && byId('detail')) fill(byId('detail'), spaceDetails(facts, state, name)); };
  const hand = state.hands[state.side];
  showTracks(byId('tracks'), facts, state);
  showMap(byId('board'), state, {
    legal: new Set([...how.open].flatMap(spaces)), costs: state.ask.costs, chosen: spaces(how.chosen ?? '')[0],
    hinted: new Set(spaces(how.best ?? '')), pick: (name) => how.pick(`space:${name}`), look,
  });
  fill(byId('fight'), contestPanel(facts, state, { legal: how.open, side: state.side, act: how.pick, odds: state.ask.odds }));
  fill(byId('hand'), el('h2', null, mark(state.side), ' Your hand', el('span', { class: 'soft' }, ` ${counted(hand.size, 'card')}`)),
    el('div', { class: 'tiles' }, ...[...hand.cards, ...(hand.drawn ?? [])].map((/** @type {number} */ card) => {
      const [value, occurs] = state.values[card] ?? [];
      const action = `card:${card}`;
      return cardTile(facts, card, { value, occurs, plain: isFamily(state), legal: how.open.has(action), chosen: how.chosen === action,
        hinted: how.best === action, onclick: () => (how.open.has(action) ? how.pick(action) : fill(byId('detail'), cardDetails(facts, card, { value, occurs, plain: isFamily(state) }))) });
    })));
  fill(tablesPanel, tablePanel(facts, state));
  delete logPanel.dataset.shown;
  showLog(facts, logPanel, state.log, state.log.length, state.log.length);
}

/** Buttons for actions that are neither spaces nor cards in hand. @param {import('./common.js').Facts} facts @param {any} state @param {Set<string>} open @param {(action: string) => void} pick @param {string | null} chosen */
export function choiceButtons(facts, state, open, pick, chosen) {
  const held = new Set(state.hands[state.side].cards.map((/** @type {number} */ card) => `card:${card}`));
  const texts = state.ask.legal.filter((/** @type {string} */ text) => !text.startsWith('space:') && !held.has(text));
  return el('div', { class: 'choices' }, ...texts.map((/** @type {string} */ text) => {
    const hint = hintWords(facts, state, text);
    return el('button', { type: 'button', class: 'choice', 'data-action': open.has(text) ? text : null, disabled: !open.has(text), 'aria-pressed': String(chosen === text), onclick: () => pick(text) },
      el('b', null, choiceWords(facts, text, hint)));
  }));
}

/** Which side decides, and when. @param {any} state */
export function whose(state) {
  return el('p', { class: 'soft' }, mark(state.side), ` ${SIDES[state.side]} · ${state.when}`);
}
