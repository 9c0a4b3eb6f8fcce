"""Lyapunov exponents, and periodic orbits by shooting."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy
import xarray

from herglotz import _herglotz
from herglotz._model import key_of
from herglotz.arguments import to_count, to_finite, to_table
from herglotz.dataset import RunError, to_dataset
from herglotz.gradients.value import differentiated_model
from herglotz.settings import given_settings

if TYPE_CHECKING:
    from herglotz.system import System


class _Flow:
    """The motion from a state to a later time, with its derivative by the state."""

    def __init__(self, system: System, parameters: Mapping[Any, float] | None, settings: Mapping[str, Any]):
        if system.rule != "none":
            raise ValueError("the motion of a system with constraints has no derivative by every entry of its state; reduce "
                             "the system by its constraints")
        self.system = system
        self.names, self.time = list(system.state), str(system.time)
        self._model = differentiated_model(system)
        self._settings = given_settings(settings)
        self._parameters = {str(name): to_finite(str(name), value)
                            for name, value in system._named(to_table("parameters", parameters)).items()}

    def start(self, initial: Mapping[Any, float] | None) -> tuple[float, numpy.ndarray]:
        """The time of the start, and its state."""
        given = {str(name): to_finite(str(name), value)
                 for name, value in self.system._named(to_table("initial", initial)).items()}
        known = {self.time, *self.names}
        for name in given:
            if name not in known:
                raise ValueError(f"no entry '{name}' of the state; there are {', '.join([*self.names, self.time])}")
        values = {**self.system.initial, **given}
        return values.get(self.time, 0.0), numpy.array([values.get(name, 0.0) for name in self.names])

    def __call__(self, t: float, y: numpy.ndarray, duration: float) -> tuple[numpy.ndarray, numpy.ndarray, xarray.Dataset]:
        """The state after a duration, its derivative by the state y, and the run."""
        initial = {**dict(zip(self.names, y.tolist())), self.time: t}
        run = _herglotz.DifferentiableRun(self._model, initial, self._parameters,
                                          {**self._settings, "t_end": t + duration}, {}, self.names)
        reached = run.reached
        dataset = to_dataset(reached.arrays, dict(reached.facts))
        if reached.failure:
            raise RunError(reached.failure, dataset)
        try:
            slopes = numpy.asarray(run.derivatives(self.names))[-1]
        except RuntimeError as error:
            raise RunError(str(error), dataset) from None
        return numpy.array([reached.values(name)[-1] for name in self.names]), slopes, dataset

    def rates(self, t: float, y: numpy.ndarray) -> numpy.ndarray:
        return self.system.vector_field(self._parameters)(t, y)


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
    for name, value in {"t_end": t_end, "interval": interval}.items():
        if not to_finite(name, value) > 0:
            raise ValueError(f"{name} = {value}; a positive time is needed")
    if not to_finite("settle", settle) >= 0:
        raise ValueError(f"settle = {settle}; a time of at least 0 is needed")
    flow = _Flow(system, parameters, settings)
    t, y = flow.start(initial)
    if settle > 0:
        y, t = flow(t, y, settle)[0], t + settle
    count = to_count("t_end / interval", max(1, round(t_end / interval)), 1)
    frame, sums, averages = numpy.eye(y.size), numpy.zeros(y.size), []
    for k in range(count):
        y, slopes, _ = flow(t + k*interval, y, interval)
        frame, triangle = numpy.linalg.qr(slopes @ frame)
        sums += numpy.log(numpy.abs(numpy.diagonal(triangle)))
        averages.append(sums / ((k + 1)*interval))
    times = t + interval*numpy.arange(1, count + 1)
    ordered = numpy.array(averages)[:, numpy.argsort(-averages[-1], kind="stable")]
    return xarray.DataArray(ordered, dims=(flow.time, "exponent"), coords={flow.time: times}, name="lyapunov")


@dataclass(frozen=True, eq=False)
class PeriodicOrbit:
    """A motion that comes back to its start."""

    period: float
    start: Mapping[str, float]  #: the state at the start
    multipliers: numpy.ndarray
    """Floquet's multipliers, of the entries of the state that come back, by falling modulus. One of them is 1 if the
    equations do not depend on time."""
    stable: bool  #: whether all multipliers lie inside the unit circle, but for that one
    run: xarray.Dataset  #: over one period

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
    if not to_finite("period", period) > 0:
        raise ValueError(f"period = {period}; a positive time is needed")
    flow = _Flow(system, parameters, settings)
    t, y = flow.start(initial)

    def place(name: Any) -> int:
        key = key_of(name, system._functions)
        if key not in flow.names:
            raise ValueError(f"no entry '{key}' of the state; there are {', '.join(flow.names)}")
        return flow.names.index(key)

    drift = {place(name) for name in drifting}
    back = [k for k in range(y.size) if k not in drift]
    free = [k for k in back if fixed is None or k != place(fixed)]
    last = numpy.inf
    for _ in range(40):
        end, slopes, run = flow(t, y, period)
        off = end[back] - y[back]
        scale = 1.0 + numpy.abs(y[back]).max()
        matrix = (slopes - numpy.eye(y.size))[numpy.ix_(back, free)]
        if fixed is not None:
            matrix = numpy.column_stack([matrix, flow.rates(t + period, end)[back]])
        change = numpy.linalg.lstsq(matrix, -off, rcond=1e-8)[0]  # a family of orbits leaves a direction free
        size = float(numpy.abs(change).max()) / scale
        if size < 1e-12 or (size < 1e-8 and size > 0.5*last):
            break
        last = size
        y[free] += change[:len(free)]
        if fixed is not None:
            period += float(change[-1])
        if not numpy.isfinite(y).all() or not period > 0:
            raise RunError("Newton's method left the region of motions; start nearer to the orbit", run)
    else:
        raise RunError(f"Newton's method did not find a periodic orbit: its last change is {size:.2g}; start nearer to it", run)
    if numpy.abs(off).max() > 1e-7*scale:
        raise RunError(f"there is no periodic orbit nearby: the motion misses its start by {numpy.abs(off).max():.2g}", run)
    multipliers = numpy.linalg.eigvals(slopes[numpy.ix_(back, back)])
    multipliers = multipliers[numpy.argsort(-numpy.abs(multipliers), kind="stable")]
    others = numpy.delete(multipliers, numpy.abs(multipliers - 1).argmin()) if fixed is not None else multipliers
    return PeriodicOrbit(period, dict(zip(flow.names, y.tolist())), multipliers, bool((numpy.abs(others) < 1).all()), run)
