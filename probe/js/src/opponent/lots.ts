import { refuse } from "../errors.js";

/** The start of all lots: an integer from 0 to 2⁶⁴ − 1. A number must be exact, so at most 2⁵³ − 1. */
export type Seed = bigint | number;

const BITS = 64n;
const MOST_SEED = 2n ** BITS - 1n;
/** The number by which the state grows with each lot. */
const GAMMA = 0x9e3779b97f4a7c15n;

/** Returns a seed as a `bigint`. Throws a {@link DragnetError} of kind `argument` if it is out of range. */
export function seedOf(seed: Seed): bigint {
  const wide = typeof seed === "bigint";
  if (wide ? seed >= 0n && seed <= MOST_SEED : Number.isSafeInteger(seed) && seed >= 0) return BigInt(seed);
  const range = wide ? "a bigint from 0 to 2^64 - 1" : "a number from 0 to 2^53 - 1, or a bigint";
  refuse("argument", "seed", range, seed);
}

/** A generator of random numbers, SplitMix64, whose state is one number. */
export class Lots {
  #state: bigint;

  /** @throws DragnetError of kind `argument` if the seed is out of its range */
  constructor(seed: Seed) {
    this.#state = seedOf(seed);
  }

  /** Returns the number with an index, from 0, of the generator that begins with `seed`. */
  static nth(seed: Seed, index: number): bigint {
    return mixed(seedOf(seed) + BigInt(index + 1) * GAMMA);
  }

  /** Returns a number that was drawn, scaled down to a lot from 0 up to but not including `count`. */
  static scale(number: bigint, count: number): number {
    return Number((number * BigInt(count)) >> BITS);
  }

  /** The seed of a generator that goes on from here. */
  get state(): bigint {
    return this.#state;
  }

  /** Returns the next number, from 0 to 2⁶⁴ − 1. */
  draw(): bigint {
    this.#state = BigInt.asUintN(64, this.#state + GAMMA);
    return mixed(this.#state);
  }
}

/** Returns the number that is drawn when the state, modulo 2⁶⁴, has become `state`. */
function mixed(state: bigint): bigint {
  let x = BigInt.asUintN(64, state);
  x = BigInt.asUintN(64, (x ^ (x >> 30n)) * 0xbf58476d1ce4e5b9n);
  x = BigInt.asUintN(64, (x ^ (x >> 27n)) * 0x94d049bb133111ebn);
  return x ^ (x >> 31n);
}
