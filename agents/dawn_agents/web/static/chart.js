// @ts-check
/** The course of a game: victory points and the chance of winning, over the decisions. */
import { shape } from './common.js';

const WIDTH = 1000;
const HEIGHT = 110;

/** @param {number[]} values @param {(value: number) => number} height */
function path(values, height) {
  const step = WIDTH / Math.max(1, values.length - 1);
  return values.map((value, at) => `${at ? 'L' : 'M'}${(at * step).toFixed(1)} ${height(value).toFixed(1)}`).join('');
}

/**
 * @param {Element} place @param {{vp: number[], chance: number[], turn: number[]}} course @param {(at: number) => void} go
 * @returns {(at: number) => void} moves the cursor
 */
export function showChart(place, course, go) {
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
