// A client of `dawn serve-engine` (docs/reference/engine.md), without packages: plays random games side by side and counts.
// node docs/examples/engine.js GAMES SECONDS dawn serve-engine
"use strict";
const { spawn } = require("child_process");
const readline = require("readline");

const [count, seconds] = process.argv.slice(2, 4).map(Number);
const [command, ...rest] = process.argv.slice(4);
const engine = spawn(command, rest, { stdio: ["pipe", "pipe", "inherit"] });
const waiting = []; // answers come in the order of the requests
readline.createInterface({ input: engine.stdout }).on("line", (line) => waiting.shift()(JSON.parse(line)));

function ask(request) {
  engine.stdin.write(JSON.stringify(request) + "\n");
  return new Promise((resolve, reject) => {
    waiting.push((answer) => ("error" in answer ? reject(new Error(answer.error)) : resolve(answer)));
  });
}

const pick = (list) => list[Math.floor(Math.random() * list.length)];
const seeds = (many) => Array.from({ length: many }, () => Math.floor(Math.random() * Number.MAX_SAFE_INTEGER));

// Those that are over make room for new games; the positions of all games afterwards.
async function renewed(games, now) {
  const over = games.filter((_, at) => now.result[at] !== "running");
  if (!over.length) return [games, now.legal];
  await ask({ command: "free", games: over });
  const fresh = await ask({ command: "new", seeds: seeds(over.length) });
  const kept = games.map((_, at) => at).filter((at) => now.result[at] === "running");
  return [
    [...kept.map((at) => games[at]), ...fresh.games],
    [...kept.map((at) => now.legal[at]), ...fresh.legal],
  ];
}

async function main() {
  let { games, legal } = await ask({ command: "new", seeds: seeds(count) });
  const started = performance.now();
  let [decisions, passed] = [0, 0];
  while ((passed = (performance.now() - started) / 1000) < seconds) {
    const now = await ask({ command: "step", games, actions: legal.map(pick) });
    decisions += games.length;
    [games, legal] = await renewed(games, now);
  }
  console.log(`${Math.round(decisions / passed)} decisions a second, ${count} games at a time`);
  engine.stdin.end();
}

main();
