import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "./support/modules.mjs";
import { golden } from "./support/pages.mjs";

const { MOST_UNASKED, Solving, positionsOf } = await load("views/draw/solving.ts");
const { CLASSIC } = await load("model/rules-text.ts");

const TABLE = new Uint8Array(await golden("v1-size.dtb"));

/** Returns a game on an open board of one row; its width tells games apart. */
function game(width, height = 1, officers = 1) {
  const squares = new Uint8Array(height * width).fill(1);
  return {
    scenario: { height, width, squares, police: [], thief: undefined },
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
  const kinds = [];
  const solving = new Solving(solver, ({ kind }) => kinds.at(-1) !== kind && kinds.push(kind));
  return { solver, solving, kinds };
}

test("while a solve runs, only the newest of the boards that follow is solved next", async () => {
  const { solver, solving, kinds } = begin();
  for (const width of [1, 2, 3, 4]) solving.ask(game(width));
  await solver.finish();
  assert.deepEqual(solver.log, ["solve 1", "solve 4"]);
  await solver.finish();
  assert.equal(solving.state.solved.game.scenario.width, 4);
  assert.deepEqual(kinds, ["solving", "solved", "solving", "solved"]);
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
  assert.equal(solving.state.solved.game.scenario.width, 3);
});

test("a board that returns while it is being solved is waited for", async () => {
  const { solver, solving } = begin();
  solving.ask(game(1));
  solving.ask(game(2));
  solving.ask(game(1));
  await pause(250);
  await solver.finish();
  assert.deepEqual(solver.log, ["solve 1"]);
  assert.equal(solving.state.kind, "solved");
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
  assert.equal(solving.state.kind, "stopped");
  solving.ask(game(2));
  await solver.finish();
  assert.deepEqual(solver.log, ["solve 1", "stop", "solve 2"]);
});

test("a failure is shown with its message, and the next board is solved", async () => {
  const { solver, solving } = begin();
  solving.ask(game(1));
  await solver.fail("the memory did not suffice");
  assert.deepEqual([solving.state.kind, solving.state.trouble], ["failed", "the memory did not suffice"]);
  solving.ask(game(2));
  await solver.finish();
  assert.equal(solving.state.kind, "solved");
});

test("a large board is estimated, and solved only when somebody asks", async () => {
  const { solver, solving } = begin();
  const large = game(200, 200);
  assert.ok(positionsOf(large) > MOST_UNASKED);
  solving.ask(large);
  await pause(0);
  assert.equal(solving.state.kind, "too-large");
  solving.ask(large, { asked: true });
  await solver.finish();
  assert.deepEqual(solver.log, ["estimate 200", "solve 200"]);
});

test("positions are counted as the program counts them", () => {
  // 49 open cells, as the yard of the README: `dragnet generate` prints these numbers.
  assert.equal(positionsOf(game(49)), 4802);
  assert.equal(positionsOf(game(49, 1, 2)), 120_050);
});
