import { copyAddress } from "../../base/clipboard.js";
import { html, replace } from "../../base/dom.js";
import { download } from "../../base/download.js";
import { unmarked } from "../../model/board-text.js";
import { linkTo } from "../../model/link.js";
import { shareGraph } from "../../model/share-graph.js";
import { settled } from "../../model/scenario.js";
import type { Frame } from "../view.js";
import { type Editor, marks } from "./editor.js";
import { choice, labelled } from "../../base/fields.js";
import { type Opened, openFile, openText, saveBoard, tableLink } from "./files.js";
import type { Part } from "./part.js";
import { SAMPLES, gameOf } from "./samples.js";
import type { Solver } from "./solver.js";
import type { Solved } from "./solving.js";

/** The requests of the panel to the page. */
export interface FilesEvents {
  readonly frame: Frame;
  /** Returns the table of the board that is shown. */
  solved(): Solved | undefined;
  /** Returns the hash of the link to what is shown. */
  link(): Promise<string>;
  /** Shows the list of keys. */
  keys(): void;
}

/** The panel, which listens until it is closed. */
export interface FilesPanel extends Part {
  /** Names what is drawn, for the files that are saved. */
  setName(name: string): void;
  close(): void;
}

const FORMS = { text: "Text", contest: "Contest form", movingai: "MovingAI map" } as const;

