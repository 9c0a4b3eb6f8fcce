"""Exact discrete Lagrangians of linear systems as formulas."""

from __future__ import annotations

import sympy

from .groups import GroupCalculus


class ClosedFormCalculus(GroupCalculus):
    """Exact discrete Lagrangians that are formulas."""

    def exact_discrete_expression(self) -> sympy.Expr:
        """L_d^e(q0, q1, z0) as a formula in <base>0, <base>1, <action>0 and h [ASMLL20, Eqs. 61, 64, 78].

        >>> system.replace(discrete={"lagrangian": system.exact_discrete_expression()})

        For linear systems in independent coordinates: L = sum_i (m v^2/2 + b q v + a v - k q^2/2 + f q)_i + c + gamma z with
        coefficients of numbers and parameters. With q'' = gamma q' - kappa q and theta^2 = kappa - gamma^2/4 it has sines or
        hyperbolic sines by the sign of theta^2 at the values of the parameters; for kappa = 0 it is that of a fall. Raises
        ValueError for any other system, and where a denominator vanishes at these values.
        """
        L = self._linear_lagrangian()
        h, z0 = sympy.Symbol("h", real=True), sympy.Symbol(f"{self.action.name}0", real=True)
        at_rest = dict.fromkeys((*self.base, *self.fibre, self.action), 0)
        gamma, c = L.diff(self.action), L.subs(at_rest)
        growth = sympy.exp(gamma * h)
        total = z0 * (growth - 1)
        if c != 0:
            total += c * self._duration(gamma, h)
        for q, v in zip(self.base, self.fibre):
            q0, q1 = (sympy.Symbol(f"{q.name}{end}", real=True) for end in (0, 1))
            m, b, k = L.diff(v, 2), L.diff(q, v), -L.diff(q, 2)
            a, f = L.diff(v).subs(at_rest), L.diff(q).subs(at_rest)
            kappa, push = sympy.simplify((k - gamma * b) / self._nonzero(m)), sympy.simplify((f + gamma * a) / m)
            v0, v1, mean = self._falling(gamma, push, h, q0, q1) if kappa == 0 else self._swinging(gamma, kappa, push, h, q0, q1)
            # By parts, the quadratic terms of L along a motion are boundary terms, and m push/2 times the mean is left.
            total += m * (q1 * v1 - growth * q0 * v0) / 2 + b * (q1**2 - growth * q0**2) / 2 + a * (q1 - growth * q0)
            total += m * push * mean / 2
        return total

    def _swinging(self, gamma: sympy.Expr, kappa: sympy.Expr, push: sympy.Expr, h: sympy.Symbol, q0: sympy.Symbol,
                  q1: sympy.Symbol) -> tuple[sympy.Expr, sympy.Expr, sympy.Expr]:
        """Velocities at q0 and q1, and int_0^h exp(gamma (h - t)) q dt, of q'' = gamma q' - kappa q + push."""
        C, S = self._harmonics(gamma, kappa, h)
        rest = push / self._nonzero(kappa) if push != 0 else sympy.Integer(0)
        u0, u1 = q0 - rest, q1 - rest
        v0 = gamma * u0 / 2 + (sympy.exp(-gamma * h / 2) * u1 - C * u0) / S
        v1 = gamma * u1 / 2 + (C * u1 - sympy.exp(gamma * h / 2) * u0) / S
        if push == 0:
            return v0, v1, sympy.Integer(0)  # of no use
        return v0, v1, (push * self._duration(gamma, h) - (v1 - sympy.exp(gamma * h) * v0)) / kappa

    def _falling(self, gamma: sympy.Expr, push: sympy.Expr, h: sympy.Symbol, q0: sympy.Symbol,
                 q1: sympy.Symbol) -> tuple[sympy.Expr, sympy.Expr, sympy.Expr]:
        """Likewise of q'' = gamma q' + push: q = A + B exp(gamma t) - push t/gamma, or a parabola if gamma is 0."""
        if gamma == 0:
            v0 = (q1 - q0) / h - push * h / 2
            return v0, v0 + push * h, q0 * h + v0 * h**2 / 2 + push * h**3 / 6
        D, growth, drift = self._duration(gamma, h), sympy.exp(gamma * h), push / gamma
        B = (q1 - q0 + drift * h) / (growth - 1)
        mean = (q0 - B) * D + B * h * growth - drift * (D - h) / gamma
        return gamma * B - drift, gamma * B * growth - drift, mean

    def _linear_lagrangian(self) -> sympy.Expr:
        L = self._lagrangian("an exact discrete Lagrangian")
        if self._model.kind != "tangent" or self._model.rule != "none" or any(force != 0 for force in self._expression("forces")):
            raise ValueError("an exact discrete Lagrangian as a formula needs kind = \"tangent\", without constraints and forces")
        variables = (*self.base, *self.fibre, self.action, self.time)
        own = {frozenset(pair) for pair in zip(self.base, self.fibre)}
        for i, one in enumerate(variables):
            for other in variables[i:]:
                slope = sympy.simplify(L.diff(one, other))
                independent = one != other and frozenset((one, other)) not in own
                if slope.has(*variables) or (slope != 0 and independent) or (slope != 0 and one in (self.action, self.time)):
                    raise ValueError(f"L is not that of independent linear motions: its derivative by {one}, {other} is {slope}")
        if L.has(self.time):
            raise ValueError(f"L depends on {self.time}; an exact discrete Lagrangian as a formula does not")
        return sympy.expand(L)

    def _harmonics(self, gamma: sympy.Expr, kappa: sympy.Expr, h: sympy.Symbol) -> tuple[sympy.Expr, sympy.Expr]:
        """cos(theta h) and sin(theta h)/theta, or their hyperbolic forms."""
        square = sympy.simplify(kappa - gamma**2 / 4)
        if square == 0:
            return sympy.Integer(1), h
        square = self._nonzero(square)
        rate = sympy.sqrt(square if self._value(square) > 0 else -square)
        if self._value(square) > 0:
            return sympy.cos(rate * h), sympy.sin(rate * h) / rate
        return sympy.cosh(rate * h), sympy.sinh(rate * h) / rate

    def _duration(self, gamma: sympy.Expr, h: sympy.Symbol) -> sympy.Expr:
        """int_0^h exp(gamma (h - t)) dt."""
        return h if gamma == 0 else (sympy.exp(gamma * h) - 1) / self._nonzero(gamma)

    def _value(self, expression: sympy.Expr) -> float:
        return float(sympy.sympify(expression).subs({self.symbols[name]: value for name, value in self.parameters.items()}))

    def _nonzero(self, denominator: sympy.Expr) -> sympy.Expr:
        """The denominator, which must not be 0 at the values of the parameters."""
        if self._value(denominator) == 0:
            raise ValueError(f"the formula divides by {denominator}, which is 0 at the values of the parameters")
        return denominator
