// Wrong arguments are refused in one line that says what is expected, and harm nothing: node refuse_arguments.mjs
import assert from "node:assert/strict";
import { Batch, Game } from "../../packages/js/dawn.js";

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

console.log(JSON.stringify({ refused }));
