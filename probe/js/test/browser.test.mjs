import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { after, before, test } from "node:test";
import { chromium } from "playwright-core";
import { Table } from "dragnet-probe";
import { GOLDEN, goldenBytes, positions } from "./support/golden.mjs";
import { serve } from "./support/server.mjs";

const CHROMIUM = process.env.CHROMIUM ?? "/usr/bin/chromium";
const skip = existsSync(CHROMIUM) ? false : `${CHROMIUM} does not exist; set CHROMIUM to the path of a Chromium`;

/** A page that only imports the package through an import map. */
const PLAIN = `<!doctype html><link rel="icon" href="data:,">
<script type="importmap">{ "imports": { "dragnet-probe": "/dist/index.js" } }</script>
<script type="module">window.dragnet = await import("dragnet-probe");</script>`;

let server;
let address;
let browser;
before(async () => {
  if (skip) return;
  ({ server, address } = await serve({ "/plain.html": PLAIN }));
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
