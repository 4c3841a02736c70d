"""Answers lines `police_row police_col thief_row thief_col turn` with lines `outcome TAB dtw`.

Of several officers each has his two numbers.

Usage: python answer.py TABLE < POSITIONS
"""

from __future__ import annotations

import argparse
import sys
from typing import TextIO

import numpy as np
from numpy.typing import NDArray

from dragnet_probe import OUTCOMES, POLICE, THIEF, DragnetError, PositionError, Table

BATCH = 100_000
"""Lines that are answered at once."""

SIDES = {"police": POLICE, "thief": THIEF}


def parse(line: str, officers: int, number: int) -> tuple[int, ...]:
    """The numbers of a position: five, and two more for each officer but one."""
    *words, turn = line.split() or [""]
    right = len(words) == 2 * officers + 2 and turn in SIDES
    if right and all(word.isascii() and word.isdigit() for word in words):
        return (*map(int, words), SIDES[turn])
    expected = "police_row police_col " * officers + "thief_row thief_col and police or thief"
    raise ValueError(f"line {number}: expected {expected}, found {line!r}")


def answer(table: Table, positions: NDArray[np.int64], first: int, output: TextIO) -> None:
    """Prints the values; `first` is the number of the first position's line."""
    try:
        outcomes, distances = table.values(positions)
    except PositionError as error:
        raise ValueError(f"line {first + (error.index or 0)}: {error}") from error
    answers = zip(outcomes.tolist(), distances.tolist(), strict=True)
    output.writelines(f"{OUTCOMES[outcome]}\t{'-' if dtw < 0 else dtw}\n" for outcome, dtw in answers)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("table")
    table = Table.open(parser.parse_args().table)
    officers = table.rules.officers
    rows: list[tuple[int, ...]] = []
    number = 0
    for number, line in enumerate(sys.stdin, start=1):
        rows.append(parse(line.rstrip("\n"), officers, number))
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
