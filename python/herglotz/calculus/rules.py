"""Both rules of constraints from one start: whether a vakonomic motion is the nonholonomic one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy
import sympy

from herglotz.arguments import to_finite, to_number, to_table

from .geometry import parameters_of
from .sequences import SequenceCalculus

if TYPE_CHECKING:
    from herglotz.system import System

_PANELS = 100  # pieces of the run, in each of which nu is a polynomial
_NODES = numpy.linspace(0.0, 1.0, 7)  # its rows, as parts of a piece
_AGREES = 1e-8


@dataclass(frozen=True)
class RuleComparison:
    """Result of `System.compare_rules` from one start [LLMR21, Sec. 6; GG08, Thm 7].

    >>> found = hz.model("rolling-disk").compare_rules(2.0)
    >>> found.agree

    Attributes:
        agree: whether a vakonomic motion is the nonholonomic one
        multipliers: nu at the start of that motion, by name; else of the one that comes nearest
        freedom: how many multipliers, or combinations of them, may have any value at the start
        residual: largest part of nu (sigma Phi_x + Phi_y c y - dPhi_y/dt) along ker Phi_y, relative to its terms and p/t
        t_end: end of the run that was compared
    """

    agree: bool
    multipliers: dict[str, float]
    freedom: int
    residual: float
    t_end: float


class RuleCalculus(SequenceCalculus):
    """Comparison of the nonholonomic and the vakonomic rule along one motion."""

    def constraint_curvature(self) -> sympy.Matrix:
        """sigma^a_j Phi_x^a + Phi_y^k c^k_ij y^i - d(Phi_y^j)/dt, a row for each constraint, with symbols <fibre>_dot.

        >>> hz.model("chaplygin-sleigh").constraint_curvature()

        Its rows vanish on ker Phi_y for all velocities and accelerations that the constraints admit exactly where both rules
        have the same motions for every nu [GG08, Thm 7]; a vakonomic motion is nonholonomic where nu times these rows does
        [LLMR21, Sec. 6]. Velocity-free constraints are taken as their rates. Raises ValueError without constraints, for a
        Hamiltonian, and for constraints with the action.
        """
        Phi = self._velocity_constraints()
        x, y, t = self.base, self.fibre, self.time
        rates = {symbol: sympy.Symbol(f"{symbol.name}_dot", real=True) for symbol in y}
        x_dot = self.anchor * sympy.Matrix(y)
        r = range(len(y))
        rows = []
        for one in Phi:
            by_y = [one.diff(symbol) for symbol in y]
            for j in r:
                bracket = sum((by_y[k] * self.structure[k, i, j] * y[i] for k in r for i in r), sympy.Integer(0))
                pulled = sum((self.right_anchor[a, j] * one.diff(symbol) for a, symbol in enumerate(x)), sympy.Integer(0))
                change = by_y[j].diff(t)
                change += sum((by_y[j].diff(symbol) * x_dot[a] for a, symbol in enumerate(x)), sympy.Integer(0))
                change += sum((by_y[j].diff(symbol) * rates[symbol] for symbol in y), sympy.Integer(0))
                rows.append(sympy.expand(pulled + bracket - change))
        return sympy.Matrix(len(Phi), len(y), rows)

    def compare_rules(self, t_end: float | None = None, *, initial: Mapping[Any, float] | None = None,
                      parameters: Mapping[Any, float] | None = None) -> RuleComparison:
        """Returns whether some nu(0) makes the vakonomic motion from this start the nonholonomic one [LLMR21, Sec. 6].

        >>> hz.model("chaplygin-sleigh").compare_rules(2.0).agree

        Along the nonholonomic motion with multipliers lambda it is one exactly if nu G = 0 on ker Phi_y, with the rows G of
        `constraint_curvature`; then d nu/dt = lambda + L_z nu + nu G Phi_y^+ . This equation is linear, and the best nu(0)
        is that of least squares. `t_end` is that of the model if it is not given. Raises as `constraint_curvature` and
        `simulate` do.
        """
        system = self._with_rule("nonholonomic")
        run = _run_of(system, t_end, initial, parameters)
        along = _along(system, run, self._velocity_constraints(), self.constraint_curvature(), parameters)
        times, shape = along["t"], along["G"].shape
        flow, source = _linear_flow(times, along["A"], along["lambda"])
        inside = along["G"] @ (numpy.eye(shape[2]) - numpy.linalg.pinv(along["Phi_y"]) @ along["Phi_y"])
        rows = numpy.einsum("tab,taj->tjb", flow, inside).reshape(-1, shape[1])
        values = numpy.einsum("ta,taj->tj", source, inside).reshape(-1)
        best, _, rank, _ = numpy.linalg.lstsq(rows, -values, rcond=1e-9)
        if not numpy.abs(rows).max() > _AGREES * (1 + numpy.abs(along["G"]).max()):
            best, rank = numpy.zeros(shape[1]), 0
        nu = numpy.einsum("tab,b->ta", flow, best) + source
        size = max(numpy.einsum("ta,taj->tj", numpy.abs(nu), along["terms"]).max(), along["force"])
        residual = float(numpy.abs(rows @ best + values).max() / size) if size > 0 else 0.0
        return RuleComparison(residual <= _AGREES, dict(zip(self._with_rule("vakonomic")._model.multipliers, best.tolist())),
                              shape[1] - int(rank), residual, float(times[-1]))

    def _velocity_constraints(self) -> list[sympy.Expr]:
        """The constraints on velocities, with velocity-free ones differentiated along the motion."""
        self._lagrangian("the comparison of the rules")
        equations = list(self._expression("constraints"))
        if not equations:
            raise ValueError("this system has no constraints, and so both rules have the same motions")
        for number, equation in enumerate(equations, 1):
            if equation.has(self.action):
                raise ValueError(f"constraint {number} has the action in it: nu then obeys no linear equation")
        x_dot = self.anchor * sympy.Matrix(self.fibre)
        return [equation if equation.has(*self.fibre) else
                equation.diff(self.time) + sum((equation.diff(symbol) * x_dot[a] for a, symbol in enumerate(self.base)),
                                               sympy.Integer(0))
                for equation in equations]

    def _with_rule(self, rule: str) -> System:
        """This system with its constraints by a rule, and without what speaks of multipliers if that changes."""
        raise NotImplementedError


def _run_of(system: System, t_end: float | None, initial: Mapping[Any, float] | None,
            parameters: Mapping[Any, float] | None) -> Any:
    from herglotz.simulation import simulate
    time = system.time.name
    start = {str(name): value for name, value in to_table("initial", initial).items()}.get(time, system.initial.get(time, 0.0))
    if t_end is None:  # the model says when its runs end
        t_end = float(simulate(system, initial, parameters=parameters, output_every=10**9)[time].values[-1])
    length = abs(to_finite("t_end", t_end) - start)
    if not to_number("t_end", length):
        raise ValueError("t_end is the start; a motion is needed to compare")
    step = length / (_PANELS * (len(_NODES) - 1))
    return simulate(system, initial, parameters=parameters, method="reference", tolerance=1e-12, t_end=t_end, output_step=step)


def _along(system: System, run: Any, Phi: list[sympy.Expr], curvature: sympy.Matrix,
           parameters: Mapping[Any, float] | None) -> dict[str, numpy.ndarray]:
    """Values along a run: times, Phi_y, the curvature G with the sizes of its terms, lambda, and A of the rate of nu."""
    values = parameters_of(system, parameters)
    names = system.state
    times = numpy.asarray(run[system.time.name].values, dtype=float)
    u = numpy.array([numpy.asarray(run[name].values, dtype=float) for name in names])
    field = system.vector_field(parameters)
    rates = numpy.array([field(t, column) for t, column in zip(times, u.T)])
    n, r, m = len(system.base), len(system.fibre), len(Phi)
    dots = [sympy.Symbol(f"{symbol.name}_dot", real=True) for symbol in system.fibre]
    arguments = [system.time, *(system.symbols[name] for name in names), *dots]
    columns = [times, *u, *rates.T[n:n + r]]

    def evaluated(rows: list[Any]) -> numpy.ndarray:
        numbers = [sympy.sympify(entry).subs({system.symbols[name]: value for name, value in values.items()}) for entry in rows]
        found: Callable[..., Any] = sympy.lambdify(arguments, numbers, "numpy", cse=True)
        return numpy.array([numpy.broadcast_to(value, times.shape) for value in found(*columns)], dtype=float).T

    L = system._expression("generator")
    by_y = evaluated([one.diff(symbol) for one in Phi for symbol in system.fibre]).reshape(-1, m, r)
    G = evaluated(list(curvature)).reshape(-1, m, r)
    terms = numpy.abs(evaluated([sum((abs(term) for term in sympy.Add.make_args(entry)), sympy.Integer(0))
                                 for entry in curvature])).reshape(-1, m, r)
    momenta = evaluated([L.diff(symbol) for symbol in system.fibre])
    rate = evaluated([L.diff(system.action)]).reshape(-1, 1, 1)
    return {"t": times, "Phi_y": by_y, "G": G, "terms": terms,
            "force": numpy.abs(momenta).max() / abs(times[-1] - times[0]),
            "lambda": numpy.array([run[name].values for name in system._model.multipliers], dtype=float).T,
            "A": rate * numpy.eye(m) + numpy.transpose(G @ numpy.linalg.pinv(by_y), (0, 2, 1))}


def _linear_flow(times: numpy.ndarray, A: numpy.ndarray, source: numpy.ndarray) -> tuple[numpy.ndarray, numpy.ndarray]:
    """Psi and psi with nu(t) = Psi(t) nu(0) + psi(t) of d nu/dt = A nu + source, by collocation at the rows of each piece."""
    m = source.shape[1]
    inner = len(_NODES) - 1
    powers = numpy.arange(1, len(_NODES) + 1)
    integrals = (_NODES[:, None] ** powers / powers) @ numpy.linalg.inv(_NODES[:, None] ** (powers - 1))
    state = numpy.zeros((len(times), m, m + 1))
    state[0, :, :m] = numpy.eye(m)
    forcing = numpy.concatenate([numpy.zeros((len(times), m, m)), source[:, :, None]], axis=2)
    for first in range(0, len(times) - 1, inner):
        rows = slice(first, first + len(_NODES))
        h = times[min(first + inner, len(times) - 1)] - times[first]
        size = len(_NODES) * m
        matrix = numpy.eye(size) - h * numpy.einsum("ij,jab->iajb", integrals, A[rows]).reshape(size, size)
        right = state[first][None] + h * numpy.einsum("ij,jab->iab", integrals, forcing[rows])
        state[rows] = numpy.linalg.solve(matrix, right.reshape(size, m + 1)).reshape(-1, m, m + 1)
    return state[:, :, :m], state[:, :, m]
