"""Runs, and batches of runs, as labelled arrays."""

from __future__ import annotations

import html
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy
import xarray
from numpy.typing import ArrayLike

from . import _herglotz
from .arguments import is_array, shown, to_array, to_count, to_number, to_table
from .dataset import RunError, to_dataset
from .events import Crossings, with_events
from .expressions import is_expression
from .gradients.sensitivity import differentiated
from .indexed.runs import simulate_indexed
from .indexed.system import IndexedSystem
from .progress import Progress, ProgressBar
from .settings import RunSettings, documented, given_settings, require_known
from .system import System

if TYPE_CHECKING:
    from typing_extensions import Unpack

Value: TypeAlias = float | ArrayLike | xarray.DataArray


@dataclass(frozen=True)
class Kept:
    """The rows and facts of a run in Python's memory, which a pickled or copied Run holds in place of the compiled part's.

    Attributes:
        arrays: (name, role, values) of every column
    """

    arrays: list[tuple[str, str, numpy.ndarray]]
    events: Crossings
    facts: dict[str, Any]
    failure: str

    @property
    def columns(self) -> list[tuple[str, str]]:
        return [(name, role) for name, role, _ in self.arrays]

    @property
    def rows(self) -> int:
        return self.arrays[0][2].size

    def values(self, name: str) -> numpy.ndarray:
        for its, _, values in self.arrays:
            if its == name:
                return values
        raise KeyError(name)


class Run(Mapping[str, numpy.ndarray]):
    """The columns of one run by name, as NumPy arrays that share the memory of the run. Can be pickled and copied."""

    __slots__ = ("_facts", "_reached")

    def __init__(self, reached: _herglotz.Reached | Kept):
        self._reached = reached
        self._facts: dict[str, Any] | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        return Run, (Kept(self._reached.arrays, self._reached.events, self.facts, self._reached.failure),)

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
        """Facts of the run: how it was made, and what was verified."""
        if self._facts is None:
            self._facts = self._reached.facts
        return self._facts

    @property
    def failure(self) -> str:
        """The reason why the run ended early; an empty string if it did not fail."""
        return self._reached.failure

    def to_xarray(self) -> xarray.Dataset:
        """The dataset that `simulate` returns; it shares the memory of the run."""
        return with_events(to_dataset(self._reached.arrays, dict(self._reached.facts)), self._reached.events)

    def _repr_html_(self) -> str:
        facts = self.facts
        residuals = {"energy": facts.get("largest_energy_residual"), "constraints": facts.get("largest_constraint_residual")}
        rows = {"model": facts["model"], "method": facts["method"], "status": facts["status"], "rows": self._reached.rows,
                "columns": ", ".join(self),
                **{f"largest residual: {name}": f"{value:.2e}" for name, value in residuals.items() if value is not None}}
        return "<table>" + "".join(f"<tr><th>{html.escape(name)}</th><td>{html.escape(str(value))}</td></tr>"
                                   for name, value in rows.items()) + "</table>"

    def __repr__(self) -> str:
        facts = self.facts
        return (f"<herglotz.Run {facts['model']}: {self._reached.rows} rows of {', '.join(self)}; {facts['method']}, "
                f"{facts['status']}>")


@documented(RunSettings)
def run(system: System, initial: Mapping[Any, float] | None = None, *, parameters: Mapping[Any, float] | None = None,
        progress: Progress = False, **settings: Unpack[RunSettings]) -> Run:
    """Runs a system once, as `simulate` does, for loops over many short runs: its columns are NumPy arrays by name.

    Models with an index run by `simulate`, which has arrays over time and sites.

    Raises:
        TypeError, ValueError: as `simulate`.
        RunError: the run failed; its `reached` holds the Run up to there.
    """
    require_known(run, RunSettings, settings)
    system, start = started(require_system(system), _start(system, initial))
    if isinstance(system, IndexedSystem):
        raise ValueError("a model with an index runs by herglotz.simulate, which has arrays over time and sites")
    constants = system._named(to_table("parameters", parameters))
    done = _run(system, start, constants, given_settings(settings), progress)
    if done.failure:
        raise RunError(done.failure, done)
    return done


