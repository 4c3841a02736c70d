import { BackwardBits } from "./bits.js";
import { refuse } from "./fail.js";
import { type FseTable, constantTable, makeTable, readTable } from "./fse.js";

/** The limits and the predefined table of one of the three codes of a sequence. */
interface Alphabet {
  readonly mostLog: number;
  readonly mostSymbol: number;
  readonly predefined: FseTable;
}

const ones = (count: number): number[] => new Array<number>(count).fill(1);
const rare = (count: number): number[] => new Array<number>(count).fill(-1);
const twos = (count: number): number[] => new Array<number>(count).fill(2);

/** The distributions of RFC 8878, 3.1.1.3.2.2. */
const LITERALS: Alphabet = {
  mostLog: 9,
  mostSymbol: 35,
  predefined: makeTable([4, 3, ...twos(11), 1, 1, 1, ...twos(9), 3, 2, ...ones(5), ...rare(4)], 6),
};
const OFFSETS: Alphabet = {
  mostLog: 8,
  mostSymbol: 31,
  predefined: makeTable([...ones(6), 2, 2, 2, ...ones(15), ...rare(5)], 5),
};
const MATCHES: Alphabet = {
  mostLog: 9,
  mostSymbol: 52,
  predefined: makeTable([1, 4, 3, ...twos(6), ...ones(37), ...rare(7)], 6),
};
/**
 * The greatest offset code to accept; a greater one would reach back beyond the beginning of any block of a
 * table.
 */
const MOST_OFFSET_BITS = 23;

const LITERAL_BITS = Uint8Array.of(...new Array<number>(16).fill(0), 1, 1, 1, 1, 2, 2, 3, 3, 4, 6, 7, 8, 9, 10, 11, 12,
  13, 14, 15, 16);
const LITERAL_BASE = bases(LITERAL_BITS, 0);
const MATCH_BITS = Uint8Array.of(...new Array<number>(32).fill(0), 1, 1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 7, 8, 9, 10, 11, 12,
  13, 14, 15, 16);
const MATCH_BASE = bases(MATCH_BITS, 3);

/** Returns the least length of each code, which is where the lengths of the code before it end. */
function bases(bits: Uint8Array, first: number): Int32Array {
  const base = new Int32Array(bits.length);
  let next = first;
  bits.forEach((count, code) => {
    base[code] = next;
    next += 1 << count;
  });
  return base;
}

/** The state that the sequences of one block leave to those of the next. */
export class History {
  literals: FseTable | undefined;
  offsets: FseTable | undefined;
  matches: FseTable | undefined;
  readonly recent: [number, number, number] = [1, 4, 8];
}

/**
 * Executes the sequences section of a block, RFC 8878, 3.1.1.3.2 and 3.1.1.4.
 *
 * @param out the content of the frame; only `out[start, end)` is written to
 * @returns the end of the block's content in `out`
 */
