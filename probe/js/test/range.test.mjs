import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { DragnetError, open } from "dragnet-probe";
import { goldenBytes } from "./support/golden.mjs";
import { madeGameTable, madeTable } from "./support/made.mjs";
import { Random } from "./support/random.mjs";
import { extents, layout } from "./support/repair.mjs";
import { rightAnswer, serveRanges } from "./support/range-server.mjs";

const SIZE = 24;
const bytes = madeTable(SIZE, new Random(1));
const local = open(bytes).pursuit();
const position = { police: [3, 4], thief: [15, 16], turn: "thief" };
/** The requests that open the table: for its beginning, and for moves and ends behind the positions. */
const OPENING = 2;
const servers = [];

/** Serves a table for the time of the tests. */
async function serve(content, change) {
  const server = await serveRanges(content, change);
  servers.push(server);
  return server;
}

before(() => assert.ok(bytes.length > 2 ** 20));
after(() => servers.forEach(({ close }) => close()));

function isError(kind, message) {
  return (error) => {
    assert.ok(error instanceof DragnetError, String(error));
    assert.equal(error.kind, kind, error.message);
    assert.match(error.message, message);
    return true;
  };
}

/** Returns random positions of the table. */
function positionsFrom(random, count) {
  const cell = () => [random.below(SIZE), random.below(SIZE)];
  return Array.from({ length: count }, () => ({
    police: cell(),
    thief: cell(),
    turn: random.pick(["police", "thief"]),
  }));
}

test("a table that is fetched in pieces answers as one in memory", async () => {
  const { url, traffic } = await serve(bytes);
  const table = await open(url).pursuit();
  assert.equal(table.isLocal, false);
  assert.equal(table.byteLength, bytes.length);
  const { requests, most, aborted } = traffic;
  assert.deepEqual({ requests, most, aborted }, { requests: OPENING, most: 1, aborted: 0 });
  assert.equal(table.fetched, traffic.bytes);
  assert.ok(table.fetched < 65536 + 8192, `${table.fetched}`);
  for (const asked of positionsFrom(new Random(2), 30)) {
    assert.deepEqual(await table.load((t) => t.value(asked)), local.value(asked));
    assert.deepEqual(await table.load((t) => t.moves(asked)), local.moves(asked));
    for (const piece of ["police", "thief"]) {
      assert.deepEqual(await table.load((t) => t.slice(asked, piece)), local.slice(asked, piece));
    }
  }
  assert.deepEqual(await table.load((t) => t.checkSums()), local.checkSums());
  assert.ok(table.isLocal);
  assert.equal(table.fetched, bytes.length);
  assert.deepEqual(table.bytes, bytes);
  assert.ok(traffic.bytes < 1.5 * bytes.length, `${traffic.bytes}`);
});

test("a game table that is fetched in pieces answers as one in memory", async () => {
  const game = madeGameTable(100_000, new Random(3));
  const { url, traffic } = await serve(game);
  const whole = open(game).game();
  const table = await open(url).game();
  assert.throws(() => table.rank([0, 50_000, 99_999]), { kind: "missing" });
  const asked = [0, 50_000, 99_999];
  assert.deepEqual(await table.load((t) => t.rank(asked)), whole.rank(asked));
  assert.deepEqual(await table.load((t) => t.value(70_000)), whole.value(70_000));
  assert.ok(traffic.bytes < game.length / 2);
  assert.deepEqual(await table.load((t) => t.statistics()), whole.statistics());
  assert.deepEqual(table.values(), whole.values());
  await assert.rejects(open(url).pursuit(), isError("unsupported", /a game table, which `game` opens/));
  await assert.rejects(table.load((t) => t.value(100_000)), isError("position", /found 100000/));
});

test("successors that are computed from the table itself are ranked right", async () => {
  const game = madeGameTable(100_000, new Random(3));
  const { url } = await serve(game);
  const table = await open(url).game();
  const successors = function* () {
    for (const next of [0, 60_000, 99_999]) if (table.value(next).dtw !== 1) yield next;
  };
  assert.deepEqual(await table.load((t) => t.rank(successors())), open(game).game().rank([0, 60_000, 99_999]));
});

