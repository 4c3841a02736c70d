import { type BlockIndex, CONSTANT } from "./block-index.js";
import type { Board } from "./board.js";
import { DRAW, isLost, plies } from "./codes.js";
import { Digest } from "./digest.js";
import { DragnetError } from "./errors.js";
import type { Game } from "./game.js";
import type { Counts } from "./header.js";
import type { Rules, Side } from "./rules.js";
import { multisets, rank } from "./multisets.js";
import type { Store } from "./store.js";

/** What a table consists of that has been found whole. */
export interface Verified {
  /** Positions; of a pursuit game with both sides to move. */
  readonly positions: number;
  readonly blocks: number;
  /** Blocks with one value, which have no bytes but their index entry. */
  readonly constant: number;
  /** Different runs of bytes in the data section; blocks that are neither these nor constant are copies. */
  readonly extents: number;
}

/** What the header promises. */
interface Promised {
  readonly rules: Rules;
  readonly counts: Readonly<Record<Side, Counts>>;
  readonly longest: Readonly<Record<Side, number>>;
  readonly digest: bigint;
}

/** Where an extent is, and how many slots its blocks have. */
interface Extent {
  readonly kind: number;
  readonly length: number;
  readonly slots: number;
}

/** Checks all of a table. */
export function verify(board: Board, store: Store, game: Game, promised: Promised): Verified {
  const checked = checkBlocks(store.blocks.index, store.slots());
  checkContents(board, store, game, promised);
  return { positions: 2 * multisets(board.openCells, promised.rules.officers) * board.openCells, ...checked };
}

/** Checks the index, that the extents fill the data section, and that blocks which share one are alike. */
export function checkBlocks(index: BlockIndex, slots: Iterable<number>): Omit<Verified, "positions"> {
  index.checkAll();
  return { blocks: index.blocks, ...checkExtents(index, slots) };
}

/** @param slots how many each block has */
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
      throw new DragnetError("index", `copy in block ${block}: expected ${describe(other)}, found ${describe(extent)}`);
    }
    extents.set(index.offset(at), other);
  }
  let end = 0;
  for (const offset of [...extents.keys()].sort((a, b) => a - b)) {
    if (offset !== end) throw new DragnetError("index", `extents: expected one at ${end}, found the next at ${offset}`);
    end += extents.get(offset)!.length;
  }
  if (end !== index.dataLength) {
    throw new DragnetError("index", `extents: expected their end at ${index.dataLength}, found it at ${end}`);
  }
  return { constant, extents: extents.size };
}

function describe({ kind, length, slots }: Extent): string {
  return `kind ${kind} of ${length} bytes for ${slots} slots`;
}

/** Checks every slot of every block, the counts with the police to move, the longest wins in them, and the digest. */
function checkContents(board: Board, store: Store, game: Game, promised: Promised): void {
  const digest = new Digest();
  const counts = { police: 0, thief: 0, draw: 0 };
  const longest = { police: 0, thief: 0 };
  const thiefTiles = store.thief.members();
  for (const teams of store.police.members()) {
    for (const thiefCells of thiefTiles) {
      for (const thief of thiefCells) {
        for (const police of teams) {
          // The slot is read even where the position is terminal: its index must be one of the palette's.
          const stored = store.code(police, thief);
          const code = game.winner(police, thief) === undefined ? stored : game.policeCode(police, thief);
          digest.add(rank(police) * board.openCells + thief, code);
          if (code === DRAW) {
            counts.draw++;
          } else {
            const winner = isLost(code) ? "thief" : "police";
            counts[winner]++;
            longest[winner] = Math.max(longest[winner], plies(code));
          }
        }
      }
    }
  }
  for (const outcome of ["police", "thief", "draw"] as const) {
    expect(`${outcome} with the police to move`, promised.counts.police[outcome], counts[outcome]);
  }
  for (const side of ["police", "thief"] as const) {
    if (longest[side] > promised.longest[side]) {
      expect(`longest win of the ${side}`, `at most ${promised.longest[side]}`, longest[side]);
    }
  }
  expect("digest", promised.digest.toString(16), digest.value.toString(16));
}

/** Refuses what is found to be other than expected. */
export function expect<T>(what: string, expected: T, found: T | number): void {
  if (expected !== found) throw new DragnetError("contents", `${what}: expected ${expected}, found ${found}`);
}
