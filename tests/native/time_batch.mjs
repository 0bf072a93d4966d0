// Decisions a processor second of random games in a batch, and growth of the memory: node time_batch.mjs COUNT STEPS
import { Batch, Game } from "../../packages/js/dawn.js";

const [count, steps] = process.argv.slice(2).map(Number);
const batch = new Batch(count, 0);
const play = () => { batch.chooseRandom(); batch.step(); };
for (let step = 0; step < 100; step++) play();
const started = process.cpuUsage(), before = process.memoryUsage().rss;
for (let step = 0; step < steps; step++) play();
const { user, system } = process.cpuUsage(started);
const speed = (count * steps * 1e6) / (user + system);
for (let seed = 0; seed < 2000; seed++) new Game(seed).free();
console.log(JSON.stringify({ speed, grown: process.memoryUsage().rss - before }));
