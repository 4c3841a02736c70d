// Measures probes and slices whose blocks are decoded and cached, and scans of whole tables. Usage: npm run
// bench -- TABLE...

import { readFileSync } from "node:fs";
import { open } from "dragnet-probe";
import { openCells, randomPolice } from "./support/golden.mjs";
import { Random } from "./support/random.mjs";

const POSITIONS = 100_000;
const ROUNDS = 7;

/** Returns the nanoseconds per call, the median of several rounds. */
function measure(positions, ask) {
  const rounds = Array.from({ length: ROUNDS }, () => {
    const begin = performance.now();
    for (const position of positions) ask(position);
    return ((performance.now() - begin) * 1e6) / positions.length;
  });
  return rounds.sort((a, b) => a - b)[ROUNDS >> 1];
}

for (const path of process.argv.slice(2)) {
  const bytes = readFileSync(path);
  const table = open(bytes).pursuit();
  const cells = openCells(table.board);
  const random = new Random(1);
  const positions = (turn) =>
    Array.from({ length: POSITIONS }, () => ({
      police: randomPolice(table, cells, random),
      thief: random.pick(cells),
      turn,
    }));
  const begin = performance.now();
  const { positions: all } = table.checkSums();
  const seconds = (performance.now() - begin) / 1000;
  const police = measure(positions("police"), (position) => table.value(position));
  const thief = measure(positions("thief"), (position) => table.value(position));
  const moves = measure(positions("police").slice(0, POSITIONS / 10), (position) => table.moves(position));
  const slices = ["thief", "police"].flatMap((piece) =>
    ["police", "thief"].map((turn) => {
      const asked = positions(turn).slice(0, 20);
      return measure(asked, (position) => table.slice(position, piece)) / 1e6;
    }),
  );
  const start = performance.now();
  table.statistics();
  const scan = (performance.now() - start) / 1000;
  console.log(
    `${path}: ${all} positions, ${bytes.length} bytes; value ${police.toFixed(0)} ns (police to move), ` +
      `${thief.toFixed(0)} ns (thief to move), moves ${(moves / 1000).toFixed(1)} µs; ` +
      `checkSums ${seconds.toFixed(2)} s; ` +
      `slices ${slices.map((time) => time.toFixed(2)).join(", ")} ms (of the thief, police to move and thief to ` +
      `move; of the police likewise), statistics ${scan.toFixed(2)} s`,
  );
}
