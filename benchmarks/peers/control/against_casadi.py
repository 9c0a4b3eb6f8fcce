"""Optimal control against CasADi with IPOPT: one scheme, one mesh, processor time from text to solution.

usage: against_casadi.py PROGRAM [INTERVALS [PROBLEM...]]

CasADi is given the equations written out by hand, Gauss collocation of order 4, and its own function maps over the intervals. Its time does
not count the start of Python and the import. The time of Herglotz is that of the process, with reading, deriving, compiling and checking, less
that of a process that only prints its version. A warm start takes the solution of a problem whose duration is a hundredth longer.
"""

import pathlib
import resource
import subprocess
import sys
import tempfile
import time

import casadi as ca
import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
ROOT = 3**0.5 / 6
A = [[1 / 4, 1 / 4 - ROOT], [1 / 4 + ROOT, 1 / 4]]
NODES = [1 / 2 - ROOT, 1 / 2 + ROOT]


def elastica(x, u):
    return [ca.cos(x[2]), ca.sin(x[2]), u[0], u[0]**2 / 2 - 0.5 * x[3]]


def cart_pole(x, u):
    cart, pole, length, gravity, damping = 1.0, 0.3, 0.5, 9.81, 0.3
    _, th, v, w, z, _ = [x[k] for k in range(6)]
    inertia = [cart + pole, pole * length * ca.cos(th), pole * length**2]
    lagrangian = (inertia[0] * v**2 / 2 + inertia[1] * v * w + inertia[2] * w**2 / 2 + pole * gravity * length * ca.cos(th) - damping * z)
    momenta = [inertia[0] * v + inertia[1] * w, inertia[1] * v + inertia[2] * w]
    force = [u[0] + pole * length * w**2 * ca.sin(th) - damping * momenta[0],
             -pole * gravity * length * ca.sin(th) - damping * momenta[1]]
    det = inertia[0] * inertia[2] - inertia[1]**2
    return [v, w, (inertia[2] * force[0] - inertia[1] * force[1]) / det, (inertia[0] * force[1] - inertia[1] * force[0]) / det,
            lagrangian, u[0]**2]


def attitude(x, u):
    q, w = [x[k] for k in range(4)], [x[k] for k in range(4, 7)]
    moments = [1.0, 2.0, 3.0]
    rates = [(-q[1] * w[0] - q[2] * w[1] - q[3] * w[2]) / 2, (q[0] * w[0] - q[3] * w[1] + q[2] * w[2]) / 2,
             (q[3] * w[0] + q[0] * w[1] - q[1] * w[2]) / 2, (-q[2] * w[0] + q[1] * w[1] + q[0] * w[2]) / 2]
    for k in range(3):
        i, j = (k + 1) % 3, (k + 2) % 3
        rates.append(((moments[i] - moments[j]) * w[i] * w[j] + u[k]) / moments[k] - 0.1 * w[k])
    return [*rates, (u[0]**2 + u[1]**2 + u[2]**2) / 2]


def sleigh(x, u):
    v, w = x[3], x[4]
    return [v * ca.cos(x[2]), v * ca.sin(x[2]), w, u[0] - 0.2 * v, 2 * u[1] - 0.2 * w, (u[0]**2 + u[1]**2) / 2 - 0.1 * x[5]]


def five_links(x, u):
    links, angles, speeds = range(5), x[:5], x[5:10]
    below = [[5 - max(i, j) for j in links] for i in links]
    mass = ca.SX(5, 5)
    torques = [u[i] - u[i + 1] for i in range(4)] + [u[4]]
    right = []
    for i in links:
        momentum = 0
        force = torques[i] - below[i][i] * ca.sin(angles[i])
        for j in links:
            mass[i, j] = below[i][j] * ca.cos(angles[i] - angles[j])
            momentum += mass[i, j] * speeds[j]
            force -= below[i][j] * ca.sin(angles[i] - angles[j]) * speeds[j]**2
        right.append(force - 0.1 * momentum)
    accelerations = ca.solve(mass, ca.vertcat(*right))
    lagrangian = ca.dot(speeds, ca.mtimes(mass, speeds)) / 2 + sum(below[i][i] * ca.cos(angles[i]) for i in links) - 0.1 * x[10]
    return [*ca.vertsplit(speeds), *ca.vertsplit(accelerations), lagrangian, ca.dot(u, u) / 2]


# name: rates of the state, whose last entry is the cost; start, ends, duration, bound of controls, guess of the state and of the control
PROBLEMS = {
    "elastica": (elastica, [0, 0, 0, 0], {0: 1.2, 1: 0.8, 2: -0.6}, 2, None,
                 lambda s: [1.2 * s, 0.8 * s, 2 * np.sin(np.pi * s), 0], lambda s: [3 * (1 - 2 * s)]),
    "cart-pole": (cart_pole, [0] * 6, {0: 1, 1: np.pi, 2: 0, 3: 0}, 2, 20, lambda s: [s, np.pi * s, 0, 0, 0, 0], lambda s: [0]),
    "attitude": (attitude, [1] + [0] * 7, {1: 0.6, 2: 0.3, 3: 0.5, 4: 0, 5: 0, 6: 0}, 3, None,
                 lambda s: [1 + s * (0.3**0.5 - 1), 0.6 * s, 0.3 * s, 0.5 * s, 0, 0, 0, 0], lambda s: [0, 0, 0]),
    "sleigh": (sleigh, [0] * 6, {0: 1, 1: 0.5, 2: 0.2, 3: 0, 4: 0}, 2, None, lambda s: [s, 0.5 * s, 0, 0, 0, 0], lambda s: [0, 0]),
    "five-links": (five_links, [0] * 12, {k: np.pi if k < 5 else 0 for k in range(10)}, 3, None,
                   lambda s: [np.pi * s] * 5 + [0] * 7, lambda s: [0] * 5),
}


