/** Decisions to be found, one after another: the question, the answer, and what every choice would have lost. */
import { byId, el, fill, request, showProblem, table } from './common.js';
import { withCards } from './cards.js';
import { cardInQuestion, choiceButtons } from './choices.js';
import { announce } from './events.js';
import { exercises, showExercise, whose } from './exercise.js';
import { decisionWords, optionWords, questionWords } from './words.js';

const SHOWN = 8; // choices with their losses

/**
 * Make a page of decisions to be found.
 * @param {{address: (number: number) => string, count: () => number, title: (number: number) => string, opened: (number: number) => void,
 *   found?: (number: number) => void, choose: (number: number) => Node, next: string}} about
 *   where the server tells a decision, how many there are, what a decision is called, what is done when one is opened and when it was
 *   found, what else one can go to, and the words for the next one
 * @returns {(number: number) => Promise<void>} opens a decision
 */
export function quiz(about) {
  /** @type {any} */ let state = null;
  /** @type {any} */ let verdict = null;
  /** @type {string | null} */ let chosen = null;
  const open = exercises(about.address, (found) => {
    state = found;
    verdict = chosen = null;
    about.opened(state.number);
    show();
    announce(about.title(state.number), whose(state).textContent ?? '', byId('question').textContent);
  });

  function show() {
    const { number } = state;
    const choices = verdict ? new Set() : new Set(state.ask.legal);
    showExercise(state, { open: choices, chosen: verdict ? verdict.action : chosen, best: verdict?.best, pick });
    const box = byId('prompt');
    box.dataset.state = verdict ? 'over' : 'asked';
    box.dataset.at = String(number);
    const isLast = number === about.count();
    fill(box, el('h2', null, about.title(number)), whose(state), el('p', { id: 'question' }, el('b', null, ...withCards(questionWords(state.ask.question), true)), ' – find the best move.'),
      ...(verdict ? answer() : [choiceButtons(state, { open: choices, chosen, pick }), chosen
        ? el('p', { class: 'buttons' }, el('button', { type: 'button', class: 'strong', 'data-action': chosen, onclick: judge }, `Answer: ${optionWords(state.decision, chosen)}`)) : null]),
      el('p', { class: 'buttons onward' }, el('button', { type: 'button', 'data-puzzle': 'back', disabled: number === 1, onclick: () => open(number - 1) }, 'Back'),
        el('button', { type: 'button', class: verdict && !isLast ? 'strong' : null, 'data-puzzle': 'next', disabled: isLast, onclick: () => open(number + 1) }, about.next)),
      about.choose(number), el('div', { id: 'detail' }, cardInQuestion(state, chosen)));
  }

  /** @param {string} action */
  function pick(action) {
    chosen = action;
    show();
    byId('prompt').querySelector('.strong').focus({ preventScroll: true });
  }

  async function judge() {
    const [asked, action] = [state, chosen];
    byId('prompt').dataset.state = 'sent';
    const found = await request(`${about.address(asked.number)}/verdict?action=${encodeURIComponent(action ?? '')}`).catch((error) => showProblem('No answer', error.message));
    if (!found || asked !== state) return;
    verdict = found;
    if (isGood(verdict)) about.found?.(asked.number);
    show();
    byId('prompt').scrollTop = 0;
    byId('prompt').querySelector('[data-puzzle=next]').focus({ preventScroll: true });
    announce(byId('verdict').textContent, byId('why').textContent);
  }

  function answer() {
    const isBest = verdict.action === verdict.best;
    const words = isBest ? 'The best move!' : isGood(verdict) ? 'Just as good as the best move.' : `This loses ${lossWords(verdict)} of the chance of winning.`;
    return [el('p', { id: 'verdict', class: isGood(verdict) ? 'can' : 'cannot' }, el('b', null, words)),
      isBest ? null : el('p', null, 'Best: ', el('b', null, decisionWords(state, verdict.best))),
      el('p', { id: 'why' }, `Compared with ${verdict.against === verdict.action ? 'your choice' : `“${optionWords(state.decision, verdict.against)}”`}, ${verdict.why}`),
      losses(), el('details', null, el('summary', null, 'How it goes on'), el('ol', { class: 'line' }, ...verdict.line.slice(1).map((/** @type {string} */ step) => el('li', null, step))))];
  }

  /** What the choices lose, the best ones and those that were chosen. */
  function losses() {
    const told = verdict.choices.filter((/** @type {any} */ row, /** @type {number} */ at) => at < SHOWN || [verdict.action, verdict.taken].includes(row.action));
    const name = (/** @type {any} */ row) => el('span', null, el('b', null, optionWords(state.decision, row.action)),
      el('span', { class: 'soft' }, ` ${[row.action === verdict.action && 'your choice', row.action === verdict.taken && 'in the game'].filter(Boolean).join(', ')}`));
    const left = verdict.choices.length - told.length;
    return el('div', { class: 'losing' }, table([['Choice', 'loses'], ...told.map((/** @type {any} */ row) => [name(row), row.action === verdict.best ? 'best' : isGood(row) ? 'as good' : lossWords(row)])]),
      left ? el('p', { class: 'soft' }, `${left} more lose more.`) : null);
  }

  return open;
}

/** Whether a choice loses nothing that is certain. @param {{loss: number, error: number}} row */
function isGood(row) {
  return row.loss < Math.max(0.01, 2 * row.error);
}

/** @param {{loss: number, error: number}} row */
function lossWords({ loss, error }) {
  return `${(loss * 100).toFixed(1)} % ± ${(error * 200).toFixed(1)}`;
}
