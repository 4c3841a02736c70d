import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { open } from "dragnet-probe";
import { GOLDEN, goldenBytes, positions } from "./support/golden.mjs";

const PACKAGE = fileURLToPath(new URL("..", import.meta.url));

test("programs with one officer check under strict settings", () => {
  const args = [`${PACKAGE}/node_modules/typescript/bin/tsc`, "-p", "test/types"];
  const { status, stdout } = spawnSync(process.execPath, args, { cwd: PACKAGE, encoding: "utf8" });
  assert.equal(status, 0, stdout);
});

test("a table of another number of officers than asked for is refused", () => {
  assert.throws(() => open(goldenBytes("v2-team")).pursuit({ officers: 1 }), { kind: "unsupported" });
  assert.equal(open(goldenBytes("v2-team")).pursuit({ officers: 2 }).rules.officers, 2);
});

test("a shared buffer and a view of it are opened like other bytes", () => {
  for (const name of GOLDEN) {
    const bytes = goldenBytes(name);
    const shared = new SharedArrayBuffer(bytes.length);
    new Uint8Array(shared).set(bytes);
    const table = open(bytes).pursuit();
    for (const source of [shared, new Uint8Array(shared), bytes.slice().buffer]) {
      const other = open(source).pursuit();
      for (const position of positions(table)) assert.deepEqual(other.value(position), table.value(position));
      other.checkSums();
    }
  }
});
