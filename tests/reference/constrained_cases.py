#!/usr/bin/env python3
"""Reference solutions of constrained systems, computed without Herglotz.

usage: python3 tests/reference/constrained_cases.py [NAME]...      writes NAME.json beside this file (all by default)

Every case is solved twice. `slope` and `full` are equations without constraints, reduced by hand: coordinates that obey
the constraint, or Pontryagin's principle for the vakonomic rule. They are integrated with 30 digits by extrapolation, and
are what is stored. `by_multipliers` is the saddle-point system with multipliers, from SymPy, integrated in double precision
by DOP853. How far the two are apart is stored under "checks". For the vakonomic rule a third test asks the definition:
delta z(T) = 0 for variations that obey the constraint and vanish at both ends.

Needs numpy, scipy, sympy and mpmath.
"""

import json
import pathlib
import sys

import numpy as np
import sympy as sp
import vakonomic_systems  # noqa: F401, registers its cases
from mpmath import mp, mpf
from nonholonomic_systems import CASES
from scipy.integrate import solve_ivp

mp.dps = 30
HERE = pathlib.Path(__file__).resolve().parent
CONVENTION = {
    "nonholonomic": "d/dt(dL/dy^a)-...-(dL/dz)dL/dy^a = + mu_k dPhi^k/dy^a (LJL21, Eq. 63; GG08, Eq. 5.11); a velocity-free "
                    "constraint stands for its time derivative",
    "vakonomic": "L - mu*Phi in place of L (GG08, Eq. 5.2; LLMR21, Sec. 5.4)",
}


def extrapolate(slope, t, s, h):
    """One step of Gragg, Bulirsch and Stoer to order 24, and the estimate of its error."""
    table = []
    for k in range(1, 13):
        n, d = 2 * k, h / (2 * k)
        before, now = s, [a + d * b for a, b in zip(s, slope(t, s))]
        for i in range(1, n):
            before, now = now, [a + 2 * d * b for a, b in zip(before, slope(t + i * d, now))]
        last = slope(t + h, now)
        row = [[(a + b + d * c) / 2 for a, b, c in zip(before, now, last)]]
        for j in range(1, k):
            weight = (mpf(k) / (k - j)) ** 2 - 1
            row.append([a + (a - b) / weight for a, b in zip(row[-1], table[-1][j - 1])])
        table.append(row)
    return table[-1][-1], max(abs(a - b) for a, b in zip(table[-1][-1], table[-1][-2]))


def follow(slope, s, times):
    """The states at the given times, each step to 1e-22."""
    s, t, h, found = list(s), mpf(times[0]), mpf("0.1"), [list(s)]
    for end in map(mpf, times[1:]):
        while t < end:
            d = min(h, end - t)
            new, error = extrapolate(slope, t, s, d)
            if error > mpf("1e-22"):
                h = d / 2
                continue
            s, t = new, t + d
            h = 2 * h if error < mpf("1e-28") and d == h else h
        found.append(list(s))
    return found


