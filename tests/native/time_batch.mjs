// Decisions a second of random games in a batch, and growth of the memory: node time_batch.mjs COUNT STEPS
import { Batch, Game } from "../../packages/js/dawn.js";

const [count, steps] = process.argv.slice(2).map(Number);
const batch = new Batch(count, 0);
const play = () => { batch.chooseRandom(); batch.step(); };
for (let step = 0; step < 20; step++) play();
const started = performance.now(), before = process.memoryUsage().rss;
for (let step = 0; step < steps; step++) play();
const speed = (count * steps * 1000) / (performance.now() - started);
for (let seed = 0; seed < 2000; seed++) new Game(seed).free();
console.log(JSON.stringify({ speed, grown: process.memoryUsage().rss - before }));
