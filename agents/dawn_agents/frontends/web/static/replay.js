/** A game from its record: step through it, look at the course, analyse, go on from any position. */
import { actorName, isBidding } from './bid.js';
import { byId, capital, copyText, counted, dialog, el, fill, liveAddress, mark, namedMark, request, select, shape, showProblem, SIDES, SIDE_KEYS, sideClass, toast } from './common.js';
import { keepFocus, PRESSED_BY_SPACE } from './keys.js';
import { offerSelect, playNew, seating, SEATS } from './newgame.js';
import { announce, cardsOf, cardWords, eventCard, logLines, pointsTable } from './events.js';
import { frameBoard, openHand, showAids, showPosition } from './panels.js';
import './preparing.js';
import { decisionWords, optionWords, outcomeWords, playerName, questionWords } from './words.js';

const address = location.pathname.split('/')[2];
const query = new URLSearchParams(location.search);

/** @type {any} */ let game = null;
/** @type {any} */ let position = null;
let at = 0;
let viewer = query.get('viewer') ?? 'both';
const watching = query.has('watch'); // what has not been reached yet stays hidden
let playing = watching;
let reached = 0;
let pace = 700;
/** @type {(at: number) => void} */ let moveCursor = () => {};
/** @type {WebSocket | null} */ let socket = null;
let analysing = false;
/** @type {any} */ let found = null;

const analysisPanel = el('div', { id: 'analysis' });
byId('controls').className = 'panel';
byId('hand').className = 'two';
const analysisToggle = el('button', { type: 'button', 'data-study': 'analyse', onclick: toggleAnalysis });
const analysisResults = el('div', null);
fill(analysisPanel, el('p', { class: 'buttons' }, analysisToggle), analysisResults);
const lossesPanel = el('div', { id: 'losses' });
const lossesResults = el('div', null);
frameBoard(() => position, [], [['Analysis', analysisPanel], ['Losses', lossesPanel]]);

/** @param {number} side */
const name = (side) => playerName(game.players[side]);

// --- the game -----------------------------------------------------------------------------------------------

async function load() {
  game = await request(`/api/replay/${address}?viewer=${viewer}`);
  document.title = `${name(0)} – ${name(1)}`;
  delete byId('prompt').dataset.state; // of the preparation
  drawGame();
}

/** A game that goes on is asked for what is new, again and again where the server does not answer. */
async function poll() {
  const news = await request(`/api/replay/${address}?viewer=${viewer}&since=${game.length}`).catch(() => null);
  if (news?.log) {
    const wasLast = at === game.length;
    game = news;
    drawGame();
    if (wasLast && !playing) await go(game.length);
  } else if (news) {
    Object.assign(game, news);
  }
  if (!news || news.running || news.log) setTimeout(poll, 1000);
  else showMoment();
}

/** @param {number} to */
async function go(to) {
  const wanted = Math.max(0, Math.min(game.length, to));
  at = wanted;
  if (watching && at > reached) {
    reached = at;
    drawGame();
  }
  byId('slider').value = String(at);
  moveCursor(at);
  const answer = await request(`/api/replay/${address}/${wanted}?viewer=${viewer}`);
  if (wanted !== at) return; // another position was asked for meanwhile
  position = answer;
  found = null;
  showMoment();
  if (!playing) announce(...news().flatMap((card) => cardWords(card)), ...outlook().map((line) => line.textContent ?? ''));
  history.replaceState(null, '', `?at=${at}${viewer === 'both' ? '' : `&viewer=${viewer}`}${watching ? '&watch=1' : ''}`);
  if (analysing) analyse();
}

/** The last position that may be shown. */
function end() {
  return watching ? reached : game.length;
}

/** The course up to there. */
function course() {
  return Object.fromEntries(Object.entries(game.course).map(([name, values]) => [name, /** @type {any} */ (values).slice(0, end() + 1)]));
}

async function play() {
  while (playing) {
    if (at >= game.length) {
      if (!game.running) setPlaying(false);
      await new Promise((done) => setTimeout(done, 300));
    } else {
      await go(at + 1).catch((error) => toast(error.message));
      await new Promise((done) => setTimeout(done, pace));
    }
  }
}

