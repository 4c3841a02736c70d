import type { Cell } from "dragnet-probe";
import type { Seen } from "../../engine/protocol.js";
import type { Scenario } from "../../model/scenario.js";
import type { Game } from "../../model/share.js";

/** A level of a solve. */
export interface Level {
  /** The distance in plies of the positions that it decides. */
  readonly level: number;
  /** The positions that it decides. */
  readonly decided: number;
}

/** The size and the memory of a solve. */
export interface Estimate {
  readonly positions: number;
  /** The memory that it needs, in bytes. */
  readonly memory: number;
  /** Why it cannot be begun at all, if so. */
  readonly refusal: string | undefined;
}

/** A board that is made. */
export interface MakeOptions {
  readonly kind: "open" | "random" | "maze" | "rooms";
  readonly height: number;
  readonly width: number;
  /** The seed, a whole number; not for open boards. */
  readonly seed?: number | undefined;
  /** The share of walls of a random board. */
  readonly density?: number | undefined;
  /** The passages of a maze beyond those that connect it. */
  readonly extra?: number | undefined;
  /** Whether the first open cell becomes the exit. */
  readonly exit: boolean;
}

/** The solver, as the editor uses it. */
export interface Solver {
  /** The time at which the solver was loaded, as `performance.now()` tells it; 0 before. */
  readonly loadedAt: number;
  /** Returns the table of a game, made for quick answers. */
  solve(game: Game, level: (level: Level) => void): Promise<Uint8Array>;
  /** Returns the table of a game, made to be small, as the program makes it. */
  compress(game: Game): Promise<Uint8Array>;
  estimate(game: Game): Promise<Estimate>;
  /** Reads a board in any form that the program reads. */
  read(text: string): Promise<Scenario>;
  /** Writes a board in another form. */
  write(scenario: Scenario, to: "contest" | "movingai"): Promise<string>;
  /** Returns the edge list of a graph in graph6, sparse6 or digraph6. */
  edges(six: string): Promise<string>;
  make(options: MakeOptions): Promise<Scenario>;
  /** Throws the reason if the rules cannot be played on a board. */
  check(game: Game, rules: unknown): Promise<void>;
  /** Tells where guards stand in a world, and what they and officers on cells of their grid see. */
  seen(game: Game, world: number, police: readonly Cell[]): Promise<Seen>;
  /** Ends the solves that run; their promises are rejected. */
  stop(): void;
  /** Ends the solver. */
  close(): void;
}
