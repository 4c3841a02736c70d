"""Threads that share a table, and Ctrl-C."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import cache_limit

from dragnet_probe import Open


def test_threads_that_share_a_table_get_right_answers(golden: Path) -> None:
    expected = [Open.path(golden).pursuit().all_values(turn).dtw for turn in ("police", "thief")]
    with cache_limit(8 << 10):
        table = Open.path(golden).pursuit()
    teams = table.teams() if table.officers > 1 else table.cells
    pieces = np.indices(expected[0].shape).reshape(2, -1)

    def ask(seed: int) -> bool:
        order = np.random.default_rng(seed).permutation(pieces.T)
        sides: Any = ("police", "thief")
        for turn, right in zip(sides, expected, strict=True):
            values = table.values(police=teams[order[:, 0]], thief=table.cells[order[:, 1]], turn=turn)
            if not np.array_equal(values.dtw, right[order[:, 0], order[:, 1]]):
                return False
            if not np.array_equal(table.all_values(turn).dtw, right):
                return False
        table.check_sums()
        return True

    with ThreadPoolExecutor(8) as threads:
        assert all(threads.map(ask, range(64)))


def test_other_threads_run_during_a_long_call(make: Callable[..., Path]) -> None:
    table = Open.path(make("open", "\n".join(["." * 48] * 48), "--exit", "none")).pursuit()
    with ThreadPoolExecutor(1) as threads:
        working = threads.submit(lambda: [table.all_values("thief") for _ in range(4)])
        turns = 0
        while not working.done():
            turns += 1
            time.sleep(0)
    assert turns > 10


@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent otherwise there")
def test_ctrl_c_ends_a_long_call(make: Callable[..., Path]) -> None:
    path = make("large", "\n".join(["." * 96] * 96), "--exit", "none")
    program = (
        "import signal, sys, numpy\n"
        "from dragnet_probe import Open\n"
        # A process that starts in the background may ignore the signal.
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "table = Open.path(sys.argv[1]).pursuit()\n"
        "thief = table.cells.repeat(400, axis=0)\n"
        "print(flush=True)\n"
        "while True:\n"
        "    table.values(police=(0, 0), thief=thief, turn='thief')\n"
    )
    child = subprocess.Popen(
        [sys.executable, "-c", program, str(path)], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    with child:
        assert child.stdout and child.stderr
        child.stdout.readline()
        time.sleep(0.3)
        child.send_signal(signal.SIGINT)
        try:
            said = child.communicate(timeout=60)[1]
        except subprocess.TimeoutExpired:
            child.kill()
            raise
        assert b"KeyboardInterrupt" in said
        assert child.returncode != 0
