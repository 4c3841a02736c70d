import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "./support/modules.mjs";

const camera = await load("board/camera.ts");
const { runsOf, segmentsOf } = await load("board/steps.ts");

const CANVAS = { width: 640, height: 480 };
const BOARDS = [
  { height: 1, width: 1 },
  { height: 2, width: 18 },
  { height: 128, width: 128 },
  { height: 512, width: 512 },
  { height: 1, width: 500 },
];

test("a board that fits is wholly inside the canvas, and its corner cells are found where they are", () => {
  for (const board of BOARDS) {
    const fitted = camera.fit(board, CANVAS);
    const { scale, left, top } = fitted;
    assert.ok(left >= 0 && top >= 0, `${JSON.stringify(board)} begins inside`);
    assert.ok(left + board.width * scale <= CANVAS.width && top + board.height * scale <= CANVAS.height);
    for (const cell of [
      [0, 0],
      [board.height - 1, board.width - 1],
    ]) {
      const [x, y] = [left + (cell[1] + 0.5) * scale, top + (cell[0] + 0.5) * scale];
      assert.deepEqual(camera.cellAt(fitted, x, y, board), cell);
    }
    assert.equal(camera.cellAt(fitted, left - 2, top + 1, board), undefined);
    assert.equal(camera.isPartial(fitted, board, CANVAS), false);
  }
});

test("a zoom keeps the cell under the pointer", () => {
  const board = { height: 512, width: 512 };
  let seen = camera.fit(board, CANVAS);
  const [x, y] = [301, 177];
  const cell = camera.cellAt(seen, x, y, board);
  for (let k = 0; k < 6; k++) {
    seen = camera.zoom(seen, 1.5, x, y, board, CANVAS);
    const now = camera.cellAt(seen, x, y, board);
    assert.ok(Math.abs(now[0] - cell[0]) <= 1 && Math.abs(now[1] - cell[1]) <= 1, `${now} is near ${cell}`);
  }
  assert.ok(camera.isPartial(seen, board, CANVAS));
  const out = camera.zoom(seen, 1e-9, x, y, board, CANVAS);
  assert.deepEqual(out, camera.fit(board, CANVAS));
});

test("a pan never leaves the board, and only what is seen is in the window", () => {
  const board = { height: 100, width: 300 };
  const near = camera.zoom(camera.fit(board, CANVAS), 30, 0, 0, board, CANVAS);
  for (const [x, y] of [
    [1e6, 1e6],
    [-1e6, -1e6],
    [-500, 20],
  ]) {
    const moved = camera.pan(near, x, y, board, CANVAS);
    const { firstRow, lastRow, firstColumn, lastColumn } = camera.windowOf(moved, board, CANVAS);
    assert.ok(firstRow >= 0 && lastRow <= 100 && firstColumn >= 0 && lastColumn <= 300);
    assert.ok(lastRow > firstRow && lastColumn > firstColumn, "something is seen");
    assert.ok((lastColumn - firstColumn) * moved.scale <= CANVAS.width + 2 * moved.scale);
  }
});

test("a revealed cell is seen with its neighbours", () => {
  const board = { height: 200, width: 200 };
  let seen = camera.zoom(camera.fit(board, CANVAS), 30, 0, 0, board, CANVAS);
  for (const cell of [
    [150, 3],
    [0, 199],
    [199, 0],
    [77, 120],
  ]) {
    seen = camera.reveal(seen, cell, board, CANVAS);
    const { firstRow, lastRow, firstColumn, lastColumn } = camera.windowOf(seen, board, CANVAS);
    assert.ok(
      cell[0] >= firstRow && cell[0] < lastRow && cell[1] >= firstColumn && cell[1] < lastColumn,
      `${cell}`,
    );
  }
});

test("a step goes over a joined edge only if that is shorter", () => {
  const board = { height: 4, width: 10 };
  assert.deepEqual(segmentsOf([0, 9], [0, 0], { ...board, wrap: "none" }).length, 1);
  assert.deepEqual(segmentsOf([0, 9], [0, 0], { ...board, wrap: "vertical" }).length, 1);
  const [leaving, returning] = segmentsOf([0, 9], [0, 0], { ...board, wrap: "horizontal" });
  assert.deepEqual(leaving, { from: { row: 0.5, column: 9.5 }, to: { row: 0.5, column: 10 } });
  assert.deepEqual(returning, { from: { row: 0.5, column: 0 }, to: { row: 0.5, column: 0.5 } });
  assert.deepEqual(segmentsOf([3, 9], [0, 0], { ...board, wrap: "both" })[0].to, { row: 4, column: 10 });
  assert.deepEqual(segmentsOf([2, 2], [2, 2], { ...board, wrap: "both" }), []);
});

test("a way breaks only where it leaves the board", () => {
  const board = { height: 1, width: 6, wrap: "horizontal" };
  assert.equal(
    runsOf(
      [
        [0, 0],
        [0, 1],
        [0, 1],
        [0, 2],
      ],
      board,
    ).length,
    1,
  );
  const runs = runsOf(
    [
      [0, 4],
      [0, 5],
      [0, 0],
      [0, 1],
    ],
    board,
  );
  assert.deepEqual(
    runs.map((run) => run.map(({ column }) => column)),
    [
      [4.5, 5.5, 6],
      [0, 0.5, 1.5],
    ],
  );
});