/** Creates the panel that opens, saves and shares, and listens for files that are dropped or pasted. */
export function createFilesPanel(editor: Editor, solver: Solver, events: FilesEvents): FilesPanel {
  const { frame } = events;
  let name: string = SAMPLES[0].name;
  const note = html("p", { class: "quiet", role: "status" });
  const open = async (opening: Promise<Opened>): Promise<void> => {
    replace(note, "Opening…");
    try {
      const opened = await opening;
      if (opened.kind === "graph") {
        location.hash = linkTo(["graph"], {
          data: await shareGraph({ graph: opened.graph, stuck: "loses" }),
        });
        return;
      }
      if (opened.kind === "rules") {
        editor.setRules(opened.rules);
      } else if (opened.kind === "guards") {
        editor.change((scenario) => settled({ ...scenario, guards: opened.guards }));
      } else {
        name = opened.name;
        editor.replace(opened.game);
      }
      replace(note, `Opened ${opened.name}`);
    } catch (error) {
      replace(note);
      frame.fail(error);
    }
  };
  const attempt =
    (work: () => Promise<string | undefined>): (() => void) =>
    () => {
      work().then((text) => text !== undefined && replace(note, text), frame.fail);
    };

  const items = frame.catalogue.items.filter(({ kind }) => kind === "board");
  const samples = html(
    "select",
    {
      "aria-label": "Open a board",
      change: () => {
        const [kind, chosen] = samples.value.split(/:(.*)/s);
        samples.value = "";
        if (kind === "item" && chosen !== undefined) location.hash = linkTo(["draw"], { item: chosen });
        const sample = SAMPLES.find((sample) => kind === "sample" && sample.name === chosen);
        if (sample === undefined) return;
        name = sample.name;
        editor.replace(gameOf(sample));
      },
    },
    html("option", { value: "" }, "Boards…"),
    ...SAMPLES.map((sample) => html("option", { value: `sample:${sample.name}` }, sample.title)),
    ...items.map((item) => html("option", { value: `item:${item.name}` }, item.name)),
  );
  const picker = html("input", {
    type: "file",
    class: "unseen",
    tabindex: -1,
    "aria-label": "Board, rules or table file",
    accept: ".txt,.map,.toml,.dtb,.edges,.g6,.s6,.d6,text/plain",
    change: () => {
      const file = picker.files?.[0];
      if (file !== undefined) void open(openFile(file, editor, solver));
      picker.value = "";
    },
  });
  const form = choice(FORMS);
  const save = attempt(async () => {
    const to = form.value as keyof typeof FORMS;
    await saveBoard(editor, solver, name, to);
    const { scenario } = editor.state.game;
    const left = unmarked(scenario);
    const lost = [
      to === "movingai" && `; the form has no start cells, exits and letters: ${marks(scenario)} left out`,
      to !== "movingai" && left > 0 && `; start cells on squares with letters left out: ${left}`,
      scenario.guards.length > 0 && "; it has no guards, whose text is in their panel",
    ];
    return `Saved ${name}${lost.filter(Boolean).join("")}`;
  });
  const table = (favour: "size" | "speed"): (() => void) =>
    attempt(async () => {
      const solved = events.solved();
      if (solved === undefined) return undefined;
      const file = `${name}.dtb`;
      if (favour === "size") replace(note, "Compressing…");
      const bytes = favour === "speed" ? solved.bytes : await solver.compress(solved.game);
      download(file, bytes);
      return `Saved ${file}`;
    });
  const small = html(
    "button",
    { type: "button", title: "As dragnet generate makes it", click: table("size") },
    "Save table",
  );
  const quick = html(
    "button",
    { type: "button", title: "As dragnet generate --favour speed makes it", click: table("speed") },
    "Save quick table",
  );
  const view = html(
    "button",
    {
      type: "button",
      click: () => {
        const solved = events.solved();
        if (solved !== undefined) location.hash = tableLink(solved.bytes, name, editor.state);
      },
    },
    "Open in the table view",
  );
  const copy = attempt(async () => {
    const link = await events.link();
    frame.setLink(link, true);
    return copyAddress();
  });

  const paste = (event: ClipboardEvent): void => {
    if ((event.target as Element | null)?.closest?.("input, textarea, select") != null) return;
    const file = event.clipboardData?.files[0];
    const text = event.clipboardData?.getData("text/plain") ?? "";
    if (file !== undefined) void open(openFile(file, editor, solver));
    else if (text.trim() !== "") void open(openText(text, "pasted", editor, solver));
    else return;
    event.preventDefault();
  };
  const drop = (event: DragEvent): void => {
    event.preventDefault();
    document.documentElement.classList.remove("dropping");
    const file = event.dataTransfer?.files[0];
    const text = event.dataTransfer?.getData("text/plain") ?? "";
    if (file !== undefined) void open(openFile(file, editor, solver));
    else if (text.trim() !== "") void open(openText(text, "dropped", editor, solver));
  };
  const over = (event: DragEvent): void => {
    event.preventDefault();
    document.documentElement.classList.add("dropping");
  };
  const leave = (event: DragEvent): void => {
    if (event.relatedTarget === null) document.documentElement.classList.remove("dropping");
  };
  const element = html(
    "section",
    { class: "panel files", "aria-label": "Open, save and share" },
    html(
      "div",
      { class: "row" },
      samples,
      html("button", { type: "button", click: () => picker.click() }, "Open file…"),
      picker,
      html("button", { type: "button", click: copy }, "Copy link"),
      html(
        "button",
        { type: "button", title: "Keys (?)", "aria-label": "Keys", click: () => events.keys() },
        "?",
      ),
    ),
    html(
      "div",
      { class: "row" },
      labelled("Save as", form),
      html("button", { type: "button", click: save }, "Save board"),
      small,
      quick,
      view,
    ),
    note,
    html(
      "p",
      { class: "quiet hint" },
      "Or drop a file here, or paste a board: text, contest form, MovingAI map, edge list, table, rules, guards.",
    ),
  );
  const listening = new AbortController();
  const { signal } = listening;
  document.addEventListener("paste", paste, { signal });
  document.addEventListener("drop", drop, { signal });
  document.addEventListener("dragover", over, { signal });
  document.addEventListener("dragleave", leave, { signal });
  return {
    element,
    setName: (given) => {
      name = given;
    },
    close: () => listening.abort(),
    show({ solving }) {
      for (const button of [small, quick, view]) button.disabled = solving.solved === undefined;
    },
  };
}
