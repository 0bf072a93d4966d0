/** A seat at a game: what the side sees and is asked, and what it does. */
import { spaceDetails } from './board.js';
import { isBidding } from './bid.js';
import { cardTitle, roundsLeft, withCards } from './cards.js';
import { hangCurtain, partner } from './curtain.js';
import { asksForCard, cardInQuestion, choiceButtons, ownHand } from './choices.js';
import {
  byId, copyText, counted, dialog, el, fill, invitation, mark, menuButton, ownSeats, rememberSeat, rememberTogether, request, SIDE_KEYS, sideClass, SIDES, spaceOf, toast,
} from './common.js';
import { announce, announcePart, paceChoice, pointsTable, Presenter, showLog } from './events.js';
import { keyList, listenToKeys } from './keys.js';
import { follow } from './live.js';
import { bringUp } from './overview.js';
import { facts, spaceNumber } from './facts.js';
import { frameBoard, showPosition } from './panels.js';
import { actionName, optionWords, outcomeWords, partWords, percent, playerName, questionWords } from './words.js';

/** @type {any} */ let state = null; // as it is shown
/** @type {any} */ let coming = null; // as the server has told last
/** @type {any[]} */ let log = [];
let shownTo = 0; // events of the log up to the state that is shown
/** @type {string | null} */ let chosen = null; // an action that waits for a second word: a card, a support check
/** @type {any} */ let advice = null;
let undone = ''; // words for what the opponent has taken back
/** @type {any} */ let sent = null; // a choice that is not answered yet
const NOTHING_PENDING = { ask: null, over: null, actor: -1, decision: '', source: 0 };

frameBoard(() => state, [menuButton('Keys', keysHelp, 'Keys, and which events are presented'),
  menuButton('Share', share, 'Copy links for others')]);

const presenter = new Presenter(goOn);

// --- the line to the server ---------------------------------------------------------------------------

const send = follow(location.pathname, {
  state(message, news, from, words, isFirst) {
    [coming, log, undone] = [message, news, words];
    const isLost = isFirst && sent?.at === message.at && message.ask?.legal.includes(sent.action); // with the line it was sent by
    sent = isLost && send(sent) ? sent : null;
    presenter.add(log, from, message.side);
    shownTo = state ? Math.min(shownTo, from) : from - 1;
    goOn();
  },
  other(message) {
    if (message.type === 'hint') {
      advice = message;
      if (!presenter.card) show();
      announcePart('.advice');
    } else if (message.type === 'progress') {
      const bar = byId('share');
      if (bar) Object.assign(bar, { hidden: false, value: message.share });
    }
  },
  refused() {
    sent = null;
    if (!advice?.rows.length) advice = null;
    goOn();
  },
}, Number(sessionStorage.getItem(location.pathname) ?? (partner() ? 0 : Infinity)));

/** Present what is still to be presented, then show the position. */
function goOn() {
  if (!coming || hangCurtain(coming, false, goOn)) return;
  document.title = coming.over ? headline(coming) : coming.ask ? `● ${headline(coming)}` : '1989: Dawn of Freedom';
  sessionStorage.setItem(location.pathname, String(presenter.card?.begin ?? log.length)); // a page that is loaded anew goes on here
  if (presenter.card) {
    showCard();
    return;
  }
  const former = state;
  state = coming;
  if (former !== state) chosen = advice = null;
  for (const part of ['hand', 'fight']) byId(part).inert = false;
  show();
  if (!state.ask) hangCurtain(state, true, goOn);
  if (former === state) return;
  announce(...presenter.unsaid(), undone, headline(state), warning());
  showLog(log, log.length, shownTo);
  shownTo = log.length;
  bringUp();
}

/** A card of events instead of the question, and the position at that moment. */
function showCard() {
  const card = /** @type {import('./events.js').Card} */ (presenter.card);
  const now = positionAfter(card.end);
  const spaces = card.events.filter((event) => event.event === 'support' || event.event === 'check');
  const countries = card.events.filter((event) => event.event === 'score' || event.event === 'power').map((event) => event.country);
  showPosition({ ...now, changes: { spaces, countries } });
  showHand(now);
  for (const part of ['hand', 'fight']) byId(part).inert = true;
  showLog(log, card.end, shownTo);
  const box = byId('prompt');
  Object.assign(box.dataset, { state: 'presenting', at: coming.at });
  box.className = '';
  fill(box, ...presenter.show());
  announce(...presenter.unsaid());
}

