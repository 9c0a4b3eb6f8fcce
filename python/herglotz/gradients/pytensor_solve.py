"""Runs as functions of PyTensor, and so of PyMC."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy
import pytensor.tensor as pt
from pytensor.gradient import grad_not_implemented
from pytensor.graph.basic import Apply, Variable
from pytensor.graph.op import Op

from herglotz.arguments import to_finite
from herglotz.gradients.likelihood import LogLikelihood
from herglotz.gradients.runs import ONLY_FIRST, NamedRuns, Runs, Values


class _OfRuns(Op):
    """A function of runs, or of their likelihood, and vectors, whose result has a known shape.

    Attributes:
        signature: as that of NumPy's generalised functions, where "values" are the dimensions of the values
    """

    __props__ = ("runs",)
    signature: str

    def __init__(self, runs: Runs | LogLikelihood):
        self.runs = runs
        self.gufunc_signature = self.signature.replace("values", "t,c" if runs.shape else "")

    def _applied(self, inputs: Sequence[Any], shape: tuple[int, ...]) -> Apply:
        return Apply(self, [pt.as_tensor_variable(entry) for entry in inputs], [pt.tensor(dtype="float64", shape=shape)])

    def infer_shape(self, fgraph: Any, node: Apply, shapes: Any) -> list[Any]:
        return [tuple(pt.constant(size) for size in node.outputs[0].type.shape)]


class _Adjoint(_OfRuns):
    """The derivative (name) of the sum of c (time, column) times the values."""

    signature = "(n),(values)->(n)"

    def make_node(self, u: Any, c: Any) -> Apply:
        return self._applied([u, c], (self.runs.size,))

    def perform(self, node: Apply, inputs: Sequence[Any], outputs: Any) -> None:
        outputs[0][0] = self.runs.back(*inputs)

    def L_op(self, inputs: Sequence[Variable], outputs: Sequence[Variable], cotangents: Sequence[Any]) -> list[Variable]:
        u, _ = inputs
        return [grad_not_implemented(self, 0, u, ONLY_FIRST), _Variation(self.runs)(u, cotangents[0])]


class _Variation(_OfRuns):
    """The derivative (time, column) of the values along du (name)."""

    signature = "(n),(n)->(values)"

    def make_node(self, u: Any, du: Any) -> Apply:
        return self._applied([u, du], self.runs.shape)

    def perform(self, node: Apply, inputs: Sequence[Any], outputs: Any) -> None:
        outputs[0][0] = self.runs.along(*inputs)

    def L_op(self, inputs: Sequence[Variable], outputs: Sequence[Variable], cotangents: Sequence[Any]) -> list[Variable]:
        u, _ = inputs
        return [grad_not_implemented(self, 0, u, ONLY_FIRST), _Adjoint(self.runs)(u, cotangents[0])]


class _Values(_OfRuns):
    """The values (time, column) of a run by u (name)."""

    signature = "(n)->(values)"

    def make_node(self, u: Any) -> Apply:
        return self._applied([u], self.runs.shape)

    def perform(self, node: Apply, inputs: Sequence[Any], outputs: Any) -> None:
        outputs[0][0] = self.runs.values(inputs[0])

    def L_op(self, inputs: Sequence[Variable], outputs: Sequence[Variable], cotangents: Sequence[Any]) -> list[Variable]:
        return [_Adjoint(self.runs)(inputs[0], cotangents[0])]


def pytensor_solve(named: NamedRuns) -> Callable[..., dict[str, Any]]:
    """See System.to_pytensor_solve."""
    def solve(initial: Values | None = None, parameters: Values | None = None) -> dict[str, Any]:
        runs, values = named.by(initial, parameters)
        given = [_scalar(name, value) for name, value in values.items()]
        found = _Values(runs)(pt.stack(given) if given else pt.constant(numpy.zeros(0)))
        return {name: found[:, k] for k, name in enumerate(named.columns)}

    return solve


def pytensor_log_likelihood(likelihood: LogLikelihood) -> Callable[[Values], Any]:
    """See LogLikelihood.to_pytensor."""
    def density(values: Values) -> Any:
        given = zip(likelihood.names, likelihood.ordered(values))
        return _Values(likelihood)(pt.stack([_scalar(name, value) for name, value in given]))

    return density


def _scalar(name: str, value: Any) -> Any:
    if not isinstance(value, Variable):
        return pt.constant(to_finite(name, value), dtype="float64")
    if value.type.ndim != 0:
        raise ValueError(f"'{name}' has {value.type.ndim} dimensions; a number is needed, as one entry of it: {name}[0]")
    if value.type.dtype != "float64":
        raise TypeError(f"'{name}' is of {value.type.dtype}; runs have 64-bit numbers, give float64")
    return value
