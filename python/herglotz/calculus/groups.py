"""Discrete Lagrangians on Lie groups and other groupoids: their Legendre transforms, and the exact ones."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy
from numpy.typing import ArrayLike

from herglotz import _herglotz
from herglotz.arguments import to_array, to_finite, to_switch

from .geometry import DiscreteLegendre, parameters_of
from .sequences import actions_of, rows_of, variation_of
from .volumes import VolumeCalculus


@dataclass(frozen=True)
class ExactOnGroup:
    """L_d^e(x0, exp(eta), z0) = z(h) - z0 along the motion from x0 with the arrow exp(eta) [ASMLL20, Eq. 61; MMM06].

    Momenta are components along the frame in which the structure functions are constant: p itself on Lie algebras and action
    algebroids.

    Attributes:
        value: L_d^e(x0, exp(eta), z0)
        y0: velocity at the start: the exact retraction
        y1: velocity at the end
        p0: momentum at the start
        p1: momentum at the end
        D1: derivative along (x0 . exp(s e), exp(-s e) exp(eta)); without forces -sigma p0
        D2: derivative along (x0, exp(eta) exp(s e)); without forces p1
        x1: the base at the end, x0 . exp(eta)
        sigma: exp(b), b the integral of L_z: 1 + D_z L_d^e
    """

    value: float
    y0: numpy.ndarray
    y1: numpy.ndarray
    p0: numpy.ndarray
    p1: numpy.ndarray
    D1: numpy.ndarray
    D2: numpy.ndarray
    x1: numpy.ndarray
    sigma: float


@dataclass(frozen=True)
class ContactExponentialOnGroup:
    """exp_h(x0, y0, z0) = (x0, exp(eta), z0), with the end of the motion [ASMLL20, Eqs. 53, 58; MMM06].

    Attributes:
        eta: the arrow over h, along the constant frame (r)
        x1: the base at the end, x0 . exp(eta)
        y1: the velocity at the end
        z1: the action at the end
        sigma: exp(b), b the integral of L_z
        jacobian: d eta/d y0 (r x r), singular where ends are conjugate
    """

    eta: numpy.ndarray
    x1: numpy.ndarray
    y1: numpy.ndarray
    z1: float
    sigma: float
    jacobian: numpy.ndarray


@dataclass(frozen=True)
class DiscreteLegendreOnGroup(DiscreteLegendre):
    """Both discrete Legendre transforms at an arrow (x0, exp(eta)) [ASMLL20, Eq. 40; MMM06], along the constant frame.

    Attributes:
        x1: x0 . exp(eta)
        p0, p1: momenta mu0 and mu1 at the two ends (r)
        z1: the action at the end, z0 + L_d
        sigma: conformal factor of the step, sigma_d
    """

    x1: numpy.ndarray


class GroupCalculus(VolumeCalculus):
    """Discrete mechanics on the groupoid of the algebroid of a system."""

    def exact_on_group(self, eta: ArrayLike, z0: float, h: float, *, x0: ArrayLike = (), t0: float = 0.0,
                       parameters: Mapping[Any, float] | None = None) -> ExactOnGroup:
        """The exact discrete Lagrangian on the groupoid M x G that the algebroid integrates to [ASMLL20, Sec. 4].

        >>> hz.model("rigid-body").exact_on_group([0.1, 0.2, 0.05], 0.0, h=0.2).value

        `eta` is an element of the algebra of G along the frame in which the structure functions are constant: the group of a
        Lie algebra or of an action, R^n x G of an Atiyah algebroid, translations in other frames of TQ. The motion from
        (x0, y0, z0) reconstructs g(t) with g' = g xi, y = B(x) xi, g(0) = e, and y0 is found so that g(h) = exp(eta), by
        Newton's method in the canonical coordinates of the group. The exact discrete forces are -sigma p0 - D1 and p1 - D2.
        Raises ValueError for algebroids without a known groupoid, constraints and Hamiltonians; RuntimeError where no motion
        is found, and where exp is not a local diffeomorphism.
        """
        return ExactOnGroup(**_herglotz.exact_on_group(self._model, *self._arrow(eta, z0, h, x0, t0, parameters)))

    def contact_exponential_on_group(self, y0: ArrayLike, z0: float, h: float, *, x0: ArrayLike = (), t0: float = 0.0,
                                     parameters: Mapping[Any, float] | None = None) -> ContactExponentialOnGroup:
        """The contact exponential map on the groupoid M x G: the arrow of the motion from (x0, y0, z0) [ASMLL20, Eqs. 53, 58].

        >>> hz.model("rigid-body").contact_exponential_on_group([0.5, 1.0, 0.2], 0.0, h=0.2).eta

        `exact_on_group` inverts it. Raises as that does.
        """
        given = self._arrow(y0, z0, h, x0, t0, parameters, "y0")
        return ContactExponentialOnGroup(**_herglotz.contact_exponential_on_group(self._model, *given))

    def discrete_legendre_on_group(self, eta: ArrayLike, z0: float, h: float, *, x0: ArrayLike = (), t0: float = 0.0,
                                   parameters: Mapping[Any, float] | None = None) -> DiscreteLegendreOnGroup:
        """mu0 = -(D1 L_d)/sigma_d, mu1 = D2 L_d of the discrete Lagrangian of the model at (x0, exp(eta)), with x1, z1, sigma_d.

        >>> body = hz.model("rigid-body").replace(discrete={"rule": "trapezoid"})
        >>> body.discrete_legendre_on_group([0.1, 0.2, 0.05], 0.0, h=0.2).p0

        Successive arrows of a discrete motion have mu1 of the one before as mu0 [MMM06]; with forces mu0 and mu1 contain the
        discrete forces. Raises ValueError for a system without a discrete Lagrangian of arrows.
        """
        return DiscreteLegendreOnGroup(
            **_herglotz.discrete_legendre_on_group(self._model, *self._arrow(eta, z0, h, x0, t0, parameters)))

    def discrete_action_on_group(self, arrows: ArrayLike, h: float, *, x0: ArrayLike = (), z0: float = 0.0, t0: float = 0.0,
                                 exact: bool = False, parameters: Mapping[Any, float] | None = None) -> numpy.ndarray:
        """z_0, .., z_N along the arrows exp(eta_1), .., exp(eta_N) from x0: the last is the action [ASMLL20, Eq. 35; MMM06].

        >>> body = hz.model("rigid-body").replace(discrete={"rule": "trapezoid"})
        >>> body.discrete_action_on_group([[0.1, 0.2, 0.05], [0.1, 0.19, 0.06]], h=0.1)

        The arrows are an array (N, r). Their discrete Lagrangian is that of the model, or with exact=True the exact one.
        """
        return actions_of(z0, self._along(arrows, h, x0, z0, t0, exact, parameters))

    def discrete_first_variation_on_group(self, arrows: ArrayLike, sections: ArrayLike, h: float, *, x0: ArrayLike = (),
                                          z0: float = 0.0, t0: float = 0.0, exact: bool = False,
                                          parameters: Mapping[Any, float] | None = None) -> float:
        """The derivative of z_N where x_k moves to x_k . exp(s zeta_k) and the arrow to exp(-s zeta_k) exp(eta) exp(s zeta_k+1).

        >>> body = hz.model("rigid-body").replace(discrete={"rule": "trapezoid"})
        >>> body.discrete_first_variation_on_group([[0.1, 0.2, 0.05]], [[0, 0, 0], [0.3, 0, 0.1]], h=0.1)

        `sections` are zeta_0, .., zeta_N, an array (N + 1, r). For sections that vanish at both ends the derivative is 0
        exactly along the discrete motions [ASMLL20, Eqs. 36-38; MMM06].
        """
        moved = to_array("sections", sections).astype(float)
        steps = self._along(arrows, h, x0, z0, t0, exact, parameters)
        if moved.shape != (len(steps) + 1, len(self.fibre)):
            raise ValueError(f"sections of shape ({len(steps) + 1}, {len(self.fibre)}) are needed, not {moved.shape}")
        if not numpy.isfinite(moved).all():
            raise ValueError("sections have a value that is not finite")
        return variation_of(steps, moved)

    def discrete_euler_lagrange_on_group(self, arrows: ArrayLike, h: float, *, x0: ArrayLike = (), z0: float = 0.0,
                                         t0: float = 0.0, exact: bool = False,
                                         parameters: Mapping[Any, float] | None = None) -> numpy.ndarray:
        """sigma_d(k) (mu1 of the arrow before - mu0) between successive arrows (N - 1, r), zero along discrete motions [MMM06].

        >>> body = hz.model("rigid-body").replace(discrete={"rule": "trapezoid"})
        >>> body.discrete_euler_lagrange_on_group([[0.1, 0.2, 0.05], [0.1, 0.19, 0.06]], h=0.1)
        """
        return rows_of(self._along(arrows, h, x0, z0, t0, exact, parameters), len(self.fibre))

    def _along(self, arrows: ArrayLike, h: float, x0: ArrayLike, z0: float, t0: float, exact: bool,
               parameters: Mapping[Any, float] | None) -> list[DiscreteLegendre]:
        """The steps along successive arrows."""
        etas = to_array("arrows", arrows).astype(float)
        if etas.ndim != 2 or etas.shape[1] != len(self.fibre) or not len(etas):
            raise ValueError(f"arrows of shape (N, {len(self.fibre)}) are needed, not {etas.shape}")
        exact = to_switch("exact", exact)
        x, z, t, h, steps = x0, to_finite("z0", z0), to_finite("t0", t0), to_finite("h", h), list[DiscreteLegendre]()
        for k, eta in enumerate(etas):
            at: dict[str, Any] = {"x0": x, "t0": t + k * h, "parameters": parameters}
            if exact:
                found = self.exact_on_group(eta, z, h, **at)
                step = DiscreteLegendreOnGroup(found.p0, found.p1, z + found.value, found.sigma, found.x1)
            else:
                step = self.discrete_legendre_on_group(eta, z, h, **at)
            x, z = step.x1, step.z1
            steps.append(step)
        return steps

    def _arrow(self, eta: ArrayLike, z0: float, h: float, x0: ArrayLike, t0: float,
               parameters: Mapping[Any, float] | None, name: str = "eta") -> tuple[Any, ...]:
        arrow, base, step = to_array(name, eta).astype(float), to_array("x0", x0).astype(float), to_finite("h", h)
        if arrow.shape != (len(self.fibre),) or base.shape != (len(self.base),) or step == 0:
            raise ValueError(f"{name} needs {len(self.fibre)} components, x0 {len(self.base)} and h a value that is not 0")
        if not (numpy.isfinite(arrow).all() and numpy.isfinite(base).all()):
            raise ValueError(f"{name} or x0 has a value that is not finite")
        return (parameters_of(self, parameters), arrow.tolist(), base.tolist(), to_finite("z0", z0), step, to_finite("t0", t0))
