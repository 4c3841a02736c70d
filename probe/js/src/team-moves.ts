import type { Rules } from "./rules.js";

/**
 * The cell numbers of all officers in ascending order, and so kind by kind. Officers of a kind are
 * interchangeable and may share a cell.
 */
export type Team = readonly number[];

/**
 * Yields the teams after one turn of the police, without duplicates, in reading order. Takes no memory for
 * the teams, however many there are.
 *
 * @param lists for each officer of `team`, the cells that the officer can move to, ascending
 * @param turn whether every officer moves in a turn, or one of them
 */
export function* teamMoves(team: Team, lists: readonly Int32Array[], turn: Rules["team"]): Generator<Team> {
  if (team.length === 1) for (const cell of lists[0]!) yield [cell];
  else if (team.length === 0 && turn === "all") yield team;
  else if (turn === "one") yield* oneMoves(team, lists);
  else if (lists.every((list) => list.length > 0)) yield* allMove(lists);
}

/** Returns the team of officers on the given cell numbers. */
export function sortedTeam(cells: readonly number[]): Team {
  return cells.length === 1 ? cells : [...cells].sort((a, b) => a - b);
}

/**
 * Yields the teams that arise if one officer moves. The teams of one officer ascend as the officer's cells
 * do, so that the next one of all is the lowest among the next ones of each officer.
 */
function* oneMoves(team: Team, lists: readonly Int32Array[]): Generator<Team> {
  const next = lists.map(() => 0);
  for (;;) {
    let lowest: Team | undefined;
    const heads = lists.map((list, officer) => {
      const cell = list[next[officer]!];
      return cell === undefined ? undefined : sortedTeam([...team.slice(0, officer), cell, ...team.slice(officer + 1)]);
    });
    for (const head of heads) {
      if (head !== undefined && (lowest === undefined || compareTeams(head, lowest) < 0)) lowest = head;
    }
    if (lowest === undefined) return;
    heads.forEach((head, officer) => {
      if (head !== undefined && compareTeams(head, lowest!) === 0) next[officer]!++;
    });
    yield lowest;
  }
}

/** Compares teams of equally many officers in reading order. */
export function compareTeams(a: Team, b: Team): number {
  const k = a.findIndex((cell, officer) => cell !== b[officer]);
  return k < 0 ? 0 : a[k]! - b[k]!;
}

/** The sets of five officers that hold each of them: bit s is the set whose officers are the bits of s. */
const WITH: readonly number[] = [0xaaaaaaaa, 0xcccccccc, 0xf0f0f0f0, 0xff00ff00, 0xffff0000];
/** Officers that {@link WITH} covers. A sixth officer is in all sets of the upper half, and in none below. */
const LOWER = 5;

/**
 * Yields the teams that arise if every officer moves. The search extends a list of cells that do not descend,
 * and keeps for each length of the list all sets of officers who can stand on its cells. A set goes when an
 * officer outside it can reach no cell that is high enough, so that every list that is kept can be completed.
 */
function* allMove(lists: readonly Int32Array[]): Generator<Team> {
  const officers = lists.length;
  const who = new Map<number, number>();
  lists.forEach((list, officer) => {
    for (const cell of list) who.set(cell, (who.get(cell) ?? 0) | (1 << officer));
  });
  const cells = Int32Array.from(who.keys()).sort();
  const reached = Uint8Array.from(cells, (cell) => who.get(cell)!);
  /** For each officer the place of the last cell that the officer can reach. */
  const last = lists.map((list) => cells.lastIndexOf(list[list.length - 1]!));
  const places = [0];
  /** The sets for each length of the list, without the sixth officer and with. */
  const lower = [1];
  const upper = [0];
  while (places.length > 0) {
    const length = places.length;
    const place = places[length - 1]!;
    let low = 0;
    let high = 0;
    let due = 0;
    if (place < cells.length) {
      const [fromLow, fromHigh] = [lower[length - 1]!, upper[length - 1]!];
      let keepLow = -1;
      let keepHigh = -1;
      for (let officer = 0; officer < officers; officer++) {
        const held = officer < LOWER ? WITH[officer]! : 0;
        if ((reached[place]! >> officer) & 1) {
          if (officer < LOWER) {
            low |= (fromLow & ~held) << (1 << officer);
            high |= (fromHigh & ~held) << (1 << officer);
          } else {
            high |= fromLow;
          }
        }
        if (last[officer]! < place) {
          due++;
          if (officer < LOWER) keepHigh &= held;
          keepLow &= held;
        }
      }
      low &= keepLow;
      high &= keepHigh;
    }
    if (place >= cells.length || due > length) {
      // No cell from here on can follow: the cell before is replaced by the next one.
      places.pop();
      if (places.length > 0) places[places.length - 1]!++;
    } else if (low === 0 && high === 0) {
      places[length - 1]!++;
    } else if (length < officers) {
      lower[length] = low;
      upper[length] = high;
      places.push(place);
    } else {
      yield places.map((at) => cells[at]!);
      places[length - 1]!++;
    }
  }
}
