import { html } from "../../base/dom.js";
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
  exit: { name: "Exit", key: "x", does: "draw exits; starting on an exit takes exits away" },
  officer: { name: "Officer", key: "p", does: "place an officer, up to six; a click on one removes it" },
  thief: { name: "Thief", key: "t", does: "place the thief" },
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
        click: () => editor.set({ tool }),
      },
      icon(tool),
      html("span", {}, name),
    );
    tools.set(tool, button);
  }
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
    html("div", { class: "set" }, ...tools.values()),
    html("div", { class: "set" }, undo, redo),
  );
  return {
    element,
    show({ editor: { tool, canUndo, canRedo } }) {
      for (const [other, button] of tools) button.setAttribute("aria-pressed", String(other === tool));
      undo.disabled = !canUndo;
      redo.disabled = !canRedo;
    },
  };
}
