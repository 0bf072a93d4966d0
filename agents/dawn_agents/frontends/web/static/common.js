/** Elements, requests, colours: what all pages share. Text from outside only ever becomes text nodes. */

export const SIDES = ['Democrat', 'Communist'];
export const SIDE_KEYS = ['democrat', 'communist'];
export const PLAYERS = ['first player', 'second player']; // of a bid

/**
 * An element; `on…` properties are listeners, others attributes (null and false leave them out).
 * @param {string} tag
 * @param {Record<string, any> | null} [properties]
 * @param {...(Node | string | number | null | undefined | false)} children
 * @returns {HTMLElement}
 */
export function el(tag, properties, ...children) {
  const element = document.createElement(tag);
  for (const [key, value] of Object.entries(properties ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith('on')) element.addEventListener(key.slice(2), value);
    else element.setAttribute(key, value === true ? '' : String(value));
  }
  fill(element, ...children);
  return element;
}

/** An element of a drawing. @param {string} tag @param {Record<string, string | number>} attributes @param {string} [text] */
export function shape(tag, attributes, text = '') {
  const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  element.textContent = text;
  return element;
}

/** The element of an id, which the page has. @param {string} id @returns {any} */
export function byId(id) {
  return document.getElementById(id);
}

/** Replace what an element holds. @param {Element} element @param {...(Node | string | number | null | false | undefined)} children */
export function fill(element, ...children) {
  const shown = children.filter((child) => child !== null && child !== false && child !== undefined);
  element.replaceChildren(.../** @type {(Node | string)[]} */ (shown)); // numbers become text
}

/**
 * What the server answers as JSON; an error it names is thrown with its text.
 * @param {string} path
 * @param {any} [body] sent as JSON, or as it is when it is a file
 * @returns {Promise<any>}
 */
export async function request(path, body) {
  const options = body === undefined ? {} : { method: 'POST', body: body instanceof Blob ? body : JSON.stringify(body) };
  let response;
  try {
    response = await fetch(path, options);
  } catch {
    throw new Error('The server does not answer. Is it running?');
  }
  const answer = await response.json().catch(() => null);
  if (answer?.type === 'preparing') { // the server was started a moment ago
    dispatchEvent(new CustomEvent('preparing', { detail: answer })); // see `preparing.js`
    await new Promise((done) => setTimeout(done, 500));
    return request(path, body);
  }
  if (!response.ok) throw new Error(answer?.text ?? `The server answers ${response.status}.`);
  return answer;
}

/** Where a live connection is made. @param {string} path @returns {string} */
export function liveAddress(path) {
  return `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/api${path}/live`;
}

/** A square, a disc or a diamond: the Democrat, the Communist, both. @param {number} side @returns {HTMLElement} */
export function mark(side) {
  return el('span', { class: `mark ${sideClass(side)}`, 'aria-hidden': 'true' });
}

/** A mark that is the only thing that tells the side. @param {number} side @returns {HTMLElement} */
export function namedMark(side) {
  return el('span', { class: `mark ${sideClass(side)}`, role: 'img', 'aria-label': SIDES[side] ?? 'Neutral' });
}

/** Short name of a side in classes; `n` for neither. @param {number} side */
export function sideClass(side) {
  return ['d', 'c'][side] ?? 'n';
}

/** @param {number} number */
export function signed(number) {
  return number > 0 ? `+${number}` : number < 0 ? `\u2212${-number}` : '0';
}

/** `1 card`, `2 cards`. @param {number} number @param {string} word */
export function counted(number, word) {
  return `${number} ${word}${number === 1 ? '' : 's'}`;
}

