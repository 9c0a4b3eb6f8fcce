"""Runs of models with an index: families as arrays over time and sites."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy
import xarray

from herglotz._herglotz import ModelError
from herglotz.arguments import is_array, shown, to_array
from herglotz.dataset import RunError, attributes_of, to_dataset
from herglotz.events import Crossings, with_events
from herglotz.progress import Progress, ProgressBar

from .system import IndexedSystem

Field = tuple[str, str, list[int], numpy.ndarray]


def simulate_indexed(system: IndexedSystem, values: Mapping[str, Any], settings: dict[str, Any],
                     progress: Progress) -> xarray.Dataset:
    """The run from these initial values and parameters; arrays of other names than families make members, one by one."""
    if "next" in settings:
        raise ValueError("next is a second position, which a model with an index does not start from; give velocities")
    require_values(values)
    single, profiles, varied = _sorted(system, values)
    if varied:
        return _members(system, single, profiles, varied, settings, progress)
    with ProgressBar(progress) as report:
        dataset, failure, crossings = _one(system, single, profiles, settings, report)
    dataset = with_events(dataset, crossings)
    if failure:
        raise RunError(failure, dataset)
    return dataset


def _sorted(system: IndexedSystem, values: Mapping[str, Any]
            ) -> tuple[dict[str, Any], dict[str, numpy.ndarray], dict[str, xarray.DataArray]]:
    """Single values, values at all sites, and values that differ from member to member."""
    single: dict[str, Any] = {}
    profiles: dict[str, numpy.ndarray] = {}
    varied: dict[str, xarray.DataArray] = {}
    for name, value in values.items():
        family = name.split("[")[0] in system.families
        if not is_array(name, value):
            indices = system.along.get(name, ",".join(system.indices))
            single[f"{name}[{indices}]" if family and "[" not in name else name] = value
        elif family and numpy.shape(value) in _shapes(system, name.split("[")[0]):
            array = to_array(name, value.values if isinstance(value, xarray.DataArray) else value)
            profiles[name.replace(" ", "")] = numpy.ascontiguousarray(array.reshape(-1), dtype=float)
        elif family:
            shape = _shapes(system, name.split("[")[0])[0]
            raise ValueError(f"'{name}' has shape {numpy.shape(value)}; give a value for each site, of shape {shape}")
        elif isinstance(value, xarray.DataArray):
            varied[name] = value
        else:
            varied[name] = xarray.DataArray(to_array(name, value), dims=("member",))
    return single, profiles, varied


def _shapes(system: IndexedSystem, family: str) -> list[tuple[int, ...]]:
    """The shapes of values of a family at all sites."""
    if family in system.along:
        return [({**system.indices, **system.edges}[system.along[family]],)]
    counts = tuple(system.indices.values())
    return [counts, (int(numpy.prod(counts)),)]


def _one(system: IndexedSystem, single: Mapping[str, Any], profiles: Mapping[str, numpy.ndarray], settings: dict[str, Any],
         report: Any) -> tuple[xarray.Dataset, str, Crossings]:
    assignments = [f"{name}={value if isinstance(value, str) else repr(float(value))}" for name, value in single.items()]
    try:
        columns, fields, facts, failure, crossings = system._site.compiled.run(assignments, dict(profiles), settings, report)
    except ModelError as error:
        raise ModelError(str(error).removeprefix("--set: ")) from None
    return _dataset(system, columns, fields, facts), failure, crossings


def _dataset(system: IndexedSystem, columns: list[tuple[str, str, Any]], fields: list[Field],
             facts: dict[str, Any]) -> xarray.Dataset:
    time = columns[0][0]
    dataset = to_dataset(columns, facts) if len(columns) > 1 else xarray.Dataset(coords={time: columns[0][2]}, attrs=facts)
    parts = [_array(system, time, dataset[time], *field) for field in fields]
    if any(part.dims != parts[0].dims or any(not part[i].equals(parts[0][i]) for i in part.dims) for part in parts):
        return xarray.merge([dataset, *parts], join="outer", combine_attrs="drop_conflicts").assign_attrs(facts)
    return dataset.assign({str(part.name): part for part in parts})


def _array(system: IndexedSystem, time: str, times: xarray.DataArray, name: str, role: str, sites: list[int],
           values: numpy.ndarray) -> xarray.DataArray:
    """A family over time and its sites; some sites of a grid that are no rows and columns are one dimension `site`."""
    indices = list(system.indices)
    width = system.indices[indices[1]] if len(indices) > 1 else 1
    places = [numpy.unique(numpy.asarray(sites) // width), numpy.unique(numpy.asarray(sites) % width)][:len(indices)]
    if numpy.prod([place.size for place in places]) == len(sites):
        shape, coordinates = tuple(place.size for place in places), dict(zip(indices, places, strict=True))
        return xarray.DataArray(values.reshape(-1, *shape), {time: times, **coordinates}, (time, *indices), name,
                                attributes_of(role))
    labels = [f"{site // width},{site % width}" for site in sites]
    return xarray.DataArray(values, {time: times, "site": labels}, (time, "site"), name, attributes_of(role))


def _members(system: IndexedSystem, single: Mapping[str, Any], profiles: Mapping[str, numpy.ndarray],
             varied: Mapping[str, xarray.DataArray], settings: dict[str, Any], progress: Progress) -> xarray.Dataset:
    spread = dict(zip(varied, xarray.broadcast(*varied.values()), strict=True))
    first = next(iter(spread.values()))
    runs: list[xarray.Dataset] = []
    failures = numpy.empty(first.shape, dtype=object)
    with ProgressBar(progress) as report:
        for done, place in enumerate(numpy.ndindex(first.shape)):
            own = {name: float(array.values[place]) for name, array in spread.items()}
            dataset, failures[place], _ = _one(system, {**single, **own}, profiles, settings, None)
            runs.append(dataset)
            if report is not None:
                report((done + 1) / first.size)
    time = str(next(iter(runs[0].dims))) if not runs[0].hz.names("time") else runs[0].hz.names("time")[0]
    longest = max(runs, key=lambda run: run.sizes[time])
    times = longest[time].values
    if any(not numpy.array_equal(run[time].values, times[:run.sizes[time]]) for run in runs):
        raise ValueError("the members have rows at different times; give output_step, or a step")
    together = longest.copy(deep=False)
    for name, variable in longest.data_vars.items():
        values = numpy.full((first.size, *variable.shape), numpy.nan)
        for k, run in enumerate(runs):
            values[k, :run.sizes[time]] = run[name].values
        together[name] = ((*first.dims, *variable.dims), values.reshape(*first.shape, *variable.shape), variable.attrs)
    together["failure"] = (first.dims, failures)
    for name, array in spread.items():
        together = together.assign_coords({name if name in system.parameters else f"{name}_0": (first.dims, array.values)})
        for attribute in (f"parameters.{name}", f"initial.{name}"):
            together.attrs.pop(attribute, None)
    together.attrs["complete"] = int(not any(failures.ravel()))
    return together.assign_coords({name: values for name, values in first.coords.items() if name in first.dims})


def over_sites(system: IndexedSystem, dataset: xarray.Dataset) -> xarray.Dataset:
    """The dataset with one variable for each family in place of one for each of its sites, q[0], q[1], .."""
    widths = list(system.indices.values())
    fields: list[xarray.DataArray] = []
    for family in system.families:
        names = [str(name) for name in dataset.data_vars if str(name).startswith(f"{family}[")]
        if not names:
            continue
        labels = [name[len(family) + 1:-1] for name in names]
        sites = [int(numpy.ravel_multi_index([int(part) for part in label.split(",")], widths)) for label in labels]
        places = [numpy.unique(axis) for axis in numpy.unravel_index(sites, widths)]
        values = numpy.stack([dataset[name].values for name in names], axis=-1)
        dims, coordinates = [*dataset[names[0]].dims], dict(dataset[names[0]].coords)
        if numpy.prod([place.size for place in places]) == len(sites):
            shape = [place.size for place in places]
            values, dims = values.reshape(*values.shape[:-1], *shape), [*dims, *system.indices]
            coordinates |= dict(zip(system.indices, places, strict=True))
        else:
            dims, coordinates = [*dims, "site"], {**coordinates, "site": labels}
        fields.append(xarray.DataArray(values, coordinates, dims, family, dataset[names[0]].attrs))
        dataset = dataset.drop_vars(names)
    together = xarray.merge([dataset, *fields], join="outer", compat="no_conflicts", combine_attrs="drop_conflicts")
    return together.assign_attrs(dataset.attrs)


def require_values(values: Mapping[str, Any]) -> None:
    """Raises TypeError for a value that is no number, no text and no array."""
    for name, value in values.items():
        if not isinstance(value, (str, int, float, numpy.generic)) and not is_array(name, value):
            raise TypeError(f"'{name}' = {shown(value)}; a number, an expression as text, or an array is needed")
