"""Volume laws: how the motion changes the volume of phase space, as expressions and along runs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

import numpy
import sympy
import xarray

from .geometry import parameters_of
from .rules import RuleCalculus

if TYPE_CHECKING:
    from herglotz.system import System

_ROWS = 7  # rows through which integrands are interpolated


@dataclass(frozen=True)
class VolumeLaw:
    """Density and rate of the volume of phase space, as expressions in (x, y, z, t), or (x, p, z, t) of a Hamiltonian."""

    density: sympy.Expr  #: det W: the volume is det W dx dy dz = dx dp dz
    rate: sympy.Expr  #: its logarithmic rate along the motion


class VolumeCalculus(RuleCalculus):
    """The divergence of the motion."""

    def volume_law(self) -> VolumeLaw:
        """(r + 1) L_z + y^a (d_i rho^i_a + c^j_aj) + tr(F_y W^-1), the divergence by the volume dx dp dz [LJL21, Prop. 5].

        >>> hz.model("damped-pendulum").volume_law().rate
        -2*gamma

        On TQ the volume is that of eta ^ (d eta)^n, and the divergence -(n + 1) R(E). On other algebroids the trace of the
        bracket and of the anchor, their modular section, adds to it. Raises ValueError with constraints.
        """
        if self._model.rule != "none":
            raise ValueError("the volume law is one of systems without constraints")
        y, p, generator = self.fibre, self.momenta, self._expression("generator")
        if self._model.hamiltonian:
            velocity, W, of_action = [generator.diff(one) for one in p], None, -generator.diff(self.action)
        else:
            velocity, W, of_action = list(y), sympy.hessian(generator, y), generator.diff(self.action)
        r = range(len(y))
        rate = (len(y) + 1) * of_action
        for a in r:
            modular = sum((self.anchor[i, a].diff(x) for i, x in enumerate(self.base)), sympy.Integer(0))
            rate += velocity[a] * (modular + sum((self.structure[j, a, j] for j in r), sympy.Integer(0)))
        forces = self._expression("forces")
        if any(force != 0 for force in forces):
            slopes = sympy.Matrix([sympy.sympify(force) for force in forces]).jacobian(p if W is None else y)
            rate += slopes.trace() if W is None else (slopes * W.inv()).trace()
        density = sympy.Integer(1) if W is None else sympy.simplify(W.det())
        return VolumeLaw(density, sympy.simplify(rate))

    def volume_along(self, run: xarray.Dataset, *, parameters: Mapping[Any, float] | None = None) -> xarray.Dataset:
        """Columns `volume` and `volume_residual` along a run.

        `volume` is exp(int rate) with the rate of `volume_law`; `volume_residual` is the logarithm of volume over
        det W exp(int tr df/du), in which f is the compiled motion, and det W is relative to its value at the start. It is zero up
        to the errors of quadrature: both integrals go through polynomials over seven rows.
        """
        law = self.volume_law()
        times = numpy.asarray(run[self.time.name].values, dtype=float)
        if times.ndim != 1 or times.size < _ROWS:
            raise ValueError(f"a single run with at least {_ROWS} rows is needed")
        names = self.state
        u = numpy.array([numpy.asarray(run[name].values, dtype=float) for name in names])
        values = parameters_of(self, {**{name: run.attrs[f"parameters.{name}"] for name in self.parameters
                                         if f"parameters.{name}" in run.attrs}, **(parameters or {})})
        arguments = [self.time, *(self.symbols[name] for name in names)]
        numbers = [entry.subs({self.symbols[name]: value for name, value in values.items()}) for entry in (law.rate, law.density)]
        rate, density = (numpy.broadcast_to(numpy.asarray(found, dtype=float), times.shape)
                         for found in sympy.lambdify(arguments, numbers, "numpy", cse=True)(times, *u))
        field = cast("System", self).vector_field(values)
        trace = numpy.array([numpy.trace(field.jacobian(t, column)) for t, column in zip(times, u.T)])
        grown = _integral(times, rate)
        residual = grown - _integral(times, trace) - numpy.log(numpy.abs(density / density[0]))
        return self._dataset({"volume": numpy.exp(grown), "volume_residual": residual}, times)


def _integral(times: numpy.ndarray, values: numpy.ndarray) -> numpy.ndarray:
    """The integral from the first time, by the polynomial through the seven rows around each piece."""
    total = numpy.zeros(times.shape)
    powers = numpy.arange(1, _ROWS + 1)
    for k in range(len(times) - 1):
        first = min(max(k - _ROWS // 2 + 1, 0), len(times) - _ROWS)
        rows = slice(first, first + _ROWS)
        scale = times[k + 1] - times[k]
        nodes = (times[rows] - times[k]) / scale
        coefficients = numpy.linalg.solve(nodes[:, None] ** (powers - 1), values[rows])
        total[k + 1] = total[k] + scale * float(numpy.sum(coefficients / powers))
    return total
