// @ts-check
/** The games of an opened file. */
import { byId, el, fill, request, signed, showMenu } from './common.js';

const token = location.pathname.split('/')[2];
const PAGE = 100;

/** @param {number} first */
async function show(first) {
  const { title, size, games } = await request(`/api/shelves/${token}?first=${first}`);
  document.title = title;
  fill(byId('title'), title);
  const go = (/** @type {number} */ to, /** @type {string} */ words) => el('button', { type: 'button', disabled: to < 0 || to >= size, onclick: () => show(to) }, words);
  fill(byId('range'), el('span', null, `${size} games`), size > PAGE ? go(first - PAGE, 'Earlier') : null, size > PAGE ? go(first + PAGE, 'Later') : null);
  const head = ['game', 'Democrat', 'Communist', 'result', 'reason', 'VP', 'turn', 'decisions'];
  fill(byId('list'), el('table', null, el('thead', null, el('tr', null, ...head.map((name) => el('th', { scope: 'col' }, name)))),
    el('tbody', null, ...games.map((/** @type {any} */ game) => el('tr', null,
      el('td', null, el('a', { href: `/replay/${token}.${game.number}` }, game.number + 1)), el('td', null, game.players.D), el('td', null, game.players.C),
      el('td', null, game.result), el('td', null, game.reason), el('td', null, signed(game.vp)), el('td', null, game.turn), el('td', null, game.length))))));
}

showMenu();
show(0).catch((error) => fill(byId('list'), el('p', null, error.message)));
