// The squares of boards.

import assert from "node:assert/strict";
import { test } from "node:test";
import { open } from "dragnet-probe";
import { GOLDEN, goldenBytes, openCells } from "./support/golden.mjs";

test("a board lists its open cells and its exits, and has its squares as a text", () => {
  for (const name of GOLDEN) {
    const { board } = open(goldenBytes(name)).pursuit();
    assert.deepEqual(board.cells(), openCells(board));
    assert.deepEqual(board.exits(), openCells(board).filter((cell) => board.square(...cell) === "exit"));
    const kinds = { "#": "wall", ".": "open", E: "exit" };
    const rows = board.text.split("\n");
    assert.equal(rows.pop(), "");
    assert.deepEqual(
      rows.map((row) => Array.from(row, (character) => kinds[character])),
      rows.map((_, row) => Array.from({ length: board.width }, (_, column) => board.square(row, column))),
    );
    assert.equal(rows.length, board.height);
  }
});
