"""Lyapunov exponents, and periodic orbits by shooting."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy
import xarray

from herglotz import _herglotz
from herglotz._model import key_of
from herglotz.arguments import to_finite, to_table
from herglotz.dataset import RunError, to_dataset
from herglotz.settings import given_settings

if TYPE_CHECKING:
    from herglotz.system import System


def _motion(system: System, initial: Mapping[Any, float] | None, parameters: Mapping[Any, float] | None,
            settings: Mapping[str, Any], what: str) -> tuple[Any, dict[str, float], dict[str, float], dict[str, Any]]:
    """The arguments that both functions hand on."""
    from herglotz.simulation import require_without_index
    require_without_index(system, what)

    def values(name: str, given: Mapping[Any, float] | None) -> dict[str, float]:
        return {str(key): to_finite(str(key), value) for key, value in system._named(to_table(name, given)).items()}

    return system._model, values("initial", initial), values("parameters", parameters), given_settings(settings)


def lyapunov_exponents(system: System, initial: Mapping[Any, float] | None = None, *, t_end: float, interval: float = 1.0,
                       settle: float = 0.0, parameters: Mapping[Any, float] | None = None,
                       **settings: Any) -> xarray.DataArray:
    """The Lyapunov exponents of a motion, largest first, over the time up to which they are averages.

    The variations of the state are made orthogonal after each interval, and the logarithms of their growth added up
    [BGGS80]. The sum of all exponents is the mean divergence of the motion: -(n + 1) gamma for n coordinates and friction
    -gamma z.

    >>> hz.lyapunov_exponents(system, t_end=500, interval=1.0, method="runge-kutta-8", step=0.02)[-1]

    Args:
        system: what moves, without constraints.
        initial: the start, over that of the system.
        t_end: how long exponents are averaged.
        interval: the time between two orthogonalisations.
        settle: a time before that is left out of the averages.
        parameters: values over those of the system.
        **settings: `method`, `step`, `tolerance`, as for `simulate`.

    Raises:
        ValueError: constraints, an unknown name, times that are not positive.
        RunError: the run failed, or has no derivatives.
    """
    try:
        times, exponents = _herglotz.lyapunov_exponents(*_motion(system, initial, parameters, settings, "lyapunov_exponents"),
                                                        to_finite("t_end", t_end), to_finite("interval", interval),
                                                        to_finite("settle", settle))
    except RuntimeError as error:
        raise RunError(str(error), None) from None
    time = str(system.time)
    return xarray.DataArray(exponents, dims=(time, "exponent"), coords={time: times}, name="lyapunov")


@dataclass(frozen=True, eq=False)
class PeriodicOrbit:
    """A motion that comes back to its start.

    Attributes:
        start: the state at the start
        stable: whether all multipliers lie inside the unit circle, but for that one
        run: over one period
    """

    period: float
    start: Mapping[str, float]
    multipliers: numpy.ndarray
    """Floquet's multipliers, of the entries of the state that come back, by falling modulus. One of them is 1 if the
    equations do not depend on time."""
    stable: bool
    run: xarray.Dataset

    def __repr__(self) -> str:
        return (f"<herglotz.PeriodicOrbit of period {self.period:.9g}, {'stable' if self.stable else 'unstable'}, multipliers "
                f"{numpy.round(self.multipliers, 6)}>")


def periodic_orbit(system: System, initial: Mapping[Any, float] | None = None, *, period: float, fixed: Any = None,
                   drifting: Any = (), parameters: Mapping[Any, float] | None = None, **settings: Any) -> PeriodicOrbit:
    """The periodic orbit near a start, by Newton's method on the state after one period (shooting).

    >>> orbit = hz.periodic_orbit(system, {"q": 1.0}, period=2*pi/omega, method="runge-kutta-8", step=0.01)
    >>> orbit.multipliers, orbit.stable

    Args:
        system: what moves, without constraints.
        initial: the start, over that of the system.
        period: the period, or a guess if `fixed` is given.
        fixed: for equations that do not depend on time: an entry of the state that keeps its value, by which the start on
            the orbit is chosen. The period is then found.
        drifting: entries of the state that need not come back, such as the action of a motion without friction.
        parameters: values over those of the system.
        **settings: `method`, `step`, `tolerance`, as for `simulate`. A step is that of the run whatever the period.

    Raises:
        ValueError: constraints, an unknown name.
        RunError: the run failed, or Newton's method found no orbit.
    """
    kept = None if fixed is None else key_of(fixed, system._functions)
    drift = [key_of(name, system._functions) for name in drifting]
    try:
        found, start, multipliers, stable, reached = _herglotz.periodic_orbit(
            *_motion(system, initial, parameters, settings, "periodic_orbit"), to_finite("period", period), kept, drift)
    except RuntimeError as error:
        raise RunError(str(error), None) from None
    return PeriodicOrbit(found, start, numpy.array(multipliers, dtype=complex), stable,
                         to_dataset(reached.arrays, dict(reached.facts)))
