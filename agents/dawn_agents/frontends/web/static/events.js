/** What happened: events as cards, the queue that presents them one by one, and the log. */
import { cardDetails, duel, withCards } from './cards.js';
import { byId, el, faceName, fill, mark, PLAYERS, remembered, roomy, select, sideClass, SIDES, SIDE_KEYS, spaceOf, table } from './common.js';
import { facts } from './facts.js';
import { eventWords, say } from './words.js';

/** @typedef {{kind: string, who: number, events: any[], begin: number, end: number, scored?: any[]}} Card
 * `begin`, `end`: from where to where in the log; `scored`: events of what was scored together, where the card has the sum */

const ROLLS = ['check', 'initiative', 'tiananmen', 'strike', 'event-roll', 'points-roll', 'contest-round', 'attack-dice', 'equal-offers', 'take-over'];
const OPENING = ['aftermath', 'final-scoring', 'score', 'final-power', 'struggle', 'turn-end', 'end', 'sides', 'offer'];
const PACES = { all: 'every event', opponent: "the opponent's", none: 'nothing' };
/** @type {[string, string][]} */ const TIMES = [['0', 'on Continue'], ...['0.5', '1', '1.5', '2', '3', '4'].map((time) => /** @type {[string, string]} */ ([time, `after ${time} s`]))];

/** The side of an event that a side decided. @param {any} event */
const sideOf = (event) => SIDE_KEYS.indexOf(event.who ?? '');

/** The side, or in a bid the player, whose event it is. @param {any} event */
const seatOf = (event) => Math.max(sideOf(event), PLAYERS.indexOf(event.who ?? ''));

/** Whether an event goes on with the card before it. @param {Card | undefined} card @param {any} event */
function goesOn(card, event) {
  if (!card) return false;
  const rolled = card.events.some((one) => ROLLS.includes(one.event));
  if (event.event === 'decision') {
    if (['defend', 'suit'].includes(event.decision)) return card.kind === 'attack' && !rolled;
    return !rolled && card.who === seatOf(event) && card.kind !== 'attack' && !['card', 'check', 'attack'].includes(event.decision);
  }
  if (event.event === 'occurs') return card.events.every((one) => one.event === 'decision' && ['card', 'use'].includes(one.decision));
  return !OPENING.includes(event.event) || (event.event === 'struggle' && event.country === null);
}

/** Events in order as cards. @param {any[]} log @param {number} from events that are shown already @returns {Card[]} */
export function cardsOf(log, from) {
  /** @type {Card[]} */ const cards = [];
  let begins = false; // a round, and with it a card
  for (let at = from; at < log.length; at++) {
    const event = log[at];
    const last = cards[cards.length - 1];
    if (event.event === 'round') {
      if (last) last.end = at + 1;
      begins = true;
    } else if (!begins && goesOn(last, event)) {
      last.events.push(event);
      last.end = at + 1;
    } else {
      const kind = event.event === 'decision' ? event.decision : event.event;
      cards.push({ kind, who: seatOf(event), events: [event], begin: at, end: at + 1 });
      begins = false;
    }
    if (event.in_all) cards[cards.length - 1].scored = scoredBefore(log, at);
  }
  return cards;
}

/** Events of what was scored together, up to their sum at `end`. @param {any[]} log @param {number} end */
function scoredBefore(log, end) {
  let begin = end;
  while (['score', 'final-power'].includes(log[begin - 1]?.event)) begin--;
  return log.slice(begin, end);
}

/** @param {Card} card */
export function cardWords(card) {
  return card.events.map((event) => eventWords(event));
}

/** Faces of the dice of an event. @param {any} event @returns {number[]} */
function diceOf(event) {
  return event.die ? [event.die] : event.dice ?? (event.event === 'attack-dice' ? [event.attack, event.defence] : []);
}

/** @param {number} face */
function die(face) {
  return el('span', { class: 'die', 'aria-hidden': 'true' }, '⚀⚁⚂⚃⚄⚅'[face - 1]);
}

