import { plies } from "../../base/text.js";
import { LOST, type Replay } from "../../model/retrograde.js";

/** Returns what a step of a wave does, and why. */
export function wordsOf(replay: Replay): string {
  const { step, wave, distances } = replay;
  const { labels } = wave.graph;
  if (step === undefined) {
    return "At the beginning nothing is decided. The counter of each vertex is the number of its moves that are still open.";
  }
  switch (step.kind) {
    case "seed":
      return `Vertex ${labels[step.vertex]} has no move: its player has ${step.result === LOST ? "lost" : "won"}. It joins the queue.`;
    case "take":
      return `Vertex ${labels[step.vertex]} leaves the queue. Along the edges into it, its predecessors learn its value.`;
    case "settle":
      return `Vertex ${labels[step.vertex]} was never reached: it keeps an open move for ever, so it is drawn.`;
    case "tell": {
      const [from, to] = [labels[step.predecessor], labels[step.vertex]];
      const distance = plies(distances[step.predecessor]!);
      if (step.effect === "won") return `${from} can move to ${to}, where the opponent has lost: ${from} is won in ${distance}.`;
      const gone = `The move from ${from} to ${to} is of no use, since ${to} is won for the opponent`;
      if (step.effect === "lost") return `${gone}. The counter of ${from} reaches 0: ${from} is lost in ${distance}.`;
      if (step.effect === "counted") return `${gone}: the counter of ${from} goes down to ${step.left}.`;
      return `${from} leads to ${to} too, but is decided already.`;
    }
  }
}
