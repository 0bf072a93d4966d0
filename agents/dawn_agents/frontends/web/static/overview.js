/** The map on a phone: six small countries with their choices counted, of which one is shown large. */
import { byId, el, narrow, shape, stacked } from './common.js';
import { countryOf } from './facts.js';
import { origin, size, spacesOf } from './painting.js';

let enlarged = '';
let fought = ''; // country of the power struggle shown last
let marked = ''; // spaces with changes in the position shown last

/** @typedef {{name: string, x: number, y: number, width: number, height: number, spaces: SVGGElement[]}} Country */

/** @type {HTMLElement} */ const place = byId('board');

/** @returns {Country[]} */
function countries() {
  return [...place.querySelectorAll('[data-country]')].map((group) => {
    const [x, y] = origin(group);
    const [width, height] = size(/** @type {Element} */ (group.querySelector('rect')));
    const name = group.getAttribute('data-country') ?? '';
    return { name, x, y, width, height, spaces: spacesOf(place).filter((space) => countryOf(space.dataset.space) === name) };
  });
}

/** Show all countries small and one of them large, on a narrow screen. @param {string} struggle country of a power struggle */
export function showOverview(struggle) {
  const tiles = byId('overview');
  tiles.replaceChildren();
  place.style.height = '';
  if (!narrow.matches) return;
  const all = countries();
  const changed = place.querySelectorAll('[data-space]:has(.change)');
  const now = [...changed].map((group) => group.getAttribute('data-space')).join();
  const most = (/** @type {string} */ selector) => all.map((country) => ({ country, count: country.spaces.filter((space) => space.matches(selector)).length }))
    .reduce((best, one) => (one.count > best.count ? one : best), { country: all[0], count: 0 });
  const [news, choices] = [most(':has(.change)'), most('[data-legal]')];
  const total = place.querySelectorAll('[data-space][data-legal]').length;
  if (total && choices.count === total) enlarged = choices.country.name;
  else if (struggle && struggle !== fought) enlarged = struggle;
  else if (now !== marked && news.count) enlarged = news.country.name;
  else if (!all.some((country) => country.name === enlarged)) enlarged = choices.country.name;
  const isNew = now !== marked && now !== '';
  [marked, fought] = [now, struggle];
  tiles.append(...all.map((country) => tile(country, all)));
  enlarge(all, enlarged);
  if (isNew) tiles.scrollIntoView({ block: 'start' });
}

/** Where not all fits into the window, scroll to what can be chosen: the map, or what stands before it. */
export function bringUp() {
  if (!stacked.matches && !narrow.matches) return;
  if (!place.querySelector('[data-legal]')) document.querySelector(stacked.matches ? '.top' : 'main')?.scrollIntoView();
  else if (narrow.matches) byId('overview').scrollIntoView();
  else place.scrollIntoView({ block: 'nearest' });
}

/** @param {Country} country @param {Country[]} all */
function tile(country, all) {
  const choices = country.spaces.filter((space) => space.hasAttribute('data-legal')).length;
  const changes = country.spaces.some((space) => space.querySelector('.change'));
  return el('button', { type: 'button', 'data-enlarge': country.name, onclick: () => enlarge(all, country.name) },
    small(country), el('span', null, country.name), choices ? el('b', { class: 'count', title: 'choices' }, choices, el('span', { class: 'unseen' }, choices === 1 ? ' choice' : ' choices')) : null,
    changes ? el('span', { class: 'unseen' }, ', changed') : null);
}

addEventListener('resize', () => { if (narrow.matches && place.firstElementChild) enlarge(countries(), enlarged); });

/** The spaces as small boxes. @param {Country} country */
function small(country) {
  const svg = shape('svg', { viewBox: `${country.x} ${country.y + 20} ${country.width} ${country.height - 20}`, class: 'map', 'aria-hidden': 'true' });
  for (const space of country.spaces) {
    const [x, y] = origin(space);
    const holder = { democrat: 'd', communist: 'c' }[space.dataset.holder ?? ''] ?? 'box';
    const state = `${space.querySelector('.change') ? ' altered' : ''}${space.hasAttribute('data-legal') ? ' open' : ''}`;
    svg.append(shape('rect', { x, y, width: 76, height: 46, rx: holder === 'c' ? 14 : 2, class: holder + state }));
  }
  return svg;
}

/** Scroll the map to a country, and cut it off around it. @param {Country[]} all @param {string} name */
function enlarge(all, name) {
  const country = all.find((one) => one.name === name) ?? all[0];
  enlarged = country.name;
  const [, top, width] = (place.firstElementChild?.getAttribute('viewBox') ?? '0 0 1 1').split(' ').map(Number);
  const scale = place.clientWidth / width;
  place.style.height = `${(country.height + 8) * scale}px`;
  place.scrollTop = (country.y - 4 - top) * scale;
  for (const button of document.querySelectorAll('[data-enlarge]')) button.setAttribute('aria-pressed', String(button.getAttribute('data-enlarge') === enlarged));
}
