import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { after, before, test } from "node:test";
import { Opponent, Review, Strength, open } from "dragnet-probe";
import { openEngine } from "./support/engine.mjs";
import { load } from "./support/modules.mjs";
import { golden, launch, openPage, serve, skip } from "./support/pages.mjs";

const axe = readFileSync(new URL("../node_modules/axe-core/axe.min.js", import.meta.url), "utf8");
const { cellAt, fit } = await load("board/camera.ts");
const { overviewOf } = await load("board/overview.ts");

/** The boards of the golden tables, from the dumps beside them. */
const SIZES = {
  "v2-size": [2, 18],
  "v2-speed": [4, 5],
  "v2-team": [2, 9],
  "v2-cops": [1, 11],
  "v2-doors": [3, 3],
  "v2-round": [3, 4],
  "v2-searchlights": [3, 4],
};
/** The smallest board, and the widest, where only one row and the corners are open. */
const EXTREMES = {
  smallest: "E\n",
  widest: Array.from({ length: 512 }, (_, row) => {
    const wall = "#".repeat(510);
    return row === 256 ? `E${".".repeat(511)}` : row % 511 === 0 ? `.${wall}.` : `${wall}##`;
  }).join("\n"),
};
/** As `dragnet probe v2-size.dtb --police 1,0 --thief 0,5` prints it: a win of the police in 9 plies. */
const NINE = "#1/table/v2-size?police=1,0&thief=0,5&turn=police&heat=thief";
/** The fields of `dragnet stats --json v2-size.dtb` that are shown. */
const STATISTICS = {
  cells: 26,
  digest: "1f7af12cd4d680cb",
  histogram: {
    police: [
      [0, 52],
      [9, 26],
      [14, 16],
    ],
    thief: [
      [0, 50],
      [16, 13],
    ],
  },
  longest: { police: 14, thief: 16 },
  longest_examples: {
    police: { dtw: 14, police: [0, 8], thief: [0, 12], turn: "thief" },
    thief: { dtw: 16, police: [0, 0], thief: [1, 15], turn: "police" },
  },
  police_to_move: { draw: 213, police: 240, thief: 223 },
  thief_to_move: { draw: 213, police: 221, thief: 242 },
  positions: 1352,
};
/** The longest wins of the tables in the list, in plies. */
const LONGEST = { police: 1, thief: 0 };
/** The facts in the list about a table of a board of one cell. */
const ONE_CELL = { game: "pursuit", height: 1, width: 1, cells: 1, officers: 1, longest: LONGEST };

let browser;
let site;
before(async () => {
  if (skip) return;
  const files = { "/tables/v2-size.stats.json": JSON.stringify(STATISTICS) };
  const items = [];
  for (const [name, [height, width]] of Object.entries(SIZES)) {
    const bytes = (files[`/tables/${name}.dtb`] = await golden(`${name}.dtb`));
    const common = {
      kind: "table",
      name,
      url: `tables/${name}.dtb`,
      game: "pursuit",
      positions: 1,
      bytes: bytes.length,
      longest: LONGEST,
    };
    items.push({ ...common, height, width, cells: height * width, officers: /team|cops|searchlights/.test(name) ? 2 : 1 });
  }
  items[0].statistics = "tables/v2-size.stats.json";
  files["/tables/v2-graph.dtb"] = await golden("v2-graph.dtb");
  items.push({
    kind: "table",
    name: "v2-graph",
    url: "tables/v2-graph.dtb",
    game: "graph",
    positions: 131,
    bytes: 1130,
  });
  const engine = await openEngine();
  for (const [name, board] of Object.entries(EXTREMES)) {
    const bytes = engine.ask("solve", { ground: { board }, favour: "size" }).table;
    files[`/tables/${name}.dtb`] = bytes;
    const size = name === "widest" ? 512 : 1;
    const common = { kind: "table", name, url: `tables/${name}.dtb`, game: "pursuit", positions: 1, longest: LONGEST };
    items.push({ ...common, bytes: bytes.length, height: size, width: size, cells: size * size, officers: 1 });
  }
  const broken = Buffer.from(await golden("v2-size.dtb"));
  for (let k = 200; k < broken.length; k++) broken[k] ^= 0x55;
  files["/tables/broken.dtb"] = broken;
  items.push({
    kind: "table",
    name: "broken",
    url: "tables/broken.dtb",
    bytes: 1,
    ...ONE_CELL,
    positions: 1,
  });
  for (let k = 0; k < 1000; k++) {
    const name = `many-${String(k).padStart(4, "0")}`;
    items.push({ kind: "table", name, url: `tables/${name}.dtb`, ...ONE_CELL, positions: k, bytes: k });
  }
  files["/catalogue.json"] = JSON.stringify({ version: 1, home: "program", items });
  site = await serve(files);
  browser = await launch();
});
after(async () => {
  await browser?.close();
  site?.server.closeAllConnections();
  site?.server.close();
});

