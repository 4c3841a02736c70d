import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Opponent, open } from "dragnet-probe";

const ROOT = fileURLToPath(new URL("../../../../", import.meta.url));

/** The file of the games, and the folder of their tables: the arguments of the program, if there are any. */
const [FILE = join(ROOT, "probe/tests/opponent/vectors.txt"), FOLDER = join(ROOT, "formats/tests/golden")] =
  process.argv.slice(2);
const TEXT = readFileSync(FILE, "utf8");

const tables = new Map();

/** Returns a table by the name of its file. */
function table(name) {
  if (!tables.has(name)) tables.set(name, open(new Uint8Array(readFileSync(join(FOLDER, name)))).pursuit());
  return tables.get(name);
}

/**
 * Returns the lines that begin with a word, each split at its marks, with the table that they are about.
 */
export function records(kind) {
  const found = [];
  let name = "";
  for (const line of TEXT.split("\n").filter((line) => line !== "" && !line.startsWith("#"))) {
    const [, first, rest] = /^(\w+) (.*)$/.exec(line);
    if (first === "table") name = rest;
    if (first !== kind) continue;
    const fields = rest.split(/[:|=]/).map((field) => field.trim());
    found.push({ table: name && table(name), fields });
  }
  return found;
}

/** Returns the strength that ERRORS,BLUNDERS,PLIES,DROP,HORIZON,REACTION stand for. */
function strength(text) {
  const [errors, blunders, plies, drop, horizon, reaction] = text.split(",").map(Number);
  return { errors, blunders, plies, drop, horizon, reaction };
}

/** Returns the style that a word stands for. */
export function style(text) {
  if (text === "longest") return text;
  return { trickiest: text === "uniform" ? text : strength(text) };
}

/** Returns the opponent that STRENGTH STYLE, or STRENGTH STYLE SEED, stands for. */
export function opponent(text) {
  const [first, second, seed = "0"] = text.split(" ");
  return new Opponent({ strength: strength(first), style: style(second), seed: BigInt(seed) });
}

/** Returns the position that OFFICERS THIEF TURN stands for. */
export function position(text) {
  const [officers, thief, turn] = text.split(" ");
  const cells = (words) => words.split("+").map((word) => word.split(",").map(Number));
  return { police: cells(officers), thief: cells(thief)[0], turn };
}

/** Returns the cells of the side that is to move in `before`, after its move. */
export function moved(before, after) {
  const pieces = before.turn === "police" ? after.police : [after.thief];
  return (Array.isArray(pieces[0]) ? pieces : [pieces]).map((cell) => cell.join()).join("+");
}
