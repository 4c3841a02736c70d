// Games of several kinds of officers or none, given by places, moves and ends, which are solved and written
// here by FORMAT.md alone.

import { listSection, packedBlock, pursuitTable } from "./made.mjs";

const M64 = 2n ** 64n - 1n;
const GAMMA = 0x9e3779b97f4a7c15n;

function splitmix64(number) {
  let x = (number + GAMMA) & M64;
  x = ((x ^ (x >> 30n)) * 0xbf58476d1ce4e5b9n) & M64;
  x = ((x ^ (x >> 27n)) * 0x94d049bb133111ebn) & M64;
  return x ^ (x >> 31n);
}

function binomial(n, k) {
  let ways = 1;
  for (let i = 0; i < k; i++) ways = (ways * (n - i)) / (i + 1);
  return ways;
}

const multisets = (n, k) => binomial(n + k - 1, k);
const rank = (numbers) => numbers.toSorted((a, b) => a - b).reduce((sum, x, j) => sum + binomial(x + j, j + 1), 0);
const range = (count) => Array.from({ length: count }, (_, k) => k);

/** Returns the multisets of so many numbers below n. */
function teamsOf(n, pieces) {
  let teams = [[]];
  for (let k = 0; k < pieces; k++) {
    teams = teams.flatMap((team) => range(n).slice(team.at(-1) ?? 0).map((place) => [...team, place]));
  }
  return teams;
}

/** Returns all choices of one of each list, those of the first list changing first. */
function mixed(lists) {
  return lists.reduce((all, list) => list.flatMap((last) => all.map((choice) => [...choice, last])), [[]]);
}

/** A game with the values of all positions. */
class Solved {
  /** Teams are lists of the places of each kind. */
  teams;
  #game;
  #police;
  #thief;
  #codes = new Map();

