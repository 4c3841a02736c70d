// The view of games on graphs, used as a person would use it. The engine's values are compared with the
// program's in other tests; here they must reach the page.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, test } from "node:test";
import { open } from "dragnet-probe";
import { load } from "./support/modules.mjs";
import { golden, launch, openPage, serve, skip } from "./support/pages.mjs";

const { readSharedGraph, shareGraph } = await load("model/share-graph.ts");
const AXE = new URL("../node_modules/axe-core/axe.min.js", import.meta.url);
const GAME = "start hall\nhall start\nhall yard\nyard gate\nyard hall\n";
/** The Petersen graph, whose cop number is 3. */
const PETERSEN = Array.from({ length: 5 }, (_, v) => `${v} ${(v + 1) % 5}\n${v} ${v + 5}\n${v + 5} ${((v + 2) % 5) + 5}\n`).join("");

let browser;
let site;

before(async () => {
  if (skip) return;
  const facts = { statistics: "tables/game.stats.json", game: "graph", positions: 131, bytes: 1130 };
  const items = [
    { kind: "table", name: "game", url: "tables/game.dtb", graph: "graphs/game.txt", ...facts },
    { kind: "table", name: "alone", url: "tables/game.dtb", ...facts },
    { kind: "board", name: "yard", url: "boards/yard.txt" },
    { kind: "graph", name: "game", url: "graphs/game.txt" },
  ];
  site = await serve({
    "/catalogue.json": JSON.stringify({ version: 1, home: "site", items }),
    "/tables/game.dtb": await golden("v2-graph.dtb"),
    "/boards/yard.txt": "P.E\n.T.\n",
    "/graphs/game.txt": GAME,
  });
  browser = await launch();
});

after(async () => {
  await browser?.close();
  site?.server.close();
});

/** Tests a page with the view, and that it logs no error. */
function check(name, run, { hash = "#1/graph", ...options } = {}) {
  test(name, { skip }, async () => {
    const { page, errors } = await openPage(browser, `${site.address}${hash}`, options);
    page.setDefaultTimeout(15_000);
    await page.locator(".graph-page").waitFor();
    await run(page);
    assert.deepEqual(errors, []);
    await page.close();
  });
}

const press = (page, name) => page.getByRole("button", { name, exact: true }).click();
const verdict = (page, text) => page.locator(".graph-verdict", { hasText: text }).waitFor();
const dataOf = async (page) => new URLSearchParams((await page.evaluate(() => location.hash)).split("?")[1]).get("data");
const graphOf = async (page) => (await readSharedGraph(await dataOf(page))).graph;

async function write(page, text) {
  await page.getByLabel("Edge list", { exact: true }).fill(text);
  await press(page, "Use this text");
}

/** Returns the middle of the vertex with a number, found at one go: a redraw may replace it at any time. */
function middle(page, number) {
  return page.evaluate((number) => {
    const vertex = document.querySelector(`[data-vertex="${number}"]`);
    const { x, y, width, height } = vertex.querySelector(".vertex-outline, circle, rect, path").getBoundingClientRect();
    return [x + width / 2, y + height / 2];
  }, number);
}

check("the example of the text is solved, and its wave is a click away", async (page) => {
  await verdict(page, "1 won, 1 lost, 3 drawn");
  await page.getByRole("link", { name: "Show the wave" }).click();
  await page.locator(".player output", { hasText: "0 of 9" }).waitFor();
  await page.goBack();
  await verdict(page, "1 won, 1 lost, 3 drawn");
});

check("a pasted edge list with names is solved, in normal play and misère", async (page) => {
  await write(page, GAME);
  await verdict(page, "1 won, 1 lost, 2 drawn");
  const row = page.locator(".vertex-rows tr", { has: page.getByRole("button", { name: "yard", exact: true }) });
  assert.deepEqual(await row.locator("td").allTextContents(), ["won", "1", "gate"]);
  const normal = await page.evaluate(() => location.hash);
  await page.getByLabel("A player without a move").selectOption("wins");
  await verdict(page, "1 won, 0 lost, 3 drawn");
  // The text of the address is compressed meanwhile.
  await page.waitForFunction((before) => location.hash !== before, normal);
  await page.reload();
  await verdict(page, "1 won, 0 lost, 3 drawn");
});

check("a fault in an edge list names its line and column, and the graph stays", async (page) => {
  await verdict(page, "1 won");
  await write(page, "0 1\n1 2 3\n");
  await page.getByRole("alert").filter({ hasText: "Line 2, column 5: expected two vertices in a line" }).waitFor();
  assert.equal((await graphOf(page)).labels.length, 5);
});

