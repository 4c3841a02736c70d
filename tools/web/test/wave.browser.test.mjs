// The wave, used as a person would use it. Expected steps are those of the text that it comes from; expected
// values of boards are the engine's levels.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, test } from "node:test";
import { golden, launch, openPage, serve, skip } from "./support/pages.mjs";

const AXE = new URL("../node_modules/axe-core/axe.min.js", import.meta.url);
let browser;
let site;

before(async () => {
  if (skip) return;
  const table = await golden("v2-size.dtb");
  const item = { kind: "table", name: "small", url: "tables/small.dtb", game: "pursuit", positions: 1, bytes: table.length };
  site = await serve({
    "/catalogue.json": JSON.stringify({ version: 1, home: "site", items: [item] }),
    "/tables/small.dtb": table,
  });
  browser = await launch();
});

after(async () => {
  await browser?.close();
  site?.server.close();
});

function check(name, hash, run, options = {}) {
  test(name, { skip }, async () => {
    const { page, errors } = await openPage(browser, `${site.address}${hash}`, options);
    page.setDefaultTimeout(20_000);
    await page.locator(".wave-page").waitFor();
    await run(page);
    assert.deepEqual(errors, []);
    await page.close();
  });
}

const sentence = (page) => page.locator(".wave-sentence").textContent();
const button = (page, name) => page.getByRole("button", { name, exact: true });
const captions = (page) => page.locator(".vertex").evaluateAll((all) => all.map((one) => one.querySelector(".caption-text")?.textContent ?? ""));
const badges = (page) => page.locator(".vertex .badge text").allTextContents();

check("steps of the text's example go on and back, and end in its values", "#1/wave/sample/text", async (page) => {
  assert.deepEqual(await badges(page), ["2", "1", "2", "0", "1"]);
  await button(page, "Step").click();
  assert.match(await sentence(page), /Vertex 3 has no move: its player has lost/);
  assert.deepEqual(await captions(page), ["", "", "", "L 0", ""]);
  await button(page, "Step").click();
  await button(page, "Step").click();
  assert.match(await sentence(page), /1 is won in 1 ply/);
  assert.equal(await page.locator(".edge.followed").count(), 1);
  await button(page, "Step back").click();
  assert.deepEqual(await captions(page), ["", "", "", "L 0", ""]);
  await page.locator(".timeline").press("End");
  assert.deepEqual(await captions(page), ["D", "W 1", "D", "L 0", "D"]);
  assert.deepEqual(await badges(page), ["1", "1", "1", "0", "1"]);
  assert.match(page.url(), /#1\/wave\/sample\/text\?step=\d+$/);
  await button(page, "Reset").click();
  assert.deepEqual(await captions(page), ["", "", "", "", ""]);
});

check("a run ends at the last step, and in misère play a player without a move has won", "#1/wave/sample/text", async (page) => {
  await page.getByLabel("A player without a move").selectOption("wins");
  await page.getByLabel("Speed").selectOption("60");
  await button(page, "Run").click();
  await page.waitForFunction(() => document.querySelector(".player output").textContent.match(/(\d+) of \1$/));
  assert.equal((await captions(page))[3], "W 0");
  assert.match(page.url(), /stuck=wins/);
});

check("keys step, and move among the vertices", "#1/wave/sample/policeman-2x2?step=3", async (page) => {
  await page.locator(".vertex").first().focus();
  await page.keyboard.press("n");
  assert.match(await page.locator(".player output").textContent(), /^step 4 of/);
  await page.keyboard.press("b");
  assert.match(await page.locator(".player output").textContent(), /^step 3 of/);
  const before = await page.evaluate(() => document.activeElement.dataset.vertex);
  for (const key of ["ArrowRight", "ArrowLeft", "ArrowDown", "ArrowUp"]) await page.keyboard.press(key);
  assert.ok(before !== undefined && (await page.evaluate(() => document.activeElement.dataset.vertex)) !== undefined);
});

check("a table is shown level by level", "#1/wave/table/small?heat=thief&police=1,0", async (page) => {
  await page.locator(".wave-sentence", { hasText: /^Level 0: \d+ cells?/ }).waitFor();
  const decided = async () => Number(/(\d+) of \d+ in all/.exec(await sentence(page))[1]);
  const first = await decided();
  await button(page, "Step").click();
  assert.ok((await decided()) >= first);
  await page.locator(".timeline").press("End");
  // The reader's README has the counts of this slice: 11, 13 and 2.
  assert.match(await sentence(page), /settles as drawn: 2 cells of the thief are drawn, 26 of 26 in all/);
  assert.match(page.url(), /level=\d+&heat=thief&police=1,0/);
});

check("a sample board is solved in the page", "#1/wave/sample/yard", async (page) => {
  await page.locator(".levels", { hasText: "of the whole table" }).waitFor();
  await page.locator(".timeline").press("End");
  // The engine decides all of the yard's positions but its draws.
  assert.match(await page.locator(".levels").textContent(), /[\d,]+ are decided, of the whole table/);
});

for (const colorScheme of ["light", "dark"]) {
  for (const hash of ["#1/wave/sample/text?step=7", "#1/wave/table/small?level=5"]) {
    check(`axe finds nothing serious: ${colorScheme}, ${hash}`, hash, async (page) => {
      await page.evaluate(await readFile(AXE, "utf8"));
      const { violations } = await page.evaluate(() => window.axe.run());
      const serious = violations.filter(({ impact }) => ["serious", "critical"].includes(impact));
      assert.deepEqual(serious.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]), []);
      for (const width of [360, 1280, 2560]) {
        await page.setViewportSize({ width, height: width === 360 ? 760 : 900 });
        await page.waitForTimeout(100);
        if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/${colorScheme}-${hash.includes("table") ? "table" : "text"}-${width}.png` });
        assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${width}`);
      }
    }, { colorScheme });
  }
}
