import { type Table, open } from "dragnet-probe";
import { Engine } from "../../engine/client.js";

/** A board that the page solves itself. */
export interface SampleBoard {
  readonly name: string;
  readonly title: string;
  readonly text: string;
}

/** The boards, the smallest one first. */
export const BOARDS: readonly SampleBoard[] = [
  { name: "room", title: "A room with a door, 5×5", text: "....E\n.....\n..#..\n.....\n.....\n" },
  { name: "pillars", title: "Pillars without an exit, 7×7", text: ".......\n.#.#.#.\n.......\n.#.#.#.\n.......\n.#.#.#.\n.......\n" },
  {
    name: "yard",
    title: "A yard, 9×12",
    text: "#########E##\n#..........#\n#.###.####.#\n#.#......#.#\n#.#.####.#.#\n#..........#\n#.###.####.#\n#..........#\n############\n",
  },
];

/** Solves a board by classic rules. */
export async function solveBoard({ text }: SampleBoard, signal: AbortSignal): Promise<Table> {
  const engine = new Engine({ worker: "worker.js", wasm: "engine.wasm" });
  try {
    return open(await engine.solve({ ground: { board: text }, rules: "classic" }, { signal })).pursuit();
  } finally {
    engine.close();
  }
}