/** The position after the first events of the log, without anything pending: the server says how to step back from the latest one. @param {number} count */
function positionAfter(count) {
  const first = log.length - coming.moments.length;
  if (count <= first) return { ...(state ?? coming), ...NOTHING_PENDING };
  const moments = coming.moments.slice(count - 1 - first);
  return { ...moments.reduceRight((/** @type {any} */ now, /** @type {any} */ change) => revert(now, change), coming), ...NOTHING_PENDING };
}

/** A value before a change: `[value]`, `[]` where there was none, or changes inside it. @param {any} now @param {any} change */
function revert(now, change) {
  if (Array.isArray(change)) return change[0];
  const then = Array.isArray(now) ? [...now] : { ...now };
  for (const [key, inside] of Object.entries(change)) {
    then[key] = revert(then[key], inside);
    if (then[key] === undefined) delete then[key];
  }
  return then;
}

/** @param {string} action */
function act(action) {
  if (sent || presenter.card || presenter.hasJustMoved) return;
  const wish = { type: 'act', at: state.at, action };
  if (!send(wish)) return;
  sent = wish;
  presenter.result = null;
  byId('prompt').dataset.state = 'sent';
  setTimeout(() => { // the answer may have to wait for the other side
    if (!sent) return;
    show();
    hangCurtain(state, true, goOn);
    announcePart('#prompt h2');
    announcePart('#prompt .progress');
  }, 500);
}

// --- what is shown --------------------------------------------------------------------------------------

/** @returns {Set<string>} */
function legal() {
  return new Set(sent || presenter.card ? [] : state.ask?.legal);
}

function show() {
  const details = (/** @type {string} */ name) => (chosen ? null : state.ask?.checks[name] ? checkDetails(name) : spaceDetails(state, name));
  showPosition(state, { open: legal(), chosen, best: advice?.rows[0]?.action, odds: spaceOdds(), pick, details });
  showHand(state);
  showPrompt();
  rememberSeat(location.pathname, { title: `${isBidding(state) ? 'Bid' : SIDES[state.side]} against ${playerName(state.players[1 - state.side])}, turn ${state.turn}${state.over ? ', over' : ''}` });
}

/** The result, or the question, or what the opponent does, who has no side while there is a bid. @param {any} of a state */
function headline(of) {
  if (of.over) return outcomeWords(of.over, of.vp, of.side);
  if (of.ask) return questionWords(of.ask.question);
  return isBidding(of) ? 'Your opponent makes an offer' : `The ${SIDES[1 - of.side]} ${of.players[1 - of.side] === 'human' ? 'is to move' : 'thinks'}`;
}

/** The chance of a support check or a take-over in each space that can be chosen. */
function spaceOdds() {
  const fights = Object.entries(state.ask?.effects ?? {}).filter(([action]) => spaceOf(action));
  return Object.fromEntries(fights.length ? fights.map(([action, effect]) => [spaceOf(action), `${effect.percent} %`]) : Object.keys(state.ask?.checks ?? {}).map((name) => [name, percent(checked(name).moved.filter(Boolean).length)]));
}

/** Sum, need and results of a support check. @param {string} name */
function checked(name) {
  const { parts, vp } = state.ask.checks[name];
  const total = parts.reduce((/** @type {number} */ sum, /** @type {[number, number]} */ part) => sum + part[1], 0);
  const needed = 2 * facts.spaces[spaceNumber(name)].stability;
  return { parts, vp, total, needed, moved: [1, 2, 3, 4, 5, 6].map((die) => Math.max(0, die + total - needed)) };
}

