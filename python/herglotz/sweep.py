"""Ensembles: a system over grids and random draws of its parameters and initial values."""

from __future__ import annotations

import math
import os
from ast import literal_eval
from collections.abc import Callable, Mapping, Sequence
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy
import xarray
from numpy.typing import ArrayLike
from xarray.backends import BackendArray
from xarray.core import indexing

from . import _herglotz
from .arguments import (
    is_array,
    to_array,
    to_count,
    to_finite,
    to_list,
    to_names,
    to_number,
    to_path,
    to_string,
    to_switch,
    to_table,
)
from .dataset import RunError, attributes_of
from .indexed.runs import over_sites, with_values
from .indexed.system import IndexedSystem
from .progress import Progress, ProgressBar
from .settings import SweepSettings, did_you_mean, documented, given_settings, require_known
from .simulation import require_system, started, thread_count
from .system import System
from .workers.cluster import BuildContext, run_on_workers

if TYPE_CHECKING:
    from distributed import Client
    from typing_extensions import Unpack

STATISTICS = ("count", "mean", "deviation", "least", "largest")


class Distribution(NamedTuple):
    """A random quantity of a sweep; made by `uniform`, `normal`, `log_uniform`, `log_normal` or `exponential`."""

    kind: str
    a: float
    b: float

    def __repr__(self) -> str:
        return f"herglotz.{self.kind}({self.a!r}{f', {self.b!r}' if self.kind != 'exponential' else ''})"


def uniform(a: float, b: float) -> Distribution:
    """Uniform on [a, b]."""
    return Distribution("uniform", to_number("a", a), to_number("b", b))


def log_uniform(a: float, b: float) -> Distribution:
    """Between a > 0 and b, with a uniform logarithm."""
    return Distribution("log_uniform", to_number("a", a), to_number("b", b))


def normal(mean: float, deviation: float) -> Distribution:
    """Normal, with that mean and standard deviation."""
    return Distribution("normal", to_number("mean", mean), to_number("deviation", deviation))


def log_normal(mean: float, deviation: float) -> Distribution:
    """With a normal logarithm of that mean and standard deviation."""
    return Distribution("log_normal", to_number("mean", mean), to_number("deviation", deviation))


def exponential(mean: float) -> Distribution:
    """Positive, with that mean."""
    return Distribution("exponential", to_number("mean", mean), 1.0)


Quantity: TypeAlias = float | ArrayLike | Distribution


