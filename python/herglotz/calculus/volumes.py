"""Volume laws: how the motion changes the volume of phase space, as expressions and along runs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy
import sympy
import xarray

from herglotz import _herglotz
from herglotz.arguments import shown
from herglotz.expressions import from_nodes

from .geometry import parameters_of, shortened
from .paths import _opened
from .rules import RuleCalculus

if TYPE_CHECKING:
    from herglotz.simulation import Run


@dataclass(frozen=True)
class VolumeLaw:
    """Density and rate of the volume of phase space [LJL21, Props 5, 12].

    >>> law = hz.model("damped-pendulum").volume_law()
    >>> law.density, law.rate                                    # l**2*m, -2*gamma

    Expressions in (x, y, z, t), or (x, p, z, t) of a Hamiltonian; `System.volume_law` makes it.

    Attributes:
        density: det W: the volume is det W dx dy dz = dx dp dz
        rate: its logarithmic rate along the motion
    """

    density: sympy.Expr
    rate: sympy.Expr


class VolumeCalculus(RuleCalculus):
    """The divergence of the motion."""

    def volume_law(self) -> VolumeLaw:
        """(r + 1) L_z + y^a (d_i rho^i_a + c^j_aj) + tr(F_y W^-1), the divergence by the volume dx dp dz [LJL21, Prop. 5].

        >>> hz.model("damped-pendulum").volume_law().rate
        -2*gamma

        On TQ the volume is that of eta ^ (d eta)^n, and the divergence -(n + 1) R(E). On other algebroids the trace of the
        bracket and of the anchor, their modular section, adds to it. Nonholonomic constraints add tr((lambda Phi_y)_y W^-1): the
        divergence of P(Gamma), by which the volume omega with dPhi ^ omega = dx dp dz grows along Phi = 0 [LJL21, Prop. 12].
        Raises ValueError for vakonomic constraints and singular Lagrangians.
        """
        density = sympy.Integer(1)
        if not self._model.hamiltonian:
            density = shortened(sympy.hessian(self._expression("generator"), self.fibre).det())
            if density == 0:
                raise ValueError("the Lagrangian is singular: dx dp dz is no volume of positions, velocities and action")
        nodes, place = _herglotz.volume_rate(self._model)
        rate = from_nodes(nodes, self._symbols)[place]
        if self._model.rule == "none":
            rate = shortened(rate)
        return VolumeLaw(density, rate)

    def volume_along(self, run: xarray.Dataset | Run, *, parameters: Mapping[Any, float] | None = None) -> xarray.Dataset:
        """The columns `volume` and `volume_residual` that `simulate(..., columns=["volume"])` has on demand [LJL21, Props 5, 12].

        >>> pendulum = hz.model("damped-pendulum")
        >>> pendulum.volume_along(hz.simulate(pendulum, t_end=10)).volume

        `volume` is exp(int rate) with the rate of `volume_law`; `volume_residual` is the logarithm of volume over
        det W exp(int tr df/du), in which f is the compiled motion, and det W is relative to its value at the start. The motion is
        followed from each row to the next one by the method `reference`, and both integrals have Gauss's nodes of their own
        between rows: the residual shows the errors of the quadratures and, where det W is not constant, of the rows. Raises
        ValueError for vakonomic constraints, singular Lagrangians, jumps, switches, friction and inputs that are held.
        """
        run = _opened(run)
        if not isinstance(run, xarray.Dataset):
            raise TypeError(f"run = {shown(run)}; a run of this system is needed")
        missing = [name for name in (self.time.name, *self.state) if name not in run.variables]
        if missing:
            raise ValueError(f"the run has no column '{missing[0]}'; one of this system is needed")
        times = numpy.asarray(run[self.time.name].values, dtype=float)
        if times.ndim != 1:
            raise ValueError("a single run is needed, not a batch of runs")
        states = numpy.array([numpy.asarray(run[name].values, dtype=float) for name in self.state]).T
        values = parameters_of(self, {**{name: run.attrs[f"parameters.{name}"] for name in self.parameters
                                         if f"parameters.{name}" in run.attrs}, **(parameters or {})})
        volume, residual = _herglotz.volume_along(self._model, values, times.tolist(), states.ravel().tolist())
        return self._dataset({"volume": volume, "volume_residual": residual}, times)
