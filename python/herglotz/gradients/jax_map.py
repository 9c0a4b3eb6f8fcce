"""Functions that are computed outside of JAX, with their derivatives forwards and backwards, as functions of JAX."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy
from jax.extend.core import Primitive
from jax.interpreters import ad, batching, mlir

from herglotz import _herglotz
from herglotz.gradients.jax_calls import jax_calls
from herglotz.gradients.vector_function import VectorFunction

_values, _variation, _adjoint = Primitive("herglotz_values"), Primitive("herglotz_variation"), Primitive("herglotz_adjoint")


def jax_map(of: VectorFunction) -> Callable[[Any], jax.Array]:
    """f(u) of a vector u, under jit, vmap, jvp and vjp; first derivatives.

    The function, its variation and its adjoint are three primitives of JAX, because the last two are transposes of each other.
    Compiled code calls them by XLA's foreign function interface, without Python, where `jax_calls` says so.
    """
    return lambda u: _values.bind(u, of=of)


def _of_values(u: Any, of: VectorFunction) -> tuple[int, ...]:
    return (*u.shape[:-1], *of.shape)


def _of_variation(u: Any, du: Any, of: VectorFunction) -> tuple[int, ...]:
    return (*numpy.broadcast_shapes(u.shape[:-1], du.shape[:-1]), *of.shape)


def _of_adjoint(u: Any, c: Any, of: VectorFunction) -> tuple[int, ...]:
    return (*numpy.broadcast_shapes(u.shape[:-1], c.shape[:c.ndim - len(of.shape)]), of.size)


def _define(primitive: Primitive, operation: str, shape_of: Callable[..., tuple[int, ...]]) -> None:
    def called(*arguments: Any, of: VectorFunction) -> Any:
        return jax.pure_callback(getattr(of, operation), jax.ShapeDtypeStruct(shape_of(*arguments, of), jnp.float64), *arguments)

    def batched(arguments: Any, axes: Any, of: VectorFunction) -> Any:
        moved = [jnp.expand_dims(argument, 0) if axis is None else jnp.moveaxis(argument, axis, 0)
                 for argument, axis in zip(arguments, axes)]
        return primitive.bind(*moved, of=of), 0

    def custom_call(context: mlir.LoweringRuleContext, *arguments: Any, of: VectorFunction) -> Any:
        # The executable holds the function, which it finds by its number, as long as it is there itself.
        context.module_context.add_keepalive(of.compiled)
        return jax.ffi.ffi_lowering(primitive.name)(context, *arguments, function=numpy.int64(of.compiled.number))

    # Outside of jit there is nothing to compile.
    primitive.def_impl(lambda *arguments, of: jnp.asarray(getattr(of, operation)(*arguments)))
    primitive.def_abstract_eval(lambda *arguments, of: jax.core.ShapedArray(shape_of(*arguments, of), jnp.float64))
    mlir.register_lowering(primitive, mlir.lower_fun(called, multiple_results=False))
    if jax_calls() == "xla":
        jax.ffi.register_ffi_target(primitive.name, _herglotz.xla_handlers()[primitive.name], platform="cpu")
        mlir.register_lowering(primitive, custom_call, platform="cpu")
    batching.primitive_batchers[primitive] = batched


def _linear(primitive: Primitive, transposed: Primitive) -> None:
    def tangent(primals: Any, tangents: Any, of: VectorFunction) -> Any:
        if type(tangents[0]) is not ad.Zero:
            raise NotImplementedError(f"{of.called} has first derivatives only; second ones are not there")
        return primitive.bind(*primals, of=of), primitive.bind(primals[0], ad.instantiate_zeros(tangents[1]), of=of)

    def transpose(c: Any, u: Any, to: Any, of: VectorFunction) -> Any:
        return None, _summed(transposed.bind(u, ad.instantiate_zeros(c), of=of), to.aval.shape)

    ad.primitive_jvps[primitive] = tangent
    ad.primitive_transposes[primitive] = transpose


def _summed(array: Any, shape: tuple[int, ...]) -> Any:
    """The array summed over the leading dimensions along which an array of this shape was broadcast."""
    axes = tuple(k for k, size in enumerate(shape) if size == 1 and array.shape[k] != 1)
    return array.sum(axes, keepdims=True) if axes else array


def _tangent_of_values(u: Any, du: Any, of: VectorFunction) -> Any:
    return _values.bind(*u, of=of), _variation.bind(*u, ad.instantiate_zeros(du[0]), of=of)


_define(_values, "values", _of_values)
_define(_variation, "along", _of_variation)
_define(_adjoint, "back", _of_adjoint)
ad.primitive_jvps[_values] = _tangent_of_values
_linear(_variation, _adjoint)
_linear(_adjoint, _variation)
