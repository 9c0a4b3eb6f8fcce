"""Runs of models with an index: families as arrays over time and sites."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy
import xarray

from herglotz._herglotz import ModelError
from herglotz.arguments import is_array, shown, to_array
from herglotz.dataset import RunError, attributes_of, to_dataset
from herglotz.document import with_families
from herglotz.events import Crossings, with_events
from herglotz.progress import Progress, ProgressBar
from herglotz.system import System

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
    """Single values, values at all sites, and values that differ from member to member, of families with their sites last."""
    single: dict[str, Any] = {}
    profiles: dict[str, numpy.ndarray] = {}
    varied: dict[str, xarray.DataArray] = {}
    for name, value in values.items():
        if not is_array(name, value):
            single[whole_name(system, name)] = value
        elif _is_whole(system, name):
            array = _of_family(system, name, value)
            if isinstance(array, xarray.DataArray):
                varied[name.replace(" ", "")] = array
            else:
                profiles[name.replace(" ", "")] = array
        elif isinstance(value, xarray.DataArray):
            varied[name] = value
        else:
            varied[name] = xarray.DataArray(to_array(name, value), dims=("member",))
    arrays = {name.split("[")[0] for name in (*profiles, *varied) if _is_whole(system, name)}
    for name in (*single, *varied):
        if name.split("[")[0] in arrays and not _is_whole(system, name):
            raise ValueError(f"'{name}' is given beside all values of its family; put it into these")
    return single, profiles, varied


def _is_whole(system: IndexedSystem, name: str) -> bool:
    """Return whether the name is that of a family, as q or q[i], and not of one of its sites or lines."""
    stem = name.split("[")[0]
    return stem in system.families and name.replace(" ", "") in (stem, whole_name(system, stem))


def whole_name(system: IndexedSystem, name: str) -> str:
    """The name of a family with its index, q[i] for q, and any other name as it is."""
    if "[" in name or name not in system.families:
        return name
    return f"{name}[{system.along.get(name, ','.join(system.indices))}]"


def _of_family(system: IndexedSystem, name: str, value: Any) -> numpy.ndarray | xarray.DataArray:
    """The values at all sites in one row; or with their sites as last dimensions, and those of members before them."""
    sizes = _sizes(system, name.split("[")[0])
    shape = tuple(sizes.values())
    if isinstance(value, xarray.DataArray) and set(sizes) <= set(map(str, value.dims)):
        value = value.transpose(..., *sizes)
        if value.ndim > len(sizes) and value.shape[-len(sizes):] == shape:
            return value
    found = numpy.shape(value)
    if found == shape or found == (int(numpy.prod(shape)),):
        array = to_array(name, value.values if isinstance(value, xarray.DataArray) else value)
        return numpy.ascontiguousarray(array.reshape(-1), dtype=float)
    if not isinstance(value, xarray.DataArray) and len(found) == len(shape) + 1 and found[1:] == shape:
        return xarray.DataArray(to_array(name, value), dims=("member", *sizes))
    raise ValueError(f"'{name}' has shape {found}; give a value for each site, of shape {shape}")


def _sizes(system: IndexedSystem, family: str) -> dict[str, int]:
    """The dimensions of the values of a family at all sites."""
    if family in system.along:
        index = system.along[family]
        return {index: {**system.indices, **system.edges}[index]}
    return system.indices


def with_values(system: IndexedSystem, start: Mapping[str, Any], parameters: Mapping[str, Any]
                ) -> tuple[IndexedSystem, dict[str, Any], dict[str, Any]]:
    """A system whose text has the values of families that are given, and the rest of starts and parameters.

    Raises:
        ValueError: an array that has not one value for each site.
    """
    rest: list[dict[str, Any]] = []
    written: dict[str, dict[str, Any]] = {"initial": {}, "parameters": {}}
    for table, given in (("initial", start), ("parameters", parameters)):
        rest.append({})
        for key, value in given.items():
            name = str(key).replace(" ", "")
            if not _is_whole(system, name):
                rest[-1][name] = value
            elif not is_array(name, value):
                written[table][whole_name(system, name)] = value if isinstance(value, str) else float(value)
            else:
                array = _of_family(system, name, value)
                if isinstance(array, xarray.DataArray):
                    raise ValueError(f"'{name}' has shape {array.shape}; members of a sweep share an array over the sites: give "
                                     "one value for each site, or let hz.simulate make members")
                written[table][whole_name(system, name.split("[")[0])] = array.tolist()
    if any(written.values()):
        changed = System.from_text(with_families(system.text, written), system._file)
        assert isinstance(changed, IndexedSystem)
        system = changed
    return system, rest[0], rest[1]


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
    """A family over time and its sites; some sites of a grid that are not rows and columns are one dimension `site`."""
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
    families = {name: tuple(_sizes(system, name.split("[")[0])) for name in varied if _is_whole(system, name)}
    # One number for each member; of a family the one of the first site tells which members there are.
    numbers = {name: array.isel(dict.fromkeys(families.get(name, ()), 0), drop=True) for name, array in varied.items()}
    spread = dict(zip(numbers, xarray.broadcast(*numbers.values()), strict=True))
    first = next(iter(spread.values()))
    runs: list[xarray.Dataset] = []
    failures = numpy.empty(first.shape, dtype=object)
    with ProgressBar(progress) as report:
        for done, place in enumerate(numpy.ndindex(first.shape)):
            own = {name: float(array.values[place]) for name, array in spread.items() if name not in families}
            at = dict(zip(first.dims, place, strict=True))
            sites = {name: numpy.ascontiguousarray(
                varied[name].isel({dim: k for dim, k in at.items() if dim in varied[name].dims}).values.reshape(-1), dtype=float)
                for name in families}
            dataset, failures[place], _ = _one(system, {**single, **own}, {**profiles, **sites}, settings, None)
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
        if name in families:
            continue
        together = together.assign_coords({name if name in system.parameters else f"{name}_0": (first.dims, array.values)})
        for attribute in (f"parameters.{name}", f"initial.{name}"):
            together.attrs.pop(attribute, None)
    together.attrs["complete"] = int(not any(failures.ravel()))
    return together.assign_coords({name: values for name, values in first.coords.items() if name in first.dims})


def over_sites(system: IndexedSystem, dataset: xarray.Dataset,
               stacked: Callable[[numpy.ndarray], Any] | None = None) -> xarray.Dataset:
    """The dataset with one variable for each family in place of one for each of its sites, q[0], q[1], ..

    `stacked` gives the values of an array of such variables, by their names, with the dimensions of that array last.
    """
    widths = list(system.indices.values())
    fields: list[xarray.DataArray] = []
    for family in system.families:
        names = [str(name) for name in dataset.data_vars if str(name).startswith(f"{family}[")]
        if not names:
            continue
        labels = [name[len(family) + 1:-1] for name in names]
        sites = [int(numpy.ravel_multi_index([int(part) for part in label.split(",")], widths)) for label in labels]
        places = [numpy.unique(axis) for axis in numpy.unravel_index(sites, widths)]
        of_sites = numpy.array(names, dtype=object)
        dims, coordinates = [*dataset[names[0]].dims], dict(dataset[names[0]].coords)
        if numpy.prod([place.size for place in places]) == len(sites):
            of_sites, dims = of_sites.reshape([place.size for place in places]), [*dims, *system.indices]
            coordinates |= dict(zip(system.indices, places, strict=True))
        else:
            dims, coordinates = [*dims, "site"], {**coordinates, "site": labels}
        if stacked is None:
            values = numpy.stack([dataset[name].values for name in names], axis=-1)
            values = values.reshape(*values.shape[:-1], *of_sites.shape)
        else:
            values = stacked(of_sites)
        fields.append(xarray.DataArray(xarray.Variable(dims, values, dataset[names[0]].attrs), coordinates, name=family))
        dataset = dataset.drop_vars(names)
    together = xarray.merge([dataset, *fields], join="outer", compat="no_conflicts", combine_attrs="drop_conflicts")
    return together.assign_attrs(dataset.attrs)


def require_values(values: Mapping[str, Any]) -> None:
    """Raises TypeError for a value that is not a number, no text and no array."""
    for name, value in values.items():
        if not isinstance(value, (str, int, float, numpy.generic)) and not is_array(name, value):
            raise TypeError(f"'{name}' = {shown(value)}; a number, an expression as text, or an array is needed")
