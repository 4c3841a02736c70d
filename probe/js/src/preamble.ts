import { crc32, hex32 } from "./crc32.js";
import { Cursor } from "./cursor.js";
import { DragnetError, OtherKindError } from "./errors.js";
import type { FileBytes } from "./file-bytes.js";

/** A version of the format that this package reads. */
export type Version = 1 | 2;

/** The part of a file before its blocks that tables of all kinds have in common. */
export interface Preamble {
  /** The version of the format. */
  readonly version: Version;
  /** The CRC of the header, which every other checksum includes. */
  readonly seed: number;
  /** The offset of the index in the file. */
  readonly end: number;
  /** The length of the data section as the file states it; not checked yet. */
  readonly dataLength: bigint;
}

/** The version of tables of boards, graphs and numbers. */
export const FIRST: Version = 1;
/** The version of tables of games that a program gives. */
export const GIVEN: Version = 2;

/** The value of a header's first field in a pursuit table without the extended rules. */
export const PURSUIT = 0;
/** The value of a header's first field in a game table. */
export const GAME = 1;
/** The value of a header's first field in a pursuit table with the extended rules. */
export const EXTENDED_PURSUIT = 2;
/** The value of a header's first field in a partial table. */
export const PARTIAL = 3;
/** The value of a header's first field in a game table on a board with doors. */
export const DOORS = 4;

const PURSUIT_TABLE = "a pursuit table, which Table reads";
const GAME_TABLE = "a game table, which GameTable reads";

/** The kind of table and its reader, by the version and the value of the header's first field. */
const KINDS: Readonly<Record<Version, readonly string[]>> = {
  1: [PURSUIT_TABLE, GAME_TABLE, PURSUIT_TABLE, "a partial table, which PartialTable reads", GAME_TABLE],
  2: ["a table of a given game, which GivenTable reads", "a game table of version 2, which no class reads"],
};

/** Bytes before the header. */
const PREAMBLE = 28;
const MAGIC = [0x89, 0x44, 0x54, 0x42, 0x0d, 0x0a, 0x1a, 0x0a];
const MOST_HEADER = 2 ** 20;
const PAGE = 512;

/**
 * Reads and checks the preamble. Returns it with the header's first field and a cursor on the fields that
 * follow.
 *
 * @param games the values of the first field that the caller can read
 * @param version the version that the caller can read
 */
export function readPreamble(
  file: FileBytes,
  games: readonly number[],
  version = FIRST,
): { preamble: Preamble; game: number; fields: Cursor } {
  const { bytes } = file;
  if (!MAGIC.every((byte, at) => bytes[at] === byte)) {
    const found = Array.from(bytes.subarray(0, MAGIC.length), (byte) => byte.toString(16).padStart(2, "0")).join(" ");
    throw new DragnetError(
      "format",
      `not a Dragnet table: expected the first bytes 89 44 54 42 0d 0a 1a 0a, found ${found || "nothing"}`,
    );
  }
  expectLength(bytes, PREAMBLE, "the preamble");
  const preamble = new DataView(bytes.buffer, bytes.byteOffset, PREAMBLE);
  const found = preamble.getUint16(8, true);
  if (found !== FIRST && found !== GIVEN) {
    throw new DragnetError("version", `expected format version ${FIRST} or ${GIVEN}, found ${found}`);
  }
  const length = preamble.getUint32(12, true);
  if (length > MOST_HEADER) {
    throw new DragnetError("header", `header length: expected at most ${MOST_HEADER}, found ${length}`);
  }
  const end = Math.ceil((PREAMBLE + length) / PAGE) * PAGE;
  expectLength(bytes, end, "the header");
  file.need(0, end);
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
  if (found !== version || !games.includes(game)) {
    const expected = KINDS[version][games[0]!];
    const other = KINDS[found][game];
    if (other !== undefined) throw new OtherKindError("unsupported", `expected ${expected}, found ${other}`);
    const unknown = `game ${game}, which only a later version can read`;
    throw new DragnetError("unsupported", `expected ${expected}, found ${unknown}`);
  }
  const dataLength = preamble.getBigUint64(16, true);
  return { preamble: { version, seed: crc32(header), end, dataLength }, game, fields };
}

/** Throws a {@link DragnetError} unless all fields of a header have been read. */
export function expectEnd(fields: Cursor): void {
  if (fields.left !== 0) throw new DragnetError("header", `header: expected its end, found ${fields.left} bytes more`);
}

function expectLength(bytes: Uint8Array, length: number, what: string): void {
  if (bytes.length < length) {
    throw new DragnetError("length", `${what}: expected at least ${length} bytes in the file, found ${bytes.length}`);
  }
}
