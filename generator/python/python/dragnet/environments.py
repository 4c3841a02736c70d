r"""Environments for reinforcement learning, with the table as exact opponent and as judge of each move.

>>> import gymnasium
>>> import dragnet.environments
>>> table = dragnet.solve("..E\n.#.\n...")
>>> environment = gymnasium.make("dragnet/Pursuit-v0", table=table, side="thief")
>>> observation, info = environment.reset(seed=1, options={"police": (2, 0), "thief": (2, 2)})
>>> observation.shape, int(info["action_mask"].sum())
((4, 3, 3), 3)
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from os import PathLike
from typing import Any, ClassVar, Literal

import gymnasium
import numpy as np
from dragnet_probe import Move, Open, Opponent, Strength, Table
from dragnet_probe.opponents import Preset
from gymnasium import spaces
from gymnasium.utils import seeding
from numpy.typing import NDArray
from pettingzoo import AECEnv

__all__ = ["Pursuit", "PursuitAEC", "pursuit_aec"]

Side = Literal["police", "thief"]
Cell = tuple[int, int]

_OTHER: dict[Side, Side] = {"police": "thief", "thief": "police"}


class _Game:
    """A pursuit game of one officer, and the numbers of its moves.

    On a board of squares the action k is the k-th of all offsets by which the side's piece can move
    somewhere. On a graph it is the k-th edge of the piece's vertex.
    """

    def __init__(self, table: Table | str | PathLike[str]) -> None:
        table = table if isinstance(table, Table) else Open.path(table).pursuit()
        if table.officers != 1:
            raise ValueError(f"expected a table of one officer, found {table.officers}")
        if table.worlds != 1:
            raise ValueError(f"expected a table of one world, found {table.worlds}")
        self.nodes: dict[Hashable, Cell] = {node: (0, at) for at, node in enumerate(table.nodes or ())}
        # The environment plays on cells.
        self.table = table.with_nodes(None)
        self.cells: list[Cell] = [(int(row), int(column)) for row, column in table.cells]
        self.moves = {side: self._moves(side) for side in _OTHER}
        self.offsets = {side: self._offsets(side) for side in _OTHER}
        board = table.board
        self.planes = np.stack([board == 0, board == 2]).astype(np.uint8)
        self.police: Cell = self.cells[0]
        self.thief: Cell = self.cells[0]
        self.turn: Side = "police"

    def _moves(self, side: Side) -> dict[Cell, list[Cell]]:
        """Returns the cells to which a side's piece can move from each cell."""
        moves: dict[Cell, list[Cell]] = {}
        for cell in self.cells:
            for other in self.cells:
                pieces = (cell, other) if side == "police" else (other, cell)
                if self.table.winner(*pieces, side) is None:
                    found = self.table.moves(*pieces, side)
                    moves[cell] = sorted(move.cell for move in found)
                    break
            else:
                # The game is over wherever the other piece stands.
                moves[cell] = []
        return moves

    def _offsets(self, side: Side) -> list[Cell]:
        """Returns all offsets by which a side's piece can move, or as many places as a vertex has edges."""
        if self.table.edges is not None:
            return [(0, place) for place in range(max(map(len, self.moves[side].values()), default=0) or 1)]
        steps = {
            (to[0] - cell[0], to[1] - cell[1]) for cell, reached in self.moves[side].items() for to in reached
        }
        return sorted(steps) or [(0, 0)]

    def start(self, lot: np.random.Generator, options: Mapping[str, Any] | None) -> None:
        """Places the pieces as the options say, or by lot where nobody has won. The police moves first."""
        options = options or {}
        self.turn = "police"
        for _ in range(1000):
            drawn = [self.cells[int(at)] for at in lot.integers(len(self.cells), size=2)]
            self.police = self._cell(options.get("police", drawn[0]))
            self.thief = self._cell(options.get("thief", drawn[1]))
            if self.winner() is None:
                return
        raise ValueError("expected a start from which somebody can move, found that the game is over")

    def _cell(self, place: Any) -> Cell:
        """Returns the cell of a place, which may be a node of a graph of NetworkX."""
        if isinstance(place, Hashable) and place in self.nodes:
            return self.nodes[place]
        row, column = place
        return int(row), int(column)

    def winner(self) -> Side | None:
        """Returns the side that has won, if the game is over."""
        return self.table.winner(self.police, self.thief, self.turn)

    def actions(self) -> list[Cell | None]:
        """Returns the cell to which each action of the side to move leads, ``None`` if it is no move."""
        here = self.police if self.turn == "police" else self.thief
        reached = self.moves[self.turn][here]
        if self.table.edges is not None:
            return [reached[at] if at < len(reached) else None for _, at in self.offsets[self.turn]]
        targets = [(here[0] + down, here[1] + right) for down, right in self.offsets[self.turn]]
        return [to if to in reached else None for to in targets]

    def mask(self, side: Side) -> NDArray[np.int8]:
        """Returns 1 for each action that is a move of the side to move, and zeros for the other side."""
        if side != self.turn or self.winner() is not None:
            return np.zeros(len(self.offsets[side]), dtype=np.int8)
        return np.array([to is not None for to in self.actions()], dtype=np.int8)

    def play(self, to: Cell) -> dict[str, int]:
        """Moves the piece of the side to move, and returns what that has cost.

        ``dropped`` is 0 if the outcome is what perfect play would get, 1 from a win to a draw or from a
        draw to a loss, 2 from a win to a loss. ``plies`` are lost if it is 0: by which the win comes later,
        or the loss sooner.
        """
        side = self.turn
        moves = self.table.moves(self.police, self.thief, side)
        best, played = moves[0], next(move for move in moves if move.cell == to)
        cost = {"dropped": _worth(best, side) - _worth(played, side), "plies": 0}
        if cost["dropped"] == 0 and best.dtw is not None and played.dtw is not None:
            cost["plies"] = abs(played.dtw - best.dtw)
        if side == "police":
            self.police = to
        else:
            self.thief = to
        self.turn = _OTHER[side]
        return cost

    def observation(self) -> NDArray[np.uint8]:
        """Returns four planes of the board: walls, exits, the officer and the thief."""
        pieces = np.zeros((2, *self.planes.shape[1:]), dtype=np.uint8)
        pieces[0][self.police] = pieces[1][self.thief] = 1
        return np.concatenate([self.planes, pieces])

    def space(self) -> spaces.Box:
        """Returns the space of observations."""
        return spaces.Box(0, 1, (4, *self.planes.shape[1:]), np.uint8)


