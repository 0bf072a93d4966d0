// The part of benchmark_native.py in JavaScript: for each line read, decisions a processor second of a batch.
import { createInterface } from "node:readline";
import { Batch } from "../../packages/js/node.js";

const count = 1024, steps = Number(process.argv[2]), batch = new Batch(count, 0);
const play = (steps) => { for (let step = 0; step < steps; step++) { batch.chooseRandom(); batch.step(); } };
play(300);
for await (const _ of createInterface({ input: process.stdin })) {
  const started = process.cpuUsage();
  play(steps);
  const { user, system } = process.cpuUsage(started);
  console.log((count * steps * 1e6) / (user + system));
}
