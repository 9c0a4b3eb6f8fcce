"""Ensembles: a system over grids and random draws of its parameters and initial values."""

from __future__ import annotations

import math
import os
from ast import literal_eval
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy
import xarray
from numpy.typing import ArrayLike
from xarray.backends import BackendArray
from xarray.core import indexing

from . import _herglotz
from .dataset import attributes_of
from .expressions import to_count, to_number
from .simulation import Progress, ProgressBar, given_settings, thread_count
from .system import System

STATISTICS = ("count", "mean", "deviation", "least", "largest")


class Distribution(NamedTuple):
    """A random quantity of a sweep; made by `uniform`, `normal`, `log_uniform`, `log_normal` or `exponential`."""

    kind: str
    a: float
    b: float


def uniform(a: float, b: float) -> Distribution:
    """Uniform on [a, b]."""
    return Distribution("uniform", float(a), float(b))


def log_uniform(a: float, b: float) -> Distribution:
    """Between a > 0 and b, with a uniform logarithm."""
    return Distribution("log_uniform", float(a), float(b))


def normal(mean: float, deviation: float) -> Distribution:
    """Normal, with that mean and standard deviation."""
    return Distribution("normal", float(mean), float(deviation))


def log_normal(mean: float, deviation: float) -> Distribution:
    """With a normal logarithm of that mean and standard deviation."""
    return Distribution("log_normal", float(mean), float(deviation))


def exponential(mean: float) -> Distribution:
    """Positive, with that mean."""
    return Distribution("exponential", float(mean), 1.0)


Quantity: TypeAlias = float | ArrayLike | Distribution


def sweep(system: System, *, parameters: Mapping[Any, Quantity] | None = None,
          initial: Mapping[Any, Quantity] | None = None, zip: Sequence[Sequence[Any]] | None = None,  # noqa: A002
          samples: int | None = None, seed: int | None = None, sampling: str | None = None,
          keep: str | None = None, times: Sequence[float] | None = None,
          columns: Sequence[str] | None = None, method: str | None = None, t_end: float | None = None,
          step: float | None = None, tolerance: float | None = None, output_every: int | None = None,
          output_step: float | None = None, project: bool | None = None, threads: int | None = None,
          progress: Progress = False, file: str | os.PathLike[str] | None = None,
          resume: bool = False) -> xarray.Dataset:
    """Runs a system at every point of a grid, in all lanes and cores of the machine.

    Args:
        system: what moves.
        parameters: by name, numbers, one-dimensional arrays or distributions. Every array is an axis of the grid; all
            distributions together are one more, the last, called `sample`. Where neither these nor `initial` has an
            array or a distribution, the [sweep] table of the model says what varies and what is kept.
        initial: initial values, in the same way.
        zip: groups of arrays that go together along one axis, named after the first.
        samples: how many draws of the distributions.
        seed: of the draws; the same seed gives the same ones.
        sampling: where draws come from, "random" or "sobol".
        keep: "final" (the default) for the last states, "times" for those at `times`, "trajectory" for rows as
            output_every or output_step say, "statistics" for moments over all members.
        times: with keep="times" or "statistics".
        columns: names of those to keep; all by default.
        method: a name from `herglotz.methods()`, or "auto". What is left out, here and below, is as the system has it.
        t_end: the time at which it ends, before the start for a motion backwards.
        step: of a fixed-step method, in place of a tolerance.
        tolerance: of an adaptive method, in place of a step.
        output_every: rows at every so many steps.
        output_step: rows at multiples of a time, instead.
        project: whether a start off the constraints is moved onto them.
        threads: how many run members; by default all cores.
        progress: True for a tqdm bar, or a function of the fraction done.
        file: where to write an HDF5 file instead of keeping results in memory; `open_sweep` reads it.
        resume: go on with such a file where it was stopped.

    Returns:
        The kept columns over the axes of the grid, named after parameters, or with _0 after initial values; and of time
        where members have several rows. Statistics have the dimension `statistic` instead: count, mean, deviation,
        least, largest. Members that fail hold NaN from there on, and a sentence in the variable `failure`. With Ctrl-C
        the members that were reached, and the attribute `complete` = 0.

    Raises:
        ValueError: an unknown name, settings that do not fit, a file that is not to be resumed.
    """
    quantities, fixed = _sorted(system._named(initial or {}), parameters or {})
    choices = {"keep": keep, "times": None if times is None else _increasing(times),
               "columns": None if columns is None else [str(name) for name in columns], "sampling": sampling,
               "samples": None if samples is None else to_count("samples", samples, 1),
               "seed": None if seed is None else to_count("seed", seed),
               "zip": None if zip is None else [[str(name) for name in group] for group in zip]}
    ensemble = _herglotz.Sweep(system._model, quantities, fixed[False], fixed[True],
                               given_settings(method, t_end, step, tolerance, output_every, output_step, project),
                               {name: choice for name, choice in choices.items() if choice is not None},
                               thread_count(threads))
    if file is not None:
        with ProgressBar(progress) as report:
            ensemble.write(os.fspath(file), resume, report)
        return open_sweep(file)
    if resume:
        raise ValueError("resume goes on with a file; give one")
    with ProgressBar(progress) as report:
        results = ensemble.run(report)
    return _in_memory(ensemble, results)


