"""The contact and Jacobi geometry on the phase space of a system, and its Legendre transforms."""

from __future__ import annotations

from collections.abc import Sequence

import sympy

from herglotz import _herglotz
from herglotz._model import CompiledModel
from herglotz.arguments import to_switch
from herglotz.expressions import Expression, from_nodes

from .contact import ContactStructure, contact
from .geometry import Components, Phase


class PhaseCalculus(CompiledModel):
    """Brackets, fields and forms in (x, y, z) of a Lagrangian, (x, p, z) of a Hamiltonian, with or without constraints."""

    _phases: dict[bool, Phase]

    @property
    def phase_coordinates(self) -> tuple[sympy.Symbol, ...]:
        """(x, y, z) of a Lagrangian, (x, p, z) of a Hamiltonian: rows and columns of tensors, keys of fields and forms."""
        return tuple(self._symbols[name] for name in self.state)

    def bracket(self, f: Expression, g: Expression, *, constrained: bool = False) -> sympy.Expr:
        """{f, g} = Lambda(df, dg) + f E(g) - g E(f) of functions of the phase coordinates [LJL21, Eq. 28].

        >>> hz.model("damped-pendulum").bracket("theta", "p_omega")                       # -1

        `constrained` gives the nonholonomic bracket along the constraints, which are its Casimirs [LJL21, Eq. 100,
        Thm 18]. The motion dissipates f exactly if {E, f} = 0 [ASC25, Ex. 4.7]. Functions may also use the energy, and
        p_<fibre> (velocities, for a Hamiltonian).
        """
        return self._phase(constrained).bracket(f, g)

    def hamiltonian_field(self, f: Expression, *, constrained: bool = False) -> Components:
        """Components of X_f = Lambda(df, .) + f E [LJL21, Eq. 33]; constrained: [LJL21, Eq. 105].

        >>> hz.model("damped-pendulum").hamiltonian_field("theta*p_omega - z")
        """
        return self._phase(constrained).hamiltonian_field(f)

    def contact_form(self) -> Components:
        """Components of eta = dz - p_a theta^a by coordinates [LJL21, Eq. 10].

        >>> hz.model("damped-pendulum").contact_form()           # {theta: -l**2*m*omega, omega: 0, z: 1}

        Raises ValueError for an algebroid that is not a tangent bundle in some frame: that has a Jacobi structure only.
        """
        return self._phase(False).contact_form()

    def reeb_field(self, *, constrained: bool = False) -> Components:
        """Components of the Reeb field R = -E [LJL21, Eq. 6]; constrained: P(R) [LJL21, Eq. 95].

        >>> hz.model("damped-pendulum").reeb_field()             # {theta: 0, omega: 0, z: 1}
        """
        return self._phase(constrained).reeb_field()

    def jacobi_tensor(self, *, constrained: bool = False) -> sympy.Matrix:
        """Lambda^AB in the phase coordinates [LJL21, Eq. 23a]; constrained: P_* Lambda [LJL21, Eq. 96].

        >>> hz.model("damped-pendulum").jacobi_tensor()
        """
        return self._phase(constrained).jacobi_tensor()

    def projector(self) -> sympy.Matrix:
        """P^A_B: P(Y) = Y - (C^-1)^ab dPhi^b(Y) Z_a, onto the constraint distribution [LJL21, Eq. 79].

        >>> P = hz.model("chaplygin-sleigh").projector()
        >>> (P*P - P).applyfunc(sympy.simplify).is_zero_matrix       # True
        """
        return self._phase(True).projector()

    def dynamics_field(self, *, constrained: bool = False) -> Components:
        """Components of the motion with its forces; constrained: its projection [LJL21, Eqs. 48, 81].

        >>> hz.model("chaplygin-sleigh").dynamics_field(constrained=True)
        """
        return self._phase(constrained).dynamics()

    def legendre(self) -> Components:
        """Momenta p_a = dL/dy^a as functions of velocities; of a Hamiltonian from y = dH/dp [ASC25, Sec. 3; ASMLL20, Eq. 20].

        >>> hz.model("damped-pendulum").legendre()               # {p_omega: l**2*m*omega}

        In the coordinates (x, p, z) of TQ the contact form is dz - p dx [LJL21, Thm 1]. Raises ValueError where that has no
        closed form.
        """
        return self._legendre(self.momenta, inverse=False)

    def inverse_legendre(self) -> Components:
        """Velocities as functions of (x, p, z) [ASC25, Sec. 3]. Raises ValueError where they have no closed form.

        >>> hz.model("damped-pendulum").inverse_legendre()       # {omega: p_omega/(l**2*m)}
        """
        return self._legendre(self.fibre, inverse=True)

    def legendre_transform(self) -> sympy.Expr:
        """H = p.y - L of a Lagrangian, L = p.y - H of a Hamiltonian [ASC25, Sec. 3].

        >>> hz.model("damped-pendulum").legendre_transform()

        Raises ValueError where it has no closed form.
        """
        nodes, place = _herglotz.legendre_transform(self._model)
        return from_nodes(nodes, self._symbols)[place]

    def contact_structure(self) -> ContactStructure:
        """The contact structure of eta_L = dz - p_a theta^a on the phase coordinates, as `hz.contact` makes it [LJL21, Sec. 3].

        >>> eta = system.contact_structure()
        >>> eta.flat({q: 1}), eta.sharp([0, 0, 1]), eta.omega(), eta.kind(fields=[[1, 0, v]], at={q: 0, v: 1, z: 0})

        Its Hamiltonian field of the energy p_a y^a - L is the motion without forces and time. Raises ValueError on
        algebroids that are not a tangent bundle in some frame; `prolongation` has a contact form there.
        """
        return contact(self.contact_form(), coordinates=self.phase_coordinates)

    def covector_projector(self) -> sympy.Matrix:
        """The matrix of Pbar(alpha) = flat(P(sharp(alpha))), onto flat of the constraint distribution [LJL21, Sec. 5].

        >>> Pbar = hz.model("chaplygin-sleigh").covector_projector()
        >>> Pbar.shape                                               # (7, 7)

        By it the constrained motion is X with flat(X) = Pbar(dE - (E + R(E)) eta) [LJL21, Thm 11]. Columns are the images of the
        differentials of the phase coordinates; `projector().T` is alpha -> alpha o P [LJL21, Eq. 84]. Raises as
        `contact_structure` and `projector` do.
        """
        eta, P = self.contact_structure(), self.projector()
        images = []
        for k in range(len(self.phase_coordinates)):
            sharp = sympy.Matrix(list(eta.sharp([int(k == j) for j in range(P.rows)]).values()))
            images.append(list(eta.flat(list(P * sharp)).values()))
        return sympy.Matrix(images).T

    def _phase(self, constrained: bool) -> Phase:
        if to_switch("constrained", constrained) not in self._phases:
            self._phases[constrained] = Phase(self, constrained)
        return self._phases[constrained]

    def _legendre(self, images: Sequence[sympy.Symbol], inverse: bool) -> Components:
        nodes, places = _herglotz.legendre(self._model, inverse)
        built = from_nodes(nodes, self._symbols)
        return {symbol: built[place] for symbol, place in zip(images, places)}
