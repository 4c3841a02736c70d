// Opponents against games that another program played by OPPONENT.md, which the crate replays as well.
//
//   node test/opponent-vectors.test.mjs [GAMES FOLDER]    games of another file, with tables in FOLDER

import assert from "node:assert/strict";
import { test } from "node:test";
import { Duel, Lots, Review, Strength, calibrate } from "dragnet-probe";
import { moved, opponent, position, records, style } from "./support/vectors.mjs";

const games = () => records("game");
const play = ({ table, fields: [police, thief, start] }) =>
  Duel.play(table, position(start), opponent(police), opponent(thief));

test("lots are those of OPPONENT.md", () => {
  assert.equal(records("lots").length, 4);
  for (const { fields } of records("lots")) {
    const seed = BigInt(fields[0]);
    const lots = new Lots(seed);
    fields[1].split(" ").forEach((expected, index) => {
      assert.equal(Lots.nth(seed, index), BigInt(expected));
      assert.equal(lots.draw(), BigInt(expected));
    });
  }
  assert.equal(Lots.scale(2n ** 64n - 1n, 10), 9);
  assert.equal(Lots.scale(2n ** 63n, 10), 5);
  assert.equal(Lots.scale(2n ** 64n - 1n, 0), 0);
});

test("games go as OPPONENT.md says", () => {
  assert.ok(games().length > 100);
  for (const game of games()) {
    const { positions, winner } = play(game);
    const moves = positions.slice(1).map((after, ply) => moved(positions[ply], after));
    assert.deepEqual([moves.join(" "), winner ?? "draw"], game.fields.slice(3), game.fields.join(" | "));
  }
});

test("reviews cost what OPPONENT.md says", () => {
  const reviews = records("review");
  assert.equal(reviews.length, 2 * games().length);
  for (const [k, game] of games().entries()) {
    const { positions } = play(game);
    for (const { table, fields } of reviews.slice(2 * k, 2 * k + 2)) {
      const review = new Review(table, positions, fields[0]);
      const { moves, errors, blunders, drops, pliesLost } = review;
      assert.equal([moves.length, errors, blunders, drops, pliesLost].join(" "), fields[1]);
      assert.equal(review.worst(3).map(({ ply }) => ply).join(" "), fields[2], game.fields.join(" | "));
      assert.equal(review.pliesLostPerMove, moves.length && pliesLost / moves.length);
    }
  }
});

test("calibrations find the levels of OPPONENT.md", () => {
  assert.ok(records("calibrate").length > 10);
  for (const { table, fields } of records("calibrate")) {
    const [side, share, count, seed, ownStyle] = fields[0].split(" ");
    const found = calibrate(table, fields.slice(2, 5).map(position), {
      side,
      share: Number(share),
      games: Number(count),
      seed: BigInt(seed),
      style: style(ownStyle),
      against: opponent(fields[1]),
    });
    const { level, wins, lowest, highest, reached, from, to } = found;
    const expected = fields[5].split(" ");
    const said = [level, wins, lowest, highest].map(String);
    assert.deepEqual([...said, reached ? "reached" : "missed"], expected.slice(0, 5), fields.join(" | "));
    assert.deepEqual([from, to], expected.slice(5).map(Number));
    assert.deepEqual([found.strength, found.games], [Strength.level(level), Number(count)]);
    assert.equal(found.share, wins / Number(count));
  }
});
