import { Blocks } from "./blocks.js";
import { type Code, DRAW, isLost, merit, plies } from "./codes.js";
import { Digest } from "./digest.js";
import { DragnetError } from "./errors.js";
import { type GameCounts, type GameHeader, type GameLongest, readGameHeader } from "./game-header.js";
import { type OpenOptions, fetchBytes, opened } from "./source.js";
import { type Verified, checkBlocks, expect } from "./verify.js";

/** How a position ends for the player who is to move in it. */
export type Result = "won" | "lost" | "drawn";

/** The value of a position for the player who is to move in it. */
export interface GameValue {
  readonly result: Result;
  /** Distance to the end in plies, single moves of one player; `null` if it is drawn. */
  readonly dtw: number | null;
}

/** A position that a move leads to, with its value for the other player, who is to move there. */
export interface GameChoice extends GameValue {
  readonly position: number;
}

/**
 * The table of a game whose positions are numbers from 0, ready to answer: a game on a graph, or any other that somebody
 * has solved. It knows the value of each position and none of the moves, which whoever asks knows himself.
 */
export class GameTable {
  /** What game it is, for people: `graph` for a game on a graph. */
  readonly name: string;
  /** Tells games apart; for a game on a graph a sum over its edges, see FORMAT.md. */
  readonly key: bigint;
  /** How many positions there are. */
  readonly positions: number;
  readonly counts: GameCounts;
  readonly longest: GameLongest;
  /** The content digest: the same for all tables that say the same. */
  readonly digest: bigint;
  readonly #blocks: Blocks;
  /** Slots of a block that is not the last. */
  readonly #slots: number;

  private constructor(bytes: Uint8Array, header: GameHeader, cacheBytes: number) {
    this.#blocks = new Blocks(bytes, header, header.blocks, cacheBytes);
    this.#slots = header.slots;
    this.name = header.name;
    this.key = header.key;
    this.positions = header.positions;
    this.counts = header.counts;
    this.longest = header.longest;
    this.digest = header.digest;
  }

  /**
   * Opens a table in memory. The bytes are not copied and must not change afterwards. The header is checked now, blocks
   * when they are first touched; {@link GameTable.verify} checks all at once.
   *
   * @throws DragnetError if the bytes are no table, or a damaged one; of kind `unsupported` for that of a pursuit game
   */
  static fromBytes(bytes: Uint8Array | ArrayBuffer, options: OpenOptions = {}): GameTable {
    const { view, cacheBytes } = opened(bytes, options);
    return new GameTable(view, readGameHeader(view), cacheBytes);
  }

  /**
   * Fetches a table and opens it.
   *
   * @throws DragnetError of kind `fetch` if there is no answer or one that is no success; otherwise as
   * {@link GameTable.fromBytes}
   */
  static async fetch(url: string | URL, options: OpenOptions = {}): Promise<GameTable> {
    const bytes = await fetchBytes(url);
    return GameTable.fromBytes(bytes, options);
  }

  /**
   * How a position ends, and in how many plies.
   *
   * @throws DragnetError of kind `position` if there is none of that number; of another kind if the table turns out to be
   * damaged
   */
  value(position: number): GameValue {
    return valueFor(this.#code(position));
  }

  /**
   * The positions that a player's moves lead to, the best for him first: quick wins, slow wins, draws, slow losses, quick
   * losses, and equally good ones in the order given. The table does not know who is to move: each of these moves must
   * pass the turn.
   *
   * @throws DragnetError as {@link GameTable.value}
   */
  rank(successors: Iterable<number>): GameChoice[] {
    const choices = Array.from(successors, (position) => ({ position, code: this.#code(position) }));
    choices.sort((a, b) => merit(b.code) - merit(a.code));
    return choices.map(({ position, code }) => ({ position, ...valueFor(code) }));
  }

  /**
   * Checks the whole table: every checksum, every rule of the format, the counts, the longest distances, and the digest.
   * Nothing else runs meanwhile.
   *
   * @throws DragnetError if anything is not as it should be
   */
  verify(): Verified {
    const checked = checkBlocks(this.#blocks.index, this.#slotsOfAll());
    const digest = new Digest();
    const counts = { won: 0, lost: 0, drawn: 0 };
    const longest = { won: 0, lost: 0 };
    for (let position = 0; position < this.positions; position++) {
      const code = this.#code(position);
      digest.add(position, code);
      if (code === DRAW) {
        counts.drawn++;
      } else {
        const result = isLost(code) ? "lost" : "won";
        counts[result]++;
        longest[result] = Math.max(longest[result], plies(code));
      }
    }
    for (const result of ["won", "lost", "drawn"] as const) {
      expect(`${result} positions`, this.counts[result], counts[result]);
    }
    for (const result of ["won", "lost"] as const) {
      expect(`longest of a ${result} position`, this.longest[result], longest[result]);
    }
    expect("digest", this.digest.toString(16), digest.value.toString(16));
    return { positions: this.positions, ...checked };
  }

  #code(position: number): Code {
    if (!Number.isInteger(position) || position < 0 || position >= this.positions) {
      const last = this.positions - 1;
      throw new DragnetError("position", `expected a position from 0 to ${last}, found ${String(position)}`);
    }
    const block = Math.floor(position / this.#slots);
    return this.#blocks.code(block, position - block * this.#slots, this.#slotsOf(block));
  }

  *#slotsOfAll(): Generator<number> {
    for (let block = 0; block < this.#blocks.index.blocks; block++) yield this.#slotsOf(block);
  }

  #slotsOf(block: number): number {
    return Math.min(this.#slots, this.positions - block * this.#slots);
  }
}

function valueFor(code: Code): GameValue {
  if (code === DRAW) return { result: "drawn", dtw: null };
  return { result: isLost(code) ? "lost" : "won", dtw: plies(code) };
}
