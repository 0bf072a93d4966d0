/** The lesson: a first game with scripted chance, step by step on the real board, then a game against a weak player. */
import { byId, el, fill, remembered, spaceOf } from './common.js';
import { cardInQuestion, choiceButtons } from './choices.js';
import { announce } from './events.js';
import { exercises, showExercise, whose } from './exercise.js';
import { playNew } from './newgame.js';

const open = exercises((number) => `/api/lesson/${number}`, show);

/** @param {any} state */
function show(state) {
  const { number } = state;
  localStorage.setItem('lesson', String(number));
  const onward = () => open(number + 1);
  const choices = new Set(state.action ? [state.action] : spaceOf(state.look) ? [state.look] : []);
  showExercise(state, { open: choices, pick: onward });
  const box = byId('prompt');
  box.dataset.state = 'asked';
  box.dataset.at = String(number);
  const isLast = number === state.count;
  fill(box, el('p', { class: 'progress' }, el('progress', { value: number, max: state.count, 'aria-label': 'Steps of the lesson' }), `${number} of ${state.count}`),
    whose(state), el('h2', { id: 'question' }, state.title), ...state.words.map((/** @type {string} */ words) => el('p', null, words)),
    state.action ? choiceButtons(state, { open: choices, pick: onward }) : null,
    el('p', { class: 'buttons' }, isLast ? el('button', { type: 'button', class: 'strong', 'data-start': 'play', onclick: begin }, 'Play your first game')
      : choices.size ? null : el('button', { type: 'button', class: 'strong', 'data-action': 'continue', onclick: onward }, 'Continue')),
    el('p', { class: 'buttons minor' }, el('button', { type: 'button', 'data-lesson': 'back', disabled: number === 1, onclick: () => open(number - 1) }, 'Back'),
      el('button', { type: 'button', 'data-lesson': 'again', disabled: number === 1, onclick: () => open(1) }, 'From the beginning'),
      isLast ? null : el('button', { type: 'button', 'data-lesson': 'skip', onclick: onward }, 'Skip')),
    el('div', { id: 'detail' }, cardInQuestion(state, state.action)));
  announce(state.title, ...state.words);
}

function begin() {
  localStorage.removeItem('lesson');
  playNew({ players: { democrat: 'human', communist: 'heuristic:level=1' } });
}

await open(remembered('lesson', 1));
