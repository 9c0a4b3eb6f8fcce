"""Problems of boundary values and control, solved from a system, a file, or the text of a model."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

from .arguments import shown
from .solution import Solution
from .system import Guess, System, load


def solve(problem: System | str | os.PathLike[str], *, method: str | None = None, tolerance: float | None = None,
          intervals: int | None = None, duration: float | None = None, guess: Guess = None,
          progress: Callable[[float], Any] | None = None, **values: Any) -> Solution:
    """Solves a problem of boundary values or control.

    Args:
        problem: a System, the place of a model file, or the text of one: text has more than one line.
        method: as for `System.solve`, like all the others.
        tolerance: of the estimated relative error.
        intervals: how many to start with.
        duration: replaces that of the problem.
        guess: a Solution, the name of a .h5 or .csv file, or expressions of s = t/duration by name.
        progress: called now and then while the solver works.
        **values: parameters and initial values by name.

    Raises:
        TypeError: `problem` is none of these.
        ModelError: no problem is stated, or not well.
        RunError: no solution was found; its `reached` holds the Solution with the last iterate.

    >>> hz.solve("elastica.toml", g=-0.4).cost
    """
    if isinstance(problem, System):
        system = problem
    elif isinstance(problem, str) and "\n" in problem:
        system = System.from_text(problem)
    elif isinstance(problem, (str, os.PathLike)):
        system = load(problem)
    else:
        raise TypeError(f"problem = {shown(problem)}; a herglotz.System, the place of a model file, or its text is needed")
    return system.solve(method=method, tolerance=tolerance, intervals=intervals, duration=duration, guess=guess,
                        progress=progress, **values)
