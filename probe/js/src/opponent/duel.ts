import { opponent } from "../codes.js";
import type { Side } from "../rules.js";
import type { Position } from "../placing.js";
import type { Table } from "../table.js";
import type { Opponent } from "./opponent.js";

/** The occurrences of a position that end a game. */
const OCCURRENCES = 3;
/** The plies after which a game ends, beside four times the table's longest win. */
const LIMIT = 1000;
/** The longest win for which the limit is raised. */
const LONGEST = 25_000;

/** A game between two opponents. */
export interface Duel {
  /** The positions: the start, and the position after each ply. */
  readonly positions: readonly Position[];
  /** The winner; `null` for a draw that the rules count for neither side. */
  readonly winner: Side | null;
}

/** Plays games between opponents. */
export const Duel = {
  /**
   * Plays a game from a start to its end: a win, the third occurrence of a position, or a limit of plies. A
   * game that throws has no effect on the opponents.
   *
   * @throws DragnetError as {@link Table.moves}
   */
  play(table: Table, start: Position, police: Opponent, thief: Opponent): Duel {
    return police.undoingIfThrown(() => thief.undoingIfThrown(() => play(table, start, { police, thief })));
  },
} as const;

function play(table: Table, start: Position, players: Readonly<Record<Side, Opponent>>): Duel {
  const { longest, rules } = table;
  const limit = LIMIT + 4 * Math.min(LONGEST, Math.max(longest.police, longest.thief));
  const occurrences = new Map<number, number>();
  const positions = [start];
  for (let here = start; ; ) {
    const number = table.numberOf(here);
    const occurred = (occurrences.get(number) ?? 0) + 1;
    occurrences.set(number, occurred);
    if ((occurred >= OCCURRENCES || positions.length > limit) && table.value(here).dtw !== 0) {
      return { positions, winner: rules.undecided === "draw" ? null : rules.undecided };
    }
    const choice = players[here.turn].choose(table, here);
    if (choice === undefined) {
      return { positions, winner: table.winner(here) ?? stuckWinner(table, here.turn) };
    }
    here = choice.position;
    positions.push(here);
  }
}

/** Returns the winner if `turn` has no move. */
function stuckWinner({ rules }: Table, turn: Side): Side {
  return rules.stuck === "wins" ? turn : opponent(turn);
}