class Multipliers:
    """The saddle-point system [W, -Phi_y^T; Phi_y, 0](dy/dt, ell) = (b, -beta) of a case, from SymPy."""

    def __init__(self, case):
        x, y = sp.symbols(case.x), sp.symbols(case.y)
        z, t = sp.symbols("z t")
        names = {str(s): s for s in [*x, *y, z, t]}
        values = {sp.Symbol(k): sp.Rational(v) for k, v in case.parameters.items()}
        read = lambda text: sp.sympify(str(text), locals={**names, **{str(k): v for k, v in values.items()}})
        n, r = len(x), len(y)
        rho = sp.Matrix(n, r, [read(e) for row in case.rho for e in row])
        sigma = sp.Matrix(n, r, [read(e) for row in case.sigma for e in row])
        c = {(e["a"] - 1, e["b"] - 1, e["c"] - 1): read(e["value"]) for e in case.brackets}
        self.n, self.r, self.vakonomic = n, r, case.rule == "vakonomic"
        L, Y = read(case.lagrangian), sp.Matrix(y)
        x_dot = rho * Y
        flow = lambda e: sum(e.diff(x[i]) * x_dot[i] for i in range(n)) + e.diff(z) * L + e.diff(t)
        phi = [read(e) for e in case.constraints]
        Phi = [flow(e) if not e.has(*y) else e for e in phi]
        m = self.m = len(Phi)
        nu = sp.symbols(f"nu1:{m + 1}")
        K = L - sum(a * b for a, b in zip(nu, Phi)) if self.vakonomic else L
        p = sp.Matrix([K.diff(a) for a in y])
        W, Phi_y = p.jacobian(Y), sp.Matrix(Phi).jacobian(Y)
        x_slopes = [K.diff(a) for a in x]
        force = [read(e) for e in case.force] if case.force else [sp.Integer(0)] * r
        b = []
        for j in range(r):
            b.append(sum(v * y[i] * p[k] for (i, jj, k), v in c.items() if jj == j)
                     + sum(sigma[a, j] * x_slopes[a] for a in range(n)) + K.diff(z) * p[j] + force[j] - flow(p[j]))
        beta = [flow(e) for e in Phi]
        self.energy = (p.T * Y)[0] - L
        v = [*x, *y, z, t, *nu]
        named = lambda e: sp.cse(e, symbols=sp.numbered_symbols("common_"))  # its own x0, x1 would meet coordinates of that name
        make = lambda e: sp.lambdify([v], e, "numpy", cse=named)
        self.parts = make([list(x_dot), W.tolist(), b, Phi_y.tolist(), beta, L, K.diff(z)])
        self.outputs = make([list(p), self.energy, phi + Phi])
        along = lambda e: [sum(e.diff(x[a]) * sigma[a, j] for a in range(n)) for j in range(r)]
        turn = sp.zeros(r, r)
        for (i, j, k), value in c.items():
            turn[k, j] += value * y[i]
        slopes = lambda e: [along(e), [e.diff(a) for a in y], [e.diff(z)]]
        self.linear = make([turn.tolist(), *slopes(L), [slopes(e) for e in Phi]])

    def point(self, t, s):
        n, r, m = self.n, self.r, self.m
        return [*s[: n + r + 1], t, *(s[n + r + 1 : n + r + 1 + m] if self.vakonomic else [0.0] * m)]

    def accelerations(self, t, s):
        x_dot, W, b, Phi_y, beta, L, L_z = self.parts(self.point(t, s))
        A = np.block([[np.array(W, float), -np.array(Phi_y, float).T], [np.array(Phi_y, float), np.zeros((self.m,) * 2)]])
        both = np.linalg.solve(A, np.concatenate([b, -np.array(beta, float)]))
        return x_dot, both[: self.r], both[self.r :], L, L_z

    def slope(self, t, s):
        x_dot, y_dot, ell, L, L_z = self.accelerations(t, s)
        return [*x_dot, *y_dot, L, *(ell if self.vakonomic else []), L_z]

    def follow(self, start, times, dense=False):
        return solve_ivp(self.slope, (times[0], times[-1]), start, "DOP853", times, dense_output=dense, rtol=3e-14, atol=1e-15)

    def variation(self, solution, T):
        """Largest |delta z(T)| over xi with xi(0) = xi(T) = 0 whose variations keep Phi = 0, relative to that of all xi.

        delta x = sigma xi, delta y = d xi/dt + c(y, xi); r - m components of delta y are free, the others follow.
        """
        r, m, modes = self.r, self.m, 6
        columns = (r - m) * modes
        known = [a for a in range(r) if a not in self.held]

        def slope(t, flat):
            d = flat.reshape(r + 1, columns)
            turn, L_x, L_y, L_z, rows = self.linear(self.point(t, solution.sol(t)))
            dy = np.zeros((r, columns))
            for i, a in enumerate(known):
                dy[a, i * modes : (i + 1) * modes] = np.cos(np.arange(modes) * np.pi * t / T)
            P_x, P_y, P_z = (np.array([row[k] for row in rows], float) for k in range(3))
            dy[self.held] = np.linalg.solve(P_y[:, self.held], -(P_x @ d[:r] + P_z @ d[r:] + P_y @ dy))
            return np.vstack([dy - np.array(turn, float) @ d[:r], L_x @ d[:r] + L_y @ dy + L_z[0] * d[r]]).ravel()

        end = solve_ivp(slope, (0, T), np.zeros((r + 1) * columns), "DOP853", rtol=1e-12, atol=1e-14).y[:, -1]
        end = end.reshape(r + 1, columns)
        _, sizes, rows = np.linalg.svd(end[:r])
        admissible = rows[np.sum(sizes > 1e-9) :]
        return float(np.max(np.abs(admissible @ end[r])) / np.max(np.abs(end[r])))


