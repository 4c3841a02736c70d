"""The examples in docstrings and in the README give what is printed there."""

from __future__ import annotations

import contextlib
import doctest
import importlib
import io
import re
from pathlib import Path

import pytest

import dragnet

README = Path(__file__).parent.parent / "README.md"
MODULES = [
    "dragnet",
    "dragnet.game",
    "dragnet.solving",
    "dragnet.capture",
    "dragnet.environments",
    "dragnet.policy",
    "dragnet.policy.ground",
    "dragnet.policy.kinds",
    "dragnet.policy.replies",
    "dragnet.policy.prospects",
]


@pytest.mark.parametrize("name", MODULES)
def test_docstrings_are_right(name: str) -> None:
    module = importlib.import_module(name)
    names = vars(dragnet) | vars(dragnet.policy)
    found = doctest.testmod(module, extraglobs=names)
    assert found.attempted > 0 and found.failed == 0


def test_readme_is_right(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = README.read_text(encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    examples = re.findall(r"```python\n(.*?)```\n\n```\n(.*?)```", text, re.DOTALL)
    assert len(examples) > 3
    for code, expected in examples:
        output = io.StringIO()
        with contextlib.redirect_stdout(output):
            exec(code, names)
        assert output.getvalue() == expected