@documented(SweepSettings)
def sweep(system: System, *, parameters: Mapping[Any, Quantity] | None = None,
          initial: Mapping[Any, Quantity] | None = None, threads: int | None = None, progress: Progress = False,
          file: str | os.PathLike[str] | None = None, resume: bool = False, shard: tuple[int, int] | None = None,
          client: Client | None = None, **settings: Unpack[SweepSettings]) -> xarray.Dataset:
    """Runs a system at every point of a grid, in all lanes and cores of the machine.

    Args:
        system: what moves.
        parameters: by name, numbers, one-dimensional arrays or distributions; of a model with an index also values at all
            sites of a family, which all members share. Every array is an axis of the grid; all
            distributions together are one more, the last, called `sample`. Where neither these nor `initial` has an
            array or a distribution, the [sweep] table of the model says what varies and what is kept.
        initial: initial values, in the same way; also expressions in parameters and in other initial values.
        threads: how many run members; by default all cores.
        progress: True for a bar (of tqdm, if that is installed), or a function of the fraction done.
        file: where to write an HDF5 file instead of keeping results in memory; `open_sweep` reads it.
        resume: go on with such a file where it was stopped.
        shard: (k, n) runs part k of n, from 0, into the journal FILE.k-of-n.journal, or goes on with it; `merge` makes the
            file of all parts.
        client: a `dask.distributed.Client` whose workers run the members and send them to the file, or to this process
            if there is no file; `threads` are those of each task then, one by default.
        **settings: how the grid is made, what is kept, and how members run.

            * `zip`: groups of arrays that go together along one axis, named after the first.
            * `samples`: how many draws of the distributions; `seed` of the draws, the same gives the same ones; `sampling`,
              where draws come from, "random" or "sobol".
            * `keep`: "final" (the default) for the last states, "times" for those at `times`, "trajectory" for rows as
              output_every or output_step say, "statistics" for moments over all members, at `times` if these are given.
            * `columns`: names of those to keep; all by default.
            * `device`: what takes the steps, for the methods that devices follow: "cpu" (the default), "cuda" for a card of
              NVIDIA, "auto" for a card if there is one, "host" for tests. No device changes a bit of a result.
            * `method`, `t_end`, `step`, `tolerance`, `output_every`, `output_step`, `project` and `next`: as in `simulate`.

    Returns:
        The kept columns over the axes of the grid, named after parameters, or with _0 after initial values; and of time
        where members have several rows. Statistics have the dimension `statistic` instead: count, mean, deviation,
        least, largest. Members that fail hold NaN from there on, and a sentence in the variable `failure`. With Ctrl-C
        the members that were reached, and the attribute `complete` = 0. With `shard` a table of how many blocks are
        `done` of the `blocks` of each shard. If a device was asked for, the attribute `device` names the one that was used.

    Raises:
        TypeError: an argument of another type than is needed.
        ValueError: an unknown name, settings that do not fit, a file that is not to be resumed.
        ConnectionError: the scheduler of `client` was lost; `resume=True` goes on.
    """
    require_known(sweep, SweepSettings, settings)
    choices = _choices(settings)
    common = given_settings({name: value for name, value in settings.items() if name not in _CHOICES})
    second = common.pop("next", {})
    start: Mapping[Any, Any] = require_system(system)._named(to_table("initial", initial))
    if not isinstance(system, IndexedSystem):
        system, start = started(system, start)
    elif second:
        raise ValueError("next is a second position, which a model with an index does not start from")
    values: Mapping[Any, Any] = system._named(to_table("parameters", parameters))
    if isinstance(system, IndexedSystem):
        system, start, values = with_values(system, start, values)
    quantities, fixed = _sorted(start, values)
    path = None if file is None else str(to_path("file", file))
    for name, given in (("resume", to_switch("resume", resume)), ("shard", shard is not None)):
        if given and path is None:
            raise ValueError(f"{name} goes with a file; give one")
    if shard is not None and client is not None:
        raise ValueError("both shard and client are given; keep one of them")
    part = None if shard is None else _shard(shard)
    if client is not None and threads is None:
        threads = 1
    context = BuildContext(system, quantities, fixed[False], fixed[True], common, second, choices, thread_count(threads))
    ensemble = context.compiled()
    if client is not None and path is None:
        with TemporaryDirectory() as folder, ProgressBar(progress) as report:
            place = os.path.join(folder, "ensemble.h5")
            run_on_workers(client, context, ensemble, place, False, report)
            dataset = open_sweep(place).load()
            dataset.attrs = {**ensemble.facts, **dataset.attrs}
            return _noted(ensemble, dataset)
    if path is not None:
        with ProgressBar(progress) as report:
            if part is not None:
                ensemble.write_shard(path, *part, report)
                return _shards(ensemble, path, part[1])
            if client is not None:
                run_on_workers(client, context, ensemble, path, resume, report)
            else:
                ensemble.write(path, resume, report)
        return _noted(ensemble, open_sweep(path))
    with ProgressBar(progress) as report:
        results = ensemble.run(report)
    dataset = _noted(ensemble, _in_memory(ensemble, results))
    return over_sites(system, dataset) if isinstance(system, IndexedSystem) else dataset


def merge(file: str | os.PathLike[str], *, partial: bool = False) -> xarray.Dataset:
    """The dataset of a file that is made of its shards, byte for byte as one machine makes it.

    Args:
        file: what the shards were given as `file`.
        partial: also where shards lack members; these hold NaN, and the journals stay.

    Raises:
        RunError: shards lack blocks; the sentence names them.
        ModelError: there are no shards, or they do not belong together.
    """
    path = str(to_path("file", file))
    lacking = _herglotz.merge(path, to_switch("partial", partial))
    if lacking:
        raise RunError(lacking, None)
    return open_sweep(path)


