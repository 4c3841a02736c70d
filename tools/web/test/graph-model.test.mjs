import assert from "node:assert/strict";
import { test } from "node:test";
import { open } from "dragnet-probe";
import { openEngine } from "./support/engine.mjs";
import { load } from "./support/modules.mjs";

const { hasNames, nameTrouble, readGraphText, writeGraphText } = await load("model/graph-text.ts");
const { readSharedGraph, shareGraph } = await load("model/share-graph.ts");
const { SAMPLES, policeGraph } = await load("model/samples.ts");
const { analyse, Replay } = await load("model/retrograde.ts");
const { knownAt, levelCounts, sliceHistogram } = await load("model/levels.ts");
const { layOut } = await load("graph/layout.ts");

const engine = await openEngine();

function solved(graph, stuck) {
  const replay = new Replay(analyse(graph, stuck));
  replay.goTo(Infinity);
  return replay;
}

test("an edge list of numbers may begin with the number of its vertices", () => {
  assert.deepEqual(readGraphText("# game\n\n4\r\n0 1\n1\t2\n"), { labels: ["0", "1", "2", "3"], edges: [[0, 1], [1, 2]] });
  assert.deepEqual(readGraphText("0 2\n").labels, ["0", "1", "2"]);
  assert.deepEqual(readGraphText(""), { labels: [], edges: [] });
});

test("names are numbered in the order in which they occur", () => {
  const graph = readGraphText("lonely\nhall yard\nyard hall\n% end\n");
  assert.deepEqual(graph, { labels: ["lonely", "hall", "yard"], edges: [[1, 2], [2, 1]] });
  assert.equal(hasNames("3\n0 1\n"), false);
  assert.equal(hasNames("0 1\n3\n"), true);
});

test("faults of an edge list have their line and column", () => {
  assert.throws(() => readGraphText("0 1\n\n1 2 3\n"), { line: 3, column: 5, message: /expected two vertices in a line, found "3"/ });
  assert.throws(() => readGraphText("2\n0 1\n 1 2\n"), { line: 3, column: 4, message: /expected a vertex below 2/ });
  assert.throws(() => readGraphText("4 4\n0 1\n1 2\n2 3\n3 0\n"), { line: 1, message: /may be the numbers of vertices and edges/ });
  assert.throws(() => readGraphText("3 3\na b\nb c\nc a\n"), { line: 1, message: /may be the numbers of vertices and edges/ });
  assert.throws(() => readGraphText("a,b\nb,c\n"), { line: 1, message: /two names with a blank between them/ });
  assert.throws(() => readGraphText("a b\n#1 b\n", true), { line: 2, message: /names with blanks between them/ });
  assert.deepEqual(readGraphText("\ufeff0 1\r1 2\r").edges, [[0, 1], [1, 2]]);
  assert.throws(() => readGraphText("0 99999999999\n"), { line: 1, column: 3 });
  assert.throws(() => readGraphText("0 x\n", false), { line: 1, column: 3, message: /found "x"/ });
  assert.throws(() => readGraphText("0 1\n7\n", false), { line: 2, message: /a second vertex/ });
});

test("edge lists are read as the engine reads them, and written so that it reads them back", () => {
  const texts = ["5\n0 1\n1 1\n1 1\n", "start hall\nhall start\nhall yard\nyard gate\nalone\n", "# c\n0 1\n % x\n2 0\n"];
  for (const text of texts) {
    const names = hasNames(text);
    const graph = readGraphText(text);
    for (const written of [text, writeGraphText(graph)]) {
      const { facts } = engine.ask("solve_graph", { graph: { text: written, form: "edges", names } });
      assert.equal(facts.graph.vertices, graph.labels.length);
      assert.deepEqual(facts.graph.names, names ? graph.labels : null);
      const pairs = Array.from({ length: facts.graph.edge_count }, (_, edge) => facts.graph.edges.slice(2 * edge, 2 * edge + 2).join());
      assert.deepEqual(pairs.sort(), graph.edges.map((edge) => edge.join()).sort());
    }
  }
});

test("a name that would not come back from an edge list is refused", () => {
  assert.equal(nameTrouble("gate-2"), undefined);
  for (const name of ["", "two words", "#gate", "%"]) assert.match(nameTrouble(name), /expected/);
});

test("a shared graph comes back with its names, rule and places", async () => {
  const graph = { labels: ["a", "b"], edges: [[0, 1], [1, 1], [0, 1]] };
  for (const shared of [
    { graph, stuck: "wins", places: [[-5, 7], [30, 2]] },
    { graph: { labels: ["0", "1", "2"], edges: [[2, 0]] }, stuck: "loses", places: undefined },
    { graph: { labels: [], edges: [] }, stuck: "loses", places: undefined },
  ]) {
    assert.deepEqual(await readSharedGraph(await shareGraph(shared)), shared);
  }
});

