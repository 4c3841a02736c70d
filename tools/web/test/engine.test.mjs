// The solver on engine.wasm in Node: against golden tables, against the program that DRAGNET names, and on
// bad input.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { open } from "dragnet-probe";
import { openEngine, openFullEngine } from "./support/engine.mjs";
import { mutated, randomNumbers } from "./support/mutations.mjs";

const golden = (name) => readFileSync(new URL(`../../../formats/tests/golden/${name}`, import.meta.url));
const engine = await openEngine();
const program = process.env.DRAGNET;
const withProgram = { skip: program === undefined ? "DRAGNET names no program to compare with" : false };

const YARD = [
  "#########E##", "#..........#", "#.###.####.#", "#.#......#.#", "#.#.####.#.#", "#.........T#", "#.###.####.#",
  "#P.........#", "############", "",
].join("\n");
/** The graph of the documents, whose vertices are drawn, won, drawn, lost and drawn. */
const FIVE = "0 1\n0 2\n1 3\n2 1\n2 4\n4 2\n";

/** The games of the golden tables, as `formats/tests/all/container.rs` has them. */
const GOLDEN = {
  "v2-size.dtb": { ground: { board: "..#...##..##....#.\n.....#.#.E....#.#.\n" } },
  "v2-speed.dtb": {
    ground: { board: "....#\n.##.E\n.#...\n...#.\n" },
    rules: {
      police: { moves: { offsets: [[0, 1], [1, 0], [1, 1], [-1, 0]] }, may_pass: false },
      thief: { moves: "king", may_pass: false },
      corner_cutting: false,
      wrap: "horizontal",
      stuck: "wins",
    },
    favour: "speed",
  },
  "v2-team.dtb": {
    ground: { board: "....#....\n.#...#.E.\n" },
    rules: {
      officers: 2,
      police: { moves: "diagonal", reach: 2 },
      thief: { steps: 2, may_pass: false },
      corner_cutting: false,
      wrap: "horizontal",
      team: "one",
      police_on_exit: "barred",
      undecided: "police",
    },
  },
  "v2-cops.dtb": {
    ground: {
      graph: {
        text: "11\n0 9\n1 8\n1 10\n2 4\n3 9\n4 2\n5 10\n6 2\n8 7\n9 0\n9 3\n9 5\n10 1\n10 5\n",
        directed: true,
      },
      exits: [6],
    },
    rules: {
      officers: 2,
      police: { moves: "edges", may_pass: false },
      thief: { moves: "edges", steps: 2 },
      police_on_exit: "wins",
      undecided: "thief",
    },
  },
};

/** Returns the failure of a request. */
function failure(ask, about) {
  let facts;
  assert.throws(() => engine.ask(ask, about), (error) => {
    facts = error.facts;
    return error.name === "EngineFailure";
  });
  return facts;
}

test("a solved game has the values of its golden table, and its bytes where the tiles are the usual ones", () => {
  for (const [name, request] of Object.entries(GOLDEN)) {
    const file = golden(name);
    const expected = open(file).pursuit();
    const { facts, table } = engine.ask("solve", request);
    assert.equal(BigInt(`0x${facts.digest}`), expected.digest, name);
    assert.deepEqual(facts.longest, expected.longest, name);
    const ours = open(table).pursuit();
    assert.equal(ours.digest, expected.digest, name);
    if (name === "v2-size.dtb" || name === "v2-speed.dtb") assert.deepEqual(Buffer.from(table), file, name);
  }
});

test("the yard of the README has its values", () => {
  const { table, facts } = engine.ask("solve", { ground: { board: YARD } });
  const yard = open(table).pursuit();
  const position = { police: [7, 1], thief: [5, 10], turn: "police" };
  assert.deepEqual({ ...yard.value(position) }, { outcome: "thief", dtw: 12 });
  assert.equal(facts.positions, 4802);
  assert.equal(facts.cells, 49);
  assert.deepEqual(facts.longest, { police: 57, thief: 19 });
});

