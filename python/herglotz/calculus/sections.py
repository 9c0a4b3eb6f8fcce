"""Sections of the algebroid of a system: brackets, lifts, the exterior derivative, and TM-connections."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import sympy

from herglotz.algebroids import Algebroid, custom
from herglotz.arguments import to_count, to_list
from herglotz.expressions import Expression

from .geometry import Components, function_of, shortened
from .paths import PathCalculus, Section
from .symmetric_sections import symmetric_sections

Row = list[sympy.Expr]
MOST_COEFFICIENTS = 400  # of sections whose symmetry is asked for


class SectionCalculus(PathCalculus):
    """Calculus on the algebroid, which needs no Lagrangian. Components are SymPy expressions, numbers, or strings.

    A section has a component for each fibre coordinate, in their order or by coordinate, an expression on the base. Symbols
    of SymPy that are no names of the system are constants.
    """

    def section_bracket(self, s: Section, u: Section) -> Components:
        """[s, u]^k = rho(s)(u^k) - sigma(u)(s^k) + c^k_ij s^i u^j [GG08, Thm 1]; a Lie bracket on a Lie algebroid.

        >>> hz.model("rigid-body").section_bracket({"w1": 1}, {"w2": 1})           # {w1: 0, w2: 0, w3: 1}
        """
        a, b = self._section(s), self._section(u)
        return dict(zip(self.fibre, map(shortened, _bracket(self, a, b))))

    def epsilon(self, alpha: Sequence[Expression], p: Sequence[Expression]) -> Components:
        """The map T*E -> TE* that the algebroid is: (x, y; alpha, p) -> (x, p; rho y, c(y, .) p + sigma^T alpha) [GG08, Eq. 2.3].

        >>> hz.model("rigid-body").epsilon([], sympy.symbols("a b c"))        # {p_w1_dot: b*w3 - c*w2, ..}

        `alpha` and `p` are the components of a covector of E by the base and by the fibre. The components are those of the
        tangent vector at p: <x>_dot and <momentum>_dot. `tulczyjew_differential` is its value at dL.
        """
        parts = []
        for what, given, along in (("alpha", alpha, self.base), ("p", p, self.fibre)):
            entries = to_list(what, given, "components")
            if len(entries) != len(along):
                raise ValueError(f"{what} has {len(entries)} components; {len(along)} are needed")
            parts.append([function_of(f"a component of {what}", entry, self._symbols, self._functions) for entry in entries])
        return self._epsilon(*parts)

    def _epsilon(self, alpha: Sequence[sympy.Expr], p: Sequence[sympy.Expr]) -> Components:
        r, y = range(len(self.fibre)), self.fibre
        moved = {f"{x.name}_dot": sum((self.anchor[i, a] * y[a] for a in r), sympy.Integer(0))
                 for i, x in enumerate(self.base)}
        for j, momentum in enumerate(self.momenta):
            turned = sum((self.structure[k, i, j] * y[i] * p[k] for i in r for k in r), sympy.Integer(0))
            pulled = sum((self.right_anchor[i, j] * slope for i, slope in enumerate(alpha)), sympy.Integer(0))
            moved[f"{momentum.name}_dot"] = sympy.expand(turned + pulled)
        return {sympy.Symbol(name, real=True): value for name, value in moved.items()}

    def vertical_lift(self, s: Section) -> Components:
        """s^V = s^a d/dy^a on E, by coordinate [GG08, Sec. 2].

        >>> hz.model("heavy-top").vertical_lift({"w3": 1})
        """
        return {**dict.fromkeys(self.base, sympy.Integer(0)), **dict(zip(self.fibre, self._section(s)))}

    def complete_lift(self, s: Section) -> Components:
        """s^C = sigma^i_a s^a d/dx^i + (rho^i_b y^b s^k_i + c^k_ij y^i s^j) d/dy^k on E, by coordinate [ASC25, Eq. 22].

        >>> hz.model("heavy-top").complete_lift({"w1": "g1", "w2": "g2", "w3": "g3"})

        s is a symmetry of L exactly where s^C L = 0.
        """
        a, y = self._section(s), list(self.fibre)
        fibre = [_along(self, self.anchor, y, f) + g for f, g in zip(a, _algebraic(self, y, a))]
        base = list(self.right_anchor * sympy.Matrix(a)) if self.base else []
        return dict(zip((*self.base, *self.fibre), map(shortened, [*base, *fibre])))

    def symmetric_sections(self, degree: int | None = None) -> dict[str, Components]:
        """The sections, polynomials of the base coordinates, whose complete lifts leave L as it is: s^C L = 0 [ASC25, Def. 4.3].

        >>> top = hz.model("heavy-top")
        >>> found = top.symmetric_sections()                  # {"section1": {w1: g1, w2: g2, w3: g3}}: turns about the vertical
        >>> run = hz.simulate(top.replace(symmetries=found), t_end=1)
        >>> run["momentum.section1"]                                 # dissipated: dJ/dt = L_z J [ASC25, Prop. 4.4]

        They are found by linear algebra at the values of the parameters, on any algebroid and in any frame, up to `degree`; if
        none is given, 2, and 1 over more than three base coordinates. `point_symmetries` are fields on the base. Forces and
        reactions may still change the momenta, which the columns of a run say. What is returned holds to 30 digits; beside
        parameters ten orders larger than others a section may be missed. Raises ValueError for a Hamiltonian, and for a degree
        with more than 400 coefficients.
        """
        if self._model.hamiltonian:
            raise ValueError("symmetric sections are those of a Lagrangian")
        values = {self._symbols[name]: sympy.Rational(repr(value)) for name, value in self.parameters.items()}
        L = self._lagrangian_less_constraints().subs(values)
        slopes = {symbol: L.diff(symbol) for symbol in (*self.base, *self.fibre)}
        highest = (2 if len(self.base) <= 3 else 1) if degree is None else to_count("degree", degree)
        unknowns = len(self.fibre) * math.comb(len(self.base) + highest, highest)
        if unknowns > MOST_COEFFICIENTS:
            raise ValueError(f"degree = {highest} has {unknowns} coefficients; choose one with {MOST_COEFFICIENTS} or fewer")
        powers = [sympy.Mul(*chosen) for k in range(highest + 1)
                  for chosen in itertools.combinations_with_replacement(self.base, k)]
        basis = [(a, one) for a in range(len(self.fibre)) for one in powers]
        lifts = []
        for a, one in basis:
            lift = {symbol: rate.subs(values) for symbol, rate in
                    self.complete_lift([one if b == a else 0 for b in range(len(self.fibre))]).items()}
            lifts.append([rate * term for symbol, rate in lift.items() for term in sympy.Add.make_args(slopes[symbol])])
        free = sorted(set().union(*(term.free_symbols for lift in lifts for term in lift)), key=str)
        found = {}
        for number, row in enumerate(symmetric_sections(lifts, free), 1):
            section: Components = dict.fromkeys(self.fibre, sympy.Integer(0))
            for (a, one), coefficient in zip(basis, row):
                section[self.fibre[a]] += coefficient * one
            found[f"section{number}"] = section
        return found

    def exterior_derivative(self, form: Expression | Section) -> Components | sympy.Matrix:
        """d^E of a function on the base, by fibre coordinate, or of a 1-form alpha_a, as an r x r matrix [ASC25, Sec. 2].

        >>> hz.model("heavy-top").exterior_derivative("g3")          # {w1: -g2, w2: g1, w3: 0}

        (d f)_a = rho^i_a f_i and (d alpha)_ab = rho^i_a d_i alpha_b - sigma^i_b d_i alpha_a - c^k_ab alpha_k; d d f = 0 for
        every function exactly where the anchor is a homomorphism of brackets and the anchors agree.
        """
        unit = sympy.eye(len(self.fibre))
        if isinstance(form, (str, sympy.Expr, int, float)):
            f = self._on_base("the function", form)
            return {y: shortened(_along(self, self.anchor, list(unit[a, :]), f)) for a, y in enumerate(self.fibre)}
        alpha = self._section(form)
        return sympy.Matrix(len(self.fibre), len(self.fibre), lambda a, b: shortened(
            _along(self, self.anchor, list(unit[a, :]), alpha[b]) - _along(self, self.right_anchor, list(unit[b, :]), alpha[a])
            - sum(self.structure[k, a, b] * alpha[k] for k in range(len(alpha)))))

    def adjoint_algebroid(self) -> Algebroid:
        """The adjoint (-sigma, -rho, c^k_ji), whose bracket is [s, u]+ = [u, s] [GG08, Sec. 2].

        >>> hz.System(hz.model("rigid-body").adjoint_algebroid(), "(w1^2 + 2*w2^2 + 3*w3^2)/2")

        An algebroid is skew exactly if its adjoint is its opposite.
        """
        return self._rebuilt(-self.right_anchor, -self.anchor, lambda k, i, j: self.structure[k, j, i])

    def opposite_algebroid(self) -> Algebroid:
        """The opposite (-rho, -sigma, -c) [GG08, Sec. 2].

        >>> hz.System(hz.model("rigid-body").opposite_algebroid(), "(w1^2 + 2*w2^2 + 3*w3^2)/2")
        """
        return self._rebuilt(-self.anchor, -self.right_anchor, lambda k, i, j: -self.structure[k, i, j])

    def _rebuilt(self, anchor: sympy.Matrix, right: sympy.Matrix, c: Callable[[int, int, int], sympy.Expr]) -> Algebroid:
        r = range(len(self.fibre))
        entries = {(i, j): {self.fibre[k].name: c(k, i, j) for k in r if c(k, i, j) != 0} for i in r for j in r}
        brackets = {(self.fibre[i].name, self.fibre[j].name): row for (i, j), row in entries.items() if row}
        rows = [[list(one[:, a]) for a in r] for one in (anchor, right)]
        return custom(self.base, self.fibre, rows[0], brackets, right_anchor=rows[1], skew=False)

    def connection(self, christoffel: Any = None) -> Connection:
        """The TM-connection nabla_{d/dx^i} e_a = Gamma^b_ia e_b [ASC25, Sec. 5].

        >>> hz.model("wong-particle").connection().terms()["horizontal"]

        christoffel[b][i][a] is Gamma^b_ia (r x n x r). Without symbols it is the flat one of the frame, Gamma = 0.
        """
        r, n = len(self.fibre), len(self.base)
        rows = [[[0] * r for _ in range(n)] for _ in range(r)] if christoffel is None else to_list(
            "christoffel", christoffel, "tables")
        try:
            entries = [[[self._on_base("a Christoffel symbol", entry) for entry in row] for row in table] for table in rows]
        except TypeError:
            entries = []
        if len(entries) != r or any(len(table) != n or any(len(row) != r for row in table) for table in entries):
            raise ValueError(f"christoffel has not the shape ({r}, {n}, {r}) of Gamma[b][i][a]")
        return Connection(self, entries)

    def _lagrangian_less_constraints(self) -> sympy.Expr:
        """L - nu_A Phi^A for vakonomic constraints [GG08, Eq. 5.5], else L."""
        L = self._expression("generator")
        if self.rule != "vakonomic":
            return L
        return L - sum(self._symbols[name] * Phi
                       for name, Phi in zip(self._model.multipliers, self._expression("constraints")))

    def _section(self, section: Section) -> Row:
        names = [symbol.name for symbol in self.fibre]
        if isinstance(section, Mapping):
            given = {str(name): value for name, value in self._named(section).items()}
            unknown = [name for name in given if name not in names]
            if unknown:
                raise ValueError(f"the section has the component '{unknown[0]}'; fibre coordinates are {', '.join(names)}")
            section = [given.get(name, 0) for name in names]
        components = to_list("the section", section, "components")
        if len(components) != len(names):
            raise ValueError(f"the section has {len(components)} components; one for each of {', '.join(names)} is needed")
        return [self._on_base("a component of a section", component) for component in components]

    def _on_base(self, what: str, value: Any) -> sympy.Expr:
        """The value as an expression in base coordinates and parameters."""
        return self._function(what, value, self.base, "it is a function on the base")

    def _function(self, what: str, value: Any, of: Sequence[sympy.Symbol], known: str) -> sympy.Expr:
        """The value as an expression in these symbols and parameters; `known` says so in an error."""
        expression = function_of(what, value, self._symbols, self._functions)
        outside = {symbol.name for symbol in expression.free_symbols} & (
            self._symbols.keys() - self.parameters.keys() - {symbol.name for symbol in of})
        if outside:
            raise ValueError(f"{what} has {min(outside)}; {known}")
        return expression


class Connection:
    """A TM-connection on the algebroid, and the equations of motion written with it, in which it cancels [ASC25, Thm 5.1].

    >>> particle = hz.model("wong-particle")
    >>> nabla = particle.connection()                            # flat in the frame; or with Christoffel symbols
    >>> terms = nabla.terms()                                    # [ASC25, Eq. 27] term by term, by fibre coordinate
    >>> terms["dual"], terms["horizontal"], terms["action"]      # the first is the sum of the others along motions
    >>> nabla.horizontal_part(), nabla.vertical_part()           # of dL
    """

    def __init__(self, system: SectionCalculus, christoffel: Sequence[Sequence[Sequence[sympy.Expr]]]):
        self._system = system
        self._gamma = christoffel

    def nabla(self, X: Sequence[Expression], s: Section) -> Components:
        """nabla_X s for a vector field X^i on the base [ASC25, Sec. 5].

        >>> hz.model("polar-hamel").connection().nabla([1, 0], [0, 1])
        """
        system = self._system
        vector = [system._on_base("a component of a field", x) for x in to_list("X", X, "components")]
        if len(vector) != len(system.base):
            raise ValueError(f"X has {len(vector)} components; the base has {len(system.base)} coordinates")
        a = system._section(s)
        return dict(zip(system.fibre, map(shortened, self._nabla(vector, a))))

    def nabla_bar(self, s: Section, u: Section) -> Components:
        """nabla-bar_s u = nabla_rho(u) s + [s, u]: the E-connection on E that it induces [ASC25, Sec. 5].

        >>> hz.model("polar-hamel").connection().nabla_bar([0, 1], [1, 0])
        """
        system = self._system
        a, b = system._section(s), system._section(u)
        velocity = list(system.right_anchor * sympy.Matrix(b)) if system.base else []
        return dict(zip(system.fibre, (shortened(f + g) for f, g in zip(self._nabla(velocity, a), _bracket(system, a, b)))))

    def curvature(self) -> sympy.NDimArray:
        """R^b_aij of nabla, indices b, a, i, j: nabla_i nabla_j e_a - nabla_j nabla_i e_a = R^b_aij e_b [ASC25, Sec. 5].

        >>> plane = hz.System(hz.tangent("r phi", "u w"), "(u^2 + r^2*w^2)/2", initial={"r": 1})
        >>> r = plane.base[0]
        >>> plane.connection([[[0, 0], [0, -r]], [[0, 1/r], [1/r, 0]]]).curvature()             # 0: the plane is flat
        """
        x, n, r = self._system.base, len(self._system.base), len(self._system.fibre)
        G = self._gamma

        def entry(b: int, a: int, i: int, j: int) -> sympy.Expr:
            quadratic = sum(G[b][i][c] * G[c][j][a] - G[b][j][c] * G[c][i][a] for c in range(r))
            return shortened(sympy.diff(G[b][j][a], x[i]) - sympy.diff(G[b][i][a], x[j]) + quadratic)

        entries = [entry(b, a, i, j) for b in range(r) for a in range(r) for i in range(n) for j in range(n)]
        return sympy.ImmutableDenseNDimArray(entries, (r, r, n, n))

    def vertical_part(self) -> Components:
        """dL_ver = dL/dy^a, the momenta, by fibre coordinate [ASC25, Sec. 5]; with vakonomic constraints of L - nu Phi.

        >>> hz.model("wong-particle").connection().vertical_part()
        """
        L = self._lagrangian()
        return {y: L.diff(y) for y in self._system.fibre}

    def horizontal_part(self) -> Components:
        """dL_hor = dL/dx^i - Gamma^b_ia y^a p_b by base coordinate, along horizontal lifts [ASC25, Sec. 5].

        >>> hz.model("wong-particle").connection().horizontal_part()
        """
        L, system = self._lagrangian(), self._system
        return {x: sympy.expand(L.diff(x) - sum(self._transport(b, i) * L.diff(y) for b, y in enumerate(system.fibre)))
                for i, x in enumerate(system.base)}

    def terms(self) -> dict[str, Components]:
        """Eqs. 26-27 of [ASC25] term by term, by fibre coordinate:

        "dual" (nabla-bar*_y p)_j = dp_j/dt - p_k (sigma^i_j Gamma^k_ia y^a + c^k_ij y^i), with symbols <fibre>_dot;
        "horizontal" sigma^i_j dL_hor_i, "action" L_z p_j, "forces" F_j, and "reactions" lambda Phi_y of nonholonomic
        constraints. The motion has dual = horizontal + action + forces + reactions; without constraints the difference is
        `System.euler_lagrange()`. Vakonomic constraints enter as L - nu Phi, with symbols <multiplier>_dot.

        >>> hz.model("wong-particle").connection().terms()["dual"]
        >>> hz.model("skate-nonholonomic").connection().terms()["reactions"]
        """
        system, L = self._system, self._lagrangian()
        y, p = system.fibre, [L.diff(one) for one in system.fibre]
        velocity = list(system.anchor * sympy.Matrix(y)) if system.base else []
        multipliers = [system._symbols[name] for name in system._model.multipliers] if system.rule == "vakonomic" else []
        rates = [*zip(system.base, velocity), *zip(y, system._rates.values()), (system.action, L),
                 (system.time, sympy.Integer(1)),
                 *((nu, sympy.Symbol(f"{nu.name}_dot", real=True)) for nu in multipliers)]
        horizontal = list(self.horizontal_part().values())
        sigma, c = system.right_anchor, system.structure
        dual, pulled = {}, {}
        for j, one in enumerate(y):
            moved = sum(p[k] * (sum(sigma[i, j] * self._transport(k, i) for i in range(len(system.base)))
                                + sum(c[k, a, j] * y[a] for a in range(len(y)))) for k in range(len(y)))
            dual[one] = sympy.expand(sum(p[j].diff(symbol) * rate for symbol, rate in rates) - moved)
            pulled[one] = sympy.expand(sum(sigma[i, j] * part for i, part in enumerate(horizontal)))
        return {"dual": dual, "horizontal": pulled,
                "action": {one: L.diff(system.action) * q for one, q in zip(y, p)},
                "forces": dict(zip(y, system._expression("forces"))), "reactions": self._reactions()}

    def __repr__(self) -> str:
        return f"<herglotz.Connection on {self._system._model.name}>"

    def _lagrangian(self) -> sympy.Expr:
        if self._system._model.hamiltonian:
            raise ValueError("the equations with a connection need a Lagrangian, and this system has a Hamiltonian")
        return self._system._lagrangian_less_constraints()

    def _reactions(self) -> Components:
        """lambda_A Phi^A_y; a constraint without velocities acts by its derivative, Phi_x rho."""
        system, y = self._system, self._system.fibre
        forces = dict.fromkeys(y, sympy.Integer(0))
        if system.rule != "nonholonomic":
            return forces
        for name, Phi in zip(system._model.multipliers, system._expression("constraints")):
            if not Phi.has(*y):
                Phi = _along(system, system.anchor, y, Phi)
            for one in y:
                forces[one] += system._symbols[name] * Phi.diff(one)
        return forces

    def _transport(self, b: int, i: int) -> sympy.Expr:
        """Gamma^b_ia y^a."""
        return sum((self._gamma[b][i][a] * y for a, y in enumerate(self._system.fibre)), sympy.Integer(0))

    def _nabla(self, X: Row, a: Row) -> Row:
        x, r = self._system.base, range(len(a))
        return [sum((X[i] * (a[b].diff(x[i]) + sum(self._gamma[b][i][c] * a[c] for c in r)) for i in range(len(x))),
                    sympy.Integer(0)) for b in r]


def _along(system: SectionCalculus, anchor: sympy.Matrix, a: Sequence[sympy.Expr], f: sympy.Expr) -> sympy.Expr:
    """anchor^i_b a^b df/dx^i."""
    if not system.base:
        return sympy.Integer(0)
    return sum(v * f.diff(x) for v, x in zip(anchor * sympy.Matrix(a), system.base))


def _algebraic(system: SectionCalculus, a: Row, b: Row) -> Row:
    """c^k_ij a^i b^j."""
    c, r = system.structure, range(len(a))
    return [sum((c[k, i, j] * a[i] * b[j] for i in r for j in r), sympy.Integer(0)) for k in r]


def _bracket(system: SectionCalculus, a: Row, b: Row) -> Row:
    return [_along(system, system.anchor, a, g) - _along(system, system.right_anchor, b, f) + h
            for f, g, h in zip(a, b, _algebraic(system, a, b))]
