// What opponents promise beyond OPPONENT.md: refusals, calls that throw, seeds, and play on large boards.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Cache, Duel, DragnetError, Opponent, Review, Strength, calibrate, calibrateInSteps, open } from "dragnet-probe";
import { GOLDEN, goldenBytes, positions } from "./support/golden.mjs";
import { drawnTable, listedTable, madeTable } from "./support/made.mjs";
import { Random } from "./support/random.mjs";
import { serveRanges } from "./support/range-server.mjs";

const SIZE = open(goldenBytes("v2-size")).pursuit();
const START = { police: [1, 0], thief: [0, 5], turn: "police" };

const refused = (ask, message) => {
  assert.throws(ask, (error) => {
    assert.ok(error instanceof DragnetError, error.stack);
    assert.deepEqual([error.kind, error.message], ["argument", message]);
    return true;
  });
};

test("a parameter out of its range is refused by name", () => {
  const wrong = [
    [{ errors: 1001 }, "expected errors from 0 to 1000, found 1001"],
    [{ blunders: -1 }, "expected blunders from 0 to 1000, found -1"],
    [{ plies: 2 ** 30 }, "expected plies from 0 to 1073741823, found 1073741824"],
    [{ drop: 1.5 }, "expected drop from 0 to 2, found 1.5"],
    [{ horizon: Infinity }, "expected horizon from 0 to 1073741823, found Infinity"],
    [{ reaction: 9 }, "expected reaction from 0 to 8, found 9"],
    [{ reaction: "1" }, "expected reaction from 0 to 8, found 1"],
  ];
  for (const [part, message] of wrong) {
    const strength = { ...Strength.HARD, ...part };
    refused(() => Strength.check(strength), message);
    refused(() => new Opponent({ strength }), message);
    refused(() => new Opponent({ style: { trickiest: strength } }), message);
  }
  refused(() => Strength.level(1001), "expected the level from 0 to 1000, found 1001");
  refused(() => new Opponent({ strength: null }), "expected errors from 0 to 1000, found undefined");
  for (const style of ["best", null, {}, { trickiest: "all" }]) {
    const refusal = { kind: "argument", message: /^style: expected longest, / };
    assert.throws(() => new Opponent({ style }), refusal);
  }
  for (const seed of [-1, 0.5, NaN, 2 ** 53, "7", null, -1n, 2n ** 64n]) {
    const refusal = { kind: "argument", message: /^seed: expected a / };
    assert.throws(() => new Opponent({ seed }), refusal, String(seed));
  }
  assert.equal(new Opponent({ seed: 2n ** 64n - 1n }).state, 2n ** 64n - 1n);
});

test("a higher level never errs more nor at a higher cost", () => {
  const levels = Array.from({ length: 1001 }, (_, level) => Strength.level(level));
  for (let level = 1; level <= 1000; level++) {
    for (const part of ["errors", "blunders", "plies", "drop"]) {
      assert.ok(levels[level][part] <= levels[level - 1][part], `${part} at ${level}`);
    }
    Strength.check(levels[level]);
  }
  assert.deepEqual([levels[0].errors, levels[999].errors, levels[1000]], [1000, 1, Strength.PERFECT]);
});

test("perfect opponents play a best move in every position, and not always the first", () => {
  for (const name of GOLDEN) {
    const table = open(goldenBytes(name)).pursuit();
    const perfect = new Opponent({ seed: 3 });
    let others = 0;
    for (const position of positions(table)) {
      const best = table.bestMove(position);
      const choice = perfect.choose(table, position);
      assert.deepEqual([choice?.outcome, choice?.dtw], [best?.outcome, best?.dtw]);
      if (best === undefined) continue;
      assert.deepEqual(table.value(choice.position), { outcome: best.outcome, dtw: best.dtw });
      if (`${choice.to}` !== `${best.to}`) others++;
    }
    assert.ok(others > 0, name);
  }
});

test("a state continues the lots, and a seed repeats a game", () => {
  const strength = { ...Strength.EASY, reaction: 0 };
  const whole = new Opponent({ strength, seed: 9 });
  let parts = new Opponent({ strength, seed: 9n });
  for (const position of [...positions(SIZE)].filter((_, k) => k % 7 === 0)) {
    assert.deepEqual(whole.choose(SIZE, position), parts.choose(SIZE, position));
    parts = new Opponent({ strength, seed: parts.state });
  }
  const easy = (seed) => new Opponent({ strength: Strength.EASY, seed });
  const play = (seed) => Duel.play(SIZE, START, easy(seed), easy(5));
  assert.deepEqual(play(1), play(1));
  assert.ok([2, 3, 4, 5, 6, 7].some((seed) => play(seed).positions.length !== play(1).positions.length));
});