/** @param {boolean} on */
function setPlaying(on) {
  const before = playing;
  playing = on;
  byId('autoplay')?.replaceChildren(on ? 'Pause' : 'Play');
  if (on && !before) play();
}

// --- what is shown ---------------------------------------------------------------------------------------------

/** Controls and log, up to the last position that may be shown. */
function drawGame() {
  drawLog();
  const step = (/** @type {string} */ words, /** @type {string} */ label, /** @type {() => void} */ action) =>
    el('button', { type: 'button', 'aria-label': label, title: label, onclick: action }, words);
  const slider = el('input', { type: 'range', id: 'slider', min: 0, max: end(), value: at, 'aria-label': 'Position', oninput: () => go(Number(byId('slider').value)) });
  const speeds = select('Pace', [[1500, 'slow'], [700, 'steady'], [200, 'fast'], [30, 'rush']], pace, (value) => { pace = Number(value); });
  const views = select('Hands shown', [['both', 'both hands'], ['democrat', 'as the Democrat'], ['communist', 'as the Communist']], viewer, changeViewer);
  const chart = el('div', { class: 'course' });
  fill(byId('controls'),
    el('div', { class: 'steps' }, step('|◀', 'Beginning', () => go(0)), step('◀', 'One decision back', () => go(at - 1)),
      step('▶', 'One decision on', () => go(at + 1)), step('▶|', 'End', () => go(end())),
      el('button', { type: 'button', id: 'autoplay', onclick: () => setPlaying(!playing) }, 'Play'), slider, speeds, views),
    chart, el('p', { class: 'soft legend' }, el('span', { class: 'swatch d' }), " Democrat's winning chance ", el('span', { class: 'swatch c' }), " Communist's ",
      el('span', { class: 'swatch p' }), ' victory points'));
  moveCursor = showChart(chart, /** @type {any} */ (course()), go);
  moveCursor(at);
  setPlaying(playing);
}

function drawLog() {
  /** @type {HTMLElement[]} */ const parts = [];
  for (const [number, events] of game.log) {
    if (number > end()) break;
    let isOpen = false; // the last part takes lines, until a heading comes
    for (const line of logLines(events)) {
      const isHead = line.tagName === 'H3';
      if (isHead) parts.push(line);
      else if (!isOpen) parts.push(el('button', { type: 'button', class: 'plain entry', 'data-number': number, onclick: () => go(number) }));
      if (!isHead) parts[parts.length - 1].append(line);
      isOpen = !isHead;
    }
  }
  fill(byId('log'), ...parts);
}

function showMoment() {
  const marks = { chosen: coming(), best: found?.rows[0]?.action };
  showPosition(position, marks);
  fill(byId('hand'), ...[0, 1].map((side) => openHand(position, side, name(side), marks)));
  showPrompt();
  let current = null;
  for (const entry of byId('log').querySelectorAll('.entry')) {
    const here = Number(/** @type {HTMLElement} */ (entry).dataset.number) <= at;
    entry.classList.remove('here');
    if (here) current = entry;
  }
  current?.classList.add('here');
  if (current) byId('log').scrollTop = /** @type {HTMLElement} */ (current).offsetTop - byId('log').offsetTop - byId('log').clientHeight / 2;
  showAnalysis();
}

/** The move that follows, unless it has not been reached yet. @returns {string | undefined} */
function coming() {
  return at < end() ? position.next ?? undefined : undefined;
}

/** Events that led to the position, as cards. @returns {import('./events.js').Card[]} */
function news() {
  return game.log.filter((/** @type {[number, any[]]} */ [number]) => number === at)
    .flatMap((/** @type {[number, any[]]} */ [, events]) => cardsOf(events, 0)).filter((/** @type {import('./events.js').Card} */ card) => card.kind !== 'end');
}

/** What comes next: a decision, a question or the end. @returns {HTMLElement[]} */
function outlook() {
  const last = at === game.length;
  const who = mark(isBidding(position) ? 2 : position.actor);
  return last && game.over ? [el('p', null, el('b', null, outcomeWords(game.over, game.course.vp[game.length])))]
    : last && game.running ? [el('p', { class: 'progress' }, el('span', { class: 'spinner' }), 'The game goes on.')]
      : coming() ? [el('p', null, 'Next: ', who, el('b', null, ` ${decisionWords(position, position.next)}`))]
        : position.over ? [] : [el('p', null, who, ` ${actorName(position)}: `, el('b', null, questionWords(position.question)))];
}

