// Prints of games that Python recorded the dice of each step, and the events of a side from one of its decisions to the
// next, which must be the same where the cards hidden from it are dealt anew: node tell_events.mjs GAMES.json
import { readFileSync } from "node:fs";
import assert from "node:assert/strict";
import { Game } from "../../packages/js/node.js";

let differed = 0;

function unchangedByHiddenCards(before, game, side, told, seed) {
  const others = [before, game].map((one) => one.redeal(side, seed));
  differed += others.filter((other, n) => Buffer.compare(other.toBytes(), [before, game][n].toBytes())).length;
  assert.deepEqual(others[1].events(others[0], side), told);
  others.forEach((one) => one.free());
}

function played({ seed, options, actions, side }) {
  const game = new Game(BigInt(seed), options), spans = [], dice = [];
  let before = game.clone();
  for (const action of actions) {
    game.step(action);
    dice.push(game.dice);
    if (!game.over && game.actor !== side) continue;
    spans.push(game.events(before, side));
    unchangedByHiddenCards(before, game, side, spans.at(-1), action);
    before.free();
    before = game.clone();
  }
  return { spans, dice };
}

const games = JSON.parse(readFileSync(process.argv[2], "utf8"));
const told = games.map(played);
assert(differed > 100 * games.length);
assert.throws(() => new Game(1).events(new Game(1, { mode: "family" })), RangeError);
console.log(JSON.stringify(told));
