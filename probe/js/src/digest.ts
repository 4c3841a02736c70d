/** 2^64 divided by the golden ratio, in halves: the increment of splitmix64. */
const GAMMA_HIGH = 0x9e3779b9;
const GAMMA_LOW = 0x7f4a7c15;

/**
 * Computes the content digest: the wrapping sum of splitmix64(number + code · gamma) over all positions, for
 * a pursuit table over those with the police to move. Numbers of 64 bits are kept in two halves, since
 * bigints are many times slower.
 */
export class Digest {
  #high = 0;
  #low = 0;

  /**
   * Adds one position.
   *
   * @param number the number of the position, below 2^53; for a pursuit table, team · open cells + thief cell
   *   number
   */
  add(number: number, code: number): void {
    // splitmix64 begins by adding gamma once more.
    const factor = code + 1;
    let low = timesLow(GAMMA_LOW, factor) + (number >>> 0);
    let high = timesHigh(GAMMA_LOW, factor) + Math.imul(GAMMA_HIGH, factor) + Math.floor(number / 2 ** 32);
    if (low > 0xffffffff) high++;
    low >>>= 0;
    high >>>= 0;

    let shifted = low ^ ((low >>> 30) | (high << 2));
    high ^= high >>> 30;
    high = Math.imul(high, 0x1ce4e5b9) + Math.imul(shifted, 0xbf58476d) + timesHigh(shifted >>> 0, 0x1ce4e5b9);
    low = Math.imul(shifted, 0x1ce4e5b9);

    shifted = low ^ ((low >>> 27) | (high << 5));
    high ^= high >>> 27;
    high = Math.imul(high, 0x133111eb) + Math.imul(shifted, 0x94d049bb) + timesHigh(shifted >>> 0, 0x133111eb);
    low = Math.imul(shifted, 0x133111eb);

    shifted = low ^ ((low >>> 31) | (high << 1));
    high ^= high >>> 31;
    const sum = this.#low + (shifted >>> 0);
    this.#high = (this.#high + high + (sum > 0xffffffff ? 1 : 0)) >>> 0;
    this.#low = sum >>> 0;
  }

  /** The digest of the positions added so far. */
  get value(): bigint {
    return (BigInt(this.#high) << 32n) | BigInt(this.#low);
  }
}

/** Returns the lower half of the product of two unsigned 32-bit numbers. */
function timesLow(a: number, b: number): number {
  return Math.imul(a, b) >>> 0;
}

/** Returns the upper half of the product of two unsigned 32-bit numbers. */
function timesHigh(a: number, b: number): number {
  const aLow = a & 0xffff;
  const aHigh = a >>> 16;
  const bLow = b & 0xffff;
  const bHigh = b >>> 16;
  const middle = aHigh * bLow + ((aLow * bLow) >>> 16);
  const other = aLow * bHigh + (middle & 0xffff);
  return aHigh * bHigh + Math.floor(middle / 0x10000) + Math.floor(other / 0x10000);
}
