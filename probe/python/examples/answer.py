"""Answers a stream of positions as `dragnet probe TABLE --stdin` does.

Reads lines `police_row police_col thief_row thief_col turn`, with two numbers for each officer, and a world
behind the turn if it is not 0, and prints lines `outcome TAB dtw`. For a game table, each line is the number
of a position.

Usage: python answer.py TABLE < POSITIONS
"""

from __future__ import annotations

import argparse
import sys
from typing import Any, TextIO

import numpy as np
from numpy.typing import NDArray

from dragnet_probe import (
    OUTCOMES,
    POLICE,
    RESULTS,
    THIEF,
    DragnetError,
    GameTable,
    Open,
    PositionError,
    Table,
    WrongTableError,
)

BATCH = 100_000
"""The number of lines that are answered in one call."""

SIDES = {"police": POLICE, "thief": THIEF}


def open_table(path: str) -> Table | GameTable:
    """Opens a table of either kind."""
    try:
        return Open.path(path).pursuit()
    except WrongTableError:
        return Open.path(path).game()


def parse_number(line: str, number: int) -> int:
    """Returns the position of a game table on a line."""
    word = line.strip()
    if word.isascii() and word.isdigit() and len(word) < 19:
        return int(word)
    raise ValueError(f"line {number}: expected the number of a position, found {line!r}")


def parse(line: str, officers: int, number: int) -> tuple[int, ...]:
    """Returns the numbers of a position: six with the world, and two more for each further officer."""
    words, count = line.split(), 2 * officers + 2
    numbers = words[:count] + (words[count + 1 :] or ["0"])
    complete = len(words) > count and len(numbers) == count + 1 and words[count] in SIDES
    if complete and all(word.isascii() and word.isdigit() for word in numbers):
        *cells, world = map(int, numbers)
        return (*cells, SIDES[words[count]], world)
    expected = "police_row police_col " * officers + "thief_row thief_col, police or thief, perhaps a world"
    raise ValueError(f"line {number}: expected {expected}, found {line!r}")


def answer(table: Table | GameTable, positions: NDArray[np.int64], first: int, output: TextIO) -> None:
    """Prints the values of positions; `first` is the line number of the first of them."""
    words = OUTCOMES if isinstance(table, Table) else RESULTS
    try:
        if isinstance(table, Table):
            outcomes, distances = table.values(positions[:, :-1], world=positions[:, -1])
        else:
            outcomes, distances = table.values(positions)
    except PositionError as error:
        if error.index is None:
            raise
        raise ValueError(f"line {first + error.index}: {error}") from error
    answers = zip(outcomes.tolist(), distances.tolist(), strict=True)
    output.writelines(f"{words[outcome]}\t{'-' if dtw < 0 else dtw}\n" for outcome, dtw in answers)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("table")
    table = open_table(parser.parse_args().table)
    rows: list[Any] = []
    number = 0
    for number, line in enumerate(sys.stdin, start=1):
        line = line.rstrip("\n")
        if isinstance(table, Table):
            rows.append(parse(line, table.officers, number))
        else:
            rows.append(parse_number(line, number))
        if len(rows) == BATCH:
            answer(table, np.array(rows), number - BATCH + 1, sys.stdout)
            rows.clear()
    if rows:
        answer(table, np.array(rows), number - len(rows) + 1, sys.stdout)


if __name__ == "__main__":
    try:
        main()
    except (DragnetError, OSError, ValueError) as error:
        sys.exit(f"answer.py: {error}")
