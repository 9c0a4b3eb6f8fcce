"""Equations of motion from theory, and their solution.

On an algebroid (rho, sigma, c) with the Lagrangian L(x, y, z, t), forces F and constraints Phi the Euler-Lagrange-Herglotz
equations [ASC25, Eq. 7; GG08, Eqs. 3.3, 4.13, 5.3-5.4, 5.10-5.11; LLMR21, Thm 3 and Sec. 5.4] are

    dx/dt = rho y,   dz/dt = L,
    dp_j/dt = c^k_ij y^i p_k + sigma^a_j dK/dx^a + (dK/dz) p_j + F_j + lambda_A dPhi^A/dy^j,   p = dK/dy,

where K = L and lambda is algebraic (nonholonomic), or K = L - nu_A Phi^A and lambda = 0 (vakonomic). They hold for a Hamiltonian H
with y = dH/dp and dK/dx = -dH/dx, dK/dz = -dH/dz. An equation phi(x, z, t) = 0 stands for its derivative along the motion.
"""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import scipy.integrate
import sympy as sp

import algebroids
from model import ROWS, Model, Reader

np.seterr(over="raise", divide="raise", invalid="raise")


class Hopeless(Exception):
    """The model is too close to a singularity, or leaves a sensible region: no statement is made about it."""


