/** Puzzles: decisions of recorded games, in which one action is much better than the one taken; a set for each kind of game. */
import { el, remembered, request, select, showProblem } from './common.js';
import { quiz } from './quiz.js';

/** @typedef {{mode: string, title: string, ids: string[]}} Set_ */

/** @type {{sets: Set_[]}} */
const { sets } = await request('/api/puzzles').catch((error) => {
  showProblem('The puzzles cannot be opened', error.message);
  throw error;
});
const query = new URLSearchParams(location.search);
/** @type {Record<string, number>} */ const places = { ...remembered('puzzles', {}) }; // where each set was left
/** @type {Set<string>} */ const solved = new Set(remembered('solved', []));
let set = named(query.get('set') ?? remembered('set', ''));

/** A set by its mode, or else the first one. @param {string} mode @returns {Set_} */
function named(mode) {
  return sets.find((one) => one.mode === mode) ?? sets[0];
}

const open = quiz({
  address: (number) => `/api/puzzles/${set.mode}/${number}`,
  count: () => set.ids.length,
  title: (number) => `${set.title}: puzzle ${number} of ${set.ids.length}${solved.has(set.ids[number - 1]) ? ' ✓' : ''}`,
  next: 'Next puzzle',
  opened(number) {
    places[set.mode] = number;
    localStorage.setItem('puzzles', JSON.stringify(places));
    localStorage.setItem('set', JSON.stringify(set.mode));
    history.replaceState(null, '', `?set=${set.mode}&n=${number}`);
  },
  found(number) {
    solved.add(set.ids[number - 1]);
    localStorage.setItem('solved', JSON.stringify([...solved]));
  },
  choose(number) {
    const count = (/** @type {Set_} */ one) => one.ids.filter((id) => solved.has(id)).length;
    const names = sets.map((one) => /** @type {[string, string]} */ ([one.mode, `${one.title} (${count(one)} of ${one.ids.length} solved)`]));
    const numbers = set.ids.map((id, at) => /** @type {[number, string]} */ ([at + 1, `${at + 1}${solved.has(id) ? ' ✓' : ''}`]));
    return el('p', { class: 'field soft' }, sets.length > 1 ? select('Set of puzzles', names, set.mode, (mode) => { set = named(mode); open(place()); }) : names[0][1],
      select('Puzzle', numbers, number, (value) => open(Number(value))));
  },
});

/** Where the set was left. */
function place() {
  return within(places[set.mode]);
}

/** @param {unknown} number */
function within(number) {
  const wanted = Math.floor(Number(number)) || 1;
  return wanted >= 1 && wanted <= set.ids.length ? wanted : 1;
}

await open(query.has('n') ? within(query.get('n')) : place());
