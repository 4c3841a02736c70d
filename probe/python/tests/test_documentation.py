"""The examples in docstrings and README.md, and the types."""

from __future__ import annotations

import doctest
import inspect
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import ROOT

import dragnet_probe
from dragnet_probe import GameTable, PartialTable, Table

HERE = ROOT / "probe/python"


def documented() -> Iterator[tuple[str, str]]:
    """Yields the name and docstring of every public object."""
    yield "dragnet_probe", inspect.getdoc(dragnet_probe) or ""
    for name in dragnet_probe.__all__:
        thing = getattr(dragnet_probe, name)
        if not inspect.isclass(thing):
            continue
        yield name, inspect.getdoc(thing) or ""
        for member, value in vars(thing).items():
            if not member.startswith("_") and hasattr(value, "__doc__"):
                yield f"{name}.{member}", inspect.getdoc(getattr(thing, member)) or ""


@pytest.mark.parametrize(("name", "text"), list(documented()), ids=[name for name, _ in documented()])
def test_examples_in_docstrings_return_what_they_show(
    name: str,
    text: str,
    table: Table,
    game: GameTable,
    partial: PartialTable,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert text, f"{name} has no documentation"
    monkeypatch.chdir(ROOT)
    names = {**vars(dragnet_probe), "table": table, "game": game, "partial": partial}
    test = doctest.DocTestParser().get_doctest(text, names, name, None, None)
    assert doctest.DocTestRunner().run(test).failed == 0


def test_examples_in_the_readme_print_what_they_show(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(ROOT)
    guide = (HERE / "README.md").read_text()
    blocks = re.findall(r"```python\n(.*?)```(?:\n\n```\n(.*?)```)?", guide, re.DOTALL)
    assert len(blocks) > 3
    names: dict[str, object] = {}
    for source, printed in blocks:
        exec(source, names)
        assert capsys.readouterr().out == printed


def test_the_stub_agrees_with_the_module(tmp_path: Path) -> None:
    pytest.importorskip("mypy")
    allowed = tmp_path / "allowed.txt"
    # Literal types, which mypy expects to be unions at run time.
    allowed.write_text("dragnet_probe.(opponents.Preset|results.(Keep|Outcome|Result|Side))\n")
    command = [sys.executable, "-m", "mypy.stubtest", "dragnet_probe", "--allowlist", str(allowed)]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_package_passes_mypy_in_strict_mode(tmp_path: Path) -> None:
    pytest.importorskip("mypy")
    folders = [str(HERE / name) for name in ("python", "tests", "examples/answer.py")]
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path), *folders]
    done = subprocess.run(command, cwd=HERE, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
