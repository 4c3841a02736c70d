import { type Code, DRAW, isLost, plies } from "./codes.js";

/** A distance in plies, and the number of positions that have it. */
export type HistogramBar = readonly [plies: number, positions: number];

/** Codes below this are counted in an array. */
const MOST_IN_ARRAY = 2 ** 20;

/** Counts positions by their code. */
export class Tally {
  #low = new Float64Array(256);
  readonly #high = new Map<Code, number>();

  add(code: Code): void {
    if (code < this.#low.length) this.#low[code]!++;
    else this.#addHigh(code);
  }

  /** The number of draws. */
  get draws(): number {
    return this.#low[DRAW]!;
  }

  /** Returns the histogram of the positions that the side to move loses or wins, distances rising. */
  histogram(lost: boolean): HistogramBar[] {
    const bars: HistogramBar[] = [];
    const add = (count: number, code: Code): void => {
      if (count > 0 && code !== DRAW && isLost(code) === lost) bars.push([plies(code), count]);
    };
    this.#low.forEach(add);
    this.#high.forEach(add);
    return bars.sort(([a], [b]) => a - b);
  }

  #addHigh(code: Code): void {
    if (code >= MOST_IN_ARRAY) {
      this.#high.set(code, (this.#high.get(code) ?? 0) + 1);
      return;
    }
    let size = this.#low.length;
    while (size <= code) size *= 2;
    const longer = new Float64Array(size);
    longer.set(this.#low);
    longer[code]!++;
    this.#low = longer;
  }
}

/** Returns the histogram of two histograms together. */
export function addHistograms(a: readonly HistogramBar[], b: readonly HistogramBar[]): HistogramBar[] {
  const sums = new Map(a);
  for (const [distance, positions] of b) sums.set(distance, (sums.get(distance) ?? 0) + positions);
  return [...sums].sort(([a], [b]) => a - b);
}

/** Returns the number of positions in a histogram. */
export function totalOf(histogram: readonly HistogramBar[]): number {
  return histogram.reduce((sum, [, positions]) => sum + positions, 0);
}

/** The first positions, by their numbers, that have the greatest distance. */
export class Longest {
  /** The greatest distance so far, -1 if there is no position yet. */
  dtw = -1;
  readonly #most: number;
  readonly #numbers: number[] = [];

  /** @param most the most positions to keep */
  constructor(most: number) {
    this.#most = most;
  }

  /** Adds a position whose distance is at least the greatest so far. */
  add(dtw: number, position: number): void {
    const numbers = this.#numbers;
    if (dtw > this.dtw) numbers.length = 0;
    this.dtw = dtw;
    if (numbers.length === this.#most && numbers.at(-1)! < position) return;
    numbers.push(position);
    numbers.sort((a, b) => a - b);
    if (numbers.length > this.#most) numbers.pop();
  }

  /** The numbers of the positions in ascending order. */
  get positions(): readonly number[] {
    return this.#numbers;
  }
}
