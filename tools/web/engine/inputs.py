#!/usr/bin/env python3
"""Says whether engine.wasm was built from the sources as they are, without building it again.

    tools/web/engine/inputs.py            # prints the hash of what the engine is built from
    tools/web/engine/inputs.py --check    # compares it with engine.inputs, which build.sh writes

Lines of comments and empty lines are left out, and so are tests in files of their own: none of them changes a
byte of the engine.
"""

import hashlib
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
KEPT = HERE / "engine.inputs"
# The crates of the engine, and how it is built.
INPUTS = [
    "Cargo.toml",
    "formats/Cargo.toml",
    "formats/src",
    "generator/Cargo.toml",
    "generator/policy/Cargo.toml",
    "generator/policy/src",
    "generator/src",
    "tools/web/engine/Cargo.lock",
    "tools/web/engine/Cargo.toml",
    "tools/web/engine/build.sh",
    "tools/web/engine/requests",
    "tools/web/engine/src",
]


def lines_that_count(path: Path) -> bytes:
    """Returns the lines of a file that are neither empty nor a comment."""
    comment = b"//" if path.suffix == ".rs" else b"#"
    lines = (line.strip() for line in path.read_bytes().split(b"\n"))
    return b"\n".join(line for line in lines if line and not line.startswith(comment))


def is_test(name: str) -> bool:
    return "/tests/" in name or name.endswith("/tests.rs")


def inputs() -> str:
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", *INPUTS]
    listed = subprocess.run(command, cwd=ROOT, check=True, capture_output=True).stdout.decode()
    names = sorted({name for name in listed.split("\0") if name and not is_test(name) and (ROOT / name).exists()})
    all_bytes = hashlib.sha256()
    for name in names:
        content = lines_that_count(ROOT / name)
        all_bytes.update(f"{name} {len(content)}\n".encode() + content)
    return all_bytes.hexdigest()


def main() -> int:
    if sys.argv[1:] not in ([], ["--check"]):
        print(__doc__, file=sys.stderr)
        return 2
    found = inputs()
    if not sys.argv[1:]:
        print(found)
        return 0
    if found == KEPT.read_text().strip():
        print("engine.wasm was built from these sources")
        return 0
    print("what engine.wasm is built from has changed: run tools/web/engine/build.sh", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