/** Opens a place of the application and closes it after `use`; nothing may be logged as an error. */
async function on(hash, use, options) {
  const { page, errors } = await openPage(browser, site.address + hash, options);
  try {
    await use(page);
    assert.deepEqual(errors, []);
  } finally {
    await page.close();
  }
}

const value = (page) => page.locator(".value");
const hash = (page) => decodeURIComponent(new URL(page.url()).hash);

/** Waits until an element has a text. */
async function shows(locator, expected) {
  await locator.filter({ hasText: expected }).first().waitFor({ timeout: 5000 });
}

/** Waits until the address has a text. */
async function address(page, expected) {
  await page.waitForFunction((text) => decodeURIComponent(location.hash).includes(text), expected, {
    timeout: 5000,
  });
}

/** Returns the middle of a cell of a board that is wholly seen. */
async function pointOf(page, [row, column]) {
  const canvas = page.locator(".board canvas");
  await canvas.scrollIntoViewIfNeeded();
  const [name] = hash(page).slice("#1/table/".length).split("?");
  const [height, width] = SIZES[name];
  const box = await canvas.boundingBox();
  const { scale, left, top } = fit(
    { height, width },
    { width: Math.round(box.width), height: Math.round(box.height) },
  );
  const [x, y] = [left + (column + 0.5) * scale, top + (row + 0.5) * scale];
  assert.deepEqual(cellAt({ scale, left, top }, x, y, { height, width }), [row, column]);
  return { x: box.x + x, y: box.y + y };
}

async function click(page, cell) {
  const { x, y } = await pointOf(page, cell);
  await page.mouse.click(x, y);
}

/** The colour of a cell next to its upper edge, where nothing is written on it. */
async function colourOn(page, cell) {
  const { x, y } = await pointOf(page, cell);
  const below = await pointOf(page, [cell[0] + 1, cell[1]]);
  const top = y - (below.y - y) * 0.4;
  return page.locator(".board canvas").evaluate(
    (canvas, [x, y]) => {
      const box = canvas.getBoundingClientRect();
      const ratio = canvas.width / box.width;
      const copy = document.createElement("canvas").getContext("2d");
      copy.drawImage(canvas, (x - box.x) * ratio, (y - box.y) * ratio, 1, 1, 0, 0, 1, 1);
      return String(copy.getImageData(0, 0, 1, 1).data);
    },
    [x, top],
  );
}

async function drag(page, from, to) {
  const [start, end] = [await pointOf(page, from), await pointOf(page, to)];
  await page.mouse.move(start.x, start.y);
  await page.mouse.down();
  await page.mouse.move((start.x + end.x) / 2, (start.y + end.y) / 2, { steps: 3 });
  await page.mouse.move(end.x, end.y, { steps: 3 });
  await page.mouse.up();
}

test("a link shows the value and all moves, the best first and in groups", { skip }, () =>
  on(NINE, async (page) => {
    await shows(value(page), "The police wins in 9 plies");
    assert.deepEqual(await page.locator(".move .to").allTextContents(), ["0,1", "1,1", "0,0", "1,0 pass"]);
    assert.deepEqual(await page.locator(".move .badge").allTextContents(), ["8", "8", "10", "10"]);
    assert.deepEqual(await page.locator(".moves h3").allTextContents(), ["Wins"]);
    assert.equal(await page.locator(".move.best").count(), 2);
    await shows(page.locator("[aria-live]"), "The police wins in 9 plies. Police to move.");
    assert.match(await page.title(), /v2-size/);
  }),
);

test("the pointer over a cell shows its value for the piece of the heat map", { skip }, () =>
  on(NINE, async (page) => {
    await shows(value(page), "9 plies");
    const { x, y } = await pointOf(page, [0, 8]);
    await page.mouse.move(x, y);
    await shows(page.locator(".board-note"), "The thief on 0,8: the thief wins in 4 plies");
    await page.getByRole("group", { name: "Heat map" }).getByRole("button", { name: "Police" }).click();
    await address(page, "heat=police");
    await page.mouse.move(x, y);
    await shows(page.locator(".board-note"), "The police on 0,8: ");
    await page.getByRole("group", { name: "Heat map" }).getByRole("button", { name: "Off" }).click();
    await page.mouse.move(x, y + 1);
    await shows(page.locator(".board-note"), /^Cell 0,8$/);
  }),
);

