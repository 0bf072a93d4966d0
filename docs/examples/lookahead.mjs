// A bot that looks ahead with the JavaScript package (docs/how-to/native.md): node docs/examples/lookahead.mjs
// Where its players disagree, it plays the position out from each of their choices, with hidden cards dealt anew.
import { createInterface } from "node:readline";
import { inflateSync } from "node:zlib";
import { ACTIONS, PretrainedPlayer, Game, HeuristicPlayer, STATE_LAYOUT } from "../../packages/js/node.js";

const BOT = { name: "lookahead", version: "1", protocol: 2, wants: ["world"], options: { deals: 12 } };
const options = { ...BOT.options };
const SHARE = 0.5; // of the time for a decision that may be used
const DOUBT = 0.5; // standard errors by which another choice has to be better than the network's
const VP_WORTH = 0.01; // of a victory point at the end, a win being 1
const SIDES = ["democrat", "communist"];
const numbers = new Map(ACTIONS.map((name, number) => [name, number]));

const network = await PretrainedPlayer.load();
const rollout = new HeuristicPlayer();
const advisers = [network, rollout, ...[9, 8, 7].map((level) => new HeuristicPlayer({ level, seed: level }))];
let position = null, side = 0, seed = 1n;

function gameOf(world) {
  const [layout, data] = world.split(":");
  if (layout !== STATE_LAYOUT) throw new Error("the world comes from another version of dawn_env");
  return Game.fromBytes(inflateSync(Buffer.from(data, "base64")));
}

// How the game goes after an action, for my side.
function outcome(dealt, action) {
  const game = dealt.clone();
  game.step(action);
  while (!game.over) game.step(rollout.choose(game));
  const sign = side === 0 ? 1 : -1;
  const won = game.result === SIDES[side] ? 1 : game.result === "draw" ? 0 : -1;
  const value = won + VP_WORTH * sign * Math.max(-20, Math.min(20, game.vp));
  game.free();
  return value;
}

// By how many standard errors the values of an action are better than those of the first, deal by deal.
function lead(values, first) {
  const gains = values.map((value, n) => value - first[n]), count = gains.length;
  const mean = gains.reduce((sum, gain) => sum + gain, 0) / count;
  const variance = gains.reduce((sum, gain) => sum + (gain - mean) ** 2, 0) / Math.max(1, count - 1);
  return mean / Math.sqrt(variance / count + 1e-6);
}

function decide({ seconds, nodes }) {
  const root = gameOf(position.world), until = performance.now() + 1000 * SHARE * seconds;
  const legal = new Set(position.legal.map((name) => numbers.get(name)));
  const wanted = advisers.map((adviser) => adviser.choose(root)).filter((action) => legal.has(action));
  const actions = wanted.length ? [...new Set(wanted)] : [...legal];
  const values = actions.map(() => []), most = nodes ?? options.deals * actions.length;
  while (actions.length > 1 && (values[0].length + 1) * actions.length <= most && performance.now() < until) {
    const dealt = root.redeal(side, seed++);
    actions.forEach((action, n) => values[n].push(outcome(dealt, action)));
    dealt.free();
  }
  root.free();
  const leads = values.map((one, n) => (n && one.length > 1 ? lead(one, values[0]) - DOUBT : 0));
  return ACTIONS[actions[leads.indexOf(Math.max(...leads))]];
}

const answers = {
  hello: () => ({ bot: BOT }),
  options: (command) => void Object.assign(options, command.values),
  bid: () => ({ offer: { side: "communist", points: 2 } }),
  "new-game": (command) => {
    [side, seed] = [SIDES.indexOf(command.side), BigInt(command.seed) >> 1n];
    return { ready: true };
  },
  position: (command) => void (position = command),
  go: (command) => ({ action: decide(command) }),
};

createInterface({ input: process.stdin }).on("line", (line) => {
  const command = JSON.parse(line);
  if (command.command === "quit") process.exit(0);
  const answer = answers[command.command]?.(command);
  if (answer) process.stdout.write(JSON.stringify(answer) + "\n");
});
