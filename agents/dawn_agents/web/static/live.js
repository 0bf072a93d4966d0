// @ts-check
/** The line to the server of a page that follows a game: states come by themselves, and again after every break. */
import { capital, layout, liveAddress, narrow, request, showProblem, toast } from './common.js';

/** @typedef {[string, string[]]} Entry a heading and the lines below it */

/**
 * Follow a game until it is closed for good.
 * @param {string} path `/seat/TOKEN` or `/watch/TOKEN`
 * @param {{state: (message: any, log: Entry[], fresh: {from: number, since: number}) => void, other: (message: any) => void,
 *   refused: () => void}} on a state with the whole log, of which `from` is not shown yet and `since` is new; other
 *   messages; something that was asked for and cannot be
 * @returns {(wish: any) => boolean} sends a wish; false when there is no connection
 */
export function follow(path, on) {
  /** @type {WebSocket | null} */ let socket = null;
  /** @type {Entry[]} */ let log = [];
  let pause = 500;

  function connect() {
    socket = new WebSocket(`${liveAddress(path)}?layout=${layout()}&told=0`);
    log = [];
    socket.onmessage = (event) => {
      pause = 500;
      document.body.classList.remove('offline');
      receive(JSON.parse(event.data));
    };
    socket.onclose = () => {
      document.body.classList.add('offline');
      setTimeout(connect, pause);
      pause = Math.min(10000, pause * 2);
    };
  }

  /** @param {any} message */
  function receive(message) {
    if (message.type === 'state') take(message);
    else if (message.type !== 'error') on.other(message);
    else if (message.final && socket) {
      socket.onclose = null;
      showProblem('This game cannot be opened', message.text);
    } else {
      toast(capital(message.text));
      on.refused();
    }
  }

  /** @param {any} message */
  function take(message) {
    const shown = message.told === 0 ? 0 : log.length;
    log = [...log.slice(0, message.told), ...message.log];
    const anew = message.told < shown || shown > log.length; // something was taken back
    const from = anew ? 0 : shown;
    on.state(message, log, { from, since: from || Math.max(0, log.length - 1) });
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

  narrow.addEventListener('change', () => send({ type: 'layout', layout: layout() }));
  request(`/api${path}?layout=${layout()}`).then(connect, (error) => showProblem('This game cannot be opened', error.message));
  return send;
}
