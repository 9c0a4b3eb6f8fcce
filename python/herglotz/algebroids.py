"""Builders of algebroids: each kind of a model file's [algebroid] table is one function here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import sympy

from .arguments import require_unicode, shown, to_list, to_string, to_switch, to_table
from .dynamic import Functions, functions_in, name_of, plain, time_of
from .expressions import Expression, symbols_in, to_text

Names: TypeAlias = str | sympy.Expr | Sequence[str | sympy.Expr]  #: strings, symbols, or functions of time
Rows: TypeAlias = sympy.MatrixBase | Sequence[Sequence[Expression]]
Brackets: TypeAlias = Mapping[tuple[Any, Any], Mapping[Any, Expression]]


@dataclass(frozen=True)
class Algebroid:
    """An algebroid in coordinates, as a model file writes it.

    Attributes:
        base: names of the coordinates x^i
        fibre: names of the coordinates y^a
        table: the [algebroid] table
        symbols: those that were given, by name
        functions: what stands for q(t) and its derivative
    """

    base: tuple[str, ...]
    fibre: tuple[str, ...]
    table: Mapping[str, Any]
    symbols: Mapping[str, sympy.Symbol] = field(default_factory=dict)
    functions: Functions = field(default_factory=dict)

    def __repr__(self) -> str:
        return f"<herglotz.Algebroid: {self.kind}, base ({', '.join(self.base)}), fibre ({', '.join(self.fibre)})>"

    @property
    def kind(self) -> str:
        return self.table["kind"]


def _listed(names: Names, what: str = "names") -> list[Any]:
    if isinstance(names, str):
        require_unicode(what, names)
        return list(names.replace(",", " ").split())
    listed = [names] if isinstance(names, sympy.Expr) else to_list(what, names, "names")
    for name in listed:
        if not isinstance(name, (str, sympy.Expr)):
            raise TypeError(f"{what} has the entry {shown(name)}; names are strings, SymPy symbols or functions of time")
    return listed


def _names(names: Names, what: str = "names") -> tuple[str, ...]:
    return tuple(name_of(name) for name in _listed(names, what))


def _functions(base: Names, fibre: Names = (), velocities: Sequence[str] = ()) -> Functions:
    return {**functions_in(_listed(base), velocities), **functions_in(_listed(fibre))}


def _rows(rows: Rows, what: str, base: Names, count: int, width: int) -> list[list[str]]:
    listed = rows.tolist() if isinstance(rows, sympy.MatrixBase) else [
        to_list(f"a row of {what}", row, "expressions") for row in to_list(what, rows, "rows")]
    got = f"{len(listed)} rows of {sorted({len(row) for row in listed})} entries"
    if len(listed) != count or any(len(row) != width for row in listed):
        raise ValueError(f"{what}: expected {count} rows of {width} entries, got {got}")
    functions = _functions(base)
    return [[to_text(plain(entry, functions), what) for entry in row] for row in listed]


def _brackets(brackets: Brackets, base: Names) -> dict[str, dict[str, str]]:
    functions, table = _functions(base), {}
    if not isinstance(brackets, Mapping):
        raise TypeError(f"brackets = {shown(brackets)}; {{(a, b): {{c: value}}}} is needed")
    for pair, components in brackets.items():
        names = _names(pair, "a key of brackets")
        if len(names) != 2:
            raise ValueError(f"brackets: {pair!r} is not a pair of fibre coordinates; write {{(a, b): {{c: value}}}}")
        a, b = names
        table[f"{a},{b}"] = {name_of(name): to_text(plain(value, functions), f"brackets[{a}, {b}]")
                             for name, value in to_table(f"brackets[{a}, {b}]", components).items()}
    return table


def _made(kind: str, base: Names, fibre: Names, table: dict[str, Any], *expressions: object) -> Algebroid:
    x, y = _names(base, "base"), _names(fibre, "fibre")
    functions = _functions(base, fibre, y if kind == "tangent" and len(x) == len(y) else ())
    symbols = symbols_in(*plain([_listed(base), _listed(fibre), *expressions], functions))
    time = time_of(functions)
    return Algebroid(x, y, {"kind": kind, "base": list(x), "fibre": list(y), **table},
                     symbols if time is None else {**symbols, time.name: time}, functions)


def _group(group: str | None, brackets: Brackets | None, base: Names = ()) -> dict[str, Any]:
    if (group is None) == (brackets is None):
        raise ValueError("give either group or brackets")
    if brackets is None:
        return {"group": to_string("group", group)}
    return {"brackets": _brackets(brackets, base)}


def tangent(base: Names, fibre: Names | None = None) -> Algebroid:
    """E = TM with coordinate velocities; they are called v_<base> where no names are given [ASC25, Ex. 3.4; GG08, Ex. 1].

    >>> hz.System(hz.tangent("q", "v"), "v^2/2 - q^2/2 - z/10")

    Coordinates may be functions of time, as SymPy's dynamicsymbols are; their derivatives then stand for velocities.
    """
    return _made("tangent", base, fibre if fibre is not None else [f"v_{name}" for name in _names(base, "base")], {})


def hamel(base: Names, fibre: Names, frame: Rows) -> Algebroid:
    """A frame of TM (r x n): row a holds the components of e_a in d/dx [ASC25, Ex. 3.5].

    >>> hz.System(hz.hamel(["r", "phi"], ["u", "v"], [[1, 0], [0, "1/r"]]), "(u^2 + v^2)/2 + 1/r", initial={"r": 1})
    """
    rows = _rows(frame, "frame", base, len(_names(fibre, "fibre")), len(_names(base, "base")))
    return _made("hamel", base, fibre, {"frame": rows}, frame)


def lie_algebra(fibre: Names, group: str | None = None, brackets: Brackets | None = None) -> Algebroid:
    """A Lie algebra over a point, by the name of its group or by brackets {(a, b): {c: value}} [ASC25, Ex. 3.6; GG08, Ex. 1].

    >>> hz.System(hz.lie_algebra(["w1", "w2", "w3"], "so3"), "(w1^2 + 2*w2^2 + 3*w3^2)/2 - z/10")
    """
    return _made("lie-algebra", [], fibre, _group(group, brackets), brackets or {})


def action(base: Names, fibre: Names, generators: Rows, group: str | None = None,
           brackets: Brackets | None = None) -> Algebroid:
    """An action algebroid; row a of generators (r x n) is the infinitesimal generator of e_a [ASC25, Ex. 3.7].

    >>> hz.System(hz.action("q", ["a", "b"], [[1], ["q"]], brackets={("a", "b"): {"a": 1}}), "(a^2 + b^2)/2")
    """
    rows = _rows(generators, "generators", base, len(_names(fibre, "fibre")), len(_names(base, "base")))
    return _made("action", base, fibre, {"generators": rows, **_group(group, brackets, base)}, generators, brackets or {})


def lie_group(base: Names, fibre: Names, group: str) -> Algebroid:
    """Attitudes ("so3": base = a quaternion, scalar first) or poses ("se3": then a position) of a rigid body [ASC25, Ex. 3.7].

    >>> hz.System(hz.lie_group("q0 q1 q2 q3", "w1 w2 w3", "so3"), "(w1^2 + 2*w2^2 + 3*w3^2)/2 - z/10", initial={"q0": 1})

    The fibre is the angular velocity along the axes of the body, for a pose followed by the velocity of its origin.
    """
    return _made("lie-group", base, fibre, {"group": to_string("group", group)})


def atiyah(base: Names, fibre: Names, connection: Rows, group: str | None = None,
           brackets: Brackets | None = None) -> Algebroid:
    """An Atiyah algebroid; the fibre: n base velocities, then d vertical; row i of connection (n x d) is A_i [ASC25, Ex. 3.8].

    >>> hz.System(hz.atiyah(["x", "y"], ["u", "v", "c"], [[0], ["x"]], "abelian"), "(u^2 + v^2 + c^2)/2 - z/10")
    """
    n, r = len(_names(base, "base")), len(_names(fibre, "fibre"))
    rows = _rows(connection, "connection", base, n, r - n)
    return _made("atiyah", base, fibre, {"connection": rows, **_group(group, brackets, base)}, connection, brackets or {})


def product(*factors: Algebroid) -> Algebroid:
    """The direct product, over the product of the bases [GG08, Sec. 2].

    >>> hz.System(hz.product(hz.tangent("q", "v"), hz.lie_algebra(["w"], "abelian")), "(v^2 + w^2)/2 - q*w")
    """
    symbols: dict[str, sympy.Symbol] = {}
    functions: dict[sympy.Basic, sympy.Symbol] = {}
    for factor in factors:
        if not isinstance(factor, Algebroid):
            raise TypeError(f"factors have the entry {shown(factor)}; each is an algebroid, such as hz.tangent(\"q\")")
        symbols.update(factor.symbols)
        functions.update(factor.functions)
    base = tuple(name for factor in factors for name in factor.base)
    fibre = tuple(name for factor in factors for name in factor.fibre)
    return Algebroid(base, fibre, {"kind": "product", "factors": [dict(factor.table) for factor in factors]}, symbols,
                     functions)


def custom(base: Names, fibre: Names, anchor: Rows, brackets: Brackets, right_anchor: Rows | None = None,
           skew: bool = True) -> Algebroid:
    """Any general algebroid; row a of anchor (r x n) is that of e_a. With skew the opposite brackets are implied [GG08, Sec. 2].

    >>> hz.System(hz.custom("q", ["a", "b"], [[1], ["q"]], {("a", "b"): {"a": "q/3"}}), "(a^2 + b^2)/2 - z/10")
    """
    n, r = len(_names(base, "base")), len(_names(fibre, "fibre"))
    table: dict[str, Any] = {"anchor": _rows(anchor, "anchor", base, r, n), "brackets": _brackets(brackets, base)}
    if right_anchor is not None:
        table["right_anchor"] = _rows(right_anchor, "right_anchor", base, r, n)
    if not to_switch("skew", skew):
        table["skew"] = False
    return _made("custom", base, fibre, table, anchor, brackets, right_anchor or [])


def constrained(of: Algebroid, equations: Expression | sympy.Eq | Sequence[Expression | sympy.Eq],
                fibre: Names | None = None) -> Algebroid:
    """The algebroid of linear constraints on another one; its bracket is projected in the metric of L [GG08, Ex. 2].

    >>> hz.constrained(hz.tangent("x y phi", "vx vy w"), "vx*sin(phi) - vy*cos(phi)")

    A system on it is written in the coordinates of `of`, and its start in those of the constraint: those that `fibre` names,
    or those that are left where the equations are solved, with u, u1, ... for new ones (see `System.reduced`).
    """
    if not isinstance(of, Algebroid):
        raise TypeError(f"of = {shown(of)}; an algebroid is needed, such as hz.tangent(\"q\")")
    listed = [equations] if isinstance(equations, (str, sympy.Basic)) else to_list("equations", equations, "expressions")
    rows = [plain(one.lhs - one.rhs if isinstance(one, sympy.Eq) else one, of.functions) for one in listed]
    table = {"kind": "constrained", "of": dict(of.table), "equations": [to_text(row, "an equation") for row in rows]}
    if fibre is not None:
        table["fibre"] = list(_names(fibre, "fibre"))
    return Algebroid(of.base, of.fibre, table, {**of.symbols, **symbols_in(rows)}, of.functions)
