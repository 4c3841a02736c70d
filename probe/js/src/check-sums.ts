import { type BlockIndex, CONSTANT } from "./block-index.js";
import { type Code, DRAW, isLost, plies } from "./codes.js";
import { Digest } from "./digest.js";
import { refuse } from "./errors.js";
import type { Game } from "./game.js";
import type { Summary } from "./header.js";
import type { Store } from "./store.js";
import type { Team } from "./team-moves.js";

/** The statistics of a table whose sums are right. */
export interface CheckedSums {
  /** The number of positions; for a pursuit table, with either side to move. */
  readonly positions: number;
  /** The number of blocks. */
  readonly blocks: number;
  /** The number of blocks with a single value, which take no bytes beyond their index entry. */
  readonly constant: number;
  /** The number of separate runs of bytes in the data section. Blocks with equal bytes share an extent. */
  readonly extents: number;
}

/** A run of bytes in the data section, and the number of slots of the blocks that share it. */
interface Extent {
  readonly kind: number;
  readonly length: number;
  readonly slots: number;
}

/** Checks a whole pursuit table in steps, each of which yields the share that is done, from 0 to 1. */
export function* checkPursuit(store: Store, game: Game, summary: Summary): Generator<number, CheckedSums> {
  const digest = new Digest();
  const longest = { police: 0, thief: 0 };
  const checked = yield* checkOutcomes(store, summary, (world, police, thief) => {
    // The slot is read even if the position is terminal, since its palette index must be valid.
    const stored = store.code(world, police, thief);
    const code = game.terminalCode(world, police, thief, "police") ?? stored;
    digest.add(store.numberOf(world, police, thief), code);
    if (code !== DRAW) {
      const winner = isLost(code) ? "thief" : "police";
      longest[winner] = Math.max(longest[winner], plies(code));
    }
    return code;
  });
  for (const side of ["police", "thief"] as const) {
    if (longest[side] > summary.longest[side]) {
      expect(`longest win of the ${side}`, `at most ${summary.longest[side]}`, longest[side]);
    }
  }
  expect("digest", summary.digest.toString(16), digest.value.toString(16));
  return checked;
}

/**
 * Checks the blocks of a table and its counts with the police to move in steps, each of which yields the
 * share that is done, from 0 to 1.
 *
 * @param codeOf returns the code of a position with the police to move
 */
export function* checkOutcomes(
  store: Store,
  { counts }: Pick<Summary, "counts">,
  codeOf: (world: number, police: Team, thief: number) => Code,
): Generator<number, CheckedSums> {
  const found = { police: 0, thief: 0, draw: 0 };
  const checked = yield* checkPlacements(store, (world, police, thief) => {
    const code = codeOf(world, police, thief);
    found[code === DRAW ? "draw" : isLost(code) ? "thief" : "police"]++;
  });
  for (const outcome of ["police", "thief", "draw"] as const) {
    expect(`${outcome} with the police to move`, counts.police[outcome], found[outcome]);
  }
  return checked;
}

/**
 * Checks the blocks of a table in steps, one for each block of positions and each section, which yield the
 * share that is done, from 0 to 1.
 *
 * @param check checks what is stored for a world and the cells of the pieces
 */
export function* checkPlacements(
  store: Store,
  check: (world: number, police: Team, thief: number) => void,
): Generator<number, CheckedSums> {
  const checked = checkBlocks(store.blocks.index, store.slots());
  const thiefTiles = store.thief.members();
  let blocks = 0;
  for (let world = 0; world < store.worlds; world++) {
    for (const teams of store.police.members()) {
      for (const thiefCells of thiefTiles) {
        for (const thief of thiefCells) {
          for (const police of teams) check(world, police, thief);
        }
        yield ++blocks / checked.blocks;
      }
    }
  }
  for (const count of store.checkSections()) {
    blocks += count;
    if (count > 0) yield blocks / checked.blocks;
  }
  return { positions: 2 * store.worlds * store.police.count * store.thief.rankOf.length, ...checked };
}

/**
 * Checks that the index is valid, that extents fill the data section, and that blocks sharing an extent are
 * alike.
 */
export function checkBlocks(index: BlockIndex, slots: Iterable<number>): Omit<CheckedSums, "positions"> {
  index.checkAll();
  return { blocks: index.blocks, ...checkExtents(index, slots) };
}

/** @param slots the number of slots of each block */
function checkExtents(index: BlockIndex, slots: Iterable<number>): { constant: number; extents: number } {
  const extents = new Map<number, Extent>();
  let constant = 0;
  let block = -1;
  for (const size of slots) {
    block++;
    const at = index.locate(block);
    const kind = index.kind(at);
    if (kind === CONSTANT) {
      constant++;
      continue;
    }
    const extent = { kind, length: index.length(at), slots: size };
    const other = extents.get(index.offset(at)) ?? extent;
    if (other.kind !== kind || other.length !== extent.length || other.slots !== size) {
      refuse("index", `copy in block ${block}`, describe(other), describe(extent));
    }
    extents.set(index.offset(at), other);
  }
  let end = 0;
  for (const offset of [...extents.keys()].sort((a, b) => a - b)) {
    if (offset !== end) refuse("index", "extents", `one at ${end}`, `the next at ${offset}`);
    end += extents.get(offset)!.length;
  }
  if (end !== index.dataLength) refuse("index", "extents", `their end at ${index.dataLength}`, `it at ${end}`);
  return { constant, extents: extents.size };
}

function describe({ kind, length, slots }: Extent): string {
  return `kind ${kind} of ${length} bytes for ${slots} slots`;
}

/** Throws a {@link DragnetError} of kind `contents` unless `found` equals `expected`. */
export function expect<T>(what: string, expected: T, found: T | number): void {
  if (expected !== found) refuse("contents", what, expected, found);
}
