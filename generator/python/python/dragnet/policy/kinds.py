"""The kinds of policies, and how the native part takes them."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from operator import index
from typing import Any, Literal, TypeAlias

import numpy as np
from dragnet_probe import Opponent as Player
from dragnet_probe import Side, Strength
from numpy.typing import ArrayLike, NDArray

from ..limits import require
from ..progress import Report
from .ground import Ground, PiecesLike

__all__ = [
    "Greedy",
    "ListedMoves",
    "MoveWeights",
    "NativePolicy",
    "Opponent",
    "Patrol",
    "Policy",
    "RandomWalk",
    "WithMemory",
    "native_policy",
    "require_memory",
]

NativePolicy: TypeAlias = Literal["greedy"] | dict[str, Any]
"""A policy as the native part takes it: what belongs to it, by names."""


@dataclass(frozen=True)
class Patrol:
    """A side that walks a route again and again, whatever the other side does.

    Its posts are the steps of the route: at post 0 it stands on the first place, and from the last it returns
    to the first. A place that stands twice in a row is a turn that is passed.
    """

    route: Sequence[PiecesLike]
    """The places of the route, in turn."""


@dataclass(frozen=True)
class Greedy:
    """A side that looks one move ahead.

    The police goes where it is nearest to the thief, the thief where he is farthest from the police, counted
    in the mover's own turns. Of several officers the nearest counts, and for the police among equals the sum
    of all their distances. Of equal moves the first in reading order is made. Exits play no role.
    """


@dataclass(frozen=True)
class RandomWalk:
    """A side that draws its move by lot, whatever the other side does.

    Whether it may stay is a matter of the rules: the drunk robber of the literature, who never does, walks on
    a ground with ``{"thief": {"moves": "edges", "may_pass": False}}`` as its rules.
    """

    weights: Mapping[tuple[int, int], float] = field(default_factory=dict)
    """The weights of some offsets (rows down, columns right); (0, 0) is to pass. All other moves weigh 1, and
    where all moves weigh 0 they are equally likely. They are for a single piece on a board of squares, where
    some move must have an offset with a weight above 0. Over joined edges an offset is the shorter way, and
    of two ways as long as each other the one that crosses no edge."""


@dataclass(frozen=True)
class ListedMoves:
    """A side that looks its moves up in a list.

    >>> ground = Ground("...")
    >>> guard = ListedMoves({((0, 0), (0, 2)): {(0, 1): 3, (0, 0): 1}, ((0, 1), None): (0, 2)})
    >>> odds(ground, police=guard).value((0, 0), (0, 2), "police").win
    Interval(low=0.0, high=0.0)
    """

    moves: Mapping[tuple[PiecesLike, PiecesLike], Any]
    """For each position, the place of the police and that of the thief, the place to which the side moves, or
    the weights of such places. ``None`` in place of the other side stands for all its places, except those
    for which a move is listed."""
    otherwise: Literal["stay", "greedy", "random"] = "stay"
    """The way in which the side moves in all other positions. Where the rules do not let it stay, "stay" is
    refused: those positions must be listed."""


@dataclass(frozen=True)
class Opponent:
    """A side that plays like ``dragnet_probe.Opponent`` of a strength, in the style that holds out longest.

    A post is a place together with the places of the other side at the opponent's last turns, as many as its
    reaction, so that slow opponents are for small boards. The number of a post is that of the place for the
    turns at which a game begins. The table from which it chooses its moves is solved with each question.

    >>> ground = Ground("...E")
    >>> plies = odds(ground, thief=Opponent("hard")).value((0, 0), (0, 2), "thief").plies
    >>> 1.2 < plies.low <= plies.high < 1.3
    True
    """

    strength: Strength | str | int
    """A ``dragnet_probe.Strength``; the name of one, from "easy" to "perfect"; or a level from 0, which errs
    in every turn, to 1000, which is perfect."""


@dataclass(frozen=True)
class MoveWeights:
    """A side that draws its moves by lot with the weights of an array."""

    weights: ArrayLike
    """For each place of the police and each place of the thief, the weights of the moves: an array (police,
    thief, moves). Only their shares count; rows of positions in which nobody moves do not matter."""
    offsets: Sequence[tuple[int, int]] | None = None
    """The offset (rows down, columns right) of each move, like those of the environments; weights of offsets
    that are no move there are left out. Without it, weight number k is that of the k-th place in
    :meth:`Ground.moves`."""


@dataclass(frozen=True)
class WithMemory:
    """A side that remembers something.

    A post is a place together with a memory. The number of a post is that of the place, and the number of all
    places more for each memory before.

    >>> ground = Ground("...")
    >>> def to_and_fro(police, thief, direction):
    ...     column = police[1] + direction
    ...     return ((0, column), direction) if 0 <= column < 3 else (police, -direction)
    >>> reply = best_reply(ground, police=WithMemory(to_and_fro, [1, -1]))
    >>> reply.value((0, 0), (0, 2), "police")
    Value('police', 3)
    """

    choose: Callable[[Any, Any, Any], Any]
    """Is called with the place of the police, the place of the thief and the memory. Returns the place after
    the move and the memory after it, ``(place, memory)``, or a dictionary with the weights of such pairs."""
    memories: Sequence[Hashable]
    """All memories. A game begins with the first one."""


Choose: TypeAlias = Callable[[Any, Any], Any]
"""A function that is called with the place of the police and the place of the thief, each a cell or a tuple
of several officers' cells. It returns the place after the move, or a dictionary with weights of places."""

