// What the view of tables reads in the source of a table: its rules and its graph, or nothing.

import assert from "node:assert/strict";
import { test } from "node:test";
import { open } from "dragnet-probe";
import { golden } from "./support/pages.mjs";
import { load } from "./support/modules.mjs";

const { UNKNOWN, readSetting, settingOf } = await load("model/setting.ts");
const { parseToml } = await load("model/toml.ts");
const { Doors } = await load("model/doors.ts");
const { layerNames, layerOf, onLayer, placeInLayer, placeOn, squareUnder } = await load("model/layers.ts");
const { CLOSED } = await load("model/scenario.ts");
const { rulesInWords } = await load("views/table/rules.ts");

const openGolden = async (name) => open(await golden(`${name}.dtb`)).pursuit();

test("the source of a board has its rules", async () => {
  const table = await openGolden("v2-team");
  const setting = await settingOf(table);
  assert.equal(setting.edges, null);
  const { police, thief, policeOnExit, ...others } = setting.rules;
  assert.deepEqual(police, { moves: "diagonal", mayPass: true, steps: 1, reach: 2, more: {} });
  assert.deepEqual(thief, { moves: "orthogonal", mayPass: false, steps: 2, reach: 1, more: {} });
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
  const { rules } = await settingOf(await openGolden("v2-speed"));
  assert.deepEqual(rules.police.moves, { offsets: [[0, 1], [1, 0], [1, 1], [-1, 0]] });
  assert.equal(rules.wrap, "horizontal");
});

test("the source of a graph has its edges", async () => {
  const table = await openGolden("v2-cops");
  const setting = await settingOf(table);
  assert.equal(setting.edges.length, 14);
  assert.deepEqual(setting.edges.slice(0, 3), [[0, 9], [1, 8], [1, 10]]);
  assert.match(rulesInWords(table, setting)[0], /^Each officer moves along an edge/);
});

test("a table whose source is no text of a board is shown without the rules of its moves", async () => {
  const table = await openGolden("v2-board");
  assert.deepEqual(await settingOf(table), UNKNOWN);
  assert.deepEqual(rulesInWords(table, UNKNOWN), [
    `The thief wins on ${table.board.exits().length === 1 ? "the exit" : `one of ${table.board.exits().length} exits`}.`,
    "A side that has no move loses.",
  ]);
  const { board } = await openGolden("v2-cops");
  for (const source of [
    "",
    "....\n.#..\n",
    "board = 7",
    "board = '.'\n[rules]\nwrap = 'round'",
    "board = '.'\n[rules.police]\nmoves = 'edges'",
    "board = '.'\n[rules.police]\nmoves = 3",
    "board = '.'\n[rules.thief.moves]\noffsets = [[1, 2, 3]]",
    "board = '.'\nrules = 1\n[rules.thief]",
    "board = '.~'",
    "board = '.'\n[rules]\nsight = 3",
    "board = '.'\n[rules.thief]\nreach = 'far'",
    "graph = '''\n1\n0\n'''",
    `graph = '''\n${"11\n".repeat(11)}'''`,
    `graph = '''\n${"-1\n".repeat(11)}'''`,
    `graph = '''\n${"x\n".repeat(11)}'''`,
    `graph = '''\n${"1\n".repeat(11)}`,
  ]) {
    assert.deepEqual(readSetting(source, board), UNKNOWN, source);
  }
});

test("the source of a board with doors has them, in words too", async () => {
  const table = await openGolden("v2-doors");
  const setting = await settingOf(table);
  assert.deepEqual(setting.doors, [
    { cell: [1, 2], key: [0, 1], open: true },
    { cell: [1, 0], schedule: "..#" },
  ]);
  assert.deepEqual(rulesInWords(table, setting).slice(3, 5), [
    "The door on 1,2 is open in the beginning, and turns when a piece steps on 0,1.",
    "The door on 1,0 opens and closes by the schedule ..#, a sign for each ply.",
  ]);
  const board = "board = '''\n..#\n...\n.E.\n'''\n\n";
  for (const doors of ["doors = 7", "[[doors]]", "[[doors]]\ncell = 3", "[[doors]]\ncell = [1, 2]\nschedule = 'x'"]) {
    assert.deepEqual(readSetting(board + doors, table.board), UNKNOWN, doors);
  }
});

test("a square that pieces enter in another world alone is closed", async () => {
  const doors = new Doors(await openGolden("v2-doors"));
  const closed = [0, 1, 2, 3, 4, 5].map((world) => {
    return [...doors.squaresIn(world).entries()].flatMap(([square, kind]) => (kind === CLOSED ? [square] : []));
  });
  assert.deepEqual(closed, [[], [], [3], [5], [5], [3, 5]]);
  assert.equal(doors.squaresIn(2), doors.squaresIn(2));
  assert.ok(doors.areThere());
  for (const name of ["v2-searchlights", "v2-round", "v2-size"]) assert.ok(!new Doors(await openGolden(name)).areThere());
});

test("pieces with layers stand on squares of the board", async () => {
  const { board, kinds, places } = await openGolden("v2-round");
  const ground = { board, kinds, places };
  assert.deepEqual([squareUnder([4, 2], board), layerOf([4, 2], board)], [[1, 2], 1]);
  assert.deepEqual(onLayer([1, 2], 2, board), [7, 2]);
  assert.deepEqual(placeOn(ground, "police", [0, 1], [0, 0], 3), [0, 0]);
  assert.deepEqual(placeOn(ground, "police", [0, 1], [1, 2], 1), [4, 2]);
  assert.equal(placeOn(ground, "police", [0, 1], [1, 1], 1), undefined);
  assert.deepEqual(layerNames(kinds.police), ["east", "south", "west", "north"]);
  assert.deepEqual(layerNames([{ layers: ["", "up"] }]), ["layer 0", "up"]);
  const [guard, light] = [{ name: "guard", layers: ["east", "west"] }, { name: "light", layers: [""] }];
  assert.deepEqual(layerNames([guard, light]), ["guard, east", "guard, west", "light"]);
  const several = { ...ground, kinds: { ...kinds, police: [{ layers: ["", ""] }, { layers: ["", ""] }] } };
  assert.deepEqual(placeInLayer(several, "police", [0, 1], 3), undefined);
  assert.deepEqual(placeInLayer(several, "police", [8, 2], 2), [8, 2]);
  assert.deepEqual(placeOn(several, "police", [8, 1], [1, 0], 0), [10, 0]);
  assert.equal(placeOn(several, "police", [8, 1], [0, 0], 0), undefined);
});

test("the source of a table is read as TOML", () => {
  const source = "board = '''\nP.#\n..T\n'''\n\n[rules]\nstuck = \"wins\"\n\n[rules.police.moves]\noffsets = [[1, 2]]\n";
  assert.deepEqual(parseToml(source), {
    board: "P.#\n..T\n",
    rules: { stuck: "wins", police: { moves: { offsets: [[1, 2]] } } },
  });
  assert.deepEqual(parseToml("[[a]]\nb = 1\n[[ a ]]\nb = 2\n"), { a: [{ b: 1 }, { b: 2 }] });
  assert.throws(() => parseToml("[a]\n[[a]]"), /the key a is no list of tables/);
  assert.throws(() => parseToml("a = '''\nb"), /expected ''' at the end of the string, found none/);
  assert.throws(() => parseToml("a = 1\n[a.b]"), /^Error: line 2, column 4: the key a is no table/);
  assert.throws(() => parseToml("[a.b]\n[a.b]"), /the key b is there twice/);
});
