/** The lesson: a first game with scripted chance, step by step on the real board, then a game against a weak player. */
import { byId, el, fill, remembered, spaceOf } from './common.js';
import { cardInQuestion, choiceButtons } from './choices.js';
import { announce } from './events.js';
import { exercises, showExercise, whose } from './exercise.js';
import { playNew } from './newgame.js';
import { bringUp } from './overview.js';
import { optionWords } from './words.js';

/** @type {any} */ let step = null;
const open = exercises((number) => `/api/lesson/${number}`, show, bring);

/** What the step asks for, empty where it asks for nothing. */
function wanted() {
  return step.action ?? (spaceOf(step.look) ? step.look : '');
}

/** @param {any} state */
function show(state) {
  step = state;
  const { number } = state;
  localStorage.setItem('lesson', String(number));
  history.replaceState(null, '', `?n=${number}`);
  const onward = () => open(number + 1);
  const choices = new Set(wanted() ? [wanted()] : []);
  showExercise(state, { open: choices, pick: onward });
  const box = byId('prompt');
  box.dataset.state = 'asked';
  box.dataset.at = String(number);
  const isLast = number === state.count;
  fill(box, el('p', { class: 'progress' }, el('progress', { value: number, max: state.count, 'aria-label': 'Steps of the lesson' }), `${number} of ${state.count}`),
    whose(state), el('h2', { id: 'question' }, state.title), ...state.words.map((/** @type {string} */ words) => el('p', null, words)),
    el('p', { id: 'miss', class: 'cannot', role: 'status' }),
    state.action ? choiceButtons(state, { open: choices, pick: (action) => (action === wanted() ? onward() : miss(action)) }) : null,
    el('p', { class: 'buttons' }, isLast ? el('button', { type: 'button', class: 'strong', 'data-start': 'play', onclick: begin }, 'Play your first game')
      : choices.size ? null : el('button', { type: 'button', class: 'strong', 'data-action': 'continue', onclick: onward }, 'Continue')),
    el('p', { class: 'buttons minor' }, el('button', { type: 'button', 'data-lesson': 'back', disabled: number === 1, onclick: () => open(number - 1) }, 'Back'),
      el('button', { type: 'button', 'data-lesson': 'again', disabled: number === 1, onclick: () => open(1) }, 'From the beginning'),
      isLast ? null : el('button', { type: 'button', 'data-lesson': 'skip', onclick: onward }, 'Skip')),
    el('div', { id: 'detail' }, cardInQuestion(state, state.action)));
  for (const button of box.querySelectorAll('.choice:disabled')) { // it answers, too
    button.disabled = false;
    button.classList.add('aside');
  }
  announce(state.title, ...state.words);
}

/** Scroll to what the step asks for. */
function bring() {
  bringUp();
  const target = document.querySelector('#board [data-legal], #hand .card.legal, #fight .legal, #prompt [data-legal], #prompt .strong');
  target?.scrollIntoView({ block: 'nearest', inline: 'center' });
}

/** Answer the choice of something else. @param {string} action */
function miss(action) {
  if (!wanted()) return;
  fill(byId('miss'), `That is ${optionWords(step.decision, action)}. This step asks for ${optionWords(step.decision, wanted())}.`);
  bring();
  byId('miss').scrollIntoView({ block: 'nearest' });
}

document.addEventListener('click', (event) => {
  const part = /** @type {HTMLElement | null} */ (/** @type {Element} */ (event.target).closest('#board [data-space], #hand [data-card]'));
  if (!part) return;
  const action = part.dataset.space ? `space:${part.dataset.space}` : `card:${part.dataset.card}`;
  if (action !== wanted()) miss(action);
});

function begin() {
  localStorage.removeItem('lesson');
  playNew({ players: { democrat: 'human', communist: 'heuristic:level=1' } });
}

await open(Number(new URLSearchParams(location.search).get('n')) || remembered('lesson', 1));
