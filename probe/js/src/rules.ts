import type { Cursor } from "./cursor.js";
import { DragnetError } from "./errors.js";

/** Who moves. */
export type Side = "police" | "thief";

/** A step: rows down, columns right. */
export type Step = readonly [down: number, right: number];

/** The steps of a side: a named set, or a list; on a graph `edges`, and there alone. */
export type MoveSet = "king" | "orthogonal" | "diagonal" | "knight" | { readonly offsets: readonly Step[] } | "edges";

/** How one side moves. */
export interface SideRules {
  readonly moves: MoveSet;
  /** Whether staying is a move too. */
  readonly mayPass: boolean;
  /** Up to how many steps make a move; nobody is in the way, and nobody is caught or escapes on the way. */
  readonly steps: number;
  /** Up to how many times a step may be taken in its direction. */
  readonly reach: number;
}

/** The rules of a table's game. */
export interface Rules {
  /** Police officers on the board, 1 to 6. */
  readonly officers: number;
  readonly police: SideRules;
  readonly thief: SideRules;
  /** Whether a diagonal step may pass between walls. */
  readonly cornerCutting: boolean;
  /** Which edges of the board are joined: `horizontal` joins left and right. */
  readonly wrap: "none" | "horizontal" | "vertical" | "both";
  /** What becomes of a side that has to move and cannot. */
  readonly stuck: "loses" | "wins";
  /** How many officers move in one turn. */
  readonly team: "all" | "one";
  /** What exits are to the police: open cells, cells on which no officer may step, or a place where it wins. */
  readonly policeOnExit: "allowed" | "barred" | "wins";
  /** For whom a draw counts. The value of a position that nobody can win is a draw all the same. */
  readonly undecided: "draw" | Side;
}

const MOST_OFFICERS = 6;
const MOST_OFFSETS = 255;
const NAMED = ["king", "orthogonal", "diagonal", "knight", "offsets", "edges"] as const;

/** Reads the rules that all games have from the header. The others are as in game 0. */
export function readRules(header: Cursor): Rules {
  const officers = header.u8("officers");
  if (officers === 0 || officers > MOST_OFFICERS) {
    throw new DragnetError("header", `header, officers: expected 1 to ${MOST_OFFICERS}, found ${officers}`);
  }
  const police = readSide(header, "police");
  const thief = readSide(header, "thief");
  const cornerCutting = header.bool("corner cutting");
  const wrap = header.enumeration("wrap", ["none", "horizontal", "vertical", "both"] as const);
  const stuck = header.enumeration("stuck", ["loses", "wins"] as const);
  const team = header.enumeration("team", ["all", "one"] as const);
  const plain = { policeOnExit: "allowed", undecided: "draw" } as const;
  return { officers, police, thief, cornerCutting, wrap, stuck, team, ...plain };
}

/** Reads the rules that only game 2 has. */
export function readMoreRules(header: Cursor, rules: Rules): Rules {
  const police = { ...rules.police, ...readPace(header, "police") };
  const thief = { ...rules.thief, ...readPace(header, "thief") };
  const policeOnExit = header.enumeration("police on exit", ["allowed", "barred", "wins"] as const);
  const undecided = header.enumeration("undecided", ["draw", "police", "thief"] as const);
  return { ...rules, police, thief, policeOnExit, undecided };
}

/** Checks that the rules can be played on a graph, or on squares. */
export function checkOnBoard(rules: Rules, graph: boolean): void {
  const wrong = (what: string): never => {
    const board = graph ? "that is a graph" : "of squares";
    throw new DragnetError("header", `header, rules: expected ${what} on a board ${board}`);
  };
  for (const side of [rules.police, rules.thief]) {
    if ((side.moves === "edges") !== graph) wrong(graph ? "moves along edges" : "no moves along edges");
    if (graph && side.reach !== 1) wrong("a reach of 1");
  }
  if (graph && rules.wrap !== "none") wrong("no edges to join");
}

function readPace(header: Cursor, side: Side): { steps: number; reach: number } {
  const [steps, reach] = [header.u8(`${side} steps`), header.u8(`${side} reach`)];
  if (steps === 0 || reach === 0) {
    const field = `header, ${side} steps and reach`;
    throw new DragnetError("header", `${field}: expected at least 1, found ${steps} and ${reach}`);
  }
  return { steps, reach };
}

function readSide(header: Cursor, side: Side): SideRules {
  const named = header.enumeration(`${side} moves`, NAMED);
  const moves = named === "offsets" ? { offsets: readOffsets(header, `${side} offsets`) } : named;
  return { moves, mayPass: header.bool(`${side} may pass`), steps: 1, reach: 1 };
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
