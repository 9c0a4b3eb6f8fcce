"""Runs as functions of CasADi."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

import casadi
import numpy

from herglotz.arguments import to_finite
from herglotz.gradients.runs import NamedRuns, Runs, Values

# CasADi's graphs refer to callbacks that it does not keep alive; a graph may outlive whatever else refers to them.
_alive: list[casadi.Callback] = []


class _External(casadi.Callback):
    """A function of column vectors and matrices of given shapes, and its derivatives in one direction."""

    def __init__(self, name: str, function: Callable[..., numpy.ndarray], takes: Sequence[tuple[int, int]],
                 gives: tuple[int, int], names: tuple[Sequence[str], Sequence[str]] | None = None):
        casadi.Callback.__init__(self)
        self._function, self._takes, self._gives, self._names = function, list(takes), gives, names
        self.construct(name, {})
        _alive.append(self)

    def get_n_in(self) -> int:
        return len(self._takes)

    def get_n_out(self) -> int:
        return 1

    def get_sparsity_in(self, k: int) -> casadi.Sparsity:
        return casadi.Sparsity.dense(*self._takes[k])

    def get_sparsity_out(self, k: int) -> casadi.Sparsity:
        return casadi.Sparsity.dense(*self._gives)

    def get_name_in(self, k: int) -> str:
        return self._names[0][k] if self._names else super().get_name_in(k)

    def get_name_out(self, k: int) -> str:
        return self._names[1][k] if self._names else super().get_name_out(k)

    def eval(self, arguments: Sequence[casadi.DM]) -> list[Any]:
        return [casadi.DM(self._function(*(argument.full() for argument in arguments)))]


class _Values(_External):
    """The values (time, column) of a run by a vector by name."""

    def __init__(self, runs: Runs):
        self._runs = runs
        super().__init__("herglotz_run", lambda u: runs.values(u[:, 0]), [(runs.size, 1)], runs.shape)

    def has_forward(self, count: int) -> bool:
        return count == 1

    def get_forward(self, count: int, name: str, inputs: Sequence[str], outputs: Sequence[str],
                    options: Any) -> casadi.Function:
        return _External(name, lambda u, _, du: self._runs.along(u[:, 0], du[:, 0]),
                         [(self._runs.size, 1), self._runs.shape, (self._runs.size, 1)], self._runs.shape, (inputs, outputs))

    def has_reverse(self, count: int) -> bool:
        return count == 1

    def get_reverse(self, count: int, name: str, inputs: Sequence[str], outputs: Sequence[str],
                    options: Any) -> casadi.Function:
        return _External(name, lambda u, _, c: self._runs.back(u[:, 0], c),
                         [(self._runs.size, 1), self._runs.shape, self._runs.shape], (self._runs.size, 1), (inputs, outputs))


def casadi_solve(named: NamedRuns) -> Callable[..., dict[str, Any]]:
    """See System.to_casadi_solve."""
    @lru_cache
    def constructed(runs: Runs) -> _Values:
        return _Values(runs)

    def solve(initial: Values | None = None, parameters: Values | None = None) -> dict[str, Any]:
        runs, values = named.by(initial, parameters)
        given = [_scalar(name, value) for name, value in values.items()]
        if any(isinstance(value, casadi.MX) for value in given):
            found = constructed(runs)(casadi.vertcat(*given))
        else:
            found = casadi.DM(runs.values(numpy.array([float(value) for value in given])))
        return {name: found[:, k] for k, name in enumerate(named.columns)}

    return solve


def _scalar(name: str, value: Any) -> Any:
    if isinstance(value, casadi.SX):
        raise TypeError(f"'{name}' is an SX, and a run is not an expression of scalars; give an MX")
    if not isinstance(value, (casadi.MX, casadi.DM)):
        return to_finite(name, value)
    if value.shape != (1, 1):
        raise ValueError(f"'{name}' has shape {value.shape}; a number is needed, as one entry of it: {name}[0]")
    return value
