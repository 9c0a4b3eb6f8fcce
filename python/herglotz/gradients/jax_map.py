"""Functions that are computed outside of JAX, with their derivatives forwards and backwards, as functions of JAX."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy
from jax.extend.core import Primitive
from jax.interpreters import ad, batching, mlir

from herglotz.gradients.runs import ONLY_FIRST

Function = Callable[..., numpy.ndarray]


def jax_map(values: Function, along: Function, back: Function, shape: tuple[int, ...]) -> Callable[[Any], jax.Array]:
    """f(u) of a vector u, with values of this shape, under jit, vmap, jvp and vjp; first derivatives.

    All three take and return arrays with leading dimensions, which are broadcast: `values` u, `along` (u, du) for the
    derivative along du, and `back` (u, c) for the derivative of the sum of c times the values. Each is a primitive of JAX,
    because the second and the third are transposes of each other; they are computed by callbacks.
    """
    result, forward, reverse = Primitive("herglotz_run"), Primitive("herglotz_variation"), Primitive("herglotz_adjoint")

    def define(primitive: Primitive, function: Function, shape_of: Callable[..., tuple[int, ...]]) -> None:
        def called(*arguments: Any) -> Any:
            return jax.pure_callback(function, jax.ShapeDtypeStruct(shape_of(*arguments), jnp.float64), *arguments)

        def batched(arguments: Any, axes: Any) -> Any:
            moved = [jnp.expand_dims(argument, 0) if axis is None else jnp.moveaxis(argument, axis, 0)
                     for argument, axis in zip(arguments, axes)]
            return primitive.bind(*moved), 0

        primitive.def_impl(jax.jit(called))
        primitive.def_abstract_eval(lambda *arguments: jax.core.ShapedArray(shape_of(*arguments), jnp.float64))
        mlir.register_lowering(primitive, mlir.lower_fun(called, multiple_results=False))
        batching.primitive_batchers[primitive] = batched

    define(result, values, lambda u: (*u.shape[:-1], *shape))
    define(forward, along, lambda u, du: (*numpy.broadcast_shapes(u.shape[:-1], du.shape[:-1]), *shape))
    define(reverse, back,
           lambda u, c: (*numpy.broadcast_shapes(u.shape[:-1], c.shape[:c.ndim - len(shape)]), u.shape[-1]))

    def linear(primitive: Primitive) -> Callable[..., Any]:
        def tangent(primals: Any, tangents: Any) -> Any:
            if type(tangents[0]) is not ad.Zero:
                raise NotImplementedError(ONLY_FIRST)
            return primitive.bind(*primals), primitive.bind(primals[0], ad.instantiate_zeros(tangents[1]))
        return tangent

    def transposed(primitive: Primitive) -> Callable[..., Any]:
        return lambda c, u, to: (None, _summed(primitive.bind(u, ad.instantiate_zeros(c)), to.aval.shape))

    ad.primitive_jvps[result] = lambda u, du: (result.bind(*u), forward.bind(*u, ad.instantiate_zeros(du[0])))
    ad.primitive_jvps[forward], ad.primitive_jvps[reverse] = linear(forward), linear(reverse)
    ad.primitive_transposes[forward], ad.primitive_transposes[reverse] = transposed(reverse), transposed(forward)
    return lambda u: result.bind(u)


def _summed(array: Any, shape: tuple[int, ...]) -> Any:
    """The array summed over the leading dimensions along which an array of this shape was broadcast."""
    axes = tuple(k for k, size in enumerate(shape) if size == 1 and array.shape[k] != 1)
    return array.sum(axes, keepdims=True) if axes else array