test("levels rise by one and end with all that is decided", () => {
  const levels = [];
  const { facts } = engine.ask("solve", { ground: { board: YARD } }, { level: (level) => levels.push(level), written() {} });
  assert.deepEqual(levels.map(({ level }) => level), levels.map((_, i) => i));
  let decided = 0;
  for (const level of levels) {
    decided += level.here;
    assert.equal(level.decided, decided);
    assert.equal(level.positions, 4802);
  }
  const { police_to_move: p, thief_to_move: t } = facts;
  assert.equal(decided, p.police + p.thief + t.police + t.thief);
});

test("the game on a graph of the documents is drawn, won, drawn, lost, drawn", () => {
  const { table, facts } = engine.ask("solve_graph", { graph: { text: FIVE } });
  const game = open(table).game();
  const results = [0, 1, 2, 3, 4].map((vertex) => game.value(vertex).result);
  assert.deepEqual(results, ["drawn", "won", "drawn", "lost", "drawn"]);
  assert.deepEqual(facts.graph.edges, [0, 1, 0, 2, 1, 3, 2, 1, 2, 4, 4, 2]);
  assert.deepEqual([facts.won, facts.lost, facts.drawn], [1, 1, 3]);
});

test("a graph keeps the names of its vertices, and labels and the end of play count", () => {
  const graph = { text: "start middle\nmiddle end\n", names: true };
  const { facts } = engine.ask("solve_graph", { graph });
  assert.deepEqual(facts.graph.names, ["start", "middle", "end"]);
  assert.deepEqual([facts.won, facts.lost], [1, 2]);
  const wins = engine.ask("solve_graph", { graph, stuck: "wins" }).facts;
  assert.deepEqual([wins.won, wins.lost], [2, 1]);
  const labelled = engine.ask("solve_graph", { graph, labels: "# known\nend drawn\n" }).facts;
  assert.equal(labelled.drawn, 3);
});

test("cop numbers are the published ones", () => {
  const cycle = { graph: { text: "0 1\n1 2\n2 3\n3 0\n" } };
  const two = engine.ask("cops", { ground: cycle }).facts;
  assert.equal(two.cop_number, 2);
  assert.deepEqual([two.vertices, two.edges, two.captures[0].moves], [4, 4, 1]);
  // The Petersen graph, the smallest graph of cop number 3.
  const petersen = { graph: { text: "IheA@GUAo", form: "six" } };
  assert.equal(engine.ask("cops", { ground: petersen }).facts.cop_number, 3);
  assert.equal(engine.ask("cops", { ground: petersen, bound: 2 }).facts.cop_number, null);
});

test("makers make the golden boards", () => {
  const made = (request) => engine.ask("make", request).facts.text;
  const boards = [
    ["maze-9x15-e0-s1.txt", { kind: "maze", height: 9, width: 15, seed: 1 }],
    ["maze-6x8-e1000-s4.txt", { kind: "maze", height: 6, width: 8, extra: 1000, seed: 4 }],
    ["rooms-16x24-s1.txt", { kind: "rooms", height: 16, width: 24, seed: 1 }],
    ["open-3x5.txt", { kind: "open", height: 3, width: 5 }],
    ["random-8x12-d0.3-s1.txt", { kind: "random", height: 8, width: 12, density: 0.3 }],
    [
      "random-9x9-d0.5-s18446744073709551615.txt",
      { kind: "random", height: 9, width: 9, density: 0.5, seed: "18446744073709551615" },
    ],
  ];
  for (const [name, request] of boards) assert.equal(made(request), golden(name).toString(), name);
  assert.equal(made({ kind: "open", height: 1, width: 3, exit: true }), "E..\n");
});

