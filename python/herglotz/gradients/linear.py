"""The motion near a state: matrices, poles, equilibria."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy
import xarray

from herglotz import _herglotz
from herglotz._model import CompiledModel, key_of
from herglotz.arguments import to_finite, to_list, to_names, to_switch, to_table
from herglotz.dataset import RunError


@dataclass(frozen=True, eq=False)
class Linearisation:
    """dy' = A dy + B du near a state, and outputs dv = C dy + D du, with labelled rows and columns.

    Attributes:
        at: the state
        rates: its rates there
        eigenvalues: of A, along the constraints, by falling real part
        poles: without the zeros of coordinates on which no rate depends
        drifting: these coordinates; they may move in a relative equilibrium
        stability: "asymptotically stable", "marginal", "unstable" or "no equilibrium"
    """

    at: Mapping[str, float]
    rates: Mapping[str, float]
    A: xarray.DataArray
    B: xarray.DataArray
    C: xarray.DataArray
    D: xarray.DataArray
    eigenvalues: numpy.ndarray
    poles: numpy.ndarray
    drifting: Sequence[str]
    stability: str

    def __repr__(self) -> str:
        at = ", ".join(f"{name} = {value:.6g}" for name, value in self.at.items())
        return f"<herglotz.Linearisation at {at}: {self.stability}, poles {numpy.round(self.poles, 6)}>"


class Linearisable(CompiledModel):
    """The linear system that approximates a system near a state."""

    def linearise(self, at: Mapping[Any, float] | None = None, *, parameters: Mapping[Any, float] | None = None,
                  inputs: Sequence[Any] = (), outputs: Sequence[Any] = (), equilibrium: bool = False) -> Linearisation:
        """The linear motion near a state, over the start of the system; with `equilibrium` near the equilibrium beside it.

        >>> hz.model("damped-pendulum").linearise({"theta": 3.0}, equilibrium=True).stability    # 'unstable'

        Args:
            at: values of the state by name.
            parameters: values over those of the system.
            inputs: parameters, the columns of B and D.
            outputs: coordinates, velocities, the action, "energy", "momentum.<symmetry>", observables: rows of C and D.
            equilibrium: whether to go to the equilibrium, or relative equilibrium, near the state.

        Raises:
            ValueError: an unknown name, vakonomic constraints, an equilibrium of equations that depend on time.
            RunError: rates are not finite there, or no equilibrium was found.
        """
        state = {str(name): to_finite(str(name), value) for name, value in self._named(to_table("at", at)).items()}
        constants = {str(name): to_finite(str(name), value)
                     for name, value in self._named(to_table("parameters", parameters)).items()}
        asked = to_names("inputs", [key_of(name, self._functions) for name in to_list("inputs", inputs, "names")])
        followed = to_names("outputs", [key_of(name, self._functions) for name in to_list("outputs", outputs, "names")])
        moved = to_switch("equilibrium", equilibrium)
        try:
            found = _herglotz.linearise(self._model, state, constants, asked, followed, moved)
        except RuntimeError as error:
            raise RunError(str(error), None) from None
        states, columns, rows = found["states"], found["inputs"], found["outputs"]

        def labelled(name: str, row: str, rows: list[str], column: str, columns: list[str]) -> xarray.DataArray:
            return xarray.DataArray(found[name], dims=(row, column), coords={row: rows, column: columns}, name=name)

        return Linearisation(dict(zip(states, found["at"])), dict(zip(states, found["rates"])),
                             labelled("A", "rate", states, "state", states), labelled("B", "rate", states, "input", columns),
                             labelled("C", "output", rows, "state", states), labelled("D", "output", rows, "input", columns),
                             numpy.array(found["eigenvalues"], dtype=complex), numpy.array(found["poles"], dtype=complex),
                             tuple(found["drifting"]), found["stability"])
