"""The likelihood of measurements, for samplers and optimisers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy

from herglotz import _herglotz
from herglotz._model import key_of
from herglotz.arguments import to_array, to_list, to_table
from herglotz.gradients.libraries import module_of
from herglotz.gradients.measurements import MeasuredRun, measured_runs, settings_of_data
from herglotz.gradients.runs import Runs, require_differentiated, require_failures
from herglotz.gradients.value import Gradient
from herglotz.gradients.vector_function import VectorFunction
from herglotz.settings import RunSettings, did_you_mean, documented, require_known

if TYPE_CHECKING:
    import jax
    from pytensor.tensor import TensorVariable
    from typing_extensions import Unpack

    from herglotz.system import System

Values = Mapping[Any, Any]


class LogLikelihood(VectorFunction):
    """The logarithm of the density of measurements, as a function of unknowns, with its gradient.

    Attributes:
        samples: how many values were measured
    """

    names: tuple[str, ...]
    """The unknowns in their order; "theta[2]" is that of the second of several runs, "sigma.q" the noise of a column."""
    samples: int

    def __init__(self, of: Sequence[_OfRun], names: Sequence[str], failures: str):
        self.names = tuple(names)
        self.samples = sum(one.samples for one in of)
        self._made_of = (tuple(of), self.names, failures)

    def __reduce__(self) -> tuple[Any, ...]:
        return LogLikelihood, self._made_of

    def __repr__(self) -> str:
        return f"<herglotz.LogLikelihood of {self.samples} values by {', '.join(self.names)}>"

    @property
    def shape(self) -> tuple[()]:
        return ()

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

    def gradient(self, u: Any) -> numpy.ndarray:
        """Its derivatives (..., name) at u (..., name)."""
        return self.back(u, numpy.ones(numpy.shape(u)[:-1]))

    def _made(self) -> _herglotz.VectorFunction:
        of, names, failures = self._made_of
        return _herglotz.log_likelihood([(one.runs.compiled, one.places, one.measured.ravel().tolist(),
                                          one.deviations.ravel().tolist(), one.unknown) for one in of],
                                        len(names), failures == "raise")

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


class _OfRun:
    """A measured run, with the places of what it depends on in the vector of all unknowns."""

    def __init__(self, runs: Runs, places: Sequence[int], measured: MeasuredRun, common: float,
                 noise_places: Mapping[str, int]):
        self.runs, self.places = runs, list(places)
        self.measured = numpy.stack(list(measured.series.values()), axis=-1)
        self.samples = int((~numpy.isnan(self.measured)).sum())
        self.deviations = numpy.full(self.measured.shape, common or numpy.nan)
        for column, name in enumerate(measured.series):
            if name in measured.deviations:
                self.deviations[:, column] = measured.deviations[name]
        self.unknown = [noise_places.get(name, -1) for name in measured.series]


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
