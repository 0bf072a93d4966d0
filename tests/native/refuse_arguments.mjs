// Wrong arguments are refused in one line that says what is expected, and harm nothing: node refuse_arguments.mjs
import assert from "node:assert/strict";
import { Batch, Game, HeuristicPlayer, PretrainedPlayer, RandomPlayer } from "../../packages/js/node.js";

const record = new Game(3).toBytes();
let refused = 0;

function refuses(call, message, kind = RangeError) {
  assert.throws(call, (error) => error instanceof kind && message.test(error.message) && !error.message.includes("\n"));
  refused++;
}

for (const count of [undefined, null, -1, 0, 1.5, "5", NaN, 4n, 1e9, 2 ** 40])
  refuses(() => new Batch(count), /^count: an integer 1 \.\.\. \d+ expected, not ("5"|-?\w[\w.]*)$/);
refuses(() => new Batch(1_800_000), /^no memory for \d+ bytes more$/);
const batch = new Batch(4, 7);
batch.chooseRandom();
batch.step();
assert.deepEqual(new Game(3).toBytes(), record);

const game = new Game(3), fields = game.toJSON();
for (const action of [undefined, null, "0", 0.5, 0n, -1, 500, NaN, [0], {}])
  refuses(() => game.step(action), /^action: an integer 0 \.\.\. \d+ expected, not /);
for (const side of [null, "1", 0.5, 2, -1, 1n])
  for (const call of [() => game.observation(side), () => game.mask(side), () => game.redeal(side, 1)])
    refuses(call, /^side: an integer 0 \.\.\. 1 expected, not /);
for (const seed of [null, "5", 1.5, -4, 2n ** 63n, {}])
  for (const call of [
    () => new Game(seed), () => game.redeal(0, seed), () => game.playOut(seed), () => new RandomPlayer({ seed }),
    () => new HeuristicPlayer({ seed }), () => new Batch(2, seed),
  ]) refuses(call, /^seed: an integer 0 \.\.\. 9223372036854775807 expected, not /);
refuses(() => game.redeal(0), /^seed: an integer .* expected, not undefined$/);
for (const extraSupport of [3, [1], [1.5, 0], ["1", "2"], [1, 2, 3], [2 ** 32, 0], [21, 0], [-1, 0], null])
  refuses(() => new Game(1, { extraSupport }), /^extraSupport: .* 0 \.\.\. 20 expected/);
for (const bid of ["yes", 1, null]) refuses(() => new Game(1, { bid }), /^bid: true or false expected, not /);
for (const mode of ["solo", null, Symbol("family")])
  refuses(() => new Game(1, { mode }), /^mode: standard or family expected, not /);
for (const options of [{ mode: "family", bid: true }, { bid: true, extraSupport: [1, 0] }])
  refuses(() => new Game(1, options), /^options: only one of .* expected$/);
for (const given of [null, 5, "bid"]) refuses(() => new Game(1, given), /^options: an object expected, not /);
refuses(() => new Game(1, { bids: true }), /^options: mode, bid, extraSupport expected, not bids$/);
refuses(() => new HeuristicPlayer({ levl: 3 }), /^options: level, seed expected, not levl$/);
for (const level of ["3", 0, 11, 2.5]) refuses(() => new HeuristicPlayer({ level }), /^level: an integer 1 \.\.\. 10 /);
refuses(() => new RandomPlayer({ level: 3 }), /^options: seed expected, not level$/);
refuses(() => new RandomPlayer(null), /^options: an object expected, not null$/);
refuses(() => new Batch(1, 0, {}, { autorestart: false }), /^settings: autoRestart expected, not autorestart$/);
refuses(() => new Batch(1, 0, {}, { autoRestart: "no" }), /^autoRestart: true or false expected, not "no"$/);
for (const state of [null, 3, "null"]) refuses(() => Game.fromJSON(state), /^a state: an object expected, not /);
for (const frames of [undefined, {}, [...fields.frames, []]])
  refuses(() => Game.fromJSON({ ...fields, frames }), /^frames: \d+ arrays expected$/);
for (const turn of [1000, -129, "3", 1.5, null])
  refuses(() => Game.fromJSON({ ...fields, turn }), /^turn: an integer -128 \.\.\. 127 expected, not /);
