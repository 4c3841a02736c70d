"""Numbers of which two bounds are known."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

__all__ = ["Interval", "Intervals"]


class Interval(NamedTuple):
    """A number between two bounds."""

    low: float
    """The number is not less."""
    high: float
    """The number is not greater; infinite if no bound is known."""


class Intervals(NamedTuple):
    """Many numbers between two bounds, as two arrays of the same shape."""

    low: NDArray[np.float64]
    """No number is less."""
    high: NDArray[np.float64]
    """No number is greater; infinite where no bound is known."""