/** The exchange of a struggle. @param {Card} card @param {any} attack */
function exchange(card, attack) {
  const answer = card.events.find((event) => event.decision === 'defend');
  const isAnswered = /^power:(rally|march|petition|strike|leader)/.test(attack?.action ?? '');
  if (!isAnswered || !(answer || card.kind === 'attack')) return null;
  const concedes = answer?.action === 'concede';
  return duel(sideOf(attack), faceName(attack.action.slice(6)), concedes ? 'concedes' : answer && faceName(answer.action.slice(6)), concedes ? '' : 'answers');
}

/** What was scored together, with the sums of both sides. @param {any[]} scored events */
function totals(scored) {
  const gains = (/** @type {any} */ event) => (event.democrat ? SIDE_KEYS.map((key) => event[key].vp) : [Math.max(0, event.vp), Math.max(0, -event.vp)]);
  return el('div', { class: 'points totals' }, table([['', ...SIDES], ...scored.map((event) => [event.country ?? say('source', event), ...gains(event)]),
    totalRow(scored.map(gains))]));
}

/** Sums of both sides as a row of a table. @param {number[][]} points @returns {(string | number)[]} */
function totalRow(points) {
  return ['Total', ...[0, 1].map((side) => points.reduce((sum, both) => sum + both[side], 0))];
}

/** A card of events: what was done, the dice, what came of it. @param {Card} card @param {any} [attack] the latest attack of a struggle before it */
export function eventCard(card, attack) {
  const occurs = card.events.find((event) => event.event === 'occurs');
  const played = occurs?.card ?? Number(card.events.find((event) => event.decision === 'card' && event.action)?.action.slice(5) ?? 0);
  const text = facts.cards[played] ? el('details', { open: occurs && roomy.matches }, el('summary', null, 'What the card says'), cardDetails(played)) : null;
  const [first, ...rest] = card.events;
  const side = sideOf(first);
  return el('div', { class: `event${side >= 0 ? ` ${sideClass(side)}e` : ''}`, 'data-event': card.kind },
    el('h2', null, side >= 0 ? mark(side) : null, ...diceOf(first).map(die), ' ', ...withCards(eventWords(first), true)),
    exchange(card, card.events.find((event) => event.decision === 'attack') ?? attack),
    ...rest.map((event) => el('p', null, ...diceOf(event).map(die), ' ', ...withCards(eventWords(event), true))), card.scored ? totals(card.scored) : null, text);
}

/** Where the victory points of a game came from, the largest first. @param {any[]} log all of it */
export function pointsTable(log) {
  /** @type {Record<string, number[]>} */ const sums = {};
  const add = (/** @type {string} */ source, /** @type {number} */ vp) => { (sums[source] ??= [0, 0])[vp > 0 ? 0 : 1] += Math.abs(vp); };
  let [country, source, scored] = ['', '', false];
  for (const event of log) {
    country = (event.event === 'struggle' && event.country) || country;
    source = say('source', { country, ...event }) || source;
    if (event.event === 'vp' && !scored) add(event.card ? say('source', { event: 'occurs', card: event.card }) : source, event.by);
    scored = ['score', 'final-power'].includes(event.event); // countries that are scored together have one event of points
    if (scored) add(source, event.vp);
  }
  const rows = Object.entries(sums).filter(([, points]) => points.some((sum) => sum)).sort(([, a], [, b]) => Math.max(...b) - Math.max(...a));
  const cells = rows.map(([name, points]) => [name, ...points.map((sum) => (sum ? `+${sum}` : ''))]);
  const all = totalRow(rows.map(([, points]) => points));
  return rows.length ? el('div', { class: 'points ahead' }, el('h3', null, 'Where the victory points came from'), table([['', ...SIDES], all, ...cells])) : null;
}

