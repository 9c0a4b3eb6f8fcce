"""Sections of an algebroid whose complete lifts leave a Lagrangian as it is, found by linear algebra."""

from __future__ import annotations

from collections.abc import Sequence

import numpy
import sympy

POINTS = 3  # for each unknown coefficient
ROUNDING = 1e-10  # relative to the largest singular value; a coefficient below it is 0


def symmetric_sections(lifts: Sequence[sympy.Expr], symbols: Sequence[sympy.Symbol]) -> list[list[sympy.Rational]]:
    """The combinations of functions that vanish, in the reduced form in which the first coefficient of each is 1.

    The functions are taken at points that nothing prefers, and what vanishes there is looked at again at others. Raises
    ValueError where they are finite at too few points.
    """
    values = sympy.lambdify(list(symbols), list(lifts), "numpy")
    engine = numpy.random.default_rng(1)
    rows = []
    for _ in range(10 * POINTS * len(lifts)):
        with numpy.errstate(all="ignore"):
            row = numpy.array(values(*engine.uniform(0.3, 1.3, len(symbols))), dtype=complex)
        if numpy.isfinite(row).all():
            rows.append(row.real)
        if len(rows) == 2 * POINTS * len(lifts):
            break
    else:
        raise ValueError("the Lagrangian is finite at too few points around 1; its symmetries cannot be looked for")
    half = len(rows) // 2
    _, sizes, directions = numpy.linalg.svd(numpy.array(rows[:half]))
    null = directions[int((sizes > ROUNDING * max(1.0, sizes.max(initial=0.0))).sum()):]
    reduced = _reduced(null)
    again = numpy.array(rows[half:]) @ reduced.T
    kept = abs(again).max(axis=0, initial=0.0) <= 1e3 * ROUNDING * max(1.0, abs(numpy.array(rows)).max())
    return [[sympy.nsimplify(entry, rational=True, tolerance=1e-9) if abs(entry) > 1e-9 else sympy.Integer(0) for entry in row]
            for row, holds in zip(reduced, kept) if holds]


def _reduced(rows: numpy.ndarray) -> numpy.ndarray:
    """The row echelon form with leading ones, by the largest pivots."""
    rows = rows.copy()
    done = 0
    for column in range(rows.shape[1]):
        if done == len(rows):
            break
        pivot = done + int(abs(rows[done:, column]).argmax())
        if abs(rows[pivot, column]) <= 1e-9:
            continue
        rows[[done, pivot]] = rows[[pivot, done]]
        rows[done] /= rows[done, column]
        for other in range(len(rows)):
            if other != done:
                rows[other] -= rows[other, column] * rows[done]
        done += 1
    return rows