test("the map of escapes tells only who wins, and from how many cells the thief gets away", { skip }, () =>
  on(NINE, async (page) => {
    const [soon, late, drawn] = [[0, 8], [0, 15], [0, 17]];
    const escapes = page.locator(".escapes");
    await shows(value(page), "9 plies");
    assert.notEqual(await colourOn(page, soon), await colourOn(page, late));
    assert.equal(await escapes.textContent(), "");
    await page.getByRole("group", { name: "Heat map" }).getByRole("button", { name: "Escapes" }).click();
    await address(page, "heat=escapes");
    await shows(escapes, "The thief gets away from 13 cells, draws on 2, is caught on 11.");
    assert.equal(await colourOn(page, soon), await colourOn(page, late));
    assert.notEqual(await colourOn(page, soon), await colourOn(page, drawn));
    const { x, y } = await pointOf(page, soon);
    await page.mouse.move(x, y);
    await shows(page.locator(".board-note"), "The thief on 0,8: the thief wins in 4 plies");
    const table = await open(await golden("v2-size.dtb")).pursuit();
    await click(page, [1, 1]);
    await address(page, "police=1,1&thief=0,5&turn=thief&heat=escapes");
    const { outcome } = table.slice({ police: [1, 1], thief: [0, 5], turn: "thief" }, "thief");
    const [caught, free] = [1, 2].map((kind) => outcome.filter((other) => other === kind).length);
    await shows(escapes, `The thief gets away from ${free} cells, draws on 2, is caught on ${caught}.`);
    // A match without hints hides it.
    await page.locator(".match-panel summary").click();
    await page.getByRole("button", { name: "Start" }).click();
    await page.waitForFunction(() => document.querySelector(".escapes").textContent === "");
    await page.getByLabel("Hints").check();
    await shows(escapes, "The thief gets away from ");
  }),
);

test("a click on a marked cell plays the move; undo, redo and the history go back and forth", { skip }, () =>
  on(NINE, async (page) => {
    await shows(value(page), "9 plies");
    await click(page, [1, 1]);
    await address(page, "police=1,1&thief=0,5&turn=thief");
    await shows(value(page), "The police wins in 8 plies");
    await page.locator(".move").first().click();
    await shows(value(page), "The police wins in 7 plies");
    assert.equal(await page.locator(".history-chart .node").count(), 3);
    await page.getByRole("button", { name: "Undo" }).click();
    await shows(value(page), "in 8 plies");
    await page.keyboard.press("Control+z");
    await shows(value(page), "in 9 plies");
    await page.getByRole("button", { name: "Redo" }).click();
    await shows(value(page), "in 8 plies");
    await page.locator(".history-chart .node").first().click();
    await shows(value(page), "in 9 plies");
    await page.locator(".history-chart .other").first().click();
    assert.equal(await page.locator(".history-chart .node").count(), 2);
  }),
);

test("the browser's back and forward buttons move through the positions", { skip }, () =>
  on(NINE, async (page) => {
    await page.locator(".move").first().click();
    await shows(value(page), "in 8 plies");
    await page.goBack();
    await shows(value(page), "in 9 plies");
    assert.match(hash(page), /police=1,0&thief=0,5&turn=police/);
    await page.goForward();
    await shows(value(page), "in 8 plies");
    await page.evaluate(
      () => (location.hash = "#1/table/v2-size?police=0,8&thief=0,12&turn=thief&heat=none"),
    );
    await shows(value(page), "The police wins in 14 plies");
  }),
);

test("a piece is put elsewhere by a drag, by two clicks, and by keys", { skip }, () =>
  on(NINE, async (page) => {
    await shows(value(page), "in 9 plies");
    await drag(page, [0, 5], [0, 8]);
    await address(page, "police=1,0&thief=0,8&turn=police");
    await shows(value(page), "The thief wins in 4 plies");
    await click(page, [0, 8]);
    await shows(page.locator(".board-note"), "The thief is taken up");
    await click(page, [0, 5]);
    await address(page, "thief=0,5&turn=police");
    await page.locator(".board canvas").focus();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowUp");
    for (let k = 0; k < 3; k++) await page.keyboard.press("ArrowLeft");
    await page.mouse.move(1, 1);
    await page.keyboard.press("Escape");
  }),
);

test("with keys alone, the cursor plays a move and puts a piece elsewhere", { skip }, () =>
  on(NINE, async (page) => {
    await shows(value(page), "in 9 plies");
    for (let k = 0; k < 40; k++) {
      await page.keyboard.press("Tab");
      if (await page.evaluate(() => document.activeElement?.matches(".board canvas"))) break;
    }
    await page.keyboard.press("ArrowRight");
    await shows(page.locator("[aria-live]"), "a best move");
    await page.keyboard.press("Enter");
    await address(page, "police=1,1&thief=0,5&turn=thief");
    await page.keyboard.press("Enter");
    await shows(page.locator(".board-note"), "The police is taken up");
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("Space");
    await address(page, "police=1,0&thief=0,5&turn=thief");
    await shows(value(page), "in 10 plies");
    await page.keyboard.press("Tab");
    assert.equal(await page.evaluate(() => document.activeElement?.matches(".board canvas")), false);
  }),
);

test("a drag to a wall and a drag that is broken off change nothing", { skip }, () =>
  on(NINE, async (page) => {
    await shows(value(page), "in 9 plies");
    const [start, wall] = [await pointOf(page, [0, 5]), await pointOf(page, [0, 2])];
    await page.mouse.move(start.x, start.y);
    await page.mouse.down();
    await page.mouse.move(wall.x, wall.y, { steps: 4 });
    await page.keyboard.press("Escape");
    await page.mouse.up();
    await address(page, "police=1,0&thief=0,5&turn=police");
    await shows(value(page), "in 9 plies");
    assert.equal(await page.locator("#trouble").isHidden(), true);
  }),
);