class Motion:
    """What a model says: functions of the state, and the solution of the equations of motion."""

    def __init__(self, model: Model):
        self.model = model
        read = Reader(model)
        algebroid = algebroids.build(model["algebroid"], read)
        self.hamiltonian = model["hamiltonian"]
        self.base, self.fibre = algebroid.base, algebroid.fibre
        self.fibre_columns = ["p_" + name for name in self.fibre] if self.hamiltonian else self.fibre
        self.n, self.r = len(self.base), len(self.fibre)
        self.rule, self.m = model["rule"], len(model["equations"])
        self._derive(read, algebroid)

    def _derive(self, read: Reader, algebroid: algebroids.Algebroid) -> None:
        n, r, m, model = self.n, self.r, self.m, self.model

        def symbol(name: str) -> sp.Symbol:
            return sp.Symbol(name, real=True)

        def gradient(f: sp.Expr, variables: list[sp.Symbol]) -> list[sp.Expr]:
            return [sp.diff(f, v) for v in variables]

        x, w = [symbol(name) for name in self.base], [symbol(name) for name in self.fibre_columns]
        z, t = symbol(model["action"]), symbol(model["time"])
        nu = [symbol(f"nu{k + 1}") for k in range(m)] if self.vakonomic else []
        rho, sigma, c = algebroid.rho, algebroid.sigma, algebroid.c
        given = read.total(model["terms"])
        if self.hamiltonian:
            y, p = gradient(given, w), w
            lagrangian = sum((a * b for a, b in zip(p, y)), sp.S.Zero) - given
        else:
            y, lagrangian = w, given
        velocity = [sum((rho[i][a] * y[a] for a in range(r)), sp.S.Zero) for i in range(n)]

        def drift(f: sp.Expr) -> sp.Expr:
            """The derivative along the motion without what comes from dw/dt."""
            along = sum((g * v for g, v in zip(gradient(f, x), velocity)), sp.S.Zero)
            return along + sp.diff(f, z) * lagrangian + sp.diff(f, t)

        written = [read.total(terms) for terms in model["equations"]]
        moving = set(w)
        holonomic = [not (equation.free_symbols & moving) for equation in written]
        phi = [drift(equation) if flat else equation for equation, flat in zip(written, holonomic)]
        self.holonomic = holonomic
        phi_w = [gradient(f, w) for f in phi]

        if self.hamiltonian:
            # F and Chetaev's forces are covectors: dPhi/dy = dPhi/dp dp/dy with dp/dy the inverse of d2H/dp2.
            k_x, k_z = [-g for g in gradient(given, x)], -sp.diff(given, z)
            mass, known = sp.eye(r), [sp.S.Zero] * r
            compliance = sp.Matrix([gradient(v, w) for v in y])
        else:
            extended = lagrangian - sum((a * b for a, b in zip(nu, phi)), sp.S.Zero)
            k_x, k_z = gradient(extended, x), sp.diff(extended, z)
            p = gradient(extended, w)
            mass, known = sp.Matrix([gradient(q, w) for q in p]), [drift(q) for q in p]
            compliance = sp.eye(r)
        gyration = [sum((c[i][j][k] * y[i] * p[k] for i in range(r) for k in range(r)), sp.S.Zero) for j in range(r)]
        force = [sp.S.Zero] * r
        for name, terms in model["forces"].items():
            force[self.fibre.index(name)] = read.total(terms)
        right = [
            gyration[j] + sum((sigma[a][j] * k_x[a] for a in range(n)), sp.S.Zero) + k_z * p[j] + force[j] - known[j]
            for j in range(r)
        ]
        energy = sum((a * b for a, b in zip(p, y)), sp.S.Zero) - lagrangian
        momenta = [sum((a * read(text) for a, text in zip(p, texts)), sp.S.Zero) for texts in model["symmetries"].values()]
        observables = [read(text) for text in model["observables"].values()]

        state = [*x, *w, z, t, *nu]
        flat = [
            *mass,
            *compliance,
            *right,
            *[g for row in phi_w for g in row],
            *[drift(f) for f in phi],
            *velocity,
            lagrangian,
            k_z,
        ]
        self._dynamics = sp.lambdify(state, flat, modules="math", cse=True)
        self._shown = sp.lambdify(state, [energy, *momenta, *observables], modules="math", cse=True)
        on_base = [[sp.diff(f, v) for v in x] for f in written]
        self._constraints = sp.lambdify(
            state,
            [*written, *phi, *[g for row in phi_w for g in row], *[g for row in on_base for g in row]],
            modules="math",
            cse=True,
        )

    @property
    def vakonomic(self) -> bool:
        return bool(self.m) and self.rule == "vakonomic"

    def _parts(self, t: float, s: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """dw/dt, the multipliers (their rates under the vakonomic rule), and (dx/dt, L, dK/dz)."""
        n, r, m = self.n, self.r, self.m
        values = np.array(self._dynamics(*s[: n + r + 1], t, *s[n + r + 2 :]))
        cut = np.cumsum([r * r, r * r, r, m * r, m, n])
        mass, compliance, right, phi_w, beta, velocity, rates = np.split(values, cut)
        system = np.zeros((r + m, r + m))
        system[:r, :r] = mass.reshape(r, r)
        if m:
            rows = phi_w.reshape(m, r)
            system[r:, :r] = rows
            # With y(p) = dH/dp the force dPhi/dy solves (dy/dp)^T dPhi/dy = dPhi/dp.
            system[:r, r:] = -(np.linalg.solve(compliance.reshape(r, r).T, rows.T) if self.hamiltonian else rows.T)
        solution = np.linalg.solve(system, np.concatenate([right, -beta]))
        self.condition = (system, solution)
        return solution[:r], solution[r:], np.concatenate([velocity, rates])

    def slope(self, t: float, s: np.ndarray) -> np.ndarray:
        """The derivative of (x, w, z, log of the integrating factor, nu)."""
        w_dot, multipliers, rest = self._parts(t, s)
        tail = multipliers if self.vakonomic else ()
        return np.concatenate([rest[: self.n], w_dot, [rest[self.n], -rest[self.n + 1]], tail])

    def start(self) -> np.ndarray:
        """The start of the model, moved onto its constraints; `model["start"]` is set to it."""
        model, n, r, m = self.model, self.n, self.r, self.m
        names = [*self.base, *self.fibre_columns, model["action"]]
        s = [float(model["start"].get(name, 0.0)) for name in names] + [0.0]
        if self.vakonomic:
            s += [float(model["start"].get(f"nu{k + 1}", 0.0)) for k in range(m)]
        s = np.array(s)
        for _ in range(60 if m else 0):
            values = np.array(self._constraints(*s[: n + r + 1], model["t"], *s[n + r + 2 :]))
            written, phi, phi_w, on_base = np.split(values, np.cumsum([m, m, m * r]))
            flat = np.array(self.holonomic)
            defect = np.where(flat, written, 0.0)
            if n and np.abs(defect).max() > 1e-15:
                s[:n] -= np.linalg.lstsq(on_base.reshape(m, n) * flat[:, None], defect, rcond=1e-9)[0]
            else:
                s[n : n + r] -= np.linalg.lstsq(phi_w.reshape(m, r), phi, rcond=1e-9)[0]
                if np.abs(phi).max() < 1e-15:
                    break
        else:
            if m and max(np.abs(defect).max(), np.abs(phi).max()) > 1e-13:
                raise Hopeless("no start on the constraints")
        model["start"].update({name: float(v) for name, v in zip(names, s)})
        return s

    def rows(self, tolerance: float = 1e-13) -> list[dict[str, float]]:
        """States at ROWS + 1 equal times, as the columns of a run."""
        model = self.model
        times = np.linspace(model["t"], model["t_end"], ROWS + 1)
        try:
            s = self.start()
            self.slope(times[0], s)
            if np.linalg.cond(self.condition[0]) > 1e3:
                raise Hopeless("nearly singular")
            shown = [self._row(times[0], s)]
            for begin, end in itertools.pairwise(times):
                run = scipy.integrate.solve_ivp(self._guarded(), (begin, end), s, method="DOP853", rtol=tolerance, atol=tolerance)
                if not run.success:
                    raise Hopeless(run.message)
                s = run.y[:, -1]
                shown.append(self._row(end, s))
        except (ArithmeticError, ValueError, TypeError, np.linalg.LinAlgError) as error:
            raise Hopeless(str(error)) from error
        return shown

    def _guarded(self) -> Any:
        calls = 0

        def slope(t: float, s: np.ndarray) -> np.ndarray:
            nonlocal calls
            calls += 1
            if calls > 20000:
                raise Hopeless("stiff")
            result = self.slope(t, s)
            if not np.abs(result).max() < 200:
                raise Hopeless("fast")
            return result

        return slope

    def _row(self, t: float, s: np.ndarray) -> dict[str, float]:
        n, r, m, model = self.n, self.r, self.m, self.model
        _, multipliers, _ = self._parts(t, s)
        row = {model["time"]: t}
        row.update(zip([*self.base, *self.fibre_columns, model["action"]], s))
        if m:
            letter, values = ("nu", s[n + r + 2 :]) if self.vakonomic else ("lambda", multipliers)
            row.update((f"{letter}{k + 1}", v) for k, v in enumerate(values))
        energy, *rest = self._shown(*s[: n + r + 1], t, *s[n + r + 2 :])
        factor = math.exp(s[n + r + 1])
        row |= {"energy": energy, "integrating_factor": factor, "energy_invariant": factor * energy, "energy_residual": 0.0}
        for name in model["symmetries"]:
            value = rest.pop(0)
            row |= {f"momentum.{name}": value, f"momentum_invariant.{name}": factor * value, f"momentum_residual.{name}": 0.0}
        row |= {f"constraint.{k + 1}": 0.0 for k in range(m)}
        return row | dict(zip(model["observables"], rest))
