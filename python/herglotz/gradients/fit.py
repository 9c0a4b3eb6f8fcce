"""Parameters and initial values from measurements."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy
import xarray

from herglotz import _herglotz
from herglotz._model import key_of
from herglotz.arguments import shown, to_finite, to_table
from herglotz.dataset import RunError, to_dataset
from herglotz.settings import RunSettings, documented, given_settings, require_known
from herglotz.simulation import require_without_index

if TYPE_CHECKING:
    import matplotlib.axes
    from typing_extensions import Unpack

    from herglotz.system import System


@dataclass(frozen=True, eq=False)
class Fit:
    """What a fit found."""

    parameters: Mapping[str, float]  #: every unknown, initial values among them
    deviations: Mapping[str, float]  #: their standard deviations; NaN for what the data do not determine
    covariance: xarray.DataArray  #: over `unknown` twice
    residuals: xarray.Dataset  #: measured minus fitted, by column over time; NaN where a value is missing
    noise: Mapping[str, float]  #: standard deviation of every column, given or estimated
    durbin_watson: Mapping[str, float]  #: near 2 where residuals do not follow from their predecessors
    runs: Mapping[str, float]  #: runs of one sign beyond those expected, in standard deviations
    combinations: Sequence[tuple[float, Mapping[str, float], bool]]
    """(singular value, share of each unknown, whether the data determine it) of combinations of the unknowns."""
    identifiable: bool  #: whether the data determine all of them
    chi_squared: float
    log_likelihood: float
    samples: int
    iterations: int
    run: xarray.Dataset  #: the run with the estimates

    def plot(self, axes: matplotlib.axes.Axes | None = None) -> matplotlib.axes.Axes:
        """The measurements with the fitted run."""
        import matplotlib.pyplot
        axes = axes if axes is not None else matplotlib.pyplot.gca()
        for name, residual in self.residuals.data_vars.items():
            line, = axes.plot(self.run[self.run.hz.time], self.run[name], label=str(name))
            fitted = self.run[name].sel({self.run.hz.time: residual[self.run.hz.time]}).values
            axes.plot(residual[self.run.hz.time], fitted + residual, ".", color=line.get_color())
        axes.set_xlabel(self.run.hz.time)
        axes.legend()
        return axes

    def __repr__(self) -> str:
        found = ", ".join(f"{name} = {value:.6g} +- {self.deviations[name]:.2g}" for name, value in self.parameters.items())
        return f"<herglotz.Fit {found}; chi squared {self.chi_squared:.4g} of {self.samples} values>"


@documented(RunSettings)
def fit(system: System, data: Any, parameters: Sequence[Any] = (), *, initial: Sequence[Any] = (),
        noise: float | Mapping[Any, Any] | None = None, bounds: Mapping[Any, tuple[float | None, float | None]] | None = None,
        start: Mapping[Any, float] | None = None, **settings: Unpack[RunSettings]) -> Fit:
    """Fits parameters and initial values to measurements by weighted least squares.

    >>> fit = hz.fit(system, data, parameters=["gamma", "k"], initial=["theta"], noise=0.01)
    >>> fit.parameters["gamma"], fit.deviations["gamma"]

    Args:
        system: what moves; the search starts from its values.
        data: an xarray.Dataset over the time, or a table (a pandas.DataFrame, a mapping of arrays) with the time and columns
            of a run. NaN is a missing value; times ascend and need not be evenly spaced.
        parameters: names of the parameters to be found.
        initial: names of the initial values to be found.
        noise: standard deviation of the values, or by column, there also one for each value; estimated if left out.
        bounds: (lower, upper) by name; None is no bound.
        start: values of parameters and initial values to start from, over those of the system.
        **settings: `method`, `step`, `tolerance`, `project`, as for `simulate`.

    Raises:
        ValueError: names that are not there, times that do not ascend, fewer values than unknowns.
        RunError: the first run failed, or no minimum was reached.
    """
    require_known(fit, RunSettings, settings)
    given = given_settings(settings)
    for name in ("t_end", "output_every", "output_step", "columns"):
        if given.pop(name, None) is not None:
            raise ValueError(f"{name} is given, and a fit has the times of its data; leave it out")
    require_without_index(system, "fit")
    names = [key_of(name, system._functions) for name in (*parameters, *initial)]
    times, series = _table(system, data)
    common, deviations = _noise(noise, len(times))
    limits = {key_of(name, system._functions): pair for name, pair in to_table("bounds", bounds).items()}
    if unknown := set(limits) - set(names):
        raise ValueError(f"bounds of {', '.join(sorted(unknown))}, which are not fitted; name them in parameters or initial")
    begin = {str(name): to_finite(str(name), value) for name, value in system._named(to_table("start", start)).items()}
    constants = {name: value for name, value in begin.items() if name in system.parameters}
    values = {name: value for name, value in begin.items() if name not in constants}
    for name in initial:
        values.setdefault(key := key_of(name, system._functions), system.initial.get(key, 0.0))
    second = given.pop("next", {})
    try:
        found = _herglotz.fitted(system._model, times.tolist(), {name: array.tolist() for name, array in series.items()},
                                 deviations, [(name, *_limit(limits.get(name))) for name in names], common, values,
                                 constants, given, second)
    except IndexError as error:
        raise ValueError(str(error)) from None
    except RuntimeError as error:
        raise RunError(str(error), None) from None
    result = _result(found, names, str(system.time), times)
    if not found["converged"]:
        raise RunError(found["status"], result)
    return result


def _result(found: dict[str, Any], names: list[str], time: str, times: numpy.ndarray) -> Fit:
    left = found["series"]
    residuals = xarray.Dataset({column: ((time,), array) for column, _, array, *_ in left}, coords={time: times})
    covariance = xarray.DataArray(found["covariance"], dims=("unknown", "with"), coords={"unknown": names, "with": names})
    return Fit({name: value for name, (value, _, _) in found["estimates"].items()},
               {name: deviation for name, (_, deviation, _) in found["estimates"].items()}, covariance, residuals,
               {entry[0]: entry[3] for entry in left}, {entry[0]: entry[5] for entry in left},
               {entry[0]: entry[6] for entry in left},
               [(size, dict(zip(names, shares)), known) for size, shares, known in found["combinations"]],
               found["identifiable"], found["chi_squared"], found["log_likelihood"], found["samples"], found["iterations"],
               to_dataset(found["run"].arrays, dict(found["run"].facts)))


def _table(system: System, data: Any) -> tuple[numpy.ndarray, dict[str, numpy.ndarray]]:
    time = str(system.time)
    if isinstance(data, xarray.Dataset):
        if time not in data.dims:
            raise ValueError(f"the data have no dimension {time}; their dimensions are {', '.join(map(str, data.dims))}")
        columns = {str(name): array.values for name, array in data.data_vars.items() if array.dims == (time,)}
        times = data[time].values
    else:
        try:
            columns = {str(name): numpy.asarray(data[name], dtype=float) for name in data}
        except (TypeError, ValueError, KeyError):
            raise TypeError(f"data = {shown(data)}; an xarray.Dataset, or a table of numbers by column is needed") from None
        if time not in columns:
            raise ValueError(f"the data have no column {time}; give the times")
        times = columns.pop(time)
    return numpy.asarray(times, dtype=float), {name: numpy.asarray(array, dtype=float) for name, array in columns.items()}


def _noise(noise: Any, rows: int) -> tuple[float, dict[str, list[float]]]:
    if noise is None:
        return 0.0, {}
    if isinstance(noise, Mapping):
        return 0.0, {str(name): numpy.broadcast_to(numpy.asarray(value, dtype=float), rows).tolist()
                     for name, value in noise.items()}
    value = to_finite("noise", noise)
    if value <= 0:
        raise ValueError(f"noise = {shown(noise)}; a positive standard deviation is needed, or leave it out")
    return value, {}


def _limit(pair: Any) -> tuple[float, float]:
    lower, upper = pair if pair is not None else (None, None)
    return (-numpy.inf if lower is None else to_finite("bounds", lower),
            numpy.inf if upper is None else to_finite("bounds", upper))