test("the wheel and keys zoom, and 0 shows the whole board again", { skip }, () =>
  on("#1/table/v2-size?police=0,0&thief=0,1", async (page) => {
    const note = page.locator(".board-note");
    const { x, y } = await pointOf(page, [0, 13]);
    const next = await pointOf(page, [0, 14]);
    // More than half a cell of the whole board, and less than half a cell after zooming in.
    const away = { x: x + 0.6 * (next.x - x), y };
    await page.mouse.move(x, y);
    await shows(note, "on 0,13");
    await page.mouse.wheel(0, -400);
    await page.mouse.move(away.x, away.y);
    await page.waitForTimeout(100);
    await shows(note, "on 0,13");
    await page.locator(".board canvas").focus();
    await page.keyboard.press("0");
    await page.mouse.move(x, y);
    await page.mouse.move(away.x, away.y);
    await shows(note, "on 0,14");
  }),
);

test("a board of one cell is shown", { skip }, () =>
  on("#1/table/smallest?police=0,0&thief=0,0", async (page) => {
    await shows(value(page), "The police has won");
    assert.equal(await page.locator(".move").count(), 0);
  }),
);

test("on a board of 512×512 the overview leads to any place, and a drag with the space bar moves on", { skip }, () =>
  on("#1/table/widest?police=256,0&thief=256,300&heat=none", async (page) => {
    await page.locator(".move").first().waitFor();
    for (let k = 0; k < 12; k++) await page.getByRole("button", { name: "Zoom in" }).click();
    const box = await page.locator(".board canvas").boundingBox();
    const seen = { width: Math.round(box.width), height: Math.round(box.height) };
    const partial = { scale: 20, left: 0, top: 0 };
    const { left, top, scale } = overviewOf(partial, { height: 512, width: 512 }, seen);
    await page.mouse.click(box.x + left + 400 * scale, box.y + top + 256.5 * scale);
    // An overview of a pixel for several cells leads near the middle.
    const columnAt = async (x) => {
      await page.mouse.move(box.x + x, box.y + seen.height / 2);
      const note = page.locator(".board-note");
      await shows(note, /^Cell \d+,\d+$/);
      return Number((await note.textContent()).split(",")[1]);
    };
    const middle = await columnAt(seen.width / 2);
    assert.ok(Math.abs(middle - 400) <= 6, `${middle}`);
    const before = hash(page);
    await page.locator(".board canvas").focus();
    await page.keyboard.down("Space");
    await page.mouse.down();
    await page.mouse.move(box.x + seen.width / 2 - 150, box.y + seen.height / 2, { steps: 5 });
    await page.mouse.up();
    await page.keyboard.up("Space");
    assert.equal(await columnAt(seen.width / 2 - 150), middle);
    assert.equal(hash(page), before);
  }),
);

test("two fingers zoom, and none of them moves a piece", { skip }, () =>
  on(
    "#1/table/v2-size?police=0,0&thief=0,1",
    async (page) => {
      const note = page.locator(".board-note");
      const at = await pointOf(page, [0, 5]);
      const [near, far] = [await pointOf(page, [0, 8]), await pointOf(page, [0, 9])];
      const before = hash(page);
      const client = await page.context().newCDPSession(page);
      const touch = (type, ...places) =>
        client.send("Input.dispatchTouchEvent", { type, touchPoints: places.map(({ x, y }, id) => ({ x, y, id })) });
      await touch("touchStart", at);
      await touch("touchStart", at, near);
      await touch("touchMove", at, { x: (near.x + far.x) / 2, y: near.y });
      await touch("touchMove", at, far);
      await touch("touchEnd");
      // What was under the second finger is under it still; cells are larger by a third.
      await page.mouse.move(far.x - 2, far.y);
      await page.mouse.move(far.x, far.y);
      await shows(note, "on 0,8");
      assert.equal(hash(page), before);
    },
    { hasTouch: true },
  ),
);

test("a board with doors shows each world, and a move leads to another one", { skip }, () =>
  on("#1/table/v2-doors?world=2&police=0,0&thief=2,2&turn=police", async (page) => {
    const world = page.getByRole("slider", { name: "World" });
    const canvas = page.locator(".board canvas");
    await shows(value(page), "The thief wins in 2 plies");
    assert.deepEqual(await page.locator(".move .to").allTextContents(), [
      "0,0 pass, world 0",
      "0,1, world 3",
      "1,1, world 0",
    ]);
    await shows(canvas, "Closed doors: row 1, column 0.");
    await shows(page.locator(".legend"), "closed door");
    await click(page, [0, 1]);
    await address(page, "world=3&police=0,1&thief=2,2&turn=thief");
    assert.equal(await world.inputValue(), "3");
    await shows(canvas, "Closed doors: row 1, column 2.");
    await page.getByRole("button", { name: "Undo" }).click();
    assert.equal(await world.inputValue(), "2");
    await world.fill("0");
    await address(page, "v2-doors?police=0,0&thief=2,2&turn=police");
    assert.deepEqual(await page.locator(".move .to").allTextContents(), [
      "0,0 pass, world 1",
      "0,1, world 4",
      "1,0, world 1",
      "1,1, world 1",
    ]);
    const { counts } = open(await golden("v2-doors.dtb")).pursuit();
    await page.locator(".statistics-panel summary").click();
    await page.getByRole("button", { name: "Fetch all" }).or(page.locator(".counts")).first().waitFor();
    if (await page.getByRole("button", { name: "Fetch all" }).isVisible()) {
      await page.getByRole("button", { name: "Fetch all" }).click();
    }
    await shows(page.locator(".counts"), String(counts.police.police));
    await page.locator(".longest a").first().click();
    await shows(value(page), "The police wins in 6 plies");
    assert.match(await page.locator(".node").last().getAttribute("aria-label"), /: world 2, police 1,2, thief 0,0/);
    await page.locator(".facts-panel summary").click();
    await shows(page.locator(".rules"), "The door on 1,0 opens and closes by the schedule ..#");
  }),
);

