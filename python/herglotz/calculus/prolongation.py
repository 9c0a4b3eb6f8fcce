"""The prolongation of an algebroid over E x R, and the contact structure that a Lagrangian makes on it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import sympy

from herglotz.arguments import to_list
from herglotz.expressions import Expression

if TYPE_CHECKING:
    from .paths import Section
    from .related import RelatedSystems


LEGIBLE = 500  # operations; longer components stay as they are, as nobody reads them and multiplying them out takes minutes


class Prolongation:
    """T^E(E x R) in the frame (T_a, V_a, Z): T_a projects to e_a, V_a = d/dy^a and Z = d/dz [ASC25, Rem. 3.3].

    Sections and 1-forms are lists of 2r + 1 components in that order. The brackets are [T_a, T_b] = c^k_ab T_k, all others
    vanish. On TQ the frame is that of the coordinates, and the contact form is dz - p_a dq^a. The bracket has to be skew.

    >>> so3 = hz.System(hz.lie_algebra(["w1", "w2", "w3"], "so3"), "(w1**2 + 2*w2**2 + 3*w3**2)/2 - z/5").prolongation()
    >>> so3.contact_form()
    [-w1, -2*w2, -3*w3, 0, 0, 0, 1]
    """

    def __init__(self, system: RelatedSystems):
        self._system = system
        self._L = system._lagrangian("the contact form of a prolongation")
        c, r = system.structure, range(len(system.fibre))
        skew = all(sympy.simplify(c[k, i, j] + c[k, j, i]) == 0 for k in r for i in r for j in r)
        if not skew or sympy.simplify(system.anchor - system.right_anchor) != sympy.zeros(*system.anchor.shape):
            raise ValueError("a prolongation has a contact form where the bracket is skew and both anchors agree")

    @property
    def energy(self) -> sympy.Expr:
        """E_L = p_a y^a - L."""
        return sympy.expand(sum(p * y for p, y in zip(self._momenta(), self._system.fibre)) - self._L)

    def contact_form(self) -> list[sympy.Expr]:
        """eta_L = Z* - p_a T^a [ASC25, Rem. 3.3].

        >>> hz.model("heavy-top").prolongation().contact_form()
        """
        r = len(self._system.fibre)
        return [*(-p for p in self._momenta()), *[sympy.Integer(0)] * r, sympy.Integer(1)]

    def reeb_section(self) -> list[sympy.Expr]:
        """R_L = Z - W^ab L_bz V_a: i_R d eta_L = 0 and eta_L(R) = 1. Raises ValueError for a singular W [ASC25, Rem. 3.3].

        >>> hz.model("heavy-top").prolongation().reeb_section()
        """
        W, r = self._hessian(), len(self._system.fibre)
        slopes = sympy.Matrix(self._momenta()).diff(self._system.action)
        return [*[sympy.Integer(0)] * r, *(_expanded(-entry) for entry in _solved(W, slopes)), sympy.Integer(1)]

    def dynamics(self) -> list[sympy.Expr]:
        """Gamma_L = y^a T_a + (dy^a/dt) V_a + L Z, the motion without forces and time [ASC25, Rem. 3.3].

        >>> hz.model("heavy-top").prolongation().dynamics()

        flat(Gamma_L) = dE - (R(E) + E) eta_L, and S(Gamma_L) is the Liouville section: Gamma_L is a SODE.

        Raises ValueError for a singular W.
        """
        return self._hamiltonian_section(self.energy, -self._L.diff(self._system.action))

    def hamiltonian_section(self, f: Expression) -> list[sympy.Expr]:
        """X_f with flat(X_f) = df - (R(f) + f) eta_L: d(eta_L)(X_f, .) = df - R(f) eta_L, eta_L(X_f) = -f [ASC25, Rem. 3.3].

        >>> prolongation = hz.model("heavy-top").prolongation()
        >>> prolongation.hamiltonian_section(prolongation.energy)       # the motion

        Raises ValueError for a singular W.
        """
        f = self._function("the function", f)
        return self._hamiltonian_section(f, sum(R * slope for R, slope in zip(self.reeb_section(), self.differential(f))))

    def liouville_section(self) -> list[sympy.Expr]:
        """The Liouville section Delta = y^a V_a, for which E_L = Delta(L) - L [LJL21, Eq. 46; ASMLL20, Eq. 16].

        >>> hz.model("heavy-top").prolongation().liouville_section()    # [0, 0, 0, w1, w2, w3, 0]
        """
        return [*[sympy.Integer(0)] * len(self._system.fibre), *self._system.fibre, sympy.Integer(0)]

    def vertical_endomorphism(self, section: Sequence[Expression]) -> list[sympy.Expr]:
        """S(X) = X^a V_a, with S(T_a) = V_a, S(V_a) = S(Z) = 0 [LJL21, Def. 5; ASMLL20, Eq. 15].

        >>> prolongation = hz.model("heavy-top").prolongation()
        >>> prolongation.vertical_endomorphism(prolongation.dynamics()) == prolongation.liouville_section()

        X is a SODE, a second-order field, where S(X) is the Liouville section: its paths are admissible [LJL21, Prop. 6].
        """
        r = len(self._system.fibre)
        return [*[sympy.Integer(0)] * r, *self._components(section)[:r], sympy.Integer(0)]

    def vertical_lift(self, s: Section) -> list[sympy.Expr]:
        """s^V = s^a V_a of a section of the algebroid [ASC25, Sec. 4.2].

        >>> hz.model("heavy-top").prolongation().vertical_lift({"w3": 1})
        """
        return [*[sympy.Integer(0)] * len(self._system.fibre), *self._over(s), sympy.Integer(0)]

    def complete_lift(self, s: Section) -> list[sympy.Expr]:
        """s^C = s^a T_a + (rho^i_b y^b s^k_i + c^k_ij y^i s^j) V_k of a section of the algebroid [ASC25, Sec. 4.2, Def. 4.3].

        >>> prolongation = hz.model("heavy-top").prolongation()
        >>> prolongation.complete_lift({"w1": "g1", "w2": "g2", "w3": "g3"})

        The field of it is `System.complete_lift`, and J_s = -eta_L(s^C) [ASMLL20, Eq. 34].
        """
        lifted = self._system.complete_lift(s)
        return [*self._over(s), *(lifted[y] for y in self._system.fibre), sympy.Integer(0)]

    def differential(self, f: Expression | Sequence[Expression]) -> list[sympy.Expr] | sympy.Matrix:
        """d f of a function on E x R as a 1-form, d alpha of a 1-form as a matrix d alpha(e_A, e_B) [ASC25, Rem. 3.3].

        >>> prolongation = hz.model("heavy-top").prolongation()
        >>> prolongation.differential(prolongation.contact_form())
        """
        if isinstance(f, (list, tuple)):
            return self._exterior(self._components(f))
        f = self._function("the function", f)
        return [self._along(A, f) for A in range(2 * len(self._system.fibre) + 1)]

    def flat(self, section: Sequence[Expression]) -> list[sympy.Expr]:
        """i_X d eta_L + eta_L(X) eta_L [ASC25, Rem. 3.3].

        >>> prolongation = hz.model("heavy-top").prolongation()
        >>> prolongation.flat(prolongation.reeb_section())              # eta_L
        """
        X, eta = sympy.Matrix(self._components(section)), self.contact_form()
        inner = (X.T * self._exterior(eta)).tolist()[0]
        value = sum(x * e for x, e in zip(X, eta))
        return [_expanded(a + value * b) for a, b in zip(inner, eta)]

    def sharp(self, form: Sequence[Expression]) -> list[sympy.Expr]:
        """The section X with flat(X) = alpha. Raises ValueError for a singular W [ASC25, Rem. 3.3].

        >>> prolongation = hz.model("heavy-top").prolongation()
        >>> prolongation.sharp(prolongation.contact_form())             # R_L
        """
        alpha, r = sympy.Matrix(self._components(form)), len(self._system.fibre)
        p, turned = sympy.Matrix(self._momenta()), self._exterior(self.contact_form())[:r, :r]
        p_z, W = p.diff(self._system.action), self._hessian()
        # flat(X) has the parts W x_T along V, x_T . p_z + eta(X) along Z, and d eta(x_T, T) - W x_V - x_Z p_z - eta(X) p.
        x = _solved(W, alpha[r:2 * r, :])
        of_X = alpha[2 * r] - x.dot(p_z)
        rate = of_X + p.dot(x)
        v = _solved(W, turned.T * x - rate * p_z - of_X * p - alpha[:r, :])
        return [_expanded(entry) for entry in (*x, *v, rate)]

    def anchor(self, section: Sequence[Expression]) -> dict[sympy.Symbol, sympy.Expr]:
        """The field on E x R of a section, by coordinate: rho(T_a) = rho^i_a d/dx^i, V_a = d/dy^a, Z = d/dz [ASC25, Rem. 3.3].

        >>> prolongation = hz.model("heavy-top").prolongation()
        >>> prolongation.anchor(prolongation.dynamics())                # the motion, by coordinate
        """
        X, r = self._components(section), len(self._system.fibre)
        moved = list(self._system.anchor * sympy.Matrix(X[:r])) if self._system.base else []
        return dict(zip((*self._system.base, *self._system.fibre, self._system.action), [*moved, *X[r:]]))

    def __repr__(self) -> str:
        return f"<herglotz.Prolongation of {self._system._model.name}>"

    def _hessian(self) -> sympy.Matrix:
        """W, which is not singular."""
        W = sympy.hessian(self._L, list(self._system.fibre))
        if _is_singular(W):
            raise ValueError("the Lagrangian is singular: its form is not a contact form")
        return W

    def _momenta(self) -> list[sympy.Expr]:
        return [self._L.diff(y) for y in self._system.fibre]

    def _hamiltonian_section(self, f: sympy.Expr, along_reeb: sympy.Expr) -> list[sympy.Expr]:
        factor = f + along_reeb
        return self.sharp([slope - factor * entry for slope, entry in zip(self.differential(f), self.contact_form())])

    def _over(self, s: Section) -> list[sympy.Expr]:
        lifted = self._system.vertical_lift(s)
        return [lifted[y] for y in self._system.fibre]

    def _components(self, section: Sequence[Expression]) -> list[sympy.Expr]:
        entries = [self._function("a component", entry) for entry in to_list("the section", section, "components")]
        size = 2 * len(self._system.fibre) + 1
        if len(entries) != size:
            raise ValueError(f"{len(entries)} components are given; a prolongation of rank {size} has {size}")
        return entries

    def _function(self, what: str, f: Expression) -> sympy.Expr:
        system = self._system
        on = (*system.base, *system.fibre, system.action, system.time)
        return system._function(what, f, on, "it is a function on E x R; its attribute energy and system.legendre() have others")

    def _along(self, A: int, f: sympy.Expr) -> sympy.Expr:
        system, r = self._system, len(self._system.fibre)
        if r > A:
            return sum((system.anchor[i, A] * f.diff(x) for i, x in enumerate(system.base)), sympy.Integer(0))
        return f.diff(system.action if 2 * r == A else system.fibre[A - r])

    def _exterior(self, alpha: Sequence[sympy.Expr]) -> sympy.Matrix:
        c, r = self._system.structure, len(self._system.fibre)

        def entry(A: int, B: int) -> sympy.Expr:
            turned = sum((c[k, A, B] * alpha[k] for k in range(r)), sympy.Integer(0)) if max(A, B) < r else 0
            return sympy.expand(self._along(A, alpha[B]) - self._along(B, alpha[A]) - turned)

        return sympy.Matrix(2 * r + 1, 2 * r + 1, entry)


def _is_singular(W: sympy.Matrix) -> bool:
    """Whether the determinant vanishes at points of the symbols' values that nothing prefers."""
    symbols = sorted(W.free_symbols, key=str)
    for k in range(3):
        at = W.subs({s: sympy.Rational(37 + 11 * i + 29 * k, 100) for i, s in enumerate(symbols)}).evalf(40)
        if abs(at.det()) > 1e-25 * max(1, at.norm())**W.rows:
            return False
    return True


def _solved(W: sympy.Matrix, right: sympy.Matrix) -> sympy.Matrix:
    """W^-1 right by cofactors, whose length does not grow with the steps of an elimination."""
    if right.is_zero_matrix:
        return right
    if W.is_diagonal():
        return sympy.Matrix([entry / W[a, a] for a, entry in enumerate(right)])
    return W.adjugate() * right / W.det(method="berkowitz")


def _expanded(entry: sympy.Expr) -> sympy.Expr:
    return sympy.expand(entry) if entry.count_ops() <= LEGIBLE else entry
