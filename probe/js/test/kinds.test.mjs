import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { Duel, Opponent, Review, open } from "dragnet-probe";
import { positions } from "./support/golden.mjs";
import { checkLaws } from "./support/laws.mjs";
import { Random } from "./support/random.mjs";
import { compareSlices } from "./support/slices.mjs";
import { randomGame, solvedTable } from "./support/solved.mjs";

/** The folder of the reader in Python, and a program that reads tables with it. */
const GOLDEN = fileURLToPath(new URL("../../../formats/tests/golden/", import.meta.url));
const CHECK = `import sys
sys.path.insert(0, sys.argv[1])
import dump
for name in sys.argv[2:]:
    dump.dump(open(name, "rb").read())`;

/** The numbers of officers and of layers of each kind, and what else differs from the plain game. */
const GAMES = {
  "a guard and a pair": [[[1, 1], [2, 1]], {}],
  "a guard and a pair, of whom one moves": [[[1, 1], [2, 1]], { team: 1, stuck: 1 }],
  "a guard with layers and another": [[[1, 3], [1, 1]], {}],
  "one kind with layers, of whom one moves": [[[1, 1], [1, 2]], { team: 1 }],
  "two kinds in three worlds": [[[1, 1], [1, 2]], { worlds: 3 }],
  "a pair and a guard in worlds, of whom one moves": [[[2, 1], [1, 1]], { worlds: 2, team: 1, stuck: 1 }],
  "three kinds": [[[1, 1], [1, 1], [1, 1]], {}],
  "nobody, who moves": [[], {}],
  "nobody, who cannot move": [[], { team: 1 }],
  "nobody in worlds": [[], { worlds: 3 }],
  "nobody in worlds who wins without a move": [[], { worlds: 3, team: 1, stuck: 1 }],
};
const KEEPS = ["values", "outcomes", "police-moves", "thief-moves"];

/** Games by their names, two of each sort. */
const ALL = Object.entries(GAMES).flatMap(([name, [officers, rules]]) =>
  [1, 2].map((seed) => [`${name}, ${seed}`, randomGame(new Random(seed * 77), officers, rules)]));

/** Returns the position that the reader is asked for. */
function asked({ rows, columns, kinds }, { side, world, team, thief }) {
  let first = 0;
  const cells = team.flatMap((places, k) => {
    const before = first;
    first += rows * kinds[k].layers.length;
    return places.map((place) => {
      const square = kinds[k].places[place];
      return [before + Math.floor(square / columns), square % columns];
    });
  });
  const square = kinds.at(-1).places[thief];
  const police = cells.length === 1 ? cells[0] : cells;
  return { world, police, thief: [Math.floor(square / columns), square % columns], turn: side };
}

function valueOf(code, side) {
  if (code === 0) return { outcome: "draw", dtw: null };
  const other = side === "police" ? "thief" : "police";
  return { outcome: code % 2 === 0 ? side : other, dtw: (code - 1) >> 1 };
}

for (const [name, game] of ALL) {
  test(`${name}: every value is that of a solver, and follows from its moves`, () => {
    const { solved, bytes } = solvedTable(game);
    const table = open(bytes).pursuit();
    assert.deepEqual(
      [...table.kinds.police, ...table.kinds.thief].map(({ name, pieces, layers }) => ({ name, pieces, layers })),
      game.kinds.map(({ name, pieces, layers }) => ({ name, pieces, layers })),
    );
    assert.equal(table.rules.officers, game.kinds.slice(0, -1).reduce((sum, { pieces }) => sum + pieces, 0));
    for (const position of solved.positions) {
      const here = asked(game, position);
      assert.deepEqual(table.value(here), valueOf(solved.code(position), position.side), JSON.stringify(position));
      assert.equal(table.winner(here), solved.winner(position));
      const after = solved.winner(position) === undefined ? solved.after(position) : [];
      const moves = table.moves(here).map(({ position }) => JSON.stringify(position));
      const expected = new Set(after.map((next) => JSON.stringify(asked(game, next))));
      assert.deepEqual(moves.toSorted(), [...expected].sort());
    }
    assert.equal([...positions(table)].length, solved.positions.length);
    assert.equal(table.checkSums().positions, solved.positions.length);
    checkLaws(table);
  });

  test(`${name}: slices and statistics have the values of all positions`, () => {
    const { solved, bytes } = solvedTable(game);
    const table = open(bytes).pursuit();
    for (const [k, position] of solved.positions.entries()) if (k % 13 === 0) compareSlices(table, asked(game, position));
    const { histogram, longest_examples: examples } = table.statistics();
    for (const side of ["police", "thief"]) {
      const won = solved.positions.filter((position) => valueOf(solved.code(position), position.side).outcome === side);
      assert.equal(histogram[side].reduce((sum, [, count]) => sum + count, 0), won.length);
      if (won.length === 0) assert.equal(examples[side], null);
      else assert.deepEqual(table.value(examples[side]), { outcome: side, dtw: table.longest[side] });
    }
  });

  test(`${name}: partial tables keep outcomes and best moves`, () => {
    const full = open(solvedTable(game).bytes).pursuit();
    for (const keeps of [1, 2, 3]) {
      const table = open(solvedTable(game, keeps).bytes).partial();
      assert.equal(table.keeps, KEEPS[keeps]);
      assert.equal(table.checkSums().positions, full.checkSums().positions);
      for (const position of positions(full)) {
        if (keeps === 1) assert.equal(table.outcome(position), full.outcome(position));
        if (table.keeps !== `${position.turn}-moves`) continue;
        const best = table.bestMove(position);
        const moves = full.moves(position);
        const found = moves.find(({ position }) => JSON.stringify(position) === JSON.stringify(best));
        assert.deepEqual([found?.outcome, found?.dtw], [moves[0]?.outcome, moves[0]?.dtw], JSON.stringify(position));
      }
    }
  });
}