test("boards are read from every form and written in every form", () => {
  const forms = {
    text: "P.#\nE.T\n",
    contest: "2 3\nP.#\nE.T\n",
  };
  for (const board of Object.values(forms)) {
    const { facts } = engine.ask("read", { ground: { board } });
    assert.equal(facts.text, forms.text);
    assert.equal(facts.squares, "..#E..");
    assert.deepEqual([facts.height, facts.width, facts.cells], [2, 3, 5]);
    assert.deepEqual([facts.police, facts.thief, facts.exits], [[[0, 0]], [1, 2], [[1, 0]]]);
    for (const [to, text] of Object.entries(forms)) {
      assert.equal(engine.ask("write", { ground: { board }, to }).facts.text, text);
    }
  }
  const map = "type octile\nheight 1\nwidth 2\nmap\n.@\n";
  assert.equal(engine.ask("read", { ground: { board: map } }).facts.text, ".#\n");
  assert.equal(engine.ask("write", { ground: { board: ".#\n" }, to: "movingai" }).facts.text, map);
  const street = { graph: { text: "a b\n", names: true } };
  assert.deepEqual(engine.ask("read", { ground: street }).facts.graph.names, ["a", "b"]);
  assert.equal(engine.ask("write", { ground: street, to: "edges" }).facts.text, "a\nb\na b\nb a\n");
});

test("as many officers play as are marked, unless a request says otherwise", () => {
  const officers = (about) => engine.ask("estimate", { ground: { board: "P.P\n..T\n" }, ...about }).facts.officers;
  assert.equal(officers({}), 2);
  assert.equal(officers({ officers: 1 }), 1);
  assert.equal(officers({ rules: { officers: 3 } }), 3);
});

test("mistakes in texts are reported with line and column, in the words of the library", () => {
  const board = failure("read", { ground: { board: "..\n.@\n" } });
  assert.deepEqual([board.kind, board.line, board.column], ["input", 2, 2]);
  assert.match(board.message, /^line 2, column 2: expected one of '\*' or '#' \(wall\)/);
  const graph = failure("solve_graph", { graph: { text: "0 1\n0 1 2\n" } });
  assert.deepEqual([graph.kind, graph.line, graph.column], ["input", 2, 5]);
  assert.equal(graph.message, 'line 2, column 5: expected two vertices in a line, found "2"');
  const label = failure("solve_graph", { graph: { text: FIVE }, labels: "\n7 won\n" });
  assert.equal(label.line, 2);
  assert.match(label.message, /expected a vertex from 0 to 4, found "7"/);
});

test("rules and requests that make no sense are refused", () => {
  const ground = { board: "..\n" };
  const refused = [
    ["solve", { ground, rules: "chess" }, /expected classic or chase or cops/],
    ["solve", { ground, rules: { officers: 9 } }, /a number from 0 to 6/],
    ["solve", { ground, rules: { polise: {} } }, /unknown field `polise`/],
    ["solve", { ground, rules: { police: { moves: "edges" } } }, /a board of squares/],
    ["solve", { ground, officers: 0 }, /officers/],
    ["solve", { ground: { board: "##\n" } }, /no open cell/],
    ["solve", { ground: {} }, /either a board or a graph/],
    ["solve", { ground, favor: "size" }, /unknown field `favor`/],
    ["solve_graph", { graph: { text: "" } }, /expected an edge or the number of vertices, found the end/],
    ["make", { kind: "open", height: 0, width: 3 }, /at least 1x1/],
    ["make", { kind: "open", height: 9999, width: 9999 }, /at most 1048576 squares/],
    ["make", { kind: "random", height: 3, width: 3, density: 2 }, /from 0 to 1/],
    ["make", { kind: "rooms", height: 3, width: 3, seed: "x" }, /seed: expected a whole number/],
    ["cops", { ground, bound: 0 }, /from 1 to 255/],
    ["guess", {}, /nothing called "guess"/],
  ];
  for (const [ask, about, message] of refused) {
    const { kind, message: found } = failure(ask, about);
    assert.equal(kind, "input", found);
    assert.match(found, message);
  }
});