@documented(RunSettings)
def simulate(system: System, initial: Mapping[Any, Value] | None = None, *, parameters: Mapping[Any, Value] | None = None,
             threads: int | None = None, progress: Progress = False, sensitivities: Sequence[Any] | None = None,
             **settings: Unpack[RunSettings]) -> xarray.Dataset:
    """Runs a system and verifies its balance laws.

    >>> run = hz.simulate(hz.model("heavy-top"), {"w3": 4.0}, t_end=10, method="contact-gauss-4", step=0.01)
    >>> run.g3, run["momentum.vertical"], run.energy_residual

    Args:
        system: what moves.
        initial: initial values by name, over those of the system; what is not named starts at 0. Expressions in parameters
            and in other initial values follow these, also from member to member. Arrays make a batch: one-dimensional ones
            go together along the dimension `member`, xarray.DataArrays along their own dimensions.
        parameters: values by name, over those of the system; arrays as for initial values.
        threads: how many run the members of a batch; by default all cores.
        progress: True for a bar (of tqdm, if that is installed), or a function of the fraction done.
        sensitivities: parameters and initial values by which the run is differentiated; `run.hz.sensitivity` has the
            derivatives. Not for batches.
        **settings: `method`, a name from `herglotz.methods()`, or "auto"; `t_end`, the time at which it ends, before the
            start for a motion backwards; `step` of a fixed-step method, or `tolerance` of an adaptive one; `output_every`,
            the number of steps from row to row, or `output_step`, the time from row to row; `project`, whether a start off
            the constraints is moved onto them; `next`, the second position by name from which a discrete motion starts, in
            place of velocities; `columns`, names of those to keep beside time, also of those on demand such as
            "mechanical_energy" and "power.action". What is left out is as the system has it.

    Returns:
        The columns of the state, its energy and momenta with their residuals over the dimension of time, and those of a
        batch; attributes tell how the run was made and what was verified. A run that Ctrl-C stops returns what it reached,
        with attributes `complete` and `status`.
        Members of a batch that fail hold NaN from there on, and a sentence in the variable `failure`.

    Raises:
        TypeError: an argument of another type than is needed.
        ValueError: an unknown name, a missing step, a model that the method refuses.
        RunError: a single run failed; its `reached` holds the dataset up to there.
    """
    require_known(simulate, RunSettings, settings)
    given = given_settings(settings)
    if isinstance(system, IndexedSystem):
        if sensitivities is not None:
            raise ValueError("derivatives of runs of a model with an index are those of system.written_out(), the same "
                             "model site by site")
        return simulate_indexed(system, {**_start(system, initial), **system._named(to_table("parameters", parameters))},
                                given, progress)
    system, start = started(require_system(system), _start(system, initial))
    constants = system._named(to_table("parameters", parameters))
    if sensitivities is not None:
        return differentiated(system, start, constants, given, sensitivities)
    threads = thread_count(threads)
    if any(is_array(name, value) for values in (start, constants) for name, value in values.items()):
        return _batch(system, start, constants, given, threads, progress)
    done = _run(system, start, constants, given, progress)
    if done.failure:
        raise RunError(done.failure, done.to_xarray())
    return done.to_xarray()


def require_system(system: Any) -> System:
    """The system. Raises TypeError for anything else."""
    if not isinstance(system, System):
        raise TypeError(f"system = {shown(system)}; a herglotz.System is needed, as hz.load, hz.model or hz.System make it")
    return system


def require_without_index(system: Any, what: str) -> System:
    """The system. Raises ValueError for one with an index, which `what` does not take."""
    if isinstance(require_system(system), IndexedSystem):
        raise ValueError(f"{what} does not take a model with an index; herglotz.simulate and herglotz.sweep run it, and "
                         "system.written_out() is one without")
    return system


def _start(system: System, initial: Mapping[Any, Value] | None) -> Mapping[Any, Value]:
    if initial is not None and not isinstance(initial, Mapping):
        raise TypeError(f"initial = {shown(initial)}; a mapping {{name: value}} is needed; times are given by t_end and "
                        "output_step")
    return system._named(to_table("initial", initial))


