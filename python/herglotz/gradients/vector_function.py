"""Functions of vectors that the extension computes with their first derivatives."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from functools import cached_property
from typing import Any

import numpy

from herglotz import _herglotz
from herglotz.dataset import RunError


class VectorFunction(ABC):
    """f(u) of vectors u (..., name), as (..., *shape); leading dimensions are broadcast. Raises RunError for runs that fail."""

    called = "a run"  #: in messages

    @property
    @abstractmethod
    def shape(self) -> tuple[int, ...]:
        """The shape of f(u) for one vector."""

    @property
    @abstractmethod
    def size(self) -> int:
        """The number of values of the vector."""

    @abstractmethod
    def _made(self) -> _herglotz.VectorFunction:
        """The compiled function."""

    @cached_property
    def compiled(self) -> _herglotz.VectorFunction:
        return self._made()

    def values(self, u: Any) -> numpy.ndarray:
        """f(u)."""
        return self._called(self.compiled.values, u)

    def along(self, u: Any, du: Any) -> numpy.ndarray:
        """The derivative of f(u) along du (..., name)."""
        return self._called(self.compiled.along, u, du)

    def back(self, u: Any, c: Any) -> numpy.ndarray:
        """The derivative of the sum of c (..., *shape) times f(u), as (..., name)."""
        return self._called(self.compiled.back, u, c)

    @staticmethod
    def _called(function: Callable[..., Any], *arguments: Any) -> numpy.ndarray:
        try:
            found: numpy.ndarray = function(*(numpy.asarray(argument, dtype=float, order="C") for argument in arguments))
            return found
        except RuntimeError as error:
            raise RunError(str(error), None) from None