test("damaged data of a graph is refused with a message", async () => {
  const data = await shareGraph({ graph: { labels: ["a", "b"], edges: [[0, 1]] }, stuck: "loses" });
  for (let length = 0; length < data.length - 1; length++) {
    await assert.rejects(() => readSharedGraph(data.slice(0, length)), /^Error: link: /);
  }
  await assert.rejects(() => readSharedGraph("AwAA"), /version 3/);
});

test("retrograde analysis of every sample has the values of the engine", () => {
  for (const { name, graph } of SAMPLES) {
    assert.ok(graph.labels.length <= 200, name);
    for (const stuck of ["loses", "wins"]) {
      const { table } = engine.ask("solve_graph", { graph: { text: writeGraphText(graph), form: "edges", names: !/^\d/.test(graph.labels[0]) }, stuck });
      const game = open(table).game();
      const { results, distances } = solved(graph, stuck);
      graph.labels.forEach((label, vertex) => {
        const { result, dtw } = game.value(vertex);
        assert.deepEqual(
          [["undecided", "lost", "won", "drawn"][results[vertex]], results[vertex] === 3 ? null : distances[vertex]],
          [result, dtw],
          `${name}, ${label}, stuck ${stuck}`,
        );
      });
    }
  }
});

test("the graphs of policeman boards have the values of the boards' tables", () => {
  for (const rows of [["E..."], ["..", ".."], [".E", ".."], ["..E", "..."], ["...", ".#.", "..E"]]) {
    const table = open(engine.ask("solve", { ground: { board: `${rows.join("\n")}\n` }, rules: "classic" }).table).pursuit();
    const graph = policeGraph(rows);
    const { results, distances } = solved(graph, "loses");
    const cells = rows.flatMap((row, r) => [...row].flatMap((kind, c) => (kind === "#" ? [] : [[r, c, kind]])));
    let vertex = 0;
    for (const [pr, pc] of cells) {
      for (const [tr, tc, kind] of cells) {
        for (const turn of ["police", "thief"]) {
          const { outcome, dtw } = table.value({ police: [pr, pc], thief: [tr, tc], turn });
          const isOver = (pr === tr && pc === tc) || kind === "E";
          const found = [outcome === "draw" ? 3 : outcome === turn ? 2 : 1, outcome === "draw" ? 0 : dtw];
          // A game that is over is won at once on a board, and by a move in its graph if its winner moves.
          if (isOver && found[0] === 2) found[1] = 1;
          assert.deepEqual([results[vertex], distances[vertex]], found, `${rows.join("/")}: ${graph.labels[vertex]}`);
          vertex++;
        }
      }
    }
  }
});

test("levels of a board sum up to the program's counts, and the last shows the whole slice", () => {
  const table = open(engine.ask("solve", { ground: { board: "....E\n.....\n..#..\n.....\n.....\n" }, rules: "classic" }).table).pursuit();
  const { histogram, police_to_move: police, thief_to_move: thief } = table.statistics();
  const levels = levelCounts(histogram);
  for (const side of ["police", "thief"]) {
    assert.equal(levels.reduce((sum, level) => sum + level[side], 0), police[side] + thief[side]);
  }
  const slice = table.slice({ police: [4, 0], thief: [0, 0], turn: "police" }, "thief");
  const last = Math.max(table.longest.police, table.longest.thief);
  let fresh = 0;
  for (let level = 0; level <= last + 1; level++) {
    const known = knownAt(slice, level, last);
    fresh += known.fresh.length;
    known.outcomes.forEach((outcome, square) => {
      const decided = slice.outcome[square] !== 3 && slice.outcome[square] !== 0 && slice.dtw[square] <= level;
      if (level <= last) assert.equal(outcome, decided ? slice.outcome[square] : 0);
    });
  }
  assert.equal(fresh, 24);
  assert.deepEqual(knownAt(slice, last + 1, last).outcomes, slice.outcome);
  const cells = levelCounts(sliceHistogram(slice));
  assert.equal(cells.reduce((sum, { police }) => sum + police, 0), slice.counts.police);
});

test("a layout is the same each time, keeps known places, and sets vertices apart", () => {
  for (const { graph } of SAMPLES) {
    const places = layOut(graph);
    assert.deepEqual(layOut(graph), places);
    places.forEach(([x, y], vertex) => {
      assert.ok(Number.isFinite(x) && Number.isFinite(y));
      for (const [otherX, otherY] of places.slice(0, vertex)) assert.ok(Math.hypot(x - otherX, y - otherY) > 35);
    });
    const known = places.map((place, vertex) => (vertex === 1 ? undefined : place));
    layOut(graph, known).forEach((place, vertex) => vertex === 1 || assert.deepEqual(place, places[vertex]));
  }
});
