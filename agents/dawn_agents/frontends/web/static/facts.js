/** What a page with a board has from the server before anything is drawn: facts that never change, and the board of the beginning. */
import { layout, request } from './common.js';

/** @typedef {{name: string, country: number, type: string, stability: number, battleground: boolean, neighbours: number[]}} Space */
/** @typedef {{title: string, owner: number, ops: number, period: string, scores: number, once: boolean, effect: string,
 *   condition: string, stays: string}} Card */
/** @typedef {{spaces: Space[], countries: string[], cards: (Card | null)[], sources: string[],
 *   awards: string[], awardNeeds: number[][], ussr: [string, string][], players: Record<string, string>, words: Record<string, any>, rounds: number,
 *   terms: Record<string, string>, legend: Record<string, string[][]>, aids: {title: string, lines: string[], table: string[][]}[]}} Facts */

/** @type {Record<string, string>} */ export const boards = {}; // drawn by the server, by their address

/** The address of the board for a state: it depends on the width of the page, and on the space without connections. @param {any} state */
export function boardAddress(state) {
  return `/map.svg?layout=${layout()}&destroyed=${state?.destroyed ?? -1}`;
}

/** @type {Record<string, Promise<void>>} */ const coming = {}; // boards asked for, by their address

/** Fetch a board, unless it is there or on its way. @param {string} address @returns {Promise<void>} */
export function fetchBoard(address) {
  coming[address] ??= loadBoard(address).finally(() => delete coming[address]);
  return coming[address];
}

/** @param {string} address */
async function loadBoard(address) {
  if (boards[address]) return;
  const response = await fetch(address);
  if (!response.ok) throw new Error(`The server answers ${response.status}.`);
  boards[address] = await response.text();
}

/** @type {[Facts, void]} */
export const [facts] = await Promise.all([request('/facts.json'), fetchBoard(boardAddress(null))]);

/** Number of a space, its place in `facts.spaces`. @param {string | null | undefined} name */
export function spaceNumber(name) {
  return facts.spaces.findIndex((space) => space.name === name);
}

/** Name of the country of a space. @param {string | null | undefined} name */
export function countryOf(name) {
  return facts.countries[facts.spaces[spaceNumber(name)].country];
}
