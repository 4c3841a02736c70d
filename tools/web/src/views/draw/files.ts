import { open } from "dragnet-probe";
import type { BoardRules, RulesObject } from "../../model/board-rules.js";
import { download } from "../../base/download.js";
import { messageOf } from "../../base/text.js";
import { looksLikeGraph, writeText } from "../../model/board-text.js";
import type { Digraph } from "../../model/digraph.js";
import { readGraphText } from "../../model/graph-text.js";
import { linkTo } from "../../model/link.js";
import { keepTable } from "../../model/opened.js";
import { rulesFrom } from "../../model/rules-text.js";
import { type Guard, MOST_SIDE, type Scenario, settled } from "../../model/scenario.js";
import { type Game, isGuard } from "../../model/share.js";
import { parseToml } from "../../model/toml.js";
import { cellsOf, positionOf } from "./answer.js";
import type { Editor } from "./editor.js";
import type { Solver } from "./solver.js";

/** The most bytes of a text that is read. */
const MOST_TEXT = 4 * 2 ** 20;
/** The most bytes of a table that is read for its board. */
const MOST_TABLE = 512 * 2 ** 20;
const SIX_FILE = /\.(g6|s6|d6)$/i;

/** The content of a file: a game, rules, or a graph for the view of graphs. */
export type Opened =
  | { readonly kind: "rules"; readonly rules: BoardRules; readonly name: string }
  | { readonly kind: "guards"; readonly guards: readonly Guard[]; readonly name: string }
  | { readonly kind: "game"; readonly game: Game; readonly name: string }
  | { readonly kind: "graph"; readonly graph: Digraph };

/** Reads a file of any form that the program reads. */
export async function openFile(file: File, editor: Editor, solver: Solver): Promise<Opened> {
  const name = file.name.replace(/\.[^.]*$/, "") || "board";
  try {
    if (/\.dtb$/i.test(file.name)) return { kind: "game", game: await gameOfTable(file, solver), name };
    if (file.size > MOST_TEXT) throw new Error(`expected at most ${MOST_TEXT} bytes, found ${file.size}`);
    const text = await file.text();
    if (/\.toml$/i.test(file.name)) {
      const object = parseToml(text);
      if ("guards" in object) return { kind: "guards", guards: guardsIn(object), name };
      await solver.check(editor.state.game, object);
      return { kind: "rules", rules: rulesFrom(object), name };
    }
    if (SIX_FILE.test(file.name)) return { kind: "graph", graph: readGraphText(await solver.edges(text)) };
    if (/\.edges$/i.test(file.name)) return { kind: "graph", graph: readGraphText(text) };
    return await openText(text, name, editor, solver);
  } catch (error) {
    throw new Error(`${file.name}: ${messageOf(error)}`);
  }
}

/** Reads the text of a board or a graph. */
export async function openText(text: string, name: string, editor: Editor, solver: Solver): Promise<Opened> {
  if (looksLikeGraph(text)) return { kind: "graph", graph: readGraphText(text) };
  const scenario = settled(checked(await solver.read(text)));
  return { kind: "game", game: { scenario, rules: editor.state.game.rules }, name };
}

/** Returns a scenario that can be drawn, or throws an error if its board is too large. */
function checked(scenario: Scenario): Scenario {
  const { height, width } = scenario;
  if (height <= MOST_SIDE && width <= MOST_SIDE) return scenario;
  throw new Error(
    `expected a board of at most ${MOST_SIDE} rows and ${MOST_SIDE} columns, found ${height}x${width}`,
  );
}

/** Returns the guards of a file of guards. Throws an error if it has other keys. */
export function guardsIn({ guards, ...others }: RulesObject): Guard[] {
  if (!Array.isArray(guards) || !guards.every(isGuard) || Object.keys(others).length > 0)
    throw new Error("expected guards, blocks [[guards]] with a round each, and nothing else");
  return guards;
}

async function gameOfTable(file: File, solver: Solver): Promise<Game> {
  if (file.size > MOST_TABLE)
    throw new Error(`expected a table of at most ${MOST_TABLE} bytes, found ${file.size}`);
  const table = open(await file.arrayBuffer()).pursuit();
  const { board, rules = {}, guards = [], ...others } = parseToml(table.source());
  const [odd] = Object.keys(others);
  if (typeof board !== "string") throw new Error("expected a table of a board of squares, found one without its text");
  if (odd !== undefined) throw new Error(`expected a table of board, rules and guards, found ${odd}`);
  const read = checked(await solver.read(board));
  const all = rulesFrom(rules as RulesObject);
  const police = Array.from({ length: all.officers }, (_, officer) => read.police[officer] ?? ([0, 0] as const));
  return { scenario: settled({ ...read, police, guards: guardsIn({ guards }) }), rules: all };
}

/** Saves the board in a form. */
export async function saveBoard(
  editor: Editor,
  solver: Solver,
  name: string,
  form: "text" | "contest" | "movingai",
): Promise<void> {
  const { scenario } = editor.state.game;
  const text = form === "text" ? writeText(scenario) : await solver.write(scenario, form);
  download(form === "movingai" ? `${name}.map` : `${name}.txt`, text, "text/plain");
}

/** Keeps a table in memory, and returns the link that shows it in the view of tables. */
export function tableLink(bytes: Uint8Array, name: string, { game, turn, heat }: Editor["state"]): string {
  const position = positionOf(game, turn);
  return linkTo(["table", keepTable(name, bytes)], {
    world: position?.world ? String(position.world) : undefined,
    police: position && (cellsOf(position.police).join(";") || undefined),
    thief: position?.thief.join(),
    turn,
    heat,
  });
}
