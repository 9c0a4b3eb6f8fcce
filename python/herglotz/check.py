"""Properties of a system before it runs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Check:
    """Facts at the start and at points drawn around it, as `herglotz check` prints them."""

    text: str  #: the sentences of the command line
    ok: bool  #: whether a run can start
    why_not: str  #: and if not, why
    algebroid: str  #: Lie, almost Lie, skew or general
    axioms: Mapping[str, float]  #: largest defect of each: anchors, skewness, anchor, jacobi
    regularity: Mapping[str, Any]  #: of the velocity Hessian: finite, regular, rank, condition, signature
    constraint_rank: int  #: of C_ab
    constraints: list[Mapping[str, str]]  #: kind (holonomic, linear, ...) and standing (independent, redundant, ...) of each
    integrability: str  #: of the constraints together
    symmetries: Mapping[str, Mapping[str, Any]]  #: holds, defect, and whether constraints leave the momentum untouched
    brackets: Mapping[str, Mapping[str, Any]]  #: {E, f} of declared dissipated functions: holds, defect, everywhere, dissipated
    dissipated: Mapping[str, bool]  #: whether the balance law of each name has no source
    consistent: bool  #: whether the start is, or could be moved, onto the constraints
    discrete: Mapping[str, Any] | None  #: rule, legendre (regularity of F-), sigma, order, flow_order
    method: str  #: of a run
    reason: str  #: for it

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<herglotz.Check: {'ok' if self.ok else self.why_not}>"
