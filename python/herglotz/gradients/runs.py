"""Runs to given times with their derivatives, as functions of vectors: what other libraries differentiate."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy

from herglotz import _herglotz
from herglotz.arguments import shown, to_array, to_names, to_table
from herglotz.dataset import RunError
from herglotz.gradients.value import differentiated_model
from herglotz.settings import did_you_mean, given_settings

if TYPE_CHECKING:
    from herglotz.system import System

Values = Mapping[Any, Any]

ONLY_FIRST = "a run has first derivatives only; second ones are not there"


class Runs:
    """Runs to given times, by a vector of some initial values and then of some parameters.

    A run that fails raises RunError, or has values and derivatives that are NaN if `failures` is "nan". The last single run is
    kept, because its derivatives are often asked for next. `constants` are initial values and parameters beside the vector.
    """

    def __init__(self, system: System, times: numpy.ndarray, settings: Mapping[str, Any], columns: Sequence[str],
                 failures: str, initial: Sequence[str], parameters: Sequence[str],
                 constants: tuple[Mapping[str, float], Mapping[str, float]] = ({}, {})):
        self._made_of = (system, times, settings, tuple(columns), failures, tuple(initial), tuple(parameters), constants)
        self._starts, self._constants = constants
        self._system, self._times, self._columns = system, times, list(columns)
        self._settings = {**settings, "t_end": float(times[-1]), "output_times": times.tolist()}
        self._initial, self._parameters = list(initial), list(parameters)
        self._names = [*initial, *parameters]
        self._raises = failures == "raise"
        self._last: tuple[bytes, _herglotz.DifferentiableRun, numpy.ndarray] | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        return Runs, self._made_of

    @property
    def shape(self) -> tuple[int, int]:
        return self._times.size, len(self._columns)

    @property
    def size(self) -> int:
        """The number of values of the vector."""
        return len(self._names)

    def values(self, u: Any) -> numpy.ndarray:
        """(..., time, column) of u (..., name): many in lanes."""
        u = numpy.asarray(u, dtype=float)
        members = u.reshape(int(numpy.prod(u.shape[:-1])), u.shape[-1])
        if len(members) == 1:  # compiled already
            return self._each(self._values, u, self.shape)
        lists = [members[:, k].tolist() for k in range(u.shape[-1])]
        count = len(self._initial)
        columns, _, failures = _herglotz.run_batch(
            self._system._model, len(members), _repeated(self._starts, len(members)) | dict(zip(self._initial, lists)),
            _repeated(self._constants, len(members)) | dict(zip(self._parameters, lists[count:])), dict(self._settings), {},
            None, 0)
        if any(failures):
            if self._raises:
                raise RunError(next(filter(None, failures)), None)
            return self._each(self._values, u, self.shape)  # a run that failed has no times of which rows could be found
        found = {name: array for name, _, array in columns}
        rows = self._rows(found[str(self._system.time)])
        table = numpy.stack([found[name].reshape(len(members), -1)[:, rows] for name in self._columns], axis=-1)
        return table.reshape(*u.shape[:-1], *self.shape)

    def along(self, u: Any, du: Any) -> numpy.ndarray:
        """The derivative of the values along du (..., name)."""
        u, du = numpy.asarray(u, dtype=float), numpy.asarray(du, dtype=float)
        return numpy.einsum("...tck,...k->...tc", self._jacobians(u), du)

    def back(self, u: Any, c: Any) -> numpy.ndarray:
        """The derivative of the sum of c (..., time, column) times the values."""
        u, c = numpy.asarray(u, dtype=float), numpy.asarray(c, dtype=float)
        leading = numpy.broadcast_shapes(u.shape[:-1], c.shape[:-2])
        if u[..., 0].size < numpy.prod(leading):  # one run has many cotangents
            return numpy.broadcast_to(numpy.einsum("...tck,...tc->...k", self._jacobians(u), c), (*leading, u.shape[-1]))
        cotangents = numpy.broadcast_to(c, (*leading, *self.shape)).reshape(-1, *self.shape)
        return self._each(self._gradient, numpy.broadcast_to(u, (*leading, u.shape[-1])), u.shape[-1:], cotangents)

    def _each(self, function: Callable[..., numpy.ndarray], u: numpy.ndarray, shape: tuple[int, ...],
              *more: numpy.ndarray) -> numpy.ndarray:
        """The function of each vector in u (..., name), and of an entry of `more`, as (..., *shape)."""
        def one(member: numpy.ndarray, *entries: numpy.ndarray) -> numpy.ndarray:
            if self._raises or numpy.isfinite(member).all():
                try:
                    return function(member, *entries)
                except RuntimeError as error:  # a RunError, or that of a derivative
                    if self._raises:
                        raise RunError(str(error), None) from None
            return numpy.full(shape, numpy.nan)
        members = u.reshape(int(numpy.prod(u.shape[:-1])), u.shape[-1])
        return numpy.array([one(*entry) for entry in zip(members, *more)]).reshape(*u.shape[:-1], *shape)

    def _run(self, u: numpy.ndarray) -> tuple[_herglotz.DifferentiableRun, numpy.ndarray]:
        key, last = u.tobytes(), self._last
        if last is not None and last[0] == key:
            return last[1:]
        count = len(self._initial)
        run = _herglotz.DifferentiableRun(differentiated_model(self._system),
                                          {**self._starts, **dict(zip(self._initial, u[:count].tolist()))},
                                          {**self._constants, **dict(zip(self._parameters, u[count:].tolist()))},
                                          dict(self._settings), {}, self._names)
        reached = run.reached
        if reached.failure:
            raise RunError(reached.failure, None)
        rows = self._rows(reached.values(str(self._system.time)))
        self._last = key, run, rows
        return run, rows

    def _values(self, u: numpy.ndarray) -> numpy.ndarray:
        run, rows = self._run(u)
        reached = run.reached
        return numpy.stack([reached.values(name)[rows] for name in self._columns], axis=-1)

    def _jacobians(self, u: numpy.ndarray) -> numpy.ndarray:
        def one(member: numpy.ndarray) -> numpy.ndarray:
            run, rows = self._run(member)
            slopes: numpy.ndarray = numpy.asarray(run.derivatives(self._columns))
            return slopes[rows]
        return self._each(one, u, (*self.shape, u.shape[-1]))

    def _gradient(self, u: numpy.ndarray, c: numpy.ndarray) -> numpy.ndarray:
        run, rows = self._run(u)
        table = numpy.zeros((run.reached.rows, len(self._columns)))
        numpy.add.at(table, rows, c)
        gradient: numpy.ndarray = run.gradient(self._columns, table, 0.0, {})[0]
        return gradient

    def _rows(self, t: numpy.ndarray) -> numpy.ndarray:
        """The rows of a run at the times."""
        rows = abs(t[None, :] - self._times[:, None]).argmin(axis=1)
        off = abs(t[rows] - self._times)
        if (off > 1e-9 * numpy.maximum(1.0, abs(self._times))).any():
            raise RunError(f"the run has no row at t = {self._times[off.argmax()]:.9g}; it went from {t[0]:.9g} to "
                           f"{t[-1]:.9g}", None)
        return rows


def require_differentiated(system: System, columns: Iterable[str]) -> None:
    """Raises ValueError for a column without derivatives."""
    known = [*system.state, "energy", *(f"momentum.{name}" for name in system.symmetries),
             *(f"dissipated.{name}" for name in system.dissipated), *system.observables]
    for name in columns:
        if name not in known:
            raise ValueError(f"no column '{name}' has derivatives; there are {', '.join(known)}")


def require_failures(failures: Any) -> None:
    """Raises ValueError for what is no way to treat runs that fail."""
    if not isinstance(failures, str) or failures not in ("raise", "nan"):
        raise ValueError(f"failures = {shown(failures)}; \"raise\" or \"nan\" is needed")


def _repeated(values: Mapping[str, float], count: int) -> dict[str, list[float]]:
    return {name: [value] * count for name, value in values.items()}


class NamedRuns:
    """Runs of a system to given times, by the names of what is given; made once for each set of names."""

    def __init__(self, system: System, times: Any, columns: Sequence[str] | None, failures: Any, settings: Mapping[str, Any]):
        array = to_array("times", times)
        if array.ndim != 1 or array.size == 0:
            raise ValueError(f"times has shape {array.shape}; a list of times is needed")
        asked = [*system.state, "energy"] if columns is None else to_names("columns", columns)
        if not asked:
            raise ValueError("columns = []; name at least one")
        require_differentiated(system, asked)
        require_failures(failures)
        self.columns = tuple(asked)
        self._system = system
        self._of = system, array, given_settings(settings), self.columns, failures
        self._made: dict[tuple[tuple[str, ...], tuple[str, ...]], Runs] = {}

    def by(self, initial: Values | None, parameters: Values | None) -> tuple[Runs, dict[str, Any]]:
        """The runs by what is named, and the values in the order of their vector. Raises ValueError for unknown names."""
        system = self._system
        starts = dict(system._named(to_table("initial", initial)))
        constants = dict(system._named(to_table("parameters", parameters)))
        _require_names("initial value", starts, [*system.base, *system.fibre, *system.momenta, system.action,
                                                 *system._model.multipliers])
        _require_names("parameter", constants, list(system.parameters))
        names = tuple(starts), tuple(constants)
        if names not in self._made:
            self._made[names] = Runs(*self._of, *names)
        return self._made[names], {**starts, **constants}


def _require_names(what: str, given: Values, known: Sequence[Any]) -> None:
    names = [str(name) for name in known]
    for name in given:
        if name not in names:
            raise ValueError(f"unknown {what} '{name}'; {did_you_mean(name, names)}")
