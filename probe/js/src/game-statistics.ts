import { DRAW, isLost, plies } from "./codes.js";
import { hex } from "./crc32.js";
import type { GameLongest } from "./game-header.js";
import type { GameTable } from "./game-table.js";
import { type HistogramBar, Longest, Tally, totalOf } from "./tally.js";
import { expect } from "./check-sums.js";

/** A position with the longest distance. */
export interface LongestGame {
  readonly dtw: number;
  /** The number of the position. */
  readonly position: number;
}

/**
 * The statistics of a game table. The fields have the names that `dragnet stats --json` gives them; the last
 * one is of this package alone.
 */
export interface GameStatistics {
  /** The name of the game. */
  readonly game: string;
  /** The key of the game in hexadecimal digits. */
  readonly key: string;
  readonly positions: number;
  readonly won: number;
  readonly lost: number;
  readonly drawn: number;
  readonly longest: GameLongest;
  /** The first position with the longest distance; `null` if there is no such position. */
  readonly longest_examples: { readonly won: LongestGame | null; readonly lost: LongestGame | null };
  /** The distances of all positions that are won and lost. */
  readonly histogram: { readonly won: readonly HistogramBar[]; readonly lost: readonly HistogramBar[] };
  /** The content digest in hexadecimal digits. */
  readonly digest: string;
  /** Up to ten positions with the longest distances. */
  readonly longest_positions: { readonly won: readonly LongestGame[]; readonly lost: readonly LongestGame[] };
}

/** The most positions in {@link GameStatistics.longest_positions} of each result. */
const MOST_EXAMPLES = 10;

/** The positions of a game table that have been counted so far. */
export class GameScan {
  readonly #tally = new Tally();
  readonly #longest = { won: new Longest(MOST_EXAMPLES), lost: new Longest(MOST_EXAMPLES) };
  #position = 0;

  /** Counts the next positions by their codes. */
  add(codes: Uint32Array): void {
    for (const code of codes) {
      this.#tally.add(code);
      if (code !== DRAW) {
        const dtw = plies(code);
        const longest = isLost(code) ? this.#longest.lost : this.#longest.won;
        if (dtw >= longest.dtw) longest.add(dtw, this.#position);
      }
      this.#position++;
    }
  }

  /** Returns the statistics; throws a {@link DragnetError} of kind `contents` if the table states others. */
  finish({ name, key, positions, counts, longest, digest }: GameTable): GameStatistics {
    const histogram = { won: this.#tally.histogram(false), lost: this.#tally.histogram(true) };
    const examples = (result: "won" | "lost"): LongestGame[] => {
      const { dtw, positions } = this.#longest[result];
      expect(`${result} positions`, counts[result], totalOf(histogram[result]));
      expect(`longest of a ${result} position`, longest[result], Math.max(0, dtw));
      return positions.map((position) => ({ dtw, position }));
    };
    const found = { won: examples("won"), lost: examples("lost") };
    return {
      game: name,
      key: hex(key, 16),
      positions,
      ...counts,
      longest,
      longest_examples: { won: found.won[0] ?? null, lost: found.lost[0] ?? null },
      histogram,
      digest: hex(digest, 16),
      longest_positions: found,
    };
  }
}
