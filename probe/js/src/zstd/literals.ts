import { refuse } from "./fail.js";
import { type HuffmanTable, decodeStream, readHuffman } from "./huffman.js";

/** The literals section of a block. */
export interface Literals {
  readonly bytes: Uint8Array;
  /** The number of bytes that the section takes. */
  readonly length: number;
  /** The Huffman code in force afterwards, which the next block may use again. */
  readonly huffman: HuffmanTable | undefined;
}

const RAW = 0;
const REPEATED = 1;
const COMPRESSED = 2;

/**
 * The layouts of a compressed section's sizes: bytes of the section's head, bits of each size, and streams.
 */
const FORMATS = [
  { head: 3, bits: 10, streams: 1 },
  { head: 3, bits: 10, streams: 4 },
  { head: 4, bits: 14, streams: 4 },
  { head: 5, bits: 18, streams: 4 },
] as const;

/**
 * Reads a literals section, RFC 8878, 3.1.1.3.1.
 *
 * @param most the greatest number of literals to accept
 * @param before the Huffman code of the block before
 */
export function readLiterals(block: Uint8Array, most: number, before: HuffmanTable | undefined): Literals {
  const type = (block[0] ?? refuse("expected literals, found the end")) & 3;
  const format = (block[0]! >> 2) & 3;
  if (type === RAW || type === REPEATED) {
    const head = format === 1 ? 2 : format === 3 ? 3 : 1;
    const size = head === 1 ? block[0]! >> 3 : number(block, head) >>> 4;
    const length = head + (type === RAW ? size : 1);
    checkLiterals(size, most, length, block.length);
    const bytes = type === RAW ? block.subarray(head, length) : new Uint8Array(size).fill(block[head]!);
    return { bytes, length, huffman: before };
  }
  const { head, bits, streams } = FORMATS[format]!;
  const sizes = Math.floor(number(block, head) / 16);
  const size = sizes % 2 ** bits;
  const length = head + Math.floor(sizes / 2 ** bits);
  checkLiterals(size, most, length, block.length);
  let body = block.subarray(head, length);
  let huffman = before;
  if (type === COMPRESSED) {
    const [table, described] = readHuffman(body);
    huffman = table;
    body = body.subarray(described);
  }
  if (huffman === undefined) refuse("expected a Huffman code before literals that repeat it, found none");
  const bytes = new Uint8Array(size);
  if (streams === 1) decodeStream(huffman, body, bytes);
  else decodeStreams(huffman, body, bytes);
  return { bytes, length, huffman };
}

/** Decodes four streams, which follow the lengths of the first three. */
function decodeStreams(huffman: HuffmanTable, body: Uint8Array, out: Uint8Array): void {
  const table = 6;
  const quarter = (out.length + 3) >> 2;
  if (body.length < table || 3 * quarter > out.length) refuse("expected four streams of literals, found too few bytes");
  let start = table;
  for (let k = 0; k < 4; k++) {
    const end = k < 3 ? start + body[2 * k]! + body[2 * k + 1]! * 256 : body.length;
    if (end > body.length) refuse(`expected streams within ${body.length} bytes, found an end at ${end}`);
    decodeStream(huffman, body.subarray(start, end), out.subarray(k * quarter, k < 3 ? (k + 1) * quarter : out.length));
    start = end;
  }
}

function checkLiterals(size: number, most: number, length: number, left: number): void {
  if (size > most) refuse(`expected at most ${most} literals, found ${size}`);
  if (length > left) refuse(`expected literals of at most ${left} bytes, found ${length}`);
}

/**
 * Returns the little-endian number at the beginning of a block. It may have 40 bits, too many for bit
 * operators.
 */
function number(block: Uint8Array, bytes: number): number {
  if (block.length < bytes) refuse(`expected ${bytes} bytes of sizes, found ${block.length}`);
  let value = 0;
  for (let k = bytes - 1; k >= 0; k--) value = value * 256 + block[k]!;
  return value;
}
