/** The start page. */
import { byId, capital, copyText, counted, el, fill, forgetSeat, invitation, ownSeats, remembered, rememberSeat, rememberTogether, request, select, SIDE_KEYS, showMenu, toast } from './common.js';
import { kindChoice, offerChoice, offerSelect, seating, SEATS, seedField, sideChoice } from './newgame.js';

/** @type {{players: import('./newgame.js').Offer[], games: import('./newgame.js').Kind[], address: string | null, most: number}} `most`: bytes of a file */
const start = await request('/api/start').catch((error) => {
  fill(byId('new'), el('p', null, error.message));
  throw error;
});

/** Run something that may fail, and say why; not again soon after it has succeeded. @param {() => Promise<void>} action */
function trying(action) {
  let busy = false;
  return (/** @type {Event} */ event) => {
    event.preventDefault();
    if (busy) return; // one click is enough
    busy = true;
    const end = () => { busy = false; };
    action().then(() => setTimeout(end, 3000), (error) => { end(); toast(error.message); });
  };
}

function newGame() {
  const sides = sideChoice();
  const bidding = el('p', { class: 'soft' }, capital(`${start.games.find((/** @type {any} */ kind) => kind.options.bid).note}.`));
  const opponents = el('div');
  const inviting = trying(invite);
  const form = /** @type {HTMLFormElement} */ (el('form', { onsubmit: trying(play) },
    kindChoice(start.games, fit), sides, bidding, opponents,
    el('p', { class: 'buttons' }, el('button', { class: 'strong', 'data-start': 'play' }, 'Play'),
      el('button', { type: 'button', 'data-start': 'two', onclick: (/** @type {Event} */ event) => form.reportValidity() && inviting(event) }, 'Two people, by links'),
      el('button', { type: 'button', 'data-start': 'together', onclick: trying(together) }, 'Two people, one screen')),
    el('div', { id: 'invitation', role: 'status' }),
    el('label', { class: 'field' }, el('input', { type: 'checkbox', name: 'practice' }), 'Practice: take back every decision', el('span', { class: 'soft' }, 'against programs; the record says so')), seedField()));
  const kind = () => kindNamed(new FormData(form).get('kind'));
  /** Show what there is to choose for the kind of game. */
  function fit() {
    const { name } = kind();
    sides.hidden = name === 'bid';
    bidding.hidden = !sides.hidden;
    fill(opponents, offerChoice(playersFor(kind())));
  }
  const read = () => {
    const data = new FormData(form);
    const chosen = kind();
    const seats = seatsOf(chosen);
    const side = data.get('side') === 'random' ? SIDE_KEYS[Math.random() < 0.5 ? 0 : 1] : String(data.get('side'));
    return { practice: data.has('practice'), seats, seat: chosen.name === 'bid' ? 'first' : side, opponent: String(data.get('opponent')), seed: String(data.get('seed')), options: chosen.options };
  };
  async function play() {
    const { seats, seat, opponent, seed, options, practice } = read();
    location.href = (await request('/api/games', { players: seating(seat, 'human', opponent, seats), seed, options, practice })).seats[seat];
  }
  async function together() {
    const { seats, options } = read();
    const links = await request('/api/games', { players: seating(seats[0], 'human', 'human', seats), options });
    rememberTogether(links.seats[seats[0]], links.seats[seats[1]]);
    location.href = links.seats[seats[0]];
  }
  async function invite() {
    const { seats, seat, seed, options } = read();
    const links = await request('/api/games', { players: seating(seat, 'human', 'human', seats), options });
    const other = seats[1 - seats.indexOf(seat)];
    rememberSeat(links.seats[seat], { title: 'Two people, not begun yet', opponent: links.seats[other] });
    ownGames();
    fill(byId('invitation'), linkField('Send this link to your opponent; whoever has it plays:', links.seats[other], other),
      linkField('Whoever has this one watches what is open to all:', links.watch, 'watch'),
      seed ? el('p', { class: 'soft', 'data-note': 'seed' }, 'The seed is not used: whoever knows it knows the cards of both sides.') : null,
      el('p', { class: 'buttons' }, el('a', { class: 'button strong', href: links.seats[seat], 'data-link': seat }, 'Go to your seat')));
  }
  fill(byId('new'), form);
  fit();
}

/** A link to be copied and sent. @param {string} words @param {string} path @param {string} name */
function linkField(words, path, name) {
  const { link, note } = invitation(path, start.address);
  return el('div', null, el('p', null, words), el('p', { class: 'buttons' },
    el('input', { type: 'text', readonly: true, value: link, 'data-link': name, 'aria-label': words, size: 30 }),
    el('button', { type: 'button', onclick: () => copyText(link, 'Link') }, 'Copy')), note ? el('p', { class: 'soft', 'data-note': name }, note) : null);
}

const REGRET = 10000; // milliseconds in which a game that was taken off the list can be put back
/** @type {Map<string, import('./common.js').Seat>} */ const gone = new Map(); // taken off a moment ago, by path

