import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, before, test } from "node:test";
import { open } from "dragnet-probe";
import { openCells, randomPolice } from "./support/golden.mjs";
import { Random } from "./support/random.mjs";
import { compareSlices } from "./support/slices.mjs";

// The program runs in another folder, so that a relative path would not find it.
const PROGRAM = process.env.DRAGNET?.replace(/^.*\/.*$/, (path) => resolve(path));
const SKIP = PROGRAM ? false : "set the environment variable DRAGNET to the path of the program dragnet";
const ASKED = 4000;

const RULES = {
  classic: "",
  chase: 'corner_cutting = false\n[thief]\nmoves = "king"\n',
  knights: '[police]\nmoves = "knight"\n[thief]\nmoves = "knight"\nmay_pass = false\n',
  bishops: 'corner_cutting = false\n[police]\nmoves = "king"\n[thief]\nmoves = "diagonal"\n',
  offsets:
    "corner_cutting = false\n[police]\nmoves = { offsets = [[1, 1], [-1, 1], [0, -3], [2, 0], [-5, 7], [0, 1]] }\n" +
    "[thief]\nmoves = { offsets = [[1, 0], [-1, 0], [0, 2], [-1, -1]] }\n",
  motionless: '[police]\nmoves = { offsets = [[300, 0]] }\n[thief]\nmoves = "orthogonal"\nmay_pass = false\n',
  restless: '[police]\nmoves = "king"\nmay_pass = false\n[thief]\nmoves = "orthogonal"\nmay_pass = false\n',
  cylinder: 'wrap = "horizontal"\ncorner_cutting = false\n',
  ring: 'wrap = "vertical"\n[police]\nmoves = { offsets = [[-300, 40], [1, 0], [0, 1]] }\n',
  torus: 'wrap = "both"\ncorner_cutting = false\n[thief]\nmoves = "king"\nmay_pass = false\n',
  blocked:
    'stuck = "wins"\n[police]\nmoves = { offsets = [[0, 1], [1, 0]] }\nmay_pass = false\n' +
    "[thief]\nmoves = { offsets = [[0, 1], [-1, 0], [0, -1]] }\nmay_pass = false\n",
  trapped:
    'stuck = "loses"\n[police]\nmoves = "king"\n' +
    "[thief]\nmoves = { offsets = [[0, 1], [-1, 0]] }\nmay_pass = false\n",
  sliders:
    'police_on_exit = "barred"\ncorner_cutting = false\nundecided = "thief"\n' +
    '[police]\nmoves = "diagonal"\nreach = 7\n[thief]\nmoves = "orthogonal"\nsteps = 2\nmay_pass = false\n',
  chariots:
    'police_on_exit = "wins"\nwrap = "both"\n[police]\nmoves = "orthogonal"\nreach = 9\nmay_pass = false\n' +
    '[thief]\nmoves = "knight"\nsteps = 3\nreach = 2\n',
};

/** Rules of several officers, for small boards. */
const TEAMS = {
  pair: "officers = 2\n",
  turns: 'officers = 2\nteam = "one"\npolice_on_exit = "wins"\n[thief]\nmoves = "king"\n',
  trio: 'officers = 3\ncorner_cutting = false\n[police]\nmoves = "orthogonal"\nreach = 2\nmay_pass = false\n',
  leapers: 'officers = 2\nteam = "one"\n[police]\nmoves = "knight"\nmay_pass = false\n[thief]\nmoves = "king"\n',
};

/** Returns a board with random walls and a few exits. */
function randomBoard(height, width, walls, exits, random) {
  const rows = Array.from({ length: height }, () =>
    Array.from({ length: width }, () => (random.below(100) < walls ? "#" : ".")),
  );
  for (let k = 0; k < exits; k++) rows[random.below(height)][random.below(width)] = "E";
  return rows.map((row) => row.join("")).join("\n") + "\n";
}

/** Returns a board that is a single corridor, which has the longest chases. */
function serpentine(height, width) {
  return Array.from({ length: height }, (_, row) => {
    if (row % 2 === 0) return ".".repeat(width);
    return row % 4 === 1 ? "#".repeat(width - 1) + "." : "." + "#".repeat(width - 1);
  }).join("\n") + "\n";
}

let folder;
before(() => {
  if (!SKIP) folder = mkdtempSync(join(tmpdir(), "dragnet-probe-"));
});
after(() => {
  if (folder !== undefined) rmSync(folder, { recursive: true });
});

function dragnet(args, input = "") {
  return execFileSync(PROGRAM, args, { cwd: folder, input, maxBuffer: 2 ** 28, encoding: "utf8" });
}

function generate(name, board, rules, favour) {
  writeFileSync(join(folder, `${name}.txt`), board);
  writeFileSync(join(folder, `${name}.toml`), rules);
  const out = join(folder, favour);
  dragnet(["generate", `${name}.txt`, "--rules", `${name}.toml`, "--favour", favour, "--out", out, "--no-sync"]);
  return join(out, `${name}.dtb`);
}

/** Returns the command-line options that name a position. */
function positionOptions({ police, thief, turn }) {
  const cells = Array.isArray(police[0]) ? police.map((cell) => cell.join()).join("+") : police.join();
  return ["--police", cells, "--thief", thief.join(), "--turn", turn];
}

/** Returns a move as the program prints it. */
function shown({ position: { world }, ...move }) {
  return world === 0 ? move : { ...move, world };
}

