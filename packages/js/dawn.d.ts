/** Side of a game; of a bid the first and the second player. */
export type Side = 0 | 1;
export declare const DEMOCRAT: 0;
export declare const COMMUNIST: 1;
/** Names of all actions by number, of decisions, results and reasons. */
export declare const ACTIONS: readonly string[];
export declare const DECISIONS: readonly string[];
export declare const RESULTS: readonly string[];
export declare const REASONS: readonly string[];

/** Places of the parts of an observation by kind of game, "standard", "bid", "family", and name: [first, end]. */
export declare const PARTS: Readonly<Record<string, Readonly<Record<string, readonly [number, number]>>>>;

/** What the `world` of a position of the protocol begins with: the version of the fields of a game. */
export declare const STATE_LAYOUT: string;

export interface Options {
  /** "standard" by default. */
  mode?: "standard" | "family";
  /** The players bid for sides. */
  bid?: boolean;
  /** Support points that Democrat and Communist place after the set-up, each 0 to 20. */
  extraSupport?: [number, number];
}

/** What holds memory of the module: given back by `free`, or when the object is collected. Any use after `free` is a `RangeError`. */
declare class Owner {
  free(): void;
}

type SideName = "democrat" | "communist";

/** What a side has seen change, with the keys of the protocol's events. */
export type GameEvent =
  | { event: "support"; space: string; democrat?: [before: number, now: number]; communist?: [before: number, now: number] }
  | { event: "track"; side: SideName; box: number }
  | { event: "marker"; marker: string; value: number }
  | { event: "vp"; by: number; vp: number }
  | { event: "power"; country: string; side: SideName }
  | { event: "struggle"; country: string | null }
  | { event: "cards"; cards: number[]; to: string }
  | { event: "struggle-cards"; cards: string[]; to: string }
  | { event: "round"; turn: number; round: number; side: SideName }
  | { event: "end"; result: string; reason: string; vp: number };

/** One game. Errors are `RangeError`s that say what was expected. */
export declare class Game extends Owner {
  /** `seed`: 0 to 2**63 - 1; the same games as in Python. */
  constructor(seed?: number | bigint, options?: Options);
  /** The record as Python's `Game.to_bytes` gives it; a `RangeError` for one that cannot be played on safely. */
  static fromBytes(record: Uint8Array): Game;
  /** The inverse of `toJSON`, and of Python's `Game.to_json`; checked as by `fromBytes`. */
  static fromJSON(text: string | object): Game;
  readonly actor: Side;
  /** Name of the pending decision. */
  readonly decision: string;
  /** Decisions taken so far. */
  readonly decisions: number;
  readonly result: string;
  readonly reason: string;
  readonly turn: number;
  /** Victory points, Democrat positive. */
  readonly vp: number;
  readonly seed: bigint;
  readonly over: boolean;
  /** "standard", "bid" or "family": which layout its observations have. */
  readonly kind: string;
  /** A field of the record, such as "support", as `dawn_env/state.py` describes it. */
  field(name: string): unknown;
  /** Legal actions, ascending; none once the game is over. */
  readonly legal: number[];
  /** Take a legal action and run on to the next decision with a choice, or to the end. */
  step(action: number): void;
  /** What a side sees, `docs/reference/observation.md`; by default the side to act. */
  observation(side?: Side): Int8Array;
  /** 1 for each legal action of a side. */
  mask(side?: Side): Int8Array;
  /** Dice rolled in the latest step; all dice are open. */
  readonly dice: number[];
  /**
   * What has changed for a side, by default the side to act, since `before`, a clone of an earlier moment of this game:
   * made from the side's two observations and the result, so that hidden cards cannot show.
   */
  events(before: Game, side?: Side): GameEvent[];
  /** A copy in which all that is hidden from a side is dealt anew. */
  redeal(side: Side, seed: number | bigint): Game;
  /** Play to the end at random, with chance anew from a seed. */
  playOut(seed: number | bigint): void;
  clone(): Game;
  toBytes(): Uint8Array;
  toJSON(): Record<string, unknown>;
}

/** A compiled player: what it does depends on what it sees, its options and its seed. It does not bid. */
declare class CompiledPlayer extends Owner {
  /**
   * A legal action of the side to act, the same as the player of that name in Python; a `RangeError` once the game is over
   * and while the sides are bid for.
   */
  choose(game: Game): number;
}

export declare class RandomPlayer extends CompiledPlayer {
  constructor(options?: { seed?: number | bigint });
}

/** The rule-based player; `level` 1 to 10. */
export declare class HeuristicPlayer extends CompiledPlayer {
  constructor(options?: { level?: number; seed?: number | bigint });
}

/** The trained networks. */
export declare class PretrainedPlayer extends CompiledPlayer {
  private constructor();
  static load(): Promise<PretrainedPlayer>;
}

/**
 * Many games stepped by one call. Errors are those of `Game`. The arrays lie in the memory of the module: copy what you
 * want to keep.
 */
export declare class Batch extends Owner {
  /**
   * `count`: 1 or more, as many as memory allows. Game i starts from `seed + i`. With `autoRestart` a game that ends is
   * followed by another.
   */
  constructor(count: number, seed?: number | bigint, options?: Options, settings?: { autoRestart?: boolean });
  readonly count: number;
  /** Numbers of an observation, and actions. */
  readonly size: number;
  readonly actions: number;
  /** [count, size] what the side to act sees, [count, actions] its legal actions, [count] which side it is. */
  readonly observations: Int8Array;
  readonly masks: Int8Array;
  readonly actors: Int8Array;
  /** [count, 2] by side: 1, -1 or 0 in the step that ends a game. */
  readonly rewards: Float32Array;
  readonly ended: Uint8Array;
  /** Of the game of each row that ended last: [count, 2, size] views by side, points, number of the result, seed. */
  readonly finalObservations: Int8Array;
  readonly finalVp: Int16Array;
  readonly finalResult: Int8Array;
  readonly finalSeed: BigInt64Array;
  /** Actions for `step()` without an argument. */
  readonly chosen: BigInt64Array;
  /** Write a random legal action of each game into `chosen`. */
  chooseRandom(): void;
  /** Take an action in each game, any in one that is over; with an illegal one none moves. */
  step(actions?: ArrayLike<number | bigint>): void;
  /** A copy of the game of a row. */
  game(row: number): Game;
}