check("a graph is drawn by the pointer: vertices, edges, a loop; removed, undone and redone", async (page) => {
  await verdict(page, "1 won");
  await press(page, "New");
  await verdict(page, "to begin a graph");
  await press(page, "Vertex");
  const { x, y, width, height } = await page.locator("svg", { has: page.locator("defs") }).first().boundingBox();
  for (const [right, down] of [[0.3, 0.3], [0.7, 0.3], [0.5, 0.7]]) {
    const before = await page.locator(".vertex").count();
    await page.mouse.click(x + right * width, y + down * height);
    await page.waitForFunction((count) => document.querySelectorAll(".vertex").length > count, before);
  }
  await press(page, "Edge");
  for (const [from, to] of [[0, 1], [1, 2]]) {
    await page.mouse.move(...(await middle(page, from)));
    await page.mouse.down();
    await page.mouse.move(...(await middle(page, to)), { steps: 4 });
    await page.mouse.up();
  }
  await page.mouse.click(...(await middle(page, 0)));
  await page.mouse.click(...(await middle(page, 0)));
  await verdict(page, "1 won, 1 lost, 1 drawn");
  await page.waitForTimeout(100);
  assert.deepEqual((await graphOf(page)).edges, [[0, 1], [1, 2], [0, 0]]);
  await press(page, "Delete");
  await page.mouse.click(...(await middle(page, 2)));
  await verdict(page, "1 won, 1 lost, 0 drawn");
  await press(page, "Undo");
  await verdict(page, "1 won, 1 lost, 1 drawn");
  await press(page, "Redo");
  await verdict(page, "1 won, 1 lost, 0 drawn");
});

check("after a pasted text nothing that was undone can be redone", async (page) => {
  await write(page, "0 1\n");
  await verdict(page, "1 won, 1 lost, 0 drawn");
  await press(page, "Undo");
  await verdict(page, "1 won, 1 lost, 3 drawn");
  assert.equal(await page.getByRole("button", { name: "Redo" }).isDisabled(), false);
  await write(page, "0 1\n1 2\n");
  await verdict(page, "1 won, 2 lost, 0 drawn");
  assert.equal(await page.getByRole("button", { name: "Redo" }).isDisabled(), true);
});

check("a graph is drawn by keys alone", async (page) => {
  await verdict(page, "1 won");
  await page.locator("[data-vertex='3']").focus();
  await page.keyboard.press("a");
  await page.waitForTimeout(200);
  assert.deepEqual((await graphOf(page)).edges.at(-1), [3, 5]);
  await page.locator("[data-vertex='5']").focus();
  await page.keyboard.press("e");
  await page.locator("[data-vertex='0']").focus();
  await page.keyboard.press("e");
  await page.waitForTimeout(200);
  assert.deepEqual((await graphOf(page)).edges.at(-1), [5, 0]);
  await page.locator("[data-vertex='5']").focus();
  await page.keyboard.press("Delete");
  await page.waitForTimeout(200);
  assert.deepEqual((await graphOf(page)).labels, [..."01234"]);
  await verdict(page, "1 won, 1 lost, 3 drawn");
});

check("a vertex is renamed, but not to a name that is taken or no word", async (page) => {
  await page.locator("[data-vertex='3']").press("Enter");
  const name = page.getByLabel("Name of the chosen vertex");
  await name.fill("gate");
  await name.press("Enter");
  await page.waitForTimeout(200);
  assert.deepEqual((await graphOf(page)).labels, ["0", "1", "2", "gate", "4"]);
  await name.fill("1");
  await name.press("Enter");
  await page.getByRole("alert").filter({ hasText: "no other vertex has" }).waitFor();
  await name.fill("two words");
  await name.press("Enter");
  await page.getByRole("alert").filter({ hasText: "one word" }).waitFor();
  await verdict(page, "1 won, 1 lost, 3 drawn");
});

check("the cop number and a best placement are found and drawn", async (page) => {
  await write(page, PETERSEN);
  await page.getByLabel("Most cops").fill("2");
  await press(page, "Find the cop number");
  await page.getByText("2 cops do not always catch the robber.").waitFor();
  await page.getByLabel("Most cops").fill("3");
  await press(page, "Find the cop number");
  await page.getByText("The cop number is 3.").waitFor();
  assert.equal(await page.locator(".vertex .piece, .vertex .vertex-piece").count(), 3);
});

