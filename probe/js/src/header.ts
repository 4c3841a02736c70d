import { Board } from "./board.js";
import { crc32, hex32 } from "./crc32.js";
import { Cursor } from "./cursor.js";
import { DragnetError } from "./errors.js";
import { type Rules, type Side, readRules } from "./rules.js";

/** How many positions the police wins, the thief wins, and nobody wins; terminal ones included. */
export interface Counts {
  readonly police: number;
  readonly thief: number;
  readonly draw: number;
}

/** The size of a tile: a rectangle of squares whose cells are stored together. */
export interface TileSize {
  readonly rows: number;
  readonly columns: number;
}

/** What the header says. */
export interface Header {
  readonly board: Board;
  readonly rules: Rules;
  readonly policeTile: TileSize;
  readonly thiefTile: TileSize;
  readonly counts: Readonly<Record<Side, Counts>>;
  readonly longest: Readonly<Record<Side, number>>;
  readonly digest: bigint;
  /** CRC of the header, which goes into every other checksum. */
  readonly seed: number;
  /** Where the index begins. */
  readonly end: number;
  /** What the file says of the length of its blocks; not checked here. */
  readonly dataLength: bigint;
}

/** Bytes before the header. */
const PREAMBLE = 28;
const MAGIC = [0x89, 0x44, 0x54, 0x42, 0x0d, 0x0a, 0x1a, 0x0a];
const VERSION = 1;
const MOST_HEADER = 2 ** 20;
const MOST_SQUARES = 2 ** 20;
const MOST_TILE_SQUARES = 256;
const PAGE = 512;

/** Reads and checks all that comes before the index. */
export function readHeader(bytes: Uint8Array): Header {
  if (!MAGIC.every((byte, at) => bytes[at] === byte)) {
    const found = Array.from(bytes.subarray(0, MAGIC.length), (byte) => byte.toString(16).padStart(2, "0")).join(" ");
    throw new DragnetError(
      "format",
      `no Dragnet table: expected the first bytes 89 44 54 42 0d 0a 1a 0a, found ${found || "nothing"}`,
    );
  }
  expectLength(bytes, PREAMBLE, "the preamble");
  const preamble = new DataView(bytes.buffer, bytes.byteOffset, PREAMBLE);
  const version = preamble.getUint16(8, true);
  if (version !== VERSION) throw new DragnetError("version", `expected version ${VERSION}, found ${version}`);
  const length = preamble.getUint32(12, true);
  if (length > MOST_HEADER) {
    throw new DragnetError("header", `header length: expected at most ${MOST_HEADER}, found ${length}`);
  }
  const end = Math.ceil((PREAMBLE + length) / PAGE) * PAGE;
  expectLength(bytes, end, "the header");
  const header = bytes.subarray(PREAMBLE, PREAMBLE + length);
  const crc = crc32(header, 0, length, crc32(bytes, 0, 24));
  const stored = preamble.getUint32(24, true);
  if (crc !== stored) {
    throw new DragnetError("checksum", `header checksum: expected ${hex32(stored)}, found ${hex32(crc)}`);
  }
  const reserved = preamble.getUint16(10, true);
  if (reserved !== 0) throw new DragnetError("header", `reserved bytes 10 and 11: expected 0, found ${reserved}`);
  for (let at = PREAMBLE + length; at < end; at++) {
    if (bytes[at] !== 0) throw new DragnetError("header", `byte ${at}: expected 0, found ${bytes[at]}`);
  }
  return { ...readFields(new Cursor(header)), seed: crc32(header), end, dataLength: preamble.getBigUint64(16, true) };
}

function readFields(header: Cursor): Omit<Header, "seed" | "end" | "dataLength"> {
  const game = header.u32("game");
  if (game !== 0) throw new DragnetError("unsupported", `game: expected 0, pursuit on a board, found ${game}`);
  const board = readBoard(header);
  const rules = readRules(header);
  const policeTile = readTileSize(header, "police tile");
  const thiefTile = readTileSize(header, "thief tile");
  const positions = board.openCells ** 2;
  const counts = { police: readCounts(header, "police", positions), thief: readCounts(header, "thief", positions) };
  const longest = { police: header.u32("longest win of the police"), thief: header.u32("longest win of the thief") };
  const digest = header.u64("digest");
  if (header.left !== 0) throw new DragnetError("header", `header: expected its end, found ${header.left} bytes more`);
  return { board, rules, policeTile, thiefTile, counts, longest, digest };
}

function readBoard(header: Cursor): Board {
  const height = header.u16("board height");
  const width = header.u16("board width");
  const size = height * width;
  if (size === 0 || size > MOST_SQUARES) {
    throw new DragnetError("header", `header, board: expected 1 to ${MOST_SQUARES} squares, found ${height}x${width}`);
  }
  const count = header.u64("board squares");
  const expected = Math.ceil(size / 4);
  if (count !== BigInt(expected)) {
    throw new DragnetError("header", `header, board squares: expected ${expected} bytes, found ${count}`);
  }
  return new Board(height, width, header.bytes("board squares", expected));
}

function readTileSize(header: Cursor, field: string): TileSize {
  const rows = header.u8(`${field} rows`);
  const columns = header.u8(`${field} columns`);
  const size = rows * columns;
  if (size === 0 || size > MOST_TILE_SQUARES) {
    throw new DragnetError(
      "header",
      `header, ${field}: expected 1 to ${MOST_TILE_SQUARES} squares, found ${rows}x${columns}`,
    );
  }
  return { rows, columns };
}

function readCounts(header: Cursor, side: Side, positions: number): Counts {
  const field = `positions with the ${side} to move`;
  const [police, thief, draw] = [0, 1, 2].map(() => header.boundedU64(field, positions)) as [number, number, number];
  if (police + thief + draw !== positions) {
    throw new DragnetError(
      "header",
      `header, ${field}: expected a sum of ${positions}, found ${police} + ${thief} + ${draw}`,
    );
  }
  return { police, thief, draw };
}

function expectLength(bytes: Uint8Array, length: number, what: string): void {
  if (bytes.length < length) {
    throw new DragnetError("length", `${what}: expected at least ${length} bytes in the file, found ${bytes.length}`);
  }
}
