// Opens the table at the address in the first argument, draws slices, and reports by how many bytes the
// memory of the process has grown. It needs --expose-gc.

import { open } from "dragnet-probe";
import { openCells } from "./golden.mjs";
import { Random } from "./random.mjs";

/** Fetches something, so that the code for it is loaded and compiled. */
async function warmUp(url) {
  const answer = await fetch(url, { headers: { range: "bytes=0-99" } });
  await answer.arrayBuffer();
}

await warmUp(process.argv[2]);
const memory = () => {
  globalThis.gc();
  return process.memoryUsage.rss();
};
const before = memory();
const table = await open(process.argv[2]).pursuit();
const cells = openCells(table.board);
const random = new Random(17);
const police = random.pick(cells);
for (let k = 0; k < 200; k++) {
  const position = { police, thief: random.pick(cells), turn: random.pick(["police", "thief"]) };
  await table.load((t) => t.slice(position, "thief"));
}
process.send({ grown: memory() - before, fetched: table.fetched });
process.disconnect();