function showPrompt() {
  const last = at === game.length;
  const place = `Position ${at}${watching && reached < game.length ? '' : ` of ${game.length}`}`;
  fill(byId('prompt'), el('h2', null, namedMark(0), ` ${name(0)} – `, namedMark(1), ` ${name(1)}`),
    el('p', { class: 'soft' }, isBidding(position) ? place : `${place}; Democrat's winning chance ${Math.round(game.course.chance[at] * 100)} %`), game.practice === null ? null : el('p', { class: 'soft' }, `Practice game: ${counted(game.practice, 'decision')} taken back freely.`), ...news().map((card) => eventCard(card)), ...outlook(),
    el('p', { class: 'buttons minor' },
      el('button', { type: 'button', onclick: () => copyText(new URL(`?at=${at}`, location.href).href, 'Link to this position') }, 'Copy link'),
      el('button', { type: 'button', 'data-study': 'copy', onclick: copyPosition }, 'Copy position'),
      game.over ? el('a', { class: 'button', 'data-study': 'record', href: `/api/replay/${address}/record`, download: 'game.jsonl' }, 'Save record') : null,
      last && game.over ? null : el('button', { type: 'button', 'data-study': 'go-on', onclick: goOn }, 'Go on from here')),
    last && game.over ? pointsTable(game.log.flatMap((/** @type {[number, any[]]} */ [, events]) => events)) : null, el('div', { id: 'detail' }));
}

async function copyPosition() {
  const response = await fetch(`/api/replay/${address}/${at}/state`).catch(() => null);
  if (response?.ok) await copyText(await response.text(), 'Position');
  else toast('The position cannot be copied: the server does not give it.');
}

async function goOn() {
  const { players } = await request('/api/start');
  const bidding = isBidding(position);
  const seats = bidding ? SEATS : SIDE_KEYS;
  const side = select('Your side', seats.map((key) => /** @type {[string, string]} */ ([key, bidding ? `${key} player` : capital(key)])), seats[0]);
  const opponent = offerSelect(players.filter((/** @type {import('./newgame.js').Offer} */ offer) => offer.modes.includes(position.mode)), 'opponent', 'heuristic');
  dialog('Go on from here', el('p', null, bidding ? 'You are the ' : 'Your side ', side, ' against ', opponent),
    el('p', { class: 'soft' }, 'The cards and dice to come are those of this game.'),
    el('p', { class: 'buttons' }, el('button', { type: 'button', class: 'strong', 'data-study': 'start', onclick: () => playNew({ players: seating(side.value, 'human', opponent.value, seats), from: { replay: address, at } }) }, 'Play')));
}

/** @param {string} wanted */
async function changeViewer(wanted) {
  viewer = wanted;
  await load();
  await go(at);
}

const WIDTH = 1000;
const HEIGHT = 110;

/** @param {number[]} values @param {(value: number) => number} height */
function path(values, height) {
  const step = WIDTH / Math.max(1, values.length - 1);
  return values.map((value, at) => `${at ? 'L' : 'M'}${(at * step).toFixed(1)} ${height(value).toFixed(1)}`).join('');
}

/**
 * The course of a game: victory points and the chance of winning, over the decisions.
 * @param {Element} place @param {{vp: number[], chance: number[], turn: number[]}} course @param {(at: number) => void} go
 * @returns {(at: number) => void} moves the cursor
 */
