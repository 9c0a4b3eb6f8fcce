"""Runs as functions of JAX."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

import jax
import jax.numpy as jnp
import numpy

from herglotz.gradients.jax_map import jax_map
from herglotz.gradients.likelihood import LogLikelihood
from herglotz.gradients.runs import NamedRuns, Runs, Values


def jax_solve(named: NamedRuns) -> Callable[..., dict[str, jax.Array]]:
    """See System.to_jax_solve."""
    @lru_cache
    def compiled(runs: Runs) -> Callable[..., jax.Array]:
        if runs.size == 0:
            return lambda u: jnp.asarray(runs.values(numpy.zeros(0)))
        return jax_map(runs)

    def solve(initial: Values | None = None, parameters: Values | None = None) -> dict[str, jax.Array]:
        runs, values = named.by(initial, parameters)
        found = compiled(runs)(_stacked(values))
        return {name: found[:, k] for k, name in enumerate(named.columns)}

    return solve


def jax_log_likelihood(likelihood: LogLikelihood) -> Callable[[Values], jax.Array]:
    """See LogLikelihood.to_jax."""
    compiled = jax_map(likelihood)
    return lambda values: compiled(_stacked(dict(zip(likelihood.names, likelihood.ordered(values)))))


def _stacked(values: Mapping[str, Any]) -> jax.Array:
    if not jax.config.read("jax_enable_x64"):
        raise ValueError('runs have 64-bit numbers; call jax.config.update("jax_enable_x64", True)')
    for name, value in values.items():
        if jnp.shape(value) != ():
            raise ValueError(f"'{name}' has shape {jnp.shape(value)}; a number is needed, and jax.vmap takes many")
    given = [jnp.asarray(value, jnp.float64) for value in values.values()]
    return jnp.stack(given) if given else jnp.zeros(0)