check("a graph is saved as text and as a table of its values", async (page) => {
  await write(page, GAME);
  await verdict(page, "1 won, 1 lost, 2 drawn");
  const saved = async (name) => {
    const [download] = await Promise.all([page.waitForEvent("download"), press(page, name)]);
    return readFile(await download.path());
  };
  assert.equal((await saved("Save text")).toString(), `start\nhall\nyard\ngate\n${GAME}`);
  const table = open(await saved("Save table")).game();
  assert.deepEqual(table.value(2), { result: "won", dtw: 1 });
  assert.equal(table.positions, 4);
});

check("a large graph is a list that can be searched", async (page) => {
  const vertices = 3000;
  const text = Array.from({ length: vertices - 1 }, (_, v) => `${v} ${v + 1}\n`).join("");
  await page.getByLabel("Open an edge list").setInputFiles({ name: "path.txt", mimeType: "text/plain", buffer: Buffer.from(text) });
  await verdict(page, "1,500 won, 1,500 lost, 0 drawn");
  await page.getByText("too many for a picture").waitFor();
  await page.getByLabel("Search vertices").fill("2998");
  const cells = page.locator(".vertex-rows tbody td");
  assert.deepEqual(await cells.allTextContents(), ["won", "1", "2999"]);
  await page.getByLabel("Search vertices").fill("lost");
  await page.getByText("200 of 1,500 found").waitFor();
});

check("a graph of the catalogue opens", (page) => verdict(page, "1 won, 1 lost, 2 drawn"), { hash: "#1/graph?item=game" });

test("the list of tables leads to boards and graphs, and a table of a game to its graph and its wave", { skip }, async () => {
  const { page, errors } = await openPage(browser, site.address);
  const follow = (name) => page.getByRole("link", { name, exact: true }).click();
  await page.getByRole("region", { name: "Graphs" }).getByRole("link", { name: "game" }).click();
  await verdict(page, "1 won, 1 lost, 2 drawn");
  await page.goBack();
  await page.getByRole("region", { name: "Boards" }).getByRole("link", { name: "yard" }).click();
  await page.locator(".answer", { hasText: "wins" }).waitFor();
  await page.goBack();
  await page.locator("table.tables").getByRole("link", { name: "game" }).click();
  await follow("Show the graph");
  await verdict(page, "1 won, 1 lost, 2 drawn");
  await page.goto(`${site.address}#1/wave/table/game`);
  await page.locator(".player output", { hasText: "0 of" }).waitFor();
  assert.equal(await page.locator(".vertex").count(), 4);
  await page.goto(`${site.address}#1/wave/table/alone`);
  await page.locator("#trouble", { hasText: "expected a pursuit game, or a graph beside the table" }).waitFor();
  assert.deepEqual(errors, []);
  await page.close();
});

for (const [hash, message] of [
  ["#1/graph?data=%21", /link: expected/i],
  ["#1/graph?item=none", /graph none: expected one of the catalogue/i],
]) {
  test(`the wrong link ${hash} gets a message`, { skip }, async () => {
    const { page } = await openPage(browser, `${site.address}${hash}`);
    await page.locator("#trouble:not([hidden])").waitFor();
    assert.match(await page.locator("#trouble").textContent(), message);
    await page.close();
  });
}

for (const colorScheme of ["light", "dark"]) {
  for (const width of [360, 1280, 2560]) {
    check(`the view fits ${width} pixels, ${colorScheme}, and axe finds nothing serious`, async (page) => {
      await verdict(page, "1 won");
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.ok(overflow <= 0, `${overflow} pixels too wide`);
      await page.evaluate(await readFile(AXE, "utf8"));
      const { violations } = await page.evaluate(() => globalThis.axe.run());
      const serious = violations.filter(({ impact }) => ["serious", "critical"].includes(impact));
      assert.deepEqual(serious.map(({ id, nodes }) => [id, nodes[0].html]), []);
    }, { viewport: { width, height: 800 }, colorScheme });
  }
}

test("a link to a graph opens it with its places", { skip }, async () => {
  const places = [[0, 0], [200, 30]];
  const data = await shareGraph({ graph: { labels: ["a", "b"], edges: [[0, 1]] }, stuck: "loses", places });
  const { page, errors } = await openPage(browser, `${site.address}#1/graph?data=${data}`);
  await verdict(page, "1 won, 1 lost");
  assert.equal(await page.locator("[data-vertex='1']").getAttribute("transform"), "translate(200 30)");
  assert.deepEqual(errors, []);
  await page.close();
});
