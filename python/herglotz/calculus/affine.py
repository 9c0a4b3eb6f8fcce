"""Affine constraints as a geometry of their own: the affine bundle A, its bracket, and the reduced motion."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

import sympy

from herglotz.algebroids import custom
from herglotz.arguments import to_list

from .geometry import Components, shortened, vanishes
from .sections import Row, _bracket
from .steps import StepCalculus

if TYPE_CHECKING:
    from herglotz.system import System


@dataclass(frozen=True)
class AffineReduction:
    """The system on the affine bundle A = e_0 + v(A) of its constraints [GG08, Sec. 5.4, Thm 6].

    Attributes:
        system: over (e_b, e_0) with fibre coordinates u^b and `pace`, the constraint pace = 1, and no other
        origin: e_0, a section of A, by its components in E
        frame: e_b, the basis of v(A), by the velocity u^b that stays
        affgebroid: whether all brackets of sections of A lie in v(A): then no force makes up for them
        legendre: lambda_L^A : A -> v(A)*, P_b = p(e_b) along A [GG08, 5.14]
        tulczyjew: Lambda_L^A : A -> T v(A)*, with <x>_dot and p_<u>_dot; the motion adds L_z P_b + F(e_b)
    """

    system: System
    origin: Row
    frame: dict[sympy.Symbol, Row]
    affgebroid: bool
    legendre: Components
    tulczyjew: Components


class AffineCalculus(StepCalculus):
    """Reduction by constraints that are affine in the velocities."""

    def affine_reduction(self, keep: Sequence[Any] | None = None) -> AffineReduction:
        """The motion on the affine bundle of its nonholonomic constraints, without their multipliers [GG08, 5.14-5.20].

        >>> hz.simulate(hz.model("ball-on-rotating-table").affine_reduction().system)

        A = e_0 + v(A), and v(A) has the brackets of E projected in the metric of L, also those with e_0:
        [e_0, e_b] = c^d_0b e_d. Where brackets leave v(A) a force p([y, e_b] - its projection) makes up for that. `keep` names
        the velocities that remain; without it equations are solved for velocities with constant coefficients first. Where the
        constraints depend on time, the field d/dt + e_0 takes the place of e_0: [e_0, e_b] has de_b/dt beside it, and time is the
        base coordinate `clock`, which starts at the time of the start. Raises ValueError unless the constraints are affine in
        the velocities, nonholonomic, and without action.
        """
        from herglotz.system import System
        L = self._lagrangian("an affine reduction")
        free, origin, frame = self._affine_frame(keep)
        y, r = list(self.fibre), len(self.fibre)
        sections = [*frame, origin]
        names = [*free, sympy.Symbol(_unused("pace", self._symbols), real=True)]
        pace, last = names[-1], len(free)
        along = {one: sum(u * s[a] for u, s in zip(names, sections)) for a, one in enumerate(y)}
        on_A = {one: value.subs(pace, 1) for one, value in along.items()}
        p = [sympy.expand(L.diff(one).subs(on_A, simultaneous=True)) for one in y]
        S = sympy.Matrix([list(s) for s in frame]).T
        W = sympy.hessian(L, y)
        metric = sympy.eye(r) if W.has(*y) or vanishes(W.det()) else W
        onto = (S.T * metric * S).inv() * S.T * metric
        brackets: dict[tuple[str, str], Components] = {}
        forces: Components = {}
        affgebroid = True
        given = self._expression("forces")
        for b, u in enumerate(free):
            force = sum((sympy.sympify(F).subs(on_A, simultaneous=True) * s for F, s in zip(given, frame[b])), sympy.Integer(0))
            moving = sympy.Matrix([entry.diff(self.time) for entry in frame[b]])
            for B, first in enumerate(sections):
                leaves = sympy.Matrix(_bracket(self, first, frame[b]))
                if last == B:
                    leaves += moving
                leaves = leaves.applyfunc(shortened)
                inside = (onto * leaves).applyfunc(shortened)
                outside = (leaves - S * inside).applyfunc(shortened)
                affgebroid = affgebroid and outside == sympy.zeros(r, 1)
                speed = names[B] if last > B else sympy.Integer(1)
                force += speed * sum((p[a] * outside[a] for a in range(r)), sympy.Integer(0))
                row = {free[d].name: inside[d] for d in range(len(free)) if inside[d] != 0}
                if row:
                    brackets[names[B].name, u.name] = row
                if last == B:  # the row of e_0 itself is the multiplier's
                    opposite = (onto * (sympy.Matrix(_bracket(self, frame[b], first)) - moving)).applyfunc(shortened)
                    row = {free[d].name: opposite[d] for d in range(len(free)) if opposite[d] != 0}
                    if row:
                        brackets[u.name, pace.name] = row
            if (short := shortened(force)) != 0:
                forces[u] = short
        anchors = [[list(anchor * sympy.Matrix(s)) if self.base else [] for s in sections]
                   for anchor in (self.anchor, self.right_anchor)]
        base = list(self.base)
        given_start = cast("System", self).initial
        start = {name: value for name, value in given_start.items() if name not in {one.name for one in y}}
        start |= {u.name: given_start.get(u.name, 0.0) for u in free} | {pace.name: 1.0}
        generator = sympy.expand(L.subs(along, simultaneous=True)) + (pace - 1)**2 / 2
        if sympy.Matrix(sections).has(self.time):  # time is a coordinate, along d/dt + e_0
            clock = sympy.Symbol(_unused("clock", {*self._symbols, pace.name}), real=True)
            base.append(clock)
            start[clock.name] = start.get(self.time.name, 0.0)
            anchors = [[[*row, int(k == last)] for k, row in enumerate(rows)] for rows in anchors]
            anchors = [[[sympy.sympify(entry).subs(self.time, clock) for entry in row] for row in rows] for rows in anchors]
            brackets = {pair: {k: c.subs(self.time, clock) for k, c in row.items()} for pair, row in brackets.items()}
            forces = {u: force.subs(self.time, clock) for u, force in forces.items()}
            generator = generator.subs(self.time, clock)
        system = System(
            custom(base, names, anchors[0], brackets, right_anchor=anchors[1], skew=False),
            generator, name=f"{self._model.name}-affine",
            parameters=self.parameters, action=self.action, time=self.time, forces=forces, constraints=[pace - 1],
            observables={one.name: on_A[one] for one in y if one not in free}, initial=start)
        return AffineReduction(system, origin, dict(zip(free, frame)), affgebroid,
                               {self.symbols[f"p_{u.name}"]: sum(p[a] * frame[b][a] for a in range(r))
                                for b, u in enumerate(free)}, self._affine_differential(L, free, frame, on_A, p))

    def _affine_frame(self, keep: Sequence[Any] | None) -> tuple[list[sympy.Symbol], Row, list[Row]]:
        """The velocities that stay, e_0, and e_b."""
        y = list(self.fibre)
        equations = list(self._expression("constraints"))
        if not equations or self.rule != "nonholonomic":
            raise ValueError("an affine reduction is one by nonholonomic constraints, and this system has none")
        C = sympy.Matrix(equations).jacobian(y)
        for number, equation in enumerate(equations, 1):
            if C[number - 1, :].has(*y) or C[number - 1, :] == sympy.zeros(1, len(y)) or equation.has(self.action):
                raise ValueError(f"constraint {number} is not affine in the velocities, or has the action in it")
        if keep is None:
            gone = self._pivots(C)
        else:
            kept = [str(name) for name in to_list("keep", keep, "names")]
            gone = [a for a, one in enumerate(y) if one.name not in kept]
            if len(gone) != len(equations) or len(kept) + len(gone) != len(y):
                raise ValueError(f"keep names {len(y) - len(equations)} of the velocities {', '.join(map(str, y))}")
        stay = [a for a in range(len(y)) if a not in gone]
        solved = C[:, gone].LUsolve(sympy.eye(len(gone)))
        rest = -solved * sympy.Matrix([equation.subs(dict.fromkeys(y, 0)) for equation in equations])
        mixed = -solved * C[:, stay]

        def section(column: Any, own: int | None) -> Row:
            entries = [sympy.Integer(int(a == own)) for a in range(len(y))]
            for place, a in enumerate(gone):
                entries[a] = shortened(column[place])
            return entries

        return [y[a] for a in stay], section(rest, None), [section(mixed[:, k], a) for k, a in enumerate(stay)]

    def _pivots(self, C: sympy.Matrix) -> list[int]:
        """Velocities for which the equations are solved: coefficients that are numbers first, then large ones at the start."""
        values = self.parameters | cast("System", self).initial
        at = {self.symbols[name]: value for name, value in values.items() if name in self.symbols}
        at |= {x: at.get(x, 0) for x in (*self.base, self.time)}
        left, gone = C.copy(), []
        for row in range(C.rows):
            sizes = {a: abs(float(left[row, a].subs(at))) for a in range(C.cols) if a not in gone}
            best = max(sizes, key=lambda a: (left[row, a].is_number and sizes[a] > 0, sizes[a]))
            if not sizes[best]:
                raise ValueError("the constraints are not independent at the start")
            gone.append(best)
            for other in range(row + 1, C.rows):
                left[other, :] = (left[other, :] - left[row, :] * left[other, best] / left[row, best]).applyfunc(shortened)
        return gone

    def _affine_differential(self, L: sympy.Expr, free: Sequence[sympy.Symbol], frame: Sequence[Row], on_A: Components,
                             p: Row) -> Components:
        y, r, x = list(self.fibre), range(len(self.fibre)), self.base
        speeds = [on_A[one] for one in y]
        x_dot = list(self.anchor * sympy.Matrix(speeds)) if x else []
        rows: Components = {sympy.Symbol(f"{one.name}_dot", real=True): sympy.expand(rate) for one, rate in zip(x, x_dot)}
        slopes = [L.diff(one).subs(on_A, simultaneous=True) for one in x]
        for u, s in zip(free, frame):
            total = sum((p[a] * s[a].diff(one) * rate for a in r for one, rate in (*zip(x, x_dot), (self.time, 1))),
                        sympy.Integer(0))
            total += sum((s[j] * self.structure[k, i, j] * speeds[i] * p[k] for i in r for j in r for k in r), sympy.Integer(0))
            total += sum((s[a] * self.right_anchor[i, a] * slope for a in r for i, slope in enumerate(slopes)), sympy.Integer(0))
            rows[sympy.Symbol(f"p_{u.name}_dot", real=True)] = sympy.expand(total)
        return rows


def _unused(name: str, taken: Any) -> str:
    while name in taken:
        name += "_"
    return name
