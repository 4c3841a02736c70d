import { ForwardBits } from "./bits.js";
import { refuse } from "./fail.js";

/**
 * A decoding table of finite state entropy. The next state is `base` plus the next `bits` bits of the stream.
 */
export interface FseTable {
  /** The number of bits of a state. */
  readonly log: number;
  readonly symbols: Uint8Array;
  readonly bits: Uint8Array;
  readonly base: Uint16Array;
}

/** Returns a table with a single symbol, which takes no bits. */
export function constantTable(symbol: number): FseTable {
  return { log: 0, symbols: Uint8Array.of(symbol), bits: new Uint8Array(1), base: new Uint16Array(1) };
}

/**
 * Reads the description of a table, RFC 8878, 4.1.1.
 *
 * @param mostSymbol the greatest symbol that may occur
 * @returns the table, and the number of bytes of its description
 */
export function readTable(bytes: Uint8Array, mostLog: number, mostSymbol: number): [table: FseTable, length: number] {
  const bits = new ForwardBits(bytes);
  const log = bits.peek(4) + 5;
  bits.skip(4);
  if (log > mostLog) refuse(`expected an accuracy of at most ${mostLog} bits, found ${log}`);
  const shares: number[] = [];
  let remaining = 1 << log;
  while (remaining > 0) {
    const width = 32 - Math.clz32(remaining + 1);
    const low = (1 << (width - 1)) - 1;
    const short = (1 << width) - 2 - remaining;
    let value = bits.peek(width);
    if ((value & low) < short) {
      value &= low;
      bits.skip(width - 1);
    } else {
      if (value > low) value -= short;
      bits.skip(width);
    }
    const share = value - 1;
    remaining -= Math.abs(share);
    shares.push(share);
    if (share === 0) readZeros(bits, shares, mostSymbol);
    if (shares.length > mostSymbol + 1) refuse(`expected symbols of at most ${mostSymbol}, found more`);
  }
  return [makeTable(shares, log), bits.bytesTaken];
}

function readZeros(bits: ForwardBits, shares: number[], mostSymbol: number): void {
  let more = 3;
  while (more === 3 && shares.length <= mostSymbol) {
    more = bits.peek(2);
    bits.skip(2);
    for (let k = 0; k < more; k++) shares.push(0);
  }
}

/**
 * Builds the table of a distribution.
 *
 * @param shares the number of states of each symbol; -1 for a single state of the least probability
 */
export function makeTable(shares: readonly number[], log: number): FseTable {
  const size = 1 << log;
  const symbols = new Uint8Array(size);
  const next = new Uint16Array(shares.length);
  let high = size;
  shares.forEach((share, symbol) => {
    next[symbol] = Math.abs(share);
    if (share === -1) symbols[--high] = symbol;
  });
  const step = (size >> 1) + (size >> 3) + 3;
  let state = 0;
  shares.forEach((share, symbol) => {
    for (let k = 0; k < share; k++) {
      symbols[state] = symbol;
      do state = (state + step) & (size - 1);
      while (state >= high);
    }
  });
  const bits = new Uint8Array(size);
  const base = new Uint16Array(size);
  for (let at = 0; at < size; at++) {
    const from = next[symbols[at]!]!++;
    const width = log - (31 - Math.clz32(from));
    bits[at] = width;
    base[at] = (from << width) - size;
  }
  return { log, symbols, bits, base };
}