def started(system: System, initial: Mapping[Any, Value]) -> tuple[System, Mapping[Any, Value]]:
    """The system with the initial values that are expressions, and the other values."""
    expressions = {name: value for name, value in initial.items() if is_expression(value)}
    if not expressions:
        return system, initial
    return (system._starting_at(expressions),
            {name: value for name, value in initial.items() if name not in expressions})


def _run(system: System, initial: Mapping[Any, Value], parameters: Mapping[Any, Value], settings: dict[str, Any],
         progress: Progress) -> Run:
    start, constants, second = _numbers(initial), _numbers(parameters), settings.pop("next", {})
    if progress is False:
        return Run(_kept(system._model.run(start, constants, settings, second, None), settings.get("columns")))
    with ProgressBar(progress) as report:
        return Run(_kept(system._model.run(start, constants, settings, second, report), settings.get("columns")))


def _kept(reached: _herglotz.Reached, columns: list[str] | None) -> _herglotz.Reached | Kept:
    """Returns the result of a run without the columns that are not named."""
    if not columns:
        return reached
    arrays = [(name, role, values) for name, role, values in reached.arrays if role == "time" or name in columns]
    return Kept(arrays, reached.events, reached.facts, reached.failure)


def _batch(system: System, initial: Mapping[Any, Value], parameters: Mapping[Any, Value], settings: dict[str, Any],
           threads: int, progress: Progress) -> xarray.Dataset:
    values = {**{("initial", str(k)): v for k, v in initial.items()},
              **{("parameter", str(k)): v for k, v in parameters.items()}}
    spread = _broadcast({name: _labelled(name, value) for (_, name), value in values.items()}, system)
    shape, dimensions = spread[0].shape, tuple(map(str, spread[0].dims))
    lists: dict[str, dict[str, list[float]]] = {"initial": {}, "parameter": {}}
    for (kind, name), array in zip(values, spread):
        lists[kind][name] = array.values.ravel().tolist()
    second, kept = settings.pop("next", {}), settings.get("columns", [])
    with ProgressBar(progress) as report:
        columns, facts, failures = _herglotz.run_batch(system._model, spread[0].size, lists["initial"],
                                                       lists["parameter"], settings, second, report, threads)
    time = next(name for name, role, _ in columns if role == "time")
    dataset = to_dataset([(name, role, array if role == "time" else array.reshape(*shape, -1))
                          for name, role, array in columns if role == "time" or not kept or name in kept],
                         facts, (*dimensions, time))
    dataset["failure"] = (dimensions, numpy.array(failures, dtype=object).reshape(shape))
    for (kind, name), array in zip(values, spread):
        dataset = dataset.assign_coords({f"{name}" if kind == "parameter" else f"{name}_0": (dimensions, array.values)})
        for attribute in (f"initial.{name}", f"parameters.{name}"):
            if numpy.ndim(values[kind, name]) > 0:
                dataset.attrs.pop(attribute, None)
    for name in system._model.followers([name for (_, name), value in values.items() if numpy.ndim(value) > 0]):
        dataset.attrs.pop(f"initial.{name}", None)
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
    try:
        return to_count("threads", threads, 1, 2**16)
    except ValueError as error:
        raise ValueError(f"{error}; leave it out for all cores") from None


def _labelled(name: str, value: Value) -> xarray.DataArray:
    if isinstance(value, xarray.DataArray):
        return value.copy(data=to_array(name, value.values))
    array = to_array(name, value) if is_array(name, value) else numpy.asarray(to_number(name, value))
    if array.ndim > 1:
        raise ValueError(f"'{name}' has shape {array.shape}; give a one-dimensional array, or an xarray.DataArray whose "
                         "dimensions are named")
    return xarray.DataArray(array, dims=("member",)[:array.ndim])


def _numbers(values: Mapping[Any, Any]) -> dict[str, float]:
    numbers = {}
    for name, value in values.items():
        if is_array(name, value):
            raise ValueError(f"'{name}' has shape {numpy.shape(value)}, where one run takes a number; herglotz.simulate "
                             "takes arrays")
        numbers[str(name)] = to_number(name, value)
    return numbers
