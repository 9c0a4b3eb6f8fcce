"""Runs as functions of JAX."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import jax
import jax.numpy as jnp
import numpy

from herglotz.gradients.jax_map import jax_map
from herglotz.gradients.runs import NamedRuns, Runs, Values


def jax_solve(named: NamedRuns) -> Callable[..., dict[str, jax.Array]]:
    """See System.to_jax_solve."""
    @lru_cache
    def compiled(runs: Runs) -> Callable[..., jax.Array]:
        if runs.size == 0:
            return lambda u: jnp.asarray(runs.values(numpy.zeros(0)))
        return jax_map(runs.values, runs.along, runs.back, runs.shape)

    def solve(initial: Values | None = None, parameters: Values | None = None) -> dict[str, jax.Array]:
        if not jax.config.read("jax_enable_x64"):
            raise ValueError('runs have 64-bit numbers; call jax.config.update("jax_enable_x64", True)')
        runs, values = named.by(initial, parameters)
        for name, value in values.items():
            if jnp.shape(value) != ():
                raise ValueError(f"'{name}' has shape {jnp.shape(value)}; a number is needed, and jax.vmap takes many")
        given = [jnp.asarray(value, jnp.float64) for value in values.values()]
        found = compiled(runs)(jnp.stack(given) if given else jnp.zeros(0))
        return {name: found[:, k] for k, name in enumerate(named.columns)}

    return solve
