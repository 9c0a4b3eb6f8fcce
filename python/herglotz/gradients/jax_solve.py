"""Runs as functions of JAX."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import jax
import jax.numpy as jnp
import numpy

from herglotz import _herglotz
from herglotz._model import key_of
from herglotz.dataset import RunError
from herglotz.gradients.jax_map import jax_map
from herglotz.gradients.value import differentiated_model

if TYPE_CHECKING:
    from herglotz.system import System

Values = Mapping[Any, Any]


class _Runs:
    """Runs to given times, by a vector of some initial values and then of some parameters."""

    def __init__(self, system: System, times: numpy.ndarray, settings: Mapping[str, Any], columns: Sequence[str],
                 initial: Sequence[str], parameters: Sequence[str]):
        self._system, self._times, self._columns = system, times, list(columns)
        self._settings = {**settings, "t_end": float(times[-1]), "output_times": times.tolist()}
        self._initial, self._parameters = list(initial), list(parameters)
        self._names = [*initial, *parameters]

    @property
    def shape(self) -> tuple[int, int]:
        return self._times.size, len(self._columns)

    def values(self, u: Any) -> numpy.ndarray:
        """(..., time, column) of u (..., name): many in lanes."""
        u = numpy.asarray(u, dtype=float)
        members = u.reshape(int(numpy.prod(u.shape[:-1])), u.shape[-1])
        if len(members) == 1:  # compiled already
            run, rows = self._run(members[0])
            return numpy.stack([run.reached.values(name)[rows] for name in self._columns],
                               axis=-1).reshape(*u.shape[:-1], *self.shape)
        lists = [members[:, k].tolist() for k in range(u.shape[-1])]
        count = len(self._initial)
        columns, _, failures = _herglotz.run_batch(
            self._system._model, len(members), dict(zip(self._initial, lists)), dict(zip(self._parameters, lists[count:])),
            dict(self._settings), {}, None, 0)
        for failure in failures:
            if failure:
                raise RunError(failure, None)
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
        members = zip(u.reshape(-1, u.shape[-1]), cotangents)
        return numpy.array([self._gradient(member, one) for member, one in members]).reshape(*leading, u.shape[-1])

    def _run(self, u: numpy.ndarray) -> tuple[_herglotz.DifferentiableRun, numpy.ndarray]:
        count = len(self._initial)
        run = _herglotz.DifferentiableRun(differentiated_model(self._system), dict(zip(self._initial, u[:count].tolist())),
                                          dict(zip(self._parameters, u[count:].tolist())), dict(self._settings), {},
                                          self._names)
        reached = run.reached
        if reached.failure:
            raise RunError(reached.failure, None)
        return run, self._rows(reached.values(str(self._system.time)))

    def _jacobians(self, u: numpy.ndarray) -> numpy.ndarray:
        def one(member: numpy.ndarray) -> numpy.ndarray:
            run, rows = self._run(member)
            slopes: numpy.ndarray = numpy.asarray(run.derivatives(self._columns))
            return slopes[rows]
        found = numpy.array([one(member) for member in u.reshape(-1, u.shape[-1])])
        return found.reshape(*u.shape[:-1], *self.shape, u.shape[-1])

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


def jax_solve(system: System, times: numpy.ndarray, settings: Mapping[str, Any],
              columns: Sequence[str]) -> Callable[..., dict[str, jax.Array]]:
    """See System.to_jax_solve."""
    @lru_cache
    def compiled(initial: tuple[str, ...], parameters: tuple[str, ...]) -> Callable[[Any], jax.Array]:
        runs = _Runs(system, times, settings, columns, initial, parameters)
        if not initial and not parameters:
            return lambda u: jnp.asarray(runs.values(numpy.zeros((1, 0)))[0])
        return jax_map(runs.values, runs.along, runs.back, runs.shape)

    def solve(initial: Values | None = None, parameters: Values | None = None) -> dict[str, jax.Array]:
        if not jax.config.read("jax_enable_x64"):
            raise ValueError('runs have 64-bit numbers; call jax.config.update("jax_enable_x64", True)')
        starts = {key_of(name, system._functions): value for name, value in (initial or {}).items()}
        constants = {key_of(name, system._functions): value for name, value in (parameters or {}).items()}
        for name, value in {**starts, **constants}.items():
            if jnp.shape(value) != ():
                raise ValueError(f"'{name}' has shape {jnp.shape(value)}; a number is needed, and jax.vmap takes many")
        given = [jnp.asarray(value, jnp.float64) for value in (*starts.values(), *constants.values())]
        found = compiled(tuple(starts), tuple(constants))(jnp.stack(given) if given else jnp.zeros(0))
        return {name: found[:, k] for k, name in enumerate(columns)}

    return solve
