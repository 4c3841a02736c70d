// Measures the application in Chromium, as a person would feel it:
//
//     DRAGNET=target/dist/dragnet node tools/web/bench.mjs [STROKES]     40 strokes if it is not said
//
// * from a stroke to its answer: a wall is drawn or erased on a random square of a board, with the page
//   solving it anew; the time from the press of the button until the new value is on the page;
// * frames while a piece is dragged over the heat map of a board of 128×128.
//
// Prints a line for each, with the median and the tenth that is slowest.

import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { load } from "./test/support/modules.mjs";
import { launch, openPage } from "./test/support/pages.mjs";

const { fit } = await load("board/camera.ts");
const STROKES = Number(process.argv[2] ?? 40);
/** Strokes before those that count: the engine's code is compiled meanwhile. */
const FIRST = 10;
const { DRAGNET } = process.env;
if (DRAGNET === undefined) throw new Error("DRAGNET must be the path of the program");

const BOARDS = [
  ["open 32×32", "open", 32],
  ["random 32×32", "random", 32],
  ["open 64×64", "open", 64],
  ["random 64×64", "random", 64],
];

function part(numbers, share) {
  return numbers.toSorted((a, b) => a - b)[Math.floor((numbers.length - 1) * share)];
}

function report(name, milliseconds) {
  const [half, tenth] = [part(milliseconds, 0.5), part(milliseconds, 0.9)].map((time) => time.toFixed(1));
  console.log(`${name.padEnd(28)} median ${half} ms, 90 % within ${tenth} ms`);
}

/** Makes a board file with an exit, an officer and a thief. Returns its name. */
function makeBoard(folder, kind, size) {
  const name = `${kind}-${size}`;
  const seed = kind === "random" ? ["--seed", "1"] : [];
  const text = execFileSync(DRAGNET, ["board", "--make", kind, "--size", `${size}x${size}`, ...seed, "--to", "text"]);
  let board = text.toString().replace(".", "E").replace(".", "P");
  const last = board.lastIndexOf(".");
  board = `${board.slice(0, last)}T${board.slice(last + 1)}`;
  writeFileSync(join(folder, `${name}.txt`), board);
  return name;
}

/** Returns a function that gives the middle of a square on the page. */
async function squares(page, size) {
  const box = await page.locator(".board canvas").boundingBox();
  const seen = { width: Math.round(box.width), height: Math.round(box.height) };
  const { scale, left, top } = fit({ height: size, width: size }, seen);
  return (row, column) => [box.x + left + (column + 0.5) * scale, box.y + top + (row + 0.5) * scale];
}

async function strokes(browser, address, kind, size) {
  const { page } = await openPage(browser, `${address}#1/draw?item=${kind}-${size}`);
  await page.locator(".answer[data-state='solved']").waitFor({ timeout: 60_000 });
  const at = await squares(page, size);
  await page.evaluate(() => {
    const answer = document.querySelector(".answer");
    let begin;
    globalThis.times = [];
    addEventListener("pointerdown", ({ timeStamp }) => (begin = timeStamp), { capture: true });
    const note = () => {
      if (begin === undefined || answer.dataset.state !== "solved") return;
      globalThis.times.push(performance.now() - begin);
      begin = undefined;
    };
    new MutationObserver(note).observe(answer, { attributeFilter: ["data-state"] });
  });
  let seed = 7;
  const random = (below) => (seed = (seed * 48271) % 2147483647) % below;
  for (let stroke = 0; stroke < FIRST + STROKES; stroke++) {
    await page.mouse.click(...at(2 + random(size - 4), 2 + random(size - 4)));
    await page.waitForFunction((count) => globalThis.times.length >= count, stroke + 1, { polling: 20, timeout: 60_000 });
  }
  const times = await page.evaluate(() => globalThis.times);
  await page.close();
  return times.slice(FIRST);
}

async function frames(browser, address, name, size) {
  const place = `police=${size - 1},${size - 1}&thief=0,0&heat=thief`;
  const { page } = await openPage(browser, `${address}#1/table/${name}?${place}`);
  await page.waitForTimeout(3000);
  const at = await squares(page, size);
  await page.evaluate(() => {
    globalThis.frames = [];
    let before;
    const frame = (now) => {
      if (before !== undefined) globalThis.frames.push(now - before);
      before = now;
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  });
  await page.mouse.move(...at(size - 1, size - 1));
  await page.mouse.down();
  await page.evaluate(() => (globalThis.frames.length = 0));
  for (let step = 0; step < 200; step++) {
    await page.mouse.move(...at(size - 2 - (step % 100), size - 2 - ((step * 7) % 100)));
  }
  const found = await page.evaluate(() => globalThis.frames);
  await page.mouse.up();
  await page.close();
  return found;
}

const folder = mkdtempSync(join(tmpdir(), "dragnet-bench-"));
let server;
let browser;
try {
  const names = BOARDS.map(([, kind, size]) => `${makeBoard(folder, kind, size)}.txt`);
  const wide = makeBoard(folder, "open", 128);
  execFileSync(DRAGNET, ["generate", `${wide}.txt`, "--favour", "speed", "--out", "tables", "--quiet"], { cwd: folder });
  server = spawn(DRAGNET, ["serve", "tables", ...names, "--listen", "127.0.0.1:0"], { cwd: folder });
  const [line] = await once(createInterface(server.stdout), "line");
  const address = line.match(/http:\S+/)[0];
  browser = await launch();
  for (const [title, kind, size] of BOARDS) report(`stroke on ${title}`, await strokes(browser, address, kind, size));
  report("frames of a drag on 128×128", await frames(browser, address, wide, 128));
} finally {
  await browser?.close();
  server?.kill();
  rmSync(folder, { recursive: true });
}
