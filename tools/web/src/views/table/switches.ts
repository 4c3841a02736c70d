import type { Side, Table } from "dragnet-probe";
import { html, replace } from "../../base/dom.js";
import { capital } from "../../base/text.js";
import { layerNames } from "../../model/layers.js";

/** A control for the world or for a layer. */
export interface Switch {
  readonly element: HTMLElement;
  /** Shows what is chosen. */
  show(chosen: number): void;
  /** Lets it be changed, or not. */
  enable(isEnabled: boolean): void;
}

let fields = 0;

/** Returns the control for the world; `undefined` if there is only one. */
export function worldSwitch({ worlds }: Table, pick: (world: number) => void): Switch | undefined {
  if (worlds === 1) return undefined;
  const id = `world-${++fields}`;
  const slider = html("input", { id, type: "range", min: 0, max: worlds - 1, step: 1 });
  slider.addEventListener("input", () => pick(Number(slider.value)));
  const output = html("output", { for: id });
  return {
    element: html("div", { class: "row world" }, html("label", { class: "caption", for: id }, "World"), slider, output),
    show: (world) => {
      slider.value = String(world);
      replace(output, `${world} of 0 to ${worlds - 1}`);
    },
    enable: (isEnabled) => (slider.disabled = !isEnabled),
  };
}

/** Returns the control for the layer of a side; `undefined` if there is only one. */
export function layerSwitch({ kinds }: Table, side: Side, pick: (layer: number) => void): Switch | undefined {
  const names = layerNames(kinds[side]);
  if (names.length < 2) return undefined;
  const id = `layer-${++fields}`;
  const options = names.map((name, layer) => html("option", { value: layer }, name));
  const select = html("select", { id }, ...options);
  select.addEventListener("change", () => pick(Number(select.value)));
  const name = `Layer of the ${(kinds[side].length === 1 && kinds[side][0]!.name) || side}`;
  return {
    element: html("div", { class: "row" }, html("label", { class: "caption", for: id }, capital(name)), select),
    show: (layer) => (select.value = String(layer)),
    enable: (isEnabled) => (select.disabled = !isEnabled),
  };
}
