import assert from "node:assert/strict";
import { test } from "node:test";
import { open } from "dragnet-probe";
import { fieldAt, goldenBytes, positions } from "./support/golden.mjs";
import { listedTable } from "./support/made.mjs";
import { serveRanges } from "./support/range-server.mjs";
import { positionExtents, repair } from "./support/repair.mjs";

const PARTS = [
  { name: "v2-outcomes", full: "v2-size", keeps: "outcomes" },
  { name: "v2-moves-police", full: "v2-team", keeps: "police-moves" },
  { name: "v2-moves-thief", full: "v2-cops", keeps: "thief-moves" },
];

/** Asks a partial table for what it keeps of a position. */
function ask(table, position) {
  return table.keeps === "outcomes" ? table.outcome(position) : table.bestMove(position);
}

/** Returns the positions about which a partial table knows something. */
function known(table, full) {
  return [...positions(full)].filter(({ turn }) => table.keeps === "outcomes" || table.keeps === `${turn}-moves`);
}

for (const { name, full: source, keeps } of PARTS) {
  test(`${name}: what it keeps of every position is right by the full table`, () => {
    const table = open(goldenBytes(name)).partial();
    const full = open(goldenBytes(source)).pursuit();
    assert.equal(table.keeps, keeps);
    assert.equal(table.digest, full.digest);
    assert.deepEqual([table.rules, table.counts, table.kinds], [full.rules, full.counts, full.kinds]);
    assert.ok(table.board.equals(full.board));
    assert.equal(table.source(), full.source());
    let moves = 0;
    for (const position of known(table, full)) {
      const found = ask(table, position);
      if (keeps === "outcomes") {
        assert.equal(found, full.outcome(position), JSON.stringify(position));
        continue;
      }
      const choices = full.moves(position);
      const move = choices.find(({ position: after }) => JSON.stringify(after) === JSON.stringify(found));
      assert.equal(move === undefined, choices.length === 0, JSON.stringify({ position, found }));
      if (move === undefined) {
        assert.equal(found, undefined);
        continue;
      }
      moves++;
      assert.deepEqual([move.outcome, move.dtw], [choices[0].outcome, choices[0].dtw], JSON.stringify(position));
    }
    assert.equal(moves > 0, keeps !== "outcomes");
    assert.equal(table.checkSums().positions, full.checkSums().positions);
  });

  test(`${name}: what is not kept is an error of kind not-kept`, () => {
    const table = open(goldenBytes(name)).partial();
    const full = open(goldenBytes(source)).pursuit();
    for (const position of positions(full)) {
      if (keeps !== "outcomes") assert.throws(() => table.outcome(position), { kind: "not-kept" });
      if (keeps !== `${position.turn}-moves`) assert.throws(() => table.bestMove(position), { kind: "not-kept" });
    }
  });

  test(`${name}: a table that is opened as one of another kind says what opens it`, () => {
    const bytes = goldenBytes(name);
    for (const kind of ["pursuit", "game"]) {
      assert.throws(() => open(bytes)[kind](), { kind: "unsupported", message: /which `partial` opens/ });
    }
    assert.equal(open(bytes).any().keeps, open(bytes).partial().keeps);
    assert.throws(() => open(goldenBytes(source)).partial(), { kind: "unsupported", message: /a pursuit table/ });
    assert.throws(() => open(goldenBytes("v2-graph")).partial(), { kind: "unsupported", message: /a game table/ });
  });

  test(`${name}: a table on a server answers as one in memory`, async () => {
    const bytes = goldenBytes(name);
    const local = open(bytes).partial();
    const { url, close } = await serveRanges(bytes);
    try {
      const table = await open(url).partial();
      for (const position of known(local, open(goldenBytes(source)).pursuit()).filter((_, k) => k % 7 === 0)) {
        assert.deepEqual(await table.load((t) => ask(t, position)), ask(local, position));
      }
      assert.equal((await open(url).any()).digest, local.digest);
      assert.deepEqual(await table.load((t) => t.bytes), local.bytes);
    } finally {
      close();
    }
  });

  test(`${name}: a changed byte is never a wrong answer`, () => {
    const intact = goldenBytes(name);
    const full = open(goldenBytes(source)).pursuit();
    const local = open(intact).partial();
    const asked = known(local, full).filter((_, k) => k % 11 === 0);
    const right = asked.map((position) => JSON.stringify(ask(local, position)));
    for (let at = 0; at < intact.length; at += 3) {
      const bytes = intact.slice();
      bytes[at] ^= 0x10;
      try {
        const table = open(bytes).partial();
        asked.forEach((position, k) => assert.equal(JSON.stringify(ask(table, position)), right[k]));
      } catch (error) {
        assert.equal(error.name, "DragnetError", `byte ${at}: ${error.stack}`);
      }
    }
  });

  test(`${name}: behind valid checksums, a changed byte gives a legal move, an outcome or an error`, () => {
    const intact = goldenBytes(name);
    const full = open(goldenBytes(source)).pursuit();
    const asked = known(open(intact).partial(), full).filter((_, k) => k % 11 === 0);
    const legal = asked.map((position) => full.moves(position).map(({ position }) => JSON.stringify(position)));
    const kinds = new Set();
    const refused = new Set();
    for (const { start, end } of positionExtents(intact)) {
      for (let at = start + 4; at < end; at++) {
        const bytes = intact.slice();
        bytes[at] ^= 0x21;
        const table = open(repair(bytes)).partial();
        for (const [k, position] of asked.entries()) {
          try {
            const found = ask(table, position);
            if (keeps === "outcomes") assert.ok(["police", "thief", "draw"].includes(found));
            else if (found === undefined) assert.equal(legal[k].length, 0);
            else assert.ok(legal[k].includes(JSON.stringify(found)));
          } catch (error) {
            assert.equal(error.name, "DragnetError", error.stack);
            kinds.add(error.kind);
          }
        }
        try {
          table.checkSums();
        } catch (error) {
          assert.equal(error.name, "DragnetError", error.stack);
          refused.add(error.kind);
        }
      }
    }
    assert.ok(kinds.has("block") && refused.has("block"), [...kinds, ...refused].join());
    // Outcomes that are wrong disagree with the counts.
    assert.ok(keeps !== "outcomes" || refused.has("contents"), [...refused].join());
  });
}

