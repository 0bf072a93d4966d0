/** A game as those see it who take no part: what is open to all. */
import { actorName, isBidding } from './bid.js';
import { byId, counted, el, fill, mark, SIDES } from './common.js';
import { keepFocus } from './keys.js';
import { follow } from './live.js';
import { announce, cardsOf, cardWords, eventCard, showLog } from './events.js';
import { frameBoard, openHand, showAids, showPosition } from './panels.js';
import { outcomeWords, playerName } from './words.js';

/** @type {any} */ let seen = null;
frameBoard(() => seen);

/** @param {any} state @param {import('./events.js').Card[]} latest @param {string} undone */
function show(state, latest, undone) {
  seen = state;
  showPosition(state);
  byId('hand').className = state.over ? 'two' : '';
  fill(byId('hand'), ...(isBidding(state) ? [] : state.over ? [0, 1].map((side) => openHand(state, side, playerName(state.players[side]))) : [el('p', { class: 'panel' }, ...[0, 1].flatMap((side) => [mark(side),
    ` ${SIDES[side]} (${playerName(state.players[side])}) holds ${counted(state.hands[side].size, 'card')}${side ? '.' : ' · '}`]))]));
  showPrompt(state, latest, undone);
}

/** @param {any} state @param {import('./events.js').Card[]} latest @param {string} undone */
function showPrompt(state, latest, undone) {
  const words = state.over ? outcomeWords(state.over, state.vp) : `The ${isBidding(state) ? actorName(state).toLowerCase() : actorName(state)} is to decide`;
  const box = byId('prompt');
  box.dataset.state = state.over ? 'over' : 'waiting';
  fill(box, el('h2', null, isBidding(state) || state.over ? null : mark(state.actor), ` ${words}`),
    el('p', { class: 'soft' }, state.over ? 'The game is over: both hands are open.' : 'You see only public information; when the game is over, both hands can be looked at.'),
    state.over ? el('p', { class: 'buttons' }, el('a', { class: 'button strong', href: `/replay/${state.watch}` }, 'Replay and analysis')) : null,
    undone ? el('p', null, `${undone}.`) : null, ...latest.map((card) => eventCard(card)), el('div', { id: 'detail' }));
  announce(...latest.flatMap(cardWords), undone, words);
  document.title = words;
}

keepFocus();
document.addEventListener('keydown', (event) => { if (event.key === '?') showAids(); });
fill(byId('prompt'), el('p', null, 'Connecting …'));
follow(location.pathname, {
  state(message, log, from, undone) {
    show(message, cardsOf(log, from), undone);
    showLog(log, log.length, from);
  },
});
