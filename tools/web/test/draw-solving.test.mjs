import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "./support/modules.mjs";
import { golden } from "./support/pages.mjs";

const { MOST_UNASKED, Solving, positionsOf } = await load("views/draw/solving.ts");
const { sceneOf } = await load("views/draw/scene-of.ts");
const { CLASSIC } = await load("model/rules-text.ts");

const TABLE = new Uint8Array(await golden("v2-size.dtb"));

/** Returns a game on an open board of one row; its width tells games apart. */
function game(width, height = 1, officers = 1) {
  const squares = new Uint8Array(height * width).fill(1);
  return {
    scenario: { height, width, squares, police: [], thief: undefined, guards: [] },
    rules: { ...CLASSIC, officers },
  };
}

/** A solver whose solves end when a test says so. */
class FakeSolver {
  log = [];
  loadedAt = 0;
  #running;

  solve({ scenario }, level) {
    this.log.push(`solve ${scenario.width}`);
    return new Promise((resolve, reject) => {
      this.#running = { resolve, reject, level };
    });
  }

  async estimate({ scenario }) {
    this.log.push(`estimate ${scenario.width}`);
    return { positions: 1e9, memory: 1e9, refusal: undefined };
  }

  stop() {
    this.log.push("stop");
    this.#running?.reject(new Error("stopped"));
  }

  close() {
    this.log.push("close");
  }

  level(level) {
    this.#running.level(level);
  }

  async finish() {
    this.#running.resolve(TABLE);
    await pause(0);
  }

  async fail(message) {
    this.#running.reject(new Error(message));
    await pause(0);
  }
}

const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

function begin() {
  const solver = new FakeSolver();
  return { solver, solving: new Solving(solver, () => {}) };
}

test("while a solve runs, only the newest of the boards that follow is solved next", async () => {
  const { solver, solving } = begin();
  for (const width of [1, 2, 3, 4]) solving.ask(game(width));
  assert.equal(solving.of(game(4)).kind, "solving");
  await solver.finish();
  assert.deepEqual(solver.log, ["solve 1", "solve 4"]);
  assert.equal(solving.of(game(4)).kind, "solving");
  await solver.finish();
  assert.equal(solving.of(game(4)).kind, "solved");
  assert.equal(solving.of(game(4)).solved.game.scenario.width, 4);
});

test("a solve of an older board is ended if it does not end soon, but not while a stroke is drawn", async () => {
  const { solver, solving } = begin();
  solving.ask(game(1));
  solving.ask(game(2), { final: false });
  await pause(250);
  assert.deepEqual(solver.log, ["solve 1"]);
  solving.ask(game(3));
  await pause(250);
  assert.deepEqual(solver.log, ["solve 1", "stop", "solve 3"]);
  await solver.finish();
  assert.equal(solving.of(game(3)).solved.game.scenario.width, 3);
});

test("a board that returns while it is being solved is waited for", async () => {
  const { solver, solving } = begin();
  solving.ask(game(1));
  solving.ask(game(2));
  solving.ask(game(1));
  await pause(250);
  await solver.finish();
  assert.deepEqual(solver.log, ["solve 1"]);
  assert.equal(solving.of(game(1)).kind, "solved");
});

test("a board whose table is there is not solved again", async () => {
  const { solver, solving } = begin();
  solving.ask(game(1));
  await solver.finish();
  solving.ask(game(1));
  assert.deepEqual(solver.log, ["solve 1"]);
});

test("stop ends the solve, and the next board is solved", async () => {
  const { solver, solving } = begin();
  solving.ask(game(1));
  solving.stop();
  await pause(0);
  assert.equal(solving.of(game(1)).kind, "stopped");
  solving.ask(game(2));
  await solver.finish();
  assert.deepEqual(solver.log, ["solve 1", "stop", "solve 2"]);
});

