import assert from "node:assert/strict";
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { compress, init } from "@bokuweb/zstd-wasm";
import { Cache, DragnetError, Tablebase, open } from "dragnet-probe";
import { GOLDEN, goldenBytes, positions } from "./support/golden.mjs";
import { compressedBody, compressedTable } from "./support/made.mjs";
import { serveRanges } from "./support/range-server.mjs";

await init();

const full = Object.fromEntries(GOLDEN.map((name) => [name, open(goldenBytes(name)).pursuit()]));
const golden = () => GOLDEN.map(goldenBytes);

const servers = [];
after(() => servers.forEach(({ close }) => close()));
async function serve(...args) {
  const server = await serveRanges(...args);
  servers.push(server);
  return server;
}

/** Asserts that a table has the values of another one. */
function isSame(found, expected) {
  assert.equal(found.digest, expected.digest);
  for (const position of positions(expected)) assert.deepEqual(found.value(position), expected.value(position));
}

test("tables are found by board, rules, officers and source", async () => {
  const tables = new Tablebase([goldenBytes("v2-graph"), ...golden()]);
  for (const [name, table] of Object.entries(full)) {
    const { board: { text: board }, rules } = table;
    const source = table.source();
    isSame(await tables.table({ board, rules, source }), table);
    const { officers, team } = rules;
    isSame(await tables.table({ board, rules: { team, stuck: undefined }, officers }), table);
    const other = { ...rules, stuck: rules.stuck === "wins" ? "loses" : "wins" };
    await assert.rejects(tables.table({ board, rules: other }), { kind: "absent" }, name);
    await assert.rejects(tables.table({ board, source: `${source} ` }), {
      kind: "absent",
      message: /^expected a table with this board of \d+x\d+ and this source among 10, found none$/,
    });
    await assert.rejects(tables.table({ board, rules, officers: 5 }), { kind: "absent" });
  }
  isSame(await tables.table({ source: full["v2-cops"].source() }), full["v2-cops"]);
  assert.equal((await tables.table({ rules: { undecided: "police" }, officers: 2 })).digest, full["v2-team"].digest);
  const { height, width } = full["v2-speed"].board;
  await assert.rejects(tables.table({ board: `${".".repeat(width)}\n`.repeat(height) }), {
    kind: "absent",
    message: `expected a table with this board of ${height}x${width} among 10, found none`,
  });
  assert.equal(tables.unreadable.size, 0);
});

test("a table stays the one that it was while it is open", async () => {
  const tables = new Tablebase(golden());
  const queries = Object.values(full).map(({ board, rules }) => ({ board: board.text, rules }));
  const first = await Promise.all(queries.map((query) => tables.table(query)));
  for (const [k, query] of queries.entries()) assert.equal(await tables.table(query), first[k]);
  const narrow = new Tablebase(golden(), { openTables: 1 });
  for (const query of [...queries, ...queries]) {
    assert.ok((await narrow.table(query)).board.text === query.board);
  }
});

test("a source that is no pursuit table is named, and does not hide others", async () => {
  const damaged = goldenBytes("v2-size");
  damaged[40] ^= 1;
  const tables = new Tablebase([damaged, new Uint8Array(9), goldenBytes("v2-graph"), goldenBytes("v2-size")]);
  const { board: { text: board }, rules } = full["v2-size"];
  isSame(await tables.table({ board, rules }), full["v2-size"]);
  const kinds = [...tables.unreadable].map(([index, { kind }]) => [index, kind]);
  assert.deepEqual(kinds, [[0, "checksum"], [1, "format"]]);
  await assert.rejects(tables.table({ officers: 6 }), (error) => {
    assert.match(error.message, /^expected a table with 6 officers among 4, found none; 2 could not be read, /);
    assert.equal(error.cause, tables.unreadable.get(0));
    return true;
  });
  assert.throws(() => open(goldenBytes("v2-graph")).pursuit(), { kind: "unsupported", name: "DragnetError" });
  assert.throws(() => open(goldenBytes("v2-size")).game(), { kind: "unsupported" });
});