/** The queue of what is to be presented; what the viewer does themselves is not waited for. */
export class Presenter {
  /** @param {() => void} changed called whenever another card is to be shown, or none */
  constructor(changed) {
    this.changed = changed;
    /** @type {Card[]} */ this.queue = [];
    /** @type {Card | null} */ this.result = null; // of the viewer's own latest step, shown beside the question
    /** @type {Card[]} */ this.passed = []; // not waited for, and not said yet
    /** @type {Card | undefined} */ this.said = undefined;
    this.attack = null;
    /** @type {Card | undefined} */ this.timed = undefined; // goes on by itself
    this.timer = 0;
    this.moved = -Infinity; // when it went on by itself last
  }

  /** Whether a click may have been meant for the card that was there a moment ago. */
  get hasJustMoved() {
    return performance.now() - this.moved < 400;
  }

  /** Seconds after which the page goes on by itself, 0 for never. @returns {number} */
  get seconds() {
    return remembered('seconds', 2);
  }

  /** @param {number} seconds */
  set seconds(seconds) {
    if (!seconds && this.seconds) localStorage.setItem('seconds before', String(this.seconds));
    localStorage.setItem('seconds', String(seconds));
    this.timed = undefined;
    this.changed();
  }

  /** Turn going on by itself on or off; words for what holds now. @returns {string} */
  turnTimer() {
    this.seconds = this.seconds ? 0 : remembered('seconds before', 2);
    return this.seconds ? `Events go on after ${this.seconds} seconds` : 'Events wait for Continue';
  }

  /** Go on by itself after the time that was chosen, and no sooner than the page is looked at. */
  wait() {
    if (this.timed === this.card) return;
    this.timed = this.card;
    clearTimeout(this.timer);
    const seconds = this.seconds;
    if (!seconds) return;
    const goOn = () => {
      if (this.timed !== this.card || !this.card) return;
      if (document.hidden || document.querySelector('dialog[open], #prompt select:focus')) this.timer = window.setTimeout(goOn, 1000 * seconds);
      else {
        this.moved = performance.now();
        this.next();
      }
    };
    this.timer = window.setTimeout(goOn, 1000 * seconds);
  }

  /** `all`, `opponent` or `none`. */
  get pace() {
    return sessionStorage.getItem('pace') === '0' ? 'none' : remembered('pace', 'opponent');
  }

  /** @param {string} pace */
  set pace(pace) {
    sessionStorage.removeItem('pace');
    localStorage.setItem('pace', JSON.stringify(pace));
    this.pass(-2);
  }

  /** The card that is waited for. @returns {Card | undefined} */
  get card() {
    return this.queue[0];
  }

  /**
   * Take up a log that has changed from an event on; cards with events that were taken back are made anew.
   * @param {any[]} log @param {number} from @param {number} side of the viewer
   */
  add(log, from, side) {
    const kept = this.queue.filter((card) => card.end <= from);
    this.queue = [...kept, ...cardsOf(log, Math.min(from, this.queue[kept.length]?.begin ?? from))];
    if (this.result && this.result.end > from) this.result = null;
    this.side = side;
    this.pass(side);
  }

  /** Leave out what need not be waited for. @param {number} side */
  pass(side) {
    const own = (/** @type {Card} */ card) => card.who === side && !card.events.some((event) => seatOf(event) === 1 - side);
    while (this.card && (this.pace === 'none' || (this.pace === 'opponent' && own(this.card)))) this.passed.push(this.shift());
  }

  shift() {
    const card = /** @type {Card} */ (this.queue.shift());
    this.attack = card.events.find((event) => event.decision === 'attack') ?? this.attack;
    if (card.events.some((event) => ROLLS.includes(event.event) || OPENING.includes(event.event))) this.result = card;
    return card;
  }

  /** Go on to the next card. */
  next() {
    this.shift();
    this.result = null;
    this.pass(this.side ?? -1);
    this.changed();
  }

  /** Leave all out, except that the latest result is said. */
  skip() {
    const former = this.result;
    while (this.card) this.shift();
    if (this.result && this.result !== former) this.passed.push(this.result);
    this.changed();
  }

