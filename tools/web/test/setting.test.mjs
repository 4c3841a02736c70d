// What the view of tables reads in the source of a table: its rules and its graph, or nothing.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Table } from "dragnet-probe";
import { golden } from "./support/pages.mjs";
import { load } from "./support/modules.mjs";

const { UNKNOWN, readSetting, requireShown, settingOf } = await load("model/setting.ts");
const { parseToml } = await load("model/toml.ts");
const { rulesInWords } = await load("views/table/rules.ts");

const open = async (name) => Table.fromBytes(await golden(`${name}.dtb`));

test("the source of a board has its rules", async () => {
  const table = await open("v2-team");
  const setting = await settingOf(table);
  assert.equal(setting.edges, null);
  const { police, thief, policeOnExit, ...others } = setting.rules;
  assert.deepEqual(police, { moves: "diagonal", mayPass: true, steps: 1, reach: 2 });
  assert.deepEqual(thief, { moves: "orthogonal", mayPass: false, steps: 2, reach: 1 });
  assert.equal(policeOnExit, "barred");
  for (const [name, value] of Object.entries(table.rules)) assert.equal(others[name], value, name);
  assert.deepEqual(rulesInWords(table, setting), [
    "Each officer moves one square diagonally, up to 2 times on in its direction and may stay.",
    "The thief moves one square up, down, left or right, up to 2 steps in a turn and must move.",
    "One officer moves in a turn of the police.",
    "Diagonal steps may not pass the corner of a wall.",
    "The left and right edges of the board are joined.",
    "The thief wins on the exit.",
    "Officers may not step on exits.",
    "A side that has no move loses.",
    "A game without end counts as won by the police.",
  ]);
});

test("the source of listed steps has them", async () => {
  const { rules } = await settingOf(await open("v2-speed"));
  assert.deepEqual(rules.police.moves, { offsets: [[0, 1], [1, 0], [1, 1], [-1, 0]] });
  assert.equal(rules.wrap, "horizontal");
});

test("the source of a graph has its edges", async () => {
  const table = await open("v2-cops");
  const setting = await settingOf(table);
  assert.equal(setting.edges.length, 14);
  assert.deepEqual(setting.edges.slice(0, 3), [[0, 9], [1, 8], [1, 10]]);
  assert.match(rulesInWords(table, setting)[0], /^Each officer moves along an edge/);
});

test("a table whose source is no text of a board is shown without the rules of its moves", async () => {
  const table = await open("v2-board");
  assert.deepEqual(await settingOf(table), UNKNOWN);
  requireShown(table);
  assert.deepEqual(rulesInWords(table, UNKNOWN), [
    `The thief wins on ${table.board.exits().length === 1 ? "the exit" : `one of ${table.board.exits().length} exits`}.`,
    "A side that has no move loses.",
  ]);
  const { board } = await open("v2-cops");
  for (const source of [
    "",
    "....\n.#..\n",
    "board = 7",
    "board = '.'\n[rules]\nwrap = 'round'",
    "board = '.'\n[rules.police]\nmoves = 'edges'",
    "board = '.'\n[rules.police]\nmoves = 3",
    "board = '.'\n[rules.thief.moves]\noffsets = [[1, 2, 3]]",
    "board = '.'\nrules = 1\n[rules.thief]",
    "graph = '''\n1\n0\n'''",
    `graph = '''\n${"11\n".repeat(11)}'''`,
    `graph = '''\n${"-1\n".repeat(11)}'''`,
    `graph = '''\n${"x\n".repeat(11)}'''`,
    `graph = '''\n${"1\n".repeat(11)}`,
  ]) {
    assert.deepEqual(readSetting(source, board), UNKNOWN, source);
  }
});

test("games whose pieces have other cells than the board are not shown", async () => {
  const table = await open("v2-round");
  assert.throws(() => requireShown(table), /expected a game whose pieces stand .* found 4 layers of guard/);
});

test("the source of a table is read as TOML", () => {
  const source = "board = '''\nP.#\n..T\n'''\n\n[rules]\nstuck = \"wins\"\n\n[rules.police.moves]\noffsets = [[1, 2]]\n";
  assert.deepEqual(parseToml(source), {
    board: "P.#\n..T\n",
    rules: { stuck: "wins", police: { moves: { offsets: [[1, 2]] } } },
  });
  assert.throws(() => parseToml("a = '''\nb"), /expected ''' at the end of the string, found none/);
  assert.throws(() => parseToml("a = 1\n[a.b]"), /^Error: line 2, column 4: the key a is no table/);
  assert.throws(() => parseToml("[a.b]\n[a.b]"), /the key b is there twice/);
});