test("what needs more memory than allowed is refused before it is begun, with figures", () => {
  const ground = { board: engine.ask("make", { kind: "open", height: 64, width: 64 }).facts.text };
  const estimate = engine.ask("estimate", { ground, officers: 2, memory: 2 ** 30 }).facts;
  assert.equal(estimate.limit, 2 ** 30);
  assert.equal(estimate.positions, 2 * 4096 * ((4096 * 4097) / 2));
  assert.ok(estimate.memory > 2 ** 32);
  assert.match(estimate.refusal, /4096 cells with 2 officers needs about .* GiB of memory, and the limit is 1.00 GiB/);
  const refusal = failure("solve", { ground, officers: 2 });
  assert.deepEqual([refusal.kind, refusal.needed, refusal.limit], ["too_large", estimate.memory, 2 ** 30]);
  assert.equal(refusal.message, estimate.refusal);
  assert.equal(engine.ask("estimate", { ground }).facts.refusal, null);
  assert.equal(failure("cops", { ground, bound: 6, memory: 2 ** 20 }).kind, "too_large");
});

test("memory that the system refuses is a failure, and not the end of the engine", async () => {
  const engine = await openFullEngine(20 * 2 ** 20);
  const ground = { board: engine.ask("make", { kind: "open", height: 120, width: 120 }).facts.text };
  assert.throws(() => engine.ask("solve", { ground }), (error) => {
    return error.name === "EngineFailure" && error.facts.kind === "memory";
  });
  assert.equal(engine.isBroken, false);
  assert.equal(engine.ask("solve", { ground: { board: "..E\n" } }).facts.positions, 18);
});

test("no request breaks the engine, however wrong it is", async () => {
  const engine = await openEngine();
  const random = randomNumbers(20);
  // Little memory, so that no mutation makes a game that takes long.
  const memory = 40 * 2 ** 20;
  const seeds = [
    ...Object.values(GOLDEN).map((about) => ({ ask: "solve", memory, ...about })),
    { ask: "solve", ground: { board: YARD }, officers: 1, memory },
    { ask: "estimate", ground: { board: YARD }, rules: "chase", memory },
    { ask: "solve_graph", graph: { text: FIVE }, stuck: "wins", labels: "4 won\n", memory },
    { ask: "solve_graph", graph: { text: "3 3\n2 2 3\n0\n1 1\n", form: "lists" }, memory },
    { ask: "cops", ground: { graph: { text: "IheA@GUAo", form: "six" } }, bound: 2, more: 0, memory },
    { ask: "cops", ground: { board: "...\n.#.\n...\n" }, memory },
    { ask: "make", kind: "maze", height: 9, width: 15, extra: 3, seed: 1 },
    { ask: "make", kind: "random", height: 8, width: 12, density: 0.3, seed: "7" },
    { ask: "read", ground: { board: "type octile\nheight 1\nwidth 2\nmap\n.@\n" } },
    { ask: "write", ground: { board: "2 3\nP.#\nE.T\n" }, to: "contest" },
  ];
  const kinds = { answer: 0, input: 0, too_large: 0, memory: 0, internal: 0 };
  for (let round = 0; round < 1000; round += 1) {
    const request = mutated(seeds[random(seeds.length)], random);
    try {
      engine.askBytes(request);
      kinds.answer += 1;
    } catch (error) {
      assert.equal(error.name, "EngineFailure", String(error));
      kinds[error.facts.kind] += 1;
    }
    assert.equal(engine.isBroken, false, Buffer.from(request).toString());
  }
  assert.deepEqual([kinds.memory, kinds.internal], [0, 0]);
  // Otherwise the mutations were too tame or too wild to say anything.
  assert.ok(kinds.answer > 50 && kinds.input > 250, JSON.stringify(kinds));
});

