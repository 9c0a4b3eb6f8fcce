"""Runs, and batches of runs, as labelled arrays."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeAlias

import numpy
import xarray
from numpy.typing import ArrayLike

from . import _herglotz
from .dataset import RunError, to_dataset
from .events import with_events
from .expressions import to_count, to_number
from .system import System

Value: TypeAlias = float | ArrayLike | xarray.DataArray
Progress: TypeAlias = bool | Callable[[float], None]


class Run(Mapping[str, numpy.ndarray]):
    """The columns of one run by name, as NumPy arrays that share the memory of the run."""

    __slots__ = ("_facts", "_reached")

    def __init__(self, reached: _herglotz.Reached):
        self._reached = reached
        self._facts: dict[str, Any] | None = None

    def __getitem__(self, name: str) -> numpy.ndarray:
        try:
            return self._reached.values(name)
        except (KeyError, TypeError):
            raise KeyError(f"no column '{name}'; there are {', '.join(self)}") from None

    def __iter__(self) -> Iterator[str]:
        return (name for name, _ in self._reached.columns)

    def __len__(self) -> int:
        return len(self._reached.columns)

    def names(self, role: str) -> list[str]:
        """Columns of a role, as for datasets."""
        return [name for name, its in self._reached.columns if its == role]

    @property
    def time(self) -> numpy.ndarray:
        """The times of the rows."""
        return self[self.names("time")[0]]

    @property
    def facts(self) -> dict[str, Any]:
        """How the run was made and what was verified."""
        if self._facts is None:
            self._facts = self._reached.facts
        return self._facts

    def to_xarray(self) -> xarray.Dataset:
        """The dataset that `simulate` returns; it shares the memory of the run."""
        return with_events(to_dataset(self._reached.arrays, self._reached.facts), self._reached.events)

    def __repr__(self) -> str:
        facts = self.facts
        return (f"<herglotz.Run {facts['model']}: {self._reached.rows} rows of {', '.join(self)}; {facts['method']}, "
                f"{facts['status']}>")


def run(system: System, initial: Mapping[Any, float] | None = None, *,
        parameters: Mapping[Any, float] | None = None, method: str | None = None, t_end: float | None = None,
        step: float | None = None, tolerance: float | None = None, output_every: int | None = None,
        output_step: float | None = None, project: bool | None = None,
        progress: Progress = False) -> Run:
    """Runs a system once, as `simulate` does, for loops over many short runs: its columns are NumPy arrays by name.

    Raises:
        ValueError: as `simulate`.
        RunError: the run failed; its `reached` holds the Run up to there.
    """
    done = _run(system, system._named(initial or {}), parameters or {},
                given_settings(method, t_end, step, tolerance, output_every, output_step, project), progress)
    if done._reached.failure:
        raise RunError(done._reached.failure, done)
    return done


def simulate(system: System, initial: Mapping[Any, Value] | None = None, *,
             parameters: Mapping[Any, Value] | None = None, method: str | None = None,
             t_end: float | None = None, step: float | None = None, tolerance: float | None = None,
             output_every: int | None = None, output_step: float | None = None, project: bool | None = None,
             threads: int | None = None, progress: Progress = False) -> xarray.Dataset:
    """Runs a system and verifies its balance laws.

    Args:
        system: what moves.
        initial: initial values by name, over those of the system; what is not named starts at 0. Arrays make a batch:
            one-dimensional ones go together along the dimension `member`, xarray.DataArrays along their own dimensions.
        parameters: values by name, over those of the system; arrays as for initial values.
        method: a name from `herglotz.methods()`, or "auto". What is left out, here and below, is as the system has it.
        t_end: the time at which it ends, before the start for a motion backwards.
        step: of a fixed-step method, in place of a tolerance.
        tolerance: of an adaptive method, in place of a step.
        output_every: rows at every so many steps.
        output_step: rows at multiples of a time, instead.
        project: whether a start off the constraints is moved onto them.
        threads: how many run the members of a batch; by default all cores.
        progress: True for a tqdm bar, or a function of the fraction done.

    Returns:
        The contract's columns over the dimension of time, and those of a batch; attributes tell how the run was made
        and what was verified. A run that Ctrl-C stops returns what it reached, with attributes `complete` and `status`.
        Members of a batch that fail hold NaN from there on, and a sentence in the variable `failure`.

    Raises:
        ValueError: an unknown name, a missing step, a model that the method refuses.
        RunError: a single run failed; its `reached` holds the dataset up to there.
    """
    settings = given_settings(method, t_end, step, tolerance, output_every, output_step, project)
    initial, parameters, threads = system._named(initial or {}), parameters or {}, thread_count(threads)
    if any(numpy.ndim(value) > 0 for values in (initial, parameters) for value in values.values()):
        return _batch(system, initial, parameters, settings, threads, progress)
    done = _run(system, initial, parameters, settings, progress)
    if done._reached.failure:
        raise RunError(done._reached.failure, done.to_xarray())
    return done.to_xarray()


def given_settings(method: str | None, t_end: float | None, step: float | None, tolerance: float | None,
                   output_every: int | None, output_step: float | None,
                   project: bool | None) -> dict[str, Any]:
    """Settings by name, without those that are left to the system."""
    if step is not None and tolerance is not None:
        raise ValueError("both step and tolerance are given; keep step for a fixed-step method, or tolerance for an "
                         "adaptive one")
    if output_every is not None and output_step is not None:
        raise ValueError("both output_every and output_step are given; keep one of them")
    settings = {"method": method, "t_end": t_end, "step": step, "tolerance": tolerance, "output_every": output_every,
                "output_step": output_step, "project": project}
    return {name: _setting(name, value) for name, value in settings.items() if value is not None}


_WANTED = {"method": "a name", "project": "True or False", "output_every": "a whole number"}  # others: numbers


def _setting(name: str, value: Any) -> Any:
    if name not in _WANTED:
        return value if type(value) is float else to_number(name, value)
    if name == "method" and isinstance(value, str):
        return value
    if name == "project" and isinstance(value, (bool, numpy.bool_)):
        return bool(value)
    if name == "output_every":
        return to_count(name, value, 1)
    raise TypeError(f"{name} = {value!r}; {_WANTED[name]} is needed")


def _run(system: System, initial: Mapping[Any, Value], parameters: Mapping[Any, Value], settings: dict[str, Any],
         progress: Progress) -> Run:
    start, constants = _numbers(initial), _numbers(parameters)
    if not progress:
        return Run(system._model.run(start, constants, settings, None))
    with ProgressBar(progress) as report:
        return Run(system._model.run(start, constants, settings, report))


def _batch(system: System, initial: Mapping[Any, Value], parameters: Mapping[Any, Value], settings: dict[str, Any],
           threads: int, progress: Progress) -> xarray.Dataset:
    values = {**{("initial", str(k)): v for k, v in initial.items()},
              **{("parameter", str(k)): v for k, v in parameters.items()}}
    spread = _broadcast({name: _labelled(name, value) for (_, name), value in values.items()}, system)
    shape, dimensions = spread[0].shape, tuple(map(str, spread[0].dims))
    lists: dict[str, dict[str, list[float]]] = {"initial": {}, "parameter": {}}
    for (kind, name), array in zip(values, spread):
        lists[kind][name] = numpy.asarray(array, dtype=float).ravel().tolist()
    with ProgressBar(progress) as report:
        columns, facts, failures = _herglotz.run_batch(system._model, spread[0].size, lists["initial"],
                                                       lists["parameter"], settings, report, threads)
    time = next(name for name, role, _ in columns if role == "time")
    dataset = to_dataset([(name, role, array if role == "time" else array.reshape(*shape, -1))
                          for name, role, array in columns], facts, (*dimensions, time))
    dataset["failure"] = (dimensions, numpy.array(failures, dtype=object).reshape(shape))
    for (kind, name), array in zip(values, spread):
        dataset = dataset.assign_coords({f"{name}" if kind == "parameter" else f"{name}_0": (dimensions, array.values)})
        for attribute in (f"initial.{name}", f"parameters.{name}"):
            if numpy.ndim(values[kind, name]) > 0:
                dataset.attrs.pop(attribute, None)
    dataset.attrs["complete"] = int(not any(failures))
    return dataset.assign_coords({name: values for name, values in spread[0].coords.items() if name in dimensions})


def _broadcast(arrays: Mapping[str, xarray.DataArray], system: System) -> tuple[xarray.DataArray, ...]:
    """All over the dimensions of all, which stand beside the columns of a run."""
    columns = {*system.state, str(system.time), "energy"}
    first: dict[Any, str] = {}
    for name, array in arrays.items():
        for dimension, size in array.sizes.items():
            if dimension in columns:
                raise ValueError(f"'{name}' has the dimension '{dimension}', which is a column of runs; rename it")
            before = first.setdefault(dimension, name)
            if arrays[before].sizes[dimension] != size:
                raise ValueError(f"'{name}' has {size} values along '{dimension}', and '{before}' has "
                                 f"{arrays[before].sizes[dimension]}; give each the same number")
    return xarray.broadcast(*arrays.values())


def thread_count(threads: int | None) -> int:
    """As the compiled part takes it: 0 for all cores."""
    if threads is None:
        return 0
    if threads < 1:
        raise ValueError(f"threads = {threads}; give at least 1, or leave it out for all cores")
    return threads


def _labelled(name: str, value: Value) -> xarray.DataArray:
    if isinstance(value, xarray.DataArray):
        return value
    array = numpy.asarray(value)
    array = array.astype(float) if array.ndim else numpy.asarray(to_number(name, value))
    if array.ndim > 1:
        raise ValueError(f"'{name}' has shape {array.shape}; give a one-dimensional array, or an xarray.DataArray whose "
                         "dimensions are named")
    return xarray.DataArray(array, dims=("member",)[:array.ndim])


def _numbers(values: Mapping[Any, Any]) -> dict[str, float]:
    numbers = {}
    for name, value in values.items():
        if numpy.ndim(value) > 0:
            raise ValueError(f"'{name}' has shape {numpy.shape(value)}, where one run takes a number; herglotz.simulate "
                             "takes arrays")
        numbers[str(name)] = to_number(name, value)
    return numbers


class ProgressBar:
    """What is called with the fraction done: a tqdm bar, the user's function, or nothing."""

    def __init__(self, progress: Progress):
        self._progress = progress
        self._bar: Any = None

    def __enter__(self) -> Callable[[float], None] | None:
        if callable(self._progress):
            return self._progress
        if not self._progress:
            return None
        from tqdm.auto import tqdm
        self._bar = tqdm(total=1.0, bar_format="{l_bar}{bar}| {elapsed}<{remaining}")
        return lambda fraction: self._bar.update(fraction - self._bar.n)

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.update(1.0 - self._bar.n)
            self._bar.close()
