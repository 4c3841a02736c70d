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

/** The first positions, by their keys, that have the greatest distance. */
export class Longest<Key extends readonly number[]> {
  /** The greatest distance so far, -1 if there is no position yet. */
  dtw = -1;
  readonly #most: number;
  readonly #keys: Key[] = [];

  /** @param most the most positions to keep */
  constructor(most: number) {
    this.#most = most;
  }

  /** Adds a position whose distance is at least the greatest so far. */
  add(dtw: number, key: Key): void {
    if (dtw > this.dtw) this.#keys.length = 0;
    this.dtw = dtw;
    const last = this.#keys.at(-1);
    if (this.#keys.length === this.#most && last !== undefined && compare(last, key) < 0) return;
    this.#keys.push(key);
    this.#keys.sort(compare);
    if (this.#keys.length > this.#most) this.#keys.pop();
  }

  /** The keys in ascending order. */
  get keys(): readonly Key[] {
    return this.#keys;
  }
}

function compare(a: readonly number[], b: readonly number[]): number {
  const k = a.findIndex((part, at) => part !== b[at]);
  return k < 0 ? 0 : a[k]! - b[k]!;
}
