import type { Cell } from "dragnet-probe";
import {
  ARROWS,
  type Guard,
  type Kind,
  OPEN,
  type Scenario,
  has,
  letterOf,
  openBoard,
  settled,
  squareOf,
} from "../../model/scenario.js";

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

/**
 * Returns a board of another size. New squares are open; pieces that fall off move to the nearest square,
 * turns of guards to the edge.
 */
export function resize(scenario: Scenario, height: number, width: number, anchor: Anchor): Scenario {
  const [down, right] = [
    shift(height - scenario.height, { top: 0, middle: 0.5, bottom: 1 }[anchor.rows]),
    shift(width - scenario.width, { left: 0, middle: 0.5, right: 1 }[anchor.columns]),
  ];
  const grown = moved(scenario, height, width, ([row, column]) => [row + down, column + right]);
  const within = (at: number, side: number): number => Math.min(Math.max(at, 0), side - 1);
  const guards = grown.guards.map((guard): Guard => ({
    ...guard,
    round: guard.round.map(([row, column]) => [within(row, height), within(column, width)] as const),
  }));
  return settled({ ...grown, guards });
}

/** Returns the board without walls, exits, letters and guards. */
export function cleared(scenario: Scenario): Scenario {
  return { ...settled({ ...scenario, guards: [] }), squares: new Uint8Array(scenario.squares.length).fill(OPEN) };
}

function shift(more: number, share: number): number {
  return Math.floor(more * share);
}

const DIRECTIONS = ["north", "northeast", "east", "southeast", "south", "southwest", "west", "northwest"] as const;
const STEPS = [[-1, 0], [-1, 1], [0, 1], [1, 1], [1, 0], [1, -1], [0, -1], [-1, -1]] as const;

function moved(scenario: Scenario, height: number, width: number, to: (cell: Cell) => Cell): Scenario {
  const board = openBoard(height, width);
  const [down, right] = to([0, 0]);
  const isTurned = (step: Cell, into: Cell): boolean => String(to(step)) === String([into[0] + down, into[1] + right]);
  const turnedArrow = (kind: Kind): Kind => {
    const step = ARROWS[letterOf(kind) ?? ""];
    const turned = step && Object.keys(ARROWS).find((arrow) => isTurned(step, ARROWS[arrow]!));
    return turned?.charCodeAt(0) ?? kind;
  };
  const kinds = Uint8Array.from({ length: 128 }, (_, kind) => turnedArrow(kind));
  const turnedLook = (look: string): string => {
    const step = STEPS[DIRECTIONS.findIndex((other) => other === look)];
    return (step && DIRECTIONS[STEPS.findIndex((into) => isTurned(step, into))]) ?? look;
  };
  for (let row = 0; row < scenario.height; row++) {
    for (let column = 0; column < scenario.width; column++) {
      const cell = to([row, column]);
      if (has(board, cell))
        board.squares[squareOf(board, cell)] = kinds[scenario.squares[squareOf(scenario, [row, column])]!]!;
    }
  }
  const guards = scenario.guards.map((guard): Guard => {
    const looks = guard["looks"] as readonly string[] | undefined;
    return { ...guard, round: guard.round.map(to), ...(looks && { looks: looks.map(turnedLook) }) };
  });
  return { ...board, police: scenario.police.map(to), thief: scenario.thief && to(scenario.thief), guards };
}
