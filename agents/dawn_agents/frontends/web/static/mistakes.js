/** The largest losses of a side in a game that is over, one by one: what would have been better? `?side=communist` tells whose. */
import { byId, el, fill, liveAddress, select, showProblem, SIDE_KEYS, SIDES } from './common.js';
import { announce } from './events.js';
import { quiz } from './quiz.js';

const MOST = 12; // losses to be tried again
const address = location.pathname.split('/')[2];
const query = new URLSearchParams(location.search);
const side = Math.max(0, SIDE_KEYS.indexOf(query.get('side') ?? ''));
/** @type {{at: number, side: number, loss: number, when: string}[]} */ let found = [];
/** @type {Set<number>} */ const solved = new Set(); // decisions, in this visit

const open = quiz({
  address: (number) => `/api/replay/${address}/${found[number - 1].at}/puzzle`,
  count: () => found.length,
  title: (number) => `Mistake ${number} of ${found.length}${solved.has(found[number - 1].at) ? ' ✓' : ''}`,
  next: 'Next mistake',
  opened: () => {},
  found: (number) => { solved.add(found[number - 1].at); },
  choose: (number) => el('p', { class: 'field soft' },
    select('Mistake', found.map(({ at, when }, place) => /** @type {[number, string]} */ ([place + 1, `${place + 1}: ${when}${solved.has(at) ? ' ✓' : ''}`])), number, (value) => open(Number(value))),
    el('a', { href: `/replay/${address}?at=${found[number - 1].at}&viewer=${SIDE_KEYS[side]}` }, 'In the replay')),
});

/** Ask for the losses; they are told while they are found. @returns {Promise<void>} */
function ask() {
  const line = new WebSocket(liveAddress(`/replay/${address}`));
  return new Promise((done, fail) => {
    line.onopen = () => line.send(JSON.stringify({ type: 'losses', side: SIDE_KEYS[side] }));
    line.onclose = () => fail(new Error('The server does not answer. Load the page again to go on.'));
    line.onmessage = (event) => {
      const message = JSON.parse(event.data);
      if (message.type === 'error') fail(new Error(message.text));
      if (message.type !== 'losses') return;
      found = message.losses.filter((/** @type {any} */ loss) => loss.side === side).slice(0, MOST);
      showProgress(message.done);
      if (message.done < message.own) return;
      line.onclose = null;
      line.close();
      done();
    };
  });
}

/** @param {number} share */
function showProgress(share) {
  fill(byId('prompt'), el('h2', null, `Looking for the largest losses of the ${SIDES[side]}`),
    el('p', { class: 'progress' }, el('progress', { value: share, 'aria-label': 'Decisions looked at' }), found.length ? `${found.length} found` : null));
}

showProgress(0);
announce(byId('prompt').textContent ?? '');
try {
  await ask();
  if (found.length) await open(1);
  else {
    fill(byId('prompt'), el('h2', null, 'No mistake found'), el('p', null, `No decision of the ${SIDES[side]} has lost more than chance explains.`),
      el('p', { class: 'buttons' }, el('a', { class: 'button strong', href: `/replay/${address}` }, 'Replay and analysis')));
    announce('No mistake found');
  }
} catch (error) {
  showProblem('The mistakes cannot be told', /** @type {Error} */ (error).message);
}
