import { DRAW, isLost, plies } from "./codes.js";
import { hex64 } from "./digest.js";
import type { GameCounts, GameLongest } from "./game-header.js";
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

/** The part of a game table's header that its statistics repeat. */
interface GameSummary {
  readonly name: string;
  readonly key: bigint;
  readonly positions: number;
  readonly counts: GameCounts;
  readonly longest: GameLongest;
  readonly digest: bigint;
}

/** @param blocks the codes of all positions in the order of their numbers, in parts */
export function computeGameStatistics(summary: GameSummary, blocks: Iterable<Uint32Array>): GameStatistics {
  const tally = new Tally();
  const longest = { won: new Longest(MOST_EXAMPLES), lost: new Longest(MOST_EXAMPLES) };
  let position = 0;
  for (const codes of blocks) {
    for (const code of codes) {
      tally.add(code);
      if (code !== DRAW) {
        const dtw = plies(code);
        const side = isLost(code) ? longest.lost : longest.won;
        if (dtw >= side.dtw) side.add(dtw, position);
      }
      position++;
    }
  }
  const histogram = { won: tally.histogram(false), lost: tally.histogram(true) };
  const examples = (result: "won" | "lost"): LongestGame[] => {
    const { dtw, positions } = longest[result];
    expect(`${result} positions`, summary.counts[result], totalOf(histogram[result]));
    expect(`longest of a ${result} position`, summary.longest[result], Math.max(0, dtw));
    return positions.map((position) => ({ dtw, position }));
  };
  const positions = { won: examples("won"), lost: examples("lost") };
  return {
    game: summary.name,
    key: hex64(summary.key),
    positions: summary.positions,
    ...summary.counts,
    longest: summary.longest,
    longest_examples: { won: positions.won[0] ?? null, lost: positions.lost[0] ?? null },
    histogram,
    digest: hex64(summary.digest),
    longest_positions: positions,
  };
}
