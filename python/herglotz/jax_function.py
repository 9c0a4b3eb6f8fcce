"""A compiled right-hand side as a function of JAX."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp

from herglotz import _herglotz
from herglotz.gradients.jax_map import jax_map
from herglotz.gradients.vector_function import VectorFunction


class _Rates(VectorFunction):
    """The rates (N) of vectors (t, u)."""

    called = "a vector field"

    def __init__(self, functions: _herglotz.Functions):
        self._functions = functions

    @property
    def shape(self) -> tuple[int]:
        return (self._functions.dimension,)

    @property
    def size(self) -> int:
        return self._functions.dimension + 1

    def _made(self) -> _herglotz.VectorFunction:
        return self._functions.rates_by_time_and_state()


def jax_function(functions: _herglotz.Functions) -> Callable[..., jax.Array]:
    """f(t, u, args=None) of a state; see VectorField.to_jax."""
    rates = jax_map(_Rates(functions))
    size = functions.dimension

    def checked(t: Any, u: Any, args: None = None) -> jax.Array:
        if not jax.config.read("jax_enable_x64"):
            raise ValueError('compiled functions have 64-bit numbers; call jax.config.update("jax_enable_x64", True)')
        if args is not None:
            raise ValueError("parameters are those of the vector field; args must be None")
        if jnp.shape(u) != (size,):
            raise ValueError(f"a state of shape ({size},) is needed, not {jnp.shape(u)}; jax.vmap takes many")
        return rates(jnp.append(jnp.asarray(t, jnp.float64), jnp.asarray(u, jnp.float64)))

    return checked
