/** The map: what can be chosen, by mouse and by arrow keys. */
import { byId, capital, el, fill, narrow, refuse, shape, SIDE_KEYS, SIDES, toast } from './common.js';
import { boardAddress, countryOf, facts, spaceNumber } from './facts.js';
import { neighbours, term } from './legend.js';
import { showOverview } from './overview.js';
import { boxSize, paint, putBoard, spacesOf } from './painting.js';
import { barredWords, effectWords, whyNot } from './words.js';

/** @typedef {import('./choices.js').How} How */

/** @type {HTMLElement} */ const place = byId('board');
/** @type {[any, How] | null} */ let shown = null;
let latest = ''; // name of the space that had the focus last

/** The map of a state, or before there is one of the beginning of a game. @param {any} state @param {How} how */
export function showMap(state, how = {}) {
  shown = [state, how];
  const coming = putBoard(place, boardAddress(state));
  coming?.then(showAgain, () => toast('The server does not answer.')); // until then on the board that is there
  if (place.firstElementChild) draw(state, how);
}

/** Show what was shown last, on another board. */
function showAgain() {
  if (shown) showMap(...shown);
}

/** @param {any} state @param {How} how */
function draw(state, how) {
  if (state) paint(place, state);
  const map = /** @type {SVGElement} */ (place.firstElementChild);
  map.setAttribute('role', 'group');
  map.setAttribute('aria-label', 'The board');
  place.querySelectorAll('.ring, .price, .chance, .changes').forEach((mark) => mark.remove());
  for (const group of spacesOf(place)) describe(group, state, how);
  rove();
  if (state) markChanges(state.changes.spaces);
  for (const country of place.querySelectorAll('[data-country]')) {
    country.setAttribute('tabindex', '0');
    country.setAttribute('role', 'img');
    country.setAttribute('aria-label', [...country.querySelectorAll('text')].map((text) => text.textContent).join(', '));
  }
  showOverview(state?.struggle ? facts.countries[state.struggle.country] : state?.changes.countries.length === 1 ? state.changes.countries[0] : '');
}

/** Name a space, and mark it where it can be chosen. @param {SVGGElement} group @param {any} state @param {How} how */
function describe(group, state, how) {
  const name = /** @type {string} */ (group.dataset.space);
  const action = `space:${name}`;
  if (how.chosen === action) ring(group, 'ring chosen');
  if (how.best === action) ring(group, 'ring hinted');
  const legal = how.open?.has(action) ?? false;
  const cost = state?.ask?.costs[name];
  const chance = cost ? '' : how.odds?.[name] ?? '';
  const more = cost ? [`costs ${cost}`] : chance ? [chance] : [];
  group.toggleAttribute('data-legal', legal);
  group.setAttribute('role', legal ? 'button' : 'img');
  const why = how.open?.size ? barredWords(state.ask, action) : '';
  group.setAttribute('aria-label', [group.dataset.words, `in ${countryOf(name)}`, ...(legal ? more : why ? [`cannot be chosen: ${why}`] : [])].join(', '));
  group.setAttribute('aria-describedby', 'neighbours');
  if (!legal) {
    group.removeAttribute('tabindex');
    return;
  }
  ring(group, 'ring legal');
  more.forEach((words) => note(group, words, chance ? 'chance' : 'price'));
}

/** Spaces that can be chosen. @returns {SVGGElement[]} */
function openSpaces() {
  return spacesOf(place).filter((group) => group.hasAttribute('data-legal'));
}

/** Let Tab stop at one space: the one that had the focus last, or else the first. */
function rove() {
  const open = openSpaces();
  const stop = open.find((group) => group.dataset.space === latest) ?? open[0];
  for (const group of open) group.setAttribute('tabindex', group === stop ? '0' : '-1');
}

/** The space of an event. @param {Event} event @returns {HTMLElement | null} */
function spaceAt(event) {
  return /** @type {Element} */ (event.target).closest('[data-space]');
}

/** Show details of the space under the pointer where the page has a place for them. @param {Event} event */
function look(event) {
  const name = spaceAt(event)?.dataset.space;
  const detail = byId('detail');
  if (!name || !detail || !shown) return;
  const [state, how] = shown;
  const found = how.details ? how.details(name) : state && spaceDetails(state, name);
  if (found) fill(detail, found);
}

const DOUBLE = 250; // milliseconds within which a second click is none of its own
let clicked = 0; // when a space was clicked last

/** Choose a space, or look at it; the second click of a double click does neither. @param {MouseEvent | KeyboardEvent} event */
function pick(event) {
  const isSecond = event.detail > 1 && event.timeStamp - clicked < DOUBLE;
  clicked = event.timeStamp;
  if (isSecond) return;
  const group = spaceAt(event);
  if (group?.hasAttribute('data-legal')) shown?.[1].pick?.(`space:${group.dataset.space}`);
  else {
    look(event);
    if (group) refuse(group.dataset.space ?? '', whyNot(asked(), `space:${group.dataset.space}`));
  }
}

/** What is asked where something can be chosen now. */
function asked() {
  const [state, how] = shown ?? [null, null];
  return how?.open?.size ? state.ask : null;
}

/** The rule against a space. @param {string} name */
function barred(name) {
  return barredWords(asked(), `space:${name}`);
}

