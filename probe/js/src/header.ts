import { Board, MOST_SQUARES } from "./board.js";
import { type Cursor, optional, readCounts, refuseField, within } from "./cursor.js";
import { DragnetError } from "./errors.js";
import { type KindFields, MOST_SOURCE, type Places, type Size, readKind } from "./kind.js";
import { multisets } from "./multisets.js";
import { type Beginning, type Keeps, type Preamble, expectEnd } from "./preamble.js";
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
  readonly kinds: Readonly<Record<Side, readonly KindFields[]>>;
  readonly places: Places;
  readonly rules: Rules;
  /**
   * The bytes of each section in their order in the file: for each kind, the thief last, moves, captures and
   * ends, then source and points. Those of the thief's captures are 0.
   */
  readonly sections: readonly number[];
}

/** The sections of each kind: moves, captures, and arrivals or escapes. */
export const SECTIONS_OF_KIND = 3;

const MOST_WORLDS = 4096;
const MOST_KINDS = 6;
const MOST_OFFICERS = 6;
const MOST_SLOTS = 2 ** 16;
/** The most positions with one side to move that this reader can number exactly in a double. */
const MOST_POSITIONS = 2 ** 50;
/** Bytes of the point at which a square is drawn. */
const POINT = 8;

/** Reads and checks the header of a pursuit table or of a partial table. */
export function readHeader({ preamble, keeps, fields }: Beginning): Header {
  const worlds = within("worlds", fields.u32("worlds"), 1, MOST_WORLDS);
  const size: Size = [fields.u16("rows"), fields.u16("columns")];
  const squares = within("squares of the board", size[0] * size[1], 1, MOST_SQUARES);
  const police: KindFields[] = [];
  const count = fields.boundedU64("kinds of officers", MOST_KINDS);
  while (police.length < count) {
    police.push(readKind(fields, `kind ${police.length}`, MOST_OFFICERS, worlds, size, police[0]?.places));
  }
  const officers = police.reduce((sum, { pieces }) => sum + pieces, 0);
  within("officers of all kinds", officers, 0, MOST_OFFICERS);
  const thief = readKind(fields, "thief", 1, worlds, size, police[0]?.places);
  within("thief, bytes of captures", thief.lengths[1], 0, 0);
  const all = [...police, thief];
  const slots = all.reduce((product, { pieces, tile }) => product * (tile.rows * tile.columns) ** pieces, 1);
  within("slots of a block", slots, 1, MOST_SLOTS);
  for (const [k, { lengths, places }] of police.entries()) {
    if (lengths[1] > 0 || places.equals(thief.places)) continue;
    refuseField(`kind ${k}, bytes of captures`, "some, since officers and thief have different places", 0);
  }
  const team = fields.enumeration("turn", ["all", "one"] as const);
  const stuck = fields.enumeration("stuck", ["loses", "wins"] as const);
  const undecided = fields.enumeration("undecided", ["draw", "police", "thief"] as const);
  const teams = police.reduce((product, { places, pieces }) => product * multisets(places.openCells, pieces), 1);
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
    kinds: { police, thief: [thief] },
    places: { police: Board.stacked(size[1], police.map(({ places }) => places)), thief: thief.places },
    rules: { officers, team, stuck, undecided },
    sections: [...all.flatMap(({ lengths }) => lengths), source, points],
  };
}

/** Reads counts, longest wins and digest of a table with so many positions for each side to move. */
function readSummary(fields: Cursor, positions: number): Summary {
  if (positions > MOST_POSITIONS) {
    throw new DragnetError("unsupported", `expected at most ${MOST_POSITIONS} positions, found ${positions}`);
  }
  const of = (side: Side): Counts => readCounts(fields, `${side} to move`, ["police", "thief", "draw"], positions);
  const counts = { police: of("police"), thief: of("thief") };
  const longest = { police: fields.u32("longest win of the police"), thief: fields.u32("longest win of the thief") };
  return { counts, longest, digest: fields.u64("digest") };
}
