// Growth of the memory, in pages of 64 kB, while many decisions are taken: node play_long.mjs DECISIONS
import { Batch, Game, HeuristicPlayer } from "../../packages/js/node.js";

const batch = new Batch(1024, 0), player = new HeuristicPlayer();
const bytes = () => batch.observations.buffer.byteLength; // of the module's memory

function play(decisions) {
  for (let taken = 0; taken < decisions; taken += batch.count) {
    batch.chooseRandom();
    batch.step();
  }
}

function playGames(count) {
  for (let seed = 0; seed < count; seed++) {
    const game = new Game(seed), dealt = game.redeal(0, seed), copy = dealt.clone();
    copy.step(player.choose(copy));
    copy.playOut(seed);
    [game, dealt, copy].forEach((one) => one.free());
  }
}

const decisions = Number(process.argv[2]);
play(100 * batch.count);
playGames(1);
const before = bytes();
playGames(2000);
play(decisions);
console.log(JSON.stringify({ pages: (bytes() - before) / 65536 }));
