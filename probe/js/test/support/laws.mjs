import assert from "node:assert/strict";
import { positions } from "./golden.mjs";

/** Returns how good the value after a move is for the side that makes it: the greater, the better. */
function merit({ outcome, dtw }, mover) {
  if (outcome === "draw") return 0;
  return outcome === mover ? 1e9 - dtw : dtw - 1e9;
}

/** Returns the value of a position as it follows from those after its moves, best first. */
function derived(values, { stuck }, turn) {
  const other = turn === "police" ? "thief" : "police";
  if (values.length === 0) return { outcome: stuck === "wins" ? turn : other, dtw: 0 };
  const { outcome, dtw } = values.reduce((best, value) => (merit(value, turn) > merit(best, turn) ? value : best));
  return { outcome, dtw: dtw === null ? null : dtw + 1 };
}

/**
 * Returns whether a move may stand before another: it is better, or earlier in reading order, or by worlds.
 */
function isInOrder(one, other, mover) {
  const keys = [one, other].map(({ to, position, ...value }) => [-merit(value, mover), ...to.flat(), position.world]);
  const k = keys[0].findIndex((part, at) => part !== keys[1][at]);
  return k >= 0 && keys[0][k] < keys[1][k];
}

/**
 * Checks of every position that its value follows from those after its moves, which stand in order, and that
 * its line has as many moves as its distance.
 */
export function checkLaws(table) {
  for (const position of positions(table)) {
    const value = table.value(position);
    const moves = table.moves(position);
    assert.deepEqual(table.bestMove(position), moves[0]);
    const { outcome, dtw } = value;
    for (const plies of [0, 4, 9]) {
      assert.equal(table.isCaughtWithin(position, plies), outcome === "police" && dtw <= plies);
    }
    assert.equal(new Set(moves.map(({ to, position: { world } }) => `${to} ${world}`)).size, moves.length);
    const winner = table.winner(position);
    const values = moves.map(({ position }) => table.value(position));
    if (winner === undefined) assert.deepEqual(derived(values, table.rules, position.turn), value);
    else assert.deepEqual([value, moves], [{ outcome: winner, dtw: 0 }, []]);
    moves.forEach(({ to, position: after, outcome, dtw }, k) => {
      const turn = position.turn === "police" ? "thief" : "police";
      assert.deepEqual(after, { ...position, world: after.world, [position.turn]: to, turn });
      assert.deepEqual(values[k], { outcome, dtw });
      if (k > 0) assert.ok(isInOrder(moves[k - 1], moves[k], position.turn), JSON.stringify(position));
    });
    const line = table.line(position);
    line.moves.forEach(({ side, ...move }, k) => {
      const before = line.moves[k - 1]?.position ?? position;
      assert.equal(side, before.turn);
      assert.deepEqual(table.bestMove(before), move);
    });
    if (value.dtw === null) assert.equal(line.end, "repetition");
    else assert.equal(line.moves.length, value.dtw);
    assert.deepEqual({ outcome: line.outcome, dtw: line.dtw }, value);
  }
}
