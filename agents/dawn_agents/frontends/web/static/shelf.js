/** The games of an opened file. */
import { byId, counted, el, fill, request, showMenu, signed, table, toast } from './common.js';
import { offerSelect } from './newgame.js';

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
  const saved = games.filter((/** @type {any} */ game) => game.unfinished);
  const { players } = saved.length ? await request('/api/start') : { players: [] };
  fill(byId('saved'), ...saved.map((/** @type {any} */ game) => goingOn(game, players)));
  fill(byId('list'), table([head, ...games.map((/** @type {any} */ game) => [game.unfinished ? game.number + 1 : el('a', { href: `/replay/${token}.${game.number}` }, game.number + 1),
    game.players.D, game.players.C, game.result, game.reason, signed(game.vp), game.turn, game.length])]));
}

/** A game saved at the terminal: its opponent, or another one, and a button to go on. @param {any} game @param {import('./newgame.js').Offer[]} players */
function goingOn(game, players) {
  const able = players.filter((offer) => offer.modes.includes(game.mode));
  const [side, spec] = game.players.D === 'human' ? ['Democrat', game.players.C] : ['Communist', game.players.D];
  const opponent = offerSelect(able, 'Opponent', able.some((offer) => offer.spec === spec) ? spec : 'heuristic');
  const begin = () => request(`/api/shelves/${token}/${game.number}/game`, { opponent: opponent.value })
    .then(({ seats }) => { location.href = /** @type {string[]} */ (Object.values(seats))[0]; }, (error) => toast(error.message));
  return el('form', { class: 'panel', onsubmit: (/** @type {Event} */ event) => { event.preventDefault(); begin(); } },
    el('h2', null, `A game to go on: you are the ${side}, turn ${game.turn}`),
    el('p', { class: 'field' }, 'Opponent ', opponent, spec === opponent.value ? null : el('span', { class: 'soft' }, ` The one of the file, ${spec}, is not on offer here.`)),
    el('p', { class: 'buttons' }, el('button', { class: 'strong', 'data-start': 'go-on' }, 'Go on')));
}

showMenu();
show(0).catch((error) => fill(byId('list'), el('p', null, error.message)));
