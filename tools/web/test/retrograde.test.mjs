import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "./support/modules.mjs";

const { analyse, Replay } = await load("model/retrograde.ts");

const WORDS = ["undecided", "lost", "won", "drawn"];
const EXAMPLE = {
  labels: ["0", "1", "2", "3", "4"],
  edges: [[0, 1], [0, 2], [1, 3], [2, 1], [2, 4], [4, 2]],
};

/** Returns everything that can be seen of the state after a step. */
function stateOf(replay) {
  const { results, distances, counters, queue, current, step } = replay;
  return { results: [...results], distances: [...distances], counters: [...counters], queue: [...queue], current, step };
}

/** Returns the results and distances of a game by rounds over all vertices until nothing changes. */
function oracle({ labels, edges }, stuck) {
  const values = labels.map(() => undefined);
  const targets = labels.map((_, vertex) => edges.filter(([from]) => from === vertex).map(([, to]) => to));
  for (let round = 0; round <= labels.length; round++) {
    const next = [...values];
    targets.forEach((to, vertex) => {
      if (values[vertex] !== undefined) return;
      const after = to.map((target) => values[target]);
      if (to.length === 0) next[vertex] = [stuck === "loses" ? "lost" : "won", 0];
      else if (after.some((value) => value?.[0] === "lost")) next[vertex] = ["won", round];
      else if (after.every((value) => value?.[0] === "won")) next[vertex] = ["lost", round];
    });
    values.splice(0, values.length, ...next);
  }
  return values.map((value) => value ?? ["drawn", 0]);
}

function random(seed) {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    return (state >>> 8) % limit;
  };
}

function randomGraph(below) {
  const vertices = 1 + below(14);
  const edges = Array.from({ length: below(2 * vertices + 2) }, () => [below(vertices), below(vertices)]);
  return { labels: Array.from({ length: vertices }, (_, vertex) => `${vertex}`), edges };
}

test("the example of the text is analysed in the order of its text", () => {
  const { steps } = analyse(EXAMPLE, "loses");
  assert.deepEqual(steps, [
    { kind: "seed", vertex: 3, result: 1 },
    { kind: "take", vertex: 3 },
    { kind: "tell", vertex: 3, predecessor: 1, edge: 2, effect: "won", left: 1 },
    { kind: "take", vertex: 1 },
    { kind: "tell", vertex: 1, predecessor: 0, edge: 0, effect: "counted", left: 1 },
    { kind: "tell", vertex: 1, predecessor: 2, edge: 3, effect: "counted", left: 1 },
    { kind: "settle", vertex: 0 },
    { kind: "settle", vertex: 2 },
    { kind: "settle", vertex: 4 },
  ]);
  const replay = new Replay(analyse(EXAMPLE, "loses"));
  replay.goTo(Infinity);
  assert.deepEqual([...replay.results].map((result) => WORDS[result]), ["drawn", "won", "drawn", "lost", "drawn"]);
});

test("the queue and the counters of the example change as its text says", () => {
  const replay = new Replay(analyse(EXAMPLE, "loses"));
  const seen = [];
  for (let step = 0; step <= 6; step++) {
    replay.goTo(step);
    seen.push([replay.queue.join(), [...replay.counters].join(""), replay.current]);
  }
  assert.deepEqual(seen, [
    ["", "21201", undefined],
    ["3", "21201", undefined],
    ["", "21201", 3],
    ["1", "21201", 3],
    ["", "21201", 1],
    ["", "11201", 1],
    ["", "11101", 1],
  ]);
});

test("a vertex is lost when its counter reaches 0, not before", () => {
  // Both moves of 0 lead to vertices that win at once.
  const graph = { labels: [..."01234"], edges: [[0, 1], [0, 2], [1, 3], [2, 4]] };
  const { steps } = analyse(graph, "loses");
  const told = steps.filter(({ kind, predecessor }) => kind === "tell" && predecessor === 0);
  assert.deepEqual(told.map(({ effect, left }) => [effect, left]), [["counted", 1], ["lost", 0]]);
});

test("in misère play a player without a move has won", () => {
  const { steps } = analyse({ labels: ["a", "b"], edges: [[0, 1]] }, "wins");
  assert.deepEqual(steps[0], { kind: "seed", vertex: 1, result: 2 });
  assert.equal(steps[2].effect, "lost");
});

test("random graphs, with loops and parallel edges, have the values of a naive search", () => {
  const below = random(7);
  for (let round = 0; round < 600; round++) {
    const graph = randomGraph(below);
    const stuck = round % 2 === 0 ? "loses" : "wins";
    const replay = new Replay(analyse(graph, stuck));
    replay.goTo(replay.wave.steps.length);
    const found = [...replay.results].map((result, vertex) => [WORDS[result], replay.distances[vertex]]);
    assert.deepEqual(found, oracle(graph, stuck), JSON.stringify({ graph, stuck }));
    assert.deepEqual(replay.queue, []);
  }
});

test("every state is the same whichever way it is reached", () => {
  const below = random(11);
  for (let round = 0; round < 60; round++) {
    const wave = analyse(randomGraph(below), round % 2 === 0 ? "loses" : "wins");
    const moved = new Replay(wave);
    for (let jump = 0; jump < 12; jump++) {
      const step = below(wave.steps.length + 1);
      moved.goTo(step);
      const fresh = new Replay(wave);
      fresh.goTo(step);
      assert.deepEqual(stateOf(moved), stateOf(fresh));
    }
  }
});
