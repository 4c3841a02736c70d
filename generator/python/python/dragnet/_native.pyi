"""Types of the native part."""

from collections.abc import Sequence
from os import PathLike
from typing import TypeAlias, final

import numpy as np
from dragnet_probe import Side
from numpy.typing import NDArray

from .policy.kinds import NativePolicy
from .progress import Report

__version__: str
MOST_OFFICERS: int

def machine_memory() -> int: ...

_Told: TypeAlias = tuple[int | None, list[str]]

@final
class Graph:
    @staticmethod
    def of_pairs(pairs: NDArray[np.int64], vertices: int, directed: bool, memory: int | None) -> Graph: ...
    @staticmethod
    def of_text(text: bytes, six: bool, directed: bool, memory: int | None) -> tuple[Graph, _Told]: ...
    @property
    def vertices(self) -> int: ...

@final
class Board:
    @staticmethod
    def of_graph(graph: Graph) -> Board: ...
    @staticmethod
    def of_text(text: bytes) -> Board: ...
    @staticmethod
    def of_squares(squares: NDArray[np.uint8]) -> Board: ...
    @staticmethod
    def of_source(source: str) -> Board: ...
    @staticmethod
    def of_file(text: bytes, directed: bool) -> tuple[Board, _Told]: ...
    def with_exits(self, exits: Sequence[tuple[int, int]]) -> Board: ...
    @property
    def vertices(self) -> int: ...
    @property
    def is_graph(self) -> bool: ...
    def __eq__(self, other: object, /) -> bool: ...

_Pieces: TypeAlias = tuple[Sequence[str], Sequence[int], Sequence[Sequence[int]], Sequence[bool]]

@final
class Game:
    def __new__(
        cls,
        board: tuple[int, int],
        worlds: int,
        words: tuple[str, str, str, str],
        kinds: Sequence[tuple[str, int, int]],
        pieces: tuple[_Pieces, _Pieces],
        captures: Sequence[Sequence[int]] | None,
        source: str,
        points: Sequence[tuple[int, int]],
    ) -> Game: ...

@final
class Plan:
    @staticmethod
    def of_board(board: Board, rules: str, doors: str, guards: str, favour: str) -> Plan: ...
    @staticmethod
    def of_game(game: Game, favour: str) -> Plan: ...
    def memory_needed(self, threads: int) -> int: ...

def solve(plan: Plan, threads: int, report: Report | None) -> bytes: ...
def generate(
    plan: Plan, path: str | PathLike[str], threads: int, memory: int | None, report: Report | None
) -> None: ...
def rules_of(source: str) -> str: ...
def full_rules(given: str, officers: int | None) -> str: ...
def verify(table: bytes, threads: int, memory: int, report: Report | None) -> None: ...
def solve_game(
    graph: Graph,
    name: str,
    stuck_wins: bool,
    labels: tuple[Sequence[int], Sequence[int], Sequence[int]],
    favour: str,
    threads: int,
    memory: int,
    report: Report | None,
) -> bytes: ...

_Search: TypeAlias = tuple[int, int, bool, bool, int | None, int | None]
_Found: TypeAlias = tuple[int, int, tuple[int, ...] | tuple[tuple[int, int], ...], int | None]

def captures(
    graphs: Sequence[Board | str | bytes],
    first: int | None,
    rules: str,
    search: _Search,
    threads: int,
    report: Report | None,
) -> list[_Found | None]: ...
def ground_memory_needed(board: Board, rules: str) -> int: ...

_Values: TypeAlias = tuple[NDArray[np.int8], NDArray[np.int32]]
_Position: TypeAlias = tuple[Side, int, int]
_Numbers: TypeAlias = tuple[int, int]
_Bounds: TypeAlias = tuple[float, float]
_Share: TypeAlias = tuple[int, _Bounds, _Bounds, int, _Bounds]

@final
class Ground:
    def __new__(cls, board: Board, rules: str) -> Ground: ...
    @property
    def shape(self) -> tuple[int, int]: ...
    def memory_needed(
        self, side: Side, posts: int, chance: bool, is_opponent: bool, threads: int
    ) -> list[tuple[str, int]]: ...
    def places(self, side: Side) -> NDArray[np.int32]: ...
    def moves(self, side: Side) -> tuple[NDArray[np.int64], NDArray[np.uint32]]: ...
    def winners(self) -> NDArray[np.int8]: ...

@final
class BestReply:
    def __new__(
        cls, ground: Ground, side: Side, policy: NativePolicy, threads: int, report: Report | None
    ) -> BestReply: ...
    def posts(self) -> tuple[NDArray[np.uint32], NDArray[np.bool_]]: ...
    def values(self, turn: Side) -> _Values: ...
    def perfect(self, turn: Side) -> _Values: ...
    def losses(self, turn: Side) -> _Values: ...
    def line(self, turn: Side, post: int, place: int) -> list[_Position]: ...
    def worth(
        self, worst: int
    ) -> tuple[
        int,
        list[list[int]],
        int,
        tuple[int, int],
        tuple[int, int],
        list[tuple[_Position, _Numbers, _Numbers]],
    ]: ...

@final
class Odds:
    def __new__(
        cls,
        ground: Ground,
        side: Side,
        policy: NativePolicy,
        width: float,
        rounds: int,
        threads: int,
        report: Report | None,
    ) -> Odds: ...
    @property
    def have_met(self) -> bool: ...
    def posts(self) -> tuple[NDArray[np.uint32], NDArray[np.bool_]]: ...
    def values(self, turn: Side) -> NDArray[np.float64]: ...
    def perfect(self, turn: Side) -> _Values: ...
    def losses(self, turn: Side) -> NDArray[np.float64]: ...
    def worth(
        self, worst: int
    ) -> tuple[int, list[_Share], list[tuple[_Position, _Numbers, _Bounds, _Bounds, float]]]: ...
