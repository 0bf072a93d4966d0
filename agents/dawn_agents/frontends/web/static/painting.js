/** The map of a position: the board as the server draws it at the beginning, painted with what a state says. */
import { layout, shape, sideClass, SIDES, SIDE_KEYS } from './common.js';
import { boards, facts, fetchBoard, spaceNumber } from './facts.js';

/** @typedef {import('./facts.js').Space} Space */
/** @typedef {{support: number[], holder: number, marks: [string, string][], way: string | undefined}} Held what is to be painted of a space */

const NEUTRAL_CORNER = 4;
const CORNERS = [0, 14]; // of what a side holds
const FRAME = 2; // from a box to the middle of the frame of a battleground
/** @type {WeakMap<SVGGElement, string>} */ const looks = new WeakMap(); // what is painted of each space, as JSON

/** Put a board into its place, unless it is there. @param {HTMLElement} place @param {string} address @returns {Promise<void> | null} null when nothing has to be fetched */
export function putBoard(place, address) {
  if (place.dataset.board === address) return null;
  if (!boards[address]) return fetchBoard(address);
  place.innerHTML = boards[address];
  place.dataset.board = address;
  for (const title of place.querySelectorAll('[data-space] > title')) {
    /** @type {HTMLElement} */ (title.parentElement).dataset.words = title.textContent ?? '';
    title.remove();
  }
  return null;
}

/** Paint spaces, countries and what moves. @param {HTMLElement} place @param {any} state */
export function paint(place, state) {
  const ways = new Map(state.move ? [[state.move.origin, 'from'], [state.move.destination, 'to']] : []);
  for (const group of spacesOf(place)) {
    const at = spaceNumber(group.dataset.space);
    const support = state.support.map((/** @type {number[]} */ points) => points[at]);
    const held = { support, holder: state.control[at], marks: state.marks[at] ?? [], way: ways.get(at) };
    paintSpace(group, facts.spaces[at], held);
  }
  for (const group of place.querySelectorAll('[data-country]')) {
    const at = facts.countries.indexOf(group.getAttribute('data-country') ?? '');
    const panel = /** @type {SVGGElement} */ (place.querySelector(`[data-panel="${facts.countries[at]}"]`));
    paintPanel(panel, state.standings[at][0], state.changes.countries.includes(facts.countries[at]));
    paintStatus(/** @type {HTMLElement} */ (group.querySelector('.status')), state.standings[at], state.scores[at], state.mode === 'family');
  }
  paintMove(place, state.move);
}

// --- spaces -------------------------------------------------------------------------------------------------

/** @param {SVGGElement} group @param {Space} space @param {Held} held */
function paintSpace(group, space, held) {
  const look = JSON.stringify(held);
  if (looks.get(group) === look) return;
  looks.set(group, look);
  const { support, holder } = held;
  const [width, height] = boxSize(group);
  const corner = CORNERS[holder] ?? NEUTRAL_CORNER;
  const edge = holder === 1 ? 5 : 3;
  const frame = { x: -FRAME, y: -FRAME, width: width + 2 * FRAME, height: height + 2 * FRAME, rx: corner && corner + FRAME };
  group.querySelector('.held')?.replaceChildren(
    ...(space.battleground ? [shape('rect', { ...frame, class: 'battleground' })] : []),
    shape('rect', { x: 0, y: 0, width, height, class: holder < 0 ? 'box' : sideClass(holder), rx: corner }),
    ...(holder === 1 ? [shape('rect', { width, height, rx: corner, fill: 'url(#dawn-hatch)' })] : []),
    ...[edge, width - 20 - edge].flatMap((x, side) => (support[side] ? chip(side, support[side], x, height - 18, holder >= 0) : [])),
  );
  group.setAttribute('class', `space ${holder >= 0 ? 'on' : 'ink'}`);
  if (holder >= 0) group.setAttribute('data-holder', SIDE_KEYS[holder]);
  else group.removeAttribute('data-holder');
  for (const mark of group.querySelectorAll('.gone, .marker')) mark.remove();
  for (const [, words] of held.marks) {
    group.append(words ? label(width / 2, height + 3, words, 8, 'changed', 'dark', 3, 'marker')
      : shape('path', { d: `M2 2L${width - 2} ${height - 2}M2 ${height - 2}L${width - 2} 2`, class: 'gone' }));
  }
  group.dataset.words = spaceWords(space, held);
}

/** Support points of a side. @param {number} side @param {number} points @param {number} x @param {number} y @param {boolean} inverse on the colour of a side */
function chip(side, points, x, y, inverse) {
  const name = sideClass(side);
  return [shape('rect', { x, y, width: 20, height: 15, class: inverse ? 'on' : name, rx: side === 1 ? 7.5 : 0 }),
    shape('text', { x: x + 10, y: y + 12, 'font-size': 11.5, class: `${inverse ? name : 'on'} bold`, 'text-anchor': 'middle' }, `${points}`)];
}

/** The space in words, for tooltips and screen readers. @param {Space} space @param {Held} held */
function spaceWords(space, { support, holder, marks, way }) {
  return [`${space.name}: ${space.type}, stability ${space.stability}`, space.battleground ? 'battleground' : '',
    ...SIDES.map((side, at) => `${side} ${support[at]}`), holder >= 0 ? `controlled by ${SIDES[holder]}` : '',
    ...marks.map(([words]) => words), way ? `support moves ${way} here` : ''].filter(Boolean).join(', ');
}