export function runSequences(
  section: Uint8Array,
  literals: Uint8Array,
  history: History,
  out: Uint8Array,
  start: number,
  end: number,
): number {
  const [count, head] = readCount(section);
  let at = start;
  let taken = 0;
  if (count > 0) {
    const stream = readTables(section, head, history);
    const { recent } = history;
    const lengths = history.literals!;
    const offsets = history.offsets!;
    const matches = history.matches!;
    const bits = new BackwardBits(stream);
    let lengthState = bits.take(lengths.log);
    let offsetState = bits.take(offsets.log);
    let matchState = bits.take(matches.log);
    for (let k = 0; k < count; k++) {
      const offsetBits = offsets.symbols[offsetState]!;
      const matchCode = matches.symbols[matchState]!;
      const lengthCode = lengths.symbols[lengthState]!;
      if (offsetBits > MOST_OFFSET_BITS) {
        refuse(`expected an offset code of at most ${MOST_OFFSET_BITS}, found ${offsetBits}`);
      }
      const offsetValue = (1 << offsetBits) + bits.take(offsetBits);
      const match = MATCH_BASE[matchCode]! + bits.take(MATCH_BITS[matchCode]!);
      const length = LITERAL_BASE[lengthCode]! + bits.take(LITERAL_BITS[lengthCode]!);
      if (k < count - 1) {
        lengthState = lengths.base[lengthState]! + bits.take(lengths.bits[lengthState]!);
        matchState = matches.base[matchState]! + bits.take(matches.bits[matchState]!);
        offsetState = offsets.base[offsetState]! + bits.take(offsets.bits[offsetState]!);
      }
      if (bits.left < 0) refuse("expected more bits of sequences, found the end");
      if (taken + length > literals.length) refuse(`expected at most ${literals.length} literals, found more in use`);
      if (at + length + match > end) refuse(`expected a block's content to end by ${end}, found more`);
      out.set(literals.subarray(taken, taken + length), at);
      taken += length;
      at += length;
      const offset = nextOffset(recent, offsetValue, length);
      if (offset < 1 || offset > at) refuse(`expected an offset of 1 to ${at}, found ${offset}`);
      for (const stop = at + match; at < stop; at++) out[at] = out[at - offset]!;
    }
    if (bits.left !== 0) refuse(`expected the bits of sequences to end with the last one, found ${bits.left} more`);
  } else if (head !== section.length) {
    refuse(`expected a block to end after no sequences, found ${section.length - head} bytes more`);
  }
  const rest = literals.length - taken;
  if (at + rest > end) refuse(`expected a block's content to end by ${end}, found ${at + rest}`);
  out.set(literals.subarray(taken), at);
  return at + rest;
}

/** Reads the number of sequences; returns it with the number of bytes that it takes. */
function readCount(section: Uint8Array): [count: number, length: number] {
  const first = section[0] ?? refuse("expected a number of sequences, found the end");
  if (first < 128) return [first, 1];
  const length = first < 255 ? 2 : 3;
  if (section.length < length) refuse("expected a number of sequences, found the end");
  if (first < 255) return [(first - 128) * 256 + section[1]!, length];
  return [section[1]! + section[2]! * 256 + 0x7f00, length];
}

/** Reads the three tables into the history; returns the bit stream that follows them. */
function readTables(section: Uint8Array, start: number, history: History): Uint8Array {
  const modes = section[start] ?? refuse("expected the modes of sequences, found the end");
  if ((modes & 3) !== 0) refuse(`expected reserved bits of 0, found ${modes & 3}`);
  let at = start + 1;
  const next = (mode: number, alphabet: Alphabet, before: FseTable | undefined): FseTable => {
    const [table, length] = readMode(mode, section.subarray(at), alphabet, before);
    at += length;
    return table;
  };
  history.literals = next(modes >> 6, LITERALS, history.literals);
  history.offsets = next((modes >> 4) & 3, OFFSETS, history.offsets);
  history.matches = next((modes >> 2) & 3, MATCHES, history.matches);
  return section.subarray(at);
}

function readMode(mode: number, bytes: Uint8Array, alphabet: Alphabet, before?: FseTable): [FseTable, number] {
  const { mostLog, mostSymbol, predefined } = alphabet;
  switch (mode) {
    case 0:
      return [predefined, 0];
    case 1: {
      const symbol = bytes[0] ?? refuse("expected a code of sequences, found the end");
      if (symbol > mostSymbol) refuse(`expected a code of at most ${mostSymbol}, found ${symbol}`);
      return [constantTable(symbol), 1];
    }
    case 2:
      return readTable(bytes, mostLog, mostSymbol);
    default:
      return [before ?? refuse("expected a table before sequences that repeat it, found none"), 0];
  }
}

/** Returns the offset that an offset value stands for, and updates the three most recent offsets. */
function nextOffset(recent: [number, number, number], value: number, literals: number): number {
  if (value > 3) {
    recent[2] = recent[1];
    recent[1] = recent[0];
    recent[0] = value - 3;
    return recent[0];
  }
  const which = literals === 0 ? value : value - 1;
  if (which === 0) return recent[0];
  const offset = which === 3 ? recent[0] - 1 : recent[which]!;
  if (which > 1) recent[2] = recent[1];
  recent[1] = recent[0];
  recent[0] = offset;
  return offset;
}
