import { BackwardBits } from "./bits.js";
import { refuse } from "./fail.js";
import { readTable } from "./fse.js";

/**
 * A decoding table of a Huffman code. The next `log` bits of the stream select a symbol and the bits that it
 * takes.
 */
export interface HuffmanTable {
  /** The number of bits of the longest word. */
  readonly log: number;
  readonly symbols: Uint8Array;
  readonly bits: Uint8Array;
}

const MOST_LOG = 11;
const MOST_WEIGHTS = 255;
const MOST_WEIGHT_LOG = 6;
/** The least first byte of a description that lists its weights directly, four bits each. */
const DIRECT = 128;

/**
 * Reads the description of a Huffman code, RFC 8878, 4.2.1.
 *
 * @returns the table, and the number of bytes of its description
 */
export function readHuffman(bytes: Uint8Array): [table: HuffmanTable, length: number] {
  const head = bytes[0] ?? refuse("expected a Huffman code, found the end");
  const length = 1 + (head < DIRECT ? head : (head - DIRECT + 2) >> 1);
  if (length > bytes.length) refuse(`expected ${length} bytes of a Huffman code, found ${bytes.length}`);
  const described = bytes.subarray(1, length);
  const weights = head < DIRECT ? readWeights(described) : directWeights(described, head - DIRECT + 1);
  return [makeTable(weights), length];
}

function directWeights(bytes: Uint8Array, count: number): number[] {
  return Array.from({ length: count }, (_, k) => (k & 1 ? bytes[k >> 1]! & 15 : bytes[k >> 1]! >> 4));
}

/** Reads weights from two interleaved streams of finite state entropy, which end with the last bit. */
function readWeights(bytes: Uint8Array): number[] {
  const [table, length] = readTable(bytes, MOST_WEIGHT_LOG, MOST_LOG);
  const bits = new BackwardBits(bytes.subarray(length));
  const weights: number[] = [];
  let state = bits.take(table.log);
  let other = bits.take(table.log);
  if (bits.left < 0) refuse("expected the states of two streams of weights, found the end");
  for (;;) {
    weights.push(table.symbols[state]!);
    const next = table.base[state]! + bits.take(table.bits[state]!);
    if (bits.left < 0) break;
    if (weights.length >= MOST_WEIGHTS) refuse(`expected at most ${MOST_WEIGHTS} weights, found more`);
    state = other;
    other = next;
  }
  weights.push(table.symbols[other]!);
  if (weights.length > MOST_WEIGHTS) refuse(`expected at most ${MOST_WEIGHTS} weights, found ${weights.length}`);
  return weights;
}

/** Builds the table from all weights but the last, which follows from the others. */
function makeTable(weights: number[]): HuffmanTable {
  let sum = 0;
  for (const weight of weights) if (weight > 0) sum += 2 ** (weight - 1);
  const log = 32 - Math.clz32(sum);
  if (sum === 0 || log > MOST_LOG) refuse(`expected Huffman words of 1 to ${MOST_LOG} bits, found a sum of ${sum}`);
  const rest = (1 << log) - sum;
  if ((rest & (rest - 1)) !== 0) refuse(`expected a power of two for the last weight, found ${rest}`);
  weights.push(32 - Math.clz32(rest));
  const symbols = new Uint8Array(1 << log);
  const bits = new Uint8Array(1 << log);
  let at = 0;
  for (let weight = 1; weight <= log; weight++) {
    weights.forEach((found, symbol) => {
      if (found !== weight) return;
      const end = at + (1 << (weight - 1));
      symbols.fill(symbol, at, end);
      bits.fill(log + 1 - weight, at, end);
      at = end;
    });
  }
  return { log, symbols, bits };
}

/** Fills `out` with the symbols of one stream, which must end with the last of them. */
export function decodeStream(table: HuffmanTable, bytes: Uint8Array, out: Uint8Array): void {
  const stream = new BackwardBits(bytes);
  const { log, symbols, bits } = table;
  for (let k = 0; k < out.length; k++) {
    const word = stream.peek(log);
    out[k] = symbols[word]!;
    stream.left -= bits[word]!;
    if (stream.left < 0) break;
  }
  if (stream.left !== 0) refuse("expected a Huffman stream to end with its last symbol, found another end");
}