test("a question without load says which bytes it lacks, all of them at once", async () => {
  const { url, traffic } = await serve(bytes);
  const table = await open(url).pursuit();
  const { dataStart } = layout(bytes);
  const lacking = [];
  const asks = [(t) => t.value(position), (t) => t.moves(position), (t) => t.slice(position, "police"), (t) => t.bytes];
  for (const ask of asks) {
    assert.throws(() => ask(table), (error) => {
      assert.equal(error.kind, "missing");
      lacking.push(error.ranges);
      return true;
    });
  }
  for (const ranges of lacking) {
    for (const [k, { start, end }] of ranges.entries()) {
      assert.ok(start >= 65536 && start < end && end <= bytes.length);
      if (k > 0) assert.ok(start > ranges[k - 1].end);
    }
  }
  // The thief can step to cells in the thief tiles 4, 5 and 8; the police stands in tile 0.
  const blocks = extents(bytes);
  const covers = (ranges, { start, end }) =>
    ranges.some((range) => range.start <= Math.max(start, 65536) && range.end >= end);
  for (const block of [5, 8]) assert.ok(covers(lacking[0], blocks[block]));
  assert.equal(lacking[0].length, 2);
  // There are 9 police tiles, each with 9 thief tiles.
  for (const block of [5, 8, 13, 14, 17, 76, 77]) assert.ok(covers(lacking[2], blocks[block]));
  assert.ok(lacking[2].length <= 18, `${lacking[2].length}`);
  assert.equal(lacking[3].length, 1);
  assert.equal(lacking[3][0].end - lacking[3][0].start, bytes.length - table.fetched);
  assert.ok(lacking[1].every(({ start }) => start >= dataStart));
  assert.equal(traffic.requests, OPENING);
  await table.load((t) => t.slice(position, "police"));
  assert.ok(traffic.requests <= OPENING + lacking[2].length);
  const before = traffic.requests;
  await table.load((t) => t.slice(position, "police"));
  assert.deepEqual(table.slice(position, "police"), local.slice(position, "police"));
  assert.equal(traffic.requests, before);
});

test("requests name the version that was opened, ask for no compression, and at most six are under way", async () => {
  const { url, traffic } = await serve(bytes, async (answer) => {
    await setTimeout(20);
    return answer;
  });
  const table = await open(url).pursuit();
  await Promise.all(positionsFrom(new Random(4), 20).map((asked) => table.load((t) => t.slice(asked, "police"))));
  const [first, ...others] = traffic.headers;
  assert.equal(first.range, "bytes=0-65535");
  assert.equal(first["if-range"], undefined);
  assert.ok(others.length > 6);
  for (const headers of others) {
    assert.equal(headers["if-range"], '"one"');
    assert.equal(headers["accept-encoding"], "identity");
  }
  assert.equal(traffic.most, 6);
});

test("calls at the same time share what they both need", async () => {
  const { url, traffic } = await serve(bytes);
  const table = await open(url).pursuit();
  const ask = () => table.load((t) => t.slice(position, "thief"));
  const answers = await Promise.all([ask(), ask(), ask()]);
  const alone = await serve(bytes);
  const other = await open(alone.url).pursuit();
  assert.deepEqual(await other.load((t) => t.slice(position, "thief")), answers[2]);
  assert.equal(traffic.requests, alone.traffic.requests);
});

test("a server that ignores Range sends the whole table once", async () => {
  for (const content of [bytes, goldenBytes("v2-size")]) {
    const { url, traffic } = await serve(content, () => ({ status: 200, headers: {}, body: content }));
    const table = await open(new URL(url)).pursuit();
    assert.ok(table.isLocal);
    assert.equal(table.fetched, content.length);
    await table.load((t) => t.checkSums());
    assert.equal(traffic.requests, 1);
  }
});

test("a short table comes with the first request", async () => {
  const { url, traffic } = await serve(goldenBytes("v2-team"));
  const table = await open(url).pursuit();
  assert.ok(table.isLocal);
  assert.deepEqual(table.checkSums(), open(goldenBytes("v2-team")).pursuit().checkSums());
  assert.equal(traffic.requests, 1);
});

