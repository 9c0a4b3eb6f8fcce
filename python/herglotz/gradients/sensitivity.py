"""Derivatives of runs by parameters and initial values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import xarray

from herglotz import _herglotz
from herglotz._model import key_of
from herglotz.arguments import is_array, shown, to_names, to_number
from herglotz.dataset import RunError, to_dataset
from herglotz.events import with_events

if TYPE_CHECKING:
    from herglotz.system import System

VARIABLE = "sensitivity"  #: of a dataset, over time, `column` and `wrt`


def differentiated(system: System, initial: Mapping[Any, Any], parameters: Mapping[Any, Any], settings: dict[str, Any],
                   wrt: Sequence[Any]) -> xarray.Dataset:
    """The dataset of a run with its derivatives. Raises RunError where the run fails, or has no derivatives."""
    names = to_names("sensitivities", [key_of(name, system._functions) for name in wrt])
    if not names:
        raise ValueError("sensitivities = []; name parameters or initial values")
    for values in (initial, parameters):
        for name, value in values.items():
            if is_array(str(name), value):
                raise ValueError(f"'{name}' is an array, and sensitivities are those of one run; call simulate for each")
    start = {str(name): to_number(str(name), value) for name, value in initial.items()}
    constants = {str(name): to_number(str(name), value) for name, value in parameters.items()}
    second = settings.pop("next", {})
    kept = settings.pop("columns", None)
    reached, columns, values = _herglotz.differentiated(system._model, start, constants, settings, second, names)
    arrays = [entry for entry in reached.arrays if not kept or entry[1] == "time" or entry[0] in kept]
    dataset = with_events(to_dataset(arrays, dict(reached.facts)), reached.events)
    if reached.failure:
        raise RunError(reached.failure, dataset)
    time = next(name for name, role, _ in reached.arrays if role == "time")
    array = xarray.DataArray(values, dims=(time, "column", "wrt"),
                             coords={time: dataset[time], "column": columns, "wrt": names},
                             attrs={"long_name": "derivative of the computed run"})
    return dataset.assign({VARIABLE: array if not kept else array.sel(column=[name for name in columns if name in kept])})


def sensitivity_of(dataset: xarray.Dataset) -> xarray.DataArray:
    """The derivatives of a run. Raises ValueError for a run without them."""
    if VARIABLE not in dataset:
        raise ValueError(f"this run has no derivatives; give hz.simulate(..., sensitivities={shown(['gamma'])})")
    return dataset[VARIABLE]
