"""Parameters and initial values from measurements."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy
import xarray

from herglotz import _herglotz
from herglotz._model import key_of
from herglotz.arguments import to_count, to_finite, to_list, to_table
from herglotz.dataset import RunError, to_dataset
from herglotz.gradients.measurements import measured_runs, settings_of_data
from herglotz.settings import RunSettings, documented, require_known

if TYPE_CHECKING:
    import matplotlib.axes
    from typing_extensions import Unpack

    from herglotz.system import System


@dataclass(frozen=True, eq=False)
class Profile:
    """The profile likelihood of an unknown: this one held at values beside its estimate, and all others fitted again.

    Attributes:
        lower: lower end of the interval of confidence of 95 %; minus infinity if the data set no bound
        upper: upper end of that interval; infinity if the data set no bound
        rise: chi squared over the values of the unknown, above that of the fit
        status: "complete", or why a side has no end, or that chi squared is smaller elsewhere
    """

    lower: float
    upper: float
    rise: xarray.DataArray
    status: str

    def plot(self, axes: matplotlib.axes.Axes | None = None) -> matplotlib.axes.Axes:
        """The rise of chi squared, with the line at 3.84 that it passes at the ends of the interval."""
        import matplotlib.pyplot
        axes = axes if axes is not None else matplotlib.pyplot.gca()
        name = str(self.rise.dims[0])
        axes.plot(self.rise[name], self.rise, ".-")
        axes.axhline(_THRESHOLD, color="grey", linestyle="--")
        axes.set_xlabel(name)
        axes.set_ylabel("rise of chi squared")
        return axes


_THRESHOLD = 3.841458820694124  # the 95 % quantile of chi squared with one degree of freedom


@dataclass(frozen=True, eq=False)
class Fit:
    """Result of a fit.

    Attributes:
        parameters: every unknown, initial values among them; "theta[2]" is that of the second of several runs
        deviations: their standard deviations; NaN for what the data do not determine
        covariance: over `unknown` twice
        residuals: measured minus fitted, by column over time, NaN where a value is missing; a list where the data are one
        noise: standard deviation, given (its root mean square) or estimated; by column, "q[2]" in the second of several runs
        durbin_watson: near 2 where residuals do not follow from their predecessors; by column likewise
        runs: runs of one sign beyond those expected, in standard deviations
        combinations: (singular value, share of each unknown, whether the data determine it) of combinations of the unknowns
        identifiable: whether the data determine all of them
        chi_squared: the sum of squared residuals over their standard deviations
        log_likelihood: of the estimates
        samples: how many values were measured
        iterations: of the least-squares method
        run: the run with the estimates; a list where the data are one
        profiles: of the unknowns whose profile was asked for
        warnings: why the standard deviations may be wrong; empty if no test says so
    """

    parameters: Mapping[str, float]
    deviations: Mapping[str, float]
    covariance: xarray.DataArray
    residuals: xarray.Dataset | list[xarray.Dataset]
    noise: Mapping[str, float]
    durbin_watson: Mapping[str, float]
    runs: Mapping[str, float]
    combinations: Sequence[tuple[float, Mapping[str, float], bool]]
    identifiable: bool
    chi_squared: float
    log_likelihood: float
    samples: int
    iterations: int
    run: xarray.Dataset | list[xarray.Dataset]
    profiles: Mapping[str, Profile]
    warnings: Sequence[str]

    def plot(self, axes: matplotlib.axes.Axes | None = None) -> matplotlib.axes.Axes:
        """The measurements with the fitted runs."""
        import matplotlib.pyplot
        axes = axes if axes is not None else matplotlib.pyplot.gca()
        runs, residuals = _listed(self.run), _listed(self.residuals)
        time = runs[0].hz.time
        for number, (run, residual) in enumerate(zip(runs, residuals), 1):
            for name, values in residual.data_vars.items():
                line, = axes.plot(run[time], run[name], label=f"{name}[{number}]" if len(runs) > 1 else str(name))
                rows = abs(run[time].values[None, :] - values[time].values[:, None]).argmin(axis=1)
                fitted = run[name].values[rows]
                axes.plot(values[time], fitted + values, ".", color=line.get_color())
        axes.set_xlabel(time)
        axes.legend()
        return axes

    def __repr__(self) -> str:
        found = ", ".join(f"{name} = {value:.6g} +- {self.deviations[name]:.2g}" for name, value in self.parameters.items())
        return f"<herglotz.Fit {found}; chi squared {self.chi_squared:.4g} of {self.samples} values>"


@documented(RunSettings)
def fit(system: System, data: Any, parameters: Sequence[Any] = (), *, initial: Sequence[Any] = (),
        noise: float | Mapping[Any, Any] | Sequence[Any] | None = None,
        bounds: Mapping[Any, tuple[float | None, float | None]] | None = None,
        start: Mapping[Any, float] | Sequence[Mapping[Any, float]] | None = None, profile: Sequence[Any] = (),
        parts: int = 0, shots: int = 0, **settings: Unpack[RunSettings]) -> Fit:
    """Fits parameters and initial values to measurements by weighted least squares.

    >>> fit = hz.fit(system, data, parameters=["gamma", "k"], initial=["theta"], noise=0.01)
    >>> fit.parameters["gamma"], fit.deviations["gamma"]

    Several runs have their parameters in common, and initial values of their own:

    >>> fit = hz.fit(system, [first, second], parameters=["gamma"], initial=["theta"], start=[{}, {"theta": 0.5}])
    >>> fit.parameters["gamma"], fit.parameters["theta[1]"], fit.parameters["theta[2]"]

    Args:
        system: what moves; the search starts from its values.
        data: an xarray.Dataset over the time, or a table (a pandas.DataFrame, a mapping of arrays) with the time and columns
            of a run. NaN is a missing value; times ascend and need not be evenly spaced. A list of these: several runs.
        parameters: names of the parameters to be found. Initial values among them are the same for all runs.
        initial: names of the initial values to be found; each of several runs has its own.
        noise: standard deviation of the values, or by column, there also one for each value; estimated if left out. Of
            several runs, each takes those of its own columns. A list of these: one for each of several runs.
        bounds: (lower, upper) by name; None is no bound.
        start: values of parameters and initial values to start from, over those of the system. A list of these: one for
            each of several runs, where values that are not fitted differ too; those of `parameters` are the same.
        profile: those of `parameters` and `initial` whose profile likelihood is followed, for `profiles` of the result.
        parts: how many fits to first parts of the data come before, for long or chaotic data: with n, to the first 1/2^n of the
            times of each run, then to twice as many, and so on, each from the estimates of the one before.
        shots: multiple shooting, for long or chaotic data too: each run is first cut into so many shots, which begin at states
            of their own on the data and become one motion during the search.
        **settings: `method`, `step`, `tolerance`, `project`, as for `simulate`.

    Each of the `warnings` of the result, which say why standard deviations may be wrong, is also a Python warning.

    Raises:
        ValueError: names that are not there, times that do not ascend, fewer values than unknowns.
        RunError: the first run failed, or no minimum was reached.
    """
    require_known(fit, RunSettings, settings)
    given = settings_of_data(system, settings, "fit")
    shared, own = ([key_of(name, system._functions) for name in names] for names in (parameters, initial))
    measured, common = measured_runs(system, data, noise, start)
    limits = {key_of(name, system._functions): pair for name, pair in to_table("bounds", bounds).items()}
    if unknown := set(limits) - {*shared, *own}:
        raise ValueError(f"bounds of {', '.join(sorted(unknown))}, which are not fitted; name them in parameters or initial")
    runs = []
    for one in measured:
        values = dict(one.initial)
        for name in set(own) - set(system.parameters):
            values.setdefault(name, system.initial.get(name, 0.0))
        runs.append((one.times.tolist(), {name: array.tolist() for name, array in one.series.items()}, one.deviations,
                     values, one.parameters))
    unknowns = [(name, *_limit(limits.get(name)), name in own) for name in (*shared, *own)]
    second = given.pop("next", {})
    profiles = [key_of(name, system._functions) for name in to_list("profile", profile, "names")]
    try:
        found = _herglotz.fitted(system._model, runs, unknowns, common, given, second, profiles,
                                 to_count("parts", parts, most=30), to_count("shots", shots, most=10_000))
    except IndexError as error:
        raise ValueError(str(error)) from None
    except RuntimeError as error:
        raise RunError(str(error), None) from None
    result = _result(found, str(system.time), [one.times for one in measured], isinstance(data, (list, tuple)))
    if not found["converged"]:
        raise RunError(found["status"], result)
    for sentence in result.warnings:
        warnings.warn(sentence, stacklevel=2)
    return result


def _result(found: dict[str, Any], time: str, times: Sequence[numpy.ndarray], several: bool) -> Fit:
    left, names = found["series"], list(found["estimates"])
    residuals = [xarray.Dataset({column: ((time,), array) for column, of, _, array, *_ in left if of == run},
                                coords={time: t}) for run, t in enumerate(times)]
    runs = [to_dataset(reached.arrays, dict(reached.facts)) for reached in found["runs"]]
    covariance = xarray.DataArray(found["covariance"], dims=("unknown", "with"), coords={"unknown": names, "with": names})
    return Fit({name: value for name, (value, _, _) in found["estimates"].items()},
               {name: deviation for name, (_, deviation, _) in found["estimates"].items()}, covariance,
               residuals if several else residuals[0],
               {entry[2]: entry[4] for entry in left}, {entry[2]: entry[5] for entry in left},
               {entry[2]: entry[6] for entry in left},
               [(size, dict(zip(names, shares)), known) for size, shares, known in found["combinations"]],
               found["identifiable"], found["chi_squared"], found["log_likelihood"], found["samples"], found["iterations"],
               runs if several else runs[0],
               {name: Profile(lower, upper, xarray.DataArray(rise, dims=(name,), coords={name: values}), status)
                for name, lower, upper, values, rise, status in found["profiles"]}, found["warnings"])


def _listed(value: xarray.Dataset | list[xarray.Dataset]) -> list[xarray.Dataset]:
    return value if isinstance(value, list) else [value]


def _limit(pair: Any) -> tuple[float, float]:
    lower, upper = pair if pair is not None else (None, None)
    return (-numpy.inf if lower is None else to_finite("bounds", lower),
            numpy.inf if upper is None else to_finite("bounds", upper))
