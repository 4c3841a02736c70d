// The view that draws, used as a person would use it. Expected values are the program's.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { open } from "dragnet-probe";
import { load } from "./support/modules.mjs";
import { golden, launch, openPage, serve, skip } from "./support/pages.mjs";

const { fit } = await load("board/camera.ts");
const { writeText } = await load("model/board-text.ts");
const { readSharedGame, shareGame } = await load("model/share.ts");
const { CLASSIC } = await load("model/rules-text.ts");
const { readSharedGraph } = await load("model/share-graph.ts");
const { writeGraphText } = await load("model/graph-text.ts");
const AXE = new URL("../node_modules/axe-core/axe.min.js", import.meta.url);

const YARD = `#########E##
#..........#
#.###.####.#
#.#......#.#
#.#.####.#.#
#.........T#
#.###.####.#
#P.........#
############
`;
/** The boards of the golden tables v2-size and v2-team, and the rules of the second. */
const OF_SIZE = "..#...##..##....#.\n.....#.#.E....#.#.\n";
const OPEN = "P....\n.....\n....T\n";

let browser;
let site;

before(async () => {
  if (skip) return;
  const catalogue = {
    version: 1,
    home: "site",
    items: [{ kind: "board", name: "gate", url: "boards/gate.txt" }],
  };
  site = await serve({
    "/catalogue.json": JSON.stringify(catalogue),
    "/boards/gate.txt": "P..#\n...E\nT...\n",
  });
  browser = await launch();
});

after(async () => {
  await browser?.close();
  site?.server.close();
});

/** Tests a page with the view, and that it logs no error. */
function check(name, run, { hash = "#1/draw?sample=yard", ...options } = {}) {
  test(name, { skip }, async () => {
    const { page, errors } = await openPage(browser, `${site.address}${hash}`, options);
    page.setDefaultTimeout(20_000);
    await solved(page);
    await run(page);
    assert.deepEqual(errors, []);
    await page.close();
  });
}

/** Waits until what was pasted or dropped is shown, and solved. */
async function opened(page) {
  await page.locator(".files [role=status]", { hasText: "Opening…" }).waitFor({ state: "detached" });
  await solved(page);
}

/** Waits for the table of the board that is shown. */
async function solved(page) {
  await page.waitForTimeout(60);
  await page.locator('.answer[data-state="solved"]').waitFor();
}

const value = (page) => page.locator(".verdict").textContent();
const figuresAre = (page, pattern) => page.locator(".figures", { hasText: pattern }).waitFor();
const tool = (page, name) => page.locator(`.tools [data-tool="${name}"]`).click();
const boardCanvas = (page) => page.locator(".draw .board canvas");

/** Returns the point in the middle of a cell of a board that is seen as a whole. */
async function point(page, [row, column], [height, width]) {
  const box = await boardCanvas(page).boundingBox();
  const { scale, left, top } = fit({ height, width }, box);
  return [box.x + left + (column + 0.5) * scale, box.y + top + (row + 0.5) * scale];
}

/** Drags with the mouse over cells. */
async function drag(page, size, cells, { button = "left" } = {}) {
  await page.mouse.move(...(await point(page, cells[0], size)));
  await page.mouse.down({ button });
  for (const cell of cells.slice(1)) await page.mouse.move(...(await point(page, cell, size)));
  await page.mouse.up({ button });
}

async function downloaded(page, button) {
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: button, exact: true }).click(),
  ]);
  return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) };
}

/** Returns the text form of what is drawn. */
async function text(page) {
  return (await downloaded(page, "Save board")).bytes.toString();
}

/** Waits until the address has this board. */
async function shows(page, expected) {
  let found;
  for (let k = 0; k < 100 && found !== expected; k++) {
    await page.waitForTimeout(50);
    const data = new URLSearchParams(new URL(page.url()).hash.replace(/.*\?/, "")).get("data");
    if (data !== null) found = writeText((await readSharedGame(data)).scenario);
  }
  assert.equal(found, expected);
}

/** Pastes a text into the page. */
async function paste(page, content) {
  await page.evaluate((content) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", content);
    document.body.dispatchEvent(
      new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }),
    );
  }, content);
  await opened(page);
}

/** Drops a file on the page. */
async function drop(page, name, content) {
  const bytes = [...(typeof content === "string" ? Buffer.from(content) : content)];
  await page.evaluate(
    ([name, bytes]) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([Uint8Array.from(bytes)], name));
      document.body.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
    },
    [name, bytes],
  );
}

