import { crc32, hex } from "./crc32.js";
import { Cursor } from "./cursor.js";
import { DragnetError, refuse } from "./errors.js";
import type { FileBytes } from "./file-bytes.js";

/** The part of a file before its blocks that tables of all kinds have in common. */
export interface Preamble {
  /** The CRC of the header, which every other checksum includes. */
  readonly seed: number;
  /** The offset of the index in the file. */
  readonly end: number;
  /** The length of the data section as the file states it; not checked yet. */
  readonly dataLength: bigint;
}

/** The version of the format. */
const VERSION = 2;

/** The values of a header's first field: a pursuit table or a partial table, or a game table. */
const PURSUIT = 0;
const GAME = 1;

/** A kind of table. */
export type TableKind = "pursuit" | "partial" | "game";

/** The part of a pursuit table's knowledge that a partial table keeps: who wins, or one side's best moves. */
export type Keeps = "outcomes" | "police-moves" | "thief-moves";

const KEEPS: readonly (Keeps | "values")[] = ["values", "outcomes", "police-moves", "thief-moves"];

/** Bytes before the header. */
const PREAMBLE = 28;
const MAGIC = [0x89, 0x44, 0x54, 0x42, 0x0d, 0x0a, 0x1a, 0x0a];
const MOST_HEADER = 2 ** 20;
const PAGE = 512;

/** The beginning of a file, as far as it says what kind of table it is. */
export interface Beginning {
  readonly kind: TableKind;
  readonly preamble: Preamble;
  /** The knowledge that a pursuit table or a partial table keeps. */
  readonly keeps: Keeps | "values";
  /** The fields of the header that follow. */
  readonly fields: Cursor;
}

/**
 * Reads and checks the preamble, and the fields of the header that tell the kind of the table.
 *
 * @param wanted the kind that the table must have, any by default
 * @throws DragnetError of kind `unsupported` if the table is of another kind
 */
export function readBeginning(file: FileBytes, wanted?: TableKind): Beginning {
  const { bytes } = file;
  if (!MAGIC.every((byte, at) => bytes[at] === byte)) {
    const found = Array.from(bytes.subarray(0, MAGIC.length), (byte) => byte.toString(16).padStart(2, "0")).join(" ");
    refuse("format", "not a Dragnet table", "the first bytes 89 44 54 42 0d 0a 1a 0a", found || "nothing");
  }
  expectLength(bytes, PREAMBLE, "the preamble");
  const preamble = new DataView(bytes.buffer, bytes.byteOffset, PREAMBLE);
  const version = preamble.getUint16(8, true);
  if (version !== VERSION) {
    throw new DragnetError("version", `expected format version ${VERSION}, found ${version}`);
  }
  const length = preamble.getUint32(12, true);
  if (length > MOST_HEADER) refuse("header", "header length", `at most ${MOST_HEADER}`, length);
  const end = Math.ceil((PREAMBLE + length) / PAGE) * PAGE;
  expectLength(bytes, end, "the header");
  file.need(0, end);
  const header = bytes.subarray(PREAMBLE, PREAMBLE + length);
  const crc = crc32(header, 0, length, crc32(bytes, 0, 24));
  const stored = preamble.getUint32(24, true);
  if (crc !== stored) refuse("checksum", "header checksum", hex(stored, 8), hex(crc, 8));
  const reserved = preamble.getUint16(10, true);
  if (reserved !== 0) refuse("header", "reserved bytes 10 and 11", 0, reserved);
  for (let at = PREAMBLE + length; at < end; at++) {
    if (bytes[at] !== 0) refuse("header", `byte ${at}`, 0, bytes[at]);
  }
  const fields = new Cursor(header);
  const first = fields.u32("kind of table");
  const expected = wanted === undefined ? "a table of a known kind" : `a ${wanted} table`;
  if (first !== PURSUIT && first !== GAME) {
    throw new DragnetError("unsupported", `expected ${expected}, found table ${first}, which this package does not know`);
  }
  const keeps = first === PURSUIT ? fields.enumeration("keeps", KEEPS) : "values";
  const kind = first === GAME ? "game" : keeps === "values" ? "pursuit" : "partial";
  if (wanted !== undefined && kind !== wanted) {
    throw new DragnetError("unsupported", `expected ${expected}, found a ${kind} table, which \`${kind}\` opens`);
  }
  const dataLength = preamble.getBigUint64(16, true);
  return { kind, preamble: { seed: crc32(header), end, dataLength }, keeps, fields };
}

/** Throws a {@link DragnetError} unless all fields of a header have been read. */
export function expectEnd(fields: Cursor): void {
  if (fields.left !== 0) refuse("header", "header", "its end", `${fields.left} bytes more`);
}

function expectLength(bytes: Uint8Array, length: number, what: string): void {
  if (bytes.length < length) refuse("length", what, `at least ${length} bytes in the file`, bytes.length);
}
