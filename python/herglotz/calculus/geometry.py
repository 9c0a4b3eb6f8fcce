"""The contact and Jacobi geometry of a system, and discrete Legendre transforms."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy
import sympy

from herglotz import _herglotz
from herglotz._model import CompiledModel
from herglotz.arguments import shown, to_array, to_finite, to_number, to_string, to_switch, to_table
from herglotz.dynamic import Functions, plain
from herglotz.expressions import Expression, UnsupportedFunction, from_nodes, to_text
from herglotz.settings import did_you_mean

LEGIBLE = 60  # operations; SymPy takes minutes for longer expressions with several functions, which nobody reads anyway
Position: TypeAlias = float | Sequence[float] | Mapping[Any, float]
Components: TypeAlias = dict[sympy.Symbol, sympy.Expr]


@dataclass(frozen=True)
class DiscreteLegendre:
    """Both discrete Legendre transforms of one step [ASMLL20, Eq. 40]: F-(q0, q1, z0) = (q0, p0, z0), F+ = (q1, p1, z1).

    Attributes:
        p0: momentum at q0, -D1 L_d/sigma_d (n)
        p1: momentum at q1, D2 L_d (n)
        z1: the action at q1, z0 + L_d
        sigma: conformal factor of the step, (1 + D_z0)/(1 - D_z1) [ASMLL20, Thm 3.9]
    """

    p0: numpy.ndarray
    p1: numpy.ndarray
    z1: float
    sigma: float


@dataclass(frozen=True)
class DiscreteMotion:
    """A motion of a discrete Lagrangian through two positions, with any sign of sigma_d [ASMLL20, Eq. 39, Thm 3.9].

    Attributes:
        q: positions (N + 1, n)
        z: actions (N + 1)
        p: momenta p_k at q_k (N + 1, n)
        sigma: the conformal factors of the steps (N)
    """

    q: numpy.ndarray
    z: numpy.ndarray
    p: numpy.ndarray
    sigma: numpy.ndarray


@dataclass(frozen=True)
class ExactDiscreteLagrangian:
    """L_d^e(q0, q1, z0) = z(h) - z0 along the motion between q0 and q1 [ASMLL20, Eqs. 61, 64].

    Attributes:
        value: L_d^e(q0, q1, z0)
        v0: velocity at q0: (q0, v0, z0) is the exact retraction R_h^{e-}(q0, q1, z0) [ASMLL20, Eq. 65]
        v1: velocity at q1: (q1, v1, z1) is R_h^{e+}(q0, q1, z0)
        D1: by q0; without forces -exp(b) p0 with b the integral of L_z
        D2: by q1; without forces p1
        Dz: by z0; without forces exp(b) - 1
        sigma: exp(b)
        p0: momentum at q0
        p1: momentum at q1
        minus: the exact discrete force at q0: -sigma p0 - D1
        plus: the exact discrete force at q1: p1 - D2
    """

    value: float
    v0: numpy.ndarray
    v1: numpy.ndarray
    D1: numpy.ndarray
    D2: numpy.ndarray
    Dz: float
    sigma: float
    p0: numpy.ndarray
    p1: numpy.ndarray
    minus: numpy.ndarray
    plus: numpy.ndarray


class Phase:
    """Functions, fields and tensors on the phase space of a system, with or without its constraints."""

    def __init__(self, system: CompiledModel, constrained: bool):
        self._system = system
        self._constrained = constrained
        self._geometry = _herglotz.Geometry(system._model, to_switch("constrained", constrained))
        self.coordinates = tuple(system.symbols[name] for name in self._geometry.coordinates)

    def __reduce__(self) -> tuple[Any, ...]:
        return Phase, (self._system, self._constrained)

    def bracket(self, f: Expression, g: Expression) -> sympy.Expr:
        return self._read(self._geometry.bracket(self._text(f), self._text(g)))

    def hamiltonian_field(self, f: Expression) -> Components:
        return self._components(self._geometry.hamiltonian_field(self._text(f)))

    def contact_form(self) -> Components:
        return self._components(self._geometry.contact_form())

    def reeb_field(self) -> Components:
        return self._components(self._geometry.reeb_field())

    def dynamics(self) -> Components:
        return self._components(self._geometry.dynamics())

    def jacobi_tensor(self) -> sympy.Matrix:
        return self._matrix(self._geometry.jacobi_tensor())

    def projector(self) -> sympy.Matrix:
        return self._matrix(self._geometry.projector())

    def __repr__(self) -> str:
        return f"<herglotz.calculus.geometry.Phase of {self._system._model.name}: ({', '.join(map(str, self.coordinates))})>"

    def _text(self, f: Expression) -> str:
        return to_text(plain(f, self._system._functions), "a function of the phase coordinates")

    def _read(self, expression: tuple[Any, int]) -> sympy.Expr:
        nodes, place = expression
        return from_nodes(nodes, self._system.symbols)[place]

    def _all(self, expressions: tuple[Any, Sequence[int]]) -> list[sympy.Expr]:
        nodes, places = expressions
        built = from_nodes(nodes, self._system.symbols)
        return [built[place] for place in places]

    def _components(self, components: tuple[Any, Sequence[int]]) -> Components:
        return dict(zip(self.coordinates, self._all(components)))

    def _matrix(self, entries: tuple[Any, Sequence[int]]) -> sympy.Matrix:
        size = len(self.coordinates)
        return sympy.Matrix(size, size, self._all(entries))


def function_of(what: str, value: Any, known: Mapping[str, sympy.Symbol], functions: Functions) -> sympy.Expr:
    """The value as an expression, where a string may use the names that are known; `what` is what errors call it.

    Symbols of SymPy go by their names, too, whatever they are assumed to be, so that derivatives by coordinates find them; those
    of other names are constants, and functions that SymPy does not know are functions.
    """
    if isinstance(value, str):
        nodes, place = _herglotz.read_expression(to_string(what, value), list(known))
        return from_nodes(nodes, known)[place]
    try:
        other = isinstance(value, (bool, numpy.bool_, Mapping))
        expression = None if other else sympy.sympify(plain(value, functions), strict=True)
    except (sympy.SympifyError, AttributeError):
        expression = None
    if not isinstance(expression, sympy.Expr) or expression.is_Matrix:
        raise TypeError(f"{what} is {shown(value)}; a SymPy expression is needed")
    if expression.has(sympy.nan, sympy.oo, -sympy.oo, sympy.zoo, sympy.I):
        raise UnsupportedFunction(f"{what} is {shown(expression)}; a finite real expression is needed")
    return expression.xreplace({symbol: known[symbol.name] for symbol in expression.free_symbols
                                if isinstance(symbol, sympy.Symbol) and symbol.name in known})


def shortened(entry: sympy.Expr) -> sympy.Expr:
    """The entry simplified where it is short; a long one as it is, or 0 where it vanishes."""
    if entry.count_ops() <= LEGIBLE:
        return sympy.simplify(entry)
    return sympy.Integer(0) if vanishes(entry) else entry


def vanishes(entry: sympy.Expr) -> bool:
    """Whether an expression is 0, judged at points that nothing prefers and at which it is finite."""
    symbols, terms = sorted(entry.free_symbols, key=str), sympy.Add.make_args(entry)
    seen = 0
    for k in range(8):
        at = {symbol: sympy.Rational(37 + 11 * i + 29 * k, 100) for i, symbol in enumerate(symbols)}
        values = [term.evalf(30, subs=at) for term in terms]
        if all(value.is_finite for value in values):
            seen += 1
            if abs(sum(values)) > 1e-20 * max(1, *(abs(value) for value in values)):
                return False
        if seen == 3:
            return True
    return False


def discrete_legendre(system: CompiledModel, q0: Position, q1: Position, z0: float, h: float, t0: float,
                      parameters: Mapping[Any, float] | None) -> DiscreteLegendre:
    return DiscreteLegendre(**_herglotz.discrete_legendre(*_step(system, q0, q1, z0, h, t0, parameters)))


def discrete_motion(system: CompiledModel, q0: Position, q1: Position, z0: float, h: float, t0: float, steps: int,
                    parameters: Mapping[Any, float] | None) -> DiscreteMotion:
    given = (*_step(system, q0, q1, z0, h, t0, parameters), steps)
    return DiscreteMotion(**_herglotz.discrete_motion(*given))


def exact_discrete_lagrangian(system: CompiledModel, q0: Position, q1: Position, z0: float, h: float, t0: float,
                              parameters: Mapping[Any, float] | None) -> ExactDiscreteLagrangian:
    return ExactDiscreteLagrangian(
        **_herglotz.exact_discrete_lagrangian(*_step(system, q0, q1, z0, h, t0, parameters)))


def _step(system: CompiledModel, q0: Position, q1: Position, z0: float, h: float, t0: float,
          parameters: Mapping[Any, float] | None) -> tuple[Any, ...]:
    if not to_number("h", h):
        raise ValueError("a step of 0 leads nowhere; give h other than 0")
    return (system._model, parameters_of(system, parameters), _position(system, "q0", q0), _position(system, "q1", q1),
            to_finite("z0", z0), to_finite("h", h), to_finite("t0", t0))


def _position(system: CompiledModel, name: str, q: Position) -> list[float]:
    base = tuple(symbol.name for symbol in system.base)
    if isinstance(q, Mapping):
        named = {str(key): to_finite(f"{name}[{str(key)!r}]", value) for key, value in system._named(to_table(name, q)).items()}
        if set(named) != set(base):
            raise ValueError(f"{name} needs a value for each of {', '.join(base)}, and got {', '.join(named) or 'none'}")
        return [named[key] for key in base]
    values = numpy.atleast_1d(to_array(name, q))
    if values.shape != (len(base),):
        raise ValueError(f"{name} of shape ({len(base)},) is needed for {', '.join(base)}, not {values.shape}")
    return [to_finite(f"{name}[{k}]", value) for k, value in enumerate(values.tolist())]


def parameters_of(system: CompiledModel, changes: Mapping[Any, float] | None) -> dict[str, float]:
    values = system.parameters
    for name, value in to_table("parameters", changes).items():
        if str(name) not in values:
            raise ValueError(f"unknown parameter '{name}'; {did_you_mean(str(name), list(values))}")
        values[str(name)] = to_finite(name, value)
    return values
