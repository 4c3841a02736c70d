// Answers a stream of positions from a table, as `dragnet probe TABLE --stdin` does: reads lines
// "police_row police_col thief_row thief_col turn", prints lines "outcome TAB dtw".
//
//   node examples/answer.mjs TABLE < positions

import { readFileSync } from "node:fs";
import { DragnetError, Table } from "dragnet-probe";

const LINE = /^\s*\+?(\d{1,9})\s+\+?(\d{1,9})\s+\+?(\d{1,9})\s+\+?(\d{1,9})\s+(police|thief)\s*$/;

class BadLine extends Error {}

function answer(table, line) {
  const found = LINE.exec(line);
  if (found === null) {
    throw new BadLine(`expected police_row police_col thief_row thief_col and police or thief, found "${line.trim()}"`);
  }
  const [, policeRow, policeColumn, thiefRow, thiefColumn, turn] = found;
  const { outcome, dtw } = table.value({ police: [+policeRow, +policeColumn], thief: [+thiefRow, +thiefColumn], turn });
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
    if (error instanceof BadLine || error instanceof DragnetError) error.message = `line ${number}: ${error.message}`;
    throw error;
  }
}

const [path, ...others] = process.argv.slice(2);
if (path === undefined || others.length > 0) {
  console.error("usage: node examples/answer.mjs TABLE < positions");
  process.exit(2);
}
try {
  await answerAll(Table.fromBytes(readFileSync(path)), process.stdin, process.stdout);
} catch (error) {
  console.error(`${path}: ${error.message}`);
  process.exitCode = 2;
}