test("the reader in Python takes all of these tables for right", (t) => {
  if (!existsSync(GOLDEN)) return t.skip(`${GOLDEN} is not there`);
  const folder = mkdtempSync(join(tmpdir(), "dragnet-kinds-"));
  try {
    const files = ALL.flatMap(([, game], k) => KEEPS.map((_, keeps) => {
      const file = join(folder, `${k}-${keeps}.dtb`);
      writeFileSync(file, solvedTable(game, keeps).bytes);
      return file;
    }));
    execFileSync("python3", ["-B", "-c", CHECK, GOLDEN, ...files], { stdio: ["ignore", "ignore", "pipe"] });
  } catch (error) {
    if (error.code !== "ENOENT") throw error;
    t.skip("python3 is not there");
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("officers of several kinds may be listed in any order, each on a layer of its kind", () => {
  const game = randomGame(new Random(77), ...GAMES["a guard with layers and another"]);
  const table = open(solvedTable(game).bytes).pursuit();
  const { police, ...rest } = [...positions(table)].find(({ turn }) => turn === "police");
  assert.deepEqual(table.value({ police: police.toReversed(), ...rest }), table.value({ police, ...rest }));
  const [guard, other] = police;
  assert.ok(guard[0] < 6 && other[0] >= 6, `${police}`);
  const message = "police: expected 1 in layers 0 to 2, of kind 0, found 2";
  assert.throws(() => table.value({ ...rest, police: [guard, guard] }), { kind: "position", message });
  assert.throws(() => table.value({ ...rest, police: [other, other] }), { kind: "position", message: /found 0/ });
  const two = "police: expected the cells of 2 officers, found 1";
  assert.throws(() => table.value({ ...rest, police: guard }), { kind: "position", message: two });
});

test("a police without officers is an empty list, and has no slice", () => {
  const table = open(solvedTable(randomGame(new Random(77), [])).bytes).pursuit();
  const [position] = positions(table);
  assert.deepEqual(position.police, []);
  assert.deepEqual([table.kinds.police, table.places.police.openCells], [[], 0]);
  const refusal = { kind: "position", message: "police: expected the cells of 0 officers, found 1" };
  for (const police of [[0, 0], [[0, 0]]]) assert.throws(() => table.value({ ...position, police }), refusal);
  const none = { kind: "argument", message: "officer: expected a game with officers, found 0" };
  assert.throws(() => table.slice(position, "police"), none);
  const off = { kind: "position", message: "the police's cell 0,0 is off the board, which has no rows" };
  assert.throws(() => table.pieceMoves("police", [0, 0]), off);
});

test("opponents play games of several kinds of officers and of none", () => {
  for (const [name, game] of ALL) {
    const table = open(solvedTable(game).bytes).pursuit();
    const start = [...positions(table)].find((position) => table.moves(position).length > 0);
    if (start === undefined) continue;
    const [police, thief] = [1, 2].map((seed) => new Opponent({ strength: { ...new Opponent().strength, horizon: 1 }, seed }));
    const { positions: played } = Duel.play(table, start, police, thief);
    assert.ok(played.length > 1, name);
    assert.equal(new Review(table, played, "thief").side, "thief");
  }
});
