"""A compiled right-hand side as a function of JAX."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy
from jax.custom_derivatives import SymbolicZero
from numpy.typing import NDArray

from . import _herglotz

# The differences have order 4, with a step at which truncation and round-off are equal.
_STEP = float(numpy.finfo(float).eps) ** 0.2
_OFFSETS = numpy.array([-2.0, -1.0, 1.0, 2.0])
_WEIGHTS = numpy.array([1.0, -8.0, 8.0, -1.0]) / 12.0


def jax_function(functions: _herglotz.Functions, size: int) -> Callable[..., jax.Array]:
    """f(t, u, args=None) of a state (size); see VectorField.to_jax."""

    def rates(t: Any, u: Any) -> NDArray[numpy.float64]:
        return _over_rows(functions.rates_of_rows, t, u)

    def jacobian(t: Any, u: Any) -> NDArray[numpy.float64]:
        return _over_rows(functions.jacobians_of_rows, t, u)

    def rates_in_time(t: Any, u: Any) -> NDArray[numpy.float64]:
        at, state = numpy.asarray(t)[..., None], numpy.asarray(u)[..., None, :]
        h = _STEP * numpy.maximum(1.0, abs(at))
        return numpy.einsum("k,...ki->...i", _WEIGHTS, rates(at + h * _OFFSETS, state)) / h

    def called(function: Callable[[Any, Any], NDArray[numpy.float64]], shape: tuple[int, ...], t: Any, u: Any) -> Any:
        return jax.pure_callback(function, jax.ShapeDtypeStruct(shape, jnp.float64), t, u, vmap_method="expand_dims")

    f: Any = jax.custom_jvp(lambda t, u: called(rates, (size,), t, u))

    def tangent(primals: Any, tangents: Any) -> Any:
        (t, u), (t_dot, u_dot) = primals, tangents
        rate = jnp.zeros(size)
        if not isinstance(u_dot, SymbolicZero):
            rate = rate + called(jacobian, (size, size), t, u) @ u_dot
        if not isinstance(t_dot, SymbolicZero):
            rate = rate + called(rates_in_time, (size,), t, u) * t_dot
        return f(t, u), rate

    f.defjvp(tangent, symbolic_zeros=True)

    def checked(t: Any, u: Any, args: None = None) -> jax.Array:
        if not jax.config.read("jax_enable_x64"):
            raise ValueError('compiled functions have 64-bit numbers; call jax.config.update("jax_enable_x64", True)')
        if args is not None:
            raise ValueError("parameters are those of the vector field; args must be None")
        if jnp.shape(u) != (size,):
            raise ValueError(f"a state of shape ({size},) is needed, not {jnp.shape(u)}; jax.vmap takes many")
        value: jax.Array = f(jnp.asarray(t, jnp.float64), jnp.asarray(u, jnp.float64))
        return value

    return checked


def _over_rows(function: Callable[[Any, Any], NDArray[numpy.float64]], t: Any, u: Any) -> NDArray[numpy.float64]:
    """The function of times (...) and states (..., N) whose leading dimensions are broadcast."""
    t, u = numpy.asarray(t, dtype=numpy.float64), numpy.asarray(u, dtype=numpy.float64)
    leading = numpy.broadcast_shapes(t.shape, u.shape[:-1])
    times = numpy.ascontiguousarray(numpy.broadcast_to(t, leading)).reshape(-1)
    states = numpy.ascontiguousarray(numpy.broadcast_to(u, (*leading, u.shape[-1]))).reshape(-1, u.shape[-1])
    values = function(times, states)
    return values.reshape(*leading, *values.shape[1:])
