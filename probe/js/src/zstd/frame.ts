import { refuse } from "./fail.js";
import type { HuffmanTable } from "./huffman.js";
import { readLiterals } from "./literals.js";
import { History, runSequences } from "./sequences.js";
import { DragnetError } from "../errors.js";

const MAGIC = 0xfd2fb528;
const MOST_BLOCK = 128 * 1024;
const RAW = 0;
const REPEATED = 1;
const COMPRESSED = 2;

/**
 * Decompresses a Zstandard frame (RFC 8878). As in every table, the frame must state its content size and
 * have neither a dictionary nor a checksum, and nothing may follow it. Memory and time are bounded by `most`
 * and the length of the frame, whatever the frame claims.
 *
 * @param most the greatest content size to accept
 * @param name the name of the frame in an error
 * @param allow called with a bound on the work, in bytes of content, before it begins; it may throw
 */
export function decompress(
  frame: Uint8Array,
  most: number,
  name: string,
  allow: (work: number) => void = () => undefined,
): Uint8Array {
  try {
    const { size, length } = readFrameHeader(frame, most);
    const blocks = frame.subarray(length);
    allow(workOf(blocks, size));
    return readBlocks(blocks, new Uint8Array(size));
  } catch (error) {
    if (error instanceof DragnetError) throw new DragnetError(error.kind, `${name}, ${error.message}`);
    throw error;
  }
}

/** The work of building the tables of a Zstandard block, in bytes of content. */
const BLOCK_WORK = 1024;

/**
 * Returns a bound on the work of decompressing the blocks of a frame, in bytes of content: see FORMAT.md §10.
 */
function workOf(blocks: Uint8Array, size: number): number {
  let work = size;
  for (let at = 0; at + 3 <= blocks.length; ) {
    const head = blocks[at]! | (blocks[at + 1]! << 8) | (blocks[at + 2]! << 16);
    at += 3 + (((head >> 1) & 3) === REPEATED ? 1 : head >> 3);
    work += BLOCK_WORK;
    if ((head & 1) === 1) break;
  }
  return work;
}

function readFrameHeader(frame: Uint8Array, most: number): { size: number; length: number } {
  if (frame.length < 6) refuse(`expected at least 6 bytes, found ${frame.length}`);
  const view = new DataView(frame.buffer, frame.byteOffset, frame.byteLength);
  const magic = view.getUint32(0, true);
  if (magic !== MAGIC) refuse(`expected the magic number ${MAGIC.toString(16)}, found ${magic.toString(16)}`);
  const descriptor = view.getUint8(4);
  const single = (descriptor & 0x20) !== 0;
  const flag = descriptor >> 6;
  if ((descriptor & 0x08) !== 0) refuse("expected a reserved bit of 0, found 1");
  if ((descriptor & 0x04) !== 0) refuse("expected no checksum, found one");
  if ((descriptor & 0x03) !== 0) refuse("expected no dictionary, found one");
  if (flag === 0 && !single) refuse("expected a content size, found none");
  const at = single ? 5 : 6;
  const width = 1 << flag;
  if (frame.length < at + width) refuse(`expected a content size of ${width} bytes, found the end`);
  let size = flag === 1 ? 256 : 0;
  for (let k = 0; k < width; k++) size += frame[at + k]! * 2 ** (8 * k);
  if (size > most) refuse(`expected a content size of at most ${most}, found ${size}`);
  return { size, length: at + width };
}

function readBlocks(bytes: Uint8Array, out: Uint8Array): Uint8Array {
  const history = new History();
  let huffman: HuffmanTable | undefined;
  let at = 0;
  let written = 0;
  for (let last = false; !last; ) {
    if (bytes.length < at + 3) refuse("expected another block, found the end");
    const head = bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16);
    at += 3;
    last = (head & 1) === 1;
    const type = (head >> 1) & 3;
    const size = head >> 3;
    const length = type === REPEATED ? 1 : size;
    if (size > MOST_BLOCK) refuse(`expected a block of at most ${MOST_BLOCK} bytes, found ${size}`);
    if (at + length > bytes.length) refuse(`expected a block of ${length} bytes, found ${bytes.length - at}`);
    const body = bytes.subarray(at, at + length);
    const end = Math.min(out.length, written + MOST_BLOCK);
    if (type === COMPRESSED) {
      const literals = readLiterals(body, end - written, huffman);
      huffman = literals.huffman;
      written = runSequences(body.subarray(literals.length), literals.bytes, history, out, written, end);
    } else if (type === RAW || type === REPEATED) {
      if (written + size > end) refuse(`expected content to end by ${end}, found ${written + size}`);
      if (type === RAW) out.set(body, written);
      else out.fill(body[0]!, written, written + size);
      written += size;
    } else {
      refuse("expected a block of a known type, found a reserved one");
    }
    at += length;
  }
  if (at !== bytes.length) refuse(`expected the end, found ${bytes.length - at} bytes more`);
  if (written !== out.length) refuse(`expected content of ${out.length} bytes, found ${written}`);
  return out;
}
