"""Families of a run as pictures of its report."""

from __future__ import annotations

from typing import Any

import numpy
import xarray

_LINE = (200, 300)  # the most moments, and the most sites along an index
_GRID = (30, 64)
_FEWEST = 4

Picture = tuple[str, str, list[tuple[str, list[int]]], list[float], numpy.ndarray]


def pictures(dataset: xarray.Dataset) -> tuple[list[Picture], xarray.Dataset]:
    """The families of a run over its sites, thinned for a page, and the dataset without them."""
    time = next((str(name) for name, variable in dataset.variables.items() if variable.attrs.get("role") == "time"), None)
    families = [name for name, variable in dataset.data_vars.items()
                if "role" in variable.attrs and variable.ndim > 1 and variable.dims[0] == time]
    return [_picture(str(name), dataset[name]) for name in families if dataset[name][0].size >= _FEWEST
            and "site" not in dataset[name].dims], dataset.drop_vars(families)


def _picture(name: str, values: xarray.DataArray) -> Picture:
    moments, sites = _GRID if values.ndim > 2 else _LINE
    time, *indices = map(str, values.dims)
    kept = values.isel({time: _spread(values.sizes[time], moments), **{i: _spread(values.sizes[i], sites) for i in indices}})
    axes = [(i, [int(place) for place in kept[i].values]) for i in indices]
    return name, values.attrs["role"], axes, kept[time].values.tolist(), numpy.ascontiguousarray(kept.values.reshape(-1))


def _spread(count: int, most: int) -> Any:
    """All places, or `most` of them at even distances with both ends."""
    return numpy.arange(count) if count <= most else numpy.arange(most) * (count - 1) // (most - 1)