test("a kept move that is none is refused, by the check of sums and when it is asked for", () => {
  const pair = (code, lists, team) => listedTable(1, 3, lists, [[1], [1], []], { keeps: 2, pieces: 2, team, code });
  const position = { police: [[0, 0], [0, 1]], thief: [0, 2], turn: "police" };
  // Both officers have two moves, or only the first, or nobody.
  const [two, one, none] = [[[0, 1], [-1, 0]], [[0, 1], []], [[], []]];
  const left = [[0, 0], [0, 0]];
  for (const [code, lists, team, expected] of [
    [1, two, 0, left],
    [2, two, 0, [[0, 0], [0, 1]]],
    [4, two, 0, [[0, 1], [0, 1]]],
    [5, two, 0, "a move from 1 to 4, found 5"],
    [0, two, 0, "a move from 1 to 4, found 0"],
    [0, one, 0, undefined],
    [1, one, 0, "no move, found 1"],
    [3, two, 1, left],
    [5, two, 1, "a move from 1 to 4, found 5"],
    [2, one, 1, [[0, 1], [0, 1]]],
    [3, one, 1, "a move from 1 to 2, found 3"],
    [0, none, 1, undefined],
    [1, none, 1, "no move, found 1"],
  ]) {
    const table = open(pair(code, lists, team)).partial();
    if (typeof expected === "string") {
      const refusal = { kind: "contents", message: `a kept move: expected ${expected}` };
      assert.throws(() => table.bestMove(position), refusal);
      assert.throws(() => table.checkSums(), { kind: "contents" });
    } else {
      const after = expected && { world: 0, police: expected, thief: position.thief, turn: "thief" };
      assert.deepEqual(table.bestMove(position), after, `${code} ${team}`);
    }
  }
});

test("a kept move leads to another world, and the moves of one turn to the same one", () => {
  // Two worlds of three squares, of which the officers have the first two: moves lead to the other world.
  const other = [[3], [3], [-3], [-3]];
  const thief = [[4], [3], [2, 3], [-3], [-3], [-3]];
  const position = { world: 0, police: [[0, 1], [0, 0]], thief: [0, 2], turn: "police" };
  const police = open(listedTable(1, 3, other, thief, { keeps: 2, worlds: 2, pieces: 2, code: 1 })).partial();
  assert.equal(police.worlds, 2);
  const after = { world: 1, police: [[0, 0], [0, 1]], thief: [0, 2], turn: "thief" };
  assert.deepEqual(police.bestMove(position), after);
  assert.equal(police.bestMove({ ...position, world: 1 }).world, 0);
  assert.equal(police.checkSums().positions, 2 * 2 * 3 * 3);
  const moves = open(listedTable(1, 3, other, thief, { keeps: 3, worlds: 2, pieces: 2, code: 1 })).partial();
  assert.deepEqual(moves.bestMove({ ...position, turn: "thief" }), { ...position, world: 1, thief: [0, 1] });
  const apart = listedTable(1, 3, [[3], [0], [0], [0]], thief, { keeps: 2, worlds: 2, pieces: 2, code: 1 });
  const refusal = { kind: "contents", message: /expected moves of one turn to one world, found worlds 0 and 1/ };
  assert.throws(() => open(apart).partial().bestMove(position), refusal);
});

/** Opens a golden partial table whose header has been changed behind a valid checksum. */
function withHeader(name, change) {
  const bytes = goldenBytes(name).slice();
  change(new DataView(bytes.buffer), bytes);
  return () => open(repair(bytes)).partial();
}

test("play without end counts for the side that the rules name", () => {
  const whole = open(goldenBytes("v2-outcomes")).partial();
  const full = open(goldenBytes("v2-size")).pursuit();
  const at = fieldAt("v2-outcomes", "undecided");
  for (const [code, side] of ["draw", "police", "thief"].entries()) {
    const table = withHeader("v2-outcomes", (view) => view.setUint32(at, code, true))();
    assert.equal(table.rules.undecided, side);
    let draws = 0;
    for (const position of positions(full)) {
      const outcome = whole.outcome(position);
      if (outcome === "draw") draws++;
      assert.equal(table.outcome(position), outcome === "draw" ? side : outcome);
    }
    assert.equal(draws, 2 * 213);
  }
});
