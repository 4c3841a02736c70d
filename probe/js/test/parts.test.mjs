import assert from "node:assert/strict";
import { test } from "node:test";
import { Cache } from "../dist/cache.js";
import { crc32, crc32OfPart } from "../dist/crc32.js";
import { Digest } from "../dist/digest.js";
import { codeBefore, merit } from "../dist/codes.js";
import { teamMoves } from "../dist/team-moves.js";
import { Random } from "./support/random.mjs";

test("CRC-32 has the published check value, computed in one part or in two", () => {
  const bytes = new TextEncoder().encode("123456789");
  assert.equal(crc32(bytes), 0xcbf43926);
  assert.equal(crc32(new Uint8Array(0)), 0);
  const long = Uint8Array.from({ length: 1000 }, (_, k) => (k * 37) & 255);
  for (const cut of [0, 1, 7, 8, 9, 500, 999, 1000]) {
    assert.equal(crc32(long, cut, 1000, crc32(long, 0, cut)), crc32(long));
  }
  const prefix = Uint8Array.of(4, 3, 2, 1, 8, 7, 6, 5, 1, 0, 0, 0);
  assert.equal(crc32OfPart(0x01020304, 0x105060708, long, 0, 1000), crc32(long, 0, 1000, crc32(prefix)));
});

test("the digest equals the one computed with bigints", () => {
  const mask = 2n ** 64n - 1n;
  const gamma = 0x9e3779b97f4a7c15n;
  const random = new Random(3);
  const digest = new Digest();
  let expected = 0n;
  for (let k = 0; k < 5000; k++) {
    const number = random.below(2 ** 20) * 2 ** random.below(21) + random.below(1000);
    const code = random.pick([0, 1, 2, random.below(2 ** 16), random.below(2 ** 31), 2 ** 31]);
    digest.add(number, code);
    let x = (BigInt(number) + BigInt(code) * gamma + gamma) & mask;
    x = ((x ^ (x >> 30n)) * 0xbf58476d1ce4e5b9n) & mask;
    x = ((x ^ (x >> 27n)) * 0x94d049bb133111ebn) & mask;
    expected = (expected + (x ^ (x >> 31n))) & mask;
    assert.equal(digest.value, expected);
  }
});

test("merit orders codes from quick wins to quick losses", () => {
  const lost = (plies) => 1 + 2 * plies;
  const won = (plies) => 2 + 2 * plies;
  const most = 2 ** 30 - 1;
  const bestFirst = [lost(0), lost(1), lost(most), 0, won(most), won(1), won(0)];
  assert.deepEqual(bestFirst.toReversed().sort((a, b) => merit(b) - merit(a)), bestFirst);
  assert.equal(codeBefore(merit(lost(4))), won(5));
  assert.equal(codeBefore(merit(0)), 0);
  assert.equal(codeBefore(merit(won(4))), lost(5));
  assert.equal(codeBefore(merit(won(most))), lost(most));
});

test("the cache evicts the least recently used value of all tables", () => {
  const shared = new Cache(30);
  const [one, other] = [shared.shelf(), shared.shelf()];
  one.set(1, "a", 10);
  other.set(1, "A", 10);
  one.set(2, "b", 10);
  assert.deepEqual([one.get(1), other.get(2), shared.bytes], ["a", undefined, 30]);
  other.set(2, "B", 20);
  assert.deepEqual([one.get(1), one.get(2), other.get(1), other.get(2)], ["a", undefined, undefined, "B"]);
  assert.deepEqual([shared.hits, shared.misses, shared.bytes], [3, 3, 30]);
  shared.limit = 15;
  assert.deepEqual([one.get(1), other.get(2), shared.bytes, shared.limit], [undefined, "B", 20, 15]);
  shared.clear();
  assert.deepEqual([other.get(2), shared.bytes], [undefined, 0]);
});

test("a shelf evicts the least recently used value", () => {
  const cache = new Cache(30).shelf();
  cache.set(1, "a", 10);
  cache.set(2, "b", 10);
  cache.set(3, "c", 10);
  assert.equal(cache.get(1), "a");
  cache.set(4, "d", 10);
  assert.equal(cache.get(2), undefined);
  assert.deepEqual([1, 3, 4].map((key) => cache.get(key)), ["a", "c", "d"]);
  cache.set(5, "e", 100);
  assert.deepEqual([1, 3, 4, 5].map((key) => cache.get(key)), [undefined, undefined, undefined, "e"]);
  cache.set(6, "f", 30);
  assert.deepEqual([5, 6].map((key) => cache.get(key)), [undefined, "f"]);
});

test("a team has each multiset of its officers' moves once, in reading order", () => {
  const random = new Random(11);
  for (let round = 0; round < 400; round++) {
    const officers = 1 + random.below(6);
    const team = Array.from({ length: officers }, () => random.below(9)).sort((a, b) => a - b);
    const lists = team.map(() => {
      const cells = new Set(Array.from({ length: random.below(6) }, () => random.below(9)));
      return Int32Array.from(cells).sort();
    });
    const byAll = lists.reduce((teams, list) => teams.flatMap((t) => Array.from(list, (to) => [...t, to])), [[]]);
    const byOne = lists.flatMap((list, k) => Array.from(list, (to) => team.with(k, to)));
    for (const [turn, teams] of [["all", byAll], ["one", byOne]]) {
      const sorted = teams.map((cells) => cells.toSorted((a, b) => a - b).join());
      const expected = [...new Set(sorted)].sort();
      const found = Array.from(teamMoves(team, lists, turn), (cells) => cells.join());
      assert.deepEqual(found, expected, `${turn} ${team} ${lists.map(String)}`);
    }
  }
});