/** Scoring cards in hand must be played in this turn. */
function warning() {
  const left = roundsLeft(state);
  if (!left) return '';
  const cards = state.hands[state.side].cards.filter((/** @type {number} */ card) => (facts.cards[card]?.scores ?? -1) >= 0);
  return cards.length < left || !cards.length ? '' : `Last chance: play ${cards.map((/** @type {number} */ card) => cardTitle(card)).join(' and ')} in this turn, or you lose the game`;
}

/** Put an action forward that waits for a second word. @param {string} action */
function choose(action) {
  if (presenter.card) return;
  chosen = action;
  show();
  byId('prompt').querySelector('.strong')?.focus();
  announcePart('#detail');
}

/** Take an action, but ask again before support checks. @param {string} action */
function pick(action) {
  if (state.ask.checks[spaceOf(action)]) choose(action);
  else act(action);
}

/** @param {any} of a state */
function showHand(of) {
  if (isBidding(of)) {
    fill(byId('hand'));
    return;
  }
  fill(byId('hand'), ...ownHand(of, { open: legal(), chosen, pick: act }, (card) => choose(`card:${card}`)));
}

// --- the question and the answers -------------------------------------------------------------------------

function showPrompt() {
  const box = byId('prompt');
  box.dataset.state = state.over ? 'over' : sent ? 'sent' : state.ask ? 'asked' : 'waiting';
  box.dataset.at = state.at;
  box.className = state.ask && !sent ? `${isBidding(state) ? 'n' : sideClass(state.side)}e` : '';
  if (state.over) fill(box, ...ending());
  else if (sent) fill(box, ...sentOff());
  else if (state.ask) fill(box, ...asking());
  else fill(box, ...waiting());
}

function ending() {
  return [
    el('h2', null, headline(state)),
    el('p', { class: 'buttons' }, el('a', { class: 'button strong', href: `/replay/${state.watch}` }, 'Replay and analysis'),
      el('a', { class: 'button', 'data-study': 'again', href: `/mistakes/${state.watch}?side=${SIDE_KEYS[state.side]}` }, 'Try again at my mistakes'),
      el('button', { type: 'button', 'data-wish': 'rematch', onclick: rematch }, 'Rematch, sides exchanged'), el('a', { class: 'button', href: '/' }, 'New game')),
    state.rematch && !partner() ? el('p', null, el('b', null, 'Your opponent waits for you in a rematch.')) : null,
    pointsTable(log),
  ];
}

/** Go to the seat of the other side in another game; with it comes the seat of the opponent, where that is known. */
async function rematch() {
  const other = ownSeats().find((seat) => seat.path === location.pathname)?.opponent;
  const path = async (/** @type {string} */ seat) => (await request(`/api${seat}/rematch`, {})).seat;
  try {
    const own = await path(location.pathname);
    const theirs = other && await path(other);
    if (partner()) rememberTogether(own, theirs);
    else if (other) rememberSeat(own, { opponent: theirs });
    location.href = own;
  } catch (error) {
    toast(/** @type {Error} */ (error).message);
  }
}

function sentOff() {
  return [el('h2', null, 'Your choice is made'),
    el('p', { class: 'progress' }, el('span', { class: 'spinner', 'aria-hidden': 'true' }), 'The game goes on as soon as the other side has nothing to answer.'),
    el('p', { class: 'buttons' }, resignButton())];
}

function waiting() {
  const hurry = state.players[1 - state.side] === 'human' ? null : el('button', { type: 'button', 'data-wish': 'hurry', onclick: () => send({ type: 'hurry' }) }, 'Move now');
  return [
    presenter.shownResult(),
    undone ? el('p', null, `${undone}.`) : null,
    el('h2', null, isBidding(state) ? null : mark(1 - state.side), ` ${headline(state)}`),
    el('p', { class: 'progress' }, el('span', { class: 'spinner', 'aria-hidden': 'true' }), el('progress', { id: 'share', hidden: true, 'aria-label': 'How far the opponent has come' })),
    el('p', { class: 'buttons' }, hurry, resignButton()), el('div', { id: 'detail' }),
  ];
}

