import { readCounts, readName, within } from "./cursor.js";
import type { GameTable } from "./game-table.js";
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
export interface GameHeader
  extends Preamble,
    Pick<GameTable, "name" | "key" | "positions" | "counts" | "longest" | "digest"> {
  /** The number of slots of each block but the last, which may have fewer. */
  readonly slots: number;
  readonly blocks: number;
}

const MOST_SLOTS = 2 ** 16;
const MOST_BLOCKS = 2 ** 40;

/** Reads and checks the header of a game table. */
export function readGameHeader({ preamble, fields }: Beginning): GameHeader {
  const name = readName(fields, "name");
  const key = fields.u64("key");
  const positions = fields.boundedU64("positions", Number.MAX_SAFE_INTEGER);
  within("positions", positions, 1, Number.MAX_SAFE_INTEGER);
  const slots = within("slots per block", fields.u32("slots per block"), 1, MOST_SLOTS);
  const blocks = Math.floor((positions - 1) / slots) + 1;
  within("blocks", blocks, 1, MOST_BLOCKS);
  const counts = readCounts(fields, "counts", ["won", "lost", "drawn"], positions);
  const longest = { won: fields.u32("longest of a won position"), lost: fields.u32("longest of a lost position") };
  const digest = fields.u64("digest");
  expectEnd(fields);
  return { ...preamble, name, key, positions, slots, blocks, counts, longest, digest };
}