function showChart(place, course, go) {
  const svg = shape('svg', { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: 'none', class: 'chart', role: 'img', 'aria-label': 'Victory points and chance of winning' });
  const count = course.vp.length;
  const step = WIDTH / Math.max(1, count - 1);
  const chance = (/** @type {number} */ value) => (1 - value) * HEIGHT;
  const most = Math.max(20, ...course.vp.map(Math.abs));
  const points = (/** @type {number} */ value) => HEIGHT / 2 - value / most * HEIGHT / 2;
  svg.append(shape('path', { class: 'c', d: `M0 0H${WIDTH}V${HEIGHT}H0Z` }), shape('path', { class: 'd', d: `${path(course.chance, chance)}V${HEIGHT}H0Z` }),
    shape('path', { class: 'middle', d: `M0 ${HEIGHT / 2}H${WIDTH}` }));
  course.turn.forEach((turn, at) => {
    if (at && turn !== course.turn[at - 1]) svg.append(shape('path', { class: 'turn', d: `M${at * step} 0V${HEIGHT}` }));
  });
  svg.append(shape('path', { class: 'points', d: path(course.vp, points) }));
  const cursor = shape('path', { class: 'cursor', d: `M0 0V${HEIGHT}` });
  svg.append(cursor);
  svg.addEventListener('click', (event) => {
    const box = svg.getBoundingClientRect();
    go(Math.round((/** @type {MouseEvent} */ (event).clientX - box.x) / box.width * (count - 1)));
  });
  place.replaceChildren(svg);
  return (at) => cursor.setAttribute('d', `M${at * step} 0V${HEIGHT}`);
}

// --- analysis ----------------------------------------------------------------------------------------------------

/** @param {any} wish */
function study(wish) {
  const live = connection();
  const send = () => live.send(JSON.stringify(wish));
  if (live.readyState === WebSocket.OPEN) send();
  else live.addEventListener('open', send);
}

/** The connection for analyses, made anew if there is none or it was lost. */
function connection() {
  if (socket && socket.readyState <= WebSocket.OPEN) return socket;
  socket = new WebSocket(liveAddress(`/replay/${address}`));
  socket.onmessage = (event) => {
    const message = JSON.parse(event.data);
    if (message.type === 'error') toast(message.text);
    else if (message.type === 'losses') showLosses(message);
    else if (message.at === at) take(message);
  };
  return socket;
}

/** Show the results of an analysis, and tell the first and the last ones. @param {any} message */
function take(message) {
  const isFirst = !found;
  found = message;
  showMoment();
  const { action, chance } = found.rows[0];
  if (playing || !isFirst && !found.done) return;
  announce(`${SIDES[found.side]}: ${(chance * 100).toFixed(1)} %, best: ${optionWords(position.decision, action)}`, found.done ? 'The analysis is done' : '');
}

function analyse() {
  if (position.over || game.over && at === game.length) {
    found = null;
    showAnalysis();
    return;
  }
  study({ type: 'analyse', at });
}

function toggleAnalysis() {
  analysing = !analysing;
  if (analysing) analyse();
  else study({ type: 'stop' });
  showAnalysis();
}

function showAnalysis() {
  analysisToggle.setAttribute('aria-pressed', String(analysing));
  fill(analysisToggle, analysing ? 'Stop the analysis' : 'Analyse this position');
  fill(analysisResults, analysing && found ? results() : analysing ? el('p', { class: 'soft' }, position?.over ? 'The game is over.' : 'Simulating …') : el('p', { class: 'soft' },
    'What the trained policy would do, and the chance of winning after each choice by simulations with the hidden cards dealt anew.'));
}

function results() {
  const best = found.rows[0];
  const rows = found.rows.map((/** @type {any} */ row) => {
    const policy = found.policy?.[row.action];
    const bar = el('span', { class: 'errorbar', 'aria-hidden': 'true' }, el('i', null));
    const inner = /** @type {HTMLElement} */ (bar.firstElementChild);
    inner.style.left = `${Math.max(0, (row.chance - 2 * row.error) * 100)}%`;
    inner.style.width = `${Math.min(100, 400 * row.error)}%`;
    return el('tr', { class: row.action === coming() ? 'played' : '' }, el('td', null, optionWords(position.decision, row.action), row.action === coming() ? el('span', { class: 'soft' }, ' played') : null),
      el('td', null, `${(row.chance * 100).toFixed(1)} ±${(row.error * 200).toFixed(1)}`, bar), el('td', null, policy === undefined ? '–' : `${(policy * 100).toFixed(0)} %`), el('td', null, row.simulations));
  });
  return el('div', null, el('p', null, mark(found.side), ` ${SIDES[found.side]}: `, el('b', null, `${(best.chance * 100).toFixed(1)} %`), found.done ? '' : ' …'),
    el('ol', { class: 'line' }, ...found.line.map((/** @type {string} */ words) => el('li', null, words))),
    found.policy ? null : el('p', { class: 'soft' }, found.unasked),
    el('div', { class: 'scroll', tabindex: '0' }, el('table', { class: 'values' }, el('thead', null, el('tr', null, ...['choice', 'wins %', 'policy', 'sims'].map((name) => el('th', { scope: 'col' }, name)))), el('tbody', null, ...rows))));
}