function asking() {
  const about = el('div', { id: 'detail' }, detail());
  return [
    presenter.shownResult(),
    el('h2', { id: 'question' }, isBidding(state) ? null : mark(state.side), ' ', ...withCards(headline(state), true)),
    warning() ? el('p', { class: 'warning' }, `${warning()}.`) : null,
    confirmation(), chosen ? about : null, ...choices(), ...advised(),
    el('p', { class: 'buttons minor' },
      el('button', { type: 'button', 'data-wish': 'undo', 'data-legal': state.undo, disabled: !state.undo, onclick: () => send({ type: 'undo', at: state.at }), title: 'Key u' }, state.practice ? 'Take back' : 'Undo'), practiceButton(),
      state.players[1 - state.side] === 'human' || isBidding(state) ? null : el('button', { type: 'button', 'data-wish': 'hint', onclick: askHint, title: 'Key h' }, 'Hint'), resignButton()),
    chosen ? null : about,
  ];
}

/** A button that makes a game against a program a practice game. */
function practiceButton() {
  if (state.practice) return el('span', { class: 'soft' }, 'Practice game');
  if (state.players[1 - state.side] === 'human' || isBidding(state)) return null;
  return el('button', { type: 'button', 'data-wish': 'practice', onclick: () => {
    const box = dialog('Practice', el('p', null, 'You may take back every decision from now on, dice and hidden cards too. The record of the game will say so.'),
      el('p', { class: 'buttons' }, el('button', { type: 'button', class: 'strong', 'data-wish': 'practice-now', onclick: () => {
        box.close();
        send({ type: 'practice' });
      } }, 'Practise'), el('button', { type: 'button', onclick: () => box.close() }, 'No')));
  } }, 'Practice');
}

function resignButton() {
  return isBidding(state) ? null : el('button', { type: 'button', 'data-wish': 'resign', onclick: () => {
    const box = dialog('Resign', el('p', null, 'The game ends, and the opponent wins.'),
      el('p', { class: 'buttons' }, el('button', { type: 'button', class: 'strong', 'data-wish': 'resign-now', onclick: () => {
        box.close();
        send({ type: 'resign' });
      } }, 'Resign'), el('button', { type: 'button', onclick: () => box.close() }, 'Play on')));
  } }, 'Resign');
}

function askHint() {
  if (!send({ type: 'hint', at: state.at })) return;
  advice = { rows: [] };
  show();
  announcePart('.advice');
}

/** What is to be chosen where, and buttons for the rest. */
function choices() {
  const spaces = state.ask.legal.filter(spaceOf).length;
  return [spaces ? el('p', { class: 'soft' }, `Choose on the board: ${counted(spaces, 'space')}.`) : null,
    asksForCard(state) && !chosen ? el('p', { class: 'soft' }, 'Choose a card from your hand.') : null,
    choiceButtons(state, { open: legal(), chosen, pick: (action) => (action.startsWith('card:') ? choose(action) : act(action)) })];
}

/** The button of what was chosen and waits for it. */
function confirmation() {
  if (!chosen || !legal().has(chosen)) return null;
  const action = chosen;
  const words = spaceOf(chosen) ? `Roll the die in ${spaceOf(chosen)}` : `${state.decision === 'card' ? 'Play' : 'Choose'} ${actionName(chosen)}`;
  return el('p', { class: 'buttons' }, el('button', { type: 'button', class: 'strong', 'data-action': action, 'data-legal': true, onclick: () => act(action) }, words));
}

/** More about what was chosen. */
function detail() {
  if (spaceOf(chosen)) return checkDetails(spaceOf(chosen));
  return cardInQuestion(state, chosen)
    ?? el('p', { class: 'soft' }, state.decision === 'check' ? 'Choose a space to see the sum and the odds before you roll.' : '');
}

