import type { ByWinner, HistogramBar, Slice } from "dragnet-probe";

/** The positions that a level decides, by the side that wins them. */
export interface LevelCount {
  readonly level: number;
  readonly police: number;
  readonly thief: number;
}

/** Returns the positions decided on each level, from level 0 to the last. */
export function levelCounts(histogram: ByWinner<readonly HistogramBar[]>): LevelCount[] {
  const last = Math.max(-1, ...histogram.police.map(([level]) => level), ...histogram.thief.map(([level]) => level));
  const police = new Map(histogram.police);
  const thief = new Map(histogram.thief);
  return Array.from({ length: last + 1 }, (_, level) => {
    return { level, police: police.get(level) ?? 0, thief: thief.get(level) ?? 0 };
  });
}

/** Returns the histogram of the cells of a slice. */
export function sliceHistogram({ outcome, dtw }: Slice): ByWinner<HistogramBar[]> {
  const counts = [new Map<number, number>(), new Map<number, number>()] as const;
  outcome.forEach((found, square) => {
    if (found !== 1 && found !== 2) return;
    const bars = counts[found - 1]!;
    bars.set(dtw[square]!, (bars.get(dtw[square]!) ?? 0) + 1);
  });
  return { police: [...counts[0]], thief: [...counts[1]] };
}

/** The cells of a slice as they are known after a level. */
export interface KnownCells {
  /** Outcomes by square: 0 not decided or wall, 1 police, 2 thief, 3 draw. */
  readonly outcomes: Uint8Array;
  /** The squares that the level itself decides. */
  readonly fresh: readonly number[];
}

/**
 * Returns what is known of a slice after a level. A position is decided on the level of its distance; draws
 * settle on the level after the last one.
 *
 * @param last the last level on which a position of the table is decided
 */
export function knownAt({ outcome, dtw }: Slice, level: number, last: number): KnownCells {
  const outcomes = new Uint8Array(outcome.length);
  const fresh: number[] = [];
  outcome.forEach((found, square) => {
    if (found === 0) return;
    const decided = found === 3 ? last + 1 : dtw[square]!;
    if (decided <= level) outcomes[square] = found;
    if (decided === level) fresh.push(square);
  });
  return { outcomes, fresh };
}
