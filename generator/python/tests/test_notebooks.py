"""The notebooks run from the first cell to the last, and what they assert holds."""

from __future__ import annotations

from pathlib import Path

import pytest

NOTEBOOKS = sorted((Path(__file__).parent.parent / "notebooks").glob("*.ipynb"))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook_runs_and_draws(path: Path, tmp_path: Path) -> None:
    nbformat = pytest.importorskip("nbformat")
    nbclient = pytest.importorskip("nbclient")
    for needed in ("ipykernel", "matplotlib"):
        pytest.importorskip(needed)
    notebook = nbformat.read(path, as_version=4)
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert cells and all(not cell.outputs and cell.execution_count is None for cell in cells)
    nbclient.NotebookClient(notebook, timeout=120, resources={"metadata": {"path": tmp_path}}).execute()
    pictures = 0
    for cell in cells:
        for output in cell.outputs:
            # Warnings would be the only output on this stream.
            assert output.get("name") != "stderr", output.text
            pictures += "image/png" in output.get("data", {})
    assert pictures > 2


def test_there_are_notebooks() -> None:
    assert len(NOTEBOOKS) >= 3
