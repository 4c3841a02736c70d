import { MOST_CODE } from "./codes.js";
import { refuse } from "./errors.js";

/** Bytes before the palette. */
const HEAD = 4;
/** Zero bytes after the indices, so that four bytes can be read from the first byte of any index. */
const TAIL = 3;

/**
 * Checks the body of a packed block, except for the indices, which {@link packedCode} checks when it reads
 * them.
 *
 * @param name the name of the block in an error
 */
export function checkPacked(view: DataView, start: number, length: number, slots: number, name: string): void {
  const fail = (what: string, expected: string, found: number): never => {
    refuse("block", `${name}, ${what}`, expected, found);
  };
  if (length < HEAD) fail("length", `at least ${HEAD} bytes`, length);
  const width = view.getUint8(start);
  const entry = view.getUint8(start + 1);
  const count = view.getUint16(start + 2, true) + 1;
  if (width < 1 || width > 16) fail("bits per index", "1 to 16", width);
  if (entry !== 2 && entry !== 4) fail("bytes per code", "2 or 4", entry);
  if (count < 2) fail("palette", "at least 2 codes", count);
  const indices = HEAD + entry * count;
  const expected = indices + Math.ceil((width * slots) / 8) + TAIL;
  if (length !== expected) fail("length", `${expected} bytes`, length);
  let before = -1;
  for (let k = 0; k < count; k++) {
    const code = paletteCode(view, start, entry, k);
    if (code <= before) fail("palette", `a code above ${before}`, code);
    before = code;
  }
  if (before > MOST_CODE) fail("palette", `codes of at most ${MOST_CODE}`, before);
  const used = (width * slots) & 7;
  const tail = start + length - TAIL;
  if (used !== 0 && view.getUint8(tail - 1) >>> used !== 0) fail("unused bits", "0", view.getUint8(tail - 1) >>> used);
  for (let at = tail; at < start + length; at++) {
    if (view.getUint8(at) !== 0) fail("last bytes", "0", view.getUint8(at));
  }
}

/** The slots `first`, `first + stride` and so on of a block, `count` of them. */
export interface SlotRun {
  readonly first: number;
  readonly stride: number;
  readonly count: number;
}

/** Copies the codes in slots of a packed block that has been checked to `out`, from the index `to` on. */
export function copyPacked(view: DataView, start: number, run: SlotRun, out: Uint32Array, to: number): void {
  const { first, stride, count } = run;
  const width = view.getUint8(start);
  const entry = view.getUint8(start + 1);
  const last = view.getUint16(start + 2, true);
  const palette = start + HEAD;
  const indices = palette + entry * (last + 1);
  const mask = (1 << width) - 1;
  for (let k = 0, bit = width * first; k < count; k++, bit += width * stride) {
    const index = (view.getUint32(indices + (bit >>> 3), true) >>> (bit & 7)) & mask;
    if (index > last) refuseIndex(first + k * stride, last, index);
    out[to + k] =
      entry === 2 ? view.getUint16(palette + 2 * index, true) : view.getUint32(palette + 4 * index, true);
  }
}

/** Returns the code in a slot of a packed block that has been checked. */
export function packedCode(view: DataView, start: number, slot: number): number {
  const width = view.getUint8(start);
  const entry = view.getUint8(start + 1);
  const last = view.getUint16(start + 2, true);
  const bit = width * slot;
  const at = start + HEAD + entry * (last + 1) + (bit >>> 3);
  const index = (view.getUint32(at, true) >>> (bit & 7)) & ((1 << width) - 1);
  if (index > last) refuseIndex(slot, last, index);
  return paletteCode(view, start, entry, index);
}

function refuseIndex(slot: number, last: number, found: number): never {
  refuse("block", `slot ${slot} of a block`, `an index of at most ${last}`, found);
}

function paletteCode(view: DataView, start: number, entry: number, index: number): number {
  return entry === 2
    ? view.getUint16(start + HEAD + 2 * index, true)
    : view.getUint32(start + HEAD + 4 * index, true);
}
