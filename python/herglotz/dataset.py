"""Trajectories as xarray datasets."""

from __future__ import annotations

import os
from collections.abc import Hashable
from typing import TYPE_CHECKING, Any

import numpy
import xarray
from xarray.indexes import PandasIndex

from .events import events_of
from .plots import Plots

if TYPE_CHECKING:
    from .notebook.motion import MotionView
    from .report import Report

_LONG_NAMES = {"time": "time", "base": "position", "fibre": "velocity", "action": "action", "multiplier": "multiplier",
               "energy": "Herglotz energy", "factor": "integrating factor", "invariant": "dissipated invariant",
               "residual": "residual of a balance law", "momentum": "momentum", "constraint": "constraint residual",
               "observable": "observable"}
_ATTRIBUTES = {role: {"role": role, "long_name": long_name} for role, long_name in _LONG_NAMES.items()}


def attributes_of(role: str) -> dict[str, str]:
    """Attributes of a column of that role."""
    return dict(_ATTRIBUTES[role])


class RunError(RuntimeError):
    """A run that failed on its way; `reached` is what was computed before: a dataset, or the Run of `herglotz.run`."""

    def __init__(self, message: str, reached: Any):
        super().__init__(message)
        self.reached = reached

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (str(self), self.reached)


def to_dataset(columns: list[tuple[str, str, Any]], facts: dict[str, Any],
               dimensions: tuple[str, ...] | None = None) -> xarray.Dataset:
    """Columns (name, role, values) over the dimension of time (or those given), without copies; facts as attributes.

    Built as xarray builds datasets inside, since nothing here needs to be aligned or merged: the public constructor takes
    many times as long.
    """
    time, times = next((name, values) for name, role, values in columns if role == "time")
    index, coordinate = _time_axis(time, times)
    variables = {time: coordinate}
    dimensions = dimensions or (time,)
    for name, role, values in columns:
        if role != "time":
            variables[name] = _variable(dimensions, values, role)
    sizes = dict(zip(dimensions, columns[-1][2].shape))
    return xarray.Dataset._construct_direct(variables, {time}, sizes, facts, {time: index})


_PARTS = {"_dims", "_data", "_attrs", "_encoding"}
_AS_KNOWN = {slot for kind in xarray.Variable.__mro__ for slot in getattr(kind, "__slots__", ())} - {"__weakref__"} == _PARTS


def _variable(dimensions: tuple[Hashable, ...], values: Any, role: str,
              kind: type[xarray.Variable] = xarray.Variable) -> xarray.Variable:
    """As its constructor makes it, which looks at values and attributes for several times as long as this takes."""
    if not _AS_KNOWN:  # another version of xarray
        return kind(dimensions, values, _ATTRIBUTES[role], None, True)
    variable = kind.__new__(kind)
    variable._dims, variable._data, variable._attrs, variable._encoding = dimensions, values, _ATTRIBUTES[role].copy(), None
    return variable


_SHORT = 4096  # rows up to which an axis is kept
_last_axis: tuple[str, bytes, PandasIndex, xarray.Variable] | None = None


def _time_axis(name: str, times: numpy.ndarray) -> tuple[PandasIndex, xarray.Variable]:
    """The index of the times of rows, and its coordinate.

    They cost as much as a short run, and short runs come in loops over the same times: a run takes those of the run before
    it where the times are equal. What is kept is a copy that nobody can write to.
    """
    global _last_axis
    if times.size > _SHORT:
        return _new_axis(name, times)
    last = _last_axis  # read once: other threads may replace it
    if last is None or last[0] != name or last[1] != times.tobytes():
        known = times.copy()
        known.flags.writeable = False
        last = _last_axis = (name, known.tobytes(), *_new_axis(name, known))
    return last[2], _variable(last[3].dims, last[3]._data, "time", xarray.IndexVariable)


def _new_axis(name: str, times: numpy.ndarray) -> tuple[PandasIndex, xarray.Variable]:
    index = PandasIndex(times, name)
    time = xarray.Variable((name,), times, _ATTRIBUTES["time"], fastpath=True)
    return index, index.create_variables({name: time})[name]


@xarray.register_dataset_accessor("hz")
class Accessor:
    """Pictures, names and reports of a trajectory: `dataset.hz.plot.energy_balance()`."""

    def __init__(self, dataset: xarray.Dataset):
        self._dataset = dataset

    def names(self, role: str) -> list[str]:
        """Columns of a role: base, fibre, action, multiplier, invariant, residual, momentum, constraint, observable."""
        return [str(name) for name, column in self._dataset.variables.items() if column.attrs.get("role") == role]

    @property
    def time(self) -> str:
        """The name of the time dimension."""
        return self.plot._time

    @property
    def events(self) -> xarray.Dataset:
        """The states at the events of the run: its columns over the dimension `event`, which holds their names."""
        return events_of(self._dataset)

    @property
    def sensitivity(self) -> xarray.DataArray:
        """Derivatives of the columns by parameters and initial values, over time, `column` and `wrt`."""
        from .gradients.sensitivity import sensitivity_of  # it builds on what is defined here
        return sensitivity_of(self._dataset)

    def __repr__(self) -> str:
        model = self._dataset.attrs.get("model", "a dataset")
        return f"<herglotz accessor of {model}: time, events, sensitivity, names(role), plot, report(), view()>"

    def report(self, file: str | os.PathLike[str] | None = None, *, live: bool = False) -> Report:
        """The HTML report of this run; notebooks display it. `file` is where to write it, too; `live` adds sliders."""
        from .report import report  # it builds on what is defined here
        return report(self._dataset, file=file, live=live)

    def view(self, height: int = 620) -> MotionView:
        """The motion of this run as a widget of a notebook, with curves; its `time` is read and set from Python.

        Raises:
            ImportError: anywidget is missing; `pip install "herglotz[notebook]"` brings it.
        """
        from .notebook import motion_view  # anywidget is asked for by those who use it
        return motion_view(self._dataset, height)

    @property
    def plot(self) -> Plots:
        return Plots(self._dataset, self.names)
