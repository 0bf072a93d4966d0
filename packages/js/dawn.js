// The package in browsers, their workers and bundlers, which find the files of the package by these literal URLs.
import { load } from "./engine.js";

export {
  ACTIONS, Batch, COMMUNIST, DECISIONS, DEMOCRAT, Game, HeuristicPlayer, PARTS, PretrainedPlayer, RandomPlayer, REASONS, RESULTS,
  STATE_LAYOUT,
} from "./engine.js";

const FILES = {
  "dawn.wasm": new URL("./dawn.wasm", import.meta.url),
  "pretrained.bin": new URL("./pretrained.bin", import.meta.url),
};

async function fetched(name) {
  const url = FILES[name], answer = await fetch(url), type = answer.headers.get("content-type") ?? "no type";
  if (answer.ok && !type.startsWith("text/html")) return answer.arrayBuffer();
  throw new Error(`${name} of dawn-env is not at ${url}: status ${answer.status}, ${type}; see "Bundlers" in its README.md`);
}

await load(fetched);
