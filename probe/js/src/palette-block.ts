import { MOST_CODE } from "./codes.js";
import { BYTES, type Effort } from "./effort.js";
import { refuse } from "./errors.js";
import { Leb128, MOST_BYTES } from "./leb128.js";
import { decompress } from "./zstd/frame.js";

/** A decoded Zstandard block: a palette of codes, and for each slot an index into the palette. */
export interface PaletteBlock {
  readonly palette: Uint32Array;
  readonly indices: Uint8Array | Uint16Array;
}

/**
 * Decodes the body of a Zstandard block.
 *
 * @param name the name of the block in an error
 * @param effort the work that the question may still need
 */
export function decodePaletteBlock(body: Uint8Array, slots: number, name: string, effort: Effort): PaletteBlock {
  const most = MOST_BYTES * (slots + 1) + 2 * slots;
  // The slots are counted where the block is looked into.
  const content = decompress(body, most, name, (work) => effort.take(BYTES, Math.max(0, work - slots)));
  const fail = (what: string, expected: string, found: number): never => {
    refuse("block", `${name}, ${what}`, expected, found);
  };
  const numbers = new Leb128(content, (expected, found) => fail("content", expected, found));
  const count = numbers.next();
  if (count < 2 || count > slots) fail("palette", `2 to ${slots} codes`, count);
  const palette = new Uint32Array(count);
  let code = numbers.next();
  palette[0] = code;
  for (let k = 1; k < count; k++) {
    const rise = numbers.next();
    if (rise === 0) fail("palette", "rising codes", code);
    code += rise;
    palette[k] = code;
  }
  if (code > MOST_CODE) fail("palette", `codes of at most ${MOST_CODE}`, code);
  const { at } = numbers;
  const wide = count > 256;
  const expected = at + slots * (wide ? 2 : 1);
  if (content.length !== expected) fail("content", `${expected} bytes`, content.length);
  const indices = wide ? new Uint16Array(slots) : content.subarray(at);
  for (let slot = 0; slot < slots; slot++) {
    if (wide) indices[slot] = content[at + slot]! | (content[at + slots + slot]! << 8);
    if (indices[slot]! >= count) fail(`slot ${slot}`, `an index below ${count}`, indices[slot]!);
  }
  return { palette, indices };
}
