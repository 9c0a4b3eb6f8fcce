"""Runs as functions of PyTorch."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy
import torch

from herglotz.arguments import to_finite
from herglotz.gradients.runs import ONLY_FIRST, NamedRuns, Runs, Values


def _call(function: Callable[..., numpy.ndarray], *arguments: torch.Tensor) -> torch.Tensor:
    return torch.from_numpy(numpy.array(function(*(argument.detach().numpy() for argument in arguments))))


class _Mapped(torch.autograd.Function):
    """A function of tensors whose leading dimensions are those of many runs: vmap adds one in front."""

    @classmethod
    def vmap(cls, info: Any, axes: tuple[int | None, ...], runs: Runs,
             *arguments: torch.Tensor) -> tuple[torch.Tensor, int]:
        return cls.apply(runs, *(argument.unsqueeze(0) if axis is None else argument.movedim(axis, 0)
                                 for argument, axis in zip(arguments, axes[1:]))), 0


class _Linear(_Mapped):
    """A derivative of runs. It has none itself."""

    @staticmethod
    def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
        pass

    @staticmethod
    def backward(ctx: Any, *_: Any) -> Any:
        raise NotImplementedError(ONLY_FIRST)

    @staticmethod
    def jvp(ctx: Any, *_: Any) -> Any:
        raise NotImplementedError(ONLY_FIRST)


class _Adjoint(_Linear):
    """The derivative of the sum of c times the values."""

    @staticmethod
    def forward(runs: Runs, u: torch.Tensor, c: torch.Tensor) -> torch.Tensor:
        return _call(runs.back, u, c)


class _Variation(_Linear):
    """The derivative of the values along du."""

    @staticmethod
    def forward(runs: Runs, u: torch.Tensor, du: torch.Tensor) -> torch.Tensor:
        return _call(runs.along, u, du)


class _Values(_Mapped):
    """The values (..., time, column) of runs by u (..., name)."""

    @staticmethod
    def forward(runs: Runs, u: torch.Tensor) -> torch.Tensor:
        return _call(runs.values, u)

    @staticmethod
    def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
        ctx.runs, u = inputs
        ctx.save_for_backward(u)
        ctx.save_for_forward(u)

    @staticmethod
    def backward(ctx: Any, c: torch.Tensor) -> Any:
        return None, _Adjoint.apply(ctx.runs, *ctx.saved_tensors, c)

    @staticmethod
    def jvp(ctx: Any, _: None, du: torch.Tensor) -> Any:
        return _Variation.apply(ctx.runs, *ctx.saved_tensors, du)


def torch_solve(named: NamedRuns) -> Callable[..., dict[str, torch.Tensor]]:
    """See System.to_torch_solve."""
    def solve(initial: Values | None = None, parameters: Values | None = None) -> dict[str, torch.Tensor]:
        runs, values = named.by(initial, parameters)
        given = [_double(name, value) for name, value in values.items()]
        try:
            shape = torch.broadcast_shapes(*(tensor.shape for tensor in given))
        except RuntimeError:
            shapes = ", ".join(f"'{name}' {tuple(tensor.shape)}" for name, tensor in zip(values, given))
            raise ValueError(f"shapes that do not go together: {shapes}; give numbers, or tensors of one shape") from None
        u = torch.stack([tensor.expand(shape) for tensor in given], -1) if given else torch.zeros(0, dtype=torch.float64)
        found = _Values.apply(runs, u)
        return {name: found[..., k] for k, name in enumerate(named.columns)}

    return solve


def _double(name: str, value: Any) -> torch.Tensor:
    if not isinstance(value, torch.Tensor):
        return torch.tensor(to_finite(name, value), dtype=torch.float64)
    if value.dtype != torch.float64:
        raise TypeError(f"'{name}' is a tensor of {value.dtype}; runs have 64-bit numbers, give torch.float64")
    if value.device.type != "cpu":
        raise ValueError(f"'{name}' is on the device {value.device}; runs are on the processor, give {name}.cpu()")
    return value