test("the layer of a guard is chosen, and the board shows its values", { skip }, () =>
  on("#1/table/v2-round?police=3,2&thief=2,0&turn=police&heat=police", async (page) => {
    const layer = page.getByLabel("Layer of the guard");
    const note = page.locator(".board-note");
    await shows(value(page), "The thief wins in 14 plies");
    assert.equal(await layer.evaluate((select) => select.selectedOptions[0].text), "south");
    assert.deepEqual(await page.locator(".move .to").allTextContents(), ["1,2 south"]);
    const { x, y } = await pointOf(page, [1, 2]);
    await page.mouse.move(x, y);
    await shows(note, "The police on 1,2 south: ");
    await click(page, [1, 2]);
    await address(page, "police=4,2&thief=2,0&turn=thief");
    await layer.selectOption("north");
    await address(page, "police=4,2&thief=2,0&turn=thief");
    await page.mouse.move(x, y + 1);
    await shows(note, "Cell 1,2 north: no place of the police");
    await click(page, [1, 2]);
    await shows(note, "The police is taken up");
    await click(page, [2, 0]);
    await address(page, "police=11,0&thief=2,0&turn=thief");
    await shows(value(page), "The police has won");
    await page.getByRole("button", { name: "Undo" }).click();
    assert.equal(await layer.evaluate((select) => select.selectedOptions[0].text), "south");
  }),
);

test("a game against the table goes through worlds", { skip }, () =>
  on("#1/table/v2-searchlights?police=0,0;0,1&thief=2,2&turn=thief", async (page) => {
    await page.locator(".match-panel summary").click();
    await page.getByRole("button", { name: "Start" }).click();
    await shows(page.locator(".match-panel"), "The table thinks");
    await address(page, "world=1");
    assert.equal(await page.getByRole("slider", { name: "World" }).isDisabled(), true);
    await shows(page.locator(".match-panel"), "Your turn");
  }),
);

test("the turn can be given to the other side", { skip }, () =>
  on(NINE, async (page) => {
    await page.getByRole("group", { name: "To move" }).getByRole("button", { name: "Thief" }).click();
    await address(page, "turn=thief");
    await shows(value(page), "The police wins in 10 plies");
    assert.deepEqual(await page.locator(".move .to").allTextContents(), ["0,4", "0,5 pass"]);
  }),
);

test("the line lists its plies, and playing it out ends with the catch", { skip }, () =>
  on(NINE, async (page) => {
    await shows(value(page), "in 9 plies");
    await page.getByRole("button", { name: "Line" }).click();
    await shows(page.locator(".line p"), "The police wins in 9 plies: the thief is caught after 9 plies.");
    assert.equal(await page.locator(".line li").count(), 9);
    await page.getByLabel("Speed").selectOption("16");
    await page.getByRole("button", { name: "Play out" }).click();
    await shows(value(page), "The police has won");
    await shows(page.locator(".moves"), "The game is over.");
    await page.getByRole("button", { name: "Play out" }).waitFor();
    assert.equal(await page.locator(".history-chart .node").count(), 10);
  }),
);

test("playing out can be stopped", { skip }, () =>
  on(NINE, async (page) => {
    await shows(value(page), "in 9 plies");
    await page.getByRole("button", { name: "Play out" }).click();
    await page.getByRole("button", { name: "Stop" }).click();
    const before = hash(page);
    await page.waitForTimeout(700);
    assert.equal(hash(page), before);
  }),
);

