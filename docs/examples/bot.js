// A bot without packages that speaks the protocol of docs/reference/protocol.md: node docs/examples/bot.js
// It counts what a support point is worth where, and what a card is worth now; a little chance decides between equals.
"use strict";
const readline = require("readline");

const BOT = { name: "rosa", version: "1", protocol: 2, wants: ["data"], options: { caution: 1 } };
const options = { ...BOT.options };
const ROUNDS = 7;
const UNSEEN = { removed: [], control: {}, left: 1, value: 0, resolving: [], tried_turn: {} }; // in family mode
const game = {}; // side, spaces, cards and countries by name, of the game that is played
let position = null;

// --- chance of its own: the same seed, the same game (mulberry32) ---------------------------------------

let state = 0;
function chance() {
  state = (state + 0x6d2b79f5) | 0;
  let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
}

// --- what things are worth --------------------------------------------------------------------------------

const by = (list, key) => new Map(list.map((item) => [item[key], item]));

function begin(command) {
  state = Number(BigInt.asIntN(32, BigInt(command.seed)));
  Object.assign(game, {
    side: command.side,
    spaces: by(command.data.spaces, "name"),
    cards: by(command.data.cards, "number"),
    countries: by(command.data.countries, "name"),
    faces: by(command.data.struggle_cards, "name"),
    contested: new Set(),
  });
}

// Where the opponent has gained since I last played a card: there a cushion is worth more.
function remember(events) {
  const theirs = game.side === "democrat" ? "communist" : "democrat";
  for (const event of events) {
    if (event.event === "decision" && event.decision === "card" && event.who === game.side) game.contested.clear();
    const [before, after] = (event.event === "support" && event[theirs]) || [0, 0];
    if (after > before) game.contested.add(game.spaces.get(event.space).country);
  }
}

function spaceWorth(space) {
  const country = game.countries.get(space.country);
  const over = position.view.removed.includes(country.scoring_card);
  return (country.control / 3) * (space.battleground ? 2.5 : 1) * (over ? 0.5 : 1);
}

// How good it is to be ahead by `lead` support points somewhere: full control counts most.
function standing(space, lead, points) {
  const share = Math.max(-1, Math.min(1, lead / space.stability));
  const care = options.caution * (game.contested.has(space.country) ? 0.1 : 0.05);
  const cushion = Math.abs(lead) > space.stability ? care * Math.sign(lead) : 0;
  const reachable = Math.abs(share) < 1 && space.stability - lead <= points ? 0.3 : 0;
  return spaceWorth(space) * ((Math.abs(share) === 1 ? share : 0.4 * share + reachable) + cushion);
}

function pointWorth(name) {
  const { my_support: mine, their_support: theirs, left, value } = position.view;
  const space = game.spaces.get(name);
  const lead = (mine[name] || 0) - (theirs[name] || 0);
  const points = Math.max(1, left);
  if (position.decision === "support-loss") return standing(space, lead - 1, 0) - standing(space, lead, 0);
  if (position.decision === "check") {
    const gain = Math.max(0, 3.5 + value - space.stability * 2) + 0.5;
    return standing(space, lead + Math.min(gain, theirs[name] || 0), 0) - standing(space, lead, 0);
  }
  const change = { replace: 2, "take-control": space.stability - lead }[position.decision] || 1;
  return standing(space, lead + change, points - change) - standing(space, lead, points);
}

function countryLead(name) {
  const control = position.view.control;
  let lead = 0;
  for (const space of game.spaces.values()) {
    if (space.country === name) lead += (control[space.name] || 0) * (space.battleground ? 2 : 1);
  }
  return lead;
}

function cardWorth(number) {
  const card = game.cards.get(number);
  const hand = position.view.my_hand;
  const keeping = ["keep-card", "swap-card", "samizdat"].includes(position.decision);
  if (card.scores) {
    if (position.decision !== "card") return keeping ? -3 : 9;
    const scoring = hand.filter((other) => game.cards.get(other).scores).length;
    const urgent = scoring >= ROUNDS - position.view.round;
    return urgent ? 50 + countryLead(card.scores) : 2 * countryLead(card.scores) - 1;
  }
  const worth = card.ops + { [game.side]: 1, both: 0.5 }[card.side] || card.ops - 1.5;
  return position.decision === "card" || keeping ? worth : -worth;
}

function faceWorth(name) {
  const face = game.faces.get(name);
  const hand = position.view.my_power_hand;
  const same = Object.keys(hand).filter((other) => game.faces.get(other).suit === face.suit).length;
  const sign = position.decision === "attack" ? 1 : -1; // defend with the smallest that does
  return 2 + (position.decision === "stakes" ? -4 : 0) + sign * face.rank * 0.3 + (sign > 0 ? same * 0.5 : 0);
}

function useWorth(action) {
  const { resolving, tried_turn: tried } = position.view;
  const card = game.cards.get(resolving[resolving.length - 1]);
  if (!card) return 0;
  const own = card.side === game.side;
  if (action === "event") return own ? 4.2 - card.ops : 1.5 - card.ops;
  if (action === "tiananmen") return !own && card.side !== "both" && !tried.mine ? 2.5 : 0.2;
  return { place: 2, check: 0.5, "cancel-event": 3, "event-and-ops": 4, "opponent-event": 0 }[action] ?? 0;
}

function worth(action) {
  const [kind, name] = [action.split(":", 1)[0], action.slice(action.indexOf(":") + 1)];
  const noise = 0.01 * chance();
  if (kind === "space") return pointWorth(name) + noise;
  if (kind === "card") return cardWorth(Number(name)) + noise;
  if (kind === "power") return faceWorth(name) + noise;
  if (kind === "country") return Math.abs(countryLead(name)) + noise;
  if (position.decision === "use") return useWorth(action) + noise;
  return ({ place: 1, yes: 1, retain: 1, pass: -0.5, concede: -1 }[action] ?? 0) + noise;
}

// --- the protocol -------------------------------------------------------------------------------------------

function best(actions) {
  const judged = actions.map((action) => [worth(action), action]);
  return judged.reduce((one, other) => (other[0] > one[0] ? other : one))[1];
}

function see(command) {
  position = { ...command, view: { ...UNSEEN, ...command.view } };
  remember(command.events);
}

const answers = {
  hello: () => ({ bot: BOT }),
  options: (command) => void Object.assign(options, command.values),
  bid: () => ({ offer: { side: "communist", points: 2 } }),
  "new-game": (command) => (begin(command), { ready: true }),
  position: (command) => see(command),
  go: () => ({ action: best(position.legal) }),
};

const lines = readline.createInterface({ input: process.stdin });
lines.on("line", (line) => {
  const command = JSON.parse(line);
  if (command.command === "quit") process.exit(0);
  const answer = answers[command.command]?.(command); // other commands are of later versions
  if (answer) process.stdout.write(JSON.stringify(answer) + "\n");
});
