import { BlockReader } from "./block-reader.js";
import { type Code, DRAW, isLost, merit, plies } from "./codes.js";
import { Digest } from "./digest.js";
import { DragnetError } from "./errors.js";
import { type GameCounts, type GameHeader, type GameLongest, readGameHeader } from "./game-header.js";
import { type OpenOptions, fetchBytes, openArguments } from "./open.js";
import { type Verified, checkBlocks, expect } from "./verify.js";

/** The result of a position for the player to move. */
export type Result = "won" | "lost" | "drawn";

/** The value of a position in a game table, for the player to move. */
export interface GameValue {
  /** The result of the position with best play. */
  readonly result: Result;
  /** The distance to the end in plies, one turn of one player each; `null` if the position is drawn. */
  readonly dtw: number | null;
}

/** A successor of a position, with its value for the opponent, who is to move there. */
export interface GameChoice extends GameValue {
  /** The number of the successor. */
  readonly position: number;
}

/**
 * An open game table: the values of a game whose positions are numbered from 0, such as a game on a graph of
 * positions. The table stores no moves; the caller supplies them.
 */
export class GameTable {
  /** The name of the game, for people: `graph` for a game on a graph. */
  readonly name: string;
  /** A number that tells games apart; for a game on a graph it is computed from the edges, see FORMAT.md. */
  readonly key: bigint;
  /** The number of positions, whose numbers begin at 0. */
  readonly positions: number;
  /** The number of positions with each result. */
  readonly counts: GameCounts;
  /** The longest distances in plies. */
  readonly longest: GameLongest;
  /** The content digest: equal for all tables with the same values. */
  readonly digest: bigint;
  readonly #blocks: BlockReader;
  /** The number of slots of each block but the last, which may have fewer. */
  readonly #slots: number;

  private constructor(bytes: Uint8Array, header: GameHeader, cacheBytes: number) {
    this.#blocks = new BlockReader(bytes, header, header.blocks, cacheBytes);
    this.#slots = header.slots;
    this.name = header.name;
    this.key = header.key;
    this.positions = header.positions;
    this.counts = header.counts;
    this.longest = header.longest;
    this.digest = header.digest;
  }

  /**
   * Opens a game table in memory. The bytes are not copied and must not change afterwards. The header is
   * checked now, each block when it is first touched, and everything by {@link GameTable.verify}.
   *
   * @throws DragnetError if the bytes are not a table or are damaged; of kind `unsupported` if they are a
   *   pursuit table
   */
  static fromBytes(bytes: Uint8Array | ArrayBuffer, options: OpenOptions = {}): GameTable {
    const { view, cacheBytes } = openArguments(bytes, options);
    return new GameTable(view, readGameHeader(view), cacheBytes);
  }

  /**
   * Fetches a game table from an address and opens it.
   *
   * @throws DragnetError of kind `fetch` if the request fails or its status is not a success; otherwise as
   * {@link GameTable.fromBytes}
   */
  static async fetch(url: string | URL, options: OpenOptions = {}): Promise<GameTable> {
    const bytes = await fetchBytes(url);
    return GameTable.fromBytes(bytes, options);
  }

  /**
   * Returns the value of a position for the player to move.
   *
   * @throws DragnetError of kind `position` if no position has this number; of another kind if the table is
   *   damaged
   */
  value(position: number): GameValue {
    return gameValueOf(this.#code(position));
  }

  /**
   * Returns the successors of a position, best first for the player who moves to them: quick wins, slow wins,
   * draws, slow losses, quick losses; equally good ones in the order given. In each successor the opponent
   * must be to move, since the table does not know whose turn it is.
   *
   * @throws DragnetError as {@link GameTable.value}
   */
  rank(successors: Iterable<number>): GameChoice[] {
    const choices = Array.from(successors, (position) => ({ position, code: this.#code(position) }));
    choices.sort((a, b) => merit(b.code) - merit(a.code));
    return choices.map(({ position, code }) => ({ position, ...gameValueOf(code) }));
  }

  /**
   * Verifies the whole table: every checksum, every rule of the format, the counts, the longest distances,
   * and the digest. It blocks the thread until it is done.
   *
   * @throws DragnetError at the first fault found
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

function gameValueOf(code: Code): GameValue {
  if (code === DRAW) return { result: "drawn", dtw: null };
  return { result: isLost(code) ? "lost" : "won", dtw: plies(code) };
}
