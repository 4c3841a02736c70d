import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { build } from "esbuild";
import { open } from "dragnet-probe";
import { golden, launch, serve, skip } from "./support/pages.mjs";

const run = promisify(execFile);
const PACKAGES = ["../../../probe/js", ".."].map((path) => fileURLToPath(new URL(path, import.meta.url)));

/** A program of somebody else's, which the compiler checks against the types of the package. */
const PROGRAM = `
import "dragnet-web";
import type { BoardChange } from "dragnet-web";

const board = document.querySelector("dragnet-board")!;
const told: BoardChange[] = [];
const errors: string[] = [];
board.addEventListener("dragnet-change", ({ detail }) => told.push(detail));
board.addEventListener("dragnet-error", ({ detail }) => errors.push(detail.message));
Object.assign(window, { board, told, errors });
`;

const PAGE = `<!doctype html><html lang="en"><head><meta charset="utf-8" /><title>Somebody's page</title>
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:" />
<link rel="icon" href="data:," /><script type="module" src="/program.js"></script></head>
<body><main><dragnet-board label="The yard" src="/table.dtb" police="0,0" thief="1,1"></dragnet-board></main></body></html>`;

let project;
let server;
let address;
let browser;
before(async () => {
  if (skip) return;
  // A project of its own, with both packages as they are published.
  project = await mkdtemp(join(tmpdir(), "dragnet-element-"));
  const archives = [];
  // The reader is built: to build it anew would take it from under the other tests.
  await run("npm", ["run", "package"], { cwd: PACKAGES[1] });
  for (const folder of PACKAGES) {
    const { stdout } = await run("npm", ["pack", "--ignore-scripts", "--json", "--pack-destination", project], { cwd: folder });
    archives.push(join(project, JSON.parse(stdout.slice(stdout.indexOf("[")))[0].filename));
  }
  await writeFile(join(project, "package.json"), '{ "private": true, "type": "module" }');
  await run("npm", ["install", "--offline", "--no-fund", "--no-audit", ...archives], { cwd: project });
  await writeFile(join(project, "program.ts"), PROGRAM);
  const compiler = fileURLToPath(new URL("../node_modules/typescript", import.meta.url));
  await symlink(compiler, join(project, "node_modules/typescript"));
  const options = ["--noEmit", "--strict", "--target", "es2022", "--module", "es2022"];
  await run("node", ["node_modules/typescript/bin/tsc", ...options, "--moduleResolution", "bundler", "program.ts"], {
    cwd: project,
  });
  const out = join(project, "program.js");
  await build({ entryPoints: [join(project, "program.ts")], bundle: true, format: "esm", outfile: out });
  const files = { "/page.html": PAGE, "/program.js": await readFile(out), "/table.dtb": await golden("v2-size.dtb") };
  ({ server, address } = await serve(files));
  browser = await launch();
});
after(async () => {
  await browser?.close();
  server?.closeAllConnections();
  server?.close();
  if (project !== undefined) await rm(project, { recursive: true });
});

/** Opens the page and waits until its board shows the first position. */
async function openPage() {
  const page = await browser.newPage({ viewport: { width: 900, height: 500 } });
  const errors = [];
  page.on("pageerror", (error) => errors.push(String(error)));
  page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
  await page.goto(`${address}page.html`);
  await page.waitForFunction(() => window.told?.length === 1);
  return { page, errors };
}

const told = (page) => page.evaluate(() => window.told.at(-1));

/** Clicks the middle of a cell of the board, which has 2 rows and 18 columns and stands in the middle. */
async function clickCell(page, [row, column]) {
  const { x, y, width, height } = await page.locator("dragnet-board canvas").boundingBox();
  const margin = 8;
  const cell = Math.floor(Math.min((width - 2 * margin) / 18, (height - 2 * margin) / 2));
  const [left, top] = [x + (width - 18 * cell) / 2, y + (height - 2 * cell) / 2];
  await page.mouse.click(left + (column + 0.5) * cell, top + (row + 0.5) * cell);
}

test("a project of one's own shows a table, and hears of each position", { skip }, async () => {
  const table = open(await golden("v2-size.dtb")).pursuit();
  const { page, errors } = await openPage();
  const start = { world: 0, police: [0, 0], thief: [1, 1], turn: "police" };
  const first = await told(page);
  assert.deepEqual(first.position, start);
  assert.deepEqual(first.value, table.value(start));
  assert.deepEqual(first.moves, table.moves(start));
  assert.equal(first.by, "open");

  await page.evaluate(() => window.board.setAttribute("turn", "thief"));
  await page.waitForFunction(() => window.told.length === 2);
  assert.deepEqual((await told(page)).value, table.value({ ...start, turn: "thief" }));
  await clickCell(page, [1, 2]);
  await page.waitForFunction(() => window.told.length === 3);
  const after = { ...start, thief: [1, 2] };
  const moved = await told(page);
  assert.deepEqual([moved.position, moved.by], [after, "move"]);
  assert.deepEqual(moved.value, table.value(after));
  assert.deepEqual(errors, []);
  await page.close();
});

test("a fixed board keeps its pieces, and a script may still move them", { skip }, async () => {
  const { page, errors } = await openPage();
  await page.evaluate(() => {
    window.board.setAttribute("fixed", "");
    window.board.setAttribute("turn", "thief");
  });
  await page.waitForFunction(() => window.told.length === 2);
  await clickCell(page, [1, 2]);
  await page.evaluate(() => window.board.play(window.told[1].moves[0].to));
  await page.waitForFunction(() => window.told.length === 3);
  const [before, after] = await page.evaluate(() => window.told.slice(1));
  assert.deepEqual(after.position.thief, before.moves[0].to);
  assert.deepEqual(errors, []);
  await page.close();
});

test("a wrong attribute and a missing table give an event with the reason", { skip }, async () => {
  const { page } = await openPage();
  await page.evaluate(() => window.board.setAttribute("police", "9,9"));
  await page.waitForFunction(() => window.errors.length === 1);
  assert.match(await page.evaluate(() => window.errors[0]), /police: expected a cell of the board.*found 9,9/);
  await page.evaluate(() => window.board.setAttribute("src", "/none.dtb"));
  await page.waitForFunction(() => window.errors.length === 2);
  assert.match(await page.evaluate(() => window.errors[1]), /none\.dtb: expected the status 206 or 200, found status 404/);
  await page.close();
});
