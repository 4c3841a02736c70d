import type { Cursor } from "./cursor.js";
import { DragnetError } from "./errors.js";

/** Who moves. */
export type Side = "police" | "thief";

/** A step: rows down, columns right. */
export type Step = readonly [down: number, right: number];

/** The steps of a side: a named set, or a list. */
export type MoveSet = "king" | "orthogonal" | "diagonal" | "knight" | { readonly offsets: readonly Step[] };

/** How one side moves. */
export interface SideRules {
  readonly moves: MoveSet;
  /** Whether staying is a move too. */
  readonly mayPass: boolean;
}

/** The rules of a table's game. */
export interface Rules {
  readonly police: SideRules;
  readonly thief: SideRules;
  /** Whether a diagonal step may pass between walls. */
  readonly cornerCutting: boolean;
  /** Which edges of the board are joined: `horizontal` joins left and right. */
  readonly wrap: "none" | "horizontal" | "vertical" | "both";
  /** What becomes of a side that has to move and cannot. */
  readonly stuck: "loses" | "wins";
}

const MOST_OFFSETS = 255;
const NAMED = ["king", "orthogonal", "diagonal", "knight", "offsets"] as const;

/** Reads the rules from the header, the number of officers included. */
export function readRules(header: Cursor): Rules {
  const officers = header.u8("officers");
  if (officers === 0) throw new DragnetError("header", "header, officers: expected at least 1, found 0");
  if (officers > 1) {
    throw new DragnetError("unsupported", `expected a table for 1 police officer, found one for ${officers}`);
  }
  const police = readSide(header, "police");
  const thief = readSide(header, "thief");
  const cornerCutting = header.bool("corner cutting");
  const wrap = header.enumeration("wrap", ["none", "horizontal", "vertical", "both"] as const);
  const stuck = header.enumeration("stuck", ["loses", "wins"] as const);
  header.enumeration("team", ["all", "one"] as const);
  return { police, thief, cornerCutting, wrap, stuck };
}

function readSide(header: Cursor, side: Side): SideRules {
  const named = header.enumeration(`${side} moves`, NAMED);
  const moves = named === "offsets" ? { offsets: readOffsets(header, `${side} offsets`) } : named;
  return { moves, mayPass: header.bool(`${side} may pass`) };
}

function readOffsets(header: Cursor, field: string): Step[] {
  const count = header.boundedU64(field, MOST_OFFSETS);
  const offsets: Step[] = [];
  const seen = new Set<string>();
  for (let k = 0; k < count; k++) {
    const offset: Step = [header.i16(field), header.i16(field)];
    const name = offset.join();
    if (name === "0,0" || seen.has(name)) {
      throw new DragnetError("header", `header, ${field}: expected different steps other than 0,0, found ${name}`);
    }
    seen.add(name);
    offsets.push(offset);
  }
  return offsets;
}
