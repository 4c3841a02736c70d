import assert from "node:assert/strict";
import { execFileSync, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { open } from "dragnet-probe";
import { openCells } from "./support/golden.mjs";
import { Random } from "./support/random.mjs";
import { serveRanges } from "./support/range-server.mjs";

// The program runs in another folder, so that a relative path would not find it.
const PROGRAM = process.env.DRAGNET?.replace(/^.*\/.*$/, (path) => resolve(path));
const skip = PROGRAM ? false : "set the environment variable DRAGNET to the path of the program dragnet";

let folder;
let file;
before(() => {
  if (skip) return;
  folder = mkdtempSync(join(tmpdir(), "dragnet-large-"));
  const random = new Random(15);
  const size = 138;
  const rows = Array.from({ length: size }, () =>
    Array.from({ length: size }, () => (random.below(100) < 20 ? "#" : ".")).join(""));
  rows[0] = `E${rows[0].slice(1)}`;
  writeFileSync(join(folder, "large.txt"), `${rows.join("\n")}\n`);
  execFileSync(PROGRAM, ["generate", "large.txt", "--favour", "speed", "--out", ".", "--no-sync"], { cwd: folder });
  file = join(folder, "large.dtb");
});
after(() => {
  if (folder !== undefined) rmSync(folder, { recursive: true });
});

test("the first picture of a table of 90 MB costs at most 1 MB of traffic", { skip }, async (context) => {
  const bytes = readFileSync(file);
  assert.ok(bytes.length > 90e6, `${bytes.length}`);
  const local = open(bytes).pursuit();
  const cells = openCells(local.board);
  const random = new Random(16);
  for (const turn of ["police", "thief"]) {
    const { url, traffic, close } = await serveRanges(bytes);
    try {
      const table = await open(url).pursuit();
      const position = { police: random.pick(cells), thief: random.pick(cells), turn };
      assert.deepEqual(await table.load((t) => t.value(position)), local.value(position));
      assert.deepEqual(await table.load((t) => t.moves(position)), local.moves(position));
      assert.deepEqual(await table.load((t) => t.slice(position, "thief")), local.slice(position, "thief"));
      const { requests } = traffic;
      context.diagnostic(`${turn} to move: ${requests} requests, ${traffic.bytes} of ${bytes.length} bytes`);
      assert.ok(traffic.bytes <= 1e6 && requests <= 40, `${requests} requests, ${traffic.bytes} bytes`);
      assert.deepEqual(await table.load((t) => t.slice(position, "police")), local.slice(position, "police"));
      assert.deepEqual(await table.load((t) => t.line(position)), local.line(position));
      context.diagnostic(`with a slice of the police and a line: ${traffic.requests} requests, ${traffic.bytes} bytes`);
      assert.ok(table.fetched < bytes.length / 10);
    } finally {
      close();
    }
  }
});

test("a process that asks about a table of 90 MB takes less memory than the table has bytes", { skip }, async (context) => {
  const { url, close } = await serveRanges(readFileSync(file));
  try {
    const child = fork(fileURLToPath(new URL("support/memory.mjs", import.meta.url)), [url], {
      execArgv: ["--expose-gc", "--max-semi-space-size=1", "--max-old-space-size=32"],
    });
    const [{ grown, fetched }] = await once(child, "message");
    await once(child, "exit");
    const { size } = statSync(file);
    context.diagnostic(`${grown} bytes of memory for ${fetched} of ${size} bytes`);
    // Up to 32 MB of it is what the collector keeps to use again, which differs from machine to machine.
    assert.ok(grown < 0.9 * size, `${grown} bytes`);
  } finally {
    close();
  }
});
