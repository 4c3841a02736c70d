import type { Side } from "dragnet-probe";
import type { BoardRules, MoveSet, SideRules, Step } from "../../model/board-rules.js";
import { html, replace } from "../../base/dom.js";
import { capital, messageOf } from "../../base/text.js";
import { PRESETS, presetOf, rulesFrom, rulesObject, writeRules } from "../../model/rules-text.js";
import { captureFields } from "./capture-fields.js";
import { createLettersPanel } from "./letters-panel.js";
import { MOST_OFFICERS } from "../../model/scenario.js";
import { parseToml } from "../../model/toml.js";
import type { Editor } from "./editor.js";
import { choice, isWide, labelled, numberField, numberOf, tick } from "../../base/fields.js";
import type { Part } from "./part.js";
import type { Solver } from "./solver.js";

const MOVES = {
  king: "King",
  orthogonal: "Orthogonal",
  diagonal: "Diagonal",
  knight: "Knight",
  offsets: "Offsets",
} as const;
const USUAL_OFFSETS = "[0, 1], [1, 0], [0, -1], [-1, 0]";

/** The fields of one side. */
interface SideFields {
  readonly element: HTMLElement;
  show(rules: SideRules): void;
  /** Returns the rules in the fields. Throws an error if the offsets cannot be read. */
  read(): SideRules;
}

/** Creates the panel of the rules, as a form and as the text of a rules file. */
export function createRulesPanel(editor: Editor, solver: Solver): Part {
  const trouble = html("p", { class: "trouble", role: "alert", hidden: true });
  const preset = choice({ classic: "Classic", chase: "Chase", own: "Own rules" }, (name) => {
    const { officers, more } = editor.state.game.rules;
    if (name === "own") preset.value = presetOf(editor.state.game.rules) ?? "own";
    else void propose({ ...PRESETS[name], officers, more });
  });
  const officers = numberField(1, 1, MOST_OFFICERS, () => {
    editor.setOfficers(numberOf(officers));
    // The board may lack the room for so many.
    officers.value = String(editor.state.game.rules.officers);
  });
  const changed = (): void => {
    try {
      void propose(read());
    } catch (error) {
      tell(error);
    }
  };
  const letters = createLettersPanel(editor);
  const capture = captureFields(changed);
  const team = choice({ all: "All in a turn", one: "One in a turn" }, changed);
  const sides = { police: sideFields("police", changed), thief: sideFields("thief", changed) };
  const corners = tick("Diagonal steps may cut corners", changed);
  const wrap = choice(
    { none: "None", horizontal: "Left and right", vertical: "Top and bottom", both: "Both" },
    changed,
  );
  const stuck = choice({ loses: "Loses", wins: "Wins" }, changed);
  const onExit = choice({ allowed: "Allowed", barred: "Barred", wins: "Wins" }, changed);
  const undecided = choice({ draw: "Draw", police: "For the police", thief: "For the thief" }, changed);
  const text = html("textarea", {
    rows: 6,
    spellcheck: "false",
    "aria-label": "Rules as TOML",
    autocomplete: "off",
  });
  const apply = html("button", { type: "button", click: () => void applyText() }, "Use this text");

  // The message stands behind the part of the form that was changed last.
  let changedPart: Element | undefined;
  const tell = (error: unknown): void => {
    changedPart?.after(trouble);
    trouble.hidden = false;
    replace(trouble, capital(messageOf(error)));
  };
  const propose = async (rules: BoardRules, object: unknown = rulesObject(rules)): Promise<void> => {
    try {
      await solver.check(editor.state.game, object);
    } catch (error) {
      return tell(error);
    }
    trouble.hidden = true;
    editor.setRules(rules);
  };
  const applyText = async (): Promise<void> => {
    try {
      const object = parseToml(text.value);
      await solver.check(editor.state.game, object);
      const rules = rulesFrom(object);
      trouble.hidden = true;
      editor.setRules(rules);
    } catch (error) {
      tell(error);
    }
  };
  const read = (): BoardRules => capture.read({
    ...editor.state.game.rules,
    officers: numberOf(officers),
    team: team.value as BoardRules["team"],
    police: sides.police.read(),
    thief: sides.thief.read(),
    cornerCutting: corners.box.checked,
    wrap: wrap.value as BoardRules["wrap"],
    stuck: stuck.value as BoardRules["stuck"],
    policeOnExit: onExit.value as BoardRules["policeOnExit"],
    undecided: undecided.value as BoardRules["undecided"],
  });

  let shown: BoardRules | undefined;
  const noteChange = ({ target }: Event): void => {
    changedPart = (target as Element).closest(".wide, .row, fieldset, textarea") ?? undefined;
  };
  return {
    element: html(
      "details",
      { class: "panel rules-panel", open: isWide(), input: noteChange, focusin: noteChange },
      html("summary", {}, "Rules"),
      html(
        "div",
        { class: "row" },
        labelled("Preset", preset),
        labelled("Officers", officers),
        labelled("Moving", team),
      ),
      trouble,
      letters.element,
      capture.element,
      sides.police.element,
      sides.thief.element,
      html("div", { class: "row" }, corners.label),
      html("div", { class: "row" }, labelled("Joined edges", wrap), labelled("Who cannot move", stuck)),
      html("div", { class: "row" }, labelled("Police on exits", onExit), labelled("Undecided", undecided)),
      html(
        "details",
        { class: "inner" },
        html("summary", {}, "As TOML"),
        text,
        html("div", { class: "row" }, apply),
      ),
    ),
    show(state) {
      const { rules, scenario } = state.editor.game;
      letters.show(state);
      officers.min = scenario.guards.length > 0 ? "0" : "1";
      if (rules === shown) return;
      shown = rules;
      trouble.hidden = true;
      preset.value = presetOf(rules) ?? "own";
      officers.value = String(rules.officers);
      team.value = rules.team;
      team.disabled = rules.officers <= 1;
      capture.show(rules);
      sides.police.show(rules.police);
      sides.thief.show(rules.thief);
      corners.box.checked = rules.cornerCutting;
      wrap.value = rules.wrap;
      stuck.value = rules.stuck;
      onExit.value = rules.policeOnExit;
      undecided.value = rules.undecided;
      text.value = writeRules(rules);
    },
  };
}