test("a failure is shown with its message, and the next board is solved", async () => {
  const { solver, solving } = begin();
  solving.ask(game(1));
  await solver.fail("the memory did not suffice");
  const { kind, trouble } = solving.of(game(1));
  assert.deepEqual([kind, trouble], ["failed", "the memory did not suffice"]);
  solving.ask(game(2));
  await solver.finish();
  assert.equal(solving.of(game(2)).kind, "solved");
});

test("a large board is estimated, and solved only when somebody asks", async () => {
  const { solver, solving } = begin();
  const large = game(200, 200);
  assert.ok(positionsOf(large) > MOST_UNASKED);
  solving.ask(large);
  await pause(0);
  assert.equal(solving.of(large).kind, "too-large");
  solving.ask(large, { asked: true });
  await solver.finish();
  assert.deepEqual(solver.log, ["estimate 200", "solve 200"]);
});

const HIDDEN = { levels: [], positions: 0, solved: undefined };
const LARGE = game(200, 200);

// Each brings the solver, which has the table of `game(1)`, into a state that belongs to another game.
const STATES = {
  idle: () => {},
  solving: ({ solving, solver }) => {
    solving.ask(game(3));
    solver.level({ level: 7, decided: 70 });
  },
  solved: async ({ solving, solver }) => {
    solving.ask(game(3));
    await solver.finish();
  },
  stopped: ({ solving, solver }) => {
    solving.ask(game(3));
    solver.level({ level: 7, decided: 70 });
    solving.stop();
  },
  failed: async ({ solving, solver }) => {
    solving.ask(game(3));
    await solver.fail("the memory did not suffice");
  },
  "too-large": async ({ solving }) => {
    solving.ask(LARGE);
    await pause(0);
  },
  "too-large in a stroke": ({ solving }) => solving.ask(LARGE, { final: false }),
  "being estimated": ({ solving }) => solving.ask(LARGE),
};
const OTHERS = {
  "another size": game(9),
  "other walls": { ...game(1), scenario: { ...game(1).scenario, squares: new Uint8Array([0]) } },
  "another shape": game(1, 9),
  "other rules": { ...game(1), rules: { ...CLASSIC, stuck: "wins" } },
  "more officers": game(1, 1, 4),
};
for (const [name, enter] of Object.entries(STATES)) {
  for (const [what, other] of Object.entries(OTHERS)) {
    test(`a game with ${what} has no number of the games before: ${name}`, async () => {
      const begun = begin();
      begun.solving.ask(game(1));
      await begun.solver.finish();
      const { solved } = begun.solving.of(game(1));
      await enter(begun);
      const { kind, ...told } = begun.solving.of(other);
      assert.deepEqual(told, HIDDEN);
      assert.ok(kind === "idle" || kind === "solving", kind);
      const heat = { game: solved.game, values: { outcomes: new Uint8Array(9) }, width: 1, piece: "thief" };
      const shown = { turn: "police", outline: [], heat, pointed: undefined };
      assert.equal(sceneOf(solved.game, shown).values, heat.values);
      assert.equal(sceneOf(other, shown).values, undefined);
    });
  }
}

test("a game that is estimated, stopped or too large has nothing of the table before", async () => {
  const { solver, solving } = begin();
  solving.ask(game(1));
  await solver.finish();
  solving.ask(LARGE);
  assert.deepEqual(solving.of(LARGE), { ...HIDDEN, kind: "solving", positions: positionsOf(LARGE) });
  await pause(0);
  assert.deepEqual([solving.of(LARGE).kind, solving.of(LARGE).solved], ["too-large", undefined]);
  // The board that waits is the one that is stopped.
  solving.ask(game(4));
  solving.ask(game(5));
  solving.stop();
  assert.deepEqual([solving.of(game(5)).kind, solving.of(game(5)).solved], ["stopped", undefined]);
  // The table is still there for its own game.
  assert.equal(solving.of(game(1)).solved.game.scenario.width, 1);
});

test("positions are counted as the program counts them", () => {
  // 49 open cells, as the yard of the README: `dragnet generate` prints these numbers.
  assert.equal(positionsOf(game(49)), 4802);
  assert.equal(positionsOf(game(49, 1, 2)), 120_050);
});