  constructor(game) {
    this.#game = game;
    this.#police = game.kinds.slice(0, -1);
    this.#thief = game.kinds.at(-1);
    this.teams = mixed(this.#police.map(({ places, pieces }) => teamsOf(places.length, pieces)));
    this.#solve();
  }

  /** Returns all positions: the side to move, the world, the team and the thief's place. */
  get positions() {
    const places = mixed([range(this.#thief.places.length), this.teams, range(this.#game.worlds)]);
    return ["police", "thief"].flatMap((side) => places.map(([thief, team, world]) => ({ side, world, team, thief })));
  }

  code(position) {
    return this.#codes.get(JSON.stringify(position)) ?? 0;
  }

  /** Returns the side that has won a terminal position. */
  winner({ world, team, thief }) {
    const officers = this.#police.flatMap((kind, k) => team[k].map((place) => [kind, place]));
    const captured = ({ captures }, place) => captures?.[world][place] ?? [place];
    if (officers.some(([kind, place]) => captured(kind, place).includes(thief))) return "police";
    if (this.#thief.ends[world].includes(thief)) return "thief";
    return officers.some(([kind, place]) => kind.ends[world].includes(place)) ? "police" : undefined;
  }

  /** Returns the positions after each turn, in the order of their numbers. */
  after({ side, world, team, thief }) {
    if (side === "thief") {
      return this.#thief.moves[world][thief].map(([to, place]) => ({ side: "police", world: to, team, thief: place }));
    }
    const pieces = this.#police.flatMap((_, k) => team[k].map((place) => [k, place]));
    const lists = pieces.map(([k, place]) => this.#police[k].moves[world][place].map(([to, place]) => [to, k, place]));
    const stand = (choice) => pieces.map(([k, place], piece) => choice[piece] ?? [undefined, k, place]);
    const turns = this.#game.team === 0
      ? mixed(lists)
      : lists.flatMap((list, piece) => list.map((move) => stand({ [piece]: move })));
    return turns.map((turn) => {
      const to = turn.find(([to]) => to !== undefined)?.[0] ?? world;
      const team = this.#police.map((_, k) => turn.filter(([, of]) => of === k).map(([, , place]) => place));
      return { side: "thief", world: to, team: team.map((places) => places.toSorted((a, b) => a - b)), thief };
    });
  }

  #solve() {
    const open = new Map();
    for (const position of this.positions) {
      const winner = this.winner(position);
      const after = this.after(position).map((next) => JSON.stringify(next));
      const key = JSON.stringify(position);
      if (winner !== undefined) this.#codes.set(key, winner === position.side ? 2 : 1);
      else if (after.length === 0) this.#codes.set(key, this.#game.stuck === 1 ? 2 : 1);
      else open.set(key, after);
    }
    for (let ply = 1, found = [1]; found.length > 0; ply++) {
      found = [];
      for (const [key, after] of open) {
        const codes = after.map((next) => this.#codes.get(next) ?? 0);
        if (codes.some((code) => code % 2 === 1)) found.push([key, 2 + 2 * ply]);
        else if (codes.every((code) => code > 0)) found.push([key, 1 + 2 * ply]);
      }
      for (const [key, code] of found) {
        open.delete(key);
        this.#codes.set(key, code);
      }
    }
  }
}

const SOLVED = new WeakMap();

/** Returns the places of each tile of a kind. */
function tilesOf({ places, tile }, columns) {
  const key = (square) => [Math.floor(Math.floor(square / columns) / tile[0]), Math.floor((square % columns) / tile[1])];
  const keys = places.map((square) => key(square));
  const used = [...new Map(keys.map((pair) => [pair.join(), pair])).values()].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  return used.map((pair) => range(places.length).filter((place) => keys[place].join() === pair.join()));
}

/** Returns the tile of a team, the number of teams in the tile, and the rank in it. */
function locate(team, tilings) {
  let [tile, tiles, number, size] = [0, 1, 0, 1];
  for (const [k, members] of tilings.entries()) {
    const where = team[k].map((place) => members.findIndex((tile) => tile.includes(place)));
    for (const at of [...new Set(where)].sort((a, b) => a - b)) {
      const ranks = team[k].filter((_, officer) => where[officer] === at).map((place) => members[at].indexOf(place));
      number += size * rank(ranks);
      size *= multisets(members[at].length, ranks.length);
    }
    tile += tiles * rank(where);
    tiles *= multisets(members.length, where.length);
  }
  return { tile, number, size };
}

/** Returns how good the code of a position is for the side that moves to it. */
function merit(code) {
  if (code === 0) return 0;
  return code % 2 === 1 ? 1e9 - code : code - 1e9;
}

/** Solves a game, and returns it with the bytes of its table that keeps values (0) or a part of them. */
export function solvedTable(game, keeps = 0) {
  const { rows, columns, worlds, team: one, stuck } = game;
  const solved = SOLVED.get(game) ?? new Solved(game);
  SOLVED.set(game, solved);
  const tilings = game.kinds.map((kind) => tilesOf(kind, columns));
  const thieves = tilings.pop();
  const policeTiles = tilings.reduce((all, members, k) => all * multisets(members.length, game.kinds[k].pieces), 1);
  const blocks = range(worlds * policeTiles * thieves.length).map(() => []);
  const counts = { police: [0, 0, 0], thief: [0, 0, 0] };
  const longest = { police: 0, thief: 0 };
  let digest = 0n;
  for (const position of solved.positions) {
    const { side, world, team, thief } = position;
    const code = solved.code(position);
    const winner = code === 0 ? "draw" : (code % 2 === 0) === (side === "police") ? "police" : "thief";
    counts[side][["police", "thief", "draw"].indexOf(winner)]++;
    if (code > 0) longest[winner] = Math.max(longest[winner], (code - 1) >> 1);
    if (side === (keeps === 3 ? "thief" : "police")) {
      const { tile, number, size } = locate(team, tilings);
      const thiefTile = thieves.findIndex((places) => places.includes(thief));
      const block = blocks[(world * policeTiles + tile) * thieves.length + thiefTile];
      block[thieves[thiefTile].indexOf(thief) * size + number] = keptCode(solved, position, keeps);
    }
    if (side === "thief") continue;
    let [police, radix] = [0, 1];
    for (const [k, places] of team.entries()) {
      police += radix * rank(places);
      radix *= multisets(game.kinds[k].places.length, places.length);
    }
    const number = (world * radix + police) * game.kinds.at(-1).places.length + thief;
    digest = (digest + splitmix64((BigInt(number) + BigInt(code) * GAMMA) & M64)) & M64;
  }
  const summary = {
    counts: [...counts.police, ...counts.thief],
    longest: [longest.police, longest.thief],
    digest,
  };
  const kinds = game.kinds.map((kind) => kindOf(kind, game));
  const stored = blocks.map((codes) => (codes.every((code) => code === codes[0]) ? codes[0] : packedBlock(codes)));
  const bytes = pursuitTable({ rows, columns, kinds, summary, blocks: stored, keeps, worlds, team: one, stuck });
  return { solved, bytes };
}

/** Returns the code that a table keeps for a position. */
function keptCode(solved, position, keeps) {
  if (keeps === 0) return solved.code(position);
  if (solved.winner(position) !== undefined) return 0;
  if (keeps === 1) return solved.code(position) === 0 ? 0 : 2 - (solved.code(position) % 2);
  const merits = solved.after(position).map((after) => merit(solved.code(after)));
  return merits.length === 0 ? 0 : 1 + merits.lastIndexOf(Math.max(...merits));
}

/** Returns a kind as `pursuitTable` takes it. */
function kindOf({ name, pieces, layers, places, tile, moves, captures, ends }, { rows, columns, worlds, kinds }) {
  const squares = layers.length * rows * columns;
  const thieves = kinds.at(-1).places;
  const section = moves.flatMap((lists, world) => lists.map((list, place) =>
    list.map(([to, target]) => (to - world) * squares + places[target] - places[place])));
  const captured = captures?.flatMap((lists) =>
    lists.map((list, place) => list.map((to) => thieves[to] - places[place])));
  const bits = new Array(Math.ceil((worlds * places.length) / 8)).fill(0);
  ends.forEach((of, world) => {
    for (const place of of) bits[(world * places.length + place) >> 3] |= 1 << ((world * places.length + place) & 7);
  });
  return {
    name,
    pieces,
    layers,
    places: range(squares).map((square) => places.includes(square)),
    tile,
    moves: listSection(section),
    captures: captured === undefined ? [] : listSection(captured),
    ends: bits.some((byte) => byte > 0) ? bits : [],
  };
}

/**
 * Returns a random game on a board of 2 × 3 squares.
 *
 * @param officers the number of officers of each kind, and the number of its layers
 * @param team 0 if every officer moves, 1 if one does
 */
export function randomGame(random, officers, { worlds = 1, team = 0, stuck = 0 } = {}) {
  const [rows, columns] = [2, 3];
  const placesOf = (layers) => {
    const squares = range(layers * rows * columns);
    const some = squares.filter(() => random.below(4) > 0);
    return some.length > 0 ? some : squares;
  };
  const kind = (pieces, layers, places, isThief) => {
    // The moves of one turn lead to one world, whichever officers make them.
    const worldAfter = (world) => (isThief || team === 1 ? random.below(worlds) : (world + 1) % worlds);
    const moves = range(worlds).map((world) => places.map(() => {
      const targets = range(places.length).filter(() => random.below(3) === 0).map((place) => [worldAfter(world), place]);
      return targets.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
    }));
    const ends = range(worlds).map(() => range(places.length).filter(() => random.below(isThief ? 6 : 12) === 0));
    const name = isThief ? "thief" : `officers of ${layers}`;
    const tile = [1 + random.below(2), 1 + random.below(2)];
    return { name, pieces, layers: range(layers).map((k) => `layer ${k}`), places, tile, moves, ends };
  };
  const thief = kind(1, 1, placesOf(1), true);
  const captures = () => range(thief.places.length).filter(() => random.below(8) === 0);
  const kinds = officers.map(([pieces, layers]) => {
    // An officer captures on the officer's own square, or wherever the lists say.
    if (layers === 1 && random.below(2) === 0) return kind(pieces, layers, thief.places, false);
    const listed = kind(pieces, layers, placesOf(layers), false);
    return { ...listed, captures: range(worlds).map(() => listed.places.map(captures)) };
  });
  return { rows, columns, worlds, team, stuck, kinds: [...kinds, thief] };
}
