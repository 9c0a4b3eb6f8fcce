"""Exact discrete Lagrangians on Lie groups and action groupoids."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

import numpy
import sympy
from numpy.typing import ArrayLike

from herglotz.arguments import to_array, to_finite

from .geometry import parameters_of
from .volumes import VolumeCalculus

if TYPE_CHECKING:
    from herglotz.system import System

_MOST_ITERATIONS = 30
_ARRIVED = 1e-12


@dataclass(frozen=True)
class ExactOnGroup:
    """L_d^e(x0, exp(eta), z0) = z(h) - z0 along the motion from x0 whose arrow over h is exp(eta)."""

    value: float
    y0: numpy.ndarray  #: velocity at the start: the exact retraction
    y1: numpy.ndarray  #: velocity at the end
    p0: numpy.ndarray  #: momentum at the start: the derivative along exp(e s) exp(eta), divided by sigma
    p1: numpy.ndarray  #: momentum at the end: the derivative along exp(eta) exp(e s)
    sigma: float  #: exp(b), b the integral of L_z: 1 + D_z L_d^e


class GroupCalculus(VolumeCalculus):
    """Discrete mechanics on the group of the algebra of a system."""

    def exact_on_group(self, eta: Sequence[float], z0: float, h: float, *, x0: ArrayLike = (),
                       parameters: Mapping[Any, float] | None = None) -> ExactOnGroup:
        """The exact discrete Lagrangian on the Lie group or action groupoid of this algebroid [ASMLL20, Sec. 4].

        >>> hz.model("rigid-body").exact_on_group([0.1, 0.2, 0.05], 0.0, h=0.2).value

        `eta` is an element of the algebra, in the order of the fibre: the motion from (x0, y0, z0) reconstructs g(t) in the
        group with g' = g y, g(0) = e, and y0 is found so that g(h) = exp(eta). The group is seen by its adjoint
        representation, Ad_g' = Ad_g ad_y, which a run follows with its derivatives by y0. Raises ValueError for structure
        functions that are not constant, an algebra with a centre, constraints, forces and Hamiltonians; RuntimeError where
        no motion is found.
        """
        from herglotz.simulation import simulate
        r, h, z0 = len(self.fibre), to_finite("h", h), to_finite("z0", z0)
        ad = self._adjoint_matrices()
        target, base = to_array("eta", eta), to_array("x0", x0)
        if target.shape != (r,) or base.shape != (len(self.base),) or h == 0:
            raise ValueError(f"eta needs {r} components, x0 {len(self.base)} and h a value that is not 0")
        wanted = _exponential(numpy.einsum("a,akj->kj", target, ad)).ravel()
        extended, entries = self._with_adjoint(), [f"Ad{k + 1}_{j + 1}" for k in range(r) for j in range(r)]
        fibre = [symbol.name for symbol in self.fibre]
        start = {symbol.name: float(value) for symbol, value in zip(self.base, base)} | {self.action.name: z0}
        y = target / h
        for _ in range(_MOST_ITERATIONS):
            run = simulate(extended, start | dict(zip(fibre, y.tolist())), parameters=parameters_of(self, parameters), t_end=h,
                           method="reference", tolerance=1e-13, output_step=abs(h), sensitivities=fibre)
            reached = numpy.array([float(run[name].values[-1]) for name in entries])
            slopes = run.hz.sensitivity.isel({self.time.name: -1}).sel(column=entries, wrt=fibre).values
            y -= numpy.linalg.lstsq(slopes, reached - wanted, rcond=None)[0]
            if numpy.abs(reached - wanted).max() <= _ARRIVED * (1 + numpy.abs(wanted).max()):
                field = cast("System", self).vector_field(parameters_of(self, parameters))
                ends = [[float(run[name].values[k]) for name in self.state] for k in (0, -1)]
                p0, p1 = (numpy.asarray(field.momenta(t, numpy.array(u))) for t, u in zip((0.0, h), ends))
                n = len(self.base)
                return ExactOnGroup(ends[1][-1] - z0, numpy.array(ends[0][n:n + r]), numpy.array(ends[1][n:n + r]), p0, p1,
                                    1 / float(run.integrating_factor.values[-1]))
        raise RuntimeError("no motion was found whose arrow is exp(eta); take a smaller step")

    def _adjoint_matrices(self) -> numpy.ndarray:
        """(ad_a)^k_j = c^k_aj, at [a, k, j]."""
        self._lagrangian("an exact discrete Lagrangian")
        r = len(self.fibre)
        if self._model.rule != "none" or any(force != 0 for force in self._expression("forces")):
            raise ValueError("an exact discrete Lagrangian on a group is one without constraints and forces")
        if any(not sympy.sympify(entry).is_number for entry in sympy.flatten(self.structure)):
            raise ValueError("the structure functions are not constant: they belong to no group of this frame")
        ad = numpy.array([[[float(self.structure[k, a, j]) for j in range(r)] for k in range(r)] for a in range(r)])
        if numpy.linalg.matrix_rank(ad.reshape(r, r * r)) < r:
            raise ValueError("the algebra has a centre, which the adjoint representation does not see")
        return ad

    def _with_adjoint(self) -> System:
        """This system with Ad_g among its base coordinates."""
        raise NotImplementedError


def _exponential(matrix: numpy.ndarray) -> numpy.ndarray:
    """exp by scaling, Taylor polynomials and squaring."""
    halvings = max(0, int(numpy.ceil(numpy.log2(max(numpy.abs(matrix).sum(axis=0).max(), 1e-300)))) + 3)
    small = matrix / 2.0**halvings
    term = total = numpy.eye(len(matrix))
    for k in range(1, 19):
        term = term @ small / k
        total = total + term
    for _ in range(halvings):
        total = total @ total
    return total