test("a choice that lacked bytes, and was repeated, is the choice of a table in memory", async () => {
  const random = new Random(5);
  const bytes = madeTable(40, random);
  const server = await serveRanges(bytes);
  try {
    const whole = open(bytes).pursuit();
    const remote = await open(server.url, { cache: new Cache(2 ** 20) }).pursuit();
    const blind = { ...Strength.EASY, horizon: 5 };
    const style = { trickiest: "uniform" };
    const [here, there] = [whole, remote].map(() => new Opponent({ strength: blind, style, seed: 3 }));
    let repeated = 0;
    for (let k = 0; k < 20; k++) {
      const cell = () => [random.below(40), random.below(40)];
      const position = { police: cell(), thief: cell(), turn: random.pick(["police", "thief"]) };
      let calls = 0;
      const choice = await remote.load((table) => {
        calls++;
        return there.choose(table, position);
      });
      assert.deepEqual(choice, here.choose(whole, position));
      repeated += calls > 1;
    }
    assert.equal(there.state, here.state);
    assert.ok(repeated > 5, `${repeated}`);
  } finally {
    await server.close();
  }
});

test("a game that throws leaves its opponents as they were", () => {
  const [police, thief] = [new Opponent({ seed: 1 }), new Opponent({ seed: 2 })];
  let asked = 0;
  const failing = new Proxy(SIZE, {
    get(table, name) {
      const member = table[name];
      if (typeof member !== "function") return member;
      return (...args) => {
        if (name === "moves" && ++asked > 4) throw new DragnetError("missing", "a byte");
        return member.apply(table, args);
      };
    },
  });
  assert.throws(() => Duel.play(failing, START, police, thief), { kind: "missing" });
  assert.ok(asked > 4);
  assert.deepEqual([police.state, thief.state], [1n, 2n]);
  assert.deepEqual(Duel.play(SIZE, START, police, thief).winner, SIZE.value(START).outcome);
});

test("a slow opponent answers where the enemy stood until it forgets", () => {
  const strength = { ...Strength.PERFECT, reaction: 1 };
  const [first, second] = [[0, 1], [1, 0]].map((thief) => ({ police: [0, 0], thief, turn: "police" }));
  const bestOf = (position) => {
    const moves = SIZE.moves(position);
    const isBest = ({ dtw, outcome }) => dtw === moves[0].dtw && outcome === moves[0].outcome;
    return moves.filter(isBest).map(({ to }) => `${to}`);
  };
  for (let seed = 0; seed < 20; seed++) {
    const slow = new Opponent({ strength, seed });
    slow.choose(SIZE, first);
    const late = `${slow.choose(SIZE, second).to}`;
    assert.ok(bestOf(first).includes(late) && !bestOf(second).includes(late), late);
    slow.forget();
    assert.ok(bestOf(second).includes(`${slow.choose(SIZE, second).to}`));
  }
});

test("calibration reports its progress, and refuses what it cannot play", () => {
  const against = new Opponent({ strength: Strength.NORMAL });
  const target = { side: "police", share: 500, games: 10, against };
  const shares = [];
  const steps = calibrateInSteps(SIZE, [START], target);
  let step = steps.next();
  for (; !step.done; step = steps.next()) shares.push(step.value);
  assert.ok(shares.length >= 100 && shares.every((share, k) => share > (shares[k - 1] ?? 0) && share <= 1));
  assert.deepEqual(step.value, calibrate(SIZE, [START], target));
  const over = { police: [0, 0], thief: [0, 0], turn: "thief" };
  refused(() => calibrate(SIZE, [], target), "starts: expected at least one, found none");
  refused(
    () => calibrate(SIZE, [START, over], target),
    "starts: expected a start with a move, found start 1 (from 0): police [0,0], thief [0,0], thief to move",
  );
  const wrong = [
    [{ share: 1001 }, "expected the share of wins from 0 to 1000, found 1001"],
    [{ games: 0 }, "expected the number of games from 1 to 100000, found 0"],
    [{ side: "both" }, "side: expected police or thief, found both"],
  ];
  for (const [part, message] of wrong) {
    refused(() => calibrate(SIZE, [START], { ...target, ...part }), message);
  }
});

