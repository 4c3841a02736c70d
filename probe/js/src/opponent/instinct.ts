import type { Cell } from "../board.js";
import type { Move } from "../line.js";
import { type Position, cellsOf } from "../placing.js";
import { type Ground, distances, levels } from "./ground.js";

/** A pair of numbers by which moves are compared, the first one first. */
type Key = readonly [first: number, second: number];

/**
 * Returns the moves that instinct prefers, in their order. The police runs after the thief. The thief runs
 * for an exit that he reaches before the police, or else away from the police.
 */
export function instinctive<C extends Move>(
  ground: Ground,
  position: Position,
  choices: readonly C[],
): readonly C[] {
  const { places, exits, steps } = ground;
  if (steps === undefined) return choices;
  const officers = (police: Position["police"]): number[] => {
    return cellsOf(police).map((cell) => places.police.numberOf(cell, "police"));
  };
  const thiefOn = (cell: Cell): number => places.thief.numberOf(cell, "thief");
  if (position.turn === "police") {
    const away = distances(steps.policeBack, [thiefOn(position.thief)]);
    return greatest(choices, ({ to }) => {
      const all = officers(to).map((cell) => away[cell]!);
      return [-Math.min(...all), -all.reduce((sum, distance) => sum + distance, 0)];
    });
  }
  const near = distances(steps.police, officers(position.police));
  const leads = levels(steps.thiefBack, exits.map((cell) => ({ cell, level: near[cell]! })));
  const cellAfter = ({ to }: C): number => thiefOn(to as Cell);
  if (choices.some((choice) => leads[cellAfter(choice)]! >= 1)) {
    return greatest(choices, (choice) => [leads[cellAfter(choice)]!, 0]);
  }
  return greatest(choices, (choice) => {
    const cell = cellAfter(choice);
    return [near[cell]!, leads[cell]!];
  });
}

/** Returns the moves with the greatest key, in their order. */
function greatest<C>(choices: readonly C[], keyOf: (choice: C) => Key): C[] {
  const keys = choices.map(keyOf);
  const most = keys.reduce((a, b) => (b[0] > a[0] || (b[0] === a[0] && b[1] > a[1]) ? b : a));
  return choices.filter((_, k) => keys[k]![0] === most[0] && keys[k]![1] === most[1]);
}
