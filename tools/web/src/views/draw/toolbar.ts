import { html, replace } from "../../base/dom.js";
import { capital } from "../../base/text.js";
import { ARROW_NAMES, STUFF, isMeant, isRulesLetter, lettersOn, meaningOf, meaningText } from "../../model/letters.js";
import type { Game } from "../../model/share.js";
import type { Editor } from "./editor.js";
import { icon } from "./icons.js";
import type { Part } from "./part.js";
import { TOOLS, type Tool } from "./tools.js";

/** The name, the key and the purpose of each tool. */
export const TOOL_TEXTS: Readonly<
  Record<Tool, { readonly name: string; readonly key: string; readonly does: string }>
> = {
  brush: {
    name: "Wall",
    key: "b",
    does: "draw walls; starting on a wall takes walls away; Shift: straight line",
  },
  eraser: { name: "Erase", key: "e", does: "take walls and exits away; right button: a rectangle" },
  rectangle: { name: "Rectangle", key: "r", does: "fill a rectangle; Shift: its frame" },
  fill: { name: "Fill", key: "f", does: "fill what hangs together" },
  letter: {
    name: "Ground",
    key: "l",
    does: "draw mud, portals, one-way squares and what else is chosen; starting on it takes it away; Shift: straight line",
  },
  exit: { name: "Exit", key: "x", does: "draw exits; starting on an exit takes exits away" },
  officer: { name: "Officer", key: "p", does: "place an officer, up to six; a click on one removes it" },
  thief: { name: "Thief", key: "t", does: "place the thief" },
  guard: {
    name: "Guard",
    key: "g",
    does: "draw a guard's round: click where the guard turns, and the last square once more; or drag",
  },
  pick: { name: "Pick", key: "i", does: "take the tool of what is on a cell, as a right click does" },
};

/** Creates the row of tools, with undo and redo. */
export function createToolbar(editor: Editor): Part {
  const tools = new Map<Tool, HTMLButtonElement>();
  for (const tool of TOOLS) {
    const { name, key, does } = TOOL_TEXTS[tool];
    const button = html(
      "button",
      {
        type: "button",
        title: `${name}: ${does} (${key.toUpperCase()})`,
        "aria-pressed": "false",
        "data-tool": tool,
        click: () => editor.choose({ tool }),
      },
      icon(tool),
      html("span", {}, name),
    );
    tools.set(tool, button);
  }
  const draw = (letter: string): void => {
    if (isRulesLetter(letter) || letter in ARROW_NAMES) editor.choose({ letter, tool: "letter" });
  };
  const grounds = html("select", { "aria-label": "Ground to draw", change: () => draw(grounds.value) });
  const letterField = html("input", {
    type: "text",
    class: "letter",
    maxlength: 1,
    autocomplete: "off",
    "aria-label": "Letter to draw",
    title: "Or any letter but v, E, P and T",
    input: () => draw(letterField.value),
    focus: () => letterField.select(),
  });
  let listed = "";
  const list = (game: Game, letter: string): void => {
    const choices = groundsOf(game, letter);
    const key = JSON.stringify(choices);
    if (key !== listed) replace(grounds, ...choices.map(([value, text]) => html("option", { value }, text)));
    listed = key;
    grounds.value = letter;
    if (document.activeElement !== letterField) letterField.value = letter;
  };
  const undo = html(
    "button",
    { type: "button", title: "Undo (Ctrl+Z)", click: () => editor.undo() },
    icon("undo"),
    html("span", {}, "Undo"),
  );
  const redo = html(
    "button",
    { type: "button", title: "Redo (Ctrl+Y)", click: () => editor.redo() },
    icon("redo"),
    html("span", {}, "Redo"),
  );
  const element = html(
    "div",
    { class: "tools", role: "group", "aria-label": "Tools" },
    html("div", { class: "set" }, ...tools.values(), grounds, letterField),
    html("div", { class: "set" }, undo, redo),
  );
  return {
    element,
    show({ editor: { tool, letter, game, canUndo, canRedo } }) {
      list(game, letter);
      for (const [other, button] of tools) button.setAttribute("aria-pressed", String(other === tool));
      undo.disabled = !canUndo;
      redo.disabled = !canRedo;
    },
  };
}

/** Returns the squares to draw, each with its text: those that are offered, on the board, or chosen. */
function groundsOf({ rules, scenario }: Game, chosen: string): [letter: string, text: string][] {
  const named: Record<string, string> = { ...Object.fromEntries(STUFF.map(({ letter, name }) => [letter, name])), ...ARROW_NAMES };
  const letters = new Set([...Object.keys(named), ...lettersOn(scenario), chosen]);
  return [...letters].map((letter) => {
    const text = isMeant(rules, letter) ? capital(meaningText(meaningOf(rules, letter), letter)) : named[letter];
    return [letter, `${letter}\u2002${text || "Any meaning"}`];
  });
}
