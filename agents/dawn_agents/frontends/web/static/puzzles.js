/** Puzzles: one decision of a recorded game, in which one action is much better than the one taken. */
import { byId, el, fill, remembered, request, showProblem, SIDES } from './common.js';
import { cardInQuestion, choiceButtons } from './choices.js';
import { announce } from './events.js';
import { exercises, showExercise, whose } from './exercise.js';
import { decisionWords, optionWords, questionWords } from './words.js';

/** @type {any} */ let state = null;
/** @type {any} */ let verdict = null;
/** @type {string | null} */ let chosen = null;

const open = exercises('puzzles', (found) => {
  state = found;
  verdict = chosen = null;
  history.replaceState(null, '', `?n=${state.number}`);
  show();
  announce(`Puzzle ${state.number} of ${state.count}`, `${SIDES[state.side]}, ${state.when}`, byId('question').textContent);
});

function show() {
  const { number } = state;
  const choices = verdict ? new Set() : new Set(state.ask.legal);
  showExercise(state, { open: choices, chosen: verdict ? verdict.answer : chosen, best: verdict?.best, pick });
  const box = byId('prompt');
  box.dataset.state = verdict ? 'over' : 'asked';
  box.dataset.at = String(number);
  fill(box, el('h2', null, `Puzzle ${number} of ${state.count}`), whose(state), el('p', { id: 'question' }, el('b', null, questionWords(state.ask.question)), ' – find the best move.'),
    ...(verdict ? answer() : [choiceButtons(state, { open: choices, chosen, pick }), chosen
      ? el('p', { class: 'buttons' }, el('button', { type: 'button', class: 'strong', 'data-action': chosen, onclick: judge }, `Answer: ${optionWords(state.decision, chosen)}`)) : null]),
    el('p', { class: 'buttons minor' }, el('button', { type: 'button', 'data-puzzle': 'back', disabled: number === 1, onclick: () => open(number - 1) }, 'Back'),
      el('button', { type: 'button', 'data-puzzle': 'next', disabled: number === state.count, onclick: () => open(number + 1) }, 'Next puzzle')),
    el('div', { id: 'detail' }, cardInQuestion(state, chosen)));
}

/** @param {string} action */
function pick(action) {
  chosen = action;
  show();
  byId('prompt').querySelector('.strong').focus({ preventScroll: true });
}

async function judge() {
  const [asked, answer] = [state, chosen];
  byId('prompt').dataset.state = 'sent';
  const found = await request(`/api/puzzles/${asked.number}/verdict?action=${encodeURIComponent(answer ?? '')}`).catch((error) => showProblem('No answer', error.message));
  if (!found || asked !== state) return;
  verdict = { ...found, answer };
  show();
  byId('prompt').querySelector('[data-puzzle=next]').focus({ preventScroll: true });
  announce(byId('verdict').textContent);
}

function answer() {
  const lost = (/** @type {number} */ loss, /** @type {number} */ error) => `${(loss * 100).toFixed(1)} % ± ${(error * 200).toFixed(1)}`;
  const isGood = verdict.loss < Math.max(0.01, 2 * verdict.error);
  const words = verdict.answer === verdict.best ? 'The best move!' : isGood ? 'Just as good as the best move.' : `This loses ${lost(verdict.loss, verdict.error)} of the chance of winning.`;
  return [el('p', { id: 'verdict', class: isGood ? 'can' : 'cannot' }, el('b', null, words)),
    el('p', null, 'Best: ', el('b', null, decisionWords(state, verdict.best))),
    el('ol', { class: 'line' }, ...verdict.line.slice(1).map((/** @type {string} */ step) => el('li', null, step))),
    verdict.answer === verdict.taken ? el('p', { class: 'soft' }, 'This is what was played in the game.')
      : el('p', { class: 'soft' }, `In the game: ${decisionWords(state, verdict.taken)}, which lost ${lost(verdict.takenLoss, verdict.takenError)}.`)];
}

await open(Math.max(1, Number(new URLSearchParams(location.search).get('n') ?? remembered('puzzles', 1)) || 1));