  /** Words of what has not been said yet: cards that were not waited for, and the present one. */
  unsaid() {
    const cards = [...this.passed.splice(0), ...this.queue.slice(0, 1)].filter((card) => card !== this.said);
    this.said = this.card ?? this.said;
    return cards.flatMap((card) => cardWords(card));
  }

  /** The result of the viewer's own latest step. */
  shownResult() {
    return this.result && eventCard(this.result, this.attack);
  }

  /** The present card with what goes on with it. */
  show() {
    this.wait();
    return [this.shownResult(), eventCard(/** @type {Card} */ (this.card), this.attack),
      el('p', { class: 'buttons' }, el('button', { type: 'button', class: 'strong', 'data-action': 'continue', onclick: () => this.next(), title: 'Space' }, 'Continue'),
        this.queue.length > 1 ? el('button', { type: 'button', onclick: () => this.skip(), title: 'Escape' }, `Skip ${this.queue.length} events`) : null, paceChoice(this))];
  }
}

/** A choice of what is presented, and how long. @param {Presenter} presenter */
export function paceChoice(presenter) {
  return el('span', { class: 'pace' }, 'Present ', select('Events to present', Object.entries(PACES), presenter.pace, (pace) => {
    presenter.pace = pace;
    presenter.changed();
  }), ' and go on ', select('When to go on', TIMES, String(presenter.seconds), (seconds) => { presenter.seconds = Number(seconds); }));
}

// --- the log ------------------------------------------------------------------------------------------------

const HEADS = ['decision', 'offer', 'occurs', 'turn-end', 'end'];
const toEnd = () => { byId('log').scrollTop = byId('log').scrollHeight; };
const resizes = new ResizeObserver(toEnd); // the question beside the log grows and shrinks

/** Lines of events. @param {any[]} events @returns {HTMLElement[]} */
export function logLines(events) {
  return events.map((event) => {
    if (event.event === 'round') return el('h3', null, eventWords(event));
    const side = sideOf(event);
    const spaces = [event.space, spaceOf(event.action)].filter(Boolean).join('|');
    return el('p', { class: HEADS.includes(event.event) ? '' : 'inner', 'data-spaces': spaces || null }, side >= 0 ? mark(side) : null, ' ', ...withCards(eventWords(event)));
  });
}

/** @type {any[]} */ let told = []; // events of the lines that stand in the log

/** The log up to an event; lines that stand there already stay. @param {any[]} log @param {number} to @param {number} fresh from where on they are new */
export function showLog(log, to, fresh) {
  const place = byId('log');
  const events = log.slice(0, to);
  const changed = told.findIndex((event, at) => event !== events[at]);
  const kept = changed < 0 ? told.length : changed;
  told = events;
  while (place.childElementCount > kept) place.lastElementChild.remove();
  const lines = logLines(events.slice(kept));
  lines.forEach((line) => line.classList.add('entry'));
  place.append(...lines);
  for (const line of place.querySelectorAll('.new')) line.classList.remove('new');
  for (const line of [...place.children].slice(Math.max(0, fresh))) line.classList.add('new');
  requestAnimationFrame(toEnd); // when the page is laid out anyway
  resizes.observe(place);
}

/** @type {string[]} */ const due = [];

/** Tell readers of the screen; what is told in one step is told together. @param {string[]} sentences those that are empty are left out */
export function announce(...sentences) {
  due.push(...sentences.filter((words) => words.trim()));
  queueMicrotask(() => {
    const words = due.splice(0).map((one) => (/[.!?…]$/.test(one) ? one : `${one}.`)).join(' ');
    if (words) byId('said').textContent = words;
  });
}

/** Tell readers of the screen what a part of the page says, line by line. @param {string} selector */
export function announcePart(selector) {
  const part = /** @type {HTMLElement | null} */ (document.querySelector(selector));
  announce(...(part?.innerText.split('\n') ?? []));
}
