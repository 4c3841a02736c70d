import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { open } from "dragnet-probe";
import { goldenBytes, openCells, positions } from "./support/golden.mjs";
import { Random } from "./support/random.mjs";

const SCRIPT = fileURLToPath(new URL("../examples/answer.mjs", import.meta.url));
const TABLE = fileURLToPath(new URL("../../../formats/tests/golden/v2-size.dtb", import.meta.url));
const GAME = fileURLToPath(new URL("../../../formats/tests/golden/v2-graph.dtb", import.meta.url));

function answer(input, args = [TABLE]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [SCRIPT, ...args], {
    input,
    encoding: "utf8",
    maxBuffer: 2 ** 26,
  });
  return { status, stdout, stderr };
}

test("any line ending and any blanks are accepted, and no input gives no output", () => {
  assert.deepEqual(answer(""), { status: 0, stdout: "", stderr: "" });
  const both = { status: 0, stdout: "police\t1\ndraw\t-\n", stderr: "" };
  assert.deepEqual(answer("0 0 1 1 police\n0 0 0 17 police\n"), both);
  assert.deepEqual(answer("0 0 1 1 police\r\n0 0 0 17 police\r\n"), both);
  assert.deepEqual(answer("0 0 1 1 police\n 0\t0  0 17 police "), both);
});

test("an invalid line ends the answers with an error that gives its number", () => {
  for (const [line, message] of [
    ["", /line 2: expected police_row .* found ""/],
    ["0 0 1 1 Police", /line 2: expected police_row .* found "0 0 1 1 Police"/],
    ["0 0 1 1 police now", /line 2: expected police_row/],
    ["0 0 -1 1 police", /line 2: expected police_row/],
    ["0 0 9 9 police", /line 2: the thief's cell 9,9 is off the board/],
    ["0 2 0 0 police", /line 2: the police's cell 0,2 is a wall/],
  ]) {
    const { status, stdout, stderr } = answer(`0 0 1 1 police\n${line}\n0 0 1 1 police\n`);
    assert.equal(status, 2);
    assert.equal(stdout, "police\t1\n");
    assert.match(stderr, message);
  }
  assert.equal(answer("", []).status, 2);
  assert.match(answer("", [SCRIPT]).stderr, /not a Dragnet table/);
  assert.match(answer("", ["nowhere.dtb"]).stderr, /no such file/);
});

test("a line may have a world behind the turn", () => {
  const doors = fileURLToPath(new URL("../../../formats/tests/golden/v2-doors.dtb", import.meta.url));
  const table = open(goldenBytes("v2-doors")).pursuit();
  const all = [...positions(table)];
  const input = all.map(({ world, police, thief, turn }) => `${police.join(" ")} ${thief.join(" ")} ${turn} ${world}\n`);
  const expected = all.map((position) => table.value(position)).map(({ outcome, dtw }) => `${outcome}\t${dtw ?? "-"}\n`);
  assert.equal(answer(input.join(""), [doors]).stdout, expected.join(""));
  assert.equal(answer("0 0 2 2 police\n", [doors]).stdout, expected[all.findIndex(({ thief }) => `${thief}` === "2,2")]);
  assert.match(answer("0 0 2 2 police 6\n", [doors]).stderr, /line 1: world: expected 0 to 5, found 6/);
  assert.match(answer("0 0 2 2 police x\n", [doors]).stderr, /line 1: expected police_row .*, perhaps a world, found/);
});

test("a game table is asked by position numbers", () => {
  const table = open(goldenBytes("v2-graph")).game();
  const numbers = Array.from({ length: table.positions }, (_, k) => k);
  const expected = numbers.map((k) => table.value(k)).map(({ result, dtw }) => `${result}\t${dtw ?? "-"}\n`);
  assert.equal(answer(numbers.join("\n"), [GAME]).stdout, expected.join(""));
  for (const [line, message] of [
    ["0 0 1 1 police", /line 2: expected the number of a position, found "0 0 1 1 police"/],
    ["-1", /line 2: expected the number of a position/],
    ["131", /line 2: expected a position from 0 to 130, found 131/],
  ]) {
    const { status, stdout, stderr } = answer(`31\n${line}\n31\n`, [GAME]);
    assert.deepEqual({ status, stdout }, { status: 2, stdout: "won\t31\n" });
    assert.match(stderr, message);
  }
});

test("100,000 lines take less than 10 seconds and are answered in order", () => {
  const table = open(goldenBytes("v2-size")).pursuit();
  const cells = openCells(table.board);
  const random = new Random(5);
  const asked = Array.from({ length: 100_000 }, () => ({
    police: random.pick(cells),
    thief: random.pick(cells),
    turn: random.pick(["police", "thief"]),
  }));
  const begin = performance.now();
  const lines = asked.map(({ police, thief, turn }) => `${police.join(" ")} ${thief.join(" ")} ${turn}\n`);
  const { stdout } = answer(lines.join(""));
  assert.ok(performance.now() - begin < 10_000);
  const expected = asked.map((position) => {
    const { outcome, dtw } = table.value(position);
    return `${outcome}\t${dtw ?? "-"}\n`;
  });
  assert.equal(stdout, expected.join(""));
});
