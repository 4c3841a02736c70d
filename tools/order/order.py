#!/usr/bin/env python3
"""Which of the program's functions `generate` runs, and where they lie.

The system maps a program's code 64 KiB at a time: whatever stands around a function that runs is in memory with it. So
build.rs has the linker lay the functions side by side that `generate` runs, as order.ld lists them. This runs jobs of
DRAGNET, a release build, under valgrind and prints how many functions each runs and in how many windows of 64 KiB they
lie.
"""

import argparse
import bisect
import collections
import pathlib
import re
import subprocess
import sys
import tempfile

# The kind of board, its size and form, and how it is solved.
JOBS = [
    ("random", "48x48", "text", ["--threads", "2"]),
    ("rooms", "48x48", "movingai", ["--threads", "2", "--no-sync"]),
    ("maze", "49x49", "text", ["--threads", "1"]),
]
# Some functions run only if one thread takes work from another: for the list each job is run so often.
ROUNDS = 5
WINDOW = 1 << 16
# The names of most generic functions hold no types, so that a function brings those of the same name with it, which do not
# run. With more than this for each that runs it is better left where it is: there others may share its window.
MOST_BESIDE = WINDOW // 4

Function = collections.namedtuple("Function", "begin size name")


def output_of(*command):
    """What the command prints; if it fails, its own message ends this program."""
    try:
        done = subprocess.run(command, capture_output=True, text=True)
    except OSError as error:
        sys.exit(f"cannot run {command[0]}: {error.strerror}")
    if done.returncode != 0:
        sys.exit(done.stderr.strip() or f"{command[0]}: exit status {done.returncode}")
    return done.stdout


def functions_of(program):
    """The functions in the program's table of symbols, in the order of their addresses."""
    functions = {}
    for line in output_of("nm", "--print-size", "--defined-only", program).splitlines():
        fields = line.split()
        if len(fields) == 4 and fields[2] in "tTwW":
            begin = int(fields[0], 16)
            functions.setdefault(begin, Function(begin, int(fields[1], 16), fields[3]))
    if not functions:
        sys.exit(f"{program}: expected a table of symbols, found none: has it been stripped?")
    return [functions[begin] for begin in sorted(functions)]


def run_by(program, kind, size, form, options):
    """The addresses of the program's instructions that the job runs, as the program's file numbers them."""
    with tempfile.TemporaryDirectory() as scratch:
        board = pathlib.Path(scratch) / "board.map"
        board.write_text(output_of(program, "board", "--make", kind, "--size", size, "--to", form))
        counts = pathlib.Path(scratch) / "counts"
        output_of("valgrind", "--tool=callgrind", "--dump-instr=yes", "--compress-pos=no", "--compress-strings=no",
                  f"--callgrind-out-file={counts}", program, "generate", board, "--out", scratch, *options)
        addresses, here = set(), False
        with open(counts) as lines:
            for line in lines:
                if line.startswith("ob="):
                    here = line.strip().endswith("/" + pathlib.Path(program).name)
                elif here and line.startswith("0x"):
                    addresses.add(int(line.split()[0], 16))
    if not addresses:
        sys.exit(f"{program}: expected counts of its instructions, found none")
    return addresses


def pattern(name):
    """The name without what differs from build to build: the hashes of functions and crates, the numbers of copies."""
    name = re.sub(r"17h[0-9a-f]{16}E.*$", "17h*", name)
    name = re.sub(r"(\.llvm)?\.\d+$", ".*", name)
    return re.sub(r"Cs[0-9A-Za-z]+_(?=\d)", "Cs*_", name)


def twins(name):
    """Patterns of the same function as other processors run it, by the sets of instructions that valgrind lacks."""
    plain = re.match(r"(.*?)\d+(\w+?)_avx_avx2_\w*_version17h", name)
    return [f"{plain[1]}*{plain[2]}_avx*_avx512*_version17h*"] if plain else []


def write(path, functions, run):
    """Writes the linker's script for a program with these functions, of which those of `run` are to stand together."""
    size, ran, count = collections.Counter(), collections.Counter(), collections.Counter()
    for function in functions:
        size[pattern(function.name)] += function.size
        if function in run:
            ran[pattern(function.name)] += function.size
            count[pattern(function.name)] += 1
    alone, several, versions, others = [], [], [], []
    for function in sorted(run):
        name = pattern(function.name)
        if other := twins(function.name):
            versions.append(name)
            others += other
        elif size[name] == ran[name]:
            alone.append(name)
        elif size[name] - ran[name] <= MOST_BESIDE * count[name]:
            several.append(name)
    several.sort(key=lambda name: size[name] - ran[name])
    with open(path, "w") as out:
        out.write("/* What `dragnet generate` runs, side by side. Written by order.py, which says why. */\n")
        out.write("SECTIONS {\n  .text : {\n    *(.text)\n")
        for name in dict.fromkeys(alone + versions + others + several):
            out.write(f"    *(.text.{name} .text.unlikely.{name})\n")
        out.write("    *(.text.*)\n  }\n}\nINSERT BEFORE .init;\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", metavar="DRAGNET", help="a release build, with its symbols")
    parser.add_argument("--write", action="store_true", help="write order.ld anew; the next release build follows it")
    parser.add_argument("--at-most", type=int, metavar="WINDOWS", help="fail if a job's functions lie in more windows")
    arguments = parser.parse_args()

    functions = functions_of(arguments.program)
    begins = [function.begin for function in functions]
    run, most = set(), 0
    for job in JOBS * (ROUNDS if arguments.write else 1):
        addresses = run_by(arguments.program, *job)
        here = {functions[bisect.bisect_right(begins, address) - 1] for address in addresses}
        windows = len({address // WINDOW for address in addresses})
        kib = sum(function.size for function in here) / 1024
        print(f"{job[0]} {job[1]}: {len(here)} functions of {kib:.0f} KiB in {windows} windows of 64 KiB")
        run |= here
        most = max(most, windows)
    if arguments.write:
        write(pathlib.Path(__file__).with_name("order.ld"), functions, run)
    if arguments.at_most is not None and most > arguments.at_most:
        sys.exit(f"expected at most {arguments.at_most} windows, found {most}: write order.ld anew, with --write")


if __name__ == "__main__":
    main()