/** @param {string} words */
export function capital(words) {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** `power:leader-church` as `Leader, church`. @param {string} face */
export function faceName(face) {
  const [kind, ...rest] = face.split('-');
  if (kind === 'leader') return `${capital(rest.join(' '))} leader`;
  return capital(face.replace('-', ' '));
}

/** Show a line that matters for a moment. @param {string} text */
export function toast(text) {
  const box = byId('toast') ?? document.body.appendChild(el('div', { id: 'toast', role: 'alert' }));
  box.textContent = text;
  box.className = 'shown';
  clearTimeout(Number(box.dataset.timer));
  box.dataset.timer = String(setTimeout(() => { box.className = ''; }, 6000));
}

/** Say in a line why something cannot be chosen, unless there is nothing to say. @param {string} name @param {string} why */
export function refuse(name, why) {
  if (why) toast(`${name}: ${why}.`);
}

/** Copy a text, and say so. @param {string} text @param {string} what */
export async function copyText(text, what) {
  try {
    await navigator.clipboard.writeText(text);
    toast(`${what} copied.`);
  } catch {
    window.prompt(`${what}:`, text);
  }
}

const HERE = ['localhost', '127.0.0.1', '[::1]'];

/**
 * A link for other people, which leads to this machine by an address that others reach.
 * @param {string} path @param {string | null} address of this machine for others, null where it answers itself only
 * @returns {{link: string, note: string}} the link, and what it needs to work elsewhere
 */
export function invitation(path, address) {
  const url = new URL(path, location.href);
  if (!HERE.includes(url.hostname)) return { link: url.href, note: '' };
  if (address) {
    url.hostname = address;
    return { link: url.href, note: `Works for whoever reaches this machine at ${address}.` };
  }
  return { link: url.href, note: 'This link works on this machine only. For others, stop the server and start it with: dawn web --host 0.0.0.0' };
}

const dark = matchMedia('(prefers-color-scheme: dark)');

/** Light or dark: as the reader chose, else as the system says. */
function showTheme() {
  document.documentElement.dataset.theme = localStorage.getItem('theme') ?? (dark.matches ? 'dark' : 'light');
}

/** A button that changes between light and dark. @returns {HTMLElement} */
function themeButton() {
  const turn = () => {
    localStorage.setItem('theme', document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark');
    showTheme();
  };
  return el('button', { class: 'quiet', type: 'button', onclick: turn, title: 'Light or dark', 'aria-label': 'Light or dark' }, '◐');
}

/** @param {string} key @param {any} otherwise */
export function remembered(key, otherwise) {
  try {
    return JSON.parse(localStorage.getItem(key) ?? 'null') ?? otherwise;
  } catch {
    return otherwise;
  }
}

/** @typedef {{path: string, title: string, at: number, opponent?: string, together?: boolean}} Seat `opponent`: path of the other seat, where it
 * was made here; `together`: whether both people sit at this screen */

/** The seats this browser has opened, the latest first. @returns {Seat[]} */
export function ownSeats() {
  return remembered('seats', []);
}

/** Keep a seat, with what is known of it already. @param {string} path @param {Partial<Seat>} about */
export function rememberSeat(path, about) {
  const former = ownSeats().find((seat) => seat.path === path);
  const seats = [{ title: '', ...former, path, at: Date.now(), ...about }, ...ownSeats().filter((seat) => seat.path !== path)];
  localStorage.setItem('seats', JSON.stringify(seats.sort((one, other) => other.at - one.at).slice(0, 50)));
}

/** Keep both seats of two people at this screen. @param {string} one @param {string} other */
export function rememberTogether(one, other) {
  rememberSeat(other, { title: 'Two people at this screen', opponent: one, together: true });
  rememberSeat(one, { title: 'Two people at this screen', opponent: other, together: true });
}

/** @param {string} path */
export function forgetSeat(path) {
  localStorage.setItem('seats', JSON.stringify(ownSeats().filter((seat) => seat.path !== path)));
}

/** Whether the question stays at the bottom of the window, with the rest above it; else it stands beside the map. */
export const stacked = matchMedia('(max-width: 959px) and (min-height: 501px), (max-width: 559px)');

/** Whether there is room for more than what matters most. */
export const roomy = matchMedia('(min-width: 960px) and (min-height: 501px)');

/** Whether the narrow layout is shown. */
export const narrow = matchMedia('(max-width: 800px), (max-height: 500px)');

/** What is drawn of the map. @returns {'narrow' | 'wide'} */
export function layout() {
  return narrow.matches ? 'narrow' : 'wide';
}

/** Say in place of the question why a page has nothing to show. @param {string} title @param {string} words */
export function showProblem(title, words) {
  fill(byId('prompt'), el('h2', null, title), el('p', null, words), el('p', null, el('a', { href: '/' }, 'Start page')));
}

/** What lies under the clock of a page: its buttons, and light or dark. @param {...(Node | null)} buttons */
export function showMenu(...buttons) {
  fill(byId('menu'), ...buttons, themeButton());
}

/**
 * A list to choose from.
 * @param {string} label @param {Iterable<[string | number, string]>} options values and words @param {string | number} chosen
 * @param {(value: string) => void} [change]
 */
export function select(label, options, chosen, change) {
  return /** @type {HTMLSelectElement} */ (el('select', { 'aria-label': label, onchange: (/** @type {any} */ event) => change?.(event.target.value) },
    ...[...options].map(([value, words]) => el('option', { value, selected: value === chosen }, words))));
}

/** A button of the menu. @param {string} words @param {() => void} action @param {string} [title] */
export function menuButton(words, action, title) {
  return el('button', { type: 'button', class: 'quiet', onclick: action, title }, words);
}

/** A dialog that is closed by Escape or a click beside it. @param {string} title @param {...Node} children */
export function dialog(title, ...children) {
  const close = el('button', { class: 'quiet', type: 'button', 'aria-label': 'Close', onclick: () => box.close() }, '✕');
  const box = /** @type {HTMLDialogElement} */ (el('dialog', { 'aria-label': title },
    el('div', { class: 'dialog' }, el('header', null, el('h2', null, title), close), ...children)));
  box.addEventListener('close', () => box.remove());
  box.addEventListener('click', (event) => { if (event.target === box) box.close(); });
  document.body.append(box);
  box.showModal();
  return box;
}

/** The space of an action, empty for other actions. @param {string | null | undefined} action */
export function spaceOf(action) {
  return action?.startsWith('space:') ? action.slice(6) : '';
}

/** A table with a head; an empty cell heads nothing. @param {(string | number | Node)[][]} rows */
export function table([head, ...rows]) {
  return el('div', { class: 'scroll', tabindex: '0' }, el('table', null,
    el('thead', null, el('tr', null, ...head.map((cell) => cell === '' ? el('td', null) : el('th', { scope: 'col' }, cell)))),
    el('tbody', null, ...rows.map((row) => el('tr', null, ...row.map((cell, at) => el(at ? 'td' : 'th', at ? null : { scope: 'row' }, cell)))))));
}

const pace = new URLSearchParams(location.search).get('pace');
if (pace !== null) sessionStorage.setItem('pace', pace); // `?pace=0` holds for the pages that follow in this tab
dark.addEventListener('change', showTheme);
showTheme();
