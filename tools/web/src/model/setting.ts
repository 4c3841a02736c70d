import type { Board, BoardRules, SideRules, Table } from "dragnet-probe";
import type { Arc } from "./digraph.js";
import { ON_EXIT, type RulesObject, rulesFrom, SETS, WRAPS } from "./rules-text.js";
import { parseToml } from "./toml.js";

/** Board and rules in the source of a table. Nothing depends on them but what people read and see. */
export interface Setting {
  /** The edges of the board if it is a graph, vertex by vertex; `null` if it consists of squares. */
  readonly edges: readonly Arc[] | null;
  /** The rules; `undefined` if the source is not the text of a board or a graph. */
  readonly rules: BoardRules | undefined;
}

/** The setting of a table whose source says nothing. */
export const UNKNOWN: Setting = { edges: null, rules: undefined };

/** Returns the setting of a table; its source is fetched if it is not there. */
export function settingOf(table: Table, signal?: AbortSignal): Promise<Setting> {
  return table.load((table) => readSetting(table.source(), table.board), { signal });
}

/** Reads the source of a table on a board. */
export function readSetting(source: string, board: Board): Setting {
  try {
    const { board: picture, graph, rules: given = {} } = parseToml(source);
    const rules = rulesFrom(given as RulesObject);
    if (typeof picture === "string" && isOfSquares(rules)) return { edges: null, rules };
    if (typeof graph !== "string") return UNKNOWN;
    const edges = edgesIn(graph, board);
    return edges === undefined ? UNKNOWN : { edges, rules };
  } catch {
    return UNKNOWN;
  }
}

/**
 * Throws an error unless the cells of all pieces are those of the board: other games cannot be shown, such as
 * those with pieces that look in a direction.
 */
export function requireShown({ board, kinds }: Table): void {
  for (const { name, layers, places } of [kinds.police, kinds.thief]) {
    const found = layers.length > 1 ? `${layers.length} layers` : `${places.openCells} of ${board.openCells} cells`;
    if (layers.length === 1 && places.openCells === board.openCells) continue;
    const whose = name === "" ? "a piece" : name;
    throw new Error(`expected a game whose pieces stand on all cells of one board, found ${found} of ${whose}`);
  }
}

/** Returns the edges in a text with a line for each vertex; `undefined` if it is not of a board. */
function edgesIn(text: string, board: Board): Arc[] | undefined {
  const lines = text.split("\n").slice(0, -1);
  if (board.height !== 1 || lines.length !== board.width) return undefined;
  const edges = lines.flatMap((line, from) => (line.match(/\S+/g) ?? []).map((word): Arc => [from, Number(word)]));
  return edges.every(([, to]) => Number.isInteger(to) && to >= 0 && to < board.width) ? edges : undefined;
}

/** Returns whether the values of rules, which may be any, are those that rules on squares have. */
function isOfSquares(rules: BoardRules): boolean {
  const { police, thief, cornerCutting, wrap, policeOnExit } = rules;
  const isPlain = typeof cornerCutting === "boolean" && WRAPS.includes(wrap) && ON_EXIT.includes(policeOnExit);
  return isPlain && [police, thief].every(({ moves }) => isMoveSet(moves));
}

function isMoveSet(moves: SideRules["moves"]): boolean {
  if (typeof moves === "string") return SETS.includes(moves);
  const isStep = (step: unknown): boolean => Array.isArray(step) && step.length === 2 && step.every(Number.isInteger);
  return Array.isArray(moves?.offsets) && moves.offsets.every(isStep);
}
