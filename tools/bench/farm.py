#!/usr/bin/env python3
"""Measures how well a batch is divided among shards, and what a task costs beside its tables.

    tools/bench/farm.py path/to/dragnet [--shards 8] [--repeat 3] > tools/bench/farm.json

120 boards of seven kinds are made in shards, one task after another, each with one thread. Of each task the
least processor time of all repetitions counts, which other programs on the machine change little; it is
compared with the mean of all tasks, which an ideal division would give to each. Then every task is run again:
it finds its tables finished, and what it takes is overhead.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

MANIFEST = """
out = "tables"
[limits]
threads = 1
[[boards]]
sizes = "3x3..10x10"
[[boards]]
make = "maze"
size = "31x31"
seeds = "1..18"
[[boards]]
make = "random"
size = "40x40"
seeds = "1..20"
[[boards]]
make = "rooms"
size = "50x50"
seeds = "1..6"
[[boards]]
make = "maze"
size = "41x41"
extra = 60
seeds = "1..6"
name = "loops-{seed}"
[[boards]]
sizes = "60x60..60x63"
[[boards]]
make = "random"
size = "12x12"
officers = 2
seeds = "1..2"
name = "two-{seed}"
"""


def task(dragnet, folder, shard):
    """Runs a task; returns its wall time and its processor time in seconds."""
    begin = time.monotonic()
    process = subprocess.Popen(
        [dragnet, "generate", "batch.toml", "--shard", shard, "--quiet"],
        cwd=folder, stdout=subprocess.DEVNULL,
    )
    _, status, usage = os.wait4(process.pid, 0)
    assert status == 0, status
    return time.monotonic() - begin, usage.ru_utime + usage.ru_stime


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("dragnet")
    parser.add_argument("--shards", type=int, default=8)
    parser.add_argument("--repeat", type=int, default=3)
    given = parser.parse_args()
    dragnet = str(Path(given.dragnet).resolve())
    overheads, overhead_processor = [], []
    shards = [f"{number}/{given.shards}" for number in range(1, given.shards + 1)]
    processor = [float("inf")] * len(shards)
    for _ in range(given.repeat):
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "batch.toml").write_text(MANIFEST)
            processor = [min(least, task(dragnet, folder, shard)[1]) for least, shard in zip(processor, shards)]
            assert len(list((Path(folder) / "tables").glob("*.dtb"))) == 120
            again = [task(dragnet, folder, shard) for shard in shards]
            overheads += [wall for wall, _ in again]
            overhead_processor += [seconds for _, seconds in again]
    json.dump({
        "boards": 120,
        "shards": given.shards,
        "processor_seconds": [round(seconds, 3) for seconds in processor],
        "largest_over_mean": round(max(processor) / statistics.mean(processor), 3),
        "overhead_milliseconds": {
            "wall_median": round(1000 * statistics.median(overheads), 1),
            "wall_worst": round(1000 * max(overheads), 1),
            "processor_median": round(1000 * statistics.median(overhead_processor), 1),
        },
    }, sys.stdout, indent=2)
    print()


if __name__ == "__main__":
    main()
