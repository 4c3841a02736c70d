import assert from "node:assert/strict";
import { SLICE_OUTCOMES } from "dragnet-probe";

/** Compares every slice through a position with the values of its positions. Returns how many it compared. */
export function compareSlices(table, position) {
  let compared = 0;
  for (const { piece, officer, moved } of pieces(table, position)) {
    const slice = table.slice(position, piece, officer);
    const places = table.places[piece];
    const [first, end] = piece === "police" ? layersOf(table, position, officer) : [0, Infinity];
    assert.deepEqual([slice.height, slice.width], [places.height, places.width]);
    const counts = { police: 0, thief: 0, draw: 0 };
    const longest = { police: 0, thief: 0 };
    for (let square = 0; square < slice.height * slice.width; square++) {
      const cell = [Math.floor(square / slice.width), square % slice.width];
      const found = [SLICE_OUTCOMES[slice.outcome[square]], slice.dtw[square]];
      const layer = Math.floor(cell[0] / table.board.height);
      if (places.square(...cell) === "wall" || layer < first || layer >= end) {
        assert.deepEqual(found, ["wall", 0]);
        continue;
      }
      const { outcome, dtw } = table.value(moved(cell));
      if (found[0] !== outcome || found[1] !== (dtw ?? 0)) {
        assert.deepEqual(found, [outcome, dtw ?? 0], JSON.stringify(moved(cell)));
      }
      counts[outcome]++;
      if (dtw !== null) longest[outcome] = Math.max(longest[outcome], dtw);
      compared++;
    }
    assert.deepEqual({ ...slice.counts }, counts);
    assert.deepEqual({ ...slice.longest }, longest);
  }
  return compared;
}

/** Returns the first layer of the kind of an officer, and the first one behind it. */
function layersOf({ board, kinds, rules }, { police }, officer) {
  const [row] = rules.officers === 1 ? police : police[officer];
  let end = 0;
  for (const { layers } of kinds.police) {
    const first = end;
    end += layers.length;
    if (row < end * board.height) return [first, end];
  }
  throw new Error("an officer without a kind");
}

/** Returns each piece of a position, with a function that puts it on another cell. */
function pieces(table, position) {
  const { officers } = table.rules;
  const thief = { piece: "thief", officer: undefined, moved: (cell) => ({ ...position, thief: cell }) };
  if (officers === 1) {
    return [thief, { piece: "police", officer: undefined, moved: (cell) => ({ ...position, police: cell }) }];
  }
  const others = position.police.map((_, officer) => ({
    piece: "police",
    officer,
    moved: (cell) => ({ ...position, police: position.police.with(officer, cell) }),
  }));
  return [thief, ...others];
}
