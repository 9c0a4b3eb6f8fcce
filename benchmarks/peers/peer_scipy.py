"""SciPy: DOP853, RK45 and LSODA one by one, and DOP853 of many members stacked into one system."""

import concurrent.futures
import multiprocessing

import numpy as np
import protocol
from scipy.integrate import solve_ivp


class OneByOne:
    """solve_ivp of each member with a right-hand side in plain Python numbers."""

    def __init__(self, problem, method, tolerance):
        self.problem, self.method, self.tolerance = problem, method, tolerance

    def __call__(self, starts):
        rates = self.problem.function()
        ends = np.empty_like(starts)
        for k, start in enumerate(starts):
            done = solve_ivp(lambda _, y: rates(*y.tolist()), (0, self.problem.t_end), start, method=self.method,
                             rtol=self.tolerance, atol=self.tolerance, t_eval=[self.problem.t_end])
            if not done.success:
                raise RuntimeError(done.message)
            ends[k] = done.y[:, -1]
        return ends


def stacked(problem, tolerance):
    """One system of all members, whose steps they share."""
    rates = problem.function(np.sin, np.cos, np.sqrt)
    n = len(problem.state)

    def run(starts):
        def rate(_, y):
            return np.concatenate(rates(*y.reshape(n, -1)))
        done = solve_ivp(rate, (0, problem.t_end), starts.T.ravel(), method="DOP853", rtol=tolerance, atol=tolerance,
                         t_eval=[problem.t_end])
        if not done.success:
            raise RuntimeError(done.message)
        return done.y[:, -1].reshape(n, -1).T
    return run


def main():
    request = protocol.Request()
    with concurrent.futures.ProcessPoolExecutor(request.threads, multiprocessing.get_context("spawn")) as pool:
        for problem in request.problems:
            for method in ("DOP853", "RK45", "LSODA"):
                for tolerance in request.thin(protocol.tolerances()):
                    one = OneByOne(problem, method, tolerance)

                    def many(starts, one=one):
                        if request.threads == 1:
                            return one(starts)
                        return np.concatenate(list(pool.map(one, np.array_split(starts, request.threads))))
                    if not protocol.measure(request, problem, "SciPy", method, tolerance, one, many):
                        break
            for tolerance in request.thin(protocol.tolerances()):
                if not protocol.measure(request, problem, "SciPy", "DOP853, stacked", tolerance, None,
                                        stacked(problem, tolerance), chunk=1024, threads=1, first=1024):
                    break


if __name__ == "__main__":
    main()
