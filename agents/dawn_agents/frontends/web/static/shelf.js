/** The games of an opened file. */
import { byId, counted, el, fill, request, showMenu, signed, table } from './common.js';

const token = location.pathname.split('/')[2];
const PAGE = 100;

/** @param {number} first */
async function show(first) {
  const { title, size, games } = await request(`/api/shelves/${token}?first=${first}`);
  document.title = title;
  fill(byId('title'), title);
  const go = (/** @type {number} */ to, /** @type {string} */ words) => el('button', { type: 'button', disabled: to < 0 || to >= size, onclick: () => show(to) }, words);
  fill(byId('range'), el('span', null, counted(size, 'game')), size > PAGE ? go(first - PAGE, 'Earlier') : null, size > PAGE ? go(first + PAGE, 'Later') : null);
  const head = ['game', 'Democrat', 'Communist', 'result', 'reason', 'VP', 'turn', 'decisions'];
  fill(byId('list'), table([head, ...games.map((/** @type {any} */ game) => [el('a', { href: `/replay/${token}.${game.number}` }, game.number + 1),
    game.players.D, game.players.C, game.result, game.reason, signed(game.vp), game.turn, game.length])]));
}

showMenu();
show(0).catch((error) => fill(byId('list'), el('p', null, error.message)));