test("of tables on servers only the heads are fetched that a search needs", async () => {
  const large = await serve(compressedTable(64, 5, compressedBody(compress)));
  const small = await Promise.all(golden().map((bytes) => serve(bytes)));
  const urls = [...small, ...small, large].map(({ url }) => url);
  const tables = new Tablebase(urls);
  const { board: { text: board }, rules } = full["v2-size"];
  const found = await tables.table({ board, rules });
  isSame(found, full["v2-size"]);
  assert.deepEqual([small[0].traffic.requests, large.traffic.requests], [1, 0]);
  const wanted = `.....E${".".repeat(58)}\n${`${".".repeat(64)}\n`.repeat(63)}`;
  const table = await tables.table({ board: wanted });
  assert.ok(!table.isLocal && large.traffic.requests === 2);
  const escaped = { police: [9, 9], thief: [0, 5], turn: "thief" };
  assert.deepEqual(await table.load((t) => t.value(escaped)), { outcome: "thief", dtw: 0 });
  assert.equal(await tables.table({ board, rules }), found);
  assert.equal(small[0].traffic.requests, 2);
});

test("a server that failed is asked again, and a search can be ended", async () => {
  let fails = true;
  const refuse = (answer) => (fails ? { ...answer, status: 500, body: "" } : answer);
  const { url } = await serve(goldenBytes("v2-size"), refuse);
  const tables = new Tablebase([url]);
  await assert.rejects(tables.table({ officers: 1 }), (error) => {
    return error.kind === "absent" && error.cause.kind === "fetch";
  });
  assert.equal(tables.unreadable.size, 0);
  fails = false;
  isSame(await tables.table({ officers: 1 }), full["v2-size"]);

  const hanging = await serve(goldenBytes("v2-size"), () => new Promise(() => {}));
  const waiting = new Tablebase([hanging.url]);
  const stop = new AbortController();
  const search = waiting.table({}, { signal: stop.signal });
  setTimeout(() => stop.abort(new Error("enough")), 50);
  await assert.rejects(search, /enough/);
  await assert.rejects(waiting.table({}, { signal: stop.signal }), /enough/);
});

test("wrong arguments are refused", async () => {
  for (const openTables of [0, 1.5, NaN, "7"]) {
    const refusal = { kind: "argument", message: /^openTables: expected an integer/ };
    assert.throws(() => new Tablebase([], { openTables }), refusal);
  }
  assert.throws(() => new Tablebase([], { cache: 7 }), { kind: "argument" });
  const noBoard = { kind: "argument", message: /^board: expected rows of '#', '\.' and 'E', / };
  for (const board of [full["v2-size"].board, "...", "", "\n", "P..\n", "*..\n", 7]) {
    await assert.rejects(new Tablebase(golden()).table({ board }), noBoard);
  }
  await assert.rejects(new Tablebase([7]).table({}), (error) => {
    return error instanceof DragnetError && error.kind === "absent" && error.cause.kind === "argument";
  });
  assert.equal(new Tablebase([]).cache.limit, Cache.DEFAULT_LIMIT);
  assert.notEqual(new Tablebase([]).cache, new Tablebase([]).cache);
});

test("a hundred tables stay within the budget and a tenth of it", async (context) => {
  const folder = mkdtempSync(join(tmpdir(), "dragnet-hundred-"));
  try {
    const body = compressedBody(compress);
    for (let k = 0; k < 100; k++) {
      const square = 64 + 40 * k;
      const [row, column] = [square >> 6, square & 63];
      const rows = Array.from({ length: 64 }, () => ".".repeat(64));
      rows[row] = `${".".repeat(column)}E${".".repeat(63 - column)}`;
      writeFileSync(join(folder, `${k}.dtb`), compressedTable(64, square, body));
      writeFileSync(join(folder, `${k}.txt`), `${rows.join("\n")}\n`);
    }
    const limit = Cache.DEFAULT_LIMIT;
    const child = fork(fileURLToPath(new URL("support/hundred.mjs", import.meta.url)), [folder, `${limit}`], {
      execArgv: ["--expose-gc", "--max-semi-space-size=1", "--max-old-space-size=48"],
    });
    const [{ tables, used, rss, kept, misses }] = await once(child, "message");
    await once(child, "exit");
    context.diagnostic(`${used} bytes used, ${rss} more of the process, ${kept} kept, ${misses} blocks decoded`);
    assert.equal(tables, 100);
    assert.ok(used <= 1.1 * limit, `${used} bytes used`);
    assert.ok(kept > 0.7 * limit && misses > 15_000, `${kept} bytes kept of ${misses} blocks`);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