test("load passes on what the question throws, and works for tables in memory", async () => {
  const { url } = await serve(bytes);
  const table = await open(url).pursuit();
  const failure = new Error("mine");
  await assert.rejects(table.load(() => { throw failure; }), failure);
  await assert.rejects(table.load((t) => t.value({ ...position, thief: [99, 0] })), { kind: "position" });
  // A table answers only for its own bytes.
  const other = await open(url).pursuit();
  await assert.rejects(table.load(() => other.value(position)), { kind: "missing" });
  assert.deepEqual(await local.load((t) => t.value(position)), local.value(position));
  assert.equal(await local.load(() => undefined), undefined);
});

test("an aborted signal rejects with its reason, and the table can be used further", async () => {
  let slow = true;
  const { url, traffic } = await serve(bytes, async (answer, _, number) => {
    if (slow && number > OPENING) await setTimeout(60_000, undefined, { ref: false });
    return answer;
  });
  const reason = new Error("enough");
  await assert.rejects(open(url, { signal: AbortSignal.abort(reason) }).pursuit(), reason);
  const table = await open(url).pursuit();
  await assert.rejects(table.load((t) => t.value(position), { signal: AbortSignal.abort(reason) }), reason);
  assert.equal(traffic.requests, OPENING);

  const one = new AbortController();
  const two = new AbortController();
  const ask = (signal) => table.load((t) => t.slice(position, "police"), { signal });
  const asked = [ask(one.signal), ask(two.signal)];
  while (traffic.requests < OPENING + 6) await setTimeout(5);
  one.abort(reason);
  await assert.rejects(asked[0], reason);
  await setTimeout(50);
  assert.equal(traffic.aborted, 0, "the other call still waits for the requests");
  two.abort();
  await assert.rejects(asked[1], { name: "AbortError" });
  while (traffic.aborted < 6) await setTimeout(5);
  assert.equal(traffic.requests, OPENING + 6, "requests that were waiting are never made");

  slow = false;
  assert.deepEqual(await ask(undefined), local.slice(position, "police"));
  const silent = await serve(bytes, () => ({ body: () => {} }));
  await assert.rejects(open(silent.url, { signal: AbortSignal.timeout(20) }).pursuit(), { name: "TimeoutError" });
});

/** Answers that break a rule, as changes of the right answer; each has the kind and message of the error. */
const WRONG = {
  "a range that begins later": ["fetch", /expected bytes \d+ to \d+, found bytes 512 to/, (answer) =>
    withRange(answer, (first, last, length) => `bytes ${512}-${last}/${length}`)],
  "a range that ends earlier": ["fetch", /expected bytes \d+ to \d+, found bytes/, (answer) =>
    withRange(answer, (first, last, length) => `bytes ${first}-${last - 1}/${length}`)],
  "a range that ends later": ["fetch", /expected bytes \d+ to \d+, found bytes/, (answer) =>
    withRange(answer, (first, last, length) => `bytes ${first}-${last + 1}/${length}`, true)],
  "an unknown length": ["fetch", /expected a Content-Range "bytes FIRST-LAST\/LENGTH", found "bytes .*\/\*"/, (answer) =>
    withRange(answer, (first, last) => `bytes ${first}-${last}/*`)],
  "a length beyond all numbers": ["fetch", /expected a Content-Range/, (answer) =>
    withRange(answer, (first, last) => `bytes ${first}-${last}/99999999999999999999`)],
  "another unit": ["fetch", /expected a Content-Range/, (answer) =>
    withRange(answer, (first, last, length) => `rows ${first}-${last}/${length}`)],
  "no range": ["fetch", /expected a header Content-Range, found none/, ({ status, body }) =>
    ({ status, headers: {}, body })],
  "several parts": ["fetch", /expected a header Content-Range, found several parts/, ({ status, body }) =>
    ({ status, headers: { "content-type": "multipart/byteranges; boundary=x" }, body })],
  "a body that is too short": ["fetch", /expected a body of \d+ bytes, found \d+/, ({ status, headers, body }) =>
    ({ status, headers, body: body.subarray(0, -1) })],
  "no body": ["fetch", /expected a body of \d+ bytes, found 0/, ({ status, headers }) =>
    ({ status, headers, body: "" })],
  "a body that is too long": ["fetch", /expected a body of \d+ bytes, found more/, ({ status, headers, body }) =>
    ({ status, headers, body: Buffer.concat([body, Buffer.alloc(1)]) })],
  "a body without end": ["fetch", /expected a body of \d+ bytes, found more/, ({ status, headers }) =>
    ({ status, headers, body: endless })],
  "a connection that breaks": ["fetch", /expected an answer, found none or a broken one/, ({ headers, body }) =>
    ({ body: (response) => {
      response.writeHead(206, { ...headers, "content-length": body.length });
      response.write(body.subarray(0, 100), () => response.destroy());
    } })],
  "a connection that is closed at once": ["fetch", /expected an answer, found none/, () =>
    ({ body: (response) => response.destroy() })],
  "a compressed body": ["fetch", /expected the bytes of the file, found the encoding gzip/, (answer) =>
    ({ ...answer, headers: { ...answer.headers, "content-encoding": "gzip" } })],
  "a redirect without end": ["fetch", /expected an answer, found none/, () =>
    ({ status: 302, headers: { location: "/table.dtb" }, body: "" })],
  "not found": ["fetch", /expected the status 206 or 200, found status 404/, () =>
    ({ status: 404, headers: {}, body: "not here" })],
  "a broken server": ["fetch", /found status 500/, () => ({ status: 500, headers: {}, body: "" })],
  "no content": ["fetch", /found status 204/, () => ({ status: 204, headers: {}, body: "" })],
};

