#!/usr/bin/env python3
"""Measures `dragnet graph solve` against graph.cpp on a large random graph, and compares their answers.

    tools/bench/graph.py DRAGNET [--vertices N] [--edges M] [--seed S] [--repeat R] [--scratch FOLDER]

Makes the graph in the scratch folder (1.5 GB for 100 million edges), compiles graph.cpp with g++ -O2, and
runs the C++ program, DRAGNET with one thread and DRAGNET with two threads in turn, so that a slow minute of
the machine strikes them alike. Prints JSON with the median and the least of each figure:

* seconds of the whole process from file to answer, of reading, and of solving; the C++ program makes its
  reverse graph while it reads, Dragnet while it solves;
* seconds of all processors together, which show how busy the machine was otherwise;
* the peak memory of the process.
"""

import argparse
import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path


def run(command, key):
    """Runs a program that prints one line of JSON: its figures."""
    begin = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.PIPE)
    said = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.monotonic() - begin
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"{command[0]} ended with {process.returncode}")
    found = json.loads(said)
    answer = {name: found[name] for name in ("vertices", "edges", "won", "lost", "drawn", "longest", "digest")}
    figures = {
        "seconds": seconds,
        "read_seconds": found["read_seconds"],
        "solve_seconds": found[key],
        "processor_seconds": usage.ru_utime + usage.ru_stime,
        "peak_memory_bytes": usage.ru_maxrss * 1024,
    }
    return answer, figures


def machine():
    """Returns a description of the machine."""
    model = platform.processor()
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            model = line.split(":")[1].strip()
            break
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return {"processor": model, "processors": os.cpu_count(), "memory_bytes": memory, "system": platform.system()}


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("dragnet")
    arguments.add_argument("--vertices", type=int, default=10_000_000)
    arguments.add_argument("--edges", type=int, default=100_000_000)
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--repeat", type=int, default=5)
    arguments.add_argument("--scratch")
    given = arguments.parse_args()
    dragnet = str(Path(given.dragnet).resolve())
    with tempfile.TemporaryDirectory(dir=given.scratch) as scratch:
        yardstick, graph = f"{scratch}/graph", f"{scratch}/graph.txt"
        subprocess.run(["g++", "-O2", "-o", yardstick, Path(__file__).with_name("graph.cpp")], check=True)
        make = [f"--vertices={given.vertices}", f"--edges={given.edges}", f"--seed={given.seed}"]
        with open(graph, "wb") as file:
            subprocess.run([dragnet, "graph", "make", *make], stdout=file, check=True)
        ours = [dragnet, "graph", "solve", graph, "--summary", "--json", "--threads"]
        programs = {
            "c++": ([yardstick, graph], "solve_seconds"),
            "1 thread": ([*ours, "1"], "seconds"),
            "2 threads": ([*ours, "2"], "seconds"),
        }
        answers, runs = {}, {name: [] for name in programs}
        for _ in range(given.repeat):
            for name, (command, key) in programs.items():
                answers[name], figures = run(command, key)
                runs[name].append(figures)
                if answers[name] != answers["c++"]:
                    sys.exit(f"the answers differ: {answers}")
    results = {}
    for name, figures in runs.items():
        columns = {figure: [run[figure] for run in figures] for figure in figures[0]}
        results[name] = {figure: round(statistics.median(column), 3) for figure, column in columns.items()}
        results[name] |= {f"least_{figure}": round(min(column), 3) for figure, column in columns.items()}
        results[name]["bytes_per_edge"] = round(max(columns["peak_memory_bytes"]) / given.edges, 2)
    def ratio(of, over):
        """Median of the ratios within each round."""
        return round(statistics.median(a["seconds"] / b["seconds"] for a, b in zip(runs[of], runs[over])), 2)
    report = {
        "machine": machine(),
        "seed": given.seed,
        "repeat": given.repeat,
        "answer": answers["c++"],
        "results": results,
        "times_c++": {"1 thread": ratio("c++", "1 thread"), "2 threads": ratio("c++", "2 threads")},
        "2 threads over 1": ratio("1 thread", "2 threads"),
    }
    print(json.dumps(report, indent=1))


if __name__ == "__main__":
    main()
