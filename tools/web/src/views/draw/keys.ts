import { html } from "../../base/dom.js";
import type { Cell } from "dragnet-probe";
import { TRANSFORMS } from "./board-panel.js";
import type { Editor } from "./editor.js";
import { tick } from "../../base/fields.js";
import { TOOL_TEXTS } from "./toolbar.js";
import { TOOLS } from "./tools.js";

/** The name under which the browser remembers that single letters are off. */
const STORED = "dragnet-draw-letters";

/** The keys of the editor. */
export interface Keys {
  /** The dialog that lists the keys. */
  readonly dialog: HTMLDialogElement;
  /** Uses a key; returns whether it has a meaning. `cursor` is set if the board has the focus. */
  press(event: KeyboardEvent, cursor?: Cell): boolean;
}

/** Creates the keys of the editor, and the dialog that lists them. */
export function createKeys(editor: Editor): Keys {
  let letters = localStorageOr("on") !== "off";
  const simple = new Map<string, () => void>([
    ...TOOLS.map((tool): [string, () => void] => [TOOL_TEXTS[tool].key, () => editor.choose({ tool })]),
    ...Object.values(TRANSFORMS).map(({ key, edit }): [string, () => void] => [
      key,
      () => editor.change(edit),
    ]),
    ["m", () => editor.set({ turn: editor.state.turn === "police" ? "thief" : "police" })],
    ["1", () => editor.set({ heat: "police" })],
    ["2", () => editor.set({ heat: "thief" })],
    ["3", () => editor.set({ heat: "none" })],
    ["?", () => dialog.showModal()],
  ]);
  const box = tick("Use keys that are a single letter", (on) => {
    letters = on;
    try {
      localStorage.setItem(STORED, on ? "on" : "off");
    } catch {
      // The choice holds until the page is left.
    }
  });
  box.box.checked = letters;
  const dialog = html(
    "dialog",
    { class: "keys", "aria-label": "Keys" },
    html("h2", {}, "Keys"),
    html(
      "dl",
      {},
      ...[
        ["Arrows", "move the cursor on the board"],
        ["Enter, Space", "use the tool at the cursor; twice for a rectangle, and to carry a piece"],
        ["Shift+Enter", "straight line from the stroke before"],
        ["Delete", "clear the cell"],
        ["Escape", "take back what is being drawn, and end a guard's round"],
        ["Ctrl+Z, Ctrl+Y", "undo, redo"],
        ["+, −, 0", "zoom, and show the whole board"],
        ...TOOLS.map((tool) => [
          TOOL_TEXTS[tool].key.toUpperCase(),
          `${TOOL_TEXTS[tool].name}: ${TOOL_TEXTS[tool].does}`,
        ]),
        ...Object.values(TRANSFORMS).map(({ key, name }) => [key.toUpperCase(), name]),
        ["M", "the other side moves"],
        ["1, 2, 3", "values of the police, of the thief, none"],
        ["?", "this list"],
      ].flatMap(([key, does]) => [html("dt", {}, html("kbd", {}, key!)), html("dd", {}, does!)]),
    ),
    box.label,
    html("p", {}, html("button", { type: "button", click: () => dialog.close() }, "Close")),
  );
  return {
    dialog,
    press(event, cursor) {
      if (dialog.open) return false;
      const control = event.ctrlKey || event.metaKey;
      const key = event.key.toLowerCase();
      if (control && !event.altKey && (key === "z" || key === "y")) {
        if (key === "y" || event.shiftKey) editor.redo();
        else editor.undo();
        return true;
      }
      if (control || event.altKey) return false;
      if (cursor !== undefined && onBoard(editor, event, cursor)) return true;
      const action = letters ? simple.get(key) : undefined;
      action?.();
      return action !== undefined;
    },
  };
}

/** Uses a key that acts on a cell. */
function onBoard(editor: Editor, { key, shiftKey }: KeyboardEvent, cursor: Cell): boolean {
  switch (key) {
    case " ":
    case "Enter": {
      if (editor.state.drawing) {
        editor.drag(cursor);
        editor.release();
        return true;
      }
      const goesOn = editor.press(cursor, { shift: shiftKey });
      const { tool, outline } = editor.state;
      // A rectangle waits for its other corner, and a piece for the cell to which it is carried.
      if (
        goesOn &&
        !(tool === "rectangle" || (outline.length > 0 && tool !== "officer" && tool !== "thief"))
      ) {
        editor.release();
      }
      return true;
    }
    case "Escape":
      if (!editor.state.drawing && editor.state.guard === undefined) return false;
      editor.cancel();
      editor.set({ guard: undefined });
      return true;
    case "Delete":
    case "Backspace":
      editor.erase(cursor);
      return true;
    default:
      return false;
  }
}

function localStorageOr(usual: string): string {
  try {
    return localStorage.getItem(STORED) ?? usual;
  } catch {
    return usual;
  }
}