test("a review refuses positions that do not follow from each other", () => {
  const after = { police: [0, 1], thief: [0, 5], turn: "thief" };
  assert.equal(new Review(SIZE, [START], "police").moves.length, 0);
  assert.equal(new Review(SIZE, [START, after], "police").pliesLost, 0);
  refused(() => new Review(SIZE, [], "police"), "game: expected the positions of a game, found none");
  refused(() => new Review(SIZE, [START], "thieves"), "side: expected police or thief, found thieves");
  refused(
    () => new Review(SIZE, [START, { ...after, police: [1, 8] }], "thief"),
    "game: expected a position after a legal move from police [1,0], thief [0,5], police to move, " +
      "found position 1 (from 0): police [1,8], thief [0,5], thief to move",
  );
  assert.throws(() => new Review(SIZE, [START, { ...after, thief: [0, 2] }], "police"), { kind: "position" });
  // The order of the officers says nothing.
  const team = open(goldenBytes("v2-team")).pursuit();
  const begin = { police: [[0, 6], [0, 0]], thief: [1, 8], turn: "police" };
  const [{ to }] = team.moves(begin);
  const next = { police: [...to].reverse(), thief: [1, 8], turn: "thief" };
  assert.equal(new Review(team, [begin, next], "police").errors, 0);
});

test("opponents play by instinct only where they see no end, also on a board with too many steps", () => {
  const blind = new Opponent({ strength: { ...Strength.PERFECT, horizon: 0 }, seed: 1 });
  const around = Array.from({ length: 17 * 17 }, (_, k) => [Math.floor(k / 17) - 8, (k % 17) - 8]);
  const offsets = around.filter(([down, right]) => down !== 0 || right !== 0).slice(0, 255);
  for (const [size, moves, kept] of [[60, {}, true], [140, { offsets, tile: 16 }, false]]) {
    // All positions are draws, which a blind opponent does not see. With 255 offsets on 140 × 140 squares the
    // police has more than 2^22 single steps, so that all moves are alike.
    const table = open(drawnTable(size, 1, 1, moves)).pursuit();
    const position = { police: [10, 10], thief: [30, 30], turn: "police" };
    const chosen = Array.from({ length: 12 }, () => `${blind.choose(table, position).to}`);
    assert.equal(chosen.every((to) => to === "11,11"), kept, `${size}: ${chosen.join(" ")}`);
  }
});

test("instinct knows the steps of all worlds, and reviews and games go through them", () => {
  // In world 0 an officer steps to the right, in world 1 to the left; each step leads to the other world.
  const right = [[6], [6], [6], [6], [5]];
  const left = [[-4], [-6], [-6], [-6], [-6]];
  const stay = [...Array(5).fill([5]), ...Array(5).fill([-5])];
  const table = open(listedTable(1, 5, [...right, ...left], stay, { worlds: 2, code: 0 })).pursuit();
  const blind = new Opponent({ strength: { ...Strength.PERFECT, horizon: 0 }, seed: 1 });
  const chosen = blind.choose(table, { world: 1, police: [0, 2], thief: [0, 4], turn: "police" });
  assert.deepEqual([chosen.to, chosen.position.world], [[0, 1], 0]);
  const doors = open(goldenBytes("v2-doors")).pursuit();
  const start = { world: 4, police: [0, 0], thief: [2, 2], turn: "police" };
  const easy = () => new Opponent({ strength: Strength.EASY, seed: 3 });
  const { positions } = Duel.play(doors, start, easy(), easy());
  assert.ok(new Set(positions.map(({ world }) => world)).size > 2);
  assert.ok(new Review(doors, positions, "police").moves.length > 0);
  const elsewhere = [start, { ...positions[1], world: (positions[1].world + 1) % 6 }];
  assert.throws(() => new Review(doors, elsewhere, "police"), { message: /legal move from world 4, police \[0,0\]/ });
});

test("instinct brings the police nearer to the thief on every board", () => {
  for (const name of GOLDEN) {
    const table = open(goldenBytes(name)).pursuit();
    const blind = new Opponent({ strength: { ...Strength.PERFECT, horizon: 0 }, seed: 5 });
    let chosen = 0;
    for (const position of positions(table)) {
      const choice = blind.choose(table, position);
      assert.equal(choice === undefined, table.moves(position).length === 0);
      if (choice === undefined) continue;
      chosen++;
      const isCapture = (to) => table.winner({ ...position, police: to }) === "police";
      if (position.turn === "thief" || !table.moves(position).some(({ to }) => isCapture(to))) continue;
      if (table.board.exits().length === 0) assert.ok(isCapture(choice.to), JSON.stringify(position));
    }
    assert.ok(chosen > 100, name);
  }
});

test("the winner of a terminal position is the one that its value names", () => {
  for (const name of GOLDEN) {
    const table = open(goldenBytes(name)).pursuit();
    let terminal = 0;
    for (const position of positions(table)) {
      const winner = table.winner(position);
      if (winner === undefined) continue;
      terminal++;
      assert.deepEqual(table.value(position), { outcome: winner, dtw: 0 });
      assert.deepEqual(table.moves(position), []);
    }
    assert.ok(terminal > 10, name);
  }
});