place.addEventListener('pointerover', look);
place.addEventListener('focusin', look);
place.addEventListener('focusin', (event) => {
  latest = spaceAt(event)?.dataset.space ?? latest;
  rove();
});
place.addEventListener('click', pick);
narrow.addEventListener('change', showAgain);
place.addEventListener('keydown', (event) => {
  if (event.key !== 'Enter' && event.key !== ' ' || !spaceAt(event)) return;
  event.preventDefault();
  pick(event);
});

/** Mark spaces whose support has changed. @param {any[]} changes */
function markChanges(changes) {
  for (const change of changes) {
    const group = spacesOf(place).find((one) => one.dataset.space === change.space);
    if (!group) continue;
    ring(group, 'ring change');
    SIDE_KEYS.forEach((key, side) => { if (change[key]) markChange(group, side, change[key].join('→')); });
  }
}

/** @param {SVGGElement} group */
function box(group) {
  const frame = /** @type {Element} */ (group.querySelector('.held > rect')); // the frame of a battleground, or the box
  return ['x', 'y', 'width', 'height'].map((key) => Number(frame.getAttribute(key) ?? 0));
}

/** @param {SVGGElement} group @param {string} name */
function ring(group, name) {
  const [x, y, width, height] = box(group);
  group.append(shape('rect', { x: x - 2, y: y - 2, width: width + 4, height: height + 4, rx: 8, class: name }));
}

/** A short text above a space: what a support point costs there, or the chance of a check. @param {SVGGElement} group @param {string} words @param {string} kind */
function note(group, words, kind) {
  const [x, y, width] = box(group);
  group.append(shape('text', { x: x + width - 2, y: y + 2, 'text-anchor': 'end', class: kind }, words));
}

const WIDEST = 27; // of the change of a side, where those of both fit into a box

/** Points before and after over those of a side. @param {SVGGElement} group @param {number} side @param {string} words */
function markChange(group, side, words) {
  const [width, height] = boxSize(group);
  const middle = side ? width - WIDEST / 2 - 2 : WIDEST / 2 + 2;
  const label = shape('text', { x: middle, y: height - 6, 'text-anchor': 'middle', ...(words.length > 4 ? { textLength: WIDEST - 3, lengthAdjust: 'spacingAndGlyphs' } : {}) }, words);
  const mark = shape('g', { class: 'changes' });
  mark.append(shape('rect', { x: middle - WIDEST / 2, y: height - 18, width: WIDEST, height: 15, rx: side ? 7.5 : 0, class: 'news' }), label);
  group.append(mark);
}

/** Arrow keys go to the nearest space in their direction that can be chosen, with Shift to the nearest of all. */
export function steerByKeys() {
  const ways = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  place.addEventListener('keydown', (event) => {
    const way = ways[/** @type {keyof typeof ways} */ (event.key)];
    const from = spaceAt(event);
    if (!way || !from) return;
    event.preventDefault();
    const [x, y] = middle(from);
    let best = null;
    let least = Infinity;
    for (const group of event.shiftKey ? spacesOf(place) : openSpaces()) {
      const [dx, dy] = [middle(group)[0] - x, middle(group)[1] - y];
      const along = dx * way[0] + dy * way[1];
      const aside = Math.abs(dx * way[1]) + Math.abs(dy * way[0]);
      if (group.dataset.space !== from.dataset.space && along > 4 && along + 2.5 * aside < least) [best, least] = [group, along + 2.5 * aside];
    }
    goTo(best);
  });
}

/** Give a space the focus, one that cannot be chosen until it is drawn anew. @param {SVGGElement | null} group */
function goTo(group) {
  if (!group?.hasAttribute('data-legal')) group?.setAttribute('tabindex', '-1');
  group?.focus();
}

/** @param {Element} element */
function middle(element) {
  const at = element.getBoundingClientRect();
  return [at.x + at.width / 2, at.y + at.height / 2];
}

/** Focus the space where Tab stops, or the next one if it has the focus: arrow keys do not lead to every space of each set. */
export function focusMap() {
  const open = openSpaces();
  const at = open.findIndex((group) => group.tabIndex === 0);
  goTo(open[(at + Number(open[at]?.matches(':focus'))) % open.length] ?? spacesOf(place)[0]);
}

/** @param {any} state @param {string} name */
export function spaceDetails(state, name) {
  const at = spaceNumber(name);
  const space = facts.spaces[at];
  const holder = state.control[at];
  return el('div', { class: 'details' },
    el('h3', null, name),
    el('p', { class: 'soft' }, `${facts.countries[space.country]} · `, term('type', space.type), ' · ', term('stability', `stability ${space.stability}`),
      space.battleground ? ' · ' : null, space.battleground ? term('battleground', 'battleground') : null),
    el('p', null, `Democrat ${state.support[0][at]}, Communist ${state.support[1][at]}; `,
      holder < 0 ? 'nobody has control.' : `the ${SIDES[holder]} has control.`),
    el('p', { id: 'neighbours' }, `Neighbours: ${neighbours(state.destroyed, name).join(', ') || 'none'}.`),
    effectWords(state, `space:${name}`) ? el('p', null, `${capital(effectWords(state, `space:${name}`))}.`) : null,
    barred(name) ? el('p', { class: 'cannot' }, `✗ ${barred(name)}.`) : null);
}
