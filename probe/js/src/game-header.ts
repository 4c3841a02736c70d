import type { Cursor } from "./cursor.js";
import { DragnetError } from "./errors.js";
import { type Beginning, type Preamble, expectEnd } from "./preamble.js";

/** The number of positions with each result for the player to move. */
export interface GameCounts {
  readonly won: number;
  readonly lost: number;
  readonly drawn: number;
}

/** The longest distance in plies of a won and of a lost position; 0 if there is no such position. */
export interface GameLongest {
  readonly won: number;
  readonly lost: number;
}

/** The header of a game table. */
export interface GameHeader extends Preamble {
  readonly name: string;
  readonly key: bigint;
  readonly positions: number;
  /** The number of slots of each block but the last, which may have fewer. */
  readonly slots: number;
  readonly blocks: number;
  readonly counts: GameCounts;
  readonly longest: GameLongest;
  readonly digest: bigint;
}

const MOST_NAME = 255;
const MOST_SLOTS = 2 ** 16;
const MOST_BLOCKS = 2 ** 40;
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/;

/** Reads and checks the header of a game table. */
export function readGameHeader({ preamble, fields }: Beginning): GameHeader {
  const name = readName(fields);
  const key = fields.u64("key");
  const positions = fields.boundedU64("positions", Number.MAX_SAFE_INTEGER);
  if (positions === 0) throw new DragnetError("header", "header, positions: expected at least 1, found 0");
  const slots = fields.u32("slots per block");
  if (slots === 0 || slots > MOST_SLOTS) {
    throw new DragnetError("header", `header, slots per block: expected 1 to ${MOST_SLOTS}, found ${slots}`);
  }
  const blocks = Math.floor((positions - 1) / slots) + 1;
  if (blocks > MOST_BLOCKS) {
    throw new DragnetError("header", `header, positions: expected at most ${MOST_BLOCKS} blocks, found ${blocks}`);
  }
  const count = (): number => fields.boundedU64("counts", positions);
  const counts = { won: count(), lost: count(), drawn: count() };
  const { won, lost, drawn } = counts;
  // Each count is below 2^53, but their sum may not be.
  if (BigInt(won) + BigInt(lost) + BigInt(drawn) !== BigInt(positions)) {
    throw new DragnetError(
      "header",
      `header, counts: expected a sum of ${positions}, found ${won} + ${lost} + ${drawn}`,
    );
  }
  const longest = { won: fields.u32("longest of a won position"), lost: fields.u32("longest of a lost position") };
  const digest = fields.u64("digest");
  expectEnd(fields);
  return { ...preamble, name, key, positions, slots, blocks, counts, longest, digest };
}

/** Reads a name for people. */
export function readName(fields: Cursor, field = "name"): string {
  const bytes = fields.bytes(field, fields.boundedU64(`${field}, bytes`, MOST_NAME));
  let name: string;
  try {
    name = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new DragnetError("header", `header, ${field}: expected UTF-8, found other bytes`, { cause });
  }
  if (CONTROL.test(name)) {
    const found = JSON.stringify(name);
    throw new DragnetError("header", `header, ${field}: expected no control characters, found ${found}`);
  }
  return name;
}
