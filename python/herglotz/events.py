"""States at the events of a run, in its dataset: variables `event.<column>` over the dimension `event`."""

from __future__ import annotations

from typing import Any

import numpy
import xarray

_DIMENSION = "event"
_PREFIX = "event."

Crossings = list[tuple[str, list[tuple[str, str, Any]]]]


def with_events(dataset: xarray.Dataset, crossings: Crossings) -> xarray.Dataset:
    """The dataset and the states at its events, in the order of the run; unchanged where the system has none."""
    if not crossings:
        return dataset
    counts = [columns[0][2].size for _, columns in crossings]
    names = numpy.repeat([name for name, _ in crossings], counts)
    columns = [(name, role, numpy.concatenate([states[k][2] for _, states in crossings]))
               for k, (name, role, _) in enumerate(crossings[0][1])]
    time, times = next((name, values) for name, role, values in columns if role == "time")
    backwards = dataset.sizes[time] > 1 and dataset[time][-1] < dataset[time][0]
    order = numpy.argsort(-times if backwards else times, kind="stable")
    variables = {_PREFIX + name: (_DIMENSION, values[order], {"event_role": role}) for name, role, values in columns}
    return dataset.assign(variables).assign_coords({_DIMENSION: names[order]})


def events_of(dataset: xarray.Dataset) -> xarray.Dataset:
    """The columns of the trajectory at the events of a run; the dimension `event` holds their names."""
    if _DIMENSION not in dataset.dims:
        raise ValueError("this run watched no events: those of a system are its `events`, and a batch keeps none")
    found = {str(name)[len(_PREFIX):]: (_DIMENSION, column.values, {"role": column.attrs["event_role"]})
             for name, column in dataset.data_vars.items() if str(name).startswith(_PREFIX)}
    return xarray.Dataset(found, {_DIMENSION: dataset[_DIMENSION].values})