def data_of(case):
    engine = Multipliers(case)
    reduced = follow(case.slope, case.start(), case.times)
    full = [case.full(mpf(t), s) for t, s in zip(case.times, reduced)]
    rows = [[float(v) for v in (*x, *y, z)] for x, y, z, _ in full]
    start = [*rows[0], *([float(v) for v in full[0][3]] if engine.vakonomic else []), 0.0]
    solution = engine.follow(start, case.times, dense=engine.vakonomic)
    states, apart, defect = [], 0.0, 0.0
    key = "momentum L_v-mu psi_v" if engine.vakonomic else "p"
    for k, t in enumerate(case.times):
        mu = [float(v) for v in full[k][3]]
        other = solution.y[:, k]
        own = [*rows[k], *mu]
        theirs = [*other[: engine.n + engine.r + 1],
                  *(other[engine.n + engine.r + 1 : -1] if engine.vakonomic else engine.accelerations(t, other)[2])]
        apart = max(apart, max(abs(a - b) / max(1, abs(a)) for a, b in zip(own, theirs)))
        p, energy, phi = engine.outputs(engine.point(t, [*rows[k], *mu]))
        defect = max(defect, max(map(abs, phi)))
        states.append({"t": t, "x": rows[k][: engine.n], "y": rows[k][engine.n : -1], "z": rows[k][-1],
                       key: [float(v) for v in p], "E": float(energy), "mu": mu, "int_dLdz": float(other[-1])})
    checks = {"reduced by hand, 30 digits, vs with multipliers, DOP853 (max relative difference)": float(apart),
              "max |Phi| of the stored doubles": float(defect)}
    if engine.vakonomic:
        engine.held = case.held
        checks["|delta z(T)| over admissible variations, relative to all"] = engine.variation(solution, case.times[-1])
    initial = {"t": 0.0, "x": states[0]["x"], "y": states[0]["y"], "z": states[0]["z"]}
    if engine.vakonomic:
        initial["mu"] = states[0]["mu"]
    return {"name": case.name, "description": case.description, "source": case.source, "type": case.type,
            "coordinates": {"x": case.x, "y": case.y, "z": "z", "t": "t"}, "parameters": case.parameters,
            "algebroid": {"base_dim": engine.n, "rank": engine.r, "anchor_rho[i][a]": case.rho,
                          "right_anchor_sigma[i][a]": case.sigma if case.sigma != case.rho else "same as anchor",
                          "structure_functions": case.brackets,
                          "convention": "[e_a,e_b]=C^c_ab e_c; 1-based indices; all non-zero components listed (both orders)"},
            "lagrangian": case.lagrangian, "constraints": case.constraints, "external_force": case.force,
            "multiplier_convention": CONVENTION[case.rule], "initial": initial, "times": case.times, "states": states,
            "checks": checks}


def main():
    wanted = sys.argv[1:] or [case.name for case in CASES]
    for case in CASES:
        if case.name in wanted:
            data = data_of(case)
            (HERE / f"{case.name}.json").write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")
            print(case.name, *(f"{value:.1e}" for value in data["checks"].values()))


if __name__ == "__main__":
    main()
