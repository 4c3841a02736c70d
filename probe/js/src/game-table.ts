import { BlockReader } from "./block-reader.js";
import { type Code, DRAW, isLost, merit, plies } from "./codes.js";
import { Digest } from "./digest.js";
import { DragnetError } from "./errors.js";
import type { GameCounts, GameHeader, GameLongest } from "./game-header.js";
import { GameScan, type GameStatistics } from "./game-statistics.js";
import { type OpenFile, TableFile } from "./table-file.js";
import { type CheckedSums, checkBlocks, expect } from "./check-sums.js";

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
export class GameTable extends TableFile {
  readonly kind = "game";
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
  readonly #blocks: BlockReader;
  /** The number of slots of each block but the last, which may have fewer. */
  readonly #slots: number;

  /** @internal */
  constructor(bytes: OpenFile, header: GameHeader) {
    super(bytes, header.digest);
    this.#blocks = new BlockReader(bytes.file, header, header.blocks, bytes.cache);
    this.#slots = header.slots;
    this.name = header.name;
    this.key = header.key;
    this.positions = header.positions;
    this.counts = header.counts;
    this.longest = header.longest;
  }

  /**
   * Returns the value of a position for the player to move.
   *
   * @throws DragnetError of kind `position` if no position has this number; of kind `missing` if the table
   *   was opened in pieces, see {@link TableFile.load}; of another kind if the table is damaged
   */
  value(position: number): GameValue {
    this.file.begin();
    const code = this.#code(position);
    this.file.settle();
    return gameValueOf(code);
  }

  /**
   * Returns the successors of a position, best first for the player who moves to them: quick wins, slow wins,
   * draws, slow losses, quick losses; equally good ones in the order given. In each successor the opponent
   * must be to move, since the table does not know whose turn it is.
   *
   * @throws DragnetError as {@link GameTable.value}
   */
  rank(successors: Iterable<number>): GameChoice[] {
    const positions = [...successors];
    this.file.begin();
    const choices = positions.map((position) => ({ position, code: this.#code(position) }));
    this.file.settle();
    choices.sort((a, b) => merit(b.code) - merit(a.code));
    return choices.map(({ position, code }) => ({ position, ...gameValueOf(code) }));
  }

  /**
   * Returns the values of all positions by their numbers, as codes for the player to move: 0 is a draw,
   * 1 + 2n a loss and 2 + 2n a win in n plies. {@link gameValueOf} reads a code.
   *
   * @throws DragnetError as {@link GameTable.value}; of kind `unsupported` if the system has no room for them
   */
  values(): { readonly codes: Uint32Array } {
    let codes: Uint32Array;
    try {
      codes = new Uint32Array(this.positions);
    } catch (cause) {
      const expected = "expected as many positions as fit into memory";
      throw new DragnetError("unsupported", `${expected}, found ${this.positions}`, { cause });
    }
    this.file.begin();
    for (let block = 0; block < this.#blocks.index.blocks; block++) {
      const count = this.#slotsOf(block);
      this.#blocks.copy(block, count, { first: 0, stride: 1, count }, codes, block * this.#slots);
    }
    this.file.settle();
    return { codes };
  }

  /**
   * Returns counts, histograms and the longest distances, from the values of all positions.
   *
   * @throws DragnetError of kind `missing` unless the whole file is in memory; of another kind if the table
   *   is damaged
   */
  statistics(): GameStatistics {
    this.file.need(0, this.byteLength);
    const scan = new GameScan();
    for (const codes of this.#codesByBlock()) scan.add(codes);
    return scan.finish(this);
  }

  *checkSumsInSteps(): Generator<number, CheckedSums> {
    this.file.need(0, this.byteLength);
    const checked = checkBlocks(this.#blocks.index, this.#slotsOfAll());
    const digest = new Digest();
    const scan = new GameScan();
    let position = 0;
    for (const codes of this.#codesByBlock()) {
      scan.add(codes);
      for (const code of codes) digest.add(position++, code);
      yield position / this.positions;
    }
    scan.finish(this);
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

  /** Yields the codes of each block. The memory for the codes is used again. */
  *#codesByBlock(): Generator<Uint32Array> {
    const codes = new Uint32Array(this.#slots);
    for (let block = 0; block < this.#blocks.index.blocks; block++) {
      const count = this.#slotsOf(block);
      this.#blocks.copy(block, count, { first: 0, stride: 1, count }, codes, 0);
      yield codes.subarray(0, count);
    }
  }

  *#slotsOfAll(): Generator<number> {
    for (let block = 0; block < this.#blocks.index.blocks; block++) yield this.#slotsOf(block);
  }

  #slotsOf(block: number): number {
    return Math.min(this.#slots, this.positions - block * this.#slots);
  }
}

/** Returns the value that a code of {@link GameTable.values} stands for. */
export function gameValueOf(code: number): GameValue {
  if (code === DRAW) return { result: "drawn", dtw: null };
  return { result: isLost(code) ? "lost" : "won", dtw: plies(code) };
}
