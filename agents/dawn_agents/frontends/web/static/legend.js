/** Explanations: the key to the map, words and countries on hover, focus and tap, and the neighbours of a space. */
import { anyCardDetails } from './choices.js';
import { counted, dialog, el, mark, SIDES } from './common.js';
import { facts, spaceNumber } from './facts.js';

const REST = 450; // milliseconds after which a finger rests

/** A word that explains itself. @param {string} term of `facts.terms` @param {string} words */
export function term(term, words) {
  return el('span', { 'data-term': term, tabindex: '0', role: 'note', 'aria-label': words }, words);
}

/**
 * Explain the words, countries and cards of the page, and mark the neighbours of the space that is looked at, and the spaces of a line of the log.
 * A mouse or the keyboard comes by them; a finger rests on a card, or taps on its name.
 * @param {() => any} state the position that is shown, if any
 */
export function explain(state) {
  const main = /** @type {HTMLElement} */ (document.querySelector('main'));
  const box = main.appendChild(el('div', { id: 'term', role: 'tooltip', hidden: true }));
  const show = (/** @type {Event} */ event) => {
    const target = /** @type {Element} */ (event.target);
    const near = target.closest?.('[data-term], [data-country], [data-card]');
    const space = target.closest?.('[data-space]')?.getAttribute('data-space');
    markSpaces('data-neighbour', space && state() ? neighbours(state().destroyed, space) : []);
    markSpaces('data-told', target.closest?.('[data-spaces]')?.getAttribute('data-spaces')?.split('|') ?? []);
    explainAt(near?.matches('[data-card]') && !isLookedAt(event, near) ? null : near);
  };
  const explainAt = (/** @type {Element | null | undefined} */ found) => {
    const content = found && explanation(state(), found);
    box.hidden = !content;
    if (!found || !content) return;
    box.replaceChildren(...content);
    found.setAttribute('aria-describedby', 'term');
    const place = found.getBoundingClientRect();
    box.style.left = `${Math.max(6, Math.min(place.left, innerWidth - box.offsetWidth - 6))}px`;
    const below = found.matches('[data-country]') ? place.top + 26 : place.bottom + 4;
    box.style.top = `${below + box.offsetHeight < innerHeight ? below : Math.max(6, place.top - box.offsetHeight - 4)}px`;
  };
  for (const kind of ['pointerover', 'focusin', 'click']) document.addEventListener(kind, show);
  document.addEventListener('keydown', (event) => { if (event.key === 'Escape') box.hidden = true; });
  let rest = 0;
  document.addEventListener('pointerdown', (event) => {
    const card = /** @type {Element} */ (event.target).closest('[data-card]');
    if (card && event.pointerType === 'touch') rest = window.setTimeout(() => explainAt(card), REST);
  });
  for (const kind of ['pointerup', 'pointercancel']) document.addEventListener(kind, () => clearTimeout(rest));
}

/** Whether an event shows a card: not the finger that chooses it, and not the focus that comes with a click. @param {Event} event @param {Element} card */
function isLookedAt(event, card) {
  if (event.type === 'click') return !card.closest('button');
  return event.type === 'focusin' ? card.matches(':focus-visible') : /** @type {PointerEvent} */ (event).pointerType !== 'touch';
}

/** Set `attribute` on these spaces of the board, and remove it from all others. @param {string} attribute @param {string[]} names */
function markSpaces(attribute, names) {
  for (const group of document.querySelectorAll('#board [data-space]')) {
    group.toggleAttribute(attribute, names.includes(/** @type {string} */ (group.getAttribute('data-space'))));
  }
}

/** @param {any} state @param {Element} found @returns {(Node | string)[] | null} */
function explanation(state, found) {
  const [country, card] = ['country', 'card'].map((kind) => found.getAttribute(`data-${kind}`));
  if (card) return [anyCardDetails(state, Number(card))];
  if (!country) {
    const more = found.getAttribute('data-more')?.split('\n') ?? [];
    return [facts.terms[/** @type {string} */ (found.getAttribute('data-term'))] ?? '', ...more.map((line) => el('p', null, line))];
  }
  return state && [el('b', null, country), ...countryLines(state, facts.countries.indexOf(country)).map((line) => el('p', null, ...line))];
}

/** What there is to say of a country. @param {any} state @param {number} country */
function countryLines(state, country) {
  const own = facts.spaces.flatMap((space, at) => (space.country === country ? [{ ...space, holder: state.control[at] }] : []));
  const score = state.scores[country];
  const held = SIDES.map((side, at) => {
    const spaces = own.filter((space) => space.holder === at);
    return [mark(at), ` ${side}: ${counted(spaces.length, 'space')}, ${counted(spaces.filter((space) => space.battleground).length, 'battleground')}`];
  });
  const now = score ? [mark(score > 0 ? 0 : 1), ` Scored now: ${SIDES[score > 0 ? 0 : 1]} +${Math.abs(score)} VP`] : ['Scored now: nothing for either side'];
  const power = state.power ? [[mark(state.power[country]), ` ${SIDES[state.power[country]]} holds Power${state.times_scored[country] ? `, scored ${counted(state.times_scored[country], 'time')}` : ''}`]] : [];
  return [now, ...held, ...power, [`${own.length} spaces, ${own.filter((space) => space.battleground).length} of them battlegrounds. ${facts.terms.worth}`]];
}

/** Names of the neighbours, each once; those of a destroyed space are neighbours of each other. @param {number} destroyed @param {string} name */
export function neighbours(destroyed, name) {
  const at = spaceNumber(name);
  const around = at === destroyed ? [] : facts.spaces[at].neighbours;
  const beyond = around.includes(destroyed) ? facts.spaces[destroyed].neighbours : [];
  return [...new Set([...around, ...beyond])].filter((space) => space !== destroyed && space !== at).map((space) => facts.spaces[space].name);
}

const BOX = 'x="1" y="1" width="22" height="16" rx="5"';
const MARKS = [ // of the page, beside those of the pictures
  [`<rect ${BOX} class="ring legal"/>`, 'can be chosen'],
  [`<rect ${BOX} class="ring chosen"/>`, 'chosen, or the move played'],
  [`<rect ${BOX} class="ring hinted"/>`, 'hint: the best choice'],
  [`<rect ${BOX} class="box neighbour"/>`, 'neighbour of the space that is looked at'],
  ['<g class="changes"><rect x="-1" y="2" width="27" height="15" class="news"/><text x="12.5" y="13" text-anchor="middle">1→3</text></g>', 'support before and after the last change'],
  ['<text x="12" y="13" text-anchor="middle" class="price">2</text>', 'support points that one point costs there'],
  ['<text x="12" y="13" text-anchor="middle" class="chance">50 %</text>', 'chance that a check there removes support, or that a roll succeeds'],
];

/** @param {string} mode */
export function showLegend(mode) {
  const entry = (/** @type {string[]} */ [shape, words]) => {
    const drawing = el('span', { class: 'shape' });
    drawing.innerHTML = `<svg class="map" viewBox="-3 -3 32 24" width="40" height="30" aria-hidden="true">${shape}</svg>`;
    return el('li', null, drawing, words);
  };
  const words = Object.values(facts.terms).map((text) => el('li', null, text));
  dialog('Legend', el('ul', { class: 'key' }, ...[...facts.legend[mode], ...MARKS].map(entry)), el('h3', null, 'Words'), el('ul', null, ...words));
}
