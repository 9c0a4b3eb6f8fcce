"""Problems of boundary values and control, solved from a system, a file, or the text of a model; many of them over a grid."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import xarray

from .arguments import is_array, shown, to_switch
from .solution import Solution
from .system import Guess, System, load
from .workers.solution_grid import Grid, solve_grid

if TYPE_CHECKING:
    from distributed import Client


def solve(problem: System | str | os.PathLike[str], *, method: str | None = None, tolerance: float | None = None,
          intervals: int | None = None, duration: float | None = None, guess: Guess = None,
          progress: bool | Callable[[float], Any] | None = None, folder: str | os.PathLike[str] | None = None,
          resume: bool = False, client: Client | None = None, **values: Any) -> Solution | xarray.Dataset:
    """Solves a problem of boundary values or control, or one for each point of a grid.

    Args:
        problem: a System, the place of a model file, or the text of one: text has more than one line.
        method: as for `System.solve`, like all the others.
        tolerance: of the estimated relative error.
        intervals: how many to start with.
        duration: replaces that of the problem.
        guess: a Solution, the name of a .h5 or .csv file, or expressions of s = t/duration by name.
        progress: called now and then while the solver works; of a grid with the fraction done, and True shows a bar.
        folder: keeps the solutions of a grid, one file for each problem that ended.
        resume: whether to go on with a grid that was interrupted, from its folder.
        client: a dask.distributed.Client whose workers solve the problems of a grid.
        **values: parameters and initial values by name. Arrays are crossed: they make a grid.

    Returns:
        A Solution. Of a grid a dataset over the axes that are named like the values: `solution` holds the Solution of each
        problem, or None where there is no iterate; `reason` says why a problem has no solution, and is empty where it has;
        status, cost, cost_error, duration, structure, intervals, iterations and the residuals `certificate.<name>` are
        those of the solutions. Problems do not know one another, so the order in which they are solved changes nothing.
        With Ctrl-C the problems that were reached, and the attribute `complete` = 0.

    Raises:
        TypeError: `problem` is of another type, or `client` is not a client.
        ValueError: a folder that belongs to another grid, or that is there and is not to be resumed.
        ModelError: no problem is stated, or not well.
        RunError: no solution was found; its `reached` holds the Solution with the last iterate. Not of a grid.
        ConnectionError: the scheduler of `client` was lost; `resume=True` goes on.

    >>> hz.solve("elastica.toml", g=-0.4).cost
    >>> hz.solve("elastica.toml", g=numpy.linspace(-0.5, 0.5, 101), folder="elastica", client=client).cost.plot()
    """
    system = _system(problem)
    settings: dict[str, Any] = {"method": method, "tolerance": tolerance, "intervals": intervals, "duration": duration}
    resumed = to_switch("resume", resume)
    axes = {name: value for name, value in values.items() if is_array(name, value)}
    if axes:
        fixed = {name: value for name, value in values.items() if name not in axes}
        return solve_grid(Grid(system, settings, guess, fixed, axes), folder, resumed, client, progress)
    for name, given in (("folder", folder is not None), ("client", client is not None), ("resume", resumed)):
        if given:
            raise ValueError(f"{name} is for many problems; give an array of values")
    if isinstance(progress, bool):
        raise TypeError("progress of one problem is a function; True shows a bar for many problems")
    return system.solve(guess=guess, progress=progress, **settings, **values)


def _system(problem: Any) -> System:
    if isinstance(problem, System):
        return problem
    if isinstance(problem, str) and "\n" in problem:
        return System.from_text(problem)
    if isinstance(problem, (str, os.PathLike)):
        return load(problem)
    raise TypeError(f"problem = {shown(problem)}; a herglotz.System, the place of a model file, or its text is needed")
