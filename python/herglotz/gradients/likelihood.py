"""The likelihood of measurements, for samplers and optimisers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy

from herglotz._model import key_of
from herglotz.arguments import to_array, to_list, to_table
from herglotz.gradients.libraries import module_of
from herglotz.gradients.measurements import MeasuredRun, measured_runs, settings_of_data
from herglotz.gradients.runs import Runs, require_differentiated, require_failures
from herglotz.gradients.value import Gradient
from herglotz.settings import RunSettings, did_you_mean, documented, require_known

if TYPE_CHECKING:
    import jax
    from pytensor.tensor import TensorVariable
    from typing_extensions import Unpack

    from herglotz.system import System

Values = Mapping[Any, Any]


class LogLikelihood:
    """The logarithm of the density of measurements, as a function of unknowns, with its gradient."""

    names: tuple[str, ...]
    """The unknowns in their order; "theta[2]" is that of the second of several runs, "sigma.q" the noise of a column."""
    samples: int  #: how many values were measured
    shape: tuple[int, ...] = ()

    def __init__(self, of: Sequence[_OfRun], names: Sequence[str], failures: str):
        self._of, self.names, self._raises = list(of), tuple(names), failures == "raise"
        self.samples = sum(int(one.present.sum()) for one in self._of)
        self._made_of = (tuple(of), self.names, failures)

    def __reduce__(self) -> tuple[Any, ...]:
        return LogLikelihood, self._made_of

    def __repr__(self) -> str:
        return f"<herglotz.LogLikelihood of {self.samples} values by {', '.join(self.names)}>"

    @property
    def size(self) -> int:
        """The number of unknowns."""
        return len(self.names)

    def __call__(self, values: Values | Sequence[float]) -> float:
        """The log likelihood at values of all unknowns, by name or in the order of `names`."""
        return float(self.values(self._vector(values)))

    def value_and_gradient(self, values: Values | Sequence[float]) -> tuple[float, Gradient]:
        """The log likelihood, and its derivatives by the unknowns."""
        u = self._vector(values)
        return float(self.values(u)), Gradient.of(self.gradient(u), self.names)

    def to_jax(self) -> Callable[[Values], jax.Array]:
        """log_likelihood(values) for JAX, and so for NumPyro: a number, of numbers by name.

        >>> density = hz.log_likelihood(system, data, ["gamma"], initial=["theta"], noise=0.01, failures="nan").to_jax()
        >>> numpyro.factor("measured", density({"gamma": gamma, "theta": theta}))

        Raises:
            ImportError: JAX is missing.
        """
        function: Callable[[Values], jax.Array] = self._function("jax", "JAX")
        return function

    def to_pytensor(self) -> Callable[[Values], TensorVariable]:
        """log_likelihood(values) for PyTensor, and so for PyMC: a scalar, of scalars by name.

        >>> density = hz.log_likelihood(system, data, ["gamma"], initial=["theta"], noise=0.01, failures="nan").to_pytensor()
        >>> pymc.Potential("measured", density({"gamma": gamma, "theta": theta}))

        Raises:
            ImportError: PyTensor is missing.
        """
        function: Callable[[Values], TensorVariable] = self._function("pytensor", "PyTensor")
        return function

    def _function(self, package: str, called: str) -> Callable[[Values], Any]:
        module = module_of(package, called, f"to_{package}")
        function: Callable[[Values], Any] = getattr(module, f"{package}_log_likelihood")(self)
        return function

    def values(self, u: Any) -> numpy.ndarray:
        """The log likelihood (...) of u (..., name)."""
        u = numpy.asarray(u, dtype=float)
        return numpy.asarray(sum(self._guarded(one.value, u, u.shape[:-1]) for one in self._of))

    def gradient(self, u: Any) -> numpy.ndarray:
        """Its derivatives (..., name) at u (..., name)."""
        u = numpy.asarray(u, dtype=float)
        return numpy.asarray(sum(self._guarded(one.gradient, u, u.shape) for one in self._of))

    def along(self, u: Any, du: Any) -> numpy.ndarray:
        """The derivative (...) along du (..., name)."""
        return numpy.asarray((self.gradient(u) * numpy.asarray(du, dtype=float)).sum(axis=-1))

    def back(self, u: Any, c: Any) -> numpy.ndarray:
        """The derivatives (..., name) of c (...) times the log likelihood."""
        return numpy.asarray(c, dtype=float)[..., None] * self.gradient(u)

    def ordered(self, values: Values) -> list[Any]:
        """The values in the order of the unknowns. Raises ValueError for names that are unknown or missing."""
        given = {str(name): value for name, value in to_table("values", values).items()}
        for name in given:
            if name not in self.names:
                raise ValueError(f"'{name}' is not an unknown; {did_you_mean(name, list(self.names))}")
        for name in self.names:
            if name not in given:
                raise ValueError(f"no value of '{name}' is given; the unknowns are {', '.join(self.names)}")
        return [given[name] for name in self.names]

    def _vector(self, values: Values | Sequence[float]) -> numpy.ndarray:
        u = to_array("values", self.ordered(values) if isinstance(values, Mapping) else values)
        if u.shape != (self.size,):
            raise ValueError(f"values has shape {u.shape}; a number for each of {', '.join(self.names)} is needed")
        return u

    def _guarded(self, function: Callable[[numpy.ndarray], numpy.ndarray], u: numpy.ndarray,
                 shape: tuple[int, ...]) -> numpy.ndarray:
        if not self._raises:
            return function(u)
        noise = u[..., [name.startswith("sigma.") for name in self.names]]
        if not (noise > 0).all():
            raise ValueError(f"a standard deviation is {noise.min():.6g}; a positive one is needed")
        return function(u)


class _OfRun:
    """The log likelihood of one measured run, of the vector of all unknowns."""

    def __init__(self, runs: Runs, places: Sequence[int], measured: MeasuredRun, common: float,
                 noise_places: Mapping[str, int]):
        self._runs, self._places = runs, list(places)
        self._measured = numpy.stack(list(measured.series.values()), axis=-1)
        self.present = ~numpy.isnan(self._measured)
        self._given = numpy.full(self._measured.shape, common or numpy.nan)
        for column, name in enumerate(measured.series):
            if name in measured.deviations:
                self._given[:, column] = measured.deviations[name]
        self._sought = {column: noise_places[name] for column, name in enumerate(measured.series) if name in noise_places}

    def _standardised(self, u: numpy.ndarray) -> tuple[numpy.ndarray, numpy.ndarray]:
        """Residuals over standard deviations, 0 where a value is missing, and these deviations, as (..., time, column)."""
        noise = numpy.broadcast_to(self._given, (*u.shape[:-1], *self._given.shape)).copy()
        for column, place in self._sought.items():
            noise[..., column] = u[..., place, None]
        noise = numpy.where(noise > 0, noise, numpy.nan)
        residuals = numpy.where(self.present, self._measured, 0.0) - self._runs.values(u[..., self._places])
        return numpy.where(self.present, residuals / noise, 0.0), noise

    def value(self, u: numpy.ndarray) -> numpy.ndarray:
        standardised, noise = self._standardised(u)
        terms = standardised**2/2 + numpy.log(noise) + numpy.log(2*numpy.pi)/2
        return -numpy.where(self.present, terms, 0.0).sum(axis=(-2, -1))

    def gradient(self, u: numpy.ndarray) -> numpy.ndarray:
        standardised, noise = self._standardised(u)
        found = numpy.zeros(u.shape)
        found[..., self._places] = self._runs.back(u[..., self._places], numpy.where(self.present, standardised/noise, 0.0))
        for column, place in self._sought.items():
            slopes = numpy.where(self.present, standardised**2 - 1, 0.0) / noise
            found[..., place] += slopes[..., column].sum(axis=-1)
        return found


@documented(RunSettings)
def log_likelihood(system: System, data: Any, parameters: Sequence[Any] = (), *, initial: Sequence[Any] = (),
                   noise: float | Mapping[Any, Any] | Sequence[Any] | None = None,
                   start: Mapping[Any, float] | Sequence[Mapping[Any, float]] | None = None, failures: str = "raise",
                   **settings: Unpack[RunSettings]) -> LogLikelihood:
    """The log likelihood of measurements with independent normal errors, as a function of parameters and initial values.

    >>> density = hz.log_likelihood(system, data, ["gamma"], initial=["theta"], noise=0.01, method="runge-kutta-8", step=0.05)
    >>> value, gradient = density.value_and_gradient({"gamma": 0.2, "theta": 1.0})

    It is that of `fit`, whose estimate is its maximum. Gradients are those of the computed runs, backwards where
    `value_and_gradient` goes backwards.

    Args:
        system: what moves.
        data: as for `fit`; a list of measurements is that of several runs.
        parameters: names of the parameters that are unknown, the same for all runs. Initial values may be among them.
        initial: names of the initial values that are unknown; each of several runs has its own, called "theta[2]".
        noise: standard deviation of the values, as for `fit`; of a column for which none is given it is an unknown,
            "sigma.<column>", the same for all runs.
        start: values of what is not unknown, over those of the system. A list of these: one for each of several runs.
        failures: "raise", or "nan" where a run that fails, or a standard deviation that is not positive, has the log
            likelihood NaN: samplers refuse such a point and go on.
        **settings: `method`, `step`, `tolerance`, as for `simulate`.

    Raises:
        ValueError: names that are not there, no unknown, or a column that is not differentiated.
    """
    require_known(log_likelihood, RunSettings, settings)
    given = settings_of_data(system, settings, "log_likelihood")
    if given.pop("next", None) is not None:
        raise ValueError("next is given, and a log_likelihood has no second positions; leave it out")
    require_failures(failures)
    shared, own = ([key_of(name, system._functions) for name in to_list(what, names, "names")]
                   for what, names in (("parameters", parameters), ("initial", initial)))
    _require_unknowns(system, [*shared, *own])
    measured, common = measured_runs(system, data, noise, start)
    names = [*shared, *(f"{name}[{k + 1}]" if len(measured) > 1 else name for name in own for k in range(len(measured)))]
    columns = dict.fromkeys(name for run in measured for name in run.series if not common and name not in run.deviations)
    places = {column: len(names) + k for k, column in enumerate(columns)}
    of = []
    for number, run in enumerate(measured):
        where = {name: k for k, name in enumerate(shared)}
        where |= {name: len(shared) + k*len(measured) + number for k, name in enumerate(own)}
        of.append(_OfRun(_runs(system, run, given, failures, list(where)), _order(system, where), run, common, {
            name: place for name, place in places.items() if name not in run.deviations}))
    return LogLikelihood(of, [*names, *(f"sigma.{column}" for column in columns)], failures)


def _require_unknowns(system: System, names: Sequence[str]) -> None:
    known = [*system.parameters, *map(str, (*system.base, *system.fibre, *system.momenta, system.action))]
    if not names:
        raise ValueError("no unknown is named; name parameters or initial values")
    for name in names:
        if name not in known:
            raise ValueError(f"unknown name '{name}'; {did_you_mean(name, known)}")
        if names.count(name) > 1:
            raise ValueError(f"the unknown {name} is named twice; name it once")


def _order(system: System, where: Mapping[str, int]) -> list[int]:
    """The places of unknowns in the order of a run's vector: initial values, then parameters."""
    return [where[name] for name in where if name not in system.parameters] + \
        [where[name] for name in where if name in system.parameters]


def _runs(system: System, run: MeasuredRun, settings: Mapping[str, Any], failures: str, names: Sequence[str]) -> Runs:
    if run.times.ndim != 1 or run.times.size < 1 or not (numpy.diff(run.times) > 0).all():
        raise ValueError("the times of the data do not ascend; sort them")
    if not run.series:
        raise ValueError("the data have no column beside the times; give one")
    require_differentiated(system, run.series)
    constants = ({name: value for name, value in run.initial.items() if name not in names},
                 {name: value for name, value in run.parameters.items() if name not in names})
    return Runs(system, run.times, settings, list(run.series), failures, [n for n in names if n not in system.parameters],
                [n for n in names if n in system.parameters], constants)
