import { crc32, hex32 } from "./crc32.js";
import { Cursor } from "./cursor.js";
import { DragnetError } from "./errors.js";

/** What every table says before its blocks, whatever game it is of. */
export interface Preamble {
  /** CRC of the header, which goes into every other checksum. */
  readonly seed: number;
  /** Where the index begins. */
  readonly end: number;
  /** What the file says of the length of its blocks; not checked here. */
  readonly dataLength: bigint;
}

/** The first field of a header. */
export const PURSUIT = 0;
export const NUMBERED = 1;
/** Pursuit with the fields that came later. */
export const ALL_RULES = 2;

const PURSUIT_READER = "pursuit on a board, which Table reads";

/** What reads the tables of each game. */
const READERS = [PURSUIT_READER, "positions by number, which GameTable reads", PURSUIT_READER];

/** Bytes before the header. */
const PREAMBLE = 28;
const MAGIC = [0x89, 0x44, 0x54, 0x42, 0x0d, 0x0a, 0x1a, 0x0a];
const VERSION = 1;
const MOST_HEADER = 2 ** 20;
const PAGE = 512;

/** Reads and checks the preamble and finds the header of one of these games; `fields` is behind its first field. */
export function readPreamble(
  bytes: Uint8Array,
  games: readonly number[],
): { preamble: Preamble; game: number; fields: Cursor } {
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
  const fields = new Cursor(header);
  const game = fields.u32("game");
  if (!games.includes(game)) {
    const found = game in READERS ? `${game}, ${READERS[game]}` : `${game}`;
    throw new DragnetError(
      "unsupported",
      `game: expected ${games.join(" or ")}, ${READERS[games[0]!]}, found ${found}`,
    );
  }
  return { preamble: { seed: crc32(header), end, dataLength: preamble.getBigUint64(16, true) }, game, fields };
}

/** Makes sure that a header has been used up. */
export function expectEnd(fields: Cursor): void {
  if (fields.left !== 0) throw new DragnetError("header", `header: expected its end, found ${fields.left} bytes more`);
}

function expectLength(bytes: Uint8Array, length: number, what: string): void {
  if (bytes.length < length) {
    throw new DragnetError("length", `${what}: expected at least ${length} bytes in the file, found ${bytes.length}`);
  }
}