check("a board comes solved, with the value of its position, its moves and the figures", async (page) => {
  assert.equal(await value(page), "The thief wins in 12 plies");
  await figuresAre(
    page,
    /^4,802 positions, 58 levels, in [\d,]+ ms; longest wins: police 57 plies, thief 19 plies$/,
  );
  assert.deepEqual(await page.locator(".reply").first().locator("span").allTextContents(), [
    "6,1",
    "thief 11",
  ]);
  await page
    .locator(".answer")
    .getByText("To move")
    .locator("..")
    .getByRole("button", { name: "Thief" })
    .click();
  assert.equal(await value(page), "The thief wins in 11 plies");
  await page.locator(".reply").first().click();
  assert.equal(await value(page), "The thief wins in 10 plies");
});

check(
  "each tool draws with the mouse, and undo and redo go back and forth over whole strokes",
  async (page) => {
    const size = [3, 5];
    const states = [OPEN];
    const stroke = async (cells, expected, options) => {
      await drag(page, size, cells, options);
      await solved(page);
      await shows(page, expected);
      states.push(expected);
    };
    assert.equal(await value(page), "The police wins in 7 plies");
    await stroke(
      [
        [0, 1],
        [0, 3],
      ],
      "P###.\n.....\n....T\n",
    );
    await tool(page, "rectangle");
    await stroke(
      [
        [1, 1],
        [2, 2],
      ],
      "P###.\n.##..\n.##.T\n",
    );
    await tool(page, "eraser");
    await stroke(
      [
        [0, 1],
        [2, 2],
      ],
      "P..#.\n.....\n....T\n",
      { button: "right" },
    );
    await stroke([[0, 3]], "P....\n.....\n....T\n");
    await tool(page, "exit");
    await stroke(
      [
        [1, 0],
        [1, 1],
      ],
      "P....\nEE...\n....T\n",
    );
    await tool(page, "officer");
    await stroke([[2, 0]], "P....\nEE...\nP...T\n");
    await tool(page, "thief");
    await stroke([[0, 4]], "P...T\nEE...\nP....\n");
    await stroke(
      [
        [2, 0],
        [2, 2],
      ],
      "P...T\nEE...\n..P..\n",
    );
    await tool(page, "brush");
    await stroke(
      [
        [0, 2],
        [1, 2],
        [1, 3],
        [2, 3],
      ],
      "P.#.T\nEE##.\n..P#.\n",
    );
    await tool(page, "fill");
    await stroke([[2, 0]], "P.#.T\nEE##.\n##P#.\n");
    for (let k = states.length - 2; k >= 0; k--) {
      await page.getByRole("button", { name: "Undo" }).click();
      await shows(page, states[k]);
    }
    assert.equal(await page.getByRole("button", { name: "Undo" }).isDisabled(), true);
    await solved(page);
    assert.equal(await value(page), "The police wins in 7 plies");
    for (const state of states.slice(1)) {
      await page.keyboard.press("Control+y");
      await shows(page, state);
    }
  },
  { hash: `#1/draw?data=${await shared(OPEN)}` },
);

check("a right click takes the tool of what it meets, and shift draws a straight line", async (page) => {
  const size = [9, 12];
  await drag(page, size, [[0, 9]], { button: "right" });
  assert.equal(await page.locator('[data-tool="exit"]').getAttribute("aria-pressed"), "true");
  await drag(page, size, [[0, 0]], { button: "right" });
  assert.equal(await page.locator('[data-tool="brush"]').getAttribute("aria-pressed"), "true");
  await drag(page, size, [[3, 3]]);
  await page.keyboard.down("Shift");
  await drag(page, size, [[3, 8]]);
  await page.keyboard.up("Shift");
  assert.equal((await text(page)).split("\n")[3], "#.########.#");
});

check(
  "everything can be drawn with the keyboard alone",
  async (page) => {
    await boardCanvas(page).focus();
    const press = async (...keys) => {
      for (const key of keys) await page.keyboard.press(key);
    };
    await press(
      "Shift+ArrowLeft",
      "Shift+ArrowUp",
      "ArrowDown",
      "b",
      "Enter",
      "ArrowRight",
      "ArrowRight",
      "Shift+Enter",
    );
    await shows(page, "P....\n###..\n....T\n");
    await press("r", "Shift+ArrowRight", "Shift+ArrowDown", "ArrowLeft", "Enter", "ArrowLeft", "Enter");
    await shows(page, "P....\n###..\n..##T\n");
    await press("Delete", "Control+z", "Control+z", "h");
    await shows(page, "....P\n..###\nT....\n");
    await press("m");
    await solved(page);
    assert.equal(await page.getByRole("button", { name: "Thief", pressed: true }).first().isVisible(), true);
  },
  { hash: `#1/draw?data=${await shared(OPEN)}` },
);

