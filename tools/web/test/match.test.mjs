import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "./support/modules.mjs";

const { endingOf, hintText, keepingMoves, verdictOf } = await load("views/table/match.ts");
const { difficultyText, readSeed, strengthText } = await load("views/table/strengths.ts");

const [WIN, DRAW, LOSS] = ["police", "draw", "thief"].map((outcome) => ({ outcome, dtw: 4, isBest: false }));
const best = (choice) => ({ ...choice, isBest: true });
/** An entry of a history: the police on a cell, with the value of the position and how it came to be. */
const entry = (police, turn, outcome, byMove = true, choices = [WIN]) => ({
  placement: { police: [police], thief: [5, 5], turn },
  byMove,
  answer: { value: { outcome, dtw: 4 }, choices },
});

test("moves keep the result if they are no worse for it, and in lost positions if they last the longest", () => {
  const kept = (choices, undecided) => keepingMoves(choices, "police", undecided);
  assert.deepEqual(kept([best(WIN), WIN, DRAW, LOSS], "draw"), { kept: 2, all: 4, best: "wins" });
  assert.deepEqual(kept([best(DRAW), DRAW, LOSS], "draw"), { kept: 2, all: 3, best: "draws" });
  assert.deepEqual(kept([best(DRAW), LOSS], "police"), { kept: 1, all: 2, best: "wins" });
  assert.deepEqual(kept([best(DRAW), LOSS, LOSS], "thief"), { kept: 1, all: 3, best: "loses" });
  assert.equal(hintText([best(WIN), LOSS], "police", "draw"), "1 of 2 moves keeps the win.");
  assert.equal(hintText([best(DRAW), DRAW, LOSS], "police", "draw"), "2 of 3 moves keep the draw.");
  const lost = "Every move loses; 1 of 1 move lasts the longest.";
  assert.equal(hintText([best(LOSS)], "police", "draw"), lost);
});

test("a verdict names only a worse result after the human's last move", () => {
  const verdict = (before, after, undecided = "draw") => {
    const history = [entry([0, 0], "police", before, false), entry([0, 1], "thief", after)];
    return verdictOf(history, "police", undecided);
  };
  assert.equal(verdict("police", "police"), "");
  assert.equal(verdict("police", "thief"), "That gave the win away: now you lose. ");
  assert.equal(verdict("police", "draw"), "That gave the win away: now it is a draw. ");
  assert.equal(verdict("police", "draw", "police"), "");
  assert.equal(verdict("draw", "thief"), "That gave the draw away: now you lose. ");
  assert.equal(verdict("draw", "thief", "thief"), "");
  assert.equal(verdictOf([entry([0, 0], "police", "police", false)], "police", "draw"), "");
});

test("a game ends without moves, or when a position occurs for the third time", () => {
  const noExit = () => false;
  const ending = (history, first, undecided = "draw", human = "police") =>
    endingOf({ human, history, first }, undecided, noExit);
  const round = [entry([0, 0], "police", "draw"), entry([0, 1], "thief", "draw")];
  const twice = [...round, ...round];
  assert.equal(ending(twice, 0), undefined);
  const thrice = [...twice, round[0]];
  assert.equal(ending(thrice, 0), "The position occurs for the third time, after 4 plies: a draw.");
  assert.equal(ending(thrice, 1), undefined, "what was before the game does not count");
  const counts = "and a game without end counts for the thief: you lose.";
  assert.equal(ending(thrice, 0, "thief"), `The position occurs for the third time, after 4 plies, ${counts}`);
  const caught = [round[0], { ...entry([5, 5], "thief", "police"), answer: { value: WIN, choices: [] } }];
  assert.equal(ending(caught, 0), "The thief is caught after 1 ply: you win.");
  assert.equal(ending(caught, 0, "draw", "thief"), "The thief is caught after 1 ply: you lose.");
  const swapped = [[[0, 0], [1, 1]], [[1, 1], [0, 0]]].map((police) => {
    const { placement, ...rest } = round[0];
    return { ...rest, placement: { ...placement, police } };
  });
  const teams = [swapped[0], swapped[1], swapped[0]];
  assert.match(ending(teams, 0), /third time/, "officers are the same, whoever stands where");
});

test("a strength has words, and a seed is a number of 64 bits", () => {
  const strength = { errors: 125, horizon: 7, reaction: 1 };
  const words = "errs in up to 12.5 % of its turns, sees 7 plies ahead, notices your moves a round late";
  assert.equal(strengthText(strength), words);
  assert.equal(difficultyText("hard", strength, "longest"), `Hard: ${words}. Where it cannot win, it plays for time.`);
  assert.equal(readSeed("18446744073709551615"), 2n ** 64n - 1n);
  for (const text of ["18446744073709551616", "-1", "1.5", "x", "0x10"]) {
    assert.throws(() => readSeed(text), { message: new RegExp(`^seed: expected .*, found ${text}$`) });
  }
});
