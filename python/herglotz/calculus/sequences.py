"""Sequences of positions: their discrete action, its differential, and how far they are from a discrete motion."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias, cast

import numpy
from numpy.typing import ArrayLike

from herglotz.arguments import to_array, to_count, to_finite, to_switch

from .geometry import (
    DiscreteLegendre,
    DiscreteMotion,
    Position,
    discrete_legendre,
    discrete_motion,
    exact_discrete_lagrangian,
)
from .related import RelatedSystems

if TYPE_CHECKING:
    from herglotz.system import System

Positions: TypeAlias = ArrayLike | Mapping[Any, ArrayLike]


@dataclass(frozen=True)
class ContactExponential:
    """The motion from (q0, v0, z0) over h, and the Jacobian of exp_h(q0, v0, z0) = (q0, q1, z0) [ASMLL20, Eqs. 53, 58].

    Attributes:
        q1: position at the end (n)
        v1: velocity at the end (n)
        z1: action at the end
        jacobian: d q1/d v0 (n, n); singular where q0 and q1 are conjugate
    """

    q1: numpy.ndarray
    v1: numpy.ndarray
    z1: float
    jacobian: numpy.ndarray


def actions_of(z0: float, steps: Sequence[DiscreteLegendre]) -> numpy.ndarray:
    """z_0, .., z_N of successive steps."""
    return numpy.array([to_finite("z0", z0), *(step.z1 for step in steps)])


def variation_of(steps: Sequence[DiscreteLegendre], moved: numpy.ndarray) -> float:
    """The change of z_N where the ends of the steps move by these components."""
    change = 0.0
    for k, step in enumerate(steps):
        change = step.sigma * (change - float(step.p0 @ moved[k])) + float(step.p1 @ moved[k + 1])
    return change


def rows_of(steps: Sequence[DiscreteLegendre], components: int) -> numpy.ndarray:
    """sigma_d (p1 of the step before - p0) between successive steps."""
    rows = [after.sigma * (before.p1 - after.p0) for before, after in itertools.pairwise(steps)]
    return numpy.array(rows).reshape(len(rows), components)


class SequenceCalculus(RelatedSystems):
    """Functions of sequences of positions under a discrete Lagrangian. A sequence need not be a motion [ASMLL20, Sec. 3].

    A sequence is an array (N + 1, n), or {base coordinate: values}; h is the time between its positions. The discrete
    Lagrangian is that of the model, or with exact=True the exact one with the exact discrete forces [ASMLL20, Eq. 61; MW01].
    """

    def discrete_action(self, sequence: Positions, h: float, *, z0: float = 0.0, t0: float = 0.0, exact: bool = False,
                        parameters: Mapping[Any, float] | None = None) -> numpy.ndarray:
        """z_0, .., z_N with z_k+1 = z_k + L_d(q_k, q_k+1, z_k): the last is the action [ASMLL20, Eq. 35].

        >>> hz.model("discrete-oscillator").discrete_action([1.0, 1.2, 1.1], h=0.1)
        """
        q = self._positions("the sequence", sequence)
        return actions_of(z0, self._steps(q, h, z0, t0, exact, parameters))

    def discrete_first_variation(self, sequence: Positions, variation: Positions, h: float, *, z0: float = 0.0, t0: float = 0.0,
                                 exact: bool = False, parameters: Mapping[Any, float] | None = None) -> float:
        """The derivative of z_N along dq_0, .., dq_N, with the virtual work of discrete forces [ASMLL20, Eqs. 36-38].

        >>> hz.model("discrete-oscillator").discrete_first_variation([1.0, 1.2, 1.1], [0, 0.1, 0], h=0.5)

        dz_k+1 = sigma_d(k) (dz_k - p_k^- dq_k) + p_k+1^+ dq_k+1, with dz_0 = 0. For a variation that vanishes at both ends it
        is 0 exactly along the discrete motions.
        """
        q, dq = self._positions("the sequence", sequence), self._positions("the variation", variation)
        if q.shape != dq.shape:
            raise ValueError(f"the variation has {len(dq)} positions, and the sequence {len(q)}")
        return variation_of(self._steps(q, h, z0, t0, exact, parameters), dq)

    def discrete_euler_lagrange(self, sequence: Positions, h: float, *, z0: float = 0.0, t0: float = 0.0, exact: bool = False,
                                parameters: Mapping[Any, float] | None = None) -> numpy.ndarray:
        """D1 L_d(q_k, q_k+1, z_k) + sigma_d(k) D2 L_d(q_k-1, q_k, z_k-1) for k = 1, .., N - 1, undivided (N - 1, n).

        >>> hz.model("discrete-oscillator").discrete_euler_lagrange([1.0, 1.2, 1.1], h=0.5)

        Zero along the discrete motions [ASMLL20, Eq. 39]; with discrete forces these are added to D1 and D2.
        """
        q = self._positions("the sequence", sequence)
        return rows_of(self._steps(q, h, z0, t0, exact, parameters), len(self.base))

    def discrete_motion(self, q0: Position, q1: Position, h: float, steps: int, *, z0: float = 0.0, t0: float = 0.0,
                        parameters: Mapping[Any, float] | None = None) -> DiscreteMotion:
        """The motion of the model's discrete Lagrangian through q0 and q1, by the discrete Herglotz equations [ASMLL20, Eq. 39].

        >>> hz.model("discrete-oscillator").discrete_motion(1.0, 2.0, h=0.5, steps=3).q

        Where sigma_d < 0, as for large steps, the flow is a conformal contactomorphism all the same [ASMLL20, Thm 3.9]: the
        conformal factor of the source is any function without zeros. `simulate` refuses such steps, which approximate no motion
        in continuous time. Newton's method starts where the sequence would go on evenly. Raises RuntimeError where it finds no
        position, and ValueError where sigma_d is 0.
        """
        return discrete_motion(self, q0, q1, z0, h, t0, to_count("steps", steps, least=1), parameters)

    def contact_exponential(self, q0: Position, v0: Position, z0: float, h: float, *, t0: float = 0.0,
                            parameters: Mapping[Any, float] | None = None) -> ContactExponential:
        """The contact exponential map and its Jacobian [ASMLL20, Eqs. 53, 58], by the motion and its variational equations.

        >>> hz.model("damped-pendulum").contact_exponential(1.0, 0.3, 0.1, h=0.5).q1

        `exact_discrete_lagrangian` inverts it. q0 and v0 are arrays, or values by name; h may have either sign. Its q1 and z1
        are those of the nonholonomic exponential map of the constraint dz/dt = L [ASMLL20, Eq. 58]. Raises ValueError for
        constraints of the system.
        """
        from herglotz.simulation import simulate
        if self.rule != "none":
            raise ValueError("the contact exponential map is one of systems without constraints")
        h, t0 = to_finite("h", h), to_finite("t0", t0)
        if h == 0:
            raise ValueError("a step of 0 leads nowhere; give h other than 0")
        names = [[symbol.name for symbol in symbols] for symbols in (self.base, self.fibre)]
        start = {self.action.name: to_finite("z0", z0), self.time.name: t0}
        for what, given, of in (("q0", q0, names[0]), ("v0", v0, names[1])):
            values = self._named(given) if isinstance(given, Mapping) else dict(zip(of, numpy.atleast_1d(to_array(what, given))))
            if set(values) != set(of) or (not isinstance(given, Mapping) and numpy.size(given) != len(of)):
                raise ValueError(f"{what} needs a value for each of {', '.join(of)}")
            start |= {name: to_finite(f"{what}[{name!r}]", value) for name, value in values.items()}
        run = simulate(cast("System", self), start, parameters=parameters, method="reference", tolerance=1e-13, t_end=t0 + h,
                       output_step=abs(h), sensitivities=names[1])
        slopes = run.hz.sensitivity.isel({self.time.name: -1}).sel(column=names[0], wrt=names[1])
        q1, v1 = (numpy.array([float(run[name].values[-1]) for name in of]) for of in names)
        return ContactExponential(q1, v1, float(run[self.action.name].values[-1]), slopes.values)

    def _positions(self, what: str, given: Positions) -> numpy.ndarray:
        names = [symbol.name for symbol in self.base]
        if not names:
            raise ValueError("a system without base coordinates has no positions; the functions of arrows end in _on_group")
        if isinstance(given, Mapping):
            columns = {str(name): to_array(what, values) for name, values in self._named(given).items()}
            if set(columns) != set(names):
                raise ValueError(f"{what} needs values of each of {', '.join(names)}, and got {', '.join(columns) or 'none'}")
            if len({len(numpy.atleast_1d(values)) for values in columns.values()}) > 1:
                raise ValueError(f"{what} has coordinates with different numbers of values")
            array = numpy.stack([numpy.atleast_1d(columns[name]) for name in names], axis=1)
        else:
            array = to_array(what, given)
            if array.ndim == 1 and len(names) == 1:
                array = array.reshape(-1, 1)
        if array.ndim != 2 or array.shape[1] != len(names) or len(array) < 2:
            raise ValueError(f"{what} of shape (N + 1, {len(names)}) is needed for {', '.join(names)}, not {array.shape}")
        if not numpy.isfinite(array).all():
            raise ValueError(f"{what} has a value that is not finite")
        return array

    def _steps(self, q: numpy.ndarray, h: float, z0: float, t0: float, exact: bool,
               parameters: Mapping[Any, float] | None) -> Sequence[DiscreteLegendre]:
        exact = to_switch("exact", exact)
        z, t, h = to_finite("z0", z0), to_finite("t0", t0), to_finite("h", h)
        steps: list[DiscreteLegendre] = []
        for k in range(len(q) - 1):
            between = (self, q[k], q[k + 1], z, h, t + k * h, parameters)
            if exact:
                found = exact_discrete_lagrangian(*between)
                step = DiscreteLegendre(p0=found.p0, p1=found.p1, z1=z + found.value, sigma=found.sigma)
            else:
                step = discrete_legendre(*between)
            z = step.z1
            steps.append(step)
        return steps
