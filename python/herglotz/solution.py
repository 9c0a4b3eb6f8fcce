"""Solutions of boundary value problems and of optimal control."""

from __future__ import annotations

import html
import os
import pathlib
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy
import xarray

from . import _herglotz
from .arguments import to_path
from .dataset import to_dataset
from .plots import SolutionPlots


class Certificate(Mapping[str, float]):
    """Certificate of a solution: residuals by name, also as attributes; each is 0 of an exact extremal, but `price_share`.

    >>> s.certificate.stationarity, s.certificate["defect"]
    """

    def __init__(self, values: Mapping[str, float]):
        self._values = dict(values)

    def __getitem__(self, name: str) -> float:
        return self._values[name]

    def __getattr__(self, name: str) -> float:
        try:
            return self.__dict__["_values"][name]
        except KeyError:
            raise AttributeError(f"no residual '{name}'; there are {', '.join(self.__dict__.get('_values', {}))}") from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._values]

    def __repr__(self) -> str:
        return ", ".join(f"{name} {value:.1e}" for name, value in self._values.items())


class Solution(xarray.Dataset):
    """A solution: the columns of its file over time, with cost, certificate and mesh. It can be the guess of another solve.

    Attributes hold cost, cost_error, duration, status, reason, extremal, structure, certificate, switching_times.<control>,
    certificate.<residual>, method, intervals, iterations, solvers and the parameters.
    """

    __slots__ = ("_solved",)

    @classmethod
    def _of(cls, solved: _herglotz.Solved) -> Solution:
        facts = dict(solved.facts)
        residuals = {name: value for name, value in facts.items() if name.startswith("certificate.")}
        facts["certificate"] = ", ".join(f"{name.removeprefix('certificate.')} {value:.3g}" for name, value in residuals.items())
        names = solved.names
        facts["controls"], facts["states"] = " ".join(names["controls"]), " ".join(names["states"])
        plain = to_dataset(solved.arrays, facts)
        made: Solution = cls._construct_direct(plain._variables, plain._coord_names, dict(plain.sizes), facts, plain._indexes)
        made._solved = solved
        return made

    @property
    def cost(self) -> float:
        return self.attrs["cost"]

    @property
    def cost_error(self) -> float:
        """The estimated error of the cost; NaN where no solution was found."""
        return self.attrs["cost_error"]

    @property
    def duration(self) -> float:
        return self.attrs["duration"]

    @property
    def status(self) -> str:
        """solved, infeasible, not converged, or stopped."""
        return self.attrs["status"]

    @property
    def extremal(self) -> str:
        """normal or abnormal, or none where the problem was not solved."""
        return self.attrs["extremal"]

    @property
    def structure(self) -> str:
        """The structure of controls with bounds: "u: max, min; switches at 1.85"."""
        return self.attrs["structure"]

    @property
    def switching_times(self) -> dict[str, numpy.ndarray]:
        """The times at which each control with bounds comes to one or leaves it."""
        return {str(name).removeprefix("switching_times."): numpy.atleast_1d(times) for name, times in self.attrs.items()
                if str(name).startswith("switching_times.")}

    @property
    def certificate(self) -> Certificate:
        """The residuals by name."""
        return Certificate({str(name).removeprefix("certificate."): float(value) for name, value in self.attrs.items()
                            if str(name).startswith("certificate.")})

    @property
    def states(self) -> xarray.Dataset:
        """The states, the action of the cost last."""
        return self._chosen(self.attrs["states"].split())

    @property
    def controls(self) -> xarray.Dataset:
        return self._chosen(self.attrs["controls"].split())

    @property
    def costates(self) -> xarray.Dataset:
        """p_<fibre>, and of mechanical systems q_<fibre> and p_<action>, with the price R of cost."""
        return self._chosen([*self.hz.names("momentum"), "R"])

    @property
    def mesh(self) -> xarray.Dataset:
        """The intervals on which it was computed: `start` and `end` of each, and `error` if it was estimated."""
        times, errors = self._held().mesh()
        parts = {"start": ("interval", times[:-1]), "end": ("interval", times[1:])}
        if errors.size:
            parts["error"] = ("interval", errors)
        return xarray.Dataset(parts)

    @property
    def plot(self) -> SolutionPlots:  # type: ignore[override]
        """`s.plot()` draws states, controls and costates below each other; `s.plot.controls()` and the like one of them."""
        return SolutionPlots(self)

    def save(self, file: str | os.PathLike[str]) -> pathlib.Path:
        """Writes the solution to a .h5 file, with mesh and multipliers, or its rows to a .csv file. `herglotz` reads both."""
        path = to_path("file", file)
        self._held().save(str(path))
        return path

    def _chosen(self, names: Sequence[str]) -> xarray.Dataset:
        chosen = {name: self.variables[name] for name in names if name in self.variables}
        return xarray.Dataset({**chosen, **{name: self.variables[name] for name in self._coord_names}})

    def _held(self) -> _herglotz.Solved:
        """Returns the compiled solution. Raises ValueError for a part of a solution."""
        solved = getattr(self, "_solved", None)
        if solved is None:
            raise ValueError("this is a part of a solution, made by xarray; use the solution that solve() returned")
        return solved

    def __reduce__(self) -> tuple[Any, ...]:
        if getattr(self, "_solved", None) is None:  # a part of a solution
            return xarray.Dataset, (dict(self.data_vars), dict(self.coords), dict(self.attrs))
        return solution_of, (bytes_of(self),)

    def __copy__(self) -> Solution:
        return Solution._of(self._held())

    def __deepcopy__(self, memo: dict[int, Any] | None = None) -> Solution:
        return Solution._of(self._held())

    def _repr_html_(self) -> str:
        rows = {"cost": f"{self.cost:.12g} &plusmn; {self.cost_error:.1e}", "duration": f"{self.duration:.12g}",
                "status": html.escape(f"{self.status}, {self.extremal}"), "structure": html.escape(self.structure),
                "certificate": html.escape(repr(self.certificate))} if "cost_error" in self.attrs else {}
        table = "".join(f"<tr><th style='text-align: left'>{name}</th><td style='text-align: left'>{value}</td></tr>"
                        for name, value in rows.items() if value)
        return f"<table>{table}</table>{super()._repr_html_()}"


def open_solution(file: str | os.PathLike[str]) -> Solution:
    """A solution from the .h5 file of `herglotz solve --out` or `Solution.save`. Raises ModelError for any other file."""
    return Solution._of(_herglotz.read_solution(str(to_path("file", file))))


def bytes_of(solution: Solution) -> bytes:
    """The content of the .h5 file of a solution."""
    with tempfile.TemporaryDirectory() as folder:
        return pathlib.Path(solution.save(pathlib.Path(folder, "solution.h5"))).read_bytes()


def solution_of(data: bytes) -> Solution:
    """The inverse of `bytes_of`."""
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder, "solution.h5")
        file.write_bytes(data)
        return open_solution(file)


def guess_of(guess: Any) -> tuple[_herglotz.Solved | None, str | None]:
    """A guess as the compiled part takes it: a solution, or the place of a file."""
    if guess is None:
        return None, None
    if isinstance(guess, Solution):
        return guess._held(), None
    if isinstance(guess, (str, os.PathLike)):
        return None, str(to_path("guess", guess))
    raise TypeError(f"guess is a {type(guess).__name__}; a Solution, the name of a .h5 or .csv file, or a mapping "
                    "{name: expression of s} is needed")
