"""Runs to given times with their derivatives, as functions of vectors: what other libraries differentiate."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy

from herglotz import _herglotz
from herglotz.arguments import shown, to_array, to_names, to_table
from herglotz.gradients.value import differentiated_model
from herglotz.gradients.vector_function import VectorFunction
from herglotz.settings import did_you_mean, given_settings

if TYPE_CHECKING:
    from herglotz.system import System

Values = Mapping[Any, Any]

ONLY_FIRST = "a run has first derivatives only; second ones are not there"


class Runs(VectorFunction):
    """Runs to given times, (..., time, column) by a vector of some initial values and then of some parameters.

    Many are made in lanes. A run that fails raises RunError, or has values and derivatives that are NaN if `failures` is
    "nan". The last single run is kept, because its derivatives are often asked for next. `constants` are initial values and
    parameters beside the vector.
    """

    def __init__(self, system: System, times: numpy.ndarray, settings: Mapping[str, Any], columns: Sequence[str],
                 failures: str, initial: Sequence[str], parameters: Sequence[str],
                 constants: tuple[Mapping[str, float], Mapping[str, float]] = ({}, {})):
        self._made_of = (system, times, settings, tuple(columns), failures, tuple(initial), tuple(parameters), constants)

    def __reduce__(self) -> tuple[Any, ...]:
        return Runs, self._made_of

    @property
    def shape(self) -> tuple[int, int]:
        _, times, _, columns, *_ = self._made_of
        return times.size, len(columns)

    @property
    def size(self) -> int:
        *_, initial, parameters, _ = self._made_of
        return len(initial) + len(parameters)

    def _made(self) -> _herglotz.VectorFunction:
        system, times, settings, columns, failures, initial, parameters, (starts, constants) = self._made_of
        settings = {**settings, "t_end": float(times[-1]), "output_times": times.tolist()}
        return _herglotz.runs_to_times(system._model, differentiated_model(system), initial, parameters, dict(starts),
                                       dict(constants), settings, times.tolist(), columns, failures == "raise")


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