function sideFields(side: Side, changed: () => void): SideFields {
  const moves = choice(MOVES, () => {
    offsetsField.hidden = moves.value !== "offsets";
    changed();
  });
  const offsets = html("input", { type: "text", change: changed, spellcheck: "false" });
  offsets.value = USUAL_OFFSETS;
  const offsetsField = labelled("Offsets: [rows, columns]", offsets);
  offsetsField.classList.add("wide");
  let more: SideRules["more"] = {};
  const [steps, reach] = [numberField(1, 1, 255, changed), numberField(1, 1, 255, changed)];
  const pass = tick("May stay", changed);
  return {
    element: html(
      "fieldset",
      {},
      html("legend", {}, capital(side)),
      html(
        "div",
        { class: "row" },
        labelled("Moves", moves),
        labelled("Steps", steps),
        labelled("Reach", reach),
        pass.label,
      ),
      offsetsField,
    ),
    show(rules) {
      const own = typeof rules.moves === "string" ? undefined : rules.moves.offsets;
      moves.value = own === undefined ? (rules.moves as string) : "offsets";
      if (own !== undefined) offsets.value = own.map(([down, right]) => `[${down}, ${right}]`).join(", ");
      offsetsField.hidden = own === undefined;
      steps.value = String(rules.steps);
      reach.value = String(rules.reach);
      pass.box.checked = rules.mayPass;
      more = rules.more;
    },
    read: () => ({
      moves: moves.value === "offsets" ? { offsets: readOffsets(offsets.value) } : (moves.value as MoveSet),
      mayPass: pass.box.checked,
      steps: numberOf(steps),
      reach: numberOf(reach),
      more,
    }),
  };
}

/** Reads a list such as `[0, 1], [-1, 2]`; the engine checks the numbers. */
function readOffsets(text: string): Step[] {
  const list = parseToml(`offsets = [${text}]`)["offsets"];
  return list as unknown as Step[];
}