function ownGames() {
  const seats = [...ownSeats().filter((seat) => !gone.has(seat.path)), ...gone.values()].sort((one, other) => other.at - one.at);
  const forget = (/** @type {import('./common.js').Seat} */ seat) => {
    forgetSeat(seat.path);
    gone.set(seat.path, seat);
    ownGames();
    byId('own').querySelector(`[data-gone="${seat.path}"] button`).focus();
    setTimeout(() => { if (gone.delete(seat.path)) ownGames(); }, REGRET);
  };
  const restore = (/** @type {import('./common.js').Seat} */ seat) => {
    gone.delete(seat.path);
    rememberSeat(seat.path, seat);
    ownGames();
  };
  const row = (/** @type {import('./common.js').Seat} */ seat) => (gone.has(seat.path)
    ? el('li', { 'data-gone': seat.path }, el('span', { class: 'soft', role: 'status' }, `Taken off the list: ${seat.title} `),
      el('button', { type: 'button', 'data-start': 'restore', onclick: () => restore(seat) }, 'Undo'))
    : el('li', null, el('a', { href: seat.path }, seat.title), el('span', { class: 'soft' }, ` ${new Date(seat.at).toLocaleString()} `),
      el('button', { type: 'button', class: 'quiet', 'aria-label': `Forget: ${seat.title}`, title: 'Take off this list', onclick: () => forget(seat) }, '✕')));
  fill(byId('own'), el('h2', null, 'Your games'), seats.length ? el('ul', { class: 'games' }, ...seats.map(row))
    : el('p', { class: 'soft' }, 'Games that you play in this browser are listed here, to go on at any time.'));
}

function watching() {
  const kinds = select('Game to watch', start.games.map((kind) => /** @type {[string, string]} */ ([kind.name, kind.title])), 'standard', () => fit());
  const players = el('p', { class: 'field' });
  const form = /** @type {HTMLFormElement} */ (el('form', { onsubmit: trying(watch) }, el('h2', null, 'Watch two players'),
    el('p', { class: 'field' }, kinds), players, el('p', { class: 'buttons' }, el('button', { 'data-start': 'watch' }, 'Watch'))));
  const kind = () => kindNamed(kinds.value);
  function fit() {
    const [one, other] = seatsOf(kind());
    const able = playersFor(kind());
    fill(players, offerSelect(able, one, 'heuristic'), ' against ', offerSelect(able, other, 'heuristic'));
  }
  async function watch() {
    const data = new FormData(form);
    const seats = seatsOf(kind());
    const { replay } = await request('/api/games', { players: Object.fromEntries(seats.map((seat) => [seat, data.get(seat)])), options: kind().options });
    location.href = `${replay}?watch=1`;
  }
  fill(byId('watch'), form);
  fit();
}

/** @param {unknown} name @returns {import('./newgame.js').Kind} */
function kindNamed(name) {
  return /** @type {import('./newgame.js').Kind} */ (start.games.find((one) => one.name === name));
}

/** The seats of a kind of game. @param {import('./newgame.js').Kind} kind */
function seatsOf(kind) {
  return kind.options.bid ? SEATS : SIDE_KEYS;
}

/** Who plays a kind of game; ratings are those of the standard game. @param {import('./newgame.js').Kind} kind */
function playersFor(kind) {
  const mode = kind.options.mode ?? 'standard';
  const able = start.players.filter((offer) => offer.modes.includes(mode));
  return mode === 'standard' ? able : able.map((offer) => ({ ...offer, rating: null }));
}

function opening() {
  const input = /** @type {HTMLInputElement} */ (el('input', { type: 'file', name: 'file', 'aria-label': 'File to open', onchange: () => input.files?.[0] && open(input.files[0], input.files[0].name) }));
  const pasted = /** @type {HTMLTextAreaElement} */ (el('textarea', { rows: 4, name: 'position', 'aria-label': 'Position as JSON', placeholder: '{ … }' }));
  async function openFile(/** @type {Blob} */ contents, /** @type {string} */ title) {
    if (contents.size > start.most) throw new Error(`This file has ${megabytes(contents.size)} MB; ${megabytes(start.most)} can be opened`);
    const { shelf, games, unfinished } = await request(`/api/shelves?title=${encodeURIComponent(title)}`, contents);
    const path = games === 1 && !unfinished ? `${shelf.replace('/shelf/', '/replay/')}.0` : shelf;
    const files = openedFiles().filter((file) => file.title !== title);
    localStorage.setItem('files', JSON.stringify([{ path, title, games }, ...files].slice(0, 20)));
    location.href = path;
  }
  const open = (/** @type {Blob} */ contents, /** @type {string} */ title) => openFile(contents, title).catch((error) => toast(`${capital(error.message)}.`));
  fill(byId('open'), el('h2', null, 'Open a file or a position'),
    el('p', { class: 'soft' }, 'Game records (one a line), a game saved at the terminal, the database of a tournament, or a position as JSON.'),
    el('p', { class: 'field' }, input),
    el('details', null, el('summary', null, 'Paste a position'), pasted, el('p', { class: 'buttons' },
      el('button', { type: 'button', 'data-start': 'position', onclick: () => open(new Blob([pasted.value]), 'Position') }, 'Look at it'))),
    openedFiles().length ? el('ul', { class: 'games', 'aria-label': 'Opened files' }, ...openedFiles().map((file) => el('li', null, el('a', { href: file.path }, file.title),
      el('span', { class: 'soft' }, ` ${counted(file.games, 'game')}`)))) : null);
}

/** Files that this browser has opened, the latest first. @returns {{path: string, title: string, games: number}[]} */
function openedFiles() {
  return remembered('files', []);
}

/** @param {number} bytes */
function megabytes(bytes) {
  return Math.ceil(bytes / 2 ** 20);
}

showMenu();
newGame();
ownGames();
watching();
opening();
