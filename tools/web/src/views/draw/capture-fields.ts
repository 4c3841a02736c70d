import { html } from "../../base/dom.js";
import { choice, labelled, numberField, numberOf } from "../../base/fields.js";
import type { BoardRules, RulesObject, RulesValue } from "../../model/board-rules.js";

/** The most squares that a distance of captures counts, and that a piece sees. */
const [MOST_DISTANCE, MOST_SIGHT] = [255, 1024];
/** The units of a distance, as values of a rules file. */
const UNITS = {
  squares: "Squares, past walls",
  king: "Steps of a king",
  orthogonal: "Orthogonal steps",
  diagonal: "Diagonal steps",
  knight: "Knight's jumps",
  moves: "Moves of the officer",
} as const;

/** The fields of a sight, of officers or of a guard. */
export interface SightFields {
  readonly element: HTMLElement;
  show(sight: RulesObject): void;
  /** Returns the keys of the sight that differ from the usual ones. */
  read(): RulesObject;
}

/** Creates the fields of a sight. */
export function sightFields(changed: () => void): SightFields {
  const range = numberField(6, 1, MOST_SIGHT, changed);
  const angle = choice(
    { "": "All around", 45: "45°", 60: "60°", 90: "90°", 120: "120°", 180: "180°", 270: "270°" },
    changed,
  );
  const lines = choice({ shadows: "Shadows", supercover: "Supercover" }, changed);
  return {
    element: html("div", { class: "row" }, labelled("Sees up to", range), labelled("Angle", angle), labelled("Lines", lines)),
    show(sight) {
      range.value = String(sight["sight"]);
      angle.value = String(sight["angle"] ?? "");
      lines.value = String(sight["lines"] ?? "shadows");
    },
    read: () => ({
      sight: numberOf(range),
      ...(angle.value !== "" && { angle: Number(angle.value) }),
      ...(lines.value !== "shadows" && { lines: lines.value }),
    }),
  };
}

/** The fields that say how officers capture. */
export interface CaptureFields {
  readonly element: HTMLElement;
  show(rules: BoardRules): void;
  /** Returns rules with the captures in the fields. */
  read(rules: BoardRules): BoardRules;
}

/** Creates the fields that say how officers capture. */
export function captureFields(changed: () => void): CaptureFields {
  const kind = choice({ own: "On the same square", near: "At a distance", seen: "In sight" }, changed);
  const distance = numberField(1, 1, MOST_DISTANCE, changed);
  // Steps that are a list of their own have no name.
  let listed: RulesValue | undefined;
  const by = choice({ ...UNITS, listed: "Offsets of the text" }, changed);
  const sight = sightFields(changed);
  const look = choice({ "": "All around", 4: "4 directions", 8: "8 directions" }, changed);
  const near = html("div", { class: "row" }, labelled("Up to", distance), labelled("Counting", by));
  const seen = html("div", {}, sight.element, html("div", { class: "row" }, labelled("Looking in", look)));
  sight.show({ sight: 6 });
  return {
    element: html("div", {}, html("div", { class: "row" }, labelled("An officer captures", kind)), near, seen),
    show({ more: { capture = "same" }, police }) {
      const given = (typeof capture === "string" ? {} : capture) as RulesObject;
      kind.value = "sight" in given ? "seen" : "by" in given ? "near" : "own";
      near.hidden = kind.value !== "near";
      seen.hidden = kind.value !== "seen";
      if (kind.value === "seen") sight.show(given);
      if (kind.value === "near") {
        distance.value = String(given["distance"] ?? 1);
        listed = typeof given["by"] === "string" ? undefined : given["by"];
        by.value = listed === undefined ? String(given["by"]) : "listed";
      }
      by.options.item(by.options.length - 1)!.hidden = listed === undefined;
      look.value = String(police.more["look"] ?? "");
    },
    read(rules) {
      const { capture: before, ...more } = rules.more;
      const { look: _, ...ofPolice } = rules.police.more;
      // Who sees at an angle looks somewhere.
      const angled = kind.value === "seen" && "angle" in sight.read() && look.value === "";
      const looks = angled ? "8" : look.value;
      const doors = (before as RulesObject | undefined)?.["doors"];
      const capture: RulesObject | undefined = {
        own: undefined,
        near: {
          by: by.value === "listed" && listed !== undefined ? listed : by.value,
          ...(numberOf(distance) > 1 && { distance: numberOf(distance) }),
        },
        seen: { ...sight.read(), ...(doors !== undefined && { doors }) },
      }[kind.value];
      const police = { ...rules.police, more: looks === "" ? ofPolice : { ...ofPolice, look: Number(looks) } };
      return { ...rules, police, more: capture === undefined ? more : { ...more, capture } };
    },
  };
}
