// @ts-check
/** The map: what can be chosen, by mouse and by arrow keys. */
import { el } from './common.js';
import { term } from './legend.js';
import { showOverview } from './overview.js';

const SVG = 'http://www.w3.org/2000/svg';

/**
 * @param {HTMLElement} place
 * @param {string} svg drawn by the server from its own names
 * @param {{legal?: Set<string>, chosen?: string, hinted?: Set<string>, costs?: Record<string, number>, pick?: (name: string) => void,
 *   look?: (name: string | null) => void}} how
 */
export function showMap(place, svg, how = {}) {
  const focused = /** @type {HTMLElement | null} */ (document.activeElement)?.closest?.('[data-space]')?.getAttribute('data-space');
  place.innerHTML = svg;
  const map = /** @type {SVGElement} */ (place.firstElementChild);
  map.setAttribute('role', 'group');
  map.setAttribute('aria-label', 'The board');
  for (const group of spaces(place)) {
    const name = /** @type {string} */ (group.dataset.space);
    const words = group.querySelector('title')?.textContent ?? name;
    group.querySelector('title')?.remove();
    group.setAttribute('aria-label', words);
    group.setAttribute('role', 'img');
    group.addEventListener('pointerenter', () => how.look?.(name));
    group.addEventListener('focus', () => how.look?.(name));
    if (how.chosen === name) ring(group, 'ring chosen');
    if (how.hinted?.has(name)) ring(group, 'ring hinted');
    if (how.legal?.has(name)) offer(group, name, words, how);
    else group.addEventListener('click', () => how.look?.(name));
  }
  for (const country of place.querySelectorAll('[data-country]')) {
    country.setAttribute('tabindex', '0');
    country.setAttribute('role', 'img');
    country.setAttribute('aria-label', [...country.querySelectorAll('text')].map((text) => text.textContent).join(', '));
  }
  if (focused) find(place, focused)?.focus({ preventScroll: true });
  showOverview(place);
}

/** @param {SVGGElement} group @param {string} name @param {string} words @param {any} how */
function offer(group, name, words, how) {
  const cost = how.costs?.[name];
  group.setAttribute('data-legal', '');
  group.setAttribute('tabindex', '0');
  group.setAttribute('role', 'button');
  group.setAttribute('aria-label', cost ? `${words}, costs ${cost}` : words);
  ring(group, 'ring legal');
  if (cost > 1) price(group, cost);
  group.addEventListener('click', () => how.pick(name));
  group.addEventListener('keydown', (event) => {
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      how.pick(name);
    }
  });
}

/** @param {SVGGElement} group */
function box(group) {
  const rects = [...group.querySelectorAll('rect')];
  const widest = rects.reduce((best, rect) => (Number(rect.getAttribute('width')) > Number(best.getAttribute('width')) ? rect : best));
  return ['x', 'y', 'width', 'height'].map((key) => Number(widest.getAttribute(key) ?? 0));
}

/** @param {SVGGElement} group @param {string} name */
function ring(group, name) {
  const [x, y, width, height] = box(group);
  const rect = document.createElementNS(SVG, 'rect');
  Object.entries({ x: x - 2, y: y - 2, width: width + 4, height: height + 4, rx: 8, class: name }).forEach(
    ([key, value]) => rect.setAttribute(key, String(value)));
  group.append(rect);
}

/** What a support point costs there. @param {SVGGElement} group @param {number} cost */
function price(group, cost) {
  const [x, y, width] = box(group);
  const text = document.createElementNS(SVG, 'text');
  Object.entries({ x: x + width - 2, y: y + 11, class: 'price', 'text-anchor': 'end' }).forEach(
    ([key, value]) => text.setAttribute(key, String(value)));
  text.textContent = `costs ${cost}`;
  group.append(text);
}

/** @param {Element} place @returns {SVGGElement[]} */
function spaces(place) {
  return [...place.querySelectorAll('[data-space]')].map((group) => /** @type {SVGGElement} */ (group));
}

/** @param {Element} place @param {string} name @returns {SVGGElement | undefined} */
function find(place, name) {
  return spaces(place).find((group) => group.dataset.space === name);
}

/** Arrow keys go to the nearest space that can be chosen in their direction. @param {HTMLElement} place */
export function steerByKeys(place) {
  const ways = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  place.addEventListener('keydown', (event) => {
    const way = ways[/** @type {keyof typeof ways} */ (event.key)];
    const from = /** @type {Element} */ (event.target).closest('[data-space]');
    if (!way || !from) return;
    event.preventDefault();
    const [x, y] = middle(from);
    let best = null;
    let least = Infinity;
    for (const group of place.querySelectorAll('[data-space][data-legal]')) {
      const [dx, dy] = [middle(group)[0] - x, middle(group)[1] - y];
      const along = dx * way[0] + dy * way[1];
      const aside = Math.abs(dx * way[1]) + Math.abs(dy * way[0]);
      if (group !== from && along > 4 && along + 2.5 * aside < least) [best, least] = [group, along + 2.5 * aside];
    }
    /** @type {SVGGElement | null} */ (best)?.focus();
  });
}

/** @param {Element} element */
function middle(element) {
  const at = element.getBoundingClientRect();
  return [at.x + at.width / 2, at.y + at.height / 2];
}

/** Focus the first space that can be chosen. @param {Element} place */
export function focusMap(place) {
  /** @type {HTMLElement | null} */ (place.querySelector('[data-legal]'))?.focus();
}

/** @param {import('./common.js').Facts} facts @param {any} state @param {string} name */
export function spaceDetails(facts, state, name) {
  const at = facts.spaces.findIndex((space) => space.name === name);
  const space = facts.spaces[at];
  const holder = state.holders[at];
  return el('div', { class: 'details' },
    el('h3', null, name),
    el('p', { class: 'soft' }, `${facts.countries[space.country]} · `, term('type', space.type), ' · ', term('stability', `stability ${space.stability}`),
      space.battleground ? ' · ' : null, space.battleground ? term('battleground', 'battleground') : null),
    el('p', null, `Democrat ${state.support[0][at]}, Communist ${state.support[1][at]}; `,
      holder < 0 ? 'nobody has control.' : `the ${['Democrat', 'Communist'][holder]} has control.`));
}