test("a perfect opponent answers with a best move, and the end of the match is shown", { skip }, () =>
  on(NINE, async (page) => {
    await page.locator(".match-panel summary").click();
    await page.getByLabel("The table is").selectOption("perfect");
    await page.getByRole("button", { name: "Start" }).click();
    await shows(
      page.locator(".match-panel"),
      "Your turn. You are the police: catch the thief; the thief is perfect.",
    );
    await shows(page.locator(".moves"), "Hints are off");
    assert.equal(await page.locator(".move").count(), 0);
    await page.getByLabel("Hints").check();
    for (const left of [7, 5, 3, 1]) {
      await page.locator(".move.best").first().click();
      await shows(value(page), `The police wins in ${left} pl`);
    }
    await page.locator(".move.best").first().click();
    await shows(page.locator(".match-panel"), "The thief is caught after 9 plies: you win.");
    await shows(page.locator(".review"), "You made 5 moves, and none could have been better.");
    assert.equal(await page.locator(".review .worst").count(), 0);
    assert.equal(await page.getByRole("button", { name: "Start" }).isDisabled(), true);
    await page.getByRole("button", { name: "Play again" }).click();
    await address(page, "police=1,0&thief=0,5&turn=police");
    await shows(page.locator(".match-panel"), "Your turn. You are the police");
    assert.equal(await page.locator(".review").isHidden(), true);
    await page.getByRole("button", { name: "End the game" }).click();
    await shows(page.locator(".match-panel"), "You have ended the game.");
    await shows(page.locator(".review"), "You made no move.");
    await page.getByRole("button", { name: "Start" }).waitFor();
  }),
);

test("hints say how many moves keep the win, and without hints nothing does", { skip }, () =>
  on(NINE, async (page) => {
    await shows(value(page), "in 9 plies");
    await page.locator(".match-panel summary").click();
    await shows(page.locator(".difficulty"), "Normal: errs in up to 20 % of its turns, sees 40 plies ahead.");
    await page.getByLabel("The table is").selectOption("level");
    await page.getByLabel("Level").fill("1001");
    await shows(page.locator(".difficulty"), "Level: expected an integer from 0 to 1000.");
    await page.getByLabel("Level").fill("500");
    await page.getByLabel("Seed").fill("7x");
    await page.getByRole("button", { name: "Start" }).click();
    await shows(page.locator("#trouble"), "Seed: expected a number from 0 to 18446744073709551615, found 7x");
    await page.getByLabel("Seed").fill("7");
    await page.getByLabel("Where it cannot win").selectOption({ label: "sets traps" });
    await page.getByRole("button", { name: "Start" }).click();
    await shows(page.locator(".match-status"), "Your turn.");
    const said = "Of level 500: errs in up to 25 % of its turns, sees every end. Where it cannot win, it sets traps. Seed 7.";
    await shows(page.locator(".difficulty"), said);
    assert.equal(await page.locator(".match-hint").textContent(), "");
    await page.getByLabel("Hints").check();
    await shows(page.locator(".match-hint"), "4 of 4 moves keep the win.");
    await page.getByLabel("Hints").uncheck();
    await page.waitForFunction(() => document.querySelector(".match-hint").textContent === "");
  }),
);

/** The position that an address shows, as the reader takes it. */
function positionOf(page) {
  const { police, thief, turn } = Object.fromEntries(new URLSearchParams(hash(page).split("?")[1]));
  const cells = police.split(";").map((cell) => cell.split(",").map(Number));
  return { police: cells.length === 1 ? cells[0] : cells, thief: thief.split(",").map(Number), turn };
}

for (const [name, start, strength] of [
  ["v2-size", "police=1,0&thief=0,5", "easy"],
  ["v2-team", "police=0,0;0,6&thief=1,3", "normal"],
]) {
  test(`on ${name} the table makes the moves that the reader's opponent chooses with the seed`, { skip }, () =>
    on(`#1/table/${name}?${start}&turn=thief`, async (page) => {
      const table = open(await golden(`${name}.dtb`)).pursuit();
      const seed = 12345678901234567890n;
      const expected = new Opponent({ strength: Strength.PRESETS[strength], style: { trickiest: "uniform" }, seed });
      await page.locator(".move").first().waitFor();
      await page.locator(".match-panel summary").click();
      await page.getByLabel("You play the").selectOption("thief");
      await page.getByLabel("The table is").selectOption(strength);
      await page.getByLabel("Where it cannot win").selectOption({ label: "sets traps" });
      await page.getByLabel("Seed").fill(String(seed));
      await page.getByLabel("Hints").check();
      await page.getByRole("button", { name: "Start" }).click();
      let replies = 0;
      for (; replies < 6; replies++) {
        await page.locator(".move").last().click();
        await address(page, "turn=police");
        const choice = expected.choose(table, positionOf(page));
        if (choice === undefined) break;
        await address(page, "turn=thief");
        assert.equal(table.numberOf(positionOf(page)), table.numberOf(choice.position));
        if (table.moves(choice.position).length === 0) break;
      }
      assert.ok(replies > 0, "the table has made moves");
    }),
  );
}