def open_sweep(file: str | os.PathLike[str]) -> xarray.Dataset:
    """The dataset of an ensemble's file, as `sweep` returns it; members are read when they are asked for.

    Raises:
        ModelError: it is no such file.
    """
    stored = SweepFile(str(to_path("file", file)))
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

    def largest(name: str) -> Any:
        return stored.largest_residuals(name.removeprefix("largest_"))

    dataset = _dataset(quantities, shape, facts, _time_name(facts), times, stored.columns, values, largest, failure)
    system = _indexed_system(facts)
    if system is None:
        return dataset
    if facts["keep"] == "statistics":
        return over_sites(system, dataset)
    return over_sites(system, dataset, lambda names: indexing.LazilyIndexedArray(_StoredFamily(stored, names, shape, rows)))


class SweepFile:
    """The file of an ensemble; a pickled one opens the file again."""

    def __init__(self, file: str):
        self._path = os.path.abspath(file)
        self._file = _herglotz.SweepFile(file)

    def __reduce__(self) -> tuple[Any, ...]:
        return SweepFile, (self._path,)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)

    def __repr__(self) -> str:
        return f"<herglotz.SweepFile {self._path}>"


class _Stored(BackendArray):
    """A column of a file, over the grid and its rows; reads the members that are asked for along the first axis."""

    def __init__(self, file: SweepFile, name: str, shape: tuple[int, ...], rows: tuple[int, ...]):
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


class _StoredFamily(BackendArray):
    """A family of a file, over the grid, its rows and its sites."""

    def __init__(self, file: SweepFile, names: numpy.ndarray, shape: tuple[int, ...], rows: tuple[int, ...]):
        self.shape, self.dtype = (*shape, *rows, *names.shape), numpy.dtype(float)
        self._file, self._names, self._of_column = file, names, (shape, rows)

    def __getitem__(self, key: indexing.ExplicitIndexer) -> Any:
        return indexing.explicit_indexing_adapter(key, self.shape, indexing.IndexingSupport.BASIC, self._read)

    def _read(self, key: tuple[Any, ...]) -> Any:
        split = len(self.shape) - self._names.ndim
        names = numpy.asarray(self._names[key[split:]], dtype=object)
        if names.size == 0:
            return numpy.empty(self.shape)[key]
        columns = [_Stored(self._file, str(name), *self._of_column)._read(key[:split]) for name in names.ravel()]
        return numpy.stack(columns, axis=-1).reshape(*numpy.shape(columns[0]), *names.shape)


def _shard(shard: Any) -> tuple[int, int]:
    """(k, n) as it was given. Raises ValueError where there is no such part."""
    pair = to_list("shard", shard, "two whole numbers")
    if len(pair) != 2:
        raise ValueError(f"shard = {shard!r} is not a part; give (k, n) with k from 0 to n - 1")
    count = to_count("shard[1]", pair[1], 1, 10**6)
    return to_count("shard[0]", pair[0], 0, count - 1), count


def _shards(ensemble: _herglotz.Sweep, path: str, count: int) -> xarray.Dataset:
    done, blocks = zip(*ensemble.shards(path, count))
    return xarray.Dataset({"done": ("shard", list(done)), "blocks": ("shard", list(blocks))}, {"shard": range(count)})


def _noted(ensemble: _herglotz.Sweep, dataset: xarray.Dataset) -> xarray.Dataset:
    """The dataset with the device that was taken; files do not have it, since their bytes do not depend on it."""
    if ensemble.device:
        dataset.attrs["device"] = ensemble.device
    return dataset