/** Answers that are wrong only after the table was opened. */
const WRONG_LATER = {
  "the whole file": ["changed", /the file has changed .* found status 200; open it again/, () =>
    ({ status: 200, headers: {}, body: bytes })],
  "a failed condition": ["changed", /found status 412/, () => ({ status: 412, headers: {}, body: "" })],
  "a range beyond the end": ["changed", /found status 416/, () => ({ status: 416, headers: {}, body: "" })],
  "another length": ["changed", /expected the length \d+, found \d+/, (answer) =>
    withRange(answer, (first, last, length) => `bytes ${first}-${last}/${length + 1}`)],
  "another ETag": ["changed", /expected the ETag "one", found "two"/, (answer) =>
    ({ ...answer, headers: { ...answer.headers, etag: '"two"' } })],
  "other bytes": ["checksum", /expected [0-9a-f]{8}, found/, (answer) =>
    ({ ...answer, body: answer.body.map((byte) => byte ^ 1) })],
};

function withRange({ status, headers, body }, text, longer = false) {
  const [first, last, length] = headers["content-range"].match(/\d+/g).map(Number);
  const more = longer ? Buffer.alloc(1) : Buffer.alloc(0);
  const range = text(first, last, length);
  return { status, headers: { ...headers, "content-range": range }, body: Buffer.concat([body, more]) };
}

function endless(response) {
  response.writeHead(206, { "content-range": `bytes 0-65535/${bytes.length}`, etag: '"one"' });
  const more = () => response.destroyed || response.write(Buffer.alloc(2 ** 16), () => setImmediate(more));
  more();
}

for (const [name, [kind, message, change]] of Object.entries(WRONG)) {
  test(`the first answer is refused: ${name}`, async () => {
    const { url } = await serve(bytes, change);
    await assert.rejects(open(url).pursuit(), isError(kind, message));
  });
}

for (const [name, [kind, message, change]] of Object.entries({ ...WRONG, ...WRONG_LATER })) {
  if (name === "a body without end") continue;
  test(`a later answer is refused, and a right one afterwards accepted: ${name}`, async () => {
    let wrong = true;
    const { url } = await serve(bytes, (answer, _, number) => (wrong && number > OPENING ? change(answer) : answer));
    const table = await open(url).pursuit();
    await assert.rejects(table.load((t) => t.value(position)), isError(kind, message));
    assert.throws(() => table.value(position), DragnetError);
    wrong = false;
    if (name === "other bytes") await assert.rejects(table.load((t) => t.value(position)), { kind: "checksum" });
    else assert.deepEqual(await table.load((t) => t.value(position)), local.value(position));
  });
}