check("letters can be switched off", async (page) => {
  await page.keyboard.press("?");
  const dialog = page.getByRole("dialog");
  await dialog.getByText("Use keys that are a single letter").click();
  await page.keyboard.press("Escape");
  await page.keyboard.press("h");
  assert.equal(await text(page), YARD);
  await page.getByRole("button", { name: "Keys", exact: true }).click();
  await dialog.getByText("Use keys that are a single letter").click();
  await dialog.getByRole("button", { name: "Close" }).click();
  await page.keyboard.press("v");
  assert.equal(await text(page), `${YARD.trim().split("\n").reverse().join("\n")}\n`);
});

check(
  "a finger draws",
  async (page) => {
    const size = [3, 5];
    const client = await page.context().newCDPSession(page);
    const touch = async (type, ...points) =>
      client.send("Input.dispatchTouchEvent", {
        type,
        touchPoints: points.map(([x, y], id) => ({ x, y, id })),
      });
    await touch("touchStart", await point(page, [1, 1], size));
    await touch("touchMove", await point(page, [1, 2], size));
    await touch("touchMove", await point(page, [1, 3], size));
    await touch("touchEnd");
    await solved(page);
    assert.equal(await text(page), "P....\n.###.\n....T\n");
    // A second finger takes the stroke back, and moves the board.
    const [a, b] = [await point(page, [0, 1], size), await point(page, [0, 3], size)];
    await touch("touchStart", a);
    await touch("touchStart", a, b);
    await touch("touchEnd");
    assert.equal(await text(page), "P....\n.###.\n....T\n");
  },
  {
    hash: `#1/draw?data=${await shared(OPEN)}`,
    hasTouch: true,
    isMobile: true,
    viewport: { width: 360, height: 740 },
  },
);

check("rules change the table, by preset, by field and by text", async (page) => {
  const rules = page.locator(".rules-panel");
  await rules.getByLabel("Preset").selectOption("chase");
  await solved(page);
  await figuresAre(page, /longest wins: police 1 ply, thief 29 plies$/);
  await rules.getByText("As TOML").click();
  assert.equal(
    await rules.locator("textarea").inputValue(),
    'corner_cutting = false\n\n[thief]\nmoves = "king"\n',
  );
  await rules.locator("fieldset").last().getByLabel("Moves").selectOption("orthogonal");
  await rules.getByText("Diagonal steps may cut corners").click();
  await solved(page);
  assert.equal(await rules.getByLabel("Preset").inputValue(), "classic");
  await figuresAre(page, /longest wins: police 57 plies, thief 19 plies$/);
  await rules.locator("textarea").fill("stuk = 1");
  await rules.getByRole("button", { name: "Use this text" }).click();
  assert.match(await rules.getByRole("alert").textContent(), /stuk/);
  await rules.locator("fieldset").first().getByLabel("Moves").selectOption("offsets");
  await rules.locator("fieldset").first().getByLabel("Offsets:").fill("[0, 0]");
  await page.keyboard.press("Tab");
  await rules.getByText("staying is not a step").waitFor();
  await page.keyboard.press("Control+z");
});

check("officers of the rules stand on the board, and the thief's values can be seen", async (page) => {
  await page.getByLabel("Officers").fill("2");
  await page.keyboard.press("Tab");
  await solved(page);
  assert.equal([...(await text(page))].filter((letter) => letter === "P").length, 2);
  await figuresAre(page, /^120,050 positions/);
  await page.getByText("Values of").locator("..").getByRole("button", { name: "Thief" }).click();
  await page.mouse.move(...(await point(page, [1, 1], [9, 12])));
  assert.match(
    await page.locator(".status").textContent(),
    /^With the thief on 1,1 the (police|thief) wins in \d+ pl/,
  );
});

