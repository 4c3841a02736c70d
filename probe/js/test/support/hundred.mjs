// Asks all tables of the folder in the first argument for random values, with a cache of as many bytes as the
// second one says, and reports the memory that the tables take beside their files. It needs --expose-gc.

import { readFileSync, readdirSync } from "node:fs";
import { Cache, Tablebase } from "dragnet-probe";
import { Random } from "./random.mjs";

const VALUES = 20_000;

const memory = () => {
  globalThis.gc();
  globalThis.gc();
  const { heapUsed, external, rss } = process.memoryUsage();
  return { used: heapUsed + external, rss };
};

const [folder, limit] = process.argv.slice(2);
const files = readdirSync(folder).filter((name) => name.endsWith(".dtb"));
const sources = files.map((name) => new Uint8Array(readFileSync(`${folder}/${name}`)));
const random = new Random(29);
const before = memory();
const cache = new Cache(Number(limit));
const tablebase = new Tablebase(sources, { cache });
const tables = [];
for (const name of files) {
  const board = readFileSync(`${folder}/${name.replace("dtb", "txt")}`, "utf8");
  tables.push(await tablebase.table({ board }));
}
for (let k = 0; k < VALUES; k++) {
  const table = random.pick(tables);
  const cell = () => [random.below(table.board.height), random.below(table.board.width)];
  table.value({ police: cell(), thief: cell(), turn: random.pick(["police", "thief"]) });
}
const after = memory();
process.send({
  tables: new Set(tables).size,
  used: after.used - before.used,
  rss: after.rss - before.rss,
  kept: cache.bytes,
  misses: cache.misses,
});
process.disconnect();
