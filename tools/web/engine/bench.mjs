// Measures the engine in WebAssembly beside the same source as a native program, each on one thread:
//
//     node tools/web/engine/bench.mjs [ROUNDS]       5 rounds if it is not said
//
// It needs Node, Cargo and a C compiler. Both answer the same requests in turn, so that a slow minute of the
// machine strikes them alike. Prints a line for each board: the medians of the answers after the first ones
// of each round, which find the code not yet compiled and the memory not yet taken.

import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { openEngine } from "../test/support/engine.mjs";

const ROUNDS = Number(process.argv[2] ?? 5);
/** The time for which a board is solved again and again in a round, in milliseconds. */
const ROUND = 1500;
const here = fileURLToPath(new URL(".", import.meta.url));

const BOARDS = [
  ["open 32×32", { make: { kind: "open", height: 32, width: 32 } }],
  ["random 32×32", { make: { kind: "random", height: 32, width: 32, seed: 1, density: 0.2 } }],
  ["maze 33×33", { make: { kind: "maze", height: 33, width: 33, seed: 1 } }],
  ["open 64×64", { make: { kind: "open", height: 64, width: 64 } }],
  ["random 64×64", { make: { kind: "random", height: 64, width: 64, seed: 1, density: 0.2 } }],
];

function median(numbers) {
  return numbers.toSorted((a, b) => a - b)[numbers.length >> 1];
}

/** Returns the text of a board that the engine makes, with an exit at its first open square. */
function boardOf(engine, { make }) {
  return engine.ask("make", make).facts.text.replace(".", "E");
}

execFileSync("cargo", ["build", "--release", "--locked", "--example", "answer"], { cwd: here, stdio: "inherit" });
const target = process.env.CARGO_TARGET_DIR ?? `${here}target`;
const native = (input, times) => JSON.parse(execFileSync(`${target}/release/examples/answer`, [`${times}`], { input }));

const engine = await openEngine();
for (const [name, kind] of BOARDS) {
  const request = JSON.stringify({ ask: "solve", ground: { board: boardOf(engine, kind) }, favour: "speed" });
  const bytes = new TextEncoder().encode(request);
  const figures = { wasm: [], native: [] };
  for (let round = 0; round < ROUNDS; round++) {
    const times = [];
    for (const end = performance.now() + ROUND; performance.now() < end; ) {
      const begin = performance.now();
      engine.askBytes(bytes);
      times.push(performance.now() - begin);
    }
    figures.wasm.push(...times.slice(3));
    figures.native.push(...native(request, times.length).slice(3));
  }
  const [wasm, alone] = [median(figures.wasm), median(figures.native)];
  const ratio = (alone / wasm).toFixed(2);
  console.log(`${name.padEnd(13)} WebAssembly ${wasm.toFixed(1)} ms, native ${alone.toFixed(1)} ms: ${ratio} of the speed`);
}
