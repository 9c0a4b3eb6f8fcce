"""Plots of a trajectory; every one returns its matplotlib axes."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy
import xarray

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_ROUND_OFF = float(numpy.finfo(float).eps)


class Plots:
    """`dataset.hz.plot.<name>()`; `ax` puts a plot into axes of yours. Batches are drawn with a line for each member,
    coloured by what varies over them."""

    def __init__(self, dataset: xarray.Dataset, names: Callable[[str], list[str]]):
        self._dataset = dataset
        self._names = names

    def __repr__(self) -> str:
        return ("<herglotz.Plots: trajectory, phase_space, energy_balance, invariants, residuals, constraint_residuals, "
                "work_precision>")

    def trajectory(self, *columns: str, ax: Axes | None = None) -> Axes:
        """Columns against time: the positions and velocities where none are named."""
        return self._lines(columns or (*self._names("base"), *self._names("fibre")), ax, "")

    def phase_space(self, x: str | None = None, y: str | None = None, *, ax: Axes | None = None) -> Axes:
        """One column against another: the first position and velocity where none are named."""
        fibre = self._names("fibre")
        x = x or (self._names("base") or fibre)[0]
        y = y or (fibre[0] if self._names("base") else fibre[1])
        ax = _axes(ax)
        xs, ys = self._values(x), self._values(y)
        members = self._members(x) if xs.shape[1] > 1 else None
        for k in range(xs.shape[1]):
            ax.plot(xs[:, k], ys[:, k], **({} if members is None else {"color": members.color(k)}))
        if members is not None:
            members.add_scale(ax)
        ax.set(xlabel=x, ylabel=y)
        return ax

    def energy_balance(self, *, ax: Axes | None = None) -> Axes:
        """The Herglotz energy and its dissipated invariant."""
        return self._lines(("energy", "energy_invariant"), ax, "energy")

    def invariants(self, *, ax: Axes | None = None) -> Axes:
        """Every dissipated invariant relative to its value at the start."""
        def relative(values: Any) -> Any:
            start = values[:1]
            return numpy.where(start != 0, values / numpy.where(start != 0, start, 1) - 1, values)
        return self._lines(self._names("invariant"), ax, "relative change", relative)

    def residuals(self, *, ax: Axes | None = None) -> Axes:
        """Draws the residual of every balance law."""
        return self._magnitudes(self._names("residual"), ax, "relative residual")

    def constraint_residuals(self, *, ax: Axes | None = None) -> Axes:
        """Values of the constraints, which should be round-off."""
        names = self._names("constraint")
        if not names:
            raise ValueError("this run has no constraints")
        return self._magnitudes(names, ax, "constraint")

    def work_precision(self, work: str = "wall_seconds", *, ax: Axes | None = None) -> Axes:
        """Errors of methods against what they cost, of a dataset that herglotz.work_precision made."""
        return work_precision(self._dataset, work, ax=ax)

    @property
    def _time(self) -> str:
        times = [name for name in self._names("time") if name in self._dataset.dims]
        if not times:
            raise ValueError("this dataset has no times: it does not come from a run, or keeps only the last states")
        return times[0]

    def _values(self, name: str) -> Any:
        """(times, members): one member for a single run."""
        if name not in self._dataset:
            raise ValueError(f"no column '{name}'; there are {', '.join(map(str, self._dataset.data_vars))}")
        column = self._dataset[name].transpose(self._time, ...)
        return column.values.reshape(column.shape[0], -1)

    def _lines(self, columns: Any, ax: Axes | None, label: str,
               of: Callable[[Any], Any] = lambda values: values) -> Axes:
        """Columns against time; the members of a batch have a colour each, and its columns a line style each."""
        ax, times = _axes(ax), self._dataset[self._time].values
        members: _Members | None = None
        for name, style in zip(columns, itertools.cycle(("-", "--", ":", "-."))):
            values = of(self._values(name))
            if values.shape[1] == 1:
                ax.plot(times, values[:, 0], label=name)
                continue
            members = members or self._members(name)
            for k in range(values.shape[1]):
                ax.plot(times, values[:, k], color=members.color(k), linestyle=style, label=name if k == 0 else None)
        if members is not None:
            members.add_scale(ax)
        ax.set(xlabel=self._time, ylabel=label)
        ax.legend()
        return ax

    def _members(self, column: str) -> _Members:
        """The colours of the members of a batch: by the first quantity that varies over them, or by their numbers."""
        own = self._dataset[column].transpose(self._time, ...).isel({self._time: 0}, drop=True)
        for name, values in own.coords.items():
            if values.ndim > 0 and values.size > 1 and numpy.issubdtype(values.dtype, numpy.number):
                return _Members(str(name), numpy.asarray(values.broadcast_like(own).transpose(*own.dims)).ravel())
        return _Members("member", numpy.arange(own.size))

    def _magnitudes(self, columns: list[str], ax: Axes | None, label: str) -> Axes:
        ax = self._lines(columns, ax, label, lambda values: numpy.maximum(abs(values), _ROUND_OFF / 10))
        ax.set_yscale("log")
        return ax


class SolutionPlots:
    """`solution.plot()` draws states, controls and costates; `solution.plot.<name>()` one of them into axes of yours."""

    def __init__(self, solution: Any):
        self._solution = solution

    def __call__(self) -> Figure:
        """States, controls with their switches, and costates below each other."""
        import matplotlib.pyplot as plt
        drawn = [draw for draw, there in ((self.states, True), (self.controls, len(self._solution.controls.data_vars) > 0),
                                          (self.costates, True)) if there]
        figure, axes = plt.subplots(len(drawn), sharex=True, squeeze=False, layout="constrained")
        for ax, draw in zip(axes[:, 0], drawn):
            draw(ax=ax)
        return figure

    def states(self, *, ax: Axes | None = None) -> Axes:
        """The states against time, without the action of the cost."""
        return self._lines(list(self._solution.states.data_vars)[:-1], ax, "states")

    def controls(self, *, ax: Axes | None = None) -> Axes:
        """The controls against time, with dotted lines at their switches."""
        ax = self._lines(list(self._solution.controls.data_vars), ax, "controls")
        for times in self._solution.switching_times.values():
            for t in times:
                ax.axvline(t, color="grey", linestyle=":", linewidth=1)
        return ax

    def costates(self, *, ax: Axes | None = None) -> Axes:
        """The costates against time, without the price of cost."""
        return self._lines(list(self._solution.costates.data_vars)[:-1], ax, "costates")

    def _lines(self, names: Any, ax: Axes | None, label: str) -> Axes:
        ax = _axes(ax)
        time = self._solution.hz.time
        for name in names:
            ax.plot(self._solution[time], self._solution[name], label=name)
        ax.set(xlabel=time, ylabel=label)
        ax.legend()
        return ax

    def __repr__(self) -> str:
        return "<herglotz.SolutionPlots: states, controls, costates; call it for all>"


class _Members:
    """Colours by value: on a logarithmic scale where the values are positive and span two decades or more."""

    def __init__(self, label: str, values: numpy.ndarray):
        from matplotlib import cm, colors
        self._label, self._values = label, values.astype(float)
        low, high = float(self._values.min()), float(self._values.max())
        norm = colors.LogNorm(low, high) if low > 0 and high >= 100 * low else colors.Normalize(low, high)
        self._scale = cm.ScalarMappable(norm, "viridis")

    def color(self, member: int) -> Any:
        return self._scale.to_rgba(self._values[member])

    def add_scale(self, ax: Axes) -> None:
        """The colours beside the plot, with the values that they stand for."""
        ax.figure.colorbar(self._scale, ax=ax, label=self._label)


def work_precision(dataset: xarray.Dataset, work: str = "wall_seconds", *, ax: Axes | None = None) -> Axes:
    """Errors of methods against what they cost: "wall_seconds", or "steps". A dotted line is how well the reference is known."""
    if work not in ("wall_seconds", "steps"):
        raise ValueError(f"no work '{work}'; there are wall_seconds and steps")
    if not {"error", work} <= set(dataset.data_vars):
        raise ValueError("this is not a dataset of herglotz.work_precision")
    ax = _axes(ax)
    for name in dataset.integrator.values:
        of = dataset.sel(integrator=name)
        ax.loglog(of[work], numpy.maximum(of["error"], _ROUND_OFF / 10), marker="o", label=str(name))
    if dataset.attrs["reference_error"] > 0:
        ax.axhline(dataset.attrs["reference_error"], color="grey", linestyle=":", linewidth=1)
    ax.set(xlabel=dataset[work].attrs["long_name"], ylabel=dataset["error"].attrs["long_name"])
    ax.legend()
    return ax


def _axes(ax: Axes | None) -> Axes:
    if ax is not None:
        return ax
    import matplotlib.pyplot as plt
    return plt.subplots()[1]