def open_sweep(file: str | os.PathLike[str]) -> xarray.Dataset:
    """The dataset of an ensemble's file, as `sweep` returns it; members are read when they are asked for.

    Raises:
        ModelError: it is no such file.
    """
    stored = _herglotz.SweepFile(os.fspath(file))
    facts, shape = stored.facts, tuple(stored.shape)
    axes = _axes(facts["sweep"], stored.swept)
    quantities = []
    for (parameter, name, random, axis), key in zip(axes, stored.swept):
        along = numpy.moveaxis(numpy.asarray(stored.quantity(key)).reshape(shape), axis, -1)
        quantities.append((parameter, name, random, axis, along[(0,) * (len(shape) - 1)].copy()))
    times = numpy.asarray(stored.times)
    rows = () if facts["keep"] == "final" else (times.size,)

    def values(name: str) -> Any:
        if facts["keep"] == "statistics":
            return stored.statistics(name)
        return indexing.LazilyIndexedArray(_Stored(stored, name, shape, rows))

    failure = _failures(math.prod(shape), stored.failures, []).reshape(shape)
    return _dataset(quantities, shape, facts, _time_name(facts), times, stored.columns,
                    values, failure)


class _Stored(BackendArray):
    """A column of a file, over the grid and its rows; reads the members that are asked for along the first axis."""

    def __init__(self, file: _herglotz.SweepFile, name: str, shape: tuple[int, ...], rows: tuple[int, ...]):
        self.shape, self.dtype = (*shape, *rows), numpy.dtype(float)
        self._file, self._name, self._grid = file, name, shape

    def __getitem__(self, key: indexing.ExplicitIndexer) -> Any:
        return indexing.explicit_indexing_adapter(key, self.shape, indexing.IndexingSupport.BASIC, self._read)

    def _read(self, key: tuple[Any, ...]) -> Any:
        wanted = numpy.arange(self._grid[0])[key[0]]
        if wanted.size == 0:
            return numpy.empty(self.shape)[key]
        first, last = int(wanted.min()), int(wanted.max()) + 1
        each = math.prod(self._grid[1:])
        values = numpy.asarray(self._file.rows(self._name, first * each, (last - first) * each))
        return values.reshape(last - first, *self.shape[1:])[(wanted - first, *key[1:])]


def _sorted(initial: Mapping[Any, Quantity], parameters: Mapping[Any, Quantity]
            ) -> tuple[list[tuple[bool, str, Any]], dict[bool, dict[str, float]]]:
    """What varies, as the compiled part takes it; and the numbers of initial values (False) and of parameters (True)."""
    quantities: list[tuple[bool, str, Any]] = []
    fixed: dict[bool, dict[str, float]] = {False: {}, True: {}}
    for parameter, values in ((True, parameters), (False, initial)):
        for key, value in values.items():
            name = str(key)
            if isinstance(value, Distribution):
                quantities.append((parameter, name, tuple(value)))
                continue
            if numpy.ndim(value) == 0:
                fixed[parameter][name] = to_number(name, value)
                continue
            array = numpy.asarray(value, dtype=float)
            if array.ndim > 1:
                raise ValueError(f"'{name}' has shape {array.shape}; give a one-dimensional array: quantities are crossed, "
                                 "or go together with zip")
            quantities.append((parameter, name, array.tolist()))
    return quantities, fixed


