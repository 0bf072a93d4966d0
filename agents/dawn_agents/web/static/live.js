// @ts-check
/** The line to the server of a page that follows a game: states come by themselves, and again after every break. */
import { capital, liveAddress, showProblem, toast } from './common.js';
import { announce } from './events.js';
import { showPreparing } from './preparing.js';

/**
 * Follow a game until it is closed for good.
 * @param {string} path `/seat/TOKEN` or `/watch/TOKEN`
 * @param {{state: (message: any, log: any[], fresh: {from: number, anew: boolean}) => void, other?: (message: any) => void,
 *   refused?: () => void}} on a state with all events, of which those from `from` on are new, none when the page begins `anew`; other
 *   messages; something that was asked for and cannot be
 * @returns {(wish: any) => boolean} sends a wish; false when there is no connection
 */
export function follow(path, on) {
  /** @type {WebSocket | null} */ let socket = null;
  /** @type {any[]} */ let log = [];
  let opened = false;
  let pause = 500;

  function connect() {
    socket = new WebSocket(`${liveAddress(path)}?told=0`);
    log = [];
    opened = false;
    socket.onmessage = (event) => {
      pause = 500;
      showConnection(true);
      receive(JSON.parse(event.data));
    };
    socket.onclose = () => {
      showConnection(false);
      setTimeout(connect, pause);
      pause = Math.min(10000, pause * 2);
    };
  }

  /** @param {boolean} isThere */
  function showConnection(isThere) {
    if (isThere === document.body.classList.contains('offline')) announce(isThere ? 'Connected again' : 'No connection');
    document.body.classList.toggle('offline', !isThere);
  }

  /** @param {any} message */
  function receive(message) {
    if (message.type === 'state') take(message);
    else if (message.type === 'preparing') showPreparing(message);
    else if (message.type !== 'error') on.other?.(message);
    else if (message.final && socket) {
      socket.onclose = null;
      showProblem('This game cannot be opened', message.text);
    } else {
      toast(capital(message.text));
      on.refused?.();
    }
  }

  /** @param {any} message */
  function take(message) {
    const shown = log.length;
    log = [...log.slice(0, message.told), ...message.log];
    const anew = !opened || message.told < shown; // the first of a connection, or something was taken back
    opened = true;
    on.state(message, log, { from: anew ? log.length : shown, anew });
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
