// @ts-check
/** The start page. */
import { byId, copyText, el, fill, forgetSeat, ownSeats, request, themeButton, toast } from './common.js';
import { createGame, moreFields, offerChoice, offerSelect, optionValues, seating, settledSide, sideChoice } from './newgame.js';

/** @type {{players: import('./newgame.js').Offer[], options: import('./newgame.js').Option[]}} */
const start = await request('/api/start').catch((error) => {
  fill(byId('new'), el('p', null, error.message));
  throw error;
});

/** Run something that may fail, and say why. @param {() => Promise<void>} action */
function trying(action) {
  return (/** @type {Event} */ event) => {
    event.preventDefault();
    action().catch((error) => toast(error.message));
  };
}

function newGame() {
  const form = /** @type {HTMLFormElement} */ (el('form', { onsubmit: trying(play) },
    el('h2', null, 'New game'), sideChoice(), offerChoice([...start.players].reverse()), moreFields(start.options),
    el('p', { class: 'buttons' }, el('button', { class: 'strong', 'data-start': 'play' }, 'Play'),
      el('button', { type: 'button', 'data-start': 'two', onclick: trying(invite) }, 'Two people, by links')),
    el('div', { id: 'invitation' })));
  const read = () => {
    const data = new FormData(form);
    return { side: settledSide(String(data.get('side'))), opponent: String(data.get('opponent')), seed: String(data.get('seed')), options: optionValues(form, start.options) };
  };
  async function play() {
    const { side, opponent, seed, options } = read();
    location.href = (await createGame({ players: seating(side, 'human', opponent), seed, options })).seats[side];
  }
  async function invite() {
    const { side, options } = read(); // no seed: whoever knows it knows the cards
    const { seats } = await createGame({ players: seating(side, 'human', 'human'), options });
    const other = side === 'democrat' ? 'communist' : 'democrat';
    const link = new URL(seats[other], location.href).href;
    fill(byId('invitation'), el('p', null, 'Send this link to your opponent; whoever has it plays the ', el('b', null, other), ':'),
      el('p', { class: 'buttons' }, el('input', { type: 'text', readonly: true, value: link, 'data-link': other, 'aria-label': 'Link for the opponent', size: 30 }),
        el('button', { type: 'button', onclick: () => copyText(link, 'Link') }, 'Copy'),
        el('a', { class: 'button strong', href: seats[side], 'data-link': side }, 'Go to your seat')));
  }
  fill(byId('new'), form);
}

function ownGames() {
  const seats = ownSeats();
  const row = (/** @type {{path: string, title: string, at: number}} */ seat) => el('li', null,
    el('a', { href: seat.path }, seat.title), el('span', { class: 'soft' }, ` ${new Date(seat.at).toLocaleString()} `),
    el('button', { type: 'button', class: 'quiet', 'aria-label': `Forget: ${seat.title}`, title: 'Take off this list', onclick: () => { forgetSeat(seat.path); ownGames(); } }, '✕'));
  fill(byId('own'), el('h2', null, 'Your games'), seats.length ? el('ul', { class: 'games' }, ...seats.map(row))
    : el('p', { class: 'soft' }, 'Games that you play in this browser are listed here, to go on at any time.'));
}

function watching() {
  const form = /** @type {HTMLFormElement} */ (el('form', { onsubmit: trying(watch) }, el('h2', null, 'Watch two players'),
    el('p', { class: 'field' }, offerSelect(start.players, 'democrat', 'heuristic'), ' against ', offerSelect(start.players, 'communist', 'heuristic')),
    el('p', { class: 'buttons' }, el('button', { 'data-start': 'watch' }, 'Watch'))));
  async function watch() {
    const data = new FormData(form);
    const { replay } = await createGame({ players: { democrat: data.get('democrat'), communist: data.get('communist') } });
    location.href = `${replay}?watch=1`;
  }
  fill(byId('watch'), form);
}

function opening() {
  const input = /** @type {HTMLInputElement} */ (el('input', { type: 'file', name: 'file', 'aria-label': 'File to open', onchange: () => input.files?.[0] && open(input.files[0]) }));
  async function openFile(/** @type {File} */ file) {
    const { shelf, games } = await request(`/api/shelves?title=${encodeURIComponent(file.name)}`, file);
    location.href = games === 1 ? `${shelf.replace('/shelf/', '/replay/')}.0` : shelf;
  }
  const open = (/** @type {File} */ file) => openFile(file).catch((error) => toast(error.message));
  fill(byId('open'), el('h2', null, 'Replay a file'),
    el('p', { class: 'soft' }, 'Game records (one a line), a game saved at the terminal, or the database of a tournament.'), el('p', { class: 'field' }, input));
  document.addEventListener('dragover', (event) => event.preventDefault());
  document.addEventListener('drop', (event) => {
    event.preventDefault();
    if (event.dataTransfer?.files[0]) open(event.dataTransfer.files[0]);
  });
}

fill(byId('menu'), themeButton());
newGame();
ownGames();
watching();
opening();
