import { html, replace } from "../../base/dom.js";
import { isWide, labelled, numberField, numberOf, tick } from "../../base/fields.js";
import { capital, messageOf } from "../../base/text.js";
import { toml } from "../../model/rules-text.js";
import { type Guard, settled } from "../../model/scenario.js";
import { parseToml } from "../../model/toml.js";
import { sightFields } from "./capture-fields.js";
import type { Editor } from "./editor.js";
import { guardsIn } from "./files.js";
import type { Part } from "./part.js";

/** The most turns of a step and of a pause. */
const MOST_TURNS = 255;

/** Creates the panel of the guards, one row each, and as the text of a file of guards. */
export function createGuardsPanel(editor: Editor): Part {
  const trouble = html("p", { class: "trouble", role: "alert", hidden: true });
  const hint = html(
    "p",
    { class: "quiet hint" },
    "With the tool Guard, click the squares where a guard turns, and the last one once more; or drag along the way.",
  );
  const list = html("div", {});
  const text = html("textarea", { rows: 5, spellcheck: "false", "aria-label": "Guards as TOML", autocomplete: "off" });
  const use = (): void => {
    try {
      const object = text.value.trim() === "" ? { guards: [] } : parseToml(text.value);
      const guards = guardsIn(object);
      editor.change((scenario) => settled({ ...scenario, guards }));
    } catch (error) {
      trouble.hidden = false;
      replace(trouble, capital(messageOf(error)));
    }
  };
  let shown: readonly Guard[] | undefined;
  return {
    element: html(
      "details",
      { class: "panel guards", open: isWide() },
      html("summary", {}, "Guards"),
      hint,
      list,
      trouble,
      html(
        "details",
        { class: "inner" },
        html("summary", {}, "As TOML"),
        text,
        html("div", { class: "row" }, html("button", { type: "button", click: use }, "Use this text")),
      ),
    ),
    show({ editor: { game } }) {
      const { guards } = game.scenario;
      if (guards === shown) return;
      shown = guards;
      trouble.hidden = true;
      hint.hidden = guards.length > 0;
      text.value = writeGuards(guards);
      const set = (number: number, changed: Guard | undefined): void =>
        editor.change((scenario) => {
          const others = scenario.guards.flatMap((guard, at) => (at === number ? (changed ?? []) : guard));
          return settled({ ...scenario, guards: others as Guard[] });
        });
      replace(list, ...guards.map((guard, number) => guardFields(guard, number, (changed) => set(number, changed))));
    },
  };
}

function guardFields(guard: Guard, number: number, set: (guard: Guard | undefined) => void): HTMLElement {
  const { round, back: _, pace, pause, sight: _sight, angle: _angle, lines: _lines, ...others } = guard;
  const change = (): void =>
    set({
      ...others,
      round,
      ...(back.box.checked && { back: true }),
      ...(numberOf(steps) !== 1 && { pace: numberOf(steps) }),
      ...(numberOf(stops) !== 0 && { pause: numberOf(stops) }),
      ...(sees.box.checked && sight.read()),
    });
  const steps = numberField((pace as number | undefined) ?? 1, 1, MOST_TURNS, change);
  const stops = numberField((pause as number | undefined) ?? 0, 0, MOST_TURNS, change);
  const back = tick("There and back", change);
  back.box.checked = guard["back"] === true;
  const sees = tick("Sees", change);
  sees.box.checked = guard["sight"] !== undefined;
  const sight = sightFields(change);
  sight.show({ sight: 4, ...guard });
  sight.element.hidden = !sees.box.checked;
  return html(
    "fieldset",
    {},
    html("legend", {}, `Guard ${number + 1}, ${round.length === 1 ? "1 square" : `${round.length} squares`}`),
    html("div", { class: "row" }, labelled("Turns a step", steps), labelled("Turns at rest", stops)),
    html("div", { class: "row" }, back.label, sees.label),
    sight.element,
    html("div", { class: "row" }, html("button", { type: "button", click: () => set(undefined) }, "Remove")),
  );
}

/** Returns the text of a file of guards. */
function writeGuards(guards: readonly Guard[]): string {
  const lines = (guard: Guard): string =>
    Object.entries(guard)
      .map(([key, value]) => `${key} = ${toml(value)}\n`)
      .join("");
  return guards.map((guard) => `[[guards]]\n${lines(guard)}`).join("\n");
}