def _increasing(times: Sequence[float]) -> list[float]:
    array = numpy.asarray(times, dtype=float)
    steps = numpy.diff(array)
    if array.ndim != 1 or array.size == 0 or not ((steps > 0).all() or (steps < 0).all()):
        raise ValueError("times do not follow each other; give each once, in their order")
    return array.tolist()


def _in_memory(ensemble: _herglotz.Sweep, results: dict[str, Any]) -> xarray.Dataset:
    shape = tuple(ensemble.shape)
    facts = {**ensemble.facts, "steps": results["steps"], "failed": len(results["failures"]),
             "complete": int(not results["missing"])}
    statistics, final = ensemble.keep == "statistics", ensemble.keep == "final"
    of_column = {name: array if statistics else array.reshape(shape if final else (*shape, -1))
                 for (name, _), array in zip(ensemble.columns, results["arrays"])}
    failure = _failures(math.prod(shape), results["failures"], results["missing"]).reshape(shape)
    return _dataset(ensemble.quantities, shape, facts, ensemble.time, ensemble.times, ensemble.columns,
                    of_column.__getitem__, failure)


def _dataset(quantities: Sequence[tuple[bool, str, bool, int, Any]], shape: tuple[int, ...], facts: dict[str, Any],
             time: str, times: Any, columns: Sequence[tuple[str, str]], values: Callable[[str], Any],
             failure: Any) -> xarray.Dataset:
    """Columns over a grid whose axes are named after their first quantity, with the values of quantities as coordinates."""
    taken = {time, *(name for name, _ in columns)}
    axes: dict[int, str] = {}
    coordinates: dict[str, Any] = {}
    for parameter, name, random, axis, along in quantities:
        label = name if parameter else f"{name}_0"
        if label in taken:
            label = f"{'parameters' if parameter else 'initial'}.{name}"
        taken.add(label)
        dimension = axes.setdefault(axis, "sample" if random else label)
        coordinates[label] = ((dimension,), along, {"long_name": f"initial {name}"} if not parameter else {})
    grid = tuple(axes[axis] for axis in range(len(shape)))
    if "sample" in grid:
        coordinates["sample"] = numpy.arange(shape[-1])
    dimensions = grid
    if facts["keep"] != "final":
        coordinates[time] = ((time,), times, attributes_of("time"))
        dimensions = (*grid, time)
    if facts["keep"] == "statistics":
        coordinates["statistic"] = list(STATISTICS)
        dimensions = ("statistic", time)
    variables = {name: xarray.Variable(dimensions, values(name), attributes_of(role)) for name, role in columns}
    variables["failure"] = xarray.Variable(grid, failure)
    return xarray.Dataset(variables, coordinates, facts)


def _failures(members: int, failures: Sequence[tuple[int, str]], missing: Sequence[tuple[int, int]]) -> Any:
    """The sentence of every member: empty where it went well."""
    texts = numpy.full(members, "", dtype=object)
    for member, reason in failures:
        texts[member] = reason
    for first, count in missing:
        texts[first:first + count] = "not started"
    return texts


def _axes(text: str, swept: Sequence[str]) -> list[tuple[bool, str, bool, int]]:
    """(parameter, name, random, axis) of swept quantities, from the text that files hold of the sweep."""
    entries = dict(line.split(" = ", 1) for line in text.splitlines() if " = " in line)
    groups = literal_eval(entries.get("zip", "[]"))
    places: dict[str, int] = {}
    found = []
    for key in swept:
        kind, name = key.split(".", 1)
        random = entries[key].startswith("{ distribution")
        axis = "" if random else next((group[0] for group in groups if name in group), key)
        if not random:
            places.setdefault(axis, len(places))
        found.append((kind == "parameters", name, random, axis))
    return [(parameter, name, random, len(places) if random else places[axis])
            for parameter, name, random, axis in found]


def _time_name(facts: Mapping[str, Any]) -> str:
    return str(_herglotz.Model(facts["model_text"], facts["model"]).time)
