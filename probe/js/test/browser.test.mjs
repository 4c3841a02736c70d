import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { after, before, test } from "node:test";
import { chromium } from "playwright-core";
import { Table } from "dragnet-probe";
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
  browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox"] });
});
after(async () => {
  await browser?.close();
  server?.closeAllConnections();
  server?.close();
});

/** Opens a page and collects what it logs as errors and warnings, and its uncaught errors. */
async function openPage(path, options) {
  const page = await browser.newPage({ viewport: { width: 1100, height: 760 }, ...options });
  const errors = [];
  page.on("pageerror", (error) => errors.push(String(error)));
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) errors.push(message.text());
  });
  await page.goto(address + path);
  return { page, errors };
}

async function openDemo(table, options) {
  const opened = await openPage(`/demo/index.html?table=/golden/${table}.dtb`, options);
  await opened.page.waitForFunction(() => document.documentElement.dataset.ready === "true");
  return opened;
}

/** Returns the number of different colours on the canvas. */
function colours(page) {
  return page.$eval("#board", (canvas) => {
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    return new Set(new Uint32Array(data.buffer)).size;
  });
}

/** Returns the coordinates of the middle of a cell on the page. */
async function middle(page, board, [row, column]) {
  const { x, y, width, height } = await page.locator("#board").boundingBox();
  return [x + ((column + 0.5) * width) / board.width, y + ((row + 0.5) * height) / board.height];
}

for (const name of GOLDEN) {
  test(`${name}: a browser answers as Node does`, { skip }, async () => {
    const table = Table.fromBytes(goldenBytes(name));
    const asked = [...positions(table)];
    const { page, errors } = await openPage("/plain.html");
    await page.waitForFunction(() => window.dragnet !== undefined);
    const found = await page.evaluate(
      async ([url, all]) => {
        const fetched = await window.dragnet.Table.fetch(url);
        fetched.verify();
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
  const table = Table.fromBytes(LARGE);
  const asked = Array.from({ length: 8 }, (_, k) => ({
    police: [k, 23 - k],
    thief: [3 * k, 2 * k],
    turn: k % 2 === 0 ? "police" : "thief",
  }));
  const { page, errors } = await openPage("/plain.html");
  await page.waitForFunction(() => window.dragnet !== undefined);
  const found = await page.evaluate(
    async ([url, all]) => {
      const opened = await window.dragnet.Table.open(url);
      const first = opened.fetched;
      const answers = await Promise.all(all.map((position) => opened.load((t) => {
        const { outcome, dtw } = t.slice(position, "police");
        return { moves: t.moves(position), outcome: [...outcome], dtw: [...dtw] };
      })));
      const { fetched, byteLength } = opened;
      const verified = await opened.load((t) => t.verify());
      return { first, answers, fetched, byteLength, verified, isLocal: opened.isLocal };
    },
    ["/large.dtb", asked],
  );
  const answers = asked.map((position) => {
    const { outcome, dtw } = table.slice(position, "police");
    return { moves: table.moves(position), outcome: [...outcome], dtw: [...dtw] };
  });
  assert.deepEqual(found.answers, answers);
  assert.equal(found.first, 65536);
  assert.equal(found.byteLength, LARGE.length);
  assert.ok(found.fetched < LARGE.length);
  assert.deepEqual(found.verified, table.verify());
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
          const opened = await window.dragnet.Table.open(url);
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
  assert.deepEqual(allowed, Table.fromBytes(LARGE).value(position));
  assert.match(unseen, /^fetch: .* expected a header Content-Range, .* Access-Control-Expose-Headers/);
  assert.match(refused, /^fetch: .* expected an answer, found none/);
  await page.close();
});

test("the demo draws a table, and shows the value after each drag, click and move", { skip }, async () => {
  const table = Table.fromBytes(goldenBytes("v1-size"));
  const { page, errors } = await openDemo("v1-size");
  assert.match(await page.textContent("#about"), /^v1-size\.dtb: 2×18, 1,352 positions$/);
  assert.ok((await colours(page)) > 20);

  // The test drags both pieces into a corner, makes one move with a click, and lets the page play the rest.
  const drag = async (from, to) => {
    await page.mouse.move(...(await middle(page, table.board, from)));
    await page.mouse.down();
    await page.mouse.move(...(await middle(page, table.board, to)), { steps: 4 });
    await page.mouse.up();
  };
  const start = startCells(table);
  await drag(start.police, [0, 0]);
  await drag(start.thief, [1, 1]);
  assert.equal(await page.textContent("#outcome"), "The police wins");
  assert.equal(await page.textContent("#distance"), "in 1 ply, the police to move");
  const moves = table.moves({ police: [0, 0], thief: [1, 1], turn: "police" });
  assert.equal(await page.locator("#moves li").count(), moves.length);

  await page.click('[data-turn="thief"]');
  assert.equal(await page.textContent("#distance"), "in 8 plies, the thief to move");
  await page.mouse.click(...(await middle(page, table.board, [1, 2])));
  assert.equal(await page.textContent("#distance"), "in 7 plies, the police to move");
  await page.click("#back");
  assert.equal(await page.textContent("#distance"), "in 8 plies, the thief to move");
  await page.click("#play");
  await page.waitForFunction(() => document.querySelector("#outcome").textContent === "The police has won");
  assert.equal(await page.textContent("#none"), "The game is over.");
  assert.deepEqual(errors, []);
  await page.close();
});

/** Returns the cells on which the demo puts the pieces first. */
function startCells(table) {
  const cells = [...new Set(Array.from(positions(table), ({ police }) => police))];
  const thief = cells.findLast(([row, column]) => table.board.square(row, column) === "open");
  const length = (police) => table.value({ police, thief, turn: "police" }).dtw ?? 0;
  return { thief, police: cells.reduce((best, cell) => (length(cell) > length(best) ? cell : best)) };
}

test("the demo opens files, reports invalid ones, and follows the colour scheme", { skip }, async () => {
  const { page, errors } = await openDemo("v1-speed", { colorScheme: "dark" });
  const paper = () => page.$eval("body", (body) => getComputedStyle(body).backgroundColor);
  const dark = await paper();
  assert.ok((await colours(page)) > 20);
  await page.emulateMedia({ colorScheme: "light" });
  assert.notEqual(await paper(), dark);
  await page.setInputFiles("#file", { name: "bad.dtb", mimeType: "", buffer: Buffer.from("nothing") });
  await page.waitForSelector("#error:not([hidden])");
  assert.match(await page.textContent("#error"), /not a Dragnet table/i);
  await page.setInputFiles("#file", { name: "v1-size.dtb", mimeType: "", buffer: Buffer.from(goldenBytes("v1-size")) });
  await page.waitForSelector("#error", { state: "hidden" });
  assert.match(await page.textContent("#about"), /^v1-size\.dtb/);
  assert.deepEqual(errors, []);
  await page.close();
});
