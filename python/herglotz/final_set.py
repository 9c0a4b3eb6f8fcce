"""Constraints of a system, and the final constraint set of a singular Lagrangian."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import sympy

from . import _herglotz
from .expressions import from_nodes

if TYPE_CHECKING:
    from .system import System


@dataclass(frozen=True)
class FinalSet:
    """The final constraint set M_f near the start, as `herglotz check` prints it: what the equations imply, level by level.

    It is that of the constraint algorithm [LLMR21, Rem. 1] for Lagrangians that are singular; `System.constraints()` makes it.

    >>> final = hz.model("christ-lee").constraints()
    >>> final.levels, final.dims, final.expressions

    Attributes:
        levels: how many; 1 for what the equations say at once
        expressions: each = 0, independent, level 1 first
        level_of: the level of each
        branches: for each, what vanishes instead on other branches of the motion
        consistent: whether there is a motion at all
        contradiction: what would have to vanish and vanishes nowhere, if there is no motion
        contradiction_level: the level of it
        dim_total: of the Pontryagin bundle (x, y, p, z), with multipliers
        dim_final: of M_f
        dim_gauge_orbits: of the orbits along which nothing physical changes, if they are known
        undetermined: velocities and multipliers whose rates are arbitrary functions of time
        gauge_fields: directions of these that no constraint fixes, by name
    """

    levels: int
    expressions: tuple[sympy.Expr, ...]
    level_of: tuple[int, ...]
    branches: tuple[tuple[sympy.Expr, ...], ...]
    consistent: bool
    contradiction: sympy.Expr | None
    contradiction_level: int | None
    dim_total: int
    dim_final: int | None
    dim_gauge_orbits: int | None
    undetermined: tuple[sympy.Symbol, ...]
    gauge_fields: tuple[Mapping[sympy.Symbol, sympy.Expr], ...]

    @property
    def dim_physical(self) -> int | None:
        """The dimension of what can be observed."""
        if self.dim_final is None or self.dim_gauge_orbits is None:
            return None
        return self.dim_final - self.dim_gauge_orbits

    @property
    def dims(self) -> dict[str, int | None]:
        return {"total": self.dim_total, "final": self.dim_final, "gauge_orbits": self.dim_gauge_orbits,
                "physical": self.dim_physical}

    def at_level(self, level: int) -> tuple[sympy.Expr, ...]:
        """The expressions of one level."""
        return tuple(e for e, its in zip(self.expressions, self.level_of) if its == level)

    def _repr_latex_(self) -> str:
        rows = [rf"\text{{level {level}}}:&\quad {sympy.latex(e)} = 0" for e, level in zip(self.expressions, self.level_of)]
        return r"$\begin{aligned}" + r" \\ ".join(rows) + r"\end{aligned}$"


class Constraints(tuple[sympy.Expr, ...]):
    """The expressions of [constraints]; called, the final constraint set."""

    _system: System

    def __new__(cls, expressions: Iterable[sympy.Expr], system: System) -> Constraints:
        made = super().__new__(cls, expressions)
        made._system = system
        return made

    def __reduce__(self) -> tuple[Any, ...]:
        return Constraints, (tuple(self), self._system)

    def __call__(self) -> FinalSet | None:
        """The final constraint set of a singular Lagrangian around the start, or None for a regular Lagrangian.

        Raises ValueError where the algorithm cannot decide it, as at a start where two branches meet.
        """
        try:
            found = _herglotz.constraint_set(self._system._model)
        except RuntimeError as error:
            raise ValueError(f"{self._system.name}: {error}") from None
        if found is None:
            return None
        nodes, facts = found
        built = from_nodes(nodes, self._system.symbols)
        variables = [built[place] for place in facts["variables"]]
        contradiction = facts["contradiction"]
        return FinalSet(
            levels=facts["levels"], expressions=tuple(built[place] for _, place, _ in facts["constraints"]),
            level_of=tuple(level for level, _, _ in facts["constraints"]),
            branches=tuple(tuple(built[place] for place in branches) for _, _, branches in facts["constraints"]),
            consistent=contradiction is None, contradiction=None if contradiction is None else built[contradiction[1]],
            contradiction_level=None if contradiction is None else contradiction[0], dim_total=facts["dim_total"],
            dim_final=facts["dim_final"], dim_gauge_orbits=facts["dim_gauge_orbits"],
            undetermined=tuple(built[place] for place in facts["undetermined"]),
            gauge_fields=tuple({name: value for name, value in zip(variables, (built[place] for place in field))
                                if value != 0} for field in facts["gauge_fields"]))