Policy: TypeAlias = Patrol | Greedy | RandomWalk | ListedMoves | Opponent | MoveWeights | WithMemory | Choose
"""How one side chooses its moves, perhaps by lot. A function is called once for each position in which the
side moves, and must not remember anything."""


def native_policy(ground: Ground, side: Side, policy: Policy, report: Report | None) -> NativePolicy:
    """Returns a policy of a side as the native part takes it.

    Calls ``report`` now and then while a function is asked. Raises ValueError if a place is none, and
    TypeError if the policy is of no known kind.
    """
    match policy:
        case Patrol(route):
            return {"route": [_pieces(ground, side, place) for place in route]}
        case Greedy():
            return "greedy"
        case RandomWalk(weights):
            offsets = [((index(down), index(right)), float(weights[down, right])) for down, right in weights]
            return {"offsets": offsets}
        case ListedMoves(moves, otherwise):
            return {"moves": _listed(ground, side, moves), "otherwise": otherwise}
        case Opponent(strength):
            return {"strength": _strength(strength)}
        case MoveWeights(weights, given):
            return _weighted(ground, side, np.asarray(weights, dtype=np.float64), given)
        case WithMemory(choose, memories):
            return _asked(ground, side, choose, list(memories), report)
        case _ if callable(policy):
            function = policy
            return _asked(ground, side, lambda *places: _forgetful(function(*places[:2])), [None], report)
    raise TypeError(f"expected a policy, found {policy!r}")


def require_memory(
    ground: Ground, side: Side, policy: Policy, chance: bool, threads: int, memory: int | None
) -> None:
    """Raises MemoryError if a question about a policy needs more bytes than ``memory``; None is no limit."""
    if memory is None:
        return
    posts, other = len(ground.places(side)), len(ground.places(_other(side)))
    match policy:
        case Patrol(route):
            posts = len(route)
        case WithMemory(_, memories):
            posts *= len(memories)
        case Opponent(strength):
            posts *= (other + 1) ** _strength(strength).reaction
    most = 2**64 - 1
    needs = ground.native.memory_needed(side, min(posts, most), chance, isinstance(policy, Opponent), threads)
    for what, needed in needs:
        require(what, partial(int, needed), memory)


def _strength(strength: Strength | str | int) -> Strength:
    """Returns a strength, which is checked."""
    if isinstance(strength, int):
        return Strength.level(strength)
    if isinstance(strength, str):
        return Strength.preset(strength)
    # Checks the parameters.
    Player(strength)
    return strength


def _pieces(ground: Ground, side: Side, place: PiecesLike) -> list[tuple[int, int]]:
    cells = ground.places(side)[ground.place(side, place)]
    return [(int(row), int(column)) for row, column in cells]


def _other(side: Side) -> Side:
    return "thief" if side == "police" else "police"


def _listed(
    ground: Ground, side: Side, moves: Mapping[tuple[PiecesLike, PiecesLike], Any]
) -> list[tuple[int, int | None, int, float]]:
    listed: list[tuple[int, int | None, int, float]] = []
    for (police, thief), to in moves.items():
        own, other = (police, thief) if side == "police" else (thief, police)
        at = ground.place(side, own)
        against = None if other is None else ground.place(_other(side), other)
        weighed = to.items() if isinstance(to, Mapping) else [(to, 1.0)]
        listed += [(at, against, ground.place(side, place), float(weight)) for place, weight in weighed]
    return listed