/** A short text on a coloured ground. @param {number} x its middle @param {number} y its line @param {string} words @param {number} size
 * @param {string} ground class @param {string} ink class @param {number} rx @param {string} name class of the whole */
function label(x, y, words, size, ground, ink, rx, name) {
  const width = words.length * size * 0.68 + 8;
  const group = shape('g', { class: name });
  group.append(shape('rect', { x: x - width / 2, y: y - size, width, height: size + 4, class: ground, rx }),
    shape('text', { x, y: y + 0.5, 'font-size': size, class: ink, 'text-anchor': 'middle' }, words));
  return group;
}

// --- countries ----------------------------------------------------------------------------------------------

/** Its edge, in the colour of who leads. @param {SVGGElement} panel @param {number} side @param {boolean} isNews */
function paintPanel(panel, side, isNews) {
  const edge = /** @type {Element} */ (panel.querySelector('rect'));
  const [land] = (edge.getAttribute('class') ?? '').split(' ');
  const [width, height] = size(edge);
  const rx = CORNERS[side] ?? NEUTRAL_CORNER;
  panel.replaceChildren(shape('rect', { x: 0, y: 0, width, height, class: `${land} ${sideClass(side)}e`, rx }),
    ...(isNews ? [shape('rect', { x: -1, y: -1, width: width + 2, height: height + 2, class: 'change', rx })] : []));
}

/** Who leads, the score of a scoring now, and what a scoring is worth. @param {HTMLElement} status @param {[number, string, string]} standing @param {number} score
 * @param {boolean} isScore the words are the score */
function paintStatus(status, [side, words, worth], score, isScore) {
  const [left, right] = [status.dataset.left, status.dataset.right].map(Number);
  const [line, scored] = [{ y: 19, 'font-size': 9 }, { 'data-scored-now': `${score < 0 ? '' : '+'}${score}` }];
  const mark = side < 0 ? [] : [side ? shape('circle', { cx: left + 5, cy: 14, r: 5.5, class: 'c' }) : shape('rect', { x: left, y: 9, width: 10, height: 10, class: 'd' })];
  const leader = score < 0 ? 1 : 0;
  const end = shape('text', { ...line, x: right, 'text-anchor': 'end' });
  if (!isScore) end.append(shape('tspan', { class: score ? `${sideClass(leader)}w` : 'soft bold', ...scored }, score ? `now ${SIDES[leader][0]} +${Math.abs(score)}` : 'now 0'));
  end.append(shape('tspan', { class: 'soft', dx: 5 }, ` ${worth}`));
  status.replaceChildren(...mark, shape('text', { ...line, x: left + 15 * mark.length, class: side < 0 ? 'soft bold' : `${sideClass(side)}w`, ...(isScore ? scored : {}) }, words), end);
}

// --- what moves ---------------------------------------------------------------------------------------------

/** The connection along which points move, and its ends. @param {HTMLElement} place @param {any} move */
function paintMove(place, move) {
  const map = /** @type {SVGElement} */ (place.firstElementChild);
  for (const old of map.querySelectorAll('.path, .end')) old.remove();
  if (!move) return;
  const spaces = [move.origin, move.destination].filter((at) => at >= 0);
  const boxes = spaces.map((at) => {
    const group = /** @type {SVGGElement} */ (map.querySelector(`[data-space="${facts.spaces[at].name}"]`));
    return [...origin(group), ...boxSize(group)];
  });
  const edge = `${sideClass(move.side)}e`;
  const isDrawn = boxes.length === 2 && (layout() === 'wide' || facts.spaces[spaces[0]].country === facts.spaces[spaces[1]].country);
  const [from, to] = boxes.map(([x, y, width, height]) => [x + width / 2, y + height / 2]);
  if (isDrawn) map.querySelector('[data-country]')?.before(shape('line', { x1: from[0], y1: from[1], x2: to[0], y2: to[1], class: `${edge} moving path` }));
  for (const [number, [x, y, width, height]] of boxes.entries()) {
    const end = shape('g', { transform: `translate(${x} ${y})`, class: 'end' });
    end.append(shape('rect', { x: -4, y: -4, width: width + 8, height: height + 8, class: `${edge} moving`, rx: CORNERS[move.side] }),
      label(width / 2, height + 8, number ? 'to' : 'from', 9, sideClass(move.side), 'on bold', move.side ? 5 : 0, 'tab'));
    map.append(end);
  }
}

/** The spaces of a map. @param {HTMLElement} place @returns {SVGGElement[]} */
export function spacesOf(place) {
  return [...place.querySelectorAll('[data-space]')].map((group) => /** @type {SVGGElement} */ (group));
}

/** Where a group lies on the map. @param {Element} group @returns {number[]} */
export function origin(group) {
  return (group.getAttribute('transform')?.match(/-?[\d.]+/g) ?? ['0', '0']).map(Number);
}

/** Width and height. @param {Element} element */
export function size(element) {
  return ['width', 'height'].map((key) => Number(element.getAttribute(key)));
}

/** Width and height of the box of a space. @param {Element} group */
export function boxSize(group) {
  return size(/** @type {Element} */ (group.querySelector('.held > rect:not(.battleground)')));
}