check(
  "boards are made by the library's makers, resized and turned, and all of it is undone",
  async (page) => {
    const form = page.getByRole("form", { name: "Make a board" });
    await form.getByRole("spinbutton", { name: "Rows" }).fill("9");
    await form.getByRole("spinbutton", { name: "Columns" }).fill("15");
    await form.getByLabel("Extra ways").fill("0");
    await form.getByText("with an exit").click();
    await form.getByRole("button", { name: "Make", exact: true }).click();
    await page.waitForFunction(() => document.querySelector("form[aria-label=Size] input").value === "9");
    await solved(page);
    const maze = (await golden("maze-9x15-e0-s1.txt")).toString();
    assert.equal((await text(page)).replace(/[PT]/g, "."), maze);
    await form.getByRole("button", { name: "Next seed" }).click();
    await page.waitForTimeout(200);
    assert.equal((await text(page)).replace(/[PT]/g, "."), (await golden("maze-9x15-e0-s2.txt")).toString());
    await page.getByRole("button", { name: "Turn right" }).click();
    assert.equal((await text(page)).trim().split("\n").length, 15);
    const size = page.getByRole("form", { name: "Size" });
    await size.getByRole("spinbutton", { name: "Rows" }).fill("4");
    await size.getByRole("button", { name: "Resize" }).click();
    assert.equal((await text(page)).trim().split("\n").length, 4);
    for (let k = 0; k < 4; k++) await page.getByRole("button", { name: "Undo" }).click();
    assert.equal(await text(page), YARD);
  },
);

check("a table is saved with the values of the program, and with the start cells of the page", async (page) => {
  await paste(page, OF_SIZE);
  const { name, bytes } = await downloaded(page, "Save table");
  assert.equal(name, "pasted.dtb");
  const [saved, expected] = [bytes, await golden("v2-size.dtb")].map((table) => open(table).pursuit());
  assert.equal(saved.digest, expected.digest);
  assert.match(saved.source(), /P/);
  assert.match(saved.source(), /T/);
  assert.equal(saved.source().replace(/[PT]/g, "."), expected.source());
});

