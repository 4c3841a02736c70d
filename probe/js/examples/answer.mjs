// Answers a stream of positions from a table, as `dragnet probe TABLE --stdin` does. Reads lines
// "police_row police_col thief_row thief_col turn", with two numbers for each officer, and a world behind the
// turn if it is not 0, and prints lines "outcome TAB dtw". For a game table, each line is the number of a
// position.
//
//   node examples/answer.mjs TABLE < positions

import { readFileSync } from "node:fs";
import { DragnetError, open } from "dragnet-probe";

const NUMBER = /^\+?\d{1,9}$/;

class LineError extends Error {}

/** Opens a table that has values. */
function openTable(bytes) {
  const table = open(bytes).any();
  if (table.kind !== "partial") return table;
  throw new Error(`expected a table of values, found one that keeps ${table.keeps}`);
}

function answer(table, line) {
  if (table.kind === "pursuit") return answerPosition(table, line);
  const number = line.trim();
  if (!/^\+?\d{1,15}$/.test(number)) throw new LineError(`expected the number of a position, found "${number}"`);
  const { result, dtw } = table.value(+number);
  return `${result}\t${dtw ?? "-"}\n`;
}

function answerPosition(table, line) {
  const { officers } = table.rules;
  const words = line.trim().split(/\s+/);
  const world = words.length === 2 * officers + 4 ? words.pop() : "0";
  const turn = words.pop();
  const areNumbers = words.length === 2 * officers + 2 && [...words, world].every((word) => NUMBER.test(word));
  if (!areNumbers || (turn !== "police" && turn !== "thief")) {
    const expected = `${"police_row police_col ".repeat(officers)}thief_row thief_col and police or thief, perhaps a world`;
    throw new LineError(`expected ${expected}, found "${line.trim()}"`);
  }
  const cells = Array.from({ length: officers + 1 }, (_, k) => [+words[2 * k], +words[2 * k + 1]]);
  const thief = cells.pop();
  const { outcome, dtw } = table.value({ world: +world, police: officers === 1 ? cells[0] : cells, thief, turn });
  return `${outcome}\t${dtw ?? "-"}\n`;
}

async function answerAll(table, input, output) {
  let number = 0;
  let rest = "";
  const answerLines = (lines) => {
    let answers = "";
    try {
      for (const line of lines) {
        number++;
        answers += answer(table, line);
      }
    } finally {
      if (answers !== "") output.write(answers);
    }
  };
  try {
    for await (const chunk of input.setEncoding("utf8")) {
      const lines = (rest + chunk).split("\n");
      rest = lines.pop();
      answerLines(lines);
    }
    if (rest !== "") answerLines([rest]);
  } catch (error) {
    if (error instanceof LineError || error instanceof DragnetError) error.message = `line ${number}: ${error.message}`;
    throw error;
  }
}

const [path, ...others] = process.argv.slice(2);
if (path === undefined || others.length > 0) {
  console.error("usage: node examples/answer.mjs TABLE < positions");
  process.exit(2);
}
try {
  await answerAll(openTable(readFileSync(path)), process.stdin, process.stdout);
} catch (error) {
  console.error(`${path}: ${error.message}`);
  process.exitCode = 2;
}