test("a review names the worst moves, and each leads to its position in the history", { skip }, () =>
  on(NINE, async (page) => {
    await shows(value(page), "in 9 plies");
    await page.locator(".match-panel summary").click();
    await page.getByLabel("The table is").selectOption("perfect");
    await page.getByLabel("Hints").check();
    await page.getByRole("button", { name: "Start" }).click();
    // A pass loses two plies; then only best moves follow.
    await page.locator(".move", { hasText: "1,0 pass" }).click();
    await address(page, "turn=thief");
    const positions = [{ police: [1, 0], thief: [0, 5], turn: "police" }, positionOf(page)];
    for (;;) {
      const { turn } = positions.at(-1);
      if (turn === "police") await page.locator(".move.best").first().click();
      await address(page, `turn=${turn === "police" ? "thief" : "police"}`);
      positions.push(positionOf(page));
      if ((await value(page).textContent()).includes("has won")) break;
    }
    const table = open(await golden("v2-size.dtb")).pursuit();
    const review = new Review(table, positions, "police");
    const [worst] = review.worst(3);
    assert.equal(worst.ply, 0);
    const said = `You made ${review.moves.length} moves; 1 of them could have been better.`;
    await shows(page.locator(".review"), said);
    await shows(page.locator(".review"), `Lost without a worse outcome: ${worst.cost.plies} plies`);
    const item = page.locator(".review .worst li");
    assert.equal(await item.count(), 1);
    await shows(item, "You went to 1,0: the police wins in 10 plies. Best was 0,1: the police wins in 8 plies.");
    const lead = page.getByRole("button", { name: `Move 1: lost ${worst.cost.plies} plies` });
    await lead.focus();
    await page.keyboard.press("Enter");
    await address(page, "police=1,0&thief=0,5&turn=police");
    await shows(value(page), "The police wins in 9 plies");
    assert.equal(await lead.getAttribute("aria-current"), "step");
    const nodes = page.locator(".history-chart .node");
    assert.equal(await nodes.count(), positions.length);
    assert.equal(await nodes.first().getAttribute("aria-current"), "step");
    // The game comes back after another history has taken its place.
    await page.getByRole("button", { name: "Clear" }).click();
    await page.locator(".move").nth(1).click();
    await address(page, "turn=thief");
    await lead.click();
    await address(page, "police=1,0&thief=0,5&turn=police");
    await page.waitForFunction((count) => document.querySelectorAll(".history-chart .node").length === count, positions.length);
    await page.locator(".review summary").click();
    assert.equal(await page.locator(".review tbody tr").count(), review.moves.length);
    await page.evaluate(axe);
    const { violations } = await page.evaluate(() => window.axe.run(document));
    assert.deepEqual(violations.map(({ id }) => id), []);
  }),
);

test("the statistics and the longest wins are shown when they are asked for", { skip }, () =>
  on(NINE, async (page) => {
    await shows(value(page), "in 9 plies");
    assert.equal(site.traffic.has("/tables/v2-size.stats.json"), false);
    await page.locator(".statistics-panel summary").click();
    await shows(page.locator(".counts"), "240");
    assert.equal(await page.locator(".histogram .lit").count(), 1);
    await shows(page.locator(".histogram"), "26 positions");
    await page.getByRole("link", { name: "14 plies" }).click();
    await address(page, "police=0,8&thief=0,12&turn=thief");
    await shows(value(page), "The police wins in 14 plies");
  }),
);

test("statistics of an opened file are counted by the page, as the program counts them", { skip }, () =>
  on("", async (page) => {
    const buffer = await golden("v2-size.dtb");
    await page.setInputFiles("input[type=file]", { name: "mine.dtb", mimeType: "", buffer });
    await address(page, "#1/table/mine");
    await page.locator(".statistics-panel summary").click();
    for (const counted of ["240", "223", "213", "221", "242"]) await shows(page.locator(".counts"), counted);
    await shows(page.locator(".longest").first(), "14 plies: police 0,8, thief 0,12, thief to move");
  }),
);

test("the rules and facts are shown, and the table is saved as it is", { skip }, () =>
  on(NINE, async (page) => {
    await page.locator(".facts-panel summary").click();
    await shows(page.locator(".facts-panel"), "The officer moves one square in any direction and may stay.");
    await shows(page.locator(".facts-panel"), "1f7af12cd4d680cb");
    await shows(page.locator(".facts-panel dd"), "1,352");
    const waiting = page.waitForEvent("download");
    await page.getByRole("button", { name: "Save table" }).click();
    const download = await waiting;
    assert.equal(download.suggestedFilename(), "v2-size.dtb");
    assert.deepEqual(await readFile(await download.path()), await golden("v2-size.dtb"));
  }),
);

test("several officers: a joined edge is crossed, and a click moves the chosen officer", { skip }, () =>
  on("#1/table/v2-team?police=0,0;0,6&thief=1,8&turn=police", async (page) => {
    await shows(value(page), "The police wins in 1 ply");
    assert.deepEqual(await page.locator(".moves h3").allTextContents(), ["Wins", "Loses"]);
    assert.deepEqual(await page.locator(".move .to").allTextContents(), ["1→1,8", "pass"]);
    await page.locator(".move").first().hover();
    await page.locator(".board canvas").focus();
    await page.keyboard.press("2");
    assert.equal(
      await page.getByRole("button", { name: "2", exact: true }).getAttribute("aria-pressed"),
      "true",
    );
    await page.keyboard.press("1");
    await click(page, [1, 8]);
    await address(page, "police=1,8;0,6&thief=1,8&turn=thief");
    await shows(value(page), "The police has won");
  }),
);

