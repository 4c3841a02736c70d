import type { Cell, Position, Side, Table } from "dragnet-probe";
import { html, replace } from "../../base/dom.js";
import { labelled } from "../../base/fields.js";
import { isPlace, layerNames, layerOf, onLayer, squareUnder } from "../../model/layers.js";
import { cellsOf } from "./answer.js";
import type { Editor } from "./editor.js";

/** The fields for the part of a position that is not seen on the squares: layers of pieces, and the world. */
export interface MomentFields {
  readonly element: HTMLElement;
  /** Shows the fields that a position of a table has; none without a table. */
  show(table: Table | undefined, position: Position | undefined): void;
}

/** Creates the fields for the layers of pieces, such as where officers look, and for the world. */
export function createMomentFields(editor: Editor): MomentFields {
  const element = html("div", { class: "row moment" });
  let shown = "";
  return {
    element,
    show(table, position) {
      const key = table === undefined || position === undefined ? "" : `${table.digest} ${JSON.stringify(position)}`;
      if (key === shown) return;
      shown = key;
      replace(element, ...(table === undefined || position === undefined ? [] : fieldsOf(table, position, editor)));
    },
  };
}

function fieldsOf(table: Table, position: Position, editor: Editor): HTMLElement[] {
  const { board, kinds, worlds } = table;
  const officers = cellsOf(position.police);
  const layers = (name: string, side: Side, cell: Cell, place: (cell: Cell) => Position): HTMLElement[] => {
    const names = layerNames(kinds[side]);
    const on = (layer: number): Cell => onLayer(squareUnder(cell, board), layer, board);
    const offered = [...names.keys()].filter((layer) => isPlace(table, side, on(layer)));
    if (offered.length < 2) return [];
    const options = offered.map((layer) => html("option", { value: layer }, names[layer] === "layer 0" ? "ready" : names[layer]!));
    const select = html("select", { change: () => editor.place(place(on(Number(select.value)))) }, ...options);
    select.value = String(layerOf(cell, board));
    return [labelled(name, select)];
  };
  const ofOfficers = officers.flatMap((cell, officer) =>
    layers(officers.length === 1 ? "Officer" : `Officer ${officer + 1}`, "police", cell, (to) => ({
      ...position,
      police: officers.map((other, at) => (at === officer ? to : other)),
    })),
  );
  const ofThief = layers("Thief", "thief", position.thief, (thief) => ({ ...position, thief }));
  const clock = html("input", { type: "range", min: 0, max: worlds - 1, step: 1 });
  clock.value = String(position.world ?? 0);
  clock.addEventListener("change", () => editor.place({ ...position, world: Number(clock.value) }));
  const world = worlds === 1 ? [] : [labelled(`World ${position.world} of 0 to ${worlds - 1}`, clock)];
  return [...ofOfficers, ...ofThief, ...world];
}
