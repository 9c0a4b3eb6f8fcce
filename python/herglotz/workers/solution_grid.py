"""Problems of boundary values and control over a grid of values, in this process or on the workers of Dask."""

from __future__ import annotations

import hashlib
import itertools
import json
import math
import os
import pathlib
import threading
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy
import xarray

from herglotz._herglotz import ModelError, version
from herglotz.arguments import to_array, to_finite, to_path
from herglotz.dataset import RunError
from herglotz.document import guess_file
from herglotz.progress import Progress, ProgressBar
from herglotz.solution import Solution, bytes_of, open_solution, solution_of
from herglotz.system import System, solver_settings

from .cluster import as_they_come, require_client

if TYPE_CHECKING:
    from distributed import Client

_IDENTITY = "problem.json"
_NUMBERS = ("cost", "cost_error", "duration", "intervals", "iterations")
_TEXTS = ("status", "structure", "extremal")
_one_at_a_time = threading.Lock()  # the linear solvers are not made for several threads of a process


class Outcome(NamedTuple):
    """End of a problem: the content of the file of its last iterate, if there is one, and why it has no solution."""

    content: bytes | None
    reason: str


class Grid(NamedTuple):
    """Problems that differ in values; it goes to the workers."""

    system: System
    settings: dict[str, Any]
    guess: Any
    fixed: dict[str, Any]
    axes: dict[str, Any]

    def values(self, number: int) -> dict[str, Any]:
        """The values of a problem; the last axis is the fastest."""
        places = numpy.unravel_index(number, self.shape)
        return {**self.fixed, **{name: float(axis[place]) for (name, axis), place in zip(self.axes.items(), places)}}

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(len(axis) for axis in self.axes.values())

    def checked(self) -> Grid:
        """Returns the grid with arrays of numbers, and with a guess for which workers need no file."""
        axes = {name: to_array(name, axis) for name, axis in self.axes.items()}
        for name, axis in axes.items():
            if axis.ndim != 1 or axis.size == 0:
                raise ValueError(f"'{name}' has shape {axis.shape}; give one or more values in a row: values are crossed")
            if not numpy.isfinite(axis).all():
                raise ValueError(f"'{name}' has a value that is not finite")
        fixed = {name: to_finite(name, value) for name, value in self.fixed.items()}
        guess = self.guess
        if guess is None and self._named_guess is not None and self._named_guess.suffix == ".h5":
            guess = self._named_guess
        if isinstance(guess, (str, os.PathLike)) and str(guess).endswith(".h5"):
            guess = open_solution(guess)
        elif isinstance(guess, (str, os.PathLike)):
            raise ValueError("the guess of a grid is a Solution, the name of its .h5 file, or expressions")
        return self._replace(settings=solver_settings(**self.settings), axes=axes, fixed=fixed, guess=guess)

    @property
    def _named_guess(self) -> pathlib.Path | None:
        """The file that the model names in [guess], if it is there."""
        named = guess_file(self.system.text)
        place = None if named is None else pathlib.Path(self.system._file).parent/named
        return place if place is not None and place.is_file() else None

    def identity(self) -> dict[str, Any]:
        """Returns the data that must be equal if a folder is to be continued; files count by their content."""
        guess = self.guess
        if isinstance(guess, Solution):
            guess = _digest(guess)
        elif guess is None and self._named_guess is not None:
            guess = hashlib.sha256(self._named_guess.read_bytes()).hexdigest()
        elif isinstance(guess, Mapping):
            guess = {str(name): str(value) for name, value in guess.items()}
        return {"version": version, "model": self.system.text, "settings": self.settings, "guess": guess, "fixed": self.fixed,
                "axes": {name: axis.tolist() for name, axis in self.axes.items()}}

    def solved(self, number: int) -> Outcome | None:
        """Solves a problem; None where it was interrupted."""
        try:
            with _one_at_a_time:
                solution = self.system.solve(guess=self.guess, **self.settings, **self.values(number))
        except RunError as error:
            return Outcome(bytes_of(error.reached), str(error))
        except ModelError as error:
            return Outcome(None, str(error))
        return None if solution.status == "stopped" else Outcome(bytes_of(solution), "")


def _digest(solution: Solution) -> str:
    """A hash of the numbers and facts of a solution. Its file has times of day in it too."""
    digest = hashlib.sha256()
    for name, column in (*solution.variables.items(), *solution.mesh.variables.items()):
        digest.update(repr((name, column.dims, column.shape)).encode() + column.values.tobytes())
    facts = sorted((str(name), value) for name, value in solution.attrs.items() if name != "wall_seconds")
    digest.update(repr([(name, numpy.asarray(value).tolist()) for name, value in facts]).encode())
    return digest.hexdigest()


def _given(grid: Grid) -> Grid:
    """A task of its own, so that the grid goes once to each worker and is made again where it is lost."""
    return grid


def _solved(grid: Grid, number: int) -> tuple[int, Outcome | None]:
    return number, grid.solved(number)


