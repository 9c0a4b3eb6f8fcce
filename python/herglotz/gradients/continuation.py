"""Equilibria as a parameter changes."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy
import xarray

from herglotz import _herglotz
from herglotz._model import key_of
from herglotz.arguments import to_count, to_finite, to_table
from herglotz.dataset import RunError

if TYPE_CHECKING:
    from herglotz.system import System


@dataclass(frozen=True, eq=False)
class Branch:
    """A curve of equilibria, in the order of its arc length.

    Attributes:
        parameter: the name of the parameter that changes
        points: over `point`: the parameter, every entry of the state, `stability` and `event`, which is "fold", "hopf",
            "branch" or ""
        poles: of each point, by falling real part
        status: "complete", or why the branch ends before the parameter leaves its range; then it is a Python warning too
    """

    parameter: str
    points: xarray.Dataset
    poles: tuple[numpy.ndarray, ...]
    status: str = "complete"

    def at(self, event: str) -> xarray.Dataset:
        """The points of an event: "fold", "hopf" or "branch"."""
        return self.points.isel(point=numpy.flatnonzero(self.points["event"].values == event))

    def __repr__(self) -> str:
        counts = {event: self.at(event).sizes["point"] for event in ("fold", "hopf", "branch")}
        found = ", ".join(f"{count} {event}" for event, count in counts.items() if count)
        return f"<herglotz.Branch of {self.points.sizes['point']} equilibria by {self.parameter}{': ' + found if found else ''}>"


def follow_equilibria(system: System, at: Mapping[Any, float] | None = None, *, parameter: Any, to: float,
                      parameters: Mapping[Any, float] | None = None, largest_step: float = 0.0, points: int = 500) -> Branch:
    """The equilibria of a system as a parameter goes from its value to another one, around folds, by pseudo-arclength.

    Folds (the parameter turns back), Hopf points (a pair of complex poles crosses the imaginary axis) and branch points (a
    real pole passes zero) are located, and are points of the branch.

    >>> branch = hz.follow_equilibria(system, {"q": 1.0}, parameter="mu", to=-1.0)
    >>> branch.at("fold")["mu"]

    Args:
        system: what rests, with equations that do not depend on time.
        at: a state near the first equilibrium, over the start of the system.
        parameter: the parameter that changes, from its value in `parameters` or in the system.
        to: the value to which it goes; the branch also ends where it comes back to its first value.
        parameters: values over those of the system.
        largest_step: largest distance of two points in the space of parameter and states, of which those above 1 are measured
            by their size at the first point; 0: a fiftieth of the way.
        points: largest number of points.

    Raises:
        ValueError: an unknown name, vakonomic constraints, equations that depend on time.
        RunError: there is no equilibrium near the first state.
    """
    from herglotz.simulation import require_without_index
    require_without_index(system, "follow_equilibria")

    def values(name: str, given: Mapping[Any, float] | None) -> dict[str, float]:
        return {str(key): to_finite(str(key), value) for key, value in system._named(to_table(name, given)).items()}

    name = key_of(parameter, system._functions)
    try:
        states, found, status = _herglotz.follow_equilibria(
            system._model, values("at", at), values("parameters", parameters), name, to_finite("to", to),
            to_finite("largest_step", largest_step), to_count("points", points, 2))
    except RuntimeError as error:
        raise RunError(str(error), None) from None
    table = {name: ("point", numpy.array([value for value, *_ in found]))}
    for k, state in enumerate(states):
        table[state] = ("point", numpy.array([place[k] for _, place, *_ in found]))
    table["stability"] = ("point", numpy.array([stability for *_, stability, _ in found]))
    table["event"] = ("point", numpy.array([event for *_, event in found]))
    if status != "complete":
        warnings.warn(f"the branch is not complete: {status}", stacklevel=2)
    return Branch(name, xarray.Dataset(table), tuple(numpy.array(poles, dtype=complex) for _, _, poles, _, _ in found), status)