def by_casadi(problem, intervals):
    """Returns the cost, not a number if there is no solution within two minutes, and the seconds to build and to solve."""
    begin = time.process_time()
    rates, start, ends, duration, bound, state, control = problem
    n, m = len(start), len(control(0))
    h = duration / intervals
    x, u = ca.SX.sym("x", n), ca.SX.sym("u", m)
    f = ca.Function("f", [x, u], [ca.vertcat(*rates(x, u))])
    node, stages, controls = ca.MX.sym("node", n), ca.MX.sym("stages", 2 * n), ca.MX.sym("controls", 2 * m)
    slopes = [f(stages[:n], controls[:m]), f(stages[n:], controls[m:])]
    defects = [stages[k * n:(k + 1) * n] - node - h * (A[k][0] * slopes[0] + A[k][1] * slopes[1]) for k in range(2)]
    step = ca.Function("step", [node, stages, controls], [ca.vertcat(*defects), node + h / 2 * (slopes[0] + slopes[1])])
    nodes = ca.MX.sym("nodes", n, intervals + 1)
    inner = ca.MX.sym("inner", 2 * n, intervals)
    inputs = ca.MX.sym("inputs", 2 * m, intervals)
    residuals, ahead = step.map(intervals)(nodes[:, :-1], inner, inputs)
    programme = {"x": ca.vertcat(ca.vec(nodes), ca.vec(inner), ca.vec(inputs)), "f": nodes[n - 1, intervals],
                 "g": ca.vertcat(ca.vec(residuals), ca.vec(ahead - nodes[:, 1:]))}
    solver = ca.nlpsol("solver", "ipopt", programme, {"ipopt.print_level": 0, "print_time": 0, "ipopt.tol": 1e-10, "ipopt.sb": "yes",
                                                     "ipopt.max_cpu_time": 120})
    at_stages = [[(k + c) / intervals for c in NODES] for k in range(intervals)]
    guess = np.concatenate([np.array([state(k / intervals) for k in range(intervals + 1)], float).ravel(),
                            np.array([state(s) for two in at_stages for s in two], float).ravel(),
                            np.array([control(s) for two in at_stages for s in two], float).ravel()])
    low, high = np.full(guess.size, -np.inf), np.full(guess.size, np.inf)
    low[:n] = high[:n] = start
    for k, value in ends.items():
        low[n * intervals + k] = high[n * intervals + k] = value
    if bound is not None:
        low[n * (3 * intervals + 1):], high[n * (3 * intervals + 1):] = -bound, bound
    built = time.process_time()
    found = solver(x0=guess, lbx=low, ubx=high, lbg=0, ubg=0)
    if not solver.stats()["success"]:
        print(f"CasADi found no solution: {solver.stats()['return_status']}")
    return float(found["f"]) if solver.stats()["success"] else np.nan, built - begin, time.process_time() - built


def timed(*command):
    """Returns what a process prints, and its seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    run = subprocess.run(command, capture_output=True, text=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return run.stdout, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def by_herglotz(program, model, intervals, *more):
    """Returns the cost and the seconds."""
    start = min(timed(program, "--version")[1] for _ in range(3))
    text, seconds = timed(program, "solve", model, "--method", "direct-gauss-4", "--intervals", str(intervals), "--tolerance", "1", *more)
    cost = next(line.split()[1] for line in text.splitlines() if line.startswith("cost"))
    return float(cost), seconds - start


def least_of_three(run, seconds):
    """Returns the fastest of three runs, or the only one if it is slow."""
    runs = [run()]
    while len(runs) < 3 and seconds(runs[0]) < 5:
        runs.append(run())
    return min(runs, key=seconds)


def compare(program, name, intervals, folder):
    """Prints the line of one problem."""
    problem, model = PROBLEMS[name], HERE / f"{name}.toml"
    theirs = least_of_three(lambda: by_casadi(problem, intervals), lambda run: run[1] + run[2])
    ours = least_of_three(lambda: by_herglotz(program, model, intervals), lambda run: run[1])
    near = str(pathlib.Path(folder) / f"{name}.h5")
    by_herglotz(program, model, intervals, "--duration", str(1.01 * problem[3]), "--out", near)
    warm = least_of_three(lambda: by_herglotz(program, model, intervals, "--guess", near), lambda run: run[1])[1]
    total = theirs[1] + theirs[2]
    print(f"{name:10} {theirs[1]:13.3f} {theirs[2]:7.3f} {ours[1]:10.3f} {warm:6.3f} {ours[1] / total:12.2f} {warm / total:12.2f} "
          f"{abs(ours[0] - theirs[0]):21.1e}")


def main():
    program = pathlib.Path(sys.argv[1]).resolve()
    intervals = int(sys.argv[2]) if len(sys.argv) > 2 else 200
    print(f"{intervals} intervals; seconds of processor time, the least of three, or of one above 5 s")
    print("problem     CasADi build   solve   Herglotz   warm   cold ratio   warm ratio   difference of costs")
    with tempfile.TemporaryDirectory() as folder:
        for name in sys.argv[3:] or PROBLEMS:
            compare(program, name, intervals, folder)


if __name__ == "__main__":
    main()
