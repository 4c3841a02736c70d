/** A small pseudo-random generator, so that every run uses the same numbers. */
export class Random {
  #state;

  constructor(seed) {
    this.#state = seed >>> 0;
  }

  /** Returns an integer from 0 to `limit` - 1. */
  below(limit) {
    this.#state = (this.#state + 0x9e3779b9) >>> 0;
    let z = this.#state;
    z = Math.imul(z ^ (z >>> 16), 0x85ebca6b);
    z = Math.imul(z ^ (z >>> 13), 0xc2b2ae35);
    return ((z ^ (z >>> 16)) >>> 0) % limit;
  }

  /** Returns an element of a list. */
  pick(list) {
    return list[this.below(list.length)];
  }
}
