// The package in Node: its files are those of the installed package, from where a bundle is run too, or lie beside this one.
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { load } from "./engine.js";

export {
  ACTIONS, Batch, COMMUNIST, DECISIONS, DEMOCRAT, Game, HeuristicPlayer, PARTS, PretrainedPlayer, RandomPlayer, REASONS, RESULTS,
  STATE_LAYOUT,
} from "./engine.js";

const BESIDE = {
  "dawn.wasm": new URL("./dawn.wasm", import.meta.url),
  "pretrained.bin": new URL("./pretrained.bin", import.meta.url),
};

function place(name) {
  try {
    return createRequire(import.meta.url).resolve(`dawn-env/${name}`);
  } catch {
    return BESIDE[name];
  }
}

await load((name) => readFile(place(name)));