test("tables and answers are those that the program writes", withProgram, () => {
  const folder = mkdtempSync(join(tmpdir(), "dragnet-engine-"));
  const file = (name, text) => {
    const path = join(folder, name);
    if (text !== undefined) writeFileSync(path, text);
    return path;
  };
  const run = (...given) => execFileSync(program, given, { cwd: folder, stdio: ["ignore", "pipe", "pipe"] });
  const make = (request) => engine.ask("make", request).facts.text;
  try {
    const boards = {
      yard: YARD,
      one: ".\n",
      rooms: make({ kind: "rooms", height: 24, width: 40, exit: true }),
      random: make({ kind: "random", height: 20, width: 20, exit: true, seed: 5 }),
      maze: make({ kind: "maze", height: 21, width: 21, exit: true }),
      open: make({ kind: "open", height: 16, width: 16, exit: true }),
      team: "P..#.\n.#..E\n..P.T\n",
    };
    for (const [name, board] of Object.entries(boards)) {
      file(`${name}.txt`, board);
      for (const favour of ["speed", "size"]) {
        for (const rules of ["classic", "chase"]) {
          run("generate", `${name}.txt`, "--favour", favour, "--rules", rules, "--force", "--no-sync");
          const { table } = engine.ask("solve", { ground: { board }, favour, rules });
          assert.ok(readFileSync(file(`tables/${name}.dtb`)).equals(table), `${name} ${favour} ${rules}`);
        }
      }
    }
    file("streets.txt", FIVE);
    run("generate", "--graph", "streets.txt", "--officers", "2");
    const streets = engine.ask("solve", { ground: { graph: { text: FIVE } }, officers: 2 });
    assert.ok(readFileSync(file("tables/streets.dtb")).equals(streets.table));
    for (const favour of ["speed", "size"]) {
      run("graph", "solve", "streets.txt", "--summary", "--out", "five.dtb", "--favour", favour, "--force");
      const five = engine.ask("solve_graph", { graph: { text: FIVE }, favour });
      assert.ok(readFileSync(file("five.dtb")).equals(five.table), favour);
    }
    // The page has no use for the canonical form, which the program gives to whoever compares graphs.
    const { name: _, canonical, ...cops } = JSON.parse(run("cops", "streets.txt", "--json", "--more", "1").toString());
    assert.equal(canonical, "D{O");
    assert.deepEqual(engine.ask("cops", { ground: { graph: { text: FIVE } }, more: 1 }).facts, cops);
    const { name: __, canonical: none, ...yard } = JSON.parse(run("cops", "--board", "yard.txt", "--json").toString());
    assert.equal(none, null);
    assert.deepEqual(engine.ask("cops", { ground: { board: YARD } }).facts, yard);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("what an officer and a guard see is what the table captures at once", () => {
  const board = "......\n..#t..\n..m...\n.#....\n......\n";
  const rules = {
    officers: 1, capture: { sight: 3, angle: 120 }, ground: { m: 2 }, opaque: "t", police: { look: 8 }, cover: {},
  };
  const guards = [{ round: [[4, 0], [4, 4]], back: true, pause: 1, sight: 3, angle: 90 }];
  const game = { ground: { board }, rules, guards };
  const { table } = engine.ask("solve", game);
  const of = open(table).pursuit();
  for (const world of [0, 1, 7]) {
    for (const cell of of.places.police.cells()) {
      const { police: [seen], guards: [guard] } = engine.ask("seen", { game, world, police: [cell] }).facts;
      const captured = of.board.cells().filter((thief) => {
        const { outcome, dtw } = of.value({ world, police: cell, thief, turn: "thief" });
        return outcome === "police" && dtw === 0;
      });
      const expected = new Set([...seen, ...guard.seen].map(String));
      assert.deepEqual(captured.map(String).sort(), [...expected].sort(), `world ${world}, ${cell}`);
    }
  }
  assert.deepEqual(engine.ask("seen", { game, world: 3, police: [] }).facts.guards[0].cell, [4, 2]);
  assert.match(failure("seen", { game, world: 0, police: [[200, 0]] }).message, /expected an officer on one of the layers/);
  assert.match(failure("seen", { game, world: 0, police: [[1, 2]] }).message, /wall/);
  const through = { ...game, guards: [{ round: [[0, 2], [2, 2]] }] };
  assert.match(failure("solve", through).message, /guard 1: expected a straight way/);
});
