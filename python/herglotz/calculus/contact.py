"""Contact forms and Jacobi structures of one's own, in any chart."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

import sympy

from herglotz import _herglotz
from herglotz.algebroids import custom
from herglotz.arguments import shown, to_finite, to_list, to_names, to_table
from herglotz.expressions import Expression, from_nodes, symbols_in, to_text
from herglotz.settings import did_you_mean

from .geometry import Components, shortened

if TYPE_CHECKING:
    from herglotz.system import System

Row: TypeAlias = Sequence[Expression] | Mapping[Any, Expression]
ROUNDED = 1e-10  # relative to the coordinates; a start counts as on the constraints below it, as it does in a run


class JacobiStructure:
    """(Lambda, E) with the bracket {f, g} = Lambda(df, dg) + f E(g) - g E(f) [LJL21, Sec. 2]; `hz.jacobi` makes it.

    Vectors and covectors are given by their components in the order of the coordinates, or by coordinate; they come back
    by coordinate. Symbols that are not coordinates are parameters; a string may use those of the structure and of earlier
    expressions.

    >>> so3 = hz.jacobi([[0, "c", "-b"], ["-c", 0, "a"], ["b", "-a", 0]], [0, 0, 0], coordinates=["a", "b", "c"])
    >>> so3.defects()                                            # []: Jacobi, here Poisson
    >>> so3.bracket("a", "b"), so3.jacobiator("a", "b", "c")     # c, 0
    >>> so3.hamiltonian_field("a^2/2 + b^2 + 3*c^2/2")           # p x dH: Euler's equations of a body
    """

    def __init__(self, coordinates: Sequence[Any], components: Sequence[Expression], *, contact: bool):
        listed = to_list("coordinates", coordinates, "symbols or names")
        names = [str(coordinate) for coordinate in listed if isinstance(coordinate, (str, sympy.Symbol))]
        if not names or len(set(names)) != len(listed):
            raise ValueError(f"coordinates = {shown(coordinates)}; different symbols or names are needed")
        known = symbols_in(*[c for c in coordinates if isinstance(c, sympy.Symbol)], list(components))
        self._symbols: dict[str, sympy.Symbol] = {name: known.get(name, sympy.Symbol(name, real=True))
                                                  for name in [*names, *known]}
        self.coordinates = tuple(self._symbols[name] for name in names)
        self._made_of = (tuple(self.coordinates), tuple(components), contact)
        texts = [to_text(component, "a component") for component in components]
        self._structure = _herglotz.Structure(names, [name for name in self._symbols if name not in names], texts, contact)

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuilt, (type(self), *self._made_of, tuple(self._symbols.values()))

    def bracket(self, f: Expression, g: Expression) -> sympy.Expr:
        """{f, g} [LJL21, Eq. 28].

        >>> eta = hz.contact(["-p", 0, 1], coordinates=["q", "p", "z"])
        >>> eta.bracket("q", "p")                       # -1
        """
        return self._read(self._structure.bracket(self._text(f), self._text(g)))

    def jacobiator(self, f: Expression, g: Expression, h: Expression) -> sympy.Expr:
        """{f, {g, h}} + {g, {h, f}} + {h, {f, g}} [LJL21, Sec. 2].

        >>> eta = hz.contact(["-p", 0, 1], coordinates=["q", "p", "z"])
        >>> eta.jacobiator("q", "p", "z")               # 0
        """
        return self._read(self._structure.jacobiator(self._text(f), self._text(g), self._text(h)))

    def hamiltonian_field(self, H: Expression) -> Components:
        """X_H = Lambda(dH, .) + H E [LJL21, Eqs. 33, 105].

        >>> eta = hz.contact(["-p", 0, 1], coordinates=["q", "p", "z"])
        >>> eta.hamiltonian_field("p^2/2 + z/10")        # {q: p, p: -p/10, z: p**2/2 - z/10}
        """
        return self._components(self._structure.hamiltonian_field(self._text(H)))

    def reeb_field(self) -> Components:
        """-E, which is the Reeb field of a contact form [LJL21, Eq. 6].

        >>> eta = hz.contact(["-p", 0, 1], coordinates=["q", "p", "z"])
        >>> eta.reeb_field()                            # {q: 0, p: 0, z: 1}
        """
        return self._components(self._structure.reeb_field())

    def tensor(self) -> sympy.Matrix:
        """Lambda^AB [LJL21, Eq. 23a].

        >>> eta = hz.contact(["-p", 0, 1], coordinates=["q", "p", "z"])
        >>> eta.tensor()
        """
        return self._matrix(self._structure.tensor())

    def sharp(self, alpha: Row) -> Components:
        """Lambda(alpha, .); of a contact form the inverse of `flat` [LJL21, Eqs. 12, 24].

        >>> eta = hz.contact(["-p", 0, 1], coordinates=["q", "p", "z"])
        >>> eta.sharp([0, 0, 1])                        # {q: 0, p: -p, z: 1}
        """
        return self._components(self._structure.sharp(self._row(alpha)))

    def lie_bracket(self, X: Row, Y: Row) -> Components:
        """[X, Y] of vector fields, which is X_{f, g} of [X_f, X_g] for a Jacobi structure [LJL21, Prop. 23].

        >>> eta = hz.contact(["-p", 0, 1], coordinates=["q", "p", "z"])
        >>> eta.lie_bracket(eta.hamiltonian_field("q"), eta.hamiltonian_field("p^2"))
        >>> eta.hamiltonian_field(eta.bracket("q", "p^2"))           # the same
        """
        return self._components(self._structure.lie_bracket(self._row(X), self._row(Y)))

    def contact(self) -> ContactStructure:
        """The contact form of a Jacobi structure that has one, for `flat` and `divergence` [LJL21, Eqs. 12, 23a, 25].

        >>> made = hz.jacobi([[0, -1, 0], [1, 0, "p"], [0, "-p", 0]], [0, 0, -1], coordinates=["q", "p", "z"])
        >>> made.contact().form()                       # {q: -p, p: 0, z: 1}

        eta = -E (Lambda + E (x) E)^-1, since sharp = Lambda + E (x) E. Raises ValueError where that matrix is singular
        everywhere, as of a Poisson bracket, and for a structure that is not Jacobi, which is that of no contact form.
        """
        form = self._components(self._structure.contact_form())
        return contact(form, self.coordinates)

    def defects(self) -> list[sympy.Expr]:
        """Returns what does not vanish of [Lambda, Lambda] - 2 E ^ Lambda and L_E Lambda: [] for Jacobi [LJL21, Eqs. 21-22].

        >>> eta = hz.contact(["-p", 0, 1], coordinates=["q", "p", "z"])
        >>> eta.defects()                               # []

        Raises ValueError for a Lambda that is not skew.
        """
        return self._all(self._structure.defects())

    def flow(self, H: Expression, *, parameters: Mapping[Any, float] | None = None,
             initial: Mapping[Any, Expression] | None = None, name: str = "flow") -> System:
        """The system whose motion is the flow of X_H, to be simulated, checked and saved as a model [LJL21, Eq. 33].

        >>> run = hz.simulate(eta.flow(p**2/2 + gamma*z, parameters={gamma: 0.1}, initial={p: 1.0}), t_end=5)

        The coordinates are its base, X_H is the anchor of its one fibre coordinate `pace`, which is 1, and H its observable
        `H`, which is dissipated with the rate R(H) of a contact form. Symbols of the structure and of H need `parameters`.
        """
        self._add_parameters(to_table("parameters", parameters))
        return self._flow_of(self.hamiltonian_field(H), H, parameters, initial, name)

    def _flow_of(self, field: Components, H: Expression, parameters: Mapping[Any, float] | None,
                 initial: Mapping[Any, Expression] | None, name: str) -> System:
        """The system of the motion along the field, with the observable H."""
        from herglotz.system import System
        used = {symbol.name for symbol in self.coordinates} | set(self._symbols)
        pace, action, time, value = (next(f"{stem}{'_' * k}" for k in range(len(used) + 1) if f"{stem}{'_' * k}" not in used)
                                     for stem in ("pace", "W", "t", "H"))
        start = {symbol.name: 0.0 for symbol in self.coordinates}
        start |= {str(key): given for key, given in to_table("initial", initial).items()}
        return System(custom(self.coordinates, [pace], [[field[symbol] for symbol in self.coordinates]], {}), f"{pace}^2/2",
                      name=name, action=action, time=time, parameters=parameters, initial={**start, pace: 1},
                      observables={value: H})

    def constrained(self, constraints: Sequence[Expression], reactions: Sequence[Row], *,
                    parameters: Sequence[Any] = ()) -> ConstrainedStructure:
        """The structure along Phi^a = 0 whose reactions are spanned by the 1-forms beta^a [LJL21, Eqs. 66, 75-79, 95-96].

        >>> eta = hz.contact(["-p", "-r", 0, 0, 1], coordinates=["q", "s", "p", "r", "z"])
        >>> edge = eta.constrained(["r - q*p"], reactions=[["-q", 1, 0, 0, 0]])
        >>> edge.dynamics_field("p^2/2 + r^2/2 + z/10")          # q' = p, s' = r: X_H + lambda Z, tangent to r = q p
        >>> edge.flow("p^2/2 + r^2/2 + z/10", initial={"p": 1.0})                  # a System
        >>> eta.constrained(["r - g*q*p"], reactions=[["-g*q", 1, 0, 0, 0]], parameters=["g"])

        Z_a = sharp(beta^a), C_ab = dPhi^b(Z_a), P(Y) = Y - (C^-1)^ab dPhi^b(Y) Z_a, and the structure is (P Lambda P^T, P E). Of
        a Lagrangian Chetaev's rule takes beta^a = Phi^a_y theta; any other forms may be given. Symbols are parameters, and so are
        names in `parameters`, which strings may use. Raises ValueError where the form of a reaction does not vanish on the Reeb
        field, so that it would do work on the action, and where C is singular everywhere.
        """
        self._add_parameters(to_names("parameters", parameters))
        Phi, given = to_list("constraints", constraints, "expressions"), to_list("reactions", reactions, "forms")
        if not Phi or len(Phi) != len(given):
            raise ValueError(f"{len(Phi)} constraints and {len(given)} forms of reactions are given; one form for each is needed")
        entries = self._all(self._structure.constrained([self._text(one) for one in Phi], [self._row(row) for row in given]))
        m, n = len(Phi), len(self.coordinates)
        functions, Z, C, P, Lambda, E = (entries[first:last] for first, last in itertools.pairwise(
            itertools.accumulate((m, m * n, m * m, n * n, n * n, n), initial=0)))
        short = [[shortened(entry) for entry in of] for of in (C, P, Lambda, E)]
        C, P, Lambda = (sympy.Matrix(size, size, of) for size, of in zip((m, n, n), short))
        made = jacobi(Lambda, short[3], self.coordinates)
        fields = [dict(zip(self.coordinates, Z[n * a:n * (a + 1)])) for a in range(m)]
        return ConstrainedStructure(self, made, tuple(functions), fields, C, P)

    def __repr__(self) -> str:
        kind = "contact form" if self._made_of[2] else "Jacobi structure"
        return f"<herglotz {kind} on ({', '.join(map(str, self.coordinates))})>"

    def _add_parameters(self, names: Iterable[Any]) -> None:
        for name in names:
            self._text(name if isinstance(name, sympy.Symbol) else self._symbols.get(name, sympy.Symbol(name, real=True)))

    def _text(self, f: Expression) -> str:
        new = {name: symbol for name, symbol in symbols_in(f).items() if name not in self._symbols}
        self._structure.add_parameters(list(new))
        self._symbols |= new
        return to_text(f, "a function of the coordinates")

    def _row(self, row: Row) -> list[str]:
        names = [symbol.name for symbol in self.coordinates]
        if isinstance(row, Mapping):
            given = {str(key): value for key, value in row.items()}
            for name in given:
                if name not in names:
                    raise ValueError(f"unknown coordinate '{name}'; {did_you_mean(name, names)}")
            return [self._text(given.get(name, 0)) for name in names]
        entries = to_list("components", row, "expressions")
        if len(entries) != len(names):
            raise ValueError(f"{len(entries)} components are given; one for each of {', '.join(names)} is needed")
        return [self._text(entry) for entry in entries]

    def _read(self, expression: tuple[Any, int]) -> sympy.Expr:
        nodes, place = expression
        return from_nodes(nodes, self._symbols)[place]

    def _all(self, expressions: tuple[Any, Sequence[int]]) -> list[sympy.Expr]:
        nodes, places = expressions
        built = from_nodes(nodes, self._symbols)
        return [built[place] for place in places]

    def _components(self, components: tuple[Any, Sequence[int]]) -> Components:
        return dict(zip(self.coordinates, self._all(components)))

    def _matrix(self, entries: tuple[Any, Sequence[int]]) -> sympy.Matrix:
        size = len(self.coordinates)
        return sympy.Matrix(size, size, self._all(entries))


class ContactStructure(JacobiStructure):
    """A contact form with its Reeb field, flat and sharp, and its Jacobi structure [LJL21, Secs. 2-3]; `hz.contact` makes it.

    >>> eta = hz.contact(["-p", 0, 1], coordinates=["q", "p", "z"])              # dz - p dq
    >>> X = eta.hamiltonian_field("p^2/2 + q^2/2 + z/10")        # {q: p, p: -p/10 - q, z: p**2/2 - q**2/2 - z/10}
    >>> eta.flat(X), eta.reeb_field(), eta.bracket("q", "p")
    >>> eta.lie_derivative(X), eta.divergence(X)                 # -eta/10 and -1/5: both dissipate
    >>> hz.simulate(eta.flow("p^2/2 + q^2/2 + z/10", initial={"q": 1.0}), t_end=5).H
    """

    def form(self) -> Components:
        """Components of eta [LJL21, Def. 1].

        >>> eta = hz.contact(["-p", 0, 1], coordinates=["q", "p", "z"])
        >>> eta.form()                                  # {q: -p, p: 0, z: 1}
        """
        return self._components(self._structure.form())

    def d_form(self) -> sympy.Matrix:
        """(d eta)_AB = d_A eta_B - d_B eta_A [LJL21, Sec. 2].

        >>> eta = hz.contact(["-p", 0, 1], coordinates=["q", "p", "z"])
        >>> eta.d_form()
        """
        return self._matrix(self._structure.d_form())

    def omega(self) -> sympy.Matrix:
        """d eta + eta (x) eta, by which flat(X) = omega(X, .) [LJL21, Eq. 13].

        >>> eta = hz.contact(["-p", 0, 1], coordinates=["q", "p", "z"])
        >>> eta.omega()
        """
        eta = sympy.Matrix(list(self.form().values()))
        return (self.d_form() + eta * eta.T).applyfunc(sympy.expand)

    def flat(self, X: Row) -> Components:
        """i_X d eta + eta(X) eta [LJL21, Eq. 12].

        >>> eta = hz.contact(["-p", 0, 1], coordinates=["q", "p", "z"])
        >>> eta.flat({"z": 1})                           # eta
        """
        return self._components(self._structure.flat(self._row(X)))

    def jacobi(self) -> JacobiStructure:
        """The Jacobi structure (Lambda, -R) of the contact form [LJL21, Eq. 23a].

        >>> eta = hz.contact(["-p", 0, 1], coordinates=["q", "p", "z"])
        >>> eta.jacobi().sharp([0, 0, 1])               # {q: 0, p: -p, z: 0}

        Its `sharp` is Lambda(alpha, .) = sharp(alpha) - alpha(R) R, which is not that of the contact form [LJL21, Eq. 25].
        """
        return jacobi(self.tensor(), {name: -component for name, component in self.reeb_field().items()}, self.coordinates)

    def lie_derivative(self, X: Row, alpha: Row | None = None) -> Components:
        """L_X alpha of a 1-form, eta if none is given: -R(H) eta for X_H [LJL21, Eqs. 32, 36, 83, 86; ASMLL20, Eqs. 7-8].

        >>> eta = hz.contact(["-p", 0, 1], coordinates=["q", "p", "z"])
        >>> eta.lie_derivative(eta.hamiltonian_field("p^2/2 + z/10"))       # {q: p/10, p: 0, z: -1/10}

        X is an infinitesimal conformal contactomorphism exactly if L_X eta = a eta, and then X = X_H with H = -eta(X).
        """
        form = self.form() if alpha is None else alpha
        return self._components(self._structure.lie_derivative(self._row(X), self._row(form)))

    def volume(self) -> sympy.Expr:
        """The density of eta ^ (d eta)^n [LJL21, Def. 1].

        >>> eta = hz.contact(["-p", 0, 1], coordinates=["q", "p", "z"])
        >>> eta.volume()
        """
        return self._read(self._structure.volume())

    def divergence(self, X: Row) -> sympy.Expr:
        """div X of the volume eta ^ (d eta)^n; -(n + 1) R(H) of X_H [LJL21, Eq. 39].

        >>> eta = hz.contact(["-p", 0, 1], coordinates=["q", "p", "z"])
        >>> eta.divergence(eta.hamiltonian_field("p^2/2 + z/10"))           # -1/5
        """
        return self._read(self._structure.divergence(self._row(X)))

    def dissipation(self, H: Expression) -> sympy.Expr:
        """R(H), for which dH/dt = -R(H) H along X_H [LJL21, Eq. 35].

        >>> eta = hz.contact(["-p", 0, 1], coordinates=["q", "p", "z"])
        >>> eta.dissipation("p^2/2 + z/10")              # 1/10
        """
        nodes, place = self._structure.dissipation(self._text(H))
        return from_nodes(nodes, self._symbols)[place]

    def kind(self, *, fields: Sequence[Row] = (), forms: Sequence[Row] = (), at: Mapping[Any, float]) -> str:
        """Returns whether a distribution is horizontal (in ker eta), vertical (with R in it) or oblique [LJL21, Def. 2].

        >>> eta = hz.contact(["-p", 0, 1], coordinates=["q", "p", "z"])
        >>> eta.kind(fields=[[0, 0, 1]], at={"q": 0, "p": 1, "z": 0})      # "vertical"

        It is spanned by `fields`, or annihilated by `forms`; `at` has values of all coordinates and parameters.
        """
        rows, by_forms = self._rows(fields, forms)
        given = {str(name): to_finite(name, value) for name, value in to_table("at", at).items()}
        missing = [name for name in self._symbols if name not in given]
        if missing:
            raise ValueError(f"at has no value of '{missing[0]}'; values of {', '.join(self._symbols)} are needed")
        return self._structure.kind(rows, by_forms, [given[name] for name in self._symbols])

    def right_complement(self, *, fields: Sequence[Row] = (), forms: Sequence[Row] = ()) -> list[Components]:
        """{v : omega(w, v) = 0 for w in the distribution}, by its forms if fields are given, else by fields [LJL21, Eq. 15].

        >>> eta = hz.contact(["-p", 0, 1], coordinates=["q", "p", "z"])
        >>> eta.right_complement(fields=[[1, 0, 0]])                # one form, which annihilates the complement
        >>> eta.right_complement(forms=[[0, 1, 0], [0, 0, 1]])      # the same distribution by forms: fields that span it
        """
        return self._complement(fields, forms, right=True)

    def left_complement(self, *, fields: Sequence[Row] = (), forms: Sequence[Row] = ()) -> list[Components]:
        """{v : omega(v, w) = 0 for w in the distribution}, by its forms if fields are given, else by fields [LJL21, Eq. 15].

        >>> eta = hz.contact(["-p", 0, 1], coordinates=["q", "p", "z"])
        >>> eta.left_complement(fields=[[1, 0, 0]])                 # one form, which annihilates the complement
        >>> eta.left_complement(forms=[[0, 1, 0], [0, 0, 1]])       # the same distribution by forms: fields that span it
        """
        return self._complement(fields, forms, right=False)

    def _complement(self, fields: Sequence[Row], forms: Sequence[Row], *, right: bool) -> list[Components]:
        rows, by_forms = self._rows(fields, forms)
        entries = self._all(self._structure.complement(rows, by_forms, right))
        size = len(self.coordinates)
        return [dict(zip(self.coordinates, entries[k:k + size])) for k in range(0, len(entries), size)]

    def _rows(self, fields: Sequence[Row], forms: Sequence[Row]) -> tuple[list[list[str]], bool]:
        rows, by_forms = to_list("fields", fields, "fields"), to_list("forms", forms, "forms")
        if bool(rows) == bool(by_forms):
            raise ValueError("give either fields that span the distribution, or forms that annihilate it")
        return [self._row(row) for row in rows or by_forms], bool(by_forms)


@dataclass(frozen=True)
class ConstrainedStructure:
    """A contact or Jacobi structure along constraints with given reactions [LJL21, Secs. 5-7]; `constrained` makes it.

    Attributes:
        free: the structure without constraints
        structure: (P Lambda P^T, P E): with the nonholonomic bracket, and X_f^Delta [LJL21, Eq. 105]
        constraints: Phi^a, which are Casimirs of the bracket
        fields: Z_a = sharp(beta^a)
        matrix: C_ab = dPhi^b(Z_a)
        projector: P
    """

    free: JacobiStructure
    structure: JacobiStructure
    constraints: tuple[sympy.Expr, ...]
    fields: list[Components]
    matrix: sympy.Matrix
    projector: sympy.Matrix

    def dynamics_field(self, H: Expression) -> Components:
        """P(X_H) = X_H + lambda^a Z_a, tangent to the constraints: the motion with the Hamiltonian H [LJL21, Eqs. 79-81].

        >>> eta = hz.contact(["-p", 0, 1], coordinates=["q", "p", "z"])
        >>> edge = eta.constrained(["p - q"], reactions=[[1, 0, 0]])
        >>> edge.dynamics_field("p^2/2 + z/10")                 # {q: p, p: p, z: p**2/2 - z/10}
        >>> edge.structure.hamiltonian_field("p^2/2 + z/10")    # {q: 0, p: 0, z: -p**2/2 - z/10}: X_H^Delta, another field

        X_H^Delta = P(Lambda(P^T dH, .) + H E) [Eq. 105] is less than it by P(Lambda(dH - P^T dH, .)) [Eq. 107], which vanishes
        where Z_a(H) = 0 along the constraints [Lemma 15]: for an energy, where Chetaev's rule has the reactions, and constraints
        are homogeneous in the velocities [Thm 17]. Reactions with Z_a(H) other than 0 do work: dH/dt = -R(H) H + lambda^a Z_a(H).
        """
        X = sympy.Matrix(list(self.free.hamiltonian_field(H).values()))
        return dict(zip(self.free.coordinates, (self.projector * X).applyfunc(shortened)))

    def flow(self, H: Expression, *, parameters: Mapping[Any, float] | None = None,
             initial: Mapping[Any, Expression] | None = None, name: str = "flow") -> System:
        """The system whose motion is that along P(X_H) [LJL21, Eq. 81]; constraints are observables, which stay 0.

        >>> eta = hz.contact(["-p", 0, 1], coordinates=["q", "p", "z"])
        >>> eta.constrained(["p - q"], reactions=[[1, 0, 0]]).flow("p^2/2 + z/10", initial={"q": 1.0, "p": 1.0})

        That along X_H^Delta [Eq. 105], which is the same where Z_a(H) = 0, is `structure.flow`. Coordinates that `initial` does
        not have start at 0. Raises ValueError for a start that is off the constraints.
        """
        self.free._add_parameters(to_table("parameters", parameters))
        made = self.free._flow_of(self.dynamics_field(H), H, parameters, initial, name)
        made = made.replace(observables={**made.observables, **{
            f"constraint_{k}": Phi for k, Phi in enumerate(self.constraints, 1)}})
        self._require_start({**made.parameters, **made.initial})
        return made

    def _require_start(self, values: Mapping[str, float]) -> None:
        for number, Phi in enumerate(self.constraints, 1):
            at = {symbol: values[symbol.name] for symbol in Phi.free_symbols}
            used = [symbol for symbol in self.free.coordinates if symbol in at]
            value = Phi.subs(at).evalf()
            size = sum(abs(Phi.diff(symbol).subs(at).evalf()) * max(1.0, abs(at[symbol])) for symbol in used)
            if not (value.is_real and (value == 0 or abs(value) <= ROUNDED * size)):
                start = ", ".join(f"{symbol} = {at[symbol]:.6g}" for symbol in used)
                raise ValueError(f"initial: constraint {number}, {to_text(Phi)}, is {sympy.N(value, 3)} at {start}; "
                                 "give a start at which it is 0")


def contact(form: Row, coordinates: Sequence[Any]) -> ContactStructure:
    """The contact structure of a 1-form on an odd number of coordinates [LJL21, Def. 1].

    >>> hz.contact([-p, 0, 1], coordinates=[q, p, z]).bracket(q, p)     # -1

    Raises ValueError for a form with eta ^ (d eta)^n = 0.
    """
    names = [str(coordinate) for coordinate in to_list("coordinates", coordinates, "symbols or names")]
    return ContactStructure(coordinates, _components("form", form, names), contact=True)


def jacobi(Lambda: Any, E: Row, coordinates: Sequence[Any]) -> JacobiStructure:
    """The structure of a contravariant 2-tensor, given as a square matrix, and a vector field [LJL21, Eqs. 21-22].

    >>> hz.jacobi([[0, 1], [-1, 0]], [0, 0], coordinates=[q, p]).bracket(q, p)     # 1: a Poisson bracket
    """
    names = [str(coordinate) for coordinate in to_list("coordinates", coordinates, "symbols or names")]
    rows = Lambda.tolist() if isinstance(Lambda, sympy.MatrixBase) else to_list("Lambda", Lambda, "rows")
    entries = [_components("a row of Lambda", row, names) for row in rows]
    if len(entries) != len(names):
        raise ValueError(f"Lambda has {len(entries)} rows; one for each of {', '.join(names)} is needed")
    components = [*(entry for row in entries for entry in row), *_components("E", E, names)]
    return JacobiStructure(coordinates, components, contact=False)


def _components(what: str, row: Row, names: Sequence[str]) -> list[Expression]:
    if isinstance(row, Mapping):
        given = {str(key): value for key, value in row.items()}
        for name in given:
            if name not in names:
                raise ValueError(f"{what}: unknown coordinate '{name}'; {did_you_mean(name, list(names))}")
        return [given.get(name, 0) for name in names]
    entries = to_list(what, row, "expressions")
    if len(entries) != len(names):
        raise ValueError(f"{what} has {len(entries)} components; one for each of {', '.join(names)} is needed")
    return entries


def _rebuilt(kind: type[JacobiStructure], coordinates: Sequence[sympy.Symbol], components: Sequence[Expression],
             contact: bool, symbols: Sequence[sympy.Symbol]) -> JacobiStructure:
    made = kind(coordinates, components, contact=contact)
    made._add_parameters(symbols)
    return made
