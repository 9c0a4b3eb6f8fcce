"""Measurements of runs, with what is known of their noise and of their starts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy
import xarray

from herglotz.arguments import shown, to_array, to_finite, to_table
from herglotz.settings import given_settings
from herglotz.simulation import require_without_index

if TYPE_CHECKING:
    from herglotz.system import System


@dataclass(frozen=True)
class MeasuredRun:
    """Measurements of one run.

    Attributes:
        times: when they were measured
        series: values by column; NaN is a missing one
        deviations: standard deviations of the values by column, if they are given
        parameters: values of parameters that are given
        initial: what is given beside the system's own
    """

    times: numpy.ndarray
    series: Mapping[str, numpy.ndarray]
    deviations: Mapping[str, list[float]]
    initial: Mapping[str, float]
    parameters: Mapping[str, float]


def measured_runs(system: System, data: Any, noise: Any, start: Any) -> tuple[list[MeasuredRun], float]:
    """The runs of the data, and the noise that all values have in common; 0 without one."""
    tables = [_table(system, entry) for entry in data] if isinstance(data, (list, tuple)) else [_table(system, data)]
    if not tables:
        raise ValueError("data = []; the measurements of at least one run are needed")
    common = 0.0 if noise is None or isinstance(noise, (Mapping, list, tuple)) else _positive(noise)
    deviations = [None] * len(tables) if common else _noise_of_runs(noise, [series for _, series in tables])
    runs = []
    for (times, series), spread, begin in zip(tables, deviations, for_each("start", start, len(tables))):
        values = {str(name): to_finite(str(name), value) for name, value in system._named(to_table("start", begin)).items()}
        constants = {name: values.pop(name) for name in system.parameters if name in values}
        runs.append(MeasuredRun(times, series, _deviations(spread, series), values, constants))
    return runs, common


def settings_of_data(system: System, settings: Mapping[str, Any], what: str) -> dict[str, Any]:
    """The settings of runs to the times of data. Raises ValueError for others, and for models with an index."""
    given = given_settings(settings)
    for name in ("t_end", "output_every", "output_step", "columns"):
        if given.pop(name, None) is not None:
            raise ValueError(f"{name} is given, and a {what} has the times of its data; leave it out")
    require_without_index(system, what)
    return given


def for_each(name: str, value: Any, runs: int) -> list[Any]:
    """A value for all runs, or one for each run."""
    if not isinstance(value, (list, tuple)):
        return [value] * runs
    if len(value) != runs:
        raise ValueError(f"{name} has {len(value)} entries, and the data are of {runs} run{'s' if runs > 1 else ''}; give one "
                         "for each run, or one for all")
    return list(value)


def _table(system: System, data: Any) -> tuple[numpy.ndarray, dict[str, numpy.ndarray]]:
    time = str(system.time)
    if isinstance(data, xarray.Dataset):
        if time not in data.dims:
            raise ValueError(f"the data have no dimension {time}; their dimensions are {', '.join(map(str, data.dims))}")
        columns = {str(name): array.values for name, array in data.data_vars.items() if array.dims == (time,)}
        columns[time] = data[time].values
    else:
        try:
            names = [str(name) for name in data]
            columns = {} if len(set(names)) < len(names) else {str(name): numpy.asarray(data[name]) for name in data}
        except (TypeError, ValueError, KeyError):
            raise TypeError(f"data = {shown(data)}; an xarray.Dataset, or a table of numbers by column is needed") from None
        if twice := next((name for name in names if names.count(name) > 1), None):
            raise ValueError(f"the data have two columns {twice}; give values that were measured twice as those of two runs")
        if time not in columns:
            raise ValueError(f"the data have no column {time}; give the times")
    numbers = {name: _numbers(name, array) for name, array in columns.items()}
    return numbers.pop(time), numbers


def _numbers(name: str, values: Any) -> numpy.ndarray:
    """A column of the data. Raises TypeError if it does not consist of numbers, ValueError if it is no list of them."""
    array = numpy.ma.filled(numpy.ma.asarray(values, dtype=float), numpy.nan) if isinstance(values, numpy.ma.MaskedArray) \
        else numpy.asarray(values)
    if array.dtype.kind in "mM":
        raise TypeError(f"column {name} of the data has dates or durations; give numbers, such as seconds from the start")
    if array.ndim != 1:
        raise ValueError(f"column {name} of the data has shape {array.shape}; give one value for each time")
    try:
        return array.astype(float)
    except (TypeError, ValueError):
        raise TypeError(f"column {name} of the data has {shown(array.tolist())}; give numbers, NaN for missing ones") from None


def _positive(noise: Any) -> float:
    value = to_finite("noise", noise)
    if value <= 0:
        raise ValueError(f"noise = {shown(noise)}; a positive standard deviation is needed, or leave it out")
    return value


def _noise_of_runs(noise: Any, tables: Sequence[Mapping[str, numpy.ndarray]]) -> list[Any]:
    """What is given for each run; of one mapping for all, what is for its columns."""
    if not isinstance(noise, Mapping):
        return for_each("noise", noise, len(tables))
    _require_columns(noise, dict.fromkeys(name for series in tables for name in series))
    return [{name: value for name, value in noise.items() if str(name) in series} for series in tables]


def _require_columns(noise: Mapping[Any, Any], columns: Mapping[str, Any]) -> None:
    for name in noise:
        if str(name) not in columns:
            raise ValueError(f"noise of {name}, which the data do not have; there are {', '.join(columns) or 'no columns'}")


def _deviations(noise: Any, series: Mapping[str, numpy.ndarray]) -> dict[str, list[float]]:
    """Standard deviations of the values of a run, by column."""
    if noise is None:
        return {}
    by_column = noise if isinstance(noise, Mapping) else dict.fromkeys(series, _positive(noise))
    _require_columns(by_column, series)
    found = {}
    for name, value in by_column.items():
        array, rows = to_array(f"noise of {name}", value), series[str(name)].shape
        if array.shape not in ((), rows):
            raise ValueError(f"the noise of {name} has shape {array.shape}; give a number, or {rows[0]} of them")
        spread = numpy.broadcast_to(array, rows)
        if not (spread[~numpy.isnan(series[str(name)])] > 0).all():
            raise ValueError(f"the noise of {name} is not positive; give a positive standard deviation for each measured value")
        found[str(name)] = spread.tolist()
    return found