test("a graph board is shown with its moves", { skip }, () =>
  on("#1/table/v2-cops?police=0,0;0,1&thief=0,5&turn=police", async (page) => {
    await shows(value(page), "The police wins in 3 plies");
    assert.deepEqual(await page.locator(".move .to").allTextContents(), ["1→9  2→10", "1→9  2→8"]);
    await page.locator(".graph-svg").waitFor();
    await page.getByRole("button", { name: "Escapes" }).click();
    await shows(page.locator(".escapes"), "The thief gets away from 1 cell, draws on 2, is caught on 8.");
    await page.locator(".move").first().click();
    await address(page, "turn=thief");
    await shows(value(page), "The police wins in 2 plies");
  }),
);

test("a table of a game on a graph tells the value of each position", { skip }, () =>
  on("#1/table/v2-graph?vertex=31", async (page) => {
    await shows(value(page), "The player to move wins in 31 plies");
    await page.getByLabel("Position").fill("0");
    await page.getByLabel("Position").press("Enter");
    await shows(value(page), "The player to move loses in 0 plies");
    await page.getByLabel("Position").fill("131");
    await page.getByLabel("Position").press("Enter");
    await shows(value(page), "found 131");
  }),
);

test("a file that is dropped is opened, and a damaged one is refused with its name", { skip }, () =>
  on("", async (page) => {
    const drop = (name, bytes) =>
      page.evaluate(
        ([file, content]) => {
          const transfer = new DataTransfer();
          transfer.items.add(new File([new Uint8Array(content)], file));
          dispatchEvent(new DragEvent("drop", { dataTransfer: transfer, cancelable: true }));
        },
        [name, [...bytes]],
      );
    const bytes = await golden("v2-team.dtb");
    await drop("spoilt.dtb", bytes.subarray(0, 60));
    await shows(page.locator("#trouble"), "spoilt.dtb: ");
    await drop("team.dtb", bytes);
    await address(page, "#1/table/team?police=");
    await page.locator(".board canvas").waitFor();
    assert.equal(await page.locator("#trouble").isHidden(), true);
  }),
);

test("a damaged table shows the reader's message, and the page goes on", { skip }, () =>
  on("#1/table/broken?police=1,0&thief=0,5", async (page) => {
    await page.locator("#trouble").waitFor();
    assert.match(await page.locator("#trouble").textContent(), /expected .*found/);
    await page.evaluate((link) => (location.hash = link), NINE);
    await shows(value(page), "in 9 plies");
    assert.equal(await page.locator("#trouble").isHidden(), true);
  }),
);

test("a wrong position in a link is reported, and the table is shown", { skip }, () =>
  on("#1/table/v2-size?police=0,2&thief=0,5", async (page) => {
    await shows(page.locator("#trouble"), "Link, police: expected an open cell, found a wall at 0,2");
    await page.locator(".board canvas").waitFor();
  }),
);

test("a name that is not in the list is reported above the list", { skip }, () =>
  on("#1/table/nothing", async (page) => {
    await shows(page.locator("#trouble"), "Table nothing: expected one of the list");
    await page.locator(".tables").waitFor();
  }),
);

test("the list of a thousand tables can be searched and sorted", { skip }, () =>
  on("", async (page) => {
    await shows(page.locator(".table-list"), "1,011 of 1,011 tables");
    await page.getByLabel("Search").fill("many 0042");
    await shows(page.locator(".table-list"), "1 of 1,011 tables");
    assert.deepEqual(await page.locator(".tables tbody th").allTextContents(), ["many-0042"]);
    await page.getByLabel("Search").fill("");
    await page.getByRole("button", { name: "Positions" }).click();
    assert.equal(await page.locator(".tables tbody th").first().textContent(), "many-0999");
    await page.getByLabel("Search").fill("v2-size");
    await page.getByRole("link", { name: "v2-size" }).click();
    await page.locator(".board canvas").waitFor();
  }),
);

for (const width of [360, 1280]) {
  for (const colorScheme of ["light", "dark"]) {
    test(`axe finds nothing at ${width} pixels, ${colorScheme}`, { skip }, async () => {
      const others = ["#1/table/v2-graph?vertex=3", "#1/table/v2-doors?world=5", "#1/table/v2-round"];
      for (const place of ["", NINE, ...others]) {
        await on(
          place,
          async (page) => {
            await page.locator(".value, .tables").first().waitFor();
            await page.evaluate(() =>
              document.querySelectorAll("details").forEach((part) => (part.open = true)),
            );
            await page.locator(".value, .tables").first().waitFor();
            if (place === NINE) await page.locator(".counts").waitFor();
            if (place === NINE) await page.getByRole("button", { name: "Line" }).click();
            await page.evaluate(axe);
            const { violations } = await page.evaluate(() => window.axe.run(document));
            const found = violations.map(
              ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`,
            );
            assert.deepEqual(found, [], place);
            const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
            assert.ok(overflow <= 0, `${place} is ${overflow} pixels too wide`);
          },
          { viewport: { width, height: 760 }, colorScheme, reducedMotion: "reduce" },
        );
      }
    });
  }
}