class _Outcomes:
    """Ends of problems by number, kept in a folder too if one is given."""

    def __init__(self, folder: pathlib.Path | None, identity: dict[str, Any], resume: bool):
        self._known: dict[int, Outcome] = {}
        self._folder = folder
        if folder is None:
            if resume:
                raise ValueError("resume goes with a folder; give one")
            return
        text = json.dumps(identity, indent=1, sort_keys=True)
        note = folder/_IDENTITY
        if note.exists():
            if not resume:
                raise ValueError(f"{folder} holds solutions; resume=True goes on with them")
            if note.read_text(encoding="utf-8") != text:
                raise ValueError(f"{folder} was begun otherwise: with another model, other values, settings or another version")
            self._read()
            return
        if folder.exists() and any(folder.iterdir()):
            raise ValueError(f"{folder} holds other files; give a folder of its own")
        folder.mkdir(parents=True, exist_ok=True)
        self._write(_IDENTITY, text.encode("utf-8"))

    def __contains__(self, number: int) -> bool:
        return number in self._known

    def __len__(self) -> int:
        return len(self._known)

    def get(self, number: int) -> Outcome | None:
        return self._known.get(number)

    def add(self, number: int, outcome: Outcome) -> None:
        """Keeps an outcome. The reason comes last, since a problem ended if it has one."""
        if self._folder is not None:
            if outcome.content is not None:
                self._write(f"{number}.h5", outcome.content)
            self._write(f"{number}.txt", outcome.reason.encode("utf-8"))
        self._known[number] = outcome

    def _write(self, name: str, content: bytes) -> None:
        """Writes a file whole or not at all."""
        assert self._folder is not None
        part = self._folder/f"{name}.part"
        part.write_bytes(content)
        part.replace(self._folder/name)

    def _read(self) -> None:
        assert self._folder is not None
        for reason in self._folder.glob("*.txt"):
            solution = reason.with_suffix(".h5")
            content = solution.read_bytes() if solution.exists() else None
            self._known[int(reason.stem)] = Outcome(content, reason.read_text(encoding="utf-8"))


def solve_grid(grid: Grid, folder: Any, resume: bool, client: Client | None, progress: Progress | None) -> xarray.Dataset:
    """Solves the problems that the folder lacks, and returns all of them; see `solve`."""
    grid = grid.checked()
    if client is not None:
        require_client(client)
    outcomes = _Outcomes(None if folder is None else to_path("folder", folder), grid.identity(), resume)
    count = math.prod(grid.shape)
    missing = [number for number in range(count) if number not in outcomes]
    ended = _in_process(grid, missing) if client is None else _on_workers(client, grid, missing, folder is not None)
    with ProgressBar(False if progress is None else progress) as report:
        try:
            for number, outcome in ended:
                if outcome is None:
                    break
                outcomes.add(number, outcome)
                if report is not None:
                    report(len(outcomes)/count)
        except KeyboardInterrupt:
            pass
    return _dataset(grid, [outcomes.get(number) for number in range(count)])


def _in_process(grid: Grid, missing: Sequence[int]) -> Iterator[tuple[int, Outcome | None]]:
    return (_solved(grid, number) for number in missing)


def _on_workers(client: Client, grid: Grid, missing: Sequence[int], kept: bool) -> Iterator[tuple[int, Outcome | None]]:
    left = iter(missing)
    given = client.submit(_given, grid, pure=False)

    def submit(_: int) -> Any:
        number = next(left, None)
        return None if number is None else client.submit(_solved, given, number, pure=False)

    return as_they_come(client, submit, "what came before is in the folder, and resume=True goes on" if kept
                        else "a folder keeps what came before")


def _dataset(grid: Grid, outcomes: Sequence[Outcome | None]) -> xarray.Dataset:
    solutions = numpy.empty(len(outcomes), dtype=object)
    reasons = numpy.full(len(outcomes), "not started", dtype=object)
    for number, outcome in enumerate(outcomes):
        if outcome is not None:
            solutions[number] = None if outcome.content is None else solution_of(outcome.content)
            reasons[number] = outcome.reason
    found = [solution for solution in solutions if solution is not None]
    residuals = dict.fromkeys(itertools.chain.from_iterable(
        (name for name in solution.attrs if name.startswith("certificate.")) for solution in found))
    variables: dict[str, Any] = {"solution": solutions, "reason": reasons}
    for name in _TEXTS:
        variables[name] = numpy.array(["" if one is None else one.attrs[name] for one in solutions], dtype=object)
    for name in (*_NUMBERS, *residuals):
        variables[name] = numpy.array([math.nan if one is None else one.attrs.get(name, math.nan) for one in solutions])
    dimensions = tuple(grid.axes)
    return xarray.Dataset({name: (dimensions, values.reshape(grid.shape)) for name, values in variables.items()},
                          grid.axes, {"model": grid.system.name, "complete": int(None not in outcomes), **grid.fixed})

