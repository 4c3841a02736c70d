import { html } from "./dom.js";

let fields = 0;

/** Returns a label with its field. */
export function labelled(text: string, field: HTMLElement): HTMLElement {
  return html("label", { class: "field" }, html("span", {}, text), field);
}

/** Returns a field for a whole number. */
export function numberField(value: number, min: number, max: number, change?: () => void): HTMLInputElement {
  const field = html("input", { type: "number", min, max, step: 1, ...(change && { change }) });
  field.value = String(value);
  return field;
}

/** Returns the whole number in a field, brought into its range. */
export function numberOf(field: HTMLInputElement): number {
  const number = Math.round(Number(field.value));
  const [min, max] = [Number(field.min), Number(field.max)];
  const within = Number.isFinite(number) ? Math.min(Math.max(number, min), max) : min;
  field.value = String(within);
  return within;
}

/** Returns a list of choices, each with its text. */
export function choice<T extends string>(
  choices: Readonly<Record<T, string>>,
  change?: (value: T) => void,
): HTMLSelectElement {
  const select = html(
    "select",
    change === undefined ? {} : { change: () => change(select.value as T) },
    ...Object.entries<string>(choices).map(([value, text]) => html("option", { value }, text)),
  );
  return select;
}

/** Returns a box to tick, with its label. */
export function tick(
  text: string,
  change?: (on: boolean) => void,
): { label: HTMLElement; box: HTMLInputElement } {
  const box = html("input", { type: "checkbox", ...(change && { change: () => change(box.checked) }) });
  return { label: html("label", { class: "tick" }, box, html("span", {}, text)), box };
}

/** Returns buttons of which one is pressed, and a function that shows which. */
export function switches<T extends string>(
  caption: string,
  choices: Readonly<Record<T, string>>,
  pick: (value: T) => void,
): { element: HTMLElement; show: (value: T) => void } {
  const buttons = Object.entries<string>(choices).map(([value, text]) =>
    html(
      "button",
      { type: "button", "aria-pressed": "false", "data-value": value, click: () => pick(value as T) },
      text,
    ),
  );
  const id = `draw-switch-${++fields}`;
  const label = html("span", { class: "quiet", id }, caption);
  const element = html("div", { class: "switch", role: "group", "aria-labelledby": id }, label, ...buttons);
  return {
    element,
    show: (value) => {
      for (const button of buttons)
        button.setAttribute("aria-pressed", String(button.dataset["value"] === value));
    },
  };
}

/** Returns whether the window has room for panels that are open from the beginning. */
export function isWide(): boolean {
  return matchMedia("(min-width: 720px)").matches;
}