test("files that are not tables, or of another length than their header says, are refused", async () => {
  const opened = async (content, change) => open((await serve(content, change)).url).pursuit();
  await assert.rejects(opened(new Uint8Array(0)), isError("fetch", /found status 416/));
  await assert.rejects(opened(Buffer.from("<!doctype html>")), isError("format", /not a Dragnet table/));
  await assert.rejects(opened(bytes.subarray(0, 100_000)), isError("length", /expected a file of \d+ bytes, found 100000/));
  await assert.rejects(opened(bytes.subarray(0, 300)), isError("length", /the header: expected at least/));
  const withLength = (length) => (answer) => withRange(answer, (first, last) => `bytes ${first}-${last}/${length}`);
  await assert.rejects(opened(bytes, withLength(bytes.length + 512)), isError("length", /expected a file of/));
  await assert.rejects(opened(bytes, withLength(2 ** 53 - 1)), isError("unsupported", /fits into memory/));
  const page = () => ({ status: 200, headers: {}, body: "<!doctype html>" });
  await assert.rejects(opened(bytes, page), isError("format", /not a Dragnet table/));
  const gone = await serve(bytes);
  gone.close();
  await assert.rejects(open(gone.url).pursuit(), isError("fetch", /expected an answer, found none/));
  await assert.rejects(open("table.dtb").pursuit(), isError("fetch", /table.dtb: expected an answer/));
});

test("a redirect is followed, and other dates or weak tags tell versions apart", async () => {
  const { url } = await serve(bytes, (answer, { url }) =>
    url === "/table.dtb" ? { status: 307, headers: { location: "/there.dtb" }, body: "" } : answer);
  const table = await open(url).pursuit();
  assert.deepEqual(await table.load((t) => t.value(position)), local.value(position));
  for (const header of ["last-modified", "etag"]) {
    const values = { "last-modified": (k) => `Mon, 01 Jan 2024 00:00:0${k} GMT`, etag: (k) => `W/"${k}"` };
    let version = 1;
    const { url, traffic } = await serve(bytes, (_, { headers: asked }) => {
      // The tag of other tests is not the one that is sent here.
      const { status, body, headers: { "content-range": range } } = rightAnswer(bytes, { range: asked.range });
      const headers = { [header]: values[header](version), ...(range ? { "content-range": range } : {}) };
      return { status, headers, body };
    });
    const dated = await open(url).pursuit();
    version = 2;
    await assert.rejects(dated.load((t) => t.value(position)), isError("changed", /open it again/));
    assert.equal(traffic.headers[1]["if-range"], header === "etag" ? undefined : values[header](1));
  }
});

test("bytes that have been checked do not change when they arrive again", async () => {
  // A later request covers the gap between two ranges, in which a block has been checked already.
  let damaged = false;
  const { url } = await serve(bytes, (answer) =>
    (damaged ? { ...answer, body: answer.body.map((byte) => byte ^ 255) } : answer));
  const table = await open(url).pursuit();
  const { police, thief } = position;
  const near = { police, thief: [thief[0], 1], turn: "police" };
  const value = await table.load((t) => t.value(near));
  damaged = true;
  await assert.rejects(table.load((t) => t.checkSums()), { kind: "checksum" });
  assert.deepEqual(value, local.value(near));
  assert.deepEqual(table.value(near), value);
});

test("answers from pieces with random damage are right or errors", async () => {
  const random = new Random(7);
  let isOpen = false;
  const { url } = await serve(bytes, ({ status, headers, body }) => {
    const changed = Uint8Array.from(body);
    const bits = !isOpen || random.below(6) > 0 ? 0 : 1 + random.below(3);
    for (let k = 0; k < bits; k++) changed[random.below(changed.length)] ^= 1 << random.below(8);
    return { status, headers, body: changed };
  });
  const counts = { right: 0, checksum: 0 };
  for (let round = 0; round < 10; round++) {
    isOpen = false;
    const table = await open(url).pursuit();
    isOpen = true;
    for (const asked of positionsFrom(random, 20)) {
      for (const ask of [(t) => t.value(asked), (t) => t.moves(asked), (t) => t.slice(asked, "thief")]) {
        const found = await table.load(ask).catch((error) => error);
        if (found instanceof DragnetError) {
          counts[found.kind]++;
        } else {
          assert.deepEqual(found, ask(local));
          counts.right++;
        }
      }
    }
  }
  assert.ok(counts.right > 50 && counts.checksum > 20, JSON.stringify(counts));
  assert.deepEqual(Object.keys(counts), ["right", "checksum"]);
});
