import type { Board, Cell, Table } from "dragnet-probe";
import { type BoardRules, type RulesObject, type SideRules, isPlain } from "./board-rules.js";
import type { Arc } from "./digraph.js";
import { ON_EXIT, rulesFrom, SETS, WRAPS } from "./rules-text.js";
import { parseToml } from "./toml.js";

/** A door of a board, which a key or a schedule opens and closes. */
export type Door =
  | { readonly cell: Cell; readonly key: Cell; readonly open: boolean }
  | {
      readonly cell: Cell;
      /** A character for each ply, after the last of which it begins anew: `.` open, `#` closed. */
      readonly schedule: string;
    };

/** Board and rules in the source of a table. Nothing depends on them but what people read and see. */
export interface Setting {
  /** The edges of the board if it is a graph, vertex by vertex; `null` if it consists of squares. */
  readonly edges: readonly Arc[] | null;
  /** The rules; `undefined` if the source is not the text of a board or a graph. */
  readonly rules: BoardRules | undefined;
  readonly doors: readonly Door[];
}

/** The setting of a table whose source says nothing. */
export const UNKNOWN: Setting = { edges: null, rules: undefined, doors: [] };

/** Returns the setting of a table; its source is fetched if it is not there. */
export function settingOf(table: Table, signal?: AbortSignal): Promise<Setting> {
  return table.load((table) => readSetting(table.source(), table.board), { signal });
}

/** Reads the source of a table on a board. */
export function readSetting(source: string, board: Board): Setting {
  try {
    const { board: picture, graph, rules: given = {}, doors: listed = [] } = parseToml(source);
    const rules = rulesFrom(given as RulesObject);
    const doors = doorsIn(listed);
    if (doors === undefined || !isPlain(rules)) return UNKNOWN;
    const isSimple = typeof picture === "string" && /^[#.EPT\n]*$/.test(picture);
    if (isSimple && isOfSquares(rules)) return { edges: null, rules, doors };
    if (typeof graph !== "string") return UNKNOWN;
    const edges = edgesIn(graph, board);
    return edges === undefined ? UNKNOWN : { edges, rules, doors };
  } catch {
    return UNKNOWN;
  }
}

/** Returns the doors in a list, which may be any value; `undefined` if it is no list of doors. */
function doorsIn(listed: unknown): Door[] | undefined {
  if (!Array.isArray(listed)) return undefined;
  const doors = listed.map((door: Record<string, unknown>): Door | undefined => {
    const { cell, key, open = false, schedule } = door;
    if (!isPair(cell)) return undefined;
    if (isPair(key) && typeof open === "boolean") return { cell, key, open };
    return typeof schedule === "string" && /^[.#]+$/.test(schedule) ? { cell, schedule } : undefined;
  });
  return doors.every((door) => door !== undefined) ? doors : undefined;
}

/** Returns the edges in a text with a line for each vertex; `undefined` if it is not of a board. */
function edgesIn(text: string, board: Board): Arc[] | undefined {
  const lines = text.split("\n").slice(0, -1);
  if (board.height !== 1 || lines.length !== board.width) return undefined;
  const edges = lines.flatMap((line, from) => (line.match(/\S+/g) ?? []).map((word): Arc => [from, Number(word)]));
  return edges.every(([, to]) => Number.isInteger(to) && to >= 0 && to < board.width) ? edges : undefined;
}

/** Returns whether the values of rules, which may be any, are those that rules on squares have. */
export function isOfSquares(rules: BoardRules): boolean {
  const { police, thief, cornerCutting, wrap, policeOnExit } = rules;
  const isPlain = typeof cornerCutting === "boolean" && WRAPS.includes(wrap) && ON_EXIT.includes(policeOnExit);
  return isPlain && [police, thief].every(({ moves }) => isMoveSet(moves));
}

function isMoveSet(moves: SideRules["moves"]): boolean {
  if (typeof moves === "string") return SETS.includes(moves);
  return Array.isArray(moves?.offsets) && moves.offsets.every(isPair);
}

/** Returns whether a value is a list of two whole numbers. */
export function isPair(value: unknown): value is Cell {
  return Array.isArray(value) && value.length === 2 && value.every(Number.isInteger);
}
