import assert from "node:assert/strict";
import { createServer } from "node:http";
import { once } from "node:events";
import { test } from "node:test";
import { Cache, DragnetError, open } from "dragnet-probe";
import { goldenBytes } from "./support/golden.mjs";

const table = open(goldenBytes("v2-speed")).pursuit();

function isError(kind, message) {
  return (error) => {
    assert.ok(error instanceof DragnetError, String(error));
    assert.equal(error.name, "DragnetError");
    assert.equal(error.kind, kind);
    assert.match(error.message, message);
    return true;
  };
}

test("positions on walls, off the board, or without a side to move are refused", () => {
  const good = { police: [0, 0], thief: [2, 2], turn: "police" };
  assert.deepEqual(table.value(good), { outcome: "thief", dtw: 4 });
  for (const ask of ["value", "moves", "line"]) {
    const refused = (change, message) => {
      assert.throws(() => table[ask]({ ...good, ...change }), isError("position", message));
    };
    refused({ police: [0, 4] }, /the police's cell 0,4 is a wall/);
    refused({ thief: [1, 1] }, /the thief's cell 1,1 is a wall/);
    refused({ thief: [4, 0] }, /cell 4,0 is off the board, whose rows go from 0 to 3 and columns from 0 to 4/);
    refused({ police: [-1, 0] }, /cell -1,0 is off the board/);
    refused({ police: [0, 5] }, /cell 0,5 is off the board/);
    refused({ police: [0.5, 0] }, /cell 0.5,0 is off the board/);
    refused({ police: [NaN, 0] }, /off the board/);
    refused({ police: [0] }, /cell 0,undefined is off the board/);
    refused({ police: undefined }, /off the board/);
    refused({ police: [[0, 0], [0, 1]] }, /expected the cell of 1 officer, found 2/);
    for (const world of [1, -1, 0.5, NaN, "0"]) {
      refused({ world }, new RegExp(`world: expected 0 to 0, found ${world}`));
    }
    refused({ turn: "Police" }, /expected police or thief, found Police/);
  }
  assert.throws(() => table.value(undefined), isError("position", /expected police or thief, found undefined/));
  assert.throws(() => table.board.square(0, 5), isError("argument", /off the board/));
});

test("bytes that are not a table are refused", () => {
  assert.throws(() => open(new Uint8Array(0)).pursuit(), isError("format", /found nothing/));
  assert.throws(() => open(new TextEncoder().encode("not a table")).pursuit(), isError("format", /found 6e 6f/));
  for (const source of [7, null]) {
    assert.throws(() => open(source).pursuit(), isError("argument", /expected an address, a Uint8Array/));
  }
  assert.throws(() => new Cache(-1), isError("argument", /limit: expected a number of at least 0, found -1/));
  assert.throws(() => new Cache(NaN), isError("argument", /limit/));
  assert.throws(() => open(goldenBytes("v2-size"), { cache: 5 }), isError("argument", /expected a Cache/));
  assert.throws(
    () => open(goldenBytes("v2-size")).pursuit({ officers: 2 }),
    isError("unsupported", /expected a table of 2 officers, found one of 1/),
  );
  const later = goldenBytes("v2-size");
  later[8] = 3;
  assert.throws(() => open(later).pursuit(), isError("version", /expected format version 2, found 3/));
});

test("a check of sums in steps says what share is done, and finds damage", () => {
  const kinds = [
    ["pursuit", "v2-size"],
    ["pursuit", "v2-cops"],
    ["game", "v2-graph"],
    ["pursuit", "v2-doors"],
    ["pursuit", "v2-searchlights"],
    ["partial", "v2-outcomes"],
    ["partial", "v2-moves-police"],
  ];
  for (const [kind, name] of kinds) {
    const bytes = goldenBytes(name);
    const table = open(bytes).any();
    assert.equal(table.kind, kind, name);
    const shares = [...table.checkSumsInSteps()];
    assert.equal(shares.length, table.checkSums().blocks, name);
    assert.ok(shares.every((share, k) => share > (shares[k - 1] ?? 0)), `${name}: ${shares}`);
    assert.equal(shares.at(-1), 1);
    bytes[bytes.length - 1] ^= 1;
    assert.throws(() => [...open(bytes).any().checkSumsInSteps()], DragnetError, name);
  }
});

test("a table answers without a cache", () => {
  const bytes = goldenBytes("v2-size");
  const cacheless = open(bytes, { cache: new Cache(0) }).pursuit();
  assert.deepEqual(cacheless.checkSums(), open(bytes).pursuit().checkSums());
});

test("a table is fetched, and a failed request is an error", async () => {
  const server = createServer((request, response) => {
    response.statusCode = request.url === "/v2-size.dtb" ? 200 : 404;
    response.end(response.statusCode === 200 ? goldenBytes("v2-size") : "");
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const base = `http://127.0.0.1:${server.address().port}`;
  try {
    const fetched = await open(`${base}/v2-size.dtb`).pursuit();
    assert.equal(fetched.digest, 0x1f7af12cd4d680cbn);
    const other = new URL("other.dtb", base);
    await assert.rejects(open(other).pursuit(), isError("fetch", /expected the status 206 or 200, found status 404/));
  } finally {
    server.closeAllConnections();
    server.close();
  }
  await once(server, "close");
  await assert.rejects(open(`${base}/v2-size.dtb`).pursuit(), isError("fetch", /expected an answer, found none/));
});
