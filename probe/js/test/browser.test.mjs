import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { after, before, test } from "node:test";
import { chromium } from "playwright-core";
import { open } from "dragnet-probe";
import { GOLDEN, goldenBytes, positions } from "./support/golden.mjs";
import { madeTable } from "./support/made.mjs";
import { Random } from "./support/random.mjs";
import { serveRanges } from "./support/range-server.mjs";
import { serve } from "./support/server.mjs";

const CHROMIUM = process.env.CHROMIUM ?? "/usr/bin/chromium";
const skip = existsSync(CHROMIUM) ? false : `${CHROMIUM} does not exist; set CHROMIUM to the path of a Chromium`;

/** A page that only imports the package through an import map. */
const PLAIN = `<!doctype html><link rel="icon" href="data:,">
<script type="importmap">{ "imports": { "dragnet-probe": "/dist/index.js" } }</script>
<script type="module">window.dragnet = await import("dragnet-probe");</script>`;

const LARGE = madeTable(24, new Random(6));

let server;
let address;
let browser;
before(async () => {
  if (skip) return;
  ({ server, address } = await serve({ "/plain.html": PLAIN, "/large.dtb": LARGE }));
  const start = () => chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox"] });
  // It crashes at its start now and then.
  browser = await start().catch(start);
});
after(async () => {
  await browser?.close();
  server?.closeAllConnections();
  server?.close();
});

/** Opens a page and collects what it logs as errors and warnings, and its uncaught errors. */
async function openPage(path) {
  const page = await browser.newPage();
  const errors = [];
  page.on("pageerror", (error) => errors.push(String(error)));
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) errors.push(message.text());
  });
  await page.goto(address + path);
  return { page, errors };
}

for (const name of GOLDEN) {
  test(`${name}: a browser answers as Node does`, { skip }, async () => {
    const table = open(goldenBytes(name)).pursuit();
    const asked = [...positions(table)];
    const { page, errors } = await openPage("/plain.html");
    await page.waitForFunction(() => window.dragnet !== undefined);
    const found = await page.evaluate(
      async ([url, all]) => {
        const fetched = await window.dragnet.open(url).pursuit();
        fetched.checkSums();
        return { values: all.map((position) => fetched.value(position)), digest: String(fetched.digest) };
      },
      [`${address}/golden/${name}.dtb`, asked],
    );
    assert.deepEqual(found.values, asked.map((position) => table.value(position)));
    assert.equal(found.digest, String(table.digest));
    assert.deepEqual(errors, []);
    await page.close();
  });
}

test("a browser opens a table in pieces and answers as Node does", { skip }, async () => {
  const table = open(LARGE).pursuit();
  const asked = Array.from({ length: 8 }, (_, k) => ({
    police: [k, 23 - k],
    thief: [3 * k, 2 * k],
    turn: k % 2 === 0 ? "police" : "thief",
  }));
  const { page, errors } = await openPage("/plain.html");
  await page.waitForFunction(() => window.dragnet !== undefined);
  const found = await page.evaluate(
    async ([url, all]) => {
      const opened = await window.dragnet.open(url).pursuit();
      const first = opened.fetched;
      const answers = await Promise.all(all.map((position) => opened.load((t) => {
        const { outcome, dtw } = t.slice(position, "police");
        return { moves: t.moves(position), outcome: [...outcome], dtw: [...dtw] };
      })));
      const { fetched, byteLength } = opened;
      const checked = await opened.load((t) => t.checkSums());
      return { first, answers, fetched, byteLength, checked, isLocal: opened.isLocal };
    },
    ["/large.dtb", asked],
  );
  const answers = asked.map((position) => {
    const { outcome, dtw } = table.slice(position, "police");
    return { moves: table.moves(position), outcome: [...outcome], dtw: [...dtw] };
  });
  assert.deepEqual(found.answers, answers);
  assert.ok(found.first >= 65536 && found.first < found.fetched);
  assert.equal(found.byteLength, LARGE.length);
  assert.ok(found.fetched < LARGE.length);
  assert.deepEqual(found.checked, table.checkSums());
  assert.ok(found.isLocal);
  assert.deepEqual(errors, []);
  await page.close();
});

test("a page reads a table of another origin that allows it, and says what is lacking if not", { skip }, async () => {
  const shown = { "access-control-allow-origin": "*", "access-control-expose-headers": "content-range, etag" };
  const hidden = { "access-control-allow-origin": "*" };
  const position = { police: [20, 1], thief: [3, 17], turn: "thief" };
  const { page } = await openPage("/plain.html");
  await page.waitForFunction(() => window.dragnet !== undefined);
  const answers = [];
  for (const more of [shown, hidden, {}]) {
    const other = await serveRanges(LARGE, ({ status, headers, body }) =>
      ({ status, headers: { ...headers, ...more }, body }));
    answers.push(await page.evaluate(
      async ([url, position]) => {
        try {
          const opened = await window.dragnet.open(url).pursuit();
          return await opened.load((t) => t.value(position));
        } catch (error) {
          return `${error.kind}: ${error.message}`;
        }
      },
      [other.url, position],
    ));
    other.close();
  }
  const [allowed, unseen, refused] = answers;
  assert.deepEqual(allowed, open(LARGE).pursuit().value(position));
  assert.match(unseen, /^fetch: .* expected a header Content-Range, .* Access-Control-Expose-Headers/);
  assert.match(refused, /^fetch: .* expected an answer, found none/);
  await page.close();
});