def _weighted(
    ground: Ground,
    side: Side,
    weights: NDArray[np.float64],
    offsets: Sequence[tuple[int, int]] | None,
) -> NativePolicy:
    police, thief = len(ground.places("police")), len(ground.places("thief"))
    if weights.ndim != 3 or weights.shape[:2] != (police, thief):
        raise ValueError(f"expected weights in the shape ({police}, {thief}, moves), found {weights.shape}")
    if side == "thief":
        weights = weights.transpose(1, 0, 2)
    if offsets is not None and len(offsets) != weights.shape[2]:
        raise ValueError(f"expected {weights.shape[2]} offsets, one for each move, found {len(offsets)}")
    places, others = weights.shape[:2]
    counts, targets, chosen = [], [], []
    for place in range(places):
        moves = ground.moves(side, place)
        if offsets is None:
            if len(moves) > weights.shape[2]:
                raise ValueError(
                    f"expected weights of {len(moves)} moves from {ground.pieces(side, place)}, "
                    f"found {weights.shape[2]}"
                )
            columns = np.arange(len(moves))
        else:
            moves, columns = _along(ground, side, place, offsets)
        counts.append(np.full(others, len(moves)))
        targets.append(np.tile(moves, others))
        chosen.append(weights[place][:, columns].ravel())
    return {
        "places": np.arange(places, dtype=np.uint32),
        "starts": np.ones(places, dtype=bool),
        "rows": np.concatenate([[0], np.cumsum(np.concatenate(counts))]),
        "posts": np.concatenate(targets).astype(np.uint32),
        "weights": np.concatenate(chosen),
    }


def _along(
    ground: Ground, side: Side, place: int, offsets: Sequence[tuple[int, int]]
) -> tuple[NDArray[np.uint32], NDArray[np.intp]]:
    """Returns the places to which those of the offsets lead that are moves, and their numbers."""
    if ground.is_graph or ground.places(side).shape[1] > 1:
        raise ValueError("offsets are for a single piece on a board of squares")
    row, column = ground.places(side)[place, 0]
    found = []
    height, width = ground.shape
    targets = {tuple(ground.places(side)[to, 0].tolist()): to for to in ground.moves(side, place)}
    for number, (down, right) in enumerate(offsets):
        below, beside = row + down, column + right
        # Over joined edges a piece comes back on the other side.
        if ground.wrap in ("vertical", "both"):
            below %= height
        if ground.wrap in ("horizontal", "both"):
            beside %= width
        to = targets.get((below, beside))
        if to is not None:
            found.append((to, number))
    moves, numbers = zip(*found, strict=True) if found else ((), ())
    return np.array(moves, dtype=np.uint32), np.array(numbers, dtype=np.intp)


def _forgetful(chosen: Any) -> Any:
    """Returns what a function without memory has chosen as one with memory does."""
    if isinstance(chosen, Mapping):
        return {(place, None): weight for place, weight in chosen.items()}
    return chosen, None


def _asked(
    ground: Ground,
    side: Side,
    choose: Callable[[Any, Any, Any], Any],
    memories: list[Hashable],
    report: Report | None,
) -> NativePolicy:
    """Asks a function in all positions in which the side moves."""
    own, other = len(ground.places(side)), len(ground.places(_other(side)))
    numbers = {memory: number for number, memory in enumerate(memories)}
    if len(numbers) != len(memories) or not memories:
        raise ValueError(f"expected at least one memory, and each once, found {memories!r}")
    winners = ground.winners() if side == "police" else ground.winners().T
    others = [ground.pieces(_other(side), place) for place in range(other)]
    rows, posts, weights = [0], [], []
    known: dict[Any, int] = {}

    def place_of(to: Any) -> int:
        """Returns the number of a place, which is looked up once if it can be the key of a dictionary."""
        try:
            return known[to]
        except KeyError:
            known[to] = ground.place(side, to)
            return known[to]
        except TypeError:
            return ground.place(side, to)

    for memory in memories:
        for place in range(own):
            if report is not None:
                report("asking", len(rows) - 1, len(memories) * own * other, 0)
            here, can_move = ground.pieces(side, place), len(ground.moves(side, place)) > 0
            for against, winner in zip(others, winners[place].tolist(), strict=True):
                if winner == 0 and can_move:
                    police, thief = (here, against) if side == "police" else (against, here)
                    chosen = choose(police, thief, memory)
                    weighed = chosen.items() if isinstance(chosen, Mapping) else [(chosen, 1.0)]
                    for (to, after), weight in weighed:
                        if after not in numbers:
                            raise ValueError(f"expected one of the memories {memories!r}, found {after!r}")
                        posts.append(place_of(to) + own * numbers[after])
                        weights.append(float(weight))
                rows.append(len(posts))
    return {
        "places": np.tile(np.arange(own, dtype=np.uint32), len(memories)),
        "starts": np.arange(own * len(memories)) < own,
        "rows": np.array(rows, dtype=np.int64),
        "posts": np.array(posts, dtype=np.uint32),
        "weights": np.array(weights, dtype=np.float64),
    }
