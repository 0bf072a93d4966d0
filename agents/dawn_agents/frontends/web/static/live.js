/** The line to the server of a page that follows a game: states come by themselves, and again after every break. */
import { capital, liveAddress, showProblem, SIDE_KEYS, SIDES, toast } from './common.js';
import { announce } from './events.js';
import { showPreparing } from './preparing.js';

const SILENCE = 5000; // milliseconds after which a line is given up; the server says something more often

/**
 * Follow a game until it is closed for good.
 * @param {string} path `/seat/TOKEN` or `/watch/TOKEN`
 * @param {{state: (message: any, log: any[], from: number, undone: string, isFirst: boolean) => void, other?: (message: any) => void,
 *   refused?: () => void}} on a state with all events, of which those from `from` on are new, words for what another side has taken
 *   back, and whether it is the first one of a connection; other messages; something that was asked for and cannot be
 * @param {number} begin events that are not new to a page that is opened
 * @returns {(wish: any) => boolean} sends a wish; false when there is no connection
 */
export function follow(path, on, begin = Infinity) {
  /** @type {WebSocket | null} */ let socket = null;
  /** @type {any[] | null} */ let log = null;
  let [pause, heard, next] = [500, 0, 0];
  let [isFirst, isOver] = [true, false];

  function connect() {
    clearTimeout(next);
    [heard, isFirst] = [Date.now(), true];
    const line = new WebSocket(`${liveAddress(path)}?beats=1`);
    socket = line;
    line.onmessage = (event) => {
      [pause, heard] = [500, Date.now()];
      showConnection(true);
      receive(JSON.parse(event.data));
    };
    line.onclose = giveUp;
  }

  /** Leave the line, and try another one after a while. */
  function giveUp() {
    leave();
    showConnection(false);
    next = window.setTimeout(connect, pause);
    pause = Math.min(10000, pause * 2);
  }

  function leave() {
    if (!socket) return;
    socket.onclose = socket.onmessage = null;
    socket.close();
    socket = null;
  }

  /** Try at once where the line may be there again. */
  function tryAgain() {
    if (isOver || document.hidden || (socket && Date.now() - heard < SILENCE)) return;
    leave();
    connect();
  }

  const watch = setInterval(() => { if (socket && Date.now() - heard > SILENCE) giveUp(); }, 1000);
  addEventListener('online', tryAgain);
  document.addEventListener('visibilitychange', tryAgain);

  /** @param {boolean} isThere */
  function showConnection(isThere) {
    if (isThere === document.body.classList.contains('offline')) announce(isThere ? 'Connected again' : 'No connection');
    document.body.classList.toggle('offline', !isThere);
  }

  /** @param {any} message */
  function receive(message) {
    if (message.type === 'state') take(message);
    else if (message.type === 'beat') return;
    else if (message.type === 'preparing') showPreparing(message);
    else if (message.type !== 'error') on.other?.(message);
    else if (message.final) {
      isOver = true;
      clearInterval(watch);
      leave();
      showProblem('This game cannot be opened', message.text);
    } else {
      toast(capital(message.text));
      on.refused?.();
    }
  }

  /** @param {any} message */
  function take(message) {
    const shown = log ?? message.log.slice(0, begin);
    const now = [...shown.slice(0, message.told), ...message.log];
    const changed = shown.findIndex((/** @type {any} */ event, /** @type {number} */ at) => event !== now[at] && JSON.stringify(event) !== JSON.stringify(now[at]));
    const from = changed < 0 ? shown.length : changed;
    // Words only where nothing has come instead: the other choice may be one in secret.
    const who = from === now.length ? SIDE_KEYS.indexOf(shown.slice(from).find((/** @type {any} */ event) => event.event === 'decision')?.who) : -1;
    log = now;
    on.state(message, now, from, who >= 0 && who !== message.side ? `The ${SIDES[who]} takes back the latest decision` : '', isFirst);
    isFirst = false;
  }

  /** @param {any} wish */
  function send(wish) {
    if (socket?.readyState !== WebSocket.OPEN) {
      toast('The server does not answer; the page goes on as soon as it does.');
      return false;
    }
    socket.send(JSON.stringify(wish));
    return true;
  }

  connect();
  return send;
}
