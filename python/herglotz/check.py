"""Properties of a system before it runs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Check:
    """Facts at the start and at points drawn around it, as `herglotz check` prints them; `System.check` makes it.

    >>> check = hz.model("chaplygin-sleigh").check()
    >>> check.integrability, check.symmetries["turning"]["holds"]

    Attributes:
        text: the sentences of the command line
        ok: whether a run can start
        why_not: and if not, why
        algebroid: Lie, almost Lie, skew or general
        axioms: largest defect of each: anchors, skewness, anchor, jacobi
        regularity: of the velocity Hessian: finite, regular, rank, condition, signature
        constraint_rank: of C_ab
        constraints: kind (holonomic, linear, ...) and standing (independent, redundant, ...) of each
        integrability: of the constraints together
        symmetries: holds, defect, and whether constraints leave the momentum untouched
        brackets: {E, f} of declared dissipated functions: holds, defect, everywhere, dissipated
        dissipated: whether the balance law of each name has no source
        consistent: whether the start is, or could be moved, onto the constraints
        discrete: rule, legendre (regularity of F-), sigma, order, flow_order
        method: of a run
        reason: for it
    """

    text: str
    ok: bool
    why_not: str
    algebroid: str
    axioms: Mapping[str, float]
    regularity: Mapping[str, Any]
    constraint_rank: int
    constraints: list[Mapping[str, str]]
    integrability: str
    symmetries: Mapping[str, Mapping[str, Any]]
    brackets: Mapping[str, Mapping[str, Any]]
    dissipated: Mapping[str, bool]
    consistent: bool
    discrete: Mapping[str, Any] | None
    method: str
    reason: str

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<herglotz.Check: {'ok' if self.ok else self.why_not}>"