def _choices(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Choices of an ensemble; a choice that is None is left to the model."""
    return {name: checked(name, settings[name]) for name, checked in _CHOICES.items() if settings.get(name) is not None}


def _member(kind: Any) -> Callable[[str, Any], Any]:
    """Maker of a choice by its name."""
    def checked(name: str, value: Any) -> Any:
        known = [str(one.name) for one in kind]
        if to_string(name, value) not in known:
            raise ValueError(f"unknown {name} '{value}'; {did_you_mean(value, known)}")
        return kind[value]
    return checked


def _device(name: str, value: Any) -> str:
    """A device by its name."""
    known = ["cpu", "host", "cuda", "hip", "auto"]
    if to_string(name, value) not in known:
        raise ValueError(f"unknown {name} '{value}'; {did_you_mean(value, known)}")
    return str(value)


def _increasing(name: str, times: Any) -> list[float]:
    array = to_array(name, times)
    steps = numpy.diff(array)
    if array.ndim != 1 or array.size == 0 or not ((steps > 0).all() or (steps < 0).all()):
        raise ValueError("times do not follow each other; give each once, in their order")
    return array.tolist()


_CHOICES: dict[str, Callable[[str, Any], Any]] = {
    "keep": _member(_herglotz.Keep), "times": _increasing, "columns": to_names, "sampling": _member(_herglotz.Sampling),
    "samples": lambda name, value: to_count(name, value, 1), "seed": lambda name, value: to_count(name, value, 0, 2**64 - 1),
    "device": _device,
    "zip": lambda name, value: [to_names(name, group) for group in to_list(name, value, "groups of names")],
}


def _sorted(initial: Mapping[Any, Quantity], parameters: Mapping[Any, Quantity]
            ) -> tuple[list[tuple[bool, str, Any]], dict[bool, dict[str, float]]]:
    """Returns what varies, as the compiled part takes it, and the numbers of initial values (False) and parameters (True)."""
    quantities: list[tuple[bool, str, Any]] = []
    fixed: dict[bool, dict[str, float]] = {False: {}, True: {}}
    for parameter, values in ((True, parameters), (False, initial)):
        for key, value in values.items():
            name = str(key)
            if isinstance(value, Distribution):
                quantities.append((parameter, name, (_herglotz.DistributionKind[value.kind], value.a, value.b)))
                continue
            if not is_array(name, value):
                fixed[parameter][name] = to_finite(name, value)
                continue
            array = to_array(name, value)
            if array.ndim > 1:
                raise ValueError(f"'{name}' has shape {array.shape}; give a one-dimensional array: quantities are crossed, "
                                 "or go together with zip")
            quantities.append((parameter, name, array.tolist()))
    return quantities, fixed


def _in_memory(ensemble: _herglotz.Sweep, results: dict[str, Any]) -> xarray.Dataset:
    shape = tuple(ensemble.shape)
    facts = {**ensemble.facts, "steps": results["steps"], "failed": len(results["failures"]),
             "complete": int(not results["missing"])}
    largest = {f"largest_{name}": array for name, array in results["largest_residuals"].items()}
    facts |= {name: float(numpy.nanmax(array)) for name, array in largest.items() if not numpy.isnan(array).all()}
    statistics, final = ensemble.keep == "statistics", ensemble.keep == "final"
    of_column = {name: array if statistics else array.reshape(shape if final else (*shape, -1))
                 for (name, _), array in zip(ensemble.columns, results["arrays"])}
    failure = _failures(math.prod(shape), results["failures"], results["missing"]).reshape(shape)
    return _dataset(ensemble.quantities, shape, facts, ensemble.time, ensemble.times, ensemble.columns,
                    of_column.__getitem__, largest.__getitem__, failure)


def _dataset(quantities: Sequence[tuple[bool, str, bool, int, Any]], shape: tuple[int, ...], facts: dict[str, Any],
             time: str, times: Any, columns: Sequence[tuple[str, str]], values: Callable[[str], Any],
             largest: Callable[[str], Any], failure: Any) -> xarray.Dataset:
    """Columns, and the largest residuals of members, over a grid whose axes are named after their first quantity.

    The values of quantities are coordinates.
    """
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
    for name, role in columns:
        if role == "residual" and facts["keep"] != "statistics":
            variables[f"largest_{name}"] = xarray.Variable(grid, numpy.asarray(largest(f"largest_{name}")).reshape(shape),
                                                           attributes_of(role))
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
    system = _indexed_system(facts)
    return str(_herglotz.Model(facts["model_text"], facts["model"]).time if system is None else system.time)


def _indexed_system(facts: Mapping[str, Any]) -> IndexedSystem | None:
    """The system of a file whose model has an index."""
    if not _herglotz.states_families(facts["model_text"], facts["model"]):
        return None
    system = System.from_text(facts["model_text"], facts["model"])
    assert isinstance(system, IndexedSystem)
    return system