check("tables of both favours are those of the program that DRAGNET names", async (page) => {
  const program = process.env.DRAGNET;
  if (program === undefined) return;
  const folder = mkdtempSync(join(tmpdir(), "dragnet-draw-"));
  try {
    writeFileSync(join(folder, "yard.txt"), YARD);
    for (const [button, favour] of [
      ["Save table", "size"],
      ["Save quick table", "speed"],
    ]) {
      const out = join(folder, favour);
      execFileSync(program, ["generate", join(folder, "yard.txt"), "--favour", favour, "--out", out], {
        stdio: "pipe",
      });
      assert.deepEqual((await downloaded(page, button)).bytes, readFileSync(join(out, "yard.dtb")));
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});

/** Returns the rules as the page writes them. */
const rulesText = (page) => page.locator('textarea[aria-label="Rules as TOML"]').inputValue();

/** Returns the table that the program makes of texts, which are the contents of files by their options. */
function generated(texts) {
  const folder = mkdtempSync(join(tmpdir(), "dragnet-draw-"));
  try {
    const options = Object.entries(texts).flatMap(([option, text]) => {
      const file = join(folder, option === "board" ? "board.txt" : `${option}.toml`);
      writeFileSync(file, text);
      return option === "board" ? [file] : [`--${option}`, file];
    });
    execFileSync(process.env.DRAGNET, ["generate", ...options, "--out", folder], { stdio: "pipe" });
    return open(readFileSync(join(folder, "board.dtb"))).pursuit();
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Tests that the table of the page is the one that the program makes of texts. */
async function isProgramsTable(page, texts) {
  const found = open((await downloaded(page, "Save table")).bytes).pursuit();
  if (process.env.DRAGNET === undefined) return;
  const expected = generated(texts);
  assert.deepEqual([found.digest, found.counts, found.worlds], [expected.digest, expected.counts, expected.worlds]);
  assert.equal(found.source(), expected.source());
}

check("mud, portals, bushes and one-way squares are drawn with the mouse, with their meaning", async (page) => {
  const size = [9, 12];
  const ground = page.getByLabel("Ground to draw");
  const draw = async (letter, ...cells) => {
    await ground.selectOption(letter);
    await drag(page, size, cells);
    await solved(page);
  };
  await draw("m", [1, 2], [1, 6]);
  await draw("A", [1, 1]);
  await draw("A", [7, 10]);
  await draw("b", [3, 4], [3, 5]);
  await draw(">", [7, 4], [7, 5]);
  await page.mouse.move(...(await point(page, [1, 3], size)));
  assert.match(await page.locator(".status").textContent(), /; m: 2 turns$/);
  const drawn = "#########E##\n#Ammmmm....#\n#.###.####.#\n#.#.bb...#.#\n#.#.####.#.#\n#.........T#\n#.###.####.#\n#P..>>....A#\n############\n";
  assert.equal(await text(page), drawn);
  await page.locator(".rules-panel").getByText("As TOML").click();
  assert.equal(await rulesText(page), 'ground = { m = 2 }\nways = ["A"]\ncover = { b = "full" }\n');
  await isProgramsTable(page, { board: drawn, rules: await rulesText(page) });

  const rules = page.locator(".rules-panel");
  await rules.getByLabel("Squares m").selectOption({ label: "4 turns" });
  await rules.getByLabel("Squares b").selectOption({ label: "Bars sight" });
  await rules.getByLabel("An officer captures").selectOption("In sight");
  await rules.getByLabel("Sees up to").fill("3");
  await page.keyboard.press("Tab");
  await solved(page);
  assert.equal(await rulesText(page), 'ground = { m = 4 }\nways = ["A"]\nopaque = "b"\ncapture = { sight = 3 }\n');
  await isProgramsTable(page, { board: drawn, rules: await rulesText(page) });

  await page.getByRole("button", { name: "Copy link" }).click();
  await page.getByText(/link is/).waitFor();
  const url = page.url();
  await page.goto("about:blank");
  await page.goto(url);
  await solved(page);
  assert.equal(await text(page), drawn);
  assert.equal(await rules.getByLabel("Squares m").inputValue(), '{"ground":4}');
});

check("a stroke of mud is undone with its meaning, and a letter without one is refused in words", async (page) => {
  await page.getByLabel("Ground to draw").selectOption("m");
  await drag(page, [9, 12], [[1, 2], [1, 4]]);
  await solved(page);
  await page.locator(".rules-panel").getByText("As TOML").click();
  await page.getByRole("button", { name: "Undo" }).click();
  await solved(page);
  assert.equal(await text(page), YARD);
  assert.equal(await rulesText(page), "# classic\n");
  await page.getByLabel("Letter to draw").fill("q");
  await drag(page, [9, 12], [[1, 2]]);
  await page.locator('.answer[data-state="failed"]').waitFor();
  assert.match(await page.locator(".figures").textContent(), /\bq\b/);
  await page.locator(".rules-panel").getByLabel("Squares q").selectOption({ label: "Barred" });
  await solved(page);
  assert.equal(await rulesText(page), 'ground = { q = "barred" }\n');
});

check("who steps into mud waits there, and the values are those of the wait", async (page) => {
  await paste(page, "T...E\n.....\nP....\n");
  await page.getByLabel("Ground to draw").selectOption("m");
  await drag(page, [3, 5], [[0, 1], [0, 3]]);
  const rules = page.locator(".rules-panel");
  await rules.getByLabel("Squares m").selectOption({ label: "3 turns" });
  await solved(page);
  await page.getByText("To move").locator("..").getByRole("button", { name: "Thief" }).click();
  const into = page.locator(".reply", { hasText: "0,1 waiting 2" });
  const [, outcome] = await into.locator("span").allTextContents();
  await into.click();
  const [winner, distance] = outcome.split(" ");
  assert.equal(await value(page), `The ${winner} wins in ${distance} ${distance === "1" ? "ply" : "plies"}`);
  assert.match(await text(page), /^\.mmmE\n/);
  await page.getByText("start cells on squares with letters left out: 1").waitFor();
  await page.getByRole("button", { name: "Undo" }).click();
  assert.equal(await text(page), "TmmmE\n.....\nP....\n");
});

const guardsText = (page) => page.locator('textarea[aria-label="Guards as TOML"]').inputValue();

check("a guard's round is drawn with clicks and with drags, and the table is the program's", async (page) => {
  const size = [9, 12];
  const panel = page.locator(".guards");
  await panel.getByText("As TOML").click();
  await tool(page, "guard");
  for (const cell of [[1, 1], [1, 10], [5, 10], [5, 10]]) await drag(page, size, [cell]);
  await solved(page);
  await drag(page, size, [[7, 1], [7, 10]]);
  await page.keyboard.press("Escape");
  await solved(page);
  assert.equal(
    await guardsText(page),
    "[[guards]]\nback = true\nsight = 4\nround = [[1, 1], [1, 10], [5, 10]]\n\n[[guards]]\nback = true\nsight = 4\nround = [[7, 1], [7, 10]]\n",
  );
  await panel.getByLabel("Angle").first().selectOption("90");
  await panel.getByLabel("Turns at rest").first().fill("2");
  await page.keyboard.press("Tab");
  await panel.getByRole("button", { name: "Remove" }).last().click();
  await solved(page);
  const guards = await guardsText(page);
  assert.equal(guards, "[[guards]]\nround = [[1, 1], [1, 10], [5, 10]]\nback = true\npause = 2\nsight = 4\nangle = 90\n");
  await isProgramsTable(page, { board: YARD, guards });
  await page.locator(".rules-panel").getByLabel("Officers").fill("0");
  await page.keyboard.press("Tab");
  await solved(page);
  const alone = YARD.replace("P", ".");
  assert.equal(await text(page), alone);
  await page.getByText("it has no guards").waitFor();
  await isProgramsTable(page, { board: alone, guards, rules: "officers = 0\n" });
  await page.getByText("To move").locator("..").getByRole("button", { name: "Police" }).click();
  await page.locator(".reply", { hasText: "guards go on" }).click();
  await page.getByText("World 1 of 0 to 33").waitFor();
  await page.getByRole("button", { name: "Copy link" }).click();
  await page.getByText(/link is/).waitFor();
  const url = page.url();
  await page.goto("about:blank");
  await page.goto(url);
  await solved(page);
  assert.equal(await guardsText(page), guards);
  await page.getByText("World 1 of 0 to 33").waitFor();
});

/** Returns the colours of the canvas beside the middles of cells. */
function colours(page, size, cells) {
  return Promise.all(
    cells.map(async (cell) => {
      const [x, y] = await point(page, cell, size);
      return page.evaluate(
        ([x, y]) => {
          const canvas = document.querySelector(".draw .board canvas");
          const { left, top, width } = canvas.getBoundingClientRect();
          const ratio = canvas.width / width;
          const copy = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
          copy.drawImage(canvas, (left + 12 - x) * ratio, (top + 12 - y) * ratio);
          return copy.getImageData(0, 0, 1, 1).data.join();
        },
        [x, y],
      );
    }),
  );
}

check("the squares that an officer sees are shaded, and follow the officer who is dragged", async (page) => {
  const size = [9, 12];
  const cells = [[7, 3], [7, 6], [1, 8], [1, 3]];
  await page.getByText("Values of").locator("..").getByRole("button", { name: "None" }).click();
  const isShaded = async (expected) => {
    let found;
    for (let k = 0; k < 60 && String(found) !== String(expected); k++) {
      await page.waitForTimeout(50);
      found = (await colours(page, size, cells)).map((colour) => colour !== plain);
    }
    assert.deepEqual(found, expected);
  };
  const [plain] = await colours(page, size, cells);
  await page.locator(".rules-panel").getByLabel("An officer captures").selectOption("In sight");
  await page.locator(".rules-panel").getByLabel("Sees up to").fill("3");
  await page.keyboard.press("Tab");
  await isShaded([true, false, false, false]);
  await page.mouse.move(...(await point(page, [7, 1], size)));
  await page.mouse.down();
  await page.mouse.move(...(await point(page, [1, 6], size)));
  await isShaded([false, false, true, true]);
  await page.mouse.up();
  await solved(page);
});

check("a museum of the page comes with its guards", async (page) => {
  await page.getByLabel("Open a board").selectOption({ label: "Museum: guards and mud" });
  await solved(page);
  await isProgramsTable(page, {
    board: await text(page),
    rules: await rulesText(page),
    guards: await guardsText(page),
  });
});

check("a round that leads through a wall is refused in words, and undo takes its last leg back", async (page) => {
  await tool(page, "guard");
  for (const cell of [[1, 1], [3, 5]]) await drag(page, [9, 12], [cell]);
  await page.locator('.answer[data-state="failed"]').waitFor();
  assert.match(await page.locator(".figures").textContent(), /^Guard 1: expected a straight way .* from 1,1 to 3,5/);
  await page.getByRole("button", { name: "Undo" }).click();
  await solved(page);
  await drag(page, [9, 12], [[7, 1]]);
  await solved(page);
  await page.locator(".guards").getByText("As TOML").click();
  assert.match(await guardsText(page), /^round = \[\[1, 1\], \[7, 1\]\]$/m);
  await drop(page, "guards.toml", "[[guards]]\nround = [[1, 5]]\nlooks = [\"south\"]\nsight = 3\nangle = 45\n");
  await page.getByText("Opened guards").waitFor();
  await solved(page);
  await page.getByRole("button", { name: "Turn right" }).click();
  assert.match(await guardsText(page), /round = \[\[5, 7\]\]\nlooks = \["west"\]/);
  await solved(page);
});

check("the direction in which an officer looks is chosen, and a saved table opens with letters and guards", async (page) => {
  const rules = page.locator(".rules-panel");
  await rules.getByLabel("An officer captures").selectOption("In sight");
  await rules.getByLabel("Angle").selectOption("90");
  await solved(page);
  await rules.getByText("As TOML").click();
  assert.equal(await rulesText(page), "capture = { sight = 6, angle = 90 }\n\n[police]\nlook = 8\n");
  const looks = page.locator(".moment").getByLabel("Officer");
  assert.equal(await looks.locator("option:checked").textContent(), "looking north");
  await looks.selectOption("looking east");
  await solved(page);
  await isProgramsTable(page, { board: YARD, rules: await rulesText(page) });
  const { bytes } = await downloaded(page, "Save table");
  await page.getByRole("button", { name: "Clear the board" }).click();
  await drop(page, "again.dtb", bytes);
  await page.getByText("Opened again").waitFor();
  await solved(page);
  assert.equal(await text(page), YARD);
  assert.equal(await rulesText(page), "capture = { angle = 90, doors = true, lines = \"shadows\", sight = 6 }\n\n[police]\nlook = 8\n");
});

check("a link leads to the same board, rules, side and values", async (page) => {
  await page.locator(".rules-panel").getByLabel("Preset").selectOption("chase");
  await figuresAre(page, /thief 29 plies$/);
  await page.getByText("Values of").locator("..").getByRole("button", { name: "None" }).click();
  await page.getByRole("button", { name: "Copy link" }).click();
  await page.getByText(/link is/).waitFor();
  const url = page.url();
  await page.goto("about:blank");
  await page.goto(url);
  await solved(page);
  assert.equal(await text(page), YARD);
  assert.equal(await page.locator(".rules-panel").getByLabel("Preset").inputValue(), "chase");
  assert.equal(await page.getByRole("button", { name: "None", pressed: true }).isVisible(), true);
});

check("the address follows the drawing, and a reload keeps it", async (page) => {
  await drag(
    page,
    [9, 12],
    [
      [3, 4],
      [3, 6],
    ],
  );
  const drawn = await text(page);
  await page.waitForTimeout(700);
  await page.reload();
  await solved(page);
  assert.equal(await text(page), drawn);
});

const FORMS = [
  ["castle.txt", "P..\n#.T\n", "P..\n#.T\n"],
  ["contest.txt", "2 3\nP.E\n#.T\n", "P.E\n#.T\n"],
  ["arena.map", "type octile\nheight 2\nwidth 3\nmap\n...\n@..\n", "P..\n#.T\n"],
];
for (const [name, content, expected] of FORMS) {
  check(`the file ${name} is opened when it is dropped`, async (page) => {
    await drop(page, name, content);
    await opened(page);
    assert.equal(await text(page), expected);
    assert.equal((await downloaded(page, "Save board")).name, `${name.replace(/\..*/, "")}.txt`);
  });
}

check("a table and a rules file are opened, and a file is picked", async (page) => {
  await drop(page, "small.dtb", await golden("v2-speed.dtb"));
  await opened(page);
  assert.equal((await text(page)).replace(/[PT]/g, "."), "....#\n.##.E\n.#...\n...#.\n");
  assert.equal(await page.getByLabel("Joined edges").inputValue(), "horizontal");
  await drop(page, "rules.toml", '[thief]\nmoves = "knight"\n');
  await page.getByText("Opened rules").waitFor();
  assert.equal(await page.locator("fieldset").last().getByLabel("Moves").inputValue(), "knight");
  const file = { name: "picked.txt", mimeType: "text/plain", buffer: Buffer.from("PT.\n") };
  await page.locator("input[type=file]").setInputFiles(file);
  await page.getByText("Opened picked").waitFor();
  assert.equal(await text(page), "PT.\n");
});

/** Graphs, and the number of edges one way in the link to each. */
const GRAPHS = [
  ["streets.txt", "0 1\n1 2\n", 2],
  // The example in the definition of graph6: 5 vertices, edges 0-2, 0-4, 1-3 and 3-4.
  ["example.g6", "DQc\n", 8],
];
for (const [name, content, edges] of GRAPHS) {
  check(`the graph ${name} goes to the view of graphs`, async (page) => {
    await drop(page, name, content);
    await page.waitForFunction(() => location.hash.startsWith("#1/graph?data="));
    const data = new URL(page.url()).hash.replace(/^#1\/graph\?data=([\w-]+).*$/, "$1");
    const { graph } = await readSharedGraph(data);
    const lines = writeGraphText(graph).trim().split("\n");
    assert.equal(lines.filter((line) => /^\d+ \d+$/.test(line)).length, edges);
  });
}

check("what is no board is refused with its place, and the board stays", async (page) => {
  await paste(page, "..E\n.@.\n");
  await page.locator("#trouble").waitFor();
  assert.match(
    await page.locator("#trouble").textContent(),
    /line 2, column 2: expected one of '\*' or '#'/i,
  );
  assert.equal(await text(page), YARD);
});

check(
  "a link that is damaged says so, and there is a board to draw on",
  async (page) => {
    assert.match(await page.locator("#trouble").textContent(), /^Link: expected/);
    await figuresAre(page, /positions, \d+ levels/);
  },
  { hash: "#1/draw?data=AWNkYGZQ" },
);

check(
  "a board of the catalogue is opened by its link",
  async (page) => {
    assert.equal(await text(page), "P..#\n...E\nT...\n");
  },
  { hash: "#1/draw?item=gate" },
);

check("boards of the page are opened from the list", async (page) => {
  await page.getByLabel("Open a board").selectOption({ label: "A knight hunts on a torus" });
  await solved(page);
  assert.equal(await page.getByLabel("Joined edges").inputValue(), "both");
});

check("a large board is announced beforehand, solved when asked, and stopped", async (page) => {
  const size = page.getByRole("form", { name: "Size" });
  await size.getByRole("spinbutton", { name: "Rows" }).fill("110");
  await size.getByRole("spinbutton", { name: "Columns" }).fill("110");
  await size.getByRole("button", { name: "Resize" }).click();
  await page.locator('.answer[data-state="too-large"]').waitFor();
  await figuresAre(page, /^2\d\d,\d{3},\d{3} positions need about [\d.]+ \wiB of memory/);
  await page.getByRole("button", { name: "Solve anyway" }).click();
  await page.getByRole("button", { name: "Stop" }).click();
  assert.equal(await value(page), "Stopped");
  await page.getByRole("button", { name: "Undo" }).click();
  await solved(page);
  assert.equal(await value(page), "The thief wins in 12 plies");
});

check("a board beyond the memory of a page is refused with what it needs", async (page) => {
  const size = page.getByRole("form", { name: "Size" });
  await size.getByRole("spinbutton", { name: "Rows" }).fill("512");
  await size.getByRole("spinbutton", { name: "Columns" }).fill("512");
  await size.getByRole("button", { name: "Resize" }).click();
  await page.locator('.answer[data-state="too-large"]').waitFor();
  await figuresAre(page, /^137,\d{3},\d{3},\d{3} positions need about .* and the limit is 3/);
  assert.equal(await page.getByRole("button", { name: "Solve anyway" }).isVisible(), false);
});

check("a finished table is handed to the view of tables", async (page) => {
  await page.getByRole("button", { name: "Open in the table view" }).click();
  const place = "#1/table/yard?police=7,1&thief=5,10&turn=police";
  await page.waitForFunction((place) => location.hash.startsWith(place), place);
  await page.getByText("The thief wins in 12 plies").first().waitFor();
});

for (const colorScheme of ["light", "dark"]) {
  for (const width of [360, 1280]) {
    check(
      `axe finds nothing in ${colorScheme} colours at ${width} pixels, and nothing is cut off`,
      async (page) => {
        await page.evaluate(() =>
          document.querySelectorAll("details").forEach((panel) => (panel.open = true)),
        );
        await page.evaluate(readFileSync(AXE, "utf8"));
        const { violations } = await page.evaluate(() => axe.run());
        assert.deepEqual(
          violations.map(({ id, nodes }) => [id, nodes.map(({ target }) => target)]),
          [],
        );
        assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), width);
        const small = await page.evaluate(() =>
          [
            ...document.querySelectorAll(
              ".draw button, .draw select, .draw label.tick, .draw input:not([type=checkbox])",
            ),
          ]
            .map((element) => [element.textContent, element.getBoundingClientRect()])
            .filter(([, { width, height }]) => width > 1 && (width < 24 || height < 24))
            .map(([text]) => text),
        );
        assert.deepEqual(small, []);
      },
      { colorScheme, viewport: { width, height: 800 }, hash: "#1/draw?sample=museum" },
    );
  }
}

/** Returns the data of a link to a board with the classic rules. */
async function shared(board) {
  const rows = board.trim().split("\n");
  const cells = rows.flatMap((row, r) => [...row].map((letter, c) => ({ letter, cell: [r, c] })));
  const of = (letter) => cells.filter((other) => other.letter === letter).map(({ cell }) => cell);
  const squares = Uint8Array.from(cells, ({ letter }) =>
    ["#", ".", "E"].indexOf(letter.replace(/[PT]/, ".")),
  );
  const scenario = {
    height: rows.length,
    width: rows[0].length,
    squares,
    police: of("P"),
    thief: of("T")[0],
    guards: [],
  };
  return shareGame({ scenario, rules: CLASSIC });
}
