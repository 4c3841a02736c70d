import { html } from "../../base/dom.js";
import { MOST_SIDE, type Scenario, settled } from "../../model/scenario.js";
import type { Editor } from "./editor.js";
import { choice, isWide, labelled, numberField, numberOf, tick } from "../../base/fields.js";
import { icon } from "./icons.js";
import type { Part } from "./part.js";
import type { MakeOptions, Solver } from "./solver.js";
import { type Anchor, cleared, mirrorColumns, mirrorRows, resize, rotate } from "./transform.js";

/** The changes of the whole board, with their names and keys. */
export const TRANSFORMS = {
  mirrorColumns: { name: "Mirror left and right", key: "h", edit: mirrorColumns },
  mirrorRows: { name: "Mirror top and bottom", key: "v", edit: mirrorRows },
  rotate: { name: "Turn right", key: "o", edit: rotate },
  clear: { name: "Clear the board", key: "c", edit: cleared },
} as const;

const KINDS = { maze: "Maze", rooms: "Rooms", random: "Random walls", open: "Open" } as const;
/** The greatest seed that every number field and every part of a link keeps exactly. */
const MOST_SEED = 2 ** 32 - 1;

/** Creates the panel that changes the whole board: size, mirrors, and boards that are made. */
export function createBoardPanel(editor: Editor, solver: Solver, fail: (error: unknown) => void): Part {
  const transforms = Object.entries(TRANSFORMS).map(([name, { name: title, key, edit }]) =>
    html(
      "button",
      {
        type: "button",
        title: `${title} (${key.toUpperCase()})`,
        "aria-label": title,
        click: () => editor.change(edit),
      },
      icon(name as keyof typeof TRANSFORMS),
    ),
  );

  const [rows, columns] = [numberField(9, 1, MOST_SIDE), numberField(12, 1, MOST_SIDE)];
  const anchorRows = choice<Anchor["rows"]>({
    top: "Keep top",
    middle: "Keep middle",
    bottom: "Keep bottom",
  });
  const anchorColumns = choice<Anchor["columns"]>({
    left: "Keep left",
    middle: "Keep middle",
    right: "Keep right",
  });
  anchorRows.setAttribute("aria-label", "Rows to keep");
  anchorColumns.setAttribute("aria-label", "Columns to keep");
  const size = html(
    "form",
    {
      "aria-label": "Size",
      submit: (event: Event) => {
        event.preventDefault();
        const anchor = { rows: anchorRows.value, columns: anchorColumns.value } as Anchor;
        editor.change((scenario) => resize(scenario, numberOf(rows), numberOf(columns), anchor));
      },
    },
    html("div", { class: "row" }, labelled("Rows", rows), labelled("Columns", columns)),
    html("div", { class: "row" }, anchorRows, anchorColumns, html("button", { type: "submit" }, "Resize")),
  );

  const kind = choice(KINDS, () => enable());
  const [height, width] = [numberField(25, 1, MOST_SIDE), numberField(41, 1, MOST_SIDE)];
  const seed = numberField(1, 0, MOST_SEED);
  const walls = numberField(20, 0, 100);
  const extra = numberField(8, 0, 100_000);
  const exit = tick("with an exit at the first cell");
  exit.box.checked = true;
  const seedField = labelled("Seed", seed);
  const wallsField = labelled("Walls, %", walls);
  const extraField = labelled("Extra ways", extra);
  const enable = (): void => {
    seedField.hidden = kind.value === "open";
    wallsField.hidden = kind.value !== "random";
    extraField.hidden = kind.value !== "maze";
  };
  enable();
  const make = async (): Promise<void> => {
    const of = kind.value as MakeOptions["kind"];
    const options: MakeOptions = {
      kind: of,
      height: numberOf(height),
      width: numberOf(width),
      seed: of === "open" ? undefined : numberOf(seed),
      density: of === "random" ? numberOf(walls) / 100 : undefined,
      extra: of === "maze" ? numberOf(extra) : undefined,
      exit: exit.box.checked,
    };
    try {
      const board = await solver.make(options);
      editor.change((scenario) => peopled(board, scenario));
    } catch (error) {
      fail(error);
    }
  };
  const maker = html(
    "form",
    {
      "aria-label": "Make a board",
      submit: (event: Event) => {
        event.preventDefault();
        void make();
      },
    },
    html(
      "div",
      { class: "row" },
      labelled("Kind", kind),
      labelled("Rows", height),
      labelled("Columns", width),
    ),
    html("div", { class: "row" }, seedField, wallsField, extraField, exit.label),
    html(
      "div",
      { class: "row" },
      html("button", { type: "submit", class: "strong" }, "Make"),
      html(
        "button",
        {
          type: "button",
          click: () => {
            seed.value = String((numberOf(seed) + 1) % MOST_SEED);
            void make();
          },
        },
        "Next seed",
      ),
    ),
  );

  let shown: Scenario | undefined;
  return {
    element: html(
      "details",
      { class: "panel", open: isWide() },
      html("summary", {}, "Board"),
      html("div", { class: "row" }, ...transforms),
      html("h2", {}, "Size"),
      size,
      html("h2", {}, "Make one"),
      maker,
    ),
    show({
      editor: {
        game: { scenario },
      },
    }) {
      if (shown?.height === scenario.height && shown.width === scenario.width) return;
      shown = scenario;
      rows.value = String(scenario.height);
      columns.value = String(scenario.width);
    },
  };
}

/** Returns a new board with as many officers as another, and the thief far from them. */
function peopled(board: Scenario, { police }: Scenario): Scenario {
  const cells = police.map(() => [0, 0] as const);
  return settled({ ...board, police: cells, thief: undefined });
}
