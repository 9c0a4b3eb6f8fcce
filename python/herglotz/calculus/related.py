"""Systems that are made of a system: reduced, extended, and the flows of functions; point symmetries."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy
import sympy
import xarray

from herglotz import _herglotz
from herglotz._model import key_of
from herglotz.arguments import shown, to_list, to_string, to_switch
from herglotz.dynamic import plain
from herglotz.expressions import Expression, from_nodes, to_text

from .geometry import Components
from .prolongation import Prolongation
from .sections import SectionCalculus

if TYPE_CHECKING:
    from herglotz.simulation import Run
    from herglotz.system import System


class PointSymmetries(Mapping[str, Components]):
    """Vector fields on the base that are symmetries, by name, each {base coordinate: component} [ASC25, Def. 4.3].

    >>> rotations = hz.model("kepler-drag").point_symmetries()
    >>> dict(rotations), rotations.closed                        # {"rotation": {x: -y, y: x}}, True

    `structure` has c[C, A, B] with [X_A, X_B] = c^C_AB X_C; `closed` says whether all brackets are in the span.
    """

    def __init__(self, fields: Mapping[str, Components], structure: sympy.NDimArray, closed: bool):
        self._fields = dict(fields)
        self.structure = structure
        self.closed = closed

    def __getitem__(self, name: str) -> Components:
        return dict(self._fields[name])

    def __iter__(self) -> Iterator[str]:
        return iter(self._fields)

    def __len__(self) -> int:
        return len(self._fields)

    def __repr__(self) -> str:
        return f"<herglotz.PointSymmetries {', '.join(self._fields) or 'none'}>"


class RelatedSystems(SectionCalculus):
    """Systems whose motion is that of a given system, or belongs to it."""

    def reduced(self, by: str = "constraints", *, keep: Sequence[Any] | None = None, group: Sequence[str] | None = None,
                with_group: bool = False) -> System:
        """This motion with its constraints solved, or on the quotient by its symmetries, as `herglotz reduce` writes it.

        >>> hz.model("chaplygin-sleigh").reduced().fibre                            # (u, w)
        >>> hz.simulate(hz.model("kepler-drag").reduced(by="symmetry"))

        By "constraints", which must be linear or affine in the velocities, or holonomic: the algebroid or the affine bundle of
        the constraints, the latter with `pace` along e_0 and the constraint pace = 1, with velocities that are gone as
        observables [GG08, Ex. 2, Secs. 3, 5]. A holonomic constraint has the tangent spaces of its leaves, and becomes an
        invariant. A constraint is solved for a velocity whose coefficient is a number; along a blade, whose two coefficients
        are a cosine and a sine, there is a new coordinate u; else it is solved for the velocity with the largest coefficient
        at the start. `keep` names the velocities that remain instead, or has a name for u.

        By "symmetry": the Euler-Poincare-, Lagrange-Poincare- or Routh-Herglotz system on E/G, where G is the largest group
        of `point_symmetries` that acts freely at the start, or that of the names `group`, which may leave points where they
        are, as all rotations of space do: then a skew algebroid [ASC25, Ex. 3.8]. `with_group` keeps coordinates of G, by
        which `reconstructed` finds the motion.

        Warns of what the reduced system does not have. Raises ValueError for a system without such constraints or symmetries.
        """
        if to_string("by", by) not in {"constraints", "symmetry"}:
            raise ValueError(f"by = {shown(by)}; systems are reduced by \"constraints\" or by \"symmetry\"")
        with_group = to_switch("with_group", with_group)
        if by == "symmetry":
            if keep is not None:
                raise ValueError("keep goes with by=\"constraints\"")
            text, left_out, _ = _herglotz.reduced_by_symmetry(self._model, _names(group), with_group)
        else:
            if group is not None or with_group:
                raise ValueError("group and with_group go with by=\"symmetry\"")
            stay = [] if keep is None else to_list("keep", keep, "names")
            text, left_out = _herglotz.reduced(self._model, [key_of(name, self._functions) for name in stay])
        return self._made((text, left_out))

    def point_symmetries(self) -> PointSymmetries:
        """The vector fields on the base whose lifts leave L, forces and constraints as they are, found by linear algebra.

        >>> dict(hz.model("kepler-drag").point_symmetries())          # {"rotation": {x: -y, y: x}}

        Components are of degree 2 in coordinates, or combinations of sines and cosines of angles; on TQ X^C L = 0 [ASC25,
        Eq. 22], on other algebroids the fields also leave the frame as it is. Raises ValueError for a Hamiltonian.
        """
        names, size, (nodes, places), closed = _herglotz.point_symmetries(self._model)
        built = from_nodes(nodes, self._symbols)
        values = [built[place] for place in places]
        n, d = len(self.base), len(names)
        fields = {name: dict(zip(self.base, values[n * A:n * (A + 1)])) for A, name in enumerate(names)}
        return PointSymmetries(fields, sympy.ImmutableDenseNDimArray(values[size:], (d, d, d)), closed)

    def reconstructed(self, run: xarray.Dataset | Run, *, group: Sequence[str] | None = None) -> xarray.Dataset:
        """Positions and velocities of this system from a run of `reduced(by="symmetry", with_group=True)` [ASC25, Ex. 3.8].

        >>> planet = hz.model("kepler-drag")
        >>> run = hz.simulate(planet.reduced(by="symmetry", with_group=True), t_end=1)
        >>> planet.reconstructed(run).x

        x = g s and dx/dt = g_*(ds/dt + eta^A X_A(s)), with the flows of the symmetries followed to round-off. `group` is that
        of the reduced system. Raises ValueError for a run of another system.
        """
        if self._model.time not in getattr(run, "variables", run if isinstance(run, Mapping) else ()):
            raise TypeError(f"run = {shown(run)}; a run of reduced(by=\"symmetry\", with_group=True) is needed")
        names = [str(name) for name in run if str(name) != self._model.time]
        columns = [[float(value) for value in numpy.ravel(numpy.asarray(run[name], dtype=float))]
                   for name in names if numpy.asarray(run[name]).dtype.kind == "f" and numpy.ndim(run[name]) == 1]
        kept = [name for name in names if numpy.asarray(run[name]).dtype.kind == "f" and numpy.ndim(run[name]) == 1]
        rows = numpy.array(_herglotz.reconstructed(self._model, _names(group), columns, kept))
        coordinates = [symbol.name for symbol in (*self.base, *self.fibre)]
        times = numpy.asarray(run[self._model.time], dtype=float)
        return self._dataset({name: rows[:, k] for k, name in enumerate(coordinates)}, times)

    def prolongation(self) -> Prolongation:
        """The prolongation of the algebroid over E x R, with its contact form, Reeb section and motion [ASC25, Rem. 3.3].

        >>> hz.model("heavy-top").prolongation().contact_form()
        """
        return Prolongation(self)

    def tulczyjew_differential(self) -> Components:
        """The image of dL in TE*: p_a = L_y^a, <x>_dot = rho y, <p>_dot = c^k_ij y^i p_k + sigma^i_j L_x^i [GG08, 3.1-3.2].

        >>> hz.model("heavy-top").tulczyjew_differential()

        The motion has in addition L_z p_j + F_j in the rate of p_j, and lambda Phi_y_j for nonholonomic constraints. For
        vakonomic ones it is the differential of L - nu Phi [GG08, Eq. 5.5]. Raises ValueError for a Hamiltonian.
        """
        self._lagrangian("the differential of L")
        L = self._lagrangian_less_constraints()
        p = [L.diff(y) for y in self.fibre]
        return {**dict(zip(self.momenta, p)), **self._epsilon([L.diff(x) for x in self.base], p)}

    def flow(self, f: Expression, *, constrained: bool = False, projected: bool = False) -> System:
        """The system whose motion is the flow of X_f, for any function of positions, momenta, action and time [LJL21, Eq. 33].

        >>> hz.simulate(hz.model("damped-pendulum").flow("theta*p_omega"), t_end=1)

        It has the Hamiltonian f on the same algebroid, and no forces or constraints; it starts where this system does. Warns of
        events, which a flow has not.
        `constrained`: the flow of X_f^Delta [LJL21, Eq. 105], for a function without time. Positions, velocities and action
        are its base coordinates, X_f^Delta the anchor of its one fibre coordinate `pace`, which is 1, and constraints its
        observables `constraint_1`, ...; they stay 0, as they are Casimirs [LJL21, Thm 18].
        `projected`: likewise that of P(X_f), the motion with the Hamiltonian f and the reactions [LJL21, Eqs. 79-81]. Both are
        the motion for the energy and constraints that are homogeneous in the velocities [LJL21, Thm 17].
        """
        text = to_text(plain(f, self._functions), "a function of the phase coordinates")
        if all([to_switch("constrained", constrained), to_switch("projected", projected)]):
            raise ValueError("both constrained and projected are given; a flow is that of X_f^Delta or of P(X_f)")
        return self._made(_herglotz.flow(self._model, text, "constrained" if constrained else "projected" if projected else ""))

    def extended(self, rule: str) -> System:
        """This motion with the action as a coordinate and its rate a constraint [LLMR21, Secs. 3-5; ASMLL20, Eqs. 54-57].

        >>> hz.simulate(hz.model("damped-pendulum").extended("vakonomic"), t_end=1).nu1

        The first multiplier is -L_z of the nonholonomic rule, and mu_0 of the vakonomic one with 1 + mu_0 the factor of the
        others. The new action, W_<action>, does not affect the motion. Warns of events that the system does not have.
        """
        return self._made(_herglotz.extended(self._model, to_string("rule", rule)))

    def _made(self, made: tuple[str, Sequence[str]]) -> System:
        """The system of a text; warns of what it does not have."""
        text, left_out = made
        for sentence in left_out:
            warnings.warn(f"left out: {sentence}", stacklevel=3)
        return self._related(text)

    def _related(self, text: str) -> System:
        """The system of a text with the symbols of this one."""
        raise NotImplementedError

    def _lagrangian(self, what: str) -> sympy.Expr:
        if self._model.hamiltonian:
            raise ValueError(f"{what} needs a Lagrangian, and this system has a Hamiltonian")
        return self._expression("generator")


def _names(group: Sequence[str] | None) -> list[str]:
    names = [] if group is None else [to_string("a name of group", name) for name in to_list("group", group, "names")]
    if group is not None and not names:
        raise ValueError("group is empty; name symmetries of point_symmetries(), or leave it out for the largest free group")
    return names
