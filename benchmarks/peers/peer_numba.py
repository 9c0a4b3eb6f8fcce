"""numba: rk4 and DOP853 written by hand, compiled, members shared by threads."""

import math

import numba
import numpy as np
import protocol
from scipy.integrate._ivp import dop853_coefficients as dop853

A = np.ascontiguousarray(dop853.A[:12, :12])
B = np.ascontiguousarray(dop853.B)
E3 = np.ascontiguousarray(dop853.E3)
E5 = np.ascontiguousarray(dop853.E5)
compiled = numba.njit(fastmath=True, error_model="numpy")
compiled_on_threads = numba.njit(fastmath=True, error_model="numpy", parallel=True)


def rates_of(problem):
    """void rates(y, rate), compiled."""
    n = len(problem.state)
    body = problem.python_source("entries")
    arguments = ", ".join(f"y[{i}]" for i in range(n))
    results = ", ".join(f"rate[{i}]" for i in range(n))
    namespace = {"sin": math.sin, "cos": math.cos, "sqrt": math.sqrt, "compiled": numba.njit(
        fastmath=True, error_model="numpy", inline="always")}
    exec(f"@compiled\n{body}\ndef rates(y, rate):\n    {results}, = entries({arguments})\n", namespace)
    return compiled(namespace["rates"])


def rk4_of(rates, n, t_end):
    @compiled
    def advance(y, steps):
        h = t_end / steps
        k1, k2, k3, k4, at = np.empty(n), np.empty(n), np.empty(n), np.empty(n), np.empty(n)
        for _ in range(int(steps)):
            rates(y, k1)
            for i in range(n):
                at[i] = y[i] + h / 2 * k1[i]
            rates(at, k2)
            for i in range(n):
                at[i] = y[i] + h / 2 * k2[i]
            rates(at, k3)
            for i in range(n):
                at[i] = y[i] + h * k3[i]
            rates(at, k4)
            for i in range(n):
                y[i] += h / 6 * (k1[i] + 2 * (k2[i] + k3[i]) + k4[i])
    return advance


def dop853_of(rates, n, t_end):
    """Dormand and Prince's method of order 8 with the step control of Hairer, Norsett, Wanner, Solving ODEs I, II.10."""
    @compiled
    def advance(y, tolerance):
        k = np.empty((13, n))
        at = np.empty(n)
        t, h = 0.0, min(t_end, 0.1 * tolerance**0.125)
        rates(y, k[0])
        for _ in range(200000):
            h = min(h, t_end - t)
            for stage in range(1, 12):
                for i in range(n):
                    total = 0.0
                    for j in range(stage):
                        total += A[stage, j] * k[j, i]
                    at[i] = y[i] + h * total
                rates(at, k[stage])
            for i in range(n):
                total = 0.0
                for j in range(12):
                    total += B[j] * k[j, i]
                at[i] = y[i] + h * total
            rates(at, k[12])
            five, three = 0.0, 0.0
            for i in range(n):
                scale = tolerance * (1 + max(abs(y[i]), abs(at[i])))
                e5, e3 = 0.0, 0.0
                for j in range(13):
                    e5 += E5[j] * k[j, i]
                    e3 += E3[j] * k[j, i]
                five += (e5 / scale)**2
                three += (e3 / scale)**2
            error = 0.0
            if five > 0:
                error = h * five / math.sqrt((five + 0.01 * three) * n)
            if error <= 1:
                t += h
                for i in range(n):
                    y[i] = at[i]
                    k[0, i] = k[12, i]
                if t >= t_end * (1 - 1e-15):
                    return
            h *= min(10.0, max(0.2, 0.9 * max(error, 1e-12)**-0.125))
        for i in range(n):
            y[i] = 1e300
    return advance


def loops(advance, n):
    @compiled
    def one(ends, setting):
        for k in range(ends.shape[0]):
            advance(ends[k], setting)

    @compiled_on_threads
    def many(ends, setting):
        for k in numba.prange(ends.shape[0]):
            advance(ends[k], setting)
    return one, many


def main():
    request = protocol.Request()
    numba.set_num_threads(request.threads)
    for problem in request.problems:
        n = len(problem.state)
        rates = rates_of(problem)
        for method, make, settings in (("rk4", rk4_of, protocol.step_counts(16, 65536)),
                                       ("DOP853", dop853_of, protocol.tolerances())):
            one, many = loops(make(rates, n, problem.t_end), n)

            def on(run, setting):
                def call(starts):
                    ends = starts.copy()
                    run(ends, setting)
                    return ends
                return call
            for setting in request.thin(settings):
                shown = problem.t_end / setting if method == "rk4" else setting
                if not protocol.measure(request, problem, "numba", method, shown, on(one, float(setting)),
                                        on(many, float(setting))):
                    break


if __name__ == "__main__":
    main()
