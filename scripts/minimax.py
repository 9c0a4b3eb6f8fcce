#!/usr/bin/env python3
"""Computes the coefficients of the polynomials in src/compile/elementary.

Each polynomial p(z) has the smallest sum of squares of w(z) (g(z) - p(z)) at Chebyshev points of an interval, which is
close to the smallest largest error. Coefficients are rounded to doubles one after the other, from the lowest power on;
after each the others are computed again, so that they make up for it. The script prints the coefficients in
hexadecimal, and the largest error as a power of two. Needs mpmath.
"""

import sys

from mpmath import asin, atan, exp, log, lu_solve, matrix, mp, mpf, pi, sinh, sqrt

mp.dps = 60
POINTS = 200


def values(coefficients, points):
    result = []
    for z in points:
        total = mpf(0)
        for c in reversed(coefficients):
            total = total * z + c
        result.append(total)
    return result


def best(points, target, weight, count, shift):
    """Returns `count` coefficients of z^shift, z^(shift+1), .. with the smallest sum of squares of weighted errors."""
    rows = [[w * z ** (shift + column) for column in range(count)] for z, w in zip(points, weight)]
    products = matrix(count, count)
    right = matrix(count, 1)
    for i in range(count):
        for j in range(i + 1):
            products[i, j] = products[j, i] = sum(row[i] * row[j] for row in rows)
        right[i] = sum(row[i] * w * t for row, w, t in zip(rows, weight, target))
    solution = lu_solve(products, right)
    return [solution[i] for i in range(count)]


def rounded_best(g, w, low, high, count):
    low, high = mpf(low), mpf(high)
    points = [(low + high) / 2 - (high - low) / 2 * mp.cos(pi * (2 * i + 1) / (2 * POINTS)) for i in range(POINTS)]
    target = [g(z) for z in points]
    weight = [w(z) for z in points]
    fixed = []
    while len(fixed) < count:
        rest = [t - v for t, v in zip(target, values(fixed, points))] if fixed else target
        fixed.append(mpf(float(best(points, rest, weight, count - len(fixed), len(fixed))[0])))
    errors = [abs(a * (t - v)) for a, t, v in zip(weight, target, values(fixed, points))]
    return fixed, max(errors)


def root(function):
    """Returns z -> (f(x)/x - 1)/z with z = x^2."""

    def g(z):
        x = sqrt(z)
        return (function(x) / x - 1) / z

    return g


def logarithm(z):
    """Returns 2 atanh(s)/s with z = s^2."""
    s = sqrt(z)
    return log((1 + s) / (1 - s)) / s


LARGEST_S = ((sqrt(mpf(2)) - 1) / (sqrt(mpf(2)) + 1)) ** 2 * mpf("1.0001")
# name: g, weight that makes the error relative to the function, interval, number of coefficients
POLYNOMIALS = {
    "exp: (e^r - 1 - r)/r^2": (lambda r: (exp(r) - 1 - r) / r**2, lambda r: r**2 / exp(r), -0.3467, 0.3467, 11),
    "log: (2 atanh(s)/s - 2)/s^2 in s^2": (lambda z: (logarithm(z) - 2) / z, lambda z: z / 2, 0, LARGEST_S, 7),
    "pow: (2 atanh(s)/s - 2 - 2/3 s^2)/s^4 in s^2": (
        lambda z: (logarithm(z) - 2 - 2 * z / 3) / z**2,
        lambda z: z**2 / 2,
        0,
        LARGEST_S,
        8,
    ),
    "sinh: (sinh(x)/x - 1)/x^2 in x^2": (root(sinh), lambda z: z, 0, 1, 8),
    "atan: (atan(t)/t - 1)/t^2 in t^2": (root(atan), lambda z: z, 0, mpf(1) / 9 * mpf("1.0001"), 10),
    "asin: (asin(s)/s - 1)/s^2 in s^2": (root(asin), lambda z: z, 0, 0.25, 13),
}


def main():
    chosen = sys.argv[1:]
    for name, (g, w, low, high, count) in POLYNOMIALS.items():
        if chosen and name.split(":")[0] not in chosen:
            continue
        coefficients, error = rounded_best(g, w, low, high, count)
        print(f"{name}, error 2^{float(mp.log(error, 2)):.1f}")
        for c in coefficients:
            print(f"  {float(c).hex()}")


if __name__ == "__main__":
    main()
