"""Sections of an algebroid whose complete lifts leave a Lagrangian as it is, found by linear algebra."""

from __future__ import annotations

from collections.abc import Sequence

import mpmath
import numpy
import sympy

POINTS = 3  # for each unknown coefficient
ROUNDING = 1e-10  # relative to the largest singular value; a coefficient below it is 0
DIGITS = 50
CANCELLED = 1e-12  # relative to the terms of a sum; what is left below it is rounding


def symmetric_sections(lifts: Sequence[Sequence[sympy.Expr]], symbols: Sequence[sympy.Symbol]) -> list[list[sympy.Rational]]:
    """The combinations of functions that vanish, in the reduced form in which the first coefficient of each is 1.

    Functions are lists of terms. They are taken at points that nothing prefers, each over its own size, since those of a heavy
    body may differ by many orders, and what vanishes there is looked at again at others with more digits. Raises ValueError
    where they are finite at too few points.
    """
    values = sympy.lambdify(list(symbols), [term for lift in lifts for term in lift], "numpy", cse=True)
    firsts = numpy.cumsum([0, *(len(lift) for lift in lifts)])[:-1]
    engine = numpy.random.default_rng(1)
    rows = []
    for _ in range(10 * POINTS * len(lifts)):
        with numpy.errstate(all="ignore"):
            terms = numpy.array(values(*engine.uniform(0.3, 1.3, len(symbols))), dtype=complex)
        if numpy.isfinite(terms).all():
            row, size = numpy.add.reduceat(terms.real, firsts), numpy.add.reduceat(abs(terms), firsts)
            rows.append(numpy.where(abs(row) > CANCELLED * size, row, 0.0))
        if len(rows) == POINTS * len(lifts):
            break
    else:
        raise ValueError("the Lagrangian is finite at too few points around 1; its symmetries cannot be looked for")
    table = numpy.array(rows)
    scale = abs(table).max(axis=0)
    scale[scale == 0] = 1.0
    _, sizes, directions = numpy.linalg.svd(table / scale)
    null = _reduced(directions[int((sizes > ROUNDING * max(1.0, sizes.max(initial=0.0))).sum()):])
    found = []
    exact = _Digits(lifts, symbols)
    for row in null:
        support = [int(k) for k in numpy.flatnonzero(abs(row) > 1e-9)]
        coefficients = exact.solved(support)
        if coefficients is not None:
            found.append([coefficients.get(k, sympy.Integer(0)) for k in range(len(lifts))])
    return found


class _Digits:
    """The functions at points with many digits, by which a combination that vanishes is told from one that nearly does."""

    def __init__(self, lifts: Sequence[Sequence[sympy.Expr]], symbols: Sequence[sympy.Symbol]):
        self._values = sympy.lambdify(list(symbols), [list(lift) for lift in lifts], "mpmath", cse=True)
        self._symbols, self._rows = len(symbols), list[list[list[mpmath.mpf]]]()

    def solved(self, support: Sequence[int]) -> dict[int, sympy.Rational] | None:
        """The coefficients of the only combination of these functions that vanishes, the first being 1; None without one."""
        first, others = support[0], support[1:]
        with mpmath.workdps(DIGITS):
            rows = self._at(len(support) + 4)
            sums = [{k: mpmath.fsum(row[k]) for k in support} for row in rows]
            found = {first: mpmath.mpf(1)}
            if others:
                sizes = {k: max(abs(row[k]) for row in sums) or mpmath.mpf(1) for k in others}
                try:
                    solution, _ = mpmath.qr_solve(mpmath.matrix([[row[k] / sizes[k] for k in others] for row in sums]),
                                                  mpmath.matrix([-row[first] for row in sums]))
                except (ValueError, ZeroDivisionError):  # several combinations vanish
                    return None
                found |= {k: solution[place] / sizes[k] for place, k in enumerate(others)}
            for row in rows:
                terms = [found[k] * term for k in support for term in row[k]]
                if not abs(mpmath.fsum(terms)) <= 10 ** mpmath.mpf(20 - DIGITS) * mpmath.fsum(abs(term) for term in terms):
                    return None
            return {k: _rational(value) for k, value in found.items()}

    def _at(self, count: int) -> list[list[list[mpmath.mpf]]]:
        for k in range(len(self._rows), count):
            engine = numpy.random.default_rng(1000 + k)
            self._rows.append(self._values(*(mpmath.mpf(float(x)) for x in engine.uniform(0.3, 1.3, self._symbols))))
        return self._rows[:count]


def _rational(value: mpmath.mpf) -> sympy.Rational:
    """The number as a short fraction where it is one, else to 15 digits."""
    if abs(value) < 10 ** mpmath.mpf(20 - DIGITS):
        return sympy.Integer(0)
    exact = sympy.Rational(str(value))
    short = exact.limit_denominator(10**12)
    return short if abs(exact - short) < sympy.Rational(1, 10**30) else sympy.Rational(float(value)).limit_denominator(10**15)


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
