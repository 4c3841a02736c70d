import { MOST_SQUARES } from "./board.js";
import type { Cursor } from "./cursor.js";
import { DragnetError } from "./errors.js";
import type { FileBytes } from "./file-bytes.js";
import {
  type Kind,
  type KindFields,
  type Kinds,
  MOST_SOURCE,
  type Size,
  type TileSize,
  optional,
  readKind,
  within,
  wrong,
} from "./kind.js";
import { multisets } from "./multisets.js";
import { type Keeps, type Preamble, expectEnd, readPreamble } from "./preamble.js";
import type { Rules, Side } from "./rules.js";

/** The number of positions with each outcome, terminal positions included. */
export interface Counts {
  readonly police: number;
  readonly thief: number;
  readonly draw: number;
}

/** The part of a header about all values together. */
export interface Summary {
  readonly counts: Readonly<Record<Side, Counts>>;
  readonly longest: Readonly<Record<Side, number>>;
  readonly digest: bigint;
}

/** The header of a pursuit table or of a partial table. */
export interface Header extends Preamble, Summary {
  readonly keeps: Keeps | "values";
  readonly worlds: number;
  readonly size: Size;
  readonly kinds: Kinds;
  readonly rules: Rules;
  readonly tiles: Readonly<Record<Side, TileSize>>;
  /** The bytes of each section, by the numbers of {@link SECTIONS}. */
  readonly sections: readonly number[];
}

/** The numbers of the sections, in their order in the file. */
export const SECTIONS = {
  moves: 0,
  captures: 1,
  arrivals: 2,
  thiefMoves: 3,
  escapes: 4,
  source: 5,
  points: 6,
} as const;

const MOST_WORLDS = 4096;
const MOST_KINDS = 6;
const MOST_OFFICERS = 6;
const MOST_SLOTS = 2 ** 16;
/** The most positions with one side to move that this reader can number exactly in a double. */
const MOST_POSITIONS = 2 ** 50;
/** Bytes of the point at which a square is drawn. */
const POINT = 8;

/** Reads and checks the preamble and the header of a pursuit table or of a partial table. */
export function readHeader(file: FileBytes, kind: "pursuit" | "partial"): Header {
  const { preamble, keeps, fields } = readPreamble(file, kind);
  const worlds = within("worlds", fields.u32("worlds"), 1, MOST_WORLDS);
  const size: Size = [fields.u16("rows"), fields.u16("columns")];
  const squares = within("squares of the board", size[0] * size[1], 1, MOST_SQUARES);
  const kinds = fields.boundedU64("kinds of officers", MOST_KINDS);
  if (kinds !== 1) throw unsupported("a game of 1 kind of officers", `${kinds} kinds`);
  const police = readKind(fields, "officers", MOST_OFFICERS, worlds, size);
  const thief = readKind(fields, "thief", 1, worlds, size, police.places);
  checkSlots(police, thief);
  const [moves, captures, arrivals] = police.lengths;
  if (captures === 0 && police.places !== thief.places) {
    throw wrong("bytes of captures", "some, since officers and thief have different places", 0);
  }
  const team = fields.enumeration("turn", ["all", "one"] as const);
  const stuck = fields.enumeration("stuck", ["loses", "wins"] as const);
  const undecided = fields.enumeration("undecided", ["draw", "police", "thief"] as const);
  const teams = multisets(police.places.openCells, police.pieces);
  const summary = readSummary(fields, worlds * teams * thief.places.openCells);
  const source = within("bytes of source", fields.u32("bytes of source"), 0, MOST_SOURCE);
  const points = optional("bytes of points", fields.u32("bytes of points"), POINT * squares);
  expectEnd(fields);
  return {
    ...preamble,
    ...summary,
    keeps,
    worlds,
    size,
    kinds: { police: kindOf(police), thief: kindOf(thief) },
    rules: { officers: police.pieces, team, stuck, undecided },
    tiles: { police: police.tile, thief: thief.tile },
    sections: [moves, captures, arrivals, thief.lengths[0], thief.lengths[2], source, points],
  };
}

/** Reads counts, longest wins and digest of a table with so many positions for each side to move. */
function readSummary(fields: Cursor, positions: number): Summary {
  if (positions > MOST_POSITIONS) throw unsupported(`at most ${MOST_POSITIONS} positions`, String(positions));
  const counts = { police: readCounts(fields, "police", positions), thief: readCounts(fields, "thief", positions) };
  const longest = { police: fields.u32("longest win of the police"), thief: fields.u32("longest win of the thief") };
  return { counts, longest, digest: fields.u64("digest") };
}

function readCounts(fields: Cursor, side: Side, positions: number): Counts {
  const field = `positions with the ${side} to move`;
  const [police, thief, draw] = [0, 1, 2].map(() => fields.boundedU64(field, positions)) as [number, number, number];
  if (police + thief + draw !== positions) {
    throw wrong(field, `a sum of ${positions}`, `${police} + ${thief} + ${draw}`);
  }
  return { police, thief, draw };
}

/** Checks that the blocks of these tiles are small enough. */
function checkSlots({ pieces, tile: police }: KindFields, { tile: thief }: KindFields): void {
  const slots = (police.rows * police.columns) ** pieces * thief.rows * thief.columns;
  if (slots > MOST_SLOTS) throw wrong("tiles", `at most ${MOST_SLOTS} slots`, `up to ${slots}`);
}

function kindOf({ name, pieces, layers, places }: KindFields): Kind {
  return { name, pieces, layers, places };
}

function unsupported(expected: string, found: string): DragnetError {
  return new DragnetError("unsupported", `expected ${expected}, found ${found}`);
}
