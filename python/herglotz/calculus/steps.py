"""Steps of methods as discrete Lagrangian mechanics: Legendre transforms, generating functions, orders, contact defects."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

import numpy
from numpy.typing import ArrayLike

from herglotz import _herglotz
from herglotz.arguments import shown, to_array, to_finite, to_string, to_table

from .closed_form import ClosedFormCalculus
from .geometry import (
    DiscreteLegendre,
    ExactDiscreteLagrangian,
    Position,
    _position,
    discrete_legendre,
    exact_discrete_lagrangian,
    parameters_of,
)

if TYPE_CHECKING:
    from herglotz.functions import StepMap
    from herglotz.system import System

_MOST_ITERATIONS = 40
_ARRIVED = 3e-14
_HALVINGS = 4
_OFFSETS = ((-2, 1 / 12), (-1, -8 / 12), (1, 8 / 12), (2, -1 / 12))  # central difference of order 4


@dataclass(frozen=True)
class GeneratingFunction:
    """A generating function of a step, in variables other than (q0, q1, z0), with its derivatives [ASMLL20, Sec. 6].

    Attributes:
        value: S, with the derivatives
        by_position: by q0 or q1 (n)
        by_momentum: by p1 or P0 (n)
        by_action: by z0
        step: the step that it generates
    """

    value: float
    by_position: numpy.ndarray
    by_momentum: numpy.ndarray
    by_action: float
    step: DiscreteLegendre


@dataclass(frozen=True)
class DiscreteOrder:
    """Measured orders [ASMLL20, Sec. 6].

    L_d = L_d^e + O(h^(lagrangian + 1)), and the error of its flow after a fixed time is O(h^flow).
    """

    lagrangian: float
    flow: float


class StepCalculus(ClosedFormCalculus):
    """Discrete mechanics of the steps of methods, on tangent bundles."""

    def discrete_legendre(self, q0: Position, q1: Position, z0: float, h: float, *, t0: float = 0.0, method: str | None = None,
                          parameters: Mapping[Any, float] | None = None) -> DiscreteLegendre:
        """p0 = -D1 L_d/sigma_d, p1 = D2 L_d of the step from q0 to q1 [ASMLL20, Eq. 40], with z1 and sigma_d.

        >>> hz.model("discrete-oscillator").discrete_legendre(1.0, 1.1, 0.0, h=0.1).p0

        The discrete Lagrangian is that of the model. With `method`, a method with fixed steps that are contact maps, as those
        of polynomials are ("discrete-galerkin"), it is the one whose flow the method is, L_d = z1 - z0 between q0 and q1: the
        velocity at q0 is found by shooting.
        """
        if method is None:
            if not self.base:
                raise ValueError("a system without base coordinates has no positions; discrete_legendre_on_group takes arrows")
            return discrete_legendre(self, q0, q1, z0, h, t0, parameters)
        return self._by_method(q0, q1, z0, h, t0, method, parameters)

    def exact_discrete_lagrangian(self, q0: Position, q1: Position, z0: float, h: float, *, t0: float = 0.0,
                                  parameters: Mapping[Any, float] | None = None) -> ExactDiscreteLagrangian:
        """The action that the motion from q0 to q1 gains in the time h, with its derivatives [ASMLL20, Eqs. 61, 64].

        >>> hz.model("damped-pendulum").exact_discrete_lagrangian(1.0, 1.1, 0.0, h=0.5).value

        Raises ValueError for constraints and other algebroids than tangent bundles, RuntimeError for conjugate points.
        """
        return exact_discrete_lagrangian(self, q0, q1, z0, h, t0, parameters)

    def generating_function(self, kind: str, q: Position, p: ArrayLike, z0: float, h: float, *, t0: float = 0.0,
                            method: str | None = None, parameters: Mapping[Any, float] | None = None) -> GeneratingFunction:
        """The generating function of types II and III of a step; L_d is that of type I [ASMLL20, Sec. 6].

        >>> hz.model("damped-pendulum").generating_function("II", 1.0, 0.2, 0.0, h=0.1, method="contact-gauss-4").by_momentum

        "II": S(q0, p1, z0) = p1 q1 - z1, with S_q0 = sigma_d p0, S_p1 = q1, S_z0 = -sigma_d. "III": S(P0, q1, z0) = z1 + P0 q0
        with P0 = sigma_d p0, and S_P0 = q0, S_q1 = p1, S_z0 = sigma_d. `q` is q0 or q1, `p` is p1 or P0. So the graph of the
        step is a Legendrian submanifold, as dz1 = sigma_d (dz0 - p0 dq0) + p1 dq1 says. Raises as `discrete_legendre` does.
        """
        if to_string("kind", kind) not in {"II", "III"}:
            raise ValueError(f"kind = {shown(kind)}; a generating function is of type \"II\" or \"III\"; that of type I is L_d")
        if not self.base:
            raise ValueError("a system without base coordinates has no positions; generating functions are those of positions")
        given = numpy.array(_position(cast("System", self), "q", q))
        wanted = numpy.atleast_1d(to_array("p", p)).astype(float)
        if wanted.shape != given.shape:
            raise ValueError(f"p needs {given.size} components")
        if not numpy.isfinite(wanted).all():
            raise ValueError("p has a value that is not finite")
        first = kind == "II"

        def step(other: numpy.ndarray) -> DiscreteLegendre:
            q0, q1 = (given, other) if first else (other, given)
            return self.discrete_legendre(q0.tolist(), q1.tolist(), z0, h, t0=t0, method=method, parameters=parameters)

        def momenta(found: DiscreteLegendre) -> numpy.ndarray:
            return found.p1 if first else found.sigma * found.p0

        other = _solved(lambda position: momenta(step(position)), wanted, given.copy())
        found = step(other)
        if first:
            return GeneratingFunction(float(wanted @ other) - found.z1, found.sigma * found.p0, other, -found.sigma, found)
        return GeneratingFunction(found.z1 + float(wanted @ other), found.p1, other, found.sigma, found)

    def discrete_order(self, h: float, *, initial: Mapping[Any, float] | None = None, method: str | None = None,
                       parameters: Mapping[Any, float] | None = None) -> DiscreteOrder:
        """The orders of a discrete Lagrangian and of its flow, along the motion from the start [ASMLL20, Sec. 6].

        >>> system.replace(discrete={"rule": "galerkin", "degree": 2}).discrete_order(0.4, method="discrete-galerkin").lagrangian

        L_d is compared with the exact one between the ends of the motion over h, h/2, h/4, h/8, from the start and from states
        2 h and 4 h later, and the flow with the motion after 4 h; off tangent bundles along the arrows of the motion.
        Round-off bounds what is seen: take a larger h for a higher order. Raises as `discrete_legendre` does.
        """
        start = self._first_state(self._named(to_table("initial", initial)), parameters)
        t0 = float(start.get(self.time.name, 0.0))
        start[self.time.name] = t0
        steps = [to_finite("h", h) / 2**k for k in range(_HALVINGS)]
        if steps[0] <= 0:
            raise ValueError(f"h = {steps[0]:.6g}; a step of more than 0 is needed")
        states = [numpy.array([float(start.get(name, 0.0)) for name in self.state])]
        states += [self._reached(start, part * steps[0], parameters, method="reference", tolerance=1e-14)[0] for part in (2, 4)]
        of_lagrangian, of_flow = [], []
        for size in steps:
            of_lagrangian.append(max(self._off_exact(t0 + 2 * k * steps[0], u, size, method, parameters)
                                     for k, u in enumerate(states)))
            end = self._reached(start, 4 * steps[0], parameters, method=method or "discrete-herglotz", step=size)
            of_flow.append(float(numpy.abs(end[0] - states[-1]).max()))
        if min(*of_lagrangian, *of_flow) == 0:
            raise ValueError("the discrete Lagrangian is exact along this motion, so that it shows no order; start elsewhere")
        logs = [numpy.log2(numpy.array(errors)) for errors in (of_lagrangian, of_flow)]
        slopes = [float(numpy.polyfit(-numpy.arange(_HALVINGS), log, 1)[0]) for log in logs]
        return DiscreteOrder(slopes[0] - 1, slopes[1])

    def contact_defect(self, step: StepMap | Callable[[float, numpy.ndarray], ArrayLike], u: ArrayLike, *, t: float = 0.0,
                       factor: float | None = None) -> float:
        """The largest component of Phi* eta - factor eta at the state u = (x, w, z), with eta = dz - p dx [ASMLL20, Sec. 2].

        >>> system.contact_defect(system.step_map("contact-gauss-4", 0.1), [1.0, 0.2, 0.0])

        `step` is any map (t, u) -> u1 of states; its derivative is a central difference of order 4, with an error of about
        1e-12 of its size. `factor` is `step.factor(t, u)` if it is not given. Raises ValueError on other algebroids than TQ.
        """
        self._require_tangent("a contact form in positions, momenta and action")
        system, n = cast("System", self), len(self.base)
        state = to_array("u", u).astype(float)
        if state.shape != (2 * n + 1,):
            raise ValueError(f"a state of shape ({2 * n + 1},) is needed, not {state.shape}")
        if not numpy.isfinite(state).all():
            raise ValueError("u has a value that is not finite")
        if not callable(step):
            raise TypeError(f"step = {shown(step)}; a map (t, u) -> u1 of states is needed")
        if factor is None:
            if not hasattr(step, "factor"):
                raise ValueError("factor is needed for a map that is not a step of a method")
            factor = step.factor(t, state)
        field = system.vector_field()

        def form(at: numpy.ndarray) -> numpy.ndarray:
            momenta = at[n:2 * n] if self._model.hamiltonian else numpy.asarray(field.momenta(t, at))
            return numpy.concatenate([-momenta, numpy.zeros(n), [1.0]])

        reached = to_array("the image of u", step(t, state)).astype(float)
        if reached.shape != state.shape or not numpy.isfinite(reached).all():
            raise ValueError(f"step maps u to {shown(reached.tolist())}; a state of {2 * n + 1} finite values is needed")
        after = form(reached)
        before = form(state)
        defect = 0.0
        for j in range(2 * n + 1):
            size = 1e-3 * max(1.0, abs(state[j]))
            column = numpy.zeros(2 * n + 1)
            for offset, weight in _OFFSETS:
                moved = state.copy()
                moved[j] += offset * size
                column += weight / size * numpy.asarray(step(t, moved), dtype=float)
            defect = max(defect, abs(float(after @ column) - to_finite("factor", factor) * before[j]))
        return defect

    def _first_state(self, given: Mapping[Any, float], parameters: Mapping[Any, float] | None) -> dict[Any, Any]:
        """The start with what is given, and with the velocities that a second position stands for."""
        from herglotz.simulation import run
        model, start = self._model, {**cast("System", self).initial, **given}
        if "next" not in model.replaced_by(list(model.fibre)) or given.keys() & {*model.fibre, *model.momenta}:
            return start
        found = run(cast("System", self), given, parameters=parameters)
        return {**start, **{name: float(found[name][0]) for name in self.state}}

    def _off_exact(self, t0: float, u: numpy.ndarray, h: float, method: str | None,
                   parameters: Mapping[Any, float] | None) -> float:
        """|L_d - L_d^e| between the ends of the motion from a state (x, w, z)."""
        n, z0 = len(self.base), float(u[-1])
        if method is None and self._model.kind != "tangent":
            at: dict[str, Any] = {"x0": u[:n], "t0": t0, "parameters": parameters}
            motion = self.contact_exponential_on_group(u[n:-1], z0, h, **at)
            return abs(self.discrete_legendre_on_group(motion.eta, z0, h, **at).z1 - motion.z1)
        start = dict(zip((*self.state, self.time.name), (*u.tolist(), t0)))
        exact, _ = self._reached(start, h, parameters, method="reference", tolerance=1e-14)
        found = self.discrete_legendre(u[:n].tolist(), exact[:n].tolist(), z0, h, t0=t0, method=method, parameters=parameters)
        return abs(found.z1 - float(exact[-1]))

    def _require_tangent(self, what: str) -> None:
        if self._model.kind != "tangent" or self._model.rule != "none":
            raise ValueError(f"{what} needs kind = \"tangent\" without constraints")

    def _reached(self, start: Mapping[str, float], length: float, parameters: Mapping[Any, float] | None,
                 **settings: Any) -> tuple[numpy.ndarray, float]:
        """The state (x, w, z) after a time, and exp(int L_z)."""
        from herglotz.simulation import run
        end = start.get(self.time.name, 0.0) + length
        found = run(cast("System", self), start, parameters=parameters, t_end=end, output_every=10**9, **settings)
        return numpy.array([found[name][-1] for name in self.state]), 1 / float(found["integrating_factor"][-1])

    def _by_method(self, q0: Position, q1: Position, z0: float, h: float, t0: float, method: str,
                   parameters: Mapping[Any, float] | None) -> DiscreteLegendre:
        self._require_tangent("a discrete Legendre transform")
        kept = {entry["name"]: entry["preserves"] for entry in _herglotz.methods()}
        if "conformal contact structure on tangent bundles" not in str(kept.get(to_string("method", method), "")):
            raise ValueError(f"method = {shown(method)}; steps that are contact maps have a discrete Lagrangian, those of "
                             f"{', '.join(name for name, text in kept.items() if 'contact structure on tangent' in str(text))}")
        system, n, h = cast("System", self), len(self.base), to_finite("h", h)
        if not h:
            raise ValueError("a step of 0 leads nowhere; give h other than 0")
        first, last = (numpy.array(_position(system, name, q)) for name, q in (("q0", q0), ("q1", q1)))
        names = self.state
        fixed = {**dict(zip(names, first.tolist())), self.action.name: to_finite("z0", z0), self.time.name: to_finite("t0", t0)}

        def end(w: numpy.ndarray) -> tuple[numpy.ndarray, float]:
            return self._reached({**fixed, **dict(zip(names[n:2 * n], w.tolist()))}, h, parameters, method=method, step=abs(h))

        guess = (last - first) / h
        if self._model.hamiltonian:
            guess = self._momenta_at(first, guess, fixed, parameters)
        w0 = _solved(lambda w: end(w)[0][:n], last, guess)
        reached, factor = end(w0)
        field = system.vector_field(parameters_of(system, parameters))
        before = numpy.concatenate([first, w0, [fixed[self.action.name]]])
        p0, p1 = ((u[n:2 * n] if self._model.hamiltonian else numpy.asarray(field.momenta(t, u)))
                  for t, u in ((fixed[self.time.name], before), (fixed[self.time.name] + h, reached)))
        return DiscreteLegendre(p0=p0, p1=p1, z1=float(reached[-1]), sigma=factor)

    def _momenta_at(self, q: numpy.ndarray, velocity: numpy.ndarray, fixed: Mapping[str, float],
                    parameters: Mapping[Any, float] | None) -> numpy.ndarray:
        """Momenta with about these velocities, for a first guess: those of the Hessian of H at rest."""
        field = cast("System", self).vector_field(parameters_of(cast("System", self), parameters))
        n = len(q)
        rest = numpy.concatenate([q, numpy.zeros(n), [fixed[self.action.name]]])
        slopes = field.jacobian(fixed[self.time.name], rest)[:n, n:2 * n]
        return numpy.linalg.lstsq(slopes, velocity, rcond=None)[0]


def _solved(f: Callable[[numpy.ndarray], numpy.ndarray], wanted: numpy.ndarray, guess: numpy.ndarray) -> numpy.ndarray:
    """x with f(x) = wanted, by Newton's method with a Jacobian of differences that is kept while it serves."""
    x, slopes, before = guess, None, numpy.inf
    scale = 1 + numpy.abs(wanted).max()
    best, nearest = x, numpy.inf
    for _ in range(_MOST_ITERATIONS):
        off = wanted - f(x)
        size = float(numpy.abs(off).max()) / scale
        if size < nearest:
            best, nearest = x, size
        if size <= _ARRIVED or (nearest < 1e-12 and size > before / 4):
            return best
        if slopes is None or size > before / 100:
            width = 1e-5 * (1 + numpy.abs(x).max())
            slopes = numpy.array([(f(x + width * e) - f(x - width * e)) / (2 * width) for e in numpy.eye(x.size)]).T
        before = size
        try:
            x = x + numpy.linalg.solve(slopes, off)
        except numpy.linalg.LinAlgError:
            break
    raise RuntimeError("no step was found between these values; take a smaller step")
