"""Derived equations as SymPy, LaTeX and text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import sympy

from .expressions import from_nodes

if TYPE_CHECKING:
    from .system import System


class Section:
    """The rows left = right of one section, in order. Rows with equal left sides are all kept.

    >>> section[v_q_dot]          # the right side of the row with this left side
    >>> section.rows              # [(left, right), ...]
    >>> for left, right in section.items(): ...
    """

    def __init__(self, rows: Iterable[tuple[sympy.Expr, sympy.Expr]]):
        self.rows = list(rows)

    def keys(self) -> list[sympy.Expr]:
        """The left sides."""
        return [left for left, _ in self.rows]

    def values(self) -> list[sympy.Expr]:
        """The right sides."""
        return [right for _, right in self.rows]

    def items(self) -> list[tuple[sympy.Expr, sympy.Expr]]:
        return list(self.rows)

    def __getitem__(self, left: Any) -> sympy.Expr:
        found = [right for other, right in self.rows if other == left]
        if not found:
            raise KeyError(f"no row with the left side {left}; there are {', '.join(map(str, self.keys()))}")
        if len(found) > 1:
            raise KeyError(f"{len(found)} rows have the left side {left}; use rows")
        return found[0]

    def __contains__(self, left: object) -> bool:
        return left in self.keys()

    def __iter__(self) -> Iterator[sympy.Expr]:
        return iter(self.keys())

    def __len__(self) -> int:
        return len(self.rows)

    def __repr__(self) -> str:
        return f"<herglotz.Section: {len(self.rows)} rows>"


class Equations(Mapping[str, Section]):
    """Sections of equations, left = right, by title. Shown typeset in a notebook.

    >>> list(equations.keys())                                 # the titles
    >>> equations["Equations of motion"].rows                  # [(left, right), ...] in SymPy
    >>> print(equations.text)
    """

    def __init__(self, system: System, what: str):
        self._system = system
        self._what = what

    def __reduce__(self) -> tuple[Any, ...]:
        return Equations, (self._system, self._what)

    @property
    def text(self) -> str:
        return self._system._model.printed(self._what, "text")

    @property
    def latex(self) -> str:
        return self._system._model.printed(self._what, "latex")

    @property
    def sections(self) -> dict[str, Section]:
        """Every section by its title, with named subexpressions of the model put in; `where` has those of long equations."""
        return dict(self._derived[0])

    @property
    def where(self) -> dict[sympy.Symbol, sympy.Expr]:
        """Values of the symbols t1, ... of `sections`, mass_1, ... of `mass_matrix` and `forcing`, and rhs_1, ... of `rhs`.

        Only long equations have such symbols, for parts that occur several times: written out, definitions that use one
        another are longer than any memory. Each value may use symbols before it, so that substitution goes backwards:

        >>> for symbol, value in reversed(equations.where.items()): right = right.subs(symbol, value)
        """
        where = dict(self._derived[1])
        if self._what == "motion":
            where |= self._inertia[2]
            try:
                where |= self._rates[1]
            except ValueError:  # then there is no rhs either, which says why
                pass
        return where

    @property
    def mass_matrix(self) -> sympy.Matrix:
        """W = dp/dw of W dw/dt = forcing + Phi_y^T lambda; w are the velocities (momenta, for a Hamiltonian)."""
        self._of_motion("mass_matrix")
        return self._inertia[0].copy()

    @property
    def forcing(self) -> sympy.Matrix:
        """The column b of W dw/dt = b + Phi_y^T lambda."""
        self._of_motion("forcing")
        return self._inertia[1].copy()

    @property
    def rhs(self) -> sympy.Matrix:
        """The column d(x, w, z)/dt in the order of `System.state`, constraint forces included.

        The accelerations are eliminated in an order that fills few zeros of the mass matrix. Raises ValueError beyond
        32 accelerations and multipliers unless their matrix is sparse, and where the mass matrix is singular everywhere.
        """
        self._of_motion("rhs")
        return self._rates[0].copy()

    @cached_property
    def _derived(self) -> tuple[dict[str, Section], dict[sympy.Symbol, sympy.Expr]]:
        nodes, where, sections = self._system._model.derived(self._what)
        built = from_nodes(nodes, self._system.symbols)
        return ({title: Section((built[left], built[right]) for left, right in rows) for title, rows in sections},
                _values(built, where))

    @cached_property
    def _inertia(self) -> tuple[sympy.Matrix, sympy.Matrix, dict[sympy.Symbol, sympy.Expr]]:
        nodes, where, (mass, forcing) = self._system._model.inertia()
        built = from_nodes(nodes, self._system.symbols)
        rank = len(forcing)
        return (sympy.Matrix(rank, rank, [built[place] for place in mass]),
                sympy.Matrix(rank, 1, [built[place] for place in forcing]), _values(built, where))

    @cached_property
    def _rates(self) -> tuple[sympy.Matrix, dict[sympy.Symbol, sympy.Expr]]:
        nodes, where, places = self._system._model.rates()
        built = from_nodes(nodes, self._system.symbols)
        return sympy.Matrix([built[place] for place in places]), _values(built, where)

    def _of_motion(self, name: str) -> None:
        if self._what != "motion":
            raise ValueError(f"only equations of motion have a {name}; use system.equations().{name}")

    def __getitem__(self, title: str) -> Section:
        sections = self.sections
        if title not in sections:
            raise KeyError(f"no section '{title}'; there are {', '.join(sections)}")
        return sections[title]

    def __iter__(self) -> Iterator[str]:
        return iter(self.sections)

    def __len__(self) -> int:
        return len(self.sections)

    def __eq__(self, other: object) -> bool:
        return self is other

    __hash__ = object.__hash__

    def _repr_latex_(self) -> str:
        return self.latex

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<herglotz.Equations: {_KINDS[self._what]} of {self._system.name!r}>"


_KINDS = {"motion": "motion", "geometry": "geometry", "discrete": "discrete motion", "implicit": "implicit equations"}


def _values(built: Sequence[sympy.Expr], where: Sequence[tuple[int, int]]) -> dict[sympy.Symbol, sympy.Expr]:
    """Places of names and of their values, as symbols and expressions."""
    return {built[name]: built[value] for name, value in where}
