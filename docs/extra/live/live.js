// Games of two compiled players on the map, in the reader's browser.
import { ACTIONS, Game, HeuristicPlayer, PretrainedPlayer, RandomPlayer } from "./engine/dawn.js";
import { MAP } from "./engine/layout.js";

const PLAYERS = {
  "Random": () => new RandomPlayer({ seed: 1 }),
  "Rules of thumb, level 3": () => new HeuristicPlayer({ level: 3, seed: 1 }),
  "Rules of thumb, level 6": () => new HeuristicPlayer({ level: 6, seed: 1 }),
  "Rules of thumb": () => new HeuristicPlayer(),
  "Network": () => PretrainedPlayer.load(),
};
const RATES = [1, 4, 16, 64, 400, Infinity]; // moves a second
const SIDES = ["democrat", "communist"];
const FRAME = 12; // milliseconds of a frame for playing, so that the page stays responsive
const SVG = "http://www.w3.org/2000/svg";
const at = (id) => document.getElementById(id);

const score = { democrat: 0, communist: 0, draw: 0 };
const players = [null, null], made = new Map();
let game = new Game(firstSeed()), moves = 0, due = 0, paused = false, last = "", games = 0;
let counted = { games: 0, moves: 0, since: performance.now(), text: "" };

function firstSeed() {
  return Math.floor(Math.random() * 2 ** 32);
}

// --- the map -------------------------------------------------------------------------------------------------------

function element(parent, name, attributes, text = "") {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.textContent = text;
  return parent.appendChild(made);
}

function drawMap() {
  const map = at("map"), middle = ([, , x, y, width, height]) => [x + width / 2, y + height / 2];
  map.setAttribute("viewBox", `0 -5 ${MAP.width} ${MAP.height + 10}`);
  for (const [name, x, y, width, height] of MAP.countries) {
    element(map, "rect", { class: "land", x, y, width, height, rx: 4 });
    element(map, "text", { x: x + width / 2, y: y + 18 }, name);
  }
  for (const [a, b] of MAP.links) {
    const [[x1, y1], [x2, y2]] = [middle(MAP.spaces[a]), middle(MAP.spaces[b])];
    element(map, "line", { class: "link", x1, y1, x2, y2 });
  }
  return MAP.spaces.map(([name, , x, y, width, height]) => {
    const group = element(map, "g", { transform: `translate(${x} ${y})` });
    element(group, "title", {}, name);
    element(group, "rect", { width, height, rx: 4 });
    element(group, "text", { x: width / 2, y: 16, textLength: Math.min(width - 8, 5.4 * name.length),
      lengthAdjust: "spacingAndGlyphs" }, name);
    return { group, points: element(group, "text", { class: "points", x: width / 2, y: height - 9 }), shown: "" };
  });
}

const spaces = drawMap();

function show() {
  const [democrat, communist] = game.field("support");
  MAP.spaces.forEach(([, , , , , , stability, battleground], n) => {
    const lead = democrat[n] - communist[n], space = spaces[n];
    const words = `${democrat[n] || "–"} · ${stability} · ${communist[n] || "–"}`;
    const holder = lead >= stability ? "democrat" : -lead >= stability ? "communist" : "";
    const changed = space.shown && space.shown !== words ? "changed" : "";
    space.group.setAttribute("class", `space ${battleground ? "battle" : ""} ${holder} ${changed}`);
    space.points.textContent = space.shown = words;
  });
  const leader = game.vp === 0 ? "nobody leads" : `${game.vp > 0 ? "Democrat" : "Communist"} leads by ${Math.abs(game.vp)}`;
  const facts = [
    `Turn ${game.turn}, ${leader}`, `Last move: ${last || "none"}`, `Games: ${games}`,
    `Won by Democrat ${score.democrat}, Communist ${score.communist}, draws ${score.draw}`, counted.text,
  ];
  at("facts").replaceChildren(...facts.map((fact) => Object.assign(document.createElement("span"), { textContent: fact })));
}

// --- playing -------------------------------------------------------------------------------------------------------

function move() {
  const side = game.actor, action = players[side].choose(game);
  last = `${SIDES[side]} ${ACTIONS[action]}`;
  game.step(action);
  moves++;
  if (!game.over) return;
  score[game.result]++;
  games++;
  const next = game.seed + 1n;
  game.free();
  game = new Game(next);
}

function count(now) {
  const seconds = (now - counted.since) / 1000;
  if (seconds < 1) return;
  const perSecond = (many) => (many / seconds).toFixed(many / seconds < 10 ? 1 : 0);
  const text = `${perSecond(moves - counted.moves)} moves, ${perSecond(games - counted.games)} games a second`;
  counted = { games, moves, since: now, text };
}

function frame(now) {
  requestAnimationFrame(frame);
  count(now);
  if (paused || !players[0] || !players[1] || now < due) return;
  const rate = RATES[at("speed").value], most = rate === Infinity ? Infinity : Math.max(1, Math.round(rate / 60));
  const until = performance.now() + FRAME;
  for (let n = 0; n < most && performance.now() < until; n++) move();
  due = rate < 60 ? now + 1000 / rate - 8 : now;
  show();
}

async function seat(side) {
  const name = at(SIDES[side]).value;
  players[side] = null;
  if (!made.has(name)) made.set(name, PLAYERS[name]());
  const player = await made.get(name);
  if (at(SIDES[side]).value !== name) return; // another was chosen meanwhile
  players[side] = player;
  Object.assign(score, { democrat: 0, communist: 0, draw: 0 });
  games = moves = counted.games = counted.moves = 0;
  game = new Game(firstSeed());
}

function fail(error) {
  at("facts").className = "error";
  at("facts").textContent = `The games cannot be shown: ${error.message}`;
}

SIDES.forEach((id, side) => {
  at(id).append(...Object.keys(PLAYERS).map((name) => new Option(name)));
  at(id).value = side ? "Rules of thumb, level 6" : "Rules of thumb";
  at(id).addEventListener("change", () => seat(side).catch(fail));
});
const tell = () => { const rate = RATES[at("speed").value]; at("rate").value = rate === Infinity ? "as fast as it goes" : `${rate} moves a second`; };
at("speed").addEventListener("input", () => { due = 0; tell(); });
at("pause").addEventListener("click", () => { paused = !paused; at("pause").textContent = paused ? "Go on" : "Pause"; });
tell();
Promise.all([seat(0), seat(1)]).then(() => { show(); requestAnimationFrame(frame); }, fail);
