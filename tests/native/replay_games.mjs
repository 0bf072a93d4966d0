// Replays games that Python recorded with the JavaScript package, and says what differs: node replay_games.mjs GAMES.json
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import assert from "node:assert/strict";
import { Batch, PretrainedPlayer, Game, HeuristicPlayer, RandomPlayer } from "../../packages/js/node.js";

const { games, batches } = JSON.parse(readFileSync(process.argv[2], "utf8"));
const MAKE = {
  random: (seed) => new RandomPlayer({ seed }), heuristic: (seed, level) => new HeuristicPlayer({ level, seed }),
  pretrained: () => PretrainedPlayer.load(),
};
const players = new Map();
const sha256 = (parts) => parts.reduce((hash, part) => hash.update(part), createHash("sha256")).digest("hex");
const named = async (name, seed, level) => {
  const key = `${name} ${seed} ${level}`;
  if (!players.has(key)) players.set(key, await MAKE[name](seed, level));
  return players.get(key);
};

for (const { seed, options, actions, player, playerSeed, level, views, final } of games) {
  const game = new Game(BigInt(seed), options), told = `${player} game ${seed} ${JSON.stringify(options)}`, seen = [];
  const chooser = player && (await named(player, playerSeed, level));
  for (const action of actions) {
    const bidding = game.decision.startsWith("offer") || game.decision === "own-offer";
    seen.push(game.observation(), game.mask());
    assert(game.legal.includes(action), told);
    if (chooser && !bidding) assert.equal(chooser.choose(game), action, told);
    game.step(action);
  }
  assert.equal(sha256(seen), views, told);
  assert.equal(sha256([game.toBytes()]), final, told);
  assert.deepEqual(Game.fromJSON(JSON.stringify(game)).toBytes(), game.toBytes(), told);
  game.free();
}

for (const { count, seed, options, steps, views, final } of batches) {
  const batch = new Batch(count, BigInt(seed), options), seen = createHash("sha256");
  for (let step = 0; step < steps; step++) {
    batch.chooseRandom();
    batch.step();
    for (const part of [batch.observations, batch.masks, batch.actors, batch.rewards, batch.ended]) seen.update(part);
  }
  assert.equal(seen.digest("hex"), views);
  assert.equal(sha256(Array.from({ length: count }, (_, row) => batch.game(row).toBytes())), final);
  batch.free();
}

const game = new Game(1);
const record = game.toBytes(), fields = game.toJSON();
record[record.length >> 1] ^= 0x55;
assert.throws(() => Game.fromBytes(record), RangeError);
assert.throws(() => Game.fromJSON({ ...fields, destroyed: 100 }), RangeError);
const dealt = game.redeal(1, 5), again = game.clone();
assert.deepEqual(dealt.observation(1), game.observation(1));
assert.deepEqual(again.toBytes(), game.toBytes());
console.log(JSON.stringify({ redealt: sha256([dealt.toBytes()]) }));
