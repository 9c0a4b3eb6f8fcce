"""Algebroids (rho, sigma, c) of every kind of a model file, derived here from their geometry.

Every kind but `custom` is a frame of sections e_a = (X_a, xi_a) of an algebroid whose bracket is known in closed form:

* vector fields with functions in a Lie algebra g: [(X, xi), (Y, eta)] = ([X, Y], X(eta) - Y(xi) + [xi, eta]);
* an action of g on M: constant sections, whose anchor is the generator.

The structure functions are the components of the brackets of the frame, found by solving in the frame. Structure constants of
named groups are commutators of matrices.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
import sympy as sp


class Algebroid(NamedTuple):
    base: list[str]
    fibre: list[str]
    rho: list[list[sp.Expr]]  # rho[i][a]
    sigma: list[list[sp.Expr]]  # sigma[i][a]
    c: list[list[list[sp.Expr]]]  # c[i][j][k]: component k of [e_i, e_j]


def _unit(size: int, *entries: tuple[int, int, complex]) -> np.ndarray:
    matrix = np.zeros((size, size), dtype=complex)
    for i, j, value in entries:
        matrix[i, j] = value
    return matrix


def _rotation(size: int, i: int, j: int) -> np.ndarray:
    """The generator of rotations that takes axis i to axis j."""
    return _unit(size, (j, i, 1), (i, j, -1))


@lru_cache(None)
def matrices(group: str) -> tuple[np.ndarray, ...]:
    """A faithful representation: the matrices of the basis that docs/algebroids.md lists."""
    if group == "so3":
        return _rotation(3, 1, 2), _rotation(3, 2, 0), _rotation(3, 0, 1)
    if group == "se2":
        return _rotation(3, 0, 1), _unit(3, (0, 2, 1)), _unit(3, (1, 2, 1))
    if group == "se3":
        turns = _rotation(4, 1, 2), _rotation(4, 2, 0), _rotation(4, 0, 1)
        return *turns, *(_unit(4, (i, 3, 1)) for i in range(3))
    if group == "su2":
        pauli = np.array([[0, 1], [1, 0]]), np.array([[0, -1j], [1j, 0]]), np.array([[1, 0], [0, -1]])
        return tuple(-0.5j * s for s in pauli)
    if group == "sl2":
        return _unit(2, (0, 0, 1), (1, 1, -1)), _unit(2, (0, 1, 1)), _unit(2, (1, 0, 1))
    if group == "heisenberg":
        return _unit(3, (0, 1, 1)), _unit(3, (1, 2, 1)), _unit(3, (0, 2, 1))
    raise KeyError(group)


@lru_cache(None)
def constants(group: str, dimension: int) -> list[list[list[sp.Expr]]]:
    """Structure constants c[i][j][k] of a named group, from commutators."""
    if group == "abelian":
        return [[[sp.S.Zero] * dimension for _ in range(dimension)] for _ in range(dimension)]
    basis = matrices(group)
    columns = np.stack([m.ravel() for m in basis], axis=1)
    result = []
    for a in basis:
        row = []
        for b in basis:
            parts, *_ = np.linalg.lstsq(columns, (a @ b - b @ a).ravel(), rcond=None)
            row.append([sp.Integer(round(part.real)) for part in parts])
        result.append(row)
    return result


def _bracket_table(table: dict[str, dict[str, str]], fibre: list[str], skew: bool, read) -> list[list[list[sp.Expr]]]:
    size = len(fibre)
    c: list[list[list[sp.Expr]]] = [[[sp.S.Zero] * size for _ in range(size)] for _ in range(size)]
    for pair, components in table.items():
        i, j = (fibre.index(name.strip()) for name in pair.split(","))
        for name, text in components.items():
            value = read(text)
            c[i][j][fibre.index(name)] = value
            if skew:
                c[j][i][fibre.index(name)] = -value
    return c


def _of_algebra(data: dict[str, Any], fibre: list[str], read) -> list[list[list[sp.Expr]]]:
    if "group" in data:
        return constants(data["group"], len(fibre))
    return _bracket_table(data["brackets"], fibre, True, read)


def _determinant(rows: list[list[sp.Expr]]) -> sp.Expr:
    """By Laplace expansion: frames are small and mostly zeros, and nothing is simplified."""
    if not rows:
        return sp.S.One
    return sum(
        (
            (-1) ** j * entry * _determinant([row[:j] + row[j + 1 :] for row in rows[1:]])
            for j, entry in enumerate(rows[0])
            if entry != 0
        ),
        sp.S.Zero,
    )


def _inverse(matrix: sp.Matrix) -> sp.Matrix:
    rows, size = matrix.tolist(), matrix.rows

    def minor(i: int, j: int) -> list[list[sp.Expr]]:
        return [row[:j] + row[j + 1 :] for k, row in enumerate(rows) if k != i]

    determinant = _determinant(rows)
    return sp.Matrix(size, size, lambda i, j: (-1) ** (i + j) * _determinant(minor(j, i)) / determinant)


def _of_frame(base: list[sp.Symbol], fields: sp.Matrix, values: sp.Matrix, algebra) -> list[list[list[sp.Expr]]]:
    """Structure functions of the frame e_a = (row a of `fields`, row a of `values`)."""
    frame = fields.row_join(values)
    inverse = _inverse(frame)
    size = frame.rows

    def along(a: int, f: sp.Expr) -> sp.Expr:
        return sum((fields[a, i] * sp.diff(f, x) for i, x in enumerate(base)), sp.S.Zero)

    c = []
    for a in range(size):
        row = []
        for b in range(size):
            field = [along(a, fields[b, i]) - along(b, fields[a, i]) for i in range(len(base))]
            value = [
                along(a, values[b, k])
                - along(b, values[a, k])
                + sum(
                    (values[a, i] * values[b, j] * algebra[i][j][k] for i in range(values.cols) for j in range(values.cols)),
                    sp.S.Zero,
                )
                for k in range(values.cols)
            ]
            row.append(list(sp.Matrix([field + value]) * inverse))
        c.append(row)
    return c


def build(data: dict[str, Any], read) -> Algebroid:
    """The algebroid of a table `[algebroid]`; `read` makes an expression of a text."""
    kind = data["kind"]
    if kind == "product":
        return _product([build(factor, read) for factor in data["factors"]])
    base, fibre = list(data["base"]), list(data["fibre"])
    x = [sp.Symbol(name, real=True) for name in base]
    n, r = len(base), len(fibre)
    none = [[[sp.S.Zero] * r for _ in range(r)] for _ in range(r)]
    if kind == "tangent":
        rho = [[sp.Integer(i == a) for a in range(r)] for i in range(n)]
        return Algebroid(base, fibre, rho, rho, none)
    if kind == "hamel":
        frame = sp.Matrix([[read(text) for text in row] for row in data["frame"]])
        rho = frame.T.tolist()
        return Algebroid(base, fibre, rho, rho, _of_frame(x, frame, sp.zeros(r, 0), []))
    if kind == "lie-algebra":
        return Algebroid([], fibre, [], [], _of_algebra(data, fibre, read))
    if kind == "action":
        rho = sp.Matrix([[read(text) for text in row] for row in data["generators"]]).T.tolist()
        return Algebroid(base, fibre, rho, rho, _of_algebra(data, fibre, read))
    if kind == "atiyah":
        d = r - n
        algebra = _of_algebra(data, fibre[n:], read)
        connection = sp.Matrix([[read(text) for text in row] for row in data["connection"]])
        # Horizontal sections are those that the connection annihilates: e_i = (d/dx^i, -A_i).
        fields = sp.eye(n).col_join(sp.zeros(d, n))
        values = (-connection).col_join(sp.eye(d))
        rho = [[sp.Integer(i == a) for a in range(r)] for i in range(n)]
        return Algebroid(base, fibre, rho, rho, _of_frame(x, fields, values, algebra))
    if kind == "custom":

        def anchor(key: str) -> list[list[sp.Expr]]:
            rows = [[read(text) for text in row] for row in data[key]]
            return [[rows[a][i] for a in range(r)] for i in range(n)]

        rho = anchor("anchor") if n else []
        sigma = anchor("right_anchor") if "right_anchor" in data else rho
        return Algebroid(base, fibre, rho, sigma, _bracket_table(data.get("brackets", {}), fibre, data.get("skew", True), read))
    raise KeyError(kind)


def _product(factors: list[Algebroid]) -> Algebroid:
    base = [name for factor in factors for name in factor.base]
    fibre = [name for factor in factors for name in factor.fibre]
    n, r = len(base), len(fibre)
    rho = [[sp.S.Zero] * r for _ in range(n)]
    sigma = [[sp.S.Zero] * r for _ in range(n)]
    c = [[[sp.S.Zero] * r for _ in range(r)] for _ in range(r)]
    row = column = 0
    for factor in factors:
        for i in range(len(factor.base)):
            for a in range(len(factor.fibre)):
                rho[row + i][column + a] = factor.rho[i][a]
                sigma[row + i][column + a] = factor.sigma[i][a]
        for i in range(len(factor.fibre)):
            for j in range(len(factor.fibre)):
                for k in range(len(factor.fibre)):
                    c[column + i][column + j][column + k] = factor.c[i][j][k]
        row += len(factor.base)
        column += len(factor.fibre)
    return Algebroid(base, fibre, rho, sigma, c)