def _worth(move: Move, side: Side) -> int:
    """Returns 2 for a move that wins, 1 for one that draws, 0 for one that loses."""
    return 1 if move.outcome == "draw" else 2 * int(move.outcome == side)


def _limit(table: Table) -> int:
    """Returns plies after which perfect play from any position is over, unless it is a draw."""
    return 4 * (max(table.longest) + 1)


class Pursuit(gymnasium.Env[NDArray[np.uint8], np.int64]):
    """One side of a pursuit game against an opponent that knows every value.

    An observation has four planes of the board: walls, exits, the officer and the thief. An action is an
    offset of the list ``offsets``, or an edge of the vertex on a graph; ``info["action_mask"]`` tells which
    are moves. An action that is none loses the game. The reward is 1 for a win and -1 for a loss, when the
    game ends. After a move ``info["regret"]`` has what it cost against perfect play: ``dropped`` and
    ``plies``.

    ``table`` is a table or the path of one. Only with a path can Gymnasium copy the environment's
    description, as it does for vectors of environments. ``reset`` takes the cells ``police`` and ``thief``
    as options, or nodes of the table, and draws lots for others. The game is truncated after ``most_plies``,
    by default four times the table's longest win.
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi"]}  # noqa: RUF012

    def __init__(
        self,
        table: Table | str | PathLike[str],
        side: Side = "thief",
        opponent: Strength | Preset = "perfect",
        most_plies: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        if side not in _OTHER:
            raise ValueError(f"expected side 'police' or 'thief', found {side!r}")
        self.game = _Game(table)
        self.side: Side = side
        self.strength = opponent
        self.most_plies = most_plies or _limit(self.game.table)
        self.render_mode = render_mode
        self.observation_space: spaces.Space[Any] = self.game.space()
        self.action_space = spaces.Discrete(len(self.game.offsets[side]))
        self.plies = 0
        self.opponent = Opponent(opponent)

    @property
    def offsets(self) -> list[Cell]:
        """The offset of each action, as (rows down, columns right)."""
        return self.game.offsets[self.side]

    def reset(
        self, *, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[NDArray[np.uint8], dict[str, Any]]:
        super().reset(seed=seed)
        self.plies = 0
        self.opponent = Opponent(self.strength, seed=int(self.np_random.integers(2**63)))
        for _ in range(100):
            self.game.start(self.np_random, options)
            if self.side == "thief":
                self._reply()
            if self.game.winner() is None:
                return self.game.observation(), self._info()
        raise ValueError("expected a start from which this side can move, found that the game is over")

    def step(self, action: np.int64) -> tuple[NDArray[np.uint8], float, bool, bool, dict[str, Any]]:
        to = self.game.actions()[int(action)]
        if to is None:
            return self.game.observation(), -1.0, True, False, {**self._info(), "illegal": True}
        regret = self.game.play(to)
        self.plies += 1
        if self.game.winner() is None:
            self._reply()
        winner = self.game.winner()
        reward = 0.0 if winner is None else 1.0 if winner == self.side else -1.0
        is_truncated = winner is None and self.plies >= self.most_plies
        info = {**self._info(), "regret": regret}
        return self.game.observation(), reward, winner is not None, is_truncated, info

    def render(self) -> str | None:
        """Returns the board as text, with the pieces on it."""
        if self.render_mode != "ansi":
            return None
        rows = [list(row) for row in self.game.table.board_text.splitlines()]
        for (row, column), letter in ((self.game.police, "P"), (self.game.thief, "T")):
            rows[row][column] = letter
        return "\n".join("".join(row) for row in rows)

    def _reply(self) -> None:
        move = self.opponent.choose(self.game.table, self.game.police, self.game.thief, self.game.turn)
        if move is not None:
            self.game.play(move.cell)
            self.plies += 1

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self.game.mask(self.side)}


class PursuitAEC(AECEnv[str, dict[str, Any], int]):  # type: ignore[misc]
    """Both sides of a pursuit game, the agents ``police`` and ``thief``, by turns.

    An observation is a dictionary of the planes of :class:`Pursuit` and the mask of the agent's actions. An
    action that is no move loses the game. ``infos`` has the regret of an agent's last move.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "name": "dragnet_pursuit_v0",
        "is_parallelizable": False,
        "render_modes": [],
    }

    def __init__(self, table: Table | str | PathLike[str], most_plies: int | None = None) -> None:
        super().__init__()
        self.game = _Game(table)
        self.most_plies = most_plies or _limit(self.game.table)
        self.possible_agents = list(_OTHER)
        self.render_mode = None
        actions: dict[str, int] = {agent: len(self.game.offsets[agent]) for agent in _OTHER}
        self.action_spaces = {agent: spaces.Discrete(count) for agent, count in actions.items()}
        self.observation_spaces = {
            agent: spaces.Dict(
                {"observation": self.game.space(), "action_mask": spaces.Box(0, 1, (count,), np.int8)}
            )
            for agent, count in actions.items()
        }
        self.lot, _ = seeding.np_random(None)

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self.action_spaces[agent]

    def observe(self, agent: str) -> dict[str, Any]:
        side: Side = "police" if agent == "police" else "thief"
        return {"observation": self.game.observation(), "action_mask": self.game.mask(side)}

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        if seed is not None:
            self.lot, _ = seeding.np_random(seed)
        self.game.start(self.lot, options)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.plies = 0
        self.agent_selection = self.game.turn

    def step(self, action: int | None) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        assert action is not None
        to = self.game.actions()[int(action)]
        winner: str | None
        if to is None:
            winner = "thief" if agent == "police" else "police"
            self.infos[agent] = {"illegal": True}
        else:
            self.infos[agent] = {"regret": self.game.play(to)}
            self.plies += 1
            winner = self.game.winner()
        if winner is not None:
            self.rewards = {other: 1.0 if other == winner else -1.0 for other in self.agents}
            self.terminations = dict.fromkeys(self.agents, True)
        elif self.plies >= self.most_plies:
            self.truncations = dict.fromkeys(self.agents, True)
        self.agent_selection = "thief" if agent == "police" else "police"
        self._accumulate_rewards()

    def render(self) -> None:
        """Does nothing: the environment has no modes to render in."""

    def close(self) -> None:
        """Does nothing: there is nothing to close."""


def pursuit_aec(table: Table | str | PathLike[str], most_plies: int | None = None) -> PursuitAEC:
    """Returns the environment of PettingZoo for the game of a table of one officer."""
    return PursuitAEC(table, most_plies)


gymnasium.register("dragnet/Pursuit-v0", entry_point="dragnet.environments:Pursuit")
