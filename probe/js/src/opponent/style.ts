import { refuse } from "../errors.js";
import type { Move } from "../line.js";
import type { Position } from "../placing.js";
import type { Table } from "../table.js";
import { Stakes, worthOf } from "./cost.js";
import { Strength } from "./strength.js";

/**
 * The way in which the other side is expected to reply to a trick: `uniform`, every reply is equally likely,
 * or with the errors of a strength, whose horizon and reaction play no role.
 */
export type Replier = "uniform" | Strength;

/**
 * The choice among moves that all lose: `longest`, those that lose in the most plies, or the trickiest,
 * those after which the reply most likely throws the win away, and of these those that lose in the most
 * plies.
 */
export type Style = "longest" | { readonly trickiest: Replier };

/** The most moves whose replies are looked at. */
const TRICKS = 64;
/** A share of 1. */
const WHOLE = 1_000_000;

/** Throws a {@link DragnetError} of kind `argument` unless a value is a style. */
export function checkStyle(style: Style): void {
  if (style === "longest") return;
  const replier: unknown = style?.trickiest;
  if (replier === "uniform") return;
  if (typeof replier === "object" && replier !== null) return Strength.check(replier as Strength);
  const expected = `longest, { trickiest: "uniform" } or { trickiest: STRENGTH }`;
  refuse("argument", "style", expected, JSON.stringify(style));
}

/** Returns the moves that a style prefers if the first of `choices` draws and no other one wins. */
export function preferredDraws<C extends Move>(table: Table, style: Style, choices: readonly C[]): C[] {
  const replier = style === "longest" ? "uniform" : style.trickiest;
  const draws = choices.slice(0, TRICKS).filter(({ outcome }) => outcome === "draw");
  return trickiest(table, replier, draws);
}

/** Returns the moves that a style prefers if all moves lose, the longest loss first. */
export function preferredLosses<C extends Move>(table: Table, style: Style, choices: readonly C[]): C[] {
  const looked = choices.slice(0, TRICKS);
  const preferred = style === "longest" ? choices : trickiest(table, style.trickiest, looked);
  return preferred.filter(({ dtw }) => dtw === preferred[0]!.dtw);
}

/** Returns the moves with the greatest trick share, in their order. */
function trickiest<C extends Move>(table: Table, replier: Replier, choices: readonly C[]): C[] {
  const shares = choices.map(({ position }) => trickShare(table, replier, position));
  const most = Math.max(...shares);
  return choices.filter((_, k) => shares[k] === most);
}

/**
 * Returns how likely the reply in a position makes the outcome worse for the side that replies, in
 * millionths.
 */
function trickShare(table: Table, replier: Replier, position: Position): number {
  const replies = table.moves(position);
  if (replies.length === 0) return 0;
  const mover = position.turn;
  const stakes = new Stakes(mover, table.rules.undecided);
  if (replier === "uniform") {
    const best = worthOf(replies[0]!, mover);
    const drops = replies.filter((reply) => stakes.cost(best, worthOf(reply, mover)).drop > 0).length;
    return Math.floor((WHOLE * drops) / replies.length);
  }
  const { dropping, all } = stakes.weigh(replier, replies);
  return Math.floor(((WHOLE / 1000) * replier.errors * dropping) / all);
}
