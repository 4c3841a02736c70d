import type { Cell } from "dragnet-probe";
import { OPEN, type Scenario, has, openBoard, settled, squareOf } from "../../model/scenario.js";

/** The place of the old board in a board of another size. */
export interface Anchor {
  readonly rows: "top" | "middle" | "bottom";
  readonly columns: "left" | "middle" | "right";
}

/** Returns a board that is mirrored, so that left and right change places. */
export function mirrorColumns(scenario: Scenario): Scenario {
  return moved(scenario, scenario.height, scenario.width, ([row, column]) => [
    row,
    scenario.width - 1 - column,
  ]);
}

/** Returns a board that is mirrored, so that top and bottom change places. */
export function mirrorRows(scenario: Scenario): Scenario {
  return moved(scenario, scenario.height, scenario.width, ([row, column]) => [
    scenario.height - 1 - row,
    column,
  ]);
}

/** Returns a board that is turned to the right by a quarter. */
export function rotate(scenario: Scenario): Scenario {
  return moved(scenario, scenario.width, scenario.height, ([row, column]) => [
    column,
    scenario.height - 1 - row,
  ]);
}

/** Returns a board of another size. New squares are open; pieces that fall off move to the nearest square. */
export function resize(scenario: Scenario, height: number, width: number, anchor: Anchor): Scenario {
  const [down, right] = [
    shift(height - scenario.height, { top: 0, middle: 0.5, bottom: 1 }[anchor.rows]),
    shift(width - scenario.width, { left: 0, middle: 0.5, right: 1 }[anchor.columns]),
  ];
  return settled(moved(scenario, height, width, ([row, column]) => [row + down, column + right]));
}

/** Returns the board without walls and exits. */
export function cleared(scenario: Scenario): Scenario {
  return { ...scenario, squares: new Uint8Array(scenario.squares.length).fill(OPEN) };
}

function shift(more: number, share: number): number {
  return Math.floor(more * share);
}

function moved(scenario: Scenario, height: number, width: number, to: (cell: Cell) => Cell): Scenario {
  const board = openBoard(height, width);
  for (let row = 0; row < scenario.height; row++) {
    for (let column = 0; column < scenario.width; column++) {
      const cell = to([row, column]);
      if (has(board, cell))
        board.squares[squareOf(board, cell)] = scenario.squares[squareOf(scenario, [row, column])]!;
    }
  }
  return { ...board, police: scenario.police.map(to), thief: scenario.thief && to(scenario.thief) };
}
