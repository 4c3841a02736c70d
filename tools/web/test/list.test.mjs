import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "./support/modules.mjs";

const { COLUMNS } = await load("views/table/list.ts");

const FILE = { kind: "table", name: "yard", url: "tables/yard.dtb", bytes: 2048 };

const words = (item) => COLUMNS.map(({ text }) => text({ ...FILE, ...item }));

test("a table of each kind is listed with what is known of it, and with nothing else", () => {
  const facts = { positions: 4802, height: 9, width: 12, cells: 49, officers: 1, longest: { police: 18, thief: 19 } };
  assert.deepEqual(words({ game: "pursuit", ...facts }), [
    "yard", "9 × 12", "1", "4,802", "19 plies", "2.00 KiB",
  ]);
  assert.deepEqual(words({ game: "graph", positions: 5 }), ["yard", "game on a graph", "", "5", "", "2.00 KiB"]);
  const message = "a partial table, which keeps who wins only, cannot be shown";
  assert.deepEqual(words({ game: "damaged", message }), ["yard", message, "", "", "", "2.00 KiB"]);
});

test("a table that cannot be shown has a place in each order of the list", () => {
  const damaged = { ...FILE, game: "damaged", message: "the table is damaged" };
  for (const { key, title } of COLUMNS) assert.ok(typeof key(damaged) === "string" || key(damaged) >= 0, title);
});