function askLosses() {
  study({ type: 'losses', side: SIDE_KEYS[ownSide()] });
  fill(lossesResults, el('p', { class: 'soft' }, 'Looking at every decision …'));
}

/** The side whose losses come first: whose hand is shown, or else the one that a person played. */
function ownSide() {
  const viewed = SIDE_KEYS.indexOf(viewer);
  return viewed >= 0 ? viewed : Math.max(0, game.players.indexOf('human'));
}

/** @param {any} message */
function showLosses(message) {
  const first = ownSide();
  const lists = [first, 1 - first].map((side) => {
    const losses = message.losses.filter((/** @type {any} */ loss) => loss.side === side && loss.at < end()).slice(0, 12);
    return el('div', null, el('h3', { class: `${sideClass(side)}w` }, namedMark(side), ` ${name(side)}`), losses.length ? el('ol', { class: 'losses' }, ...losses.map(lossRow)) : el('p', { class: 'soft' }, message.done < 1 ? 'none found so far' : 'none found'),
      losses.length && !watching ? el('p', { class: 'buttons' }, el('a', { class: 'button', 'data-study': `again-${SIDE_KEYS[side]}`, href: `/mistakes/${address}?side=${SIDE_KEYS[side]}` }, 'Try again at these')) : null);
  });
  fill(lossesResults, message.done < 1 ? el('p', { class: 'progress' }, el('progress', { value: message.done, 'aria-label': 'Decisions looked at' })) : null, ...lists);
  if (message.done >= 1) announce('The largest losses are listed');
}

/** @param {any} loss */
function lossRow(loss) {
  return el('li', null, el('button', { type: 'button', class: 'plain', onclick: () => go(loss.at) }, el('b', null, `−${(loss.loss * 100).toFixed(1)} %`),
    el('span', { class: 'soft' }, ` ±${(loss.error * 200).toFixed(1)} · ${loss.when} `), loss.words, el('span', { class: 'better' }, ` better: ${loss.better}`)));
}

// --- keys and the rest of the page ------------------------------------------------------------------------------------

/** @param {KeyboardEvent} event */
function key(event) {
  const target = /** @type {Element} */ (event.target);
  if (event.ctrlKey || event.metaKey || event.altKey || target.closest('dialog, select, input, [role=tablist]')) return;
  const moves = { ArrowLeft: () => go(at - 1), ArrowRight: () => go(at + 1), Home: () => go(0), End: () => go(end()), ' ': () => setPlaying(!playing),
    ArrowUp: () => jumpTurn(-1), ArrowDown: () => jumpTurn(1), '?': () => showAids() };
  const move = moves[/** @type {keyof typeof moves} */ (event.key)];
  if (!move || (event.key === ' ' && target.closest(PRESSED_BY_SPACE))) return;
  event.preventDefault();
  move();
}

/** Go to the beginning of the next turn, or of the present one. @param {number} way 1 or -1 */
function jumpTurn(way) {
  const { turn } = game.course;
  let to = at + way;
  while (to > 0 && to < end() && turn[to] === turn[to - 1]) to += way;
  go(Math.min(to, end()));
}

fill(lossesPanel, el('p', { class: 'buttons' }, el('button', { type: 'button', 'data-study': 'losses', onclick: askLosses }, 'Find the largest losses')), lossesResults);
fill(lossesResults, el('p', { class: 'soft' }, 'Decisions that cost a side the most of its chance of winning, with the better choice.'));
keepFocus();
addEventListener('unhandledrejection', (event) => toast(event.reason.message)); // of a click or a key
fill(byId('prompt'), el('p', null, 'Loading …'));
byId('side').inert = true; // analyses need the game
try {
  await load();
  document.addEventListener('keydown', key);
  await go(query.has('at') ? Number(query.get('at')) || 0 : 0);
  byId('side').inert = false;
  if (playing) play();
  if (game.running) poll();
} catch (error) {
  showProblem('This replay cannot be opened', /** @type {Error} */ (error).message);
}
