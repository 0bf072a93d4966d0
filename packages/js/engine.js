// The engine of 1989: Dawn of Freedom in WebAssembly: games, batches of games, compiled players. dawn.js loads it in browsers,
// node.js in Node; see dawn.d.ts.
import {
  ACTIONS, CODES, DECISIONS, DICE, FACES, FIELDS, FRAME, MAP, MEMORIES, MODES, PARTS, PRETRAINED, REASONS, RESULTS, SIDES,
  STATE_LAYOUT, STATE_SIZE, VIEWS,
} from "./layout.js";

export { ACTIONS, DECISIONS, PARTS, REASONS, RESULTS, STATE_LAYOUT };
export const DEMOCRAT = 0, COMMUNIST = 1;

let wasm, contents;  // the exports of the module; how the bytes of a file of the package are had

// Load the module, before anything else; `read(name)` promises the bytes of a file, such as "dawn.wasm".
export async function load(read) {
  const { instance } = await WebAssembly.instantiate(await read("dawn.wasm"), {});
  [wasm, contents, end] = [instance.exports, read, instance.exports.__heap_base.value];
}

const PAGE = 65536, ALIGN = 16, MOST_BYTES = 2 ** 32;
const aligned = (size) => Math.ceil(size / ALIGN) * ALIGN;

// --- arguments -----------------------------------------------------------------------------------------------------

const shown = (value) =>
  typeof value === "string" ? JSON.stringify(value) : value === Object(value) ? "an object" : String(value);

// `value`, an integer `first` ... `last`, or else a `RangeError`; it may be a bigint where `last` is one.
function integer(name, value, first, last) {
  const whole = Number.isInteger(value) || (typeof value === "bigint" && typeof last === "bigint");
  if (whole && value >= first && value <= last) return value;
  throw new RangeError(`${name}: an integer ${first} ... ${last} expected, not ${shown(value)}`);
}

function flag(name, value) {
  if (typeof value !== "boolean") throw new RangeError(`${name}: true or false expected, not ${shown(value)}`);
  return value;
}

function object(name, value) {
  if (value !== Object(value)) throw new RangeError(`${name}: an object expected, not ${shown(value)}`);
  return value;
}

// `value`, an object with some of `keys` and no others.
function choices(name, value, keys) {
  const unknown = Object.keys(object(name, value)).filter((key) => !keys.includes(key));
  if (unknown.length) throw new RangeError(`${name}: ${keys.join(", ")} expected, not ${unknown.join(", ")}`);
  return value;
}

function gameOf(name, value) {
  if (!(value instanceof Game)) throw new RangeError(`${name}: a Game expected, not ${shown(value)}`);
  return value;
}

const sideOf = (side) => integer("side", side, 0, 1);
const seedOf = (seed) => BigInt(integer("seed", seed, 0, (1n << 63n) - 1n));

// --- memory: blocks by size, used again once they are given back --------------------------------------------------

let end;
const free = new Map();
let buffer = null, bytes, view;

function look() {
  if (buffer !== wasm.memory.buffer) {
    buffer = wasm.memory.buffer;
    bytes = new Uint8Array(buffer);
    view = new DataView(buffer);
  }
}

function take(size) {
  const rounded = aligned(size);
  let at = free.get(rounded)?.pop();
  if (at === undefined) {
    at = aligned(end);
    const missing = at + rounded - wasm.memory.buffer.byteLength;
    try {
      if (missing > 0) wasm.memory.grow(Math.ceil(missing / PAGE));
    } catch {
      throw new RangeError(`no memory for ${size} bytes more`);
    }
    end = at + rounded;
  }
  look();
  bytes.fill(0, at, at + rounded);
  return at;
}

function give([at, size]) {
  const rounded = aligned(size);
  if (!free.has(rounded)) free.set(rounded, []);
  free.get(rounded).push(at);
}

const unused = new FinalizationRegistry((blocks) => blocks.forEach(give));