/** A support check one by one, with the odds of each result. @param {string} name */
function checkDetails(name) {
  const check = checked(name);
  const odds = new Map();
  for (const moved of check.moved) odds.set(moved, (odds.get(moved) ?? 0) + 1);
  return el('div', { class: 'check' }, el('h3', null, `Support check in ${name}`),
    el('dl', { class: 'sum' }, el('dt', null, 'die'), el('dd', null, '1 … 6'),
      ...check.parts.flatMap((/** @type {[number, number]} */ [at, number]) => [el('dt', null, partWords(at)), el('dd', null, `${number < 0 ? '−' : '+'} ${Math.abs(number)}`)]),
      el('dt', { class: 'total' }, 'added to the die'), el('dd', { class: 'total' }, check.total),
      el('dt', null, 'must exceed twice the stability'), el('dd', null, check.needed)),
    el('table', { class: 'odds' }, el('thead', null, el('tr', null, ...check.moved.map((/** @type {number} */ _, /** @type {number} */ i) => el('th', { scope: 'col' }, `die ${i + 1}`)))),
      el('tbody', null, el('tr', null, ...check.moved.map((/** @type {number} */ moved) => el('td', { class: moved ? 'hit' : 'miss' }, moved ? `${moved} SP` : '–'))))),
    el('p', null, [...odds].sort((a, b) => b[0] - a[0]).map(([moved, count]) => `${moved ? counted(moved, 'support point') : 'nothing'}: ${percent(count)}`).join(' · ')),
    check.vp ? el('p', null, `The check itself gives the ${check.vp > 0 ? 'Democrat' : 'Communist'} ${Math.abs(check.vp)} VP.`) : null);
}

function advised() {
  if (!advice) return [];
  return [el('div', { class: 'advice' }, el('h3', null, 'Hint'),
    el('ol', null, ...advice.rows.map((/** @type {any} */ row) => el('li', null, el('b', null, optionWords(state.decision, row.action)),
      ` ${(row.chance * 100).toFixed(1)} % ± ${(row.error * 200).toFixed(1)}`))),
    el('p', { class: 'soft' }, advice.rows.length ? 'Chances of winning by simulations with the hidden cards dealt anew.' : 'Simulating your options …'))];
}

// --- keys and the rest of the page ------------------------------------------------------------------------

/** @param {string} pressed @returns {boolean} */
function key(pressed) {
  const click = (/** @type {string} */ wish, /** @type {string} */ otherwise) => {
    const button = byId('prompt').querySelector(`[data-wish=${wish}]:enabled`);
    if (button) button.click();
    else announce(otherwise);
  };
  if (pressed === 'u') click('undo', 'Nothing can be undone');
  else if (pressed === 'h') click('hint', 'There is no hint now');
  else if (pressed === ' ' && presenter.card) presenter.next();
  else if (pressed === 'Escape' && presenter.card) presenter.skip();
  else if (pressed === 'p') announce(presenter.turnTimer());
  else if (pressed === 'Escape' && chosen) { chosen = null; show(); }
  else return false;
  return true;
}

function keysHelp() {
  dialog('Keys and pace', el('p', null, paceChoice(presenter)), keyList([['u', 'undo'], ['h', 'hint'], ['Space', 'go on to the next event'], ['p', 'events go on by themselves, or wait'],
    ['Esc', 'skip the events; put a card or a check back']]));
}

/** Copy a link that others may have: that of the opponent's seat only where the game was made in this browser. */
async function share() {
  const { address } = await request('/api/start');
  const copy = async (/** @type {string} */ path, /** @type {string} */ name) => {
    const { link, note } = invitation(path, address);
    await copyText(link, name);
    if (note) toast(`${name} copied. ${note}`);
  };
  const spectators = () => copy(`/watch/${coming.watch}`, 'Link for spectators');
  const other = ownSeats().find((seat) => seat.path === location.pathname)?.opponent;
  if (!other) {
    await spectators();
    return;
  }
  dialog('Share', el('p', null, 'Whoever has the link of your opponent plays; spectators see what is open to all.'),
    el('p', { class: 'buttons' }, el('button', { type: 'button', 'data-share': 'opponent', onclick: () => copy(other, 'Link for your opponent') }, 'Copy the link for your opponent'),
      el('button', { type: 'button', 'data-share': 'spectators', onclick: spectators }, 'Copy the link for spectators')));
}

listenToKeys(key);
fill(byId('prompt'), el('p', null, 'Connecting …'));