/** Compares the answers from a table with the program's. */
function compare(file, random) {
  const table = open(readFileSync(file)).pursuit();
  const cells = openCells(table.board);
  const asked = Array.from({ length: ASKED }, () => ({
    police: randomPolice(table, cells, random),
    thief: random.pick(cells),
    turn: random.pick(["police", "thief"]),
  }));
  const input = asked.map(({ police, thief, turn }) => `${police.flat().join(" ")} ${thief.join(" ")} ${turn}\n`).join("");
  const answers = dragnet(["probe", file, "--stdin"], input).trimEnd().split("\n");
  assert.equal(answers.length, ASKED);
  asked.forEach((position, k) => {
    const { outcome, dtw } = table.value(position);
    assert.equal(`${outcome}\t${dtw ?? "-"}`, answers[k], JSON.stringify(position));
  });
  for (const position of asked.slice(0, 6)) {
    const { moves } = JSON.parse(dragnet(["probe", file, ...positionOptions(position), "--json"]));
    assert.deepEqual(table.moves(position).map(shown), moves, JSON.stringify(position));
    const line = JSON.parse(dragnet(["line", file, ...positionOptions(position), "--json"]));
    assert.deepEqual(table.line(position).moves.map(shown), line.moves, JSON.stringify(position));
    assert.equal(table.line(position).outcome, line.outcome);
  }
  for (const position of asked.slice(0, 8)) assert.ok(compareSlices(table, position) > 0);
  const statistics = table.statistics();
  const { table: _, ...expected } = JSON.parse(dragnet(["stats", file, "--json"]));
  for (const [field, value] of Object.entries(expected)) assert.deepEqual(statistics[field], value, field);
  const info = JSON.parse(dragnet(["info", file, "--json"]));
  assert.equal(table.digest, BigInt(`0x${info.digest}`));
  const { blocks, constant, extents, positions } = table.checkSums();
  assert.equal(positions, info.positions);
  assert.deepEqual(
    { blocks, constant, extents },
    {
      blocks: info.blocks.total,
      constant: info.blocks.constant,
      extents: info.blocks.packed.extents + info.blocks.zstd.extents,
    },
  );
}

for (const [name, rules] of Object.entries(RULES)) {
  test(`${name}: values, moves, lines and block statistics equal the program's`, { skip: SKIP }, () => {
    const random = new Random(11);
    const board = randomBoard(19, 37, 20, 2, random);
    for (const favour of ["size", "speed"]) compare(generate(name, board, rules, favour), random);
  });
}

for (const [name, rules] of Object.entries(TEAMS)) {
  test(`${name}: answers with several officers equal the program's`, { skip: SKIP }, () => {
    const random = new Random(14);
    const board = randomBoard(5, 7, 20, 1, random);
    for (const favour of ["size", "speed"]) compare(generate(name, board, rules, favour), random);
  });
}

test("answers on the smallest boards equal the program's", { skip: SKIP }, () => {
  const random = new Random(12);
  const boards = { cell: ".\n", exit: "E\n", row: ".....E...\n", column: ".\n.\n#\n.\n", two: "..\n.E\n..\n" };
  for (const [name, board] of Object.entries(boards)) {
    for (const rules of ["classic", "torus", "offsets"]) {
      compare(generate(`${name}-${rules}`, board, RULES[rules], "size"), random);
    }
  }
});

test("answers from blocks with more than 256 values equal the program's", { skip: SKIP }, () => {
  const random = new Random(13);
  for (const favour of ["size", "speed"]) {
    const file = generate("serpentine", serpentine(41, 41), RULES.classic, favour);
    assert.ok(open(readFileSync(file)).pursuit().longest.police > 512);
    compare(file, random);
  }
});

test("values and header of a game table equal the program's", { skip: SKIP }, () => {
  const folder = mkdtempSync(join(tmpdir(), "dragnet-js-"));
  try {
    const random = new Random(23);
    const edges = ["40000"];
    for (let from = 0; from < 39000; from++) {
      for (let k = random.below(3); k >= 0; k--) edges.push(`${from} ${(from + 1 + random.below(60)) % 40000}`);
    }
    writeFileSync(join(folder, "net.txt"), edges.join("\n"));
    for (const favour of ["size", "speed"]) {
      const run = (...words) => execFileSync(PROGRAM, words, { cwd: folder, maxBuffer: 2 ** 26 });
      run("graph", "solve", "net.txt", "--out", "net.dtb", "--favour", favour, "--no-sync");
      const table = open(readFileSync(join(folder, "net.dtb"))).game();
      const codes = new Uint8Array(run("dump", "net.dtb", "--binary"));
      const view = new DataView(codes.buffer, codes.byteOffset, codes.byteLength);
      assert.equal(table.positions * 4, codes.length);
      for (let position = 0; position < table.positions; position++) {
        const code = view.getUint32(4 * position, true);
        const result = code === 0 ? "drawn" : code % 2 === 1 ? "lost" : "won";
        const dtw = code === 0 ? null : (code - 1) >>> 1;
        const found = table.value(position);
        assert.ok(found.result === result && found.dtw === dtw, `position ${position}`);
      }
      table.checkSums();
      assert.deepEqual(table.values().codes, new Uint32Array(codes.buffer, codes.byteOffset, table.positions));
      const statistics = table.statistics();
      const { table: _, ...expected } = JSON.parse(run("stats", "net.dtb", "--json"));
      for (const [field, value] of Object.entries(expected)) assert.deepEqual(statistics[field], value, field);
      const info = JSON.parse(run("info", "net.dtb", "--json"));
      assert.equal(table.key, BigInt(`0x${info.key}`));
      assert.equal(table.digest, BigInt(`0x${info.digest}`));
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});