// Blocks of an object: given back when it is collected, or at once by `free`.
class Owner {
  #blocks = [];
  constructor() {
    unused.register(this, this.#blocks, this);
  }
  _take(size) {
    const at = take(size);
    this.#blocks.push([at, size]);
    return at;
  }
  // `value`, which leads to the blocks of this object.
  _held(value) {
    if (this.#blocks) return value;
    throw new RangeError("an object that has been freed cannot be used");
  }
  free() {
    unused.unregister(this);
    this.#blocks?.forEach(give);
    this.#blocks = null;
  }
}

function optionsOf(options) {
  const keys = ["mode", "bid", "extraSupport"];
  const { mode = "standard", bid = false, extraSupport: extra = [0, 0] } = choices("options", options, keys);
  if (!MODES.includes(mode)) throw new RangeError(`mode: ${MODES.join(" or ")} expected, not ${shown(mode)}`);
  if (!Array.isArray(extra) || extra.length !== 2) throw new RangeError("extraSupport: two integers 0 ... 20 expected");
  const points = extra.map((one) => integer("extraSupport", one, 0, 20));
  return [MODES.indexOf(mode), Number(flag("bid", bid)), ...points];
}

function start(at, seed, options) {
  const code = wasm.dawn_new_game(at, seedOf(seed), ...options);
  if (code) throw new RangeError("options: only one of a bid, extraSupport and family mode expected");
}

const kindOf = (mode, bid) => (mode ? "family" : bid ? "bid" : "standard");

// --- fields of a record --------------------------------------------------------------------------------------------

const READERS = {
  i1: ["getInt8", 1], i2: ["getInt16", 2], i4: ["getInt32", 4], i8: ["getBigInt64", 8], u4: ["getUint32", 4],
};

function nested(values, shape) {
  if (shape.length < 2) return shape.length ? values : values[0];
  const part = values.length / shape[0];
  return Array.from({ length: shape[0] }, (_, n) => nested(values.slice(n * part, (n + 1) * part), shape.slice(1)));
}

function read(at, [offset, type, shape]) {
  const [method, size] = READERS[type];
  const count = shape.reduce((product, length) => product * length, 1);
  look();
  return nested(Array.from({ length: count }, (_, n) => view[method](at + offset + n * size, true)), shape);
}

function write(at, name, [offset, type, shape], value) {
  const [method, size] = READERS[type];
  const count = shape.reduce((product, length) => product * length, 1);
  const values = [value].flat(Infinity);
  if (values.length !== count) throw new RangeError(`${name}: ${count} integers expected, not ${values.length}`);
  const put = method.replace("get", "set"), last = 2 ** (8 * size - 1);
  values.forEach((one, n) => view[put](at + offset + n * size, type === "i8" ? seedOf(/^\d+$/.test(one) ? BigInt(one) : one)
    : type === "u4" ? integer(name, one, 0, 2 * last - 1) : integer(name, one, -last, last - 1), true));
}

// --- events --------------------------------------------------------------------------------------------------------

const ZONES = ["resolving", "in_play", "discard_pile", "removed", "my_hand", "known_theirs"];

// Events from two observations of one side, and so of nothing that is hidden from it.
function changes(parts, before, now, over) {
  const part = (seen, name) => seen.subarray(...(parts[name] ?? [0, 0]));
  const was = (name) => part(before, name), is = (name) => part(now, name);
  const changed = (name) => [...is(name).keys()].filter((n) => was(name)[n] !== is(name)[n]);
  const gained = (name) => changed(name).flatMap((n) => Array(Math.max(0, is(name)[n] - was(name)[n])).fill(n));
  const me = is("side")[0], owner = (mine) => SIDES[mine ? me : 1 - me], events = [];
  const tell = (event, keys) => events.push({ event, ...keys });
  const points = { [owner(true)]: "my_support", [owner(false)]: "their_support" };
  for (const space of new Set([...changed("my_support"), ...changed("their_support")])) {
    const sides = SIDES.filter((side) => changed(points[side]).includes(space));
    const moved = sides.map((side) => [side, [was(points[side])[space], is(points[side])[space]]]);
    tell("support", { space: MAP.spaces[space][0], ...Object.fromEntries(moved) });
  }
  for (const n of changed("track")) tell("track", { side: owner(n === 0), box: is("track")[n] });
  for (const n of changed("ussr")) tell("marker", { marker: "ussr", value: is("ussr")[n] });
  const sign = me ? -1 : 1, vp = sign * is("vp")[0], by = vp - sign * was("vp")[0];
  if (by) tell("vp", { by, vp });
  for (const n of changed("power")) tell("power", { country: MAP.countries[n][0], side: owner(is("power")[n] > 0) });
  if (changed("struggle").length) tell("struggle", { country: MAP.countries[is("struggle").indexOf(1)]?.[0] ?? null });
  for (const to of ZONES) if (gained(to).length) tell("cards", { cards: gained(to).map((n) => n + 1), to });
  for (const to of ["power_discard", "my_power_hand"])
    if (gained(to).length) tell("struggle-cards", { cards: gained(to).map((n) => FACES[n]), to });
  if (!over && is("turn")[0] && ["turn", "round", "phasing"].some((name) => changed(name).length))
    tell("round", { turn: is("turn")[0], round: is("round")[0], side: owner(is("phasing")[0]) });
  return events;
}

// --- games ---------------------------------------------------------------------------------------------------------

const EMPTY = Symbol("a record to be filled");

export class Game extends Owner {
  #block = this._take(STATE_SIZE);

  constructor(seed = 0, options = {}) {
    super();
    if (seed !== EMPTY) start(this.#at, seed, optionsOf(options));
  }

  static #of(record) {
    const game = new Game(EMPTY);
    bytes.set(record, game.#at);
    return game;
  }

  #checked() {
    const at = take(STATE_SIZE), code = wasm.dawn_check(this.#at, at, 1);
    give([at, STATE_SIZE]);
    if (!code) return this;
    this.free();
    throw new RangeError("not a state of a game that can be played on");
  }

  // The record as Python has it (`Game.to_bytes`).
  static fromBytes(record) {
    if (record?.length !== STATE_SIZE) throw new RangeError(`a state has ${STATE_SIZE} bytes, not ${record?.length}`);
    return Game.#of(record).#checked();
  }

  static fromJSON(text) {
    const fields = object("a state", typeof text === "string" ? JSON.parse(text) : text);
    const game = new Game(EMPTY);
    for (const [name, field] of Object.entries(FIELDS)) {
      if (!(name in fields)) throw new RangeError(`a state: field ${name} is missing`);
      write(game.#at, name, field, fields[name]);
    }
    if (!Array.isArray(fields.frames) || fields.frames.length !== FRAME.count)
      throw new RangeError(`frames: ${FRAME.count} arrays expected`);
    fields.frames.forEach((frame, n) => FRAME.columns.forEach(([name, ...field], column) =>
      write(game.#at + FRAME.offset + n * FRAME.size, name, field, object("frame", frame)[column])));
    return game.#checked();
  }

  get #at() { return this._held(this.#block); }
  get address() { return this.#at; }
  get actor() { return this.#number("actor"); }
  get decision() { return DECISIONS[this.#number("decision")]; }
  get decisions() { return this.#number("decisions"); }
  get result() { return RESULTS[this.#number("result")]; }
  get reason() { return REASONS[this.#number("reason")]; }
  get turn() { return this.#number("turn"); }
  get vp() { return this.#number("vp"); }
  get seed() { return read(this.#at, FIELDS.seed); }
  get over() { return this.#number("result") !== 0; }

  // A field of the record by its name in `dawn_env.state`; arrays are nested.
  field(name) {
    if (!(name in FIELDS)) throw new RangeError(`field: one of ${Object.keys(FIELDS).join(", ")} expected, not ${name}`);
    return read(this.#at, FIELDS[name]);
  }

  #number(name) {
    const [offset, type] = FIELDS[name];
    look();
    return view[READERS[type][0]](this.#at + offset, true);
  }

  get kind() { return kindOf(this.#number("mode"), this.#number("bid")); }
  get layout() { return VIEWS[this.kind]; }

  get legal() {
    const [offset, , [count]] = FIELDS.legal, at = this.#at + offset, actions = [];
    if (this.over) return actions;
    look();
    for (let action = 0; action < count; action++) if (bytes[at + action]) actions.push(action);
    return actions;
  }

  step(action) {
    const code = wasm.dawn_step(this.#at, integer("action", action, 0, ACTIONS.length - 1));
    if (code) throw new RangeError(`action ${action}: ${CODES[code]} at decision ${this.decision}`);
  }

  observation(side = this.actor) { return this.#look(side)[0]; }
  mask(side = this.actor) { return this.#look(side)[1]; }

  #look(side) {
    sideOf(side);
    const [size, actions] = this.layout, at = take(size + actions);
    wasm.dawn_observe(this.#at, side, at, size, at + size, actions);
    const seen = new Int8Array(buffer, at, size).slice(), mask = new Int8Array(buffer, at + size, actions).slice();
    give([at, size + actions]);
    return [seen, mask];
  }

  // Dice rolled in the latest step.
  get dice() {
    const rolled = this.field(this.field("scripted") ? "tape_at" : "tape_len")[DICE];
    return this.field("tape")[DICE].slice(0, rolled);
  }

  // What has changed for a side since an earlier moment of this game.
  events(before, side = this.actor) {
    if (gameOf("before", before).kind !== this.kind)
      throw new RangeError(`before: an earlier moment of a ${this.kind} game expected`);
    const told = changes(PARTS[this.kind], before.observation(side), this.observation(side), this.over);
    if (this.over) told.push({ event: "end", result: this.result, reason: this.reason, vp: this.vp });
    return told;
  }

  // A copy in which what is hidden from a side is dealt anew.
  redeal(side, seed) {
    const seen = BigInt(sideOf(side)), drawn = seedOf(seed), game = new Game(EMPTY), at = take(8);
    view.setBigInt64(at, drawn, true);
    wasm.dawn_redeal_rows(wasm.dawn_advance_pointer(), this.#at, 1, game.#at, 1, seen, at, 1);
    give([at, 8]);
    return game;
  }

  // Play to the end at random, with chance anew.
  playOut(seed) {
    const drawn = seedOf(seed), at = take(8);
    view.setBigInt64(at, drawn, true);
    wasm.dawn_play_out(wasm.dawn_advance_pointer(), this.#at, 1, at, 1);
    give([at, 8]);
  }

  clone() { return Game.#of(this.toBytes()); }
  toBytes() { look(); return bytes.slice(this.#at, this.#at + STATE_SIZE); }

  toJSON() {
    const fields = {};
    for (const [name, field] of Object.entries(FIELDS)) fields[name] = read(this.#at, field);
    fields.seed = fields.seed <= Number.MAX_SAFE_INTEGER ? Number(fields.seed) : String(fields.seed);
    fields.frames = Array.from({ length: FRAME.count }, (_, n) =>
      FRAME.columns.map(([, ...field]) => read(this.#at + FRAME.offset + n * FRAME.size, field)));
    return fields;
  }
}

// --- players -------------------------------------------------------------------------------------------------------

// Words of numpy's `default_rng(seed).integers(-(2**20), 2**20, count)`: SeedSequence and PCG64.
function drawsOf(seed, count) {
  const word = 0xffffffffn, pool = [], entropy = [];
  for (let rest = seedOf(seed); rest || !entropy.length; rest >>= 32n) entropy.push(Number(rest & word));
  let constant = 0x43b0d7e5;
  const hash = (value, factor) => {
    let x = value ^ constant;
    constant = Math.imul(constant, factor);
    x = Math.imul(x, constant);
    return (x ^ (x >>> 16)) >>> 0;
  };
  const mix = (x, y) => {
    const z = (Math.imul(0xca01f9dd, x) - Math.imul(0x4973f715, y)) | 0;
    return (z ^ (z >>> 16)) >>> 0;
  };
  for (let n = 0; n < 4; n++) pool.push(hash(entropy[n] ?? 0, 0x931e8875));
  for (let from = 0; from < 4; from++)
    for (let to = 0; to < 4; to++) if (from !== to) pool[to] = mix(pool[to], hash(pool[from], 0x931e8875));
  constant = 0x8b51f9dd;
  const words = Array.from({ length: 8 }, (_, n) => BigInt(hash(pool[n % 4], 0x58f38ded)));
  const long = (n) => (words[n + 1] << 32n) | words[n];
  const state128 = (long(0) << 64n) | long(2), sequence = (long(4) << 64n) | long(6), most = (1n << 128n) - 1n;
  const step = (s) => (s * 0x2360ed051fc65da44385df649fccf645n + increment) & most;
  const increment = ((sequence << 1n) | 1n) & most;
  let state = step((step(0n) + state128) & most);
  const draws = new BigInt64Array(count);
  for (let n = 0; n < count; n += 2) {
    state = step(state);
    const turn = state >> 122n, x = ((state >> 64n) ^ state) & ((1n << 64n) - 1n);
    const value = ((x >> turn) | (x << (64n - turn))) & ((1n << 64n) - 1n);
    draws[n] = ((value & word) >> 11n) - (1n << 20n);
    if (n + 1 < count) draws[n + 1] = (value >> 43n) - (1n << 20n);
  }
  return draws;
}

const BIDS = ["offer-side", "offer-points", "own-offer"];

class CompiledPlayer extends Owner {
  #memories = new Map();

  // Address of a memory for views of a size; `fill` writes it.
  _memory(size, fill) {
    const memories = this._held(this.#memories);
    if (!memories.has(size)) memories.set(size, fill());
    return memories.get(size);
  }

  choose(game) {
    if (gameOf("game", game).over || BIDS.includes(game.decision))
      throw new RangeError(`game: one that asks for a move expected, not ${game.over ? "one that is over" : "a bid"}`);
    const [size, actions] = VIEWS[game.kind === "family" ? "family" : "standard"];
    const [answer, memory] = this._answer(size), at = take(size + actions + 8);
    wasm[size === VIEWS.family[0] ? "dawn_family_view" : "dawn_standard_view"](
      game.address, BigInt(game.actor), at + 8, size, at + 8 + size, actions);
    wasm[answer](BigInt(memory), at + 8, size, at + 8 + size, actions, at, 1);
    const action = Number(view.getBigInt64(at, true));
    give([at, size + actions + 8]);
    return action;
  }

  _draws(seed, size) {
    const count = Math.floor(size / 4), at = this._take(8 * count);
    new BigInt64Array(buffer, at, count).set(drawsOf(seed, count));
    return [at, count];
  }

  // Answer of the rule-based player, and a memory for it.
  _rules(size, level, seed) {
    const name = size === VIEWS.family[0] ? "family_heuristic" : "heuristic";
    return [`dawn_${name}_answer`, this._memory(size, () => {
      const memory = this._take(MEMORIES[name]);
      wasm[`dawn_begin_${name}`](BigInt(memory), level, ...this._draws(seed, size));
      return memory;
    })];
  }
}

export class RandomPlayer extends CompiledPlayer {
  constructor(options = {}) {
    super();
    const { seed = 0 } = choices("options", options, ["seed"]);
    this.seed = seedOf(seed);
  }
  _answer(size) { return ["dawn_random_answer", this._memory(size, () => this._draws(this.seed, size)[0])]; }
}

export class HeuristicPlayer extends CompiledPlayer {
  constructor(options = {}) {
    super();
    const { level = 10, seed = 0 } = choices("options", options, ["level", "seed"]);
    Object.assign(this, { level: integer("level", level, 1, 10), seed: seedOf(seed) });
  }
  _answer(size) { return this._rules(size, this.level, this.seed); }
}

// The trained networks, one for each side. `PretrainedPlayer.load()`.
export class PretrainedPlayer extends CompiledPlayer {
  static #weights = null;

  static async load() {
    PretrainedPlayer.#weights ??= new Float32Array(new Uint8Array(await contents("pretrained.bin")).buffer);
    return new PretrainedPlayer();
  }
  _answer(size) {
    if (size === VIEWS.family[0]) return this._rules(size, 10, 0);
    return ["dawn_sparse_answer", this._memory(size, () => this.#fill())];
  }
  #fill() {
    const weights = PretrainedPlayer.#weights, width = PRETRAINED[0].shape.length, count = 4 + 2 * width;
    const places = this._take(8 * count), memory = this._take(MEMORIES.sparse), at = this._take(weights.byteLength);
    new Float32Array(buffer, at, weights.length).set(weights);
    const numbers = new BigInt64Array(buffer, places, count);  // addresses of weights and shapes by side, the shapes
    PRETRAINED.forEach(({ start, shape }, side) => {
      const first = 4 + width * side;
      numbers[side] = BigInt(at + 4 * start);
      numbers[2 + side] = BigInt(places + 8 * first);
      shape.forEach((value, n) => { numbers[first + n] = BigInt(value); });
    });
    wasm.dawn_begin_sparse(BigInt(memory), places, 2, places + 16, 2, places, 0, 1);
    return memory;
  }
}

// --- many games ----------------------------------------------------------------------------------------------------

export class Batch extends Owner {
  #addresses = {};
  #views;

  constructor(count, seed = 0, options = {}, settings = {}) {
    super();
    integer("count", count, 1, Math.floor(MOST_BYTES / STATE_SIZE));
    const { autoRestart = true } = choices("settings", settings, ["autoRestart"]);
    flag("autoRestart", autoRestart);
    const first = seedOf(seed), chosen = optionsOf(options), kind = kindOf(chosen[0], chosen[1]);
    const [size, actions] = VIEWS[kind];
    Object.assign(this, { count, size, actions, autoRestart });
    this.#views = wasm[`dawn_${kind}_view_pointer`]();
    const parts = {
      states: [Uint8Array, STATE_SIZE], rows: [BigInt64Array, 1], chosen: [BigInt64Array, 1], actors: [Int8Array, 1],
      observations: [Int8Array, size], masks: [Int8Array, actions], rewards: [Float32Array, 2], ended: [Uint8Array, 1],
      finalObservations: [Int8Array, 2 * size], finalVp: [Int16Array, 1], finalResult: [Int8Array, 1],
      finalReason: [Int8Array, 1], finalTurn: [Int8Array, 1], finalLength: [Int32Array, 1], finalSeed: [BigInt64Array, 1],
    };
    const sizes = Object.values(parts).map(([type, width]) => aligned(type.BYTES_PER_ELEMENT * width * count));
    let next = this._take(sizes.reduce((sum, size) => sum + size)); // one block: memory for all parts or for none
    for (const [name, [type, width]] of Object.entries(parts)) {
      this.#addresses[name] = next;
      next += sizes.shift();
      // Made anew for each reading, since the memory of the module may have moved.
      Object.defineProperty(this, name, { get: () => new type(wasm.memory.buffer, this.#parts[name], width * count) });
    }
    for (let row = 0; row < count; row++) {
      view.setBigInt64(this.#parts.rows + 8 * row, BigInt(row), true);
      start(this.#parts.states + row * STATE_SIZE, (first + BigInt(row)) & ((1n << 63n) - 1n), chosen);
      bytes[this.#parts.actors + row] = bytes[this.#parts.states + row * STATE_SIZE + FIELDS.actor[0]];
    }
    const p = this.#parts;
    wasm.dawn_write_rows(this.#views, p.states, count, p.actors, count, p.observations, count, size, p.masks, count, actions);
  }

  get #parts() { return this._held(this.#addresses); }

  game(row) {
    const at = this.#parts.states + integer("row", row, 0, this.count - 1) * STATE_SIZE;
    return Game.fromBytes(new Uint8Array(wasm.memory.buffer.slice(at, at + STATE_SIZE)));
  }

  // A random legal action of each game into `chosen`, the same as Python's `random_actions`.
  chooseRandom() {
    const p = this.#parts;
    wasm.dawn_random_actions(p.states, this.count, p.masks, this.count, this.actions, p.chosen, this.count);
  }

  // Take `actions`, by default those in `chosen`, in all games that are not over; none moves if one is illegal.
  step(actions = null) {
    const p = this.#parts, n = this.count, { chosen, masks, ended } = this, last = BigInt(this.actions - 1);
    const over = (row) => !this.autoRestart && ended[row];
    if (actions !== null) {
      if (actions.length !== n) throw new RangeError(`actions: ${n} integers expected, one for each game`);
      const action = (value, row) => (over(row) ? 0n : BigInt(integer("action", value, 0, last)));
      chosen.set(Array.from(actions, action));
    }
    if (wasm.dawn_all_legal(p.chosen, n, p.masks, n, this.actions, p.rows, n) !== 1)
      for (let row = 0; row < n; row++) {
        const action = chosen[row];
        if (over(row)) chosen[row] = 0n;
        else if (action < 0n || action > last || !masks[row * this.actions + Number(action)])
          throw new RangeError(`action ${action} of game ${row} is illegal: no game has moved`);
      }
    const errors = wasm.dawn_play_rows(
      0n, BigInt(n), 0n, wasm.dawn_advance_pointer(), this.#views, wasm.dawn_begin_pointer(), Number(this.autoRestart),
      p.rows, n, p.chosen, n, p.states, n, p.actors, n, p.observations, n, this.size, p.masks, n, this.actions,
      p.rewards, n, 2, p.ended, n, p.finalObservations, n, 2, this.size, p.finalVp, n, p.finalResult, n,
      p.finalReason, n, p.finalTurn, n, p.finalLength, n, p.finalSeed, n);
    if (errors) throw new Error(`the rules stopped ${errors} games`);
  }
}