for (const seed of [-1, "x", "9223372036854775808"])
  refuses(() => Game.fromJSON({ ...fields, seed }), /^seed: an integer 0 \.\.\. 9223372036854775807 expected, not /);
refuses(() => Game.fromJSON({ ...fields, frames: fields.frames.fill(null) }), /^frame: an object expected, not null$/);
refuses(() => Game.fromBytes(null), /^a state has \d+ bytes, not undefined$/);
for (const row of [undefined, -1, 4, 9, "0", 0.5])
  refuses(() => batch.game(row), /^row: an integer 0 \.\.\. 3 expected, not /);
for (const other of [undefined, null, 5, {}]) {
  refuses(() => new RandomPlayer().choose(other), /^game: a Game expected, not /);
  refuses(() => game.events(other), /^before: a Game expected, not /);
}
assert.deepEqual(game.toBytes(), record);

// Players neither bid nor play on in a game that is over.
const bids = new Game(3, { bid: true }), ready = game.clone();
ready.playOut(1);
const players = [new RandomPlayer(), new HeuristicPlayer({ level: 5 }), await PretrainedPlayer.load()], asked = new Set();
for (const player of players)
  refuses(() => player.choose(ready), /^game: one that asks for a move expected, not one that is over$/);
for (; bids.decision.includes("offer"); bids.step(bids.legal[0])) { // the same offers, and so a tie
  for (const player of players)
    refuses(() => player.choose(bids), /^game: one that asks for a move expected, not a bid$/);
  asked.add(bids.decision);
}
assert.equal(asked.size, 3);
for (const player of players) assert(bids.legal.includes(player.choose(bids)));

for (const autoRestart of [true, false]) {
  const games = new Batch(2, 7, {}, { autoRestart }), bytes = () => [0, 1].map((row) => games.game(row).toBytes());
  const before = bytes(), [legal] = games.game(0).legal, wrong = games.masks.indexOf(0);
  for (const actions of [0, [legal], [legal, legal, legal], "00000"])
    refuses(() => games.step(actions), /^actions: 2 integers expected, one for each game$/);
  for (const action of [9999, -5, "0", 0.5, undefined, null])
    refuses(() => games.step([legal, action]), /^action: an integer 0 \.\.\. \d+ expected, not /);
  refuses(() => games.step([wrong, legal]), /^action \d+ of game 0 is illegal: no game has moved$/);
  games.chosen.set([BigInt(legal), 9999n]);
  refuses(() => games.step(), /^action 9999 of game 1 is illegal: no game has moved$/);
  assert.deepEqual(bytes(), before);
  games.chooseRandom();
  games.step(games.chosen);
  assert.notDeepEqual(bytes(), before);
}

// An object that has been freed, whose memory another game may have by now.
const freed = new Game(4), tired = new HeuristicPlayer(), thrown = new Batch(1);
tired.choose(freed);
const [first] = freed.legal;
for (const one of [freed, freed, tired, thrown]) one.free();
const fresh = Array.from({ length: 3 }, () => new Game(5));
for (const call of [
  () => freed.step(first), () => freed.decisions, () => freed.legal, () => freed.toBytes(), () => freed.playOut(1),
  () => freed.clone(), () => freed.observation(0), () => freed.field("vp"), () => tired.choose(fresh[0]),
  () => tired.choose(freed), () => fresh[0].events(freed), () => thrown.step(), () => thrown.chooseRandom(),
  () => thrown.masks, () => thrown.game(0),
]) refuses(call, /^an object that has been freed cannot be used$/);
for (const one of fresh) assert.deepEqual(one.toBytes(), new Game(5).toBytes());

// A game that is over takes any action, the others legal ones.
const last = new Batch(8, 7, {}, { autoRestart: false });
while (!last.ended.includes(1)) {
  last.chooseRandom();
  last.step();
}
last.chooseRandom();
const running = last.ended.indexOf(0), over = last.ended.indexOf(1), ended = last.game(over).toBytes();
const moves = Array.from(last.chosen, Number), legal = moves[running];
[moves[over], moves[running]] = [-1, last.actions];
refuses(() => last.step(moves), /^action: an integer /);
moves[running] = legal;
last.step(moves);
assert.deepEqual(last.game(over).toBytes(), ended);

console.log(JSON.stringify({ refused }));
