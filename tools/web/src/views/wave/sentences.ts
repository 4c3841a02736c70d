import { plies } from "../../base/text.js";
import { LOST, type Replay } from "../../model/retrograde.js";

/** Returns the sentence about the last step of a replay, with its reason. */
export function sentenceOf(replay: Replay): string {
  const { step, wave, distances } = replay;
  const { labels } = wave.graph;
  const moves = (count: number): string => (count === 1 ? "1 open move" : `${count} open moves`);
  if (step === undefined) {
    return "Nothing is decided yet. The number at each vertex counts its open moves. First, vertices without a move are seeded.";
  }
  const name = labels[step.vertex]!;
  switch (step.kind) {
    case "seed":
      return step.result === LOST
        ? `${name} is lost: the player to move has no move. It enters the queue.`
        : `${name} is won: the player to move has no move, which wins in misère play. It enters the queue.`;
    case "take": {
      const word = replay.results[step.vertex] === LOST ? "lost" : "won";
      return `${name} is taken out of the queue. It is ${word}, and tells every vertex that has a move to it.`;
    }
    case "tell": {
      const other = labels[step.predecessor]!;
      const far = plies(distances[step.predecessor]!);
      if (step.effect === "won") return `${other} is won in ${far}: it has a move to ${name}, where the opponent is lost.`;
      if (step.effect === "known") return `${other} has a move to ${name} too, but it is decided already.`;
      const counts = `Its move to ${name} loses, since the opponent wins there`;
      if (step.effect === "lost") return `${other} is lost in ${far}. ${counts}, and its counter has reached 0: every move loses.`;
      return `${other} is not decided. ${counts}; its counter goes down to ${step.left}: ${moves(step.left)}.`;
    }
    case "settle":
      return `${name} is drawn: the queue is empty, and the wave never decided it. Its player can go on for ever.`;
  }
}
