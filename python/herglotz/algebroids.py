"""Builders of algebroids: each kind of a model file's [algebroid] table is one function here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Optional, Union

import sympy

from .expressions import Expression, symbols_in, to_text

Names = Union[str, sympy.Symbol, Sequence[Union[str, sympy.Symbol]]]
Rows = Union[sympy.MatrixBase, Sequence[Sequence[Expression]]]
Brackets = Mapping[tuple, Mapping[Any, Expression]]


@dataclass(frozen=True)
class Algebroid:
    """An algebroid in coordinates, as a model file writes it."""

    base: tuple[str, ...]
    fibre: tuple[str, ...]
    table: Mapping[str, Any]  #: the [algebroid] table
    symbols: Mapping[str, sympy.Symbol] = field(default_factory=dict)

    @property
    def kind(self) -> str:
        return self.table["kind"]


def _names(names: Names) -> tuple[str, ...]:
    if isinstance(names, str):
        return tuple(names.replace(",", " ").split())
    if isinstance(names, sympy.Symbol):
        return (names.name,)
    return tuple(name if isinstance(name, str) else name.name for name in names)


def _rows(rows: Rows, what: str, count: int, width: int) -> list[list[str]]:
    listed = rows.tolist() if isinstance(rows, sympy.MatrixBase) else [list(row) for row in rows]
    got = f"{len(listed)} rows of {sorted({len(row) for row in listed})} entries"
    if len(listed) != count or any(len(row) != width for row in listed):
        raise ValueError(f"{what}: expected {count} rows of {width} entries, got {got}")
    return [[to_text(entry) for entry in row] for row in listed]


def _brackets(brackets: Brackets) -> dict[str, dict[str, str]]:
    table = {}
    for pair, components in brackets.items():
        a, b = _names(pair)
        table[f"{a},{b}"] = {_names(name)[0]: to_text(value) for name, value in components.items()}
    return table


def _made(kind: str, base: Names, fibre: Names, table: dict[str, Any], *expressions: object) -> Algebroid:
    x, y = _names(base), _names(fibre)
    named = [s for s in (base, fibre) if not isinstance(s, str)]
    return Algebroid(x, y, {"kind": kind, "base": list(x), "fibre": list(y), **table},
                     symbols_in(*named, *expressions))


def _group(group: Optional[str], brackets: Optional[Brackets]) -> dict[str, Any]:
    if (group is None) == (brackets is None):
        raise ValueError("give either group or brackets")
    return {"group": group} if brackets is None else {"brackets": _brackets(brackets)}


def tangent(base: Names, fibre: Optional[Names] = None) -> Algebroid:
    """E = TM with coordinate velocities; they are called v_<base> where no names are given."""
    return _made("tangent", base, fibre if fibre is not None else [f"v_{name}" for name in _names(base)], {})


def hamel(base: Names, fibre: Names, frame: Rows) -> Algebroid:
    """A frame of TM (r x n): row a holds the components of e_a in d/dx."""
    rows = _rows(frame, "frame", len(_names(fibre)), len(_names(base)))
    return _made("hamel", base, fibre, {"frame": rows}, frame)


def lie_algebra(fibre: Names, group: Optional[str] = None, brackets: Optional[Brackets] = None) -> Algebroid:
    """A Lie algebra over a point, by the name of its group or by brackets {(a, b): {c: value}}."""
    return _made("lie-algebra", [], fibre, _group(group, brackets), brackets or {})


def action(base: Names, fibre: Names, generators: Rows, group: Optional[str] = None,
           brackets: Optional[Brackets] = None) -> Algebroid:
    """An action algebroid; row a of generators (r x n) is the infinitesimal generator of e_a."""
    rows = _rows(generators, "generators", len(_names(fibre)), len(_names(base)))
    return _made("action", base, fibre, {"generators": rows, **_group(group, brackets)}, generators, brackets or {})


def atiyah(base: Names, fibre: Names, connection: Rows, group: Optional[str] = None,
           brackets: Optional[Brackets] = None) -> Algebroid:
    """An Atiyah algebroid; the fibre has n base velocities, then d vertical ones; row i of connection (n x d) is A_i."""
    n, r = len(_names(base)), len(_names(fibre))
    rows = _rows(connection, "connection", n, r - n)
    return _made("atiyah", base, fibre, {"connection": rows, **_group(group, brackets)}, connection, brackets or {})


def product(*factors: Algebroid) -> Algebroid:
    """The direct product, over the product of the bases."""
    symbols: dict[str, sympy.Symbol] = {}
    for factor in factors:
        symbols.update(factor.symbols)
    base = tuple(name for factor in factors for name in factor.base)
    fibre = tuple(name for factor in factors for name in factor.fibre)
    return Algebroid(base, fibre, {"kind": "product", "factors": [dict(factor.table) for factor in factors]}, symbols)


def custom(base: Names, fibre: Names, anchor: Rows, brackets: Brackets, right_anchor: Optional[Rows] = None,
           skew: bool = True) -> Algebroid:
    """Any general algebroid; row a of anchor (r x n) is the anchor of e_a. With skew the opposite brackets are implied."""
    n, r = len(_names(base)), len(_names(fibre))
    table: dict[str, Any] = {"anchor": _rows(anchor, "anchor", r, n), "brackets": _brackets(brackets)}
    if right_anchor is not None:
        table["right_anchor"] = _rows(right_anchor, "right_anchor", r, n)
    if not skew:
        table["skew"] = False
    return _made("custom", base, fibre, table, anchor, brackets, right_anchor or [])
