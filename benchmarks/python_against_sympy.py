"""Derivation and 100 000 steps of five models: herglotz against SymPy's LagrangesMethod with SciPy, or with NumPy.

usage: python benchmarks/python_against_sympy.py RESULTS.json [WORD]     WORD: only the models whose name holds it

Everybody starts from a Lagrangian and ends with rows of the same motion; all that lies between counts: derivation,
compilation (or lambdify), steps. herglotz and the loop in NumPy store 1001 rows, which is herglotz's default; solve_ivp stores
all, which costs it less than choosing some. herglotz also integrates the action and the balance laws, evaluates energies and
residuals in every row, and hands over a dataset. Besides, herglotz and solve_ivp with an error of 1e-8 at the end, in as few
steps as they like. Times are of the processor, on one thread.
"""

import dataclasses
import json
import statistics
import sys
import time
from collections.abc import Callable

import numpy
import scipy.integrate
import sympy
from sympy.physics import mechanics

import herglotz as hz

STEPS = 100_000
EVERY = 100  # steps for each row that is stored
REPETITIONS = 5
ERROR = 1e-8


@dataclasses.dataclass
class Case:
    name: str
    t_end: float
    system: Callable[[], hz.System]
    by_sympy: Callable[[], tuple[mechanics.LagrangesMethod, list]]


def chain(masses, lengths, g, gamma):
    """Point masses at the ends of massless rods, angles from the vertical, drag -gamma m v at each."""
    frame = mechanics.ReferenceFrame("N")
    q = list(mechanics.dynamicsymbols(f"q:{len(masses)}"))
    place, potential, particles, forces = 0 * frame.x, 0, [], []
    for k, (m, l) in enumerate(zip(masses, lengths)):
        place += l * (sympy.sin(q[k]) * frame.x - sympy.cos(q[k]) * frame.y)
        point = mechanics.Point(f"P{k}")
        point.set_vel(frame, place.dt(frame))
        particles.append(mechanics.Particle(f"p{k}", point, m))
        particles[-1].potential_energy = m * g * place.dot(frame.y)
        forces.append((point, -gamma * m * point.vel(frame)))
    return mechanics.LagrangesMethod(mechanics.Lagrangian(frame, *particles), q, forcelist=forces, frame=frame), q


def kepler():
    p = hz.model("kepler-drag").parameters
    frame, point = mechanics.ReferenceFrame("N"), mechanics.Point("P")
    q = x, y = list(mechanics.dynamicsymbols("x y"))
    point.set_vel(frame, (x * frame.x + y * frame.y).dt(frame))
    body = mechanics.Particle("p", point, 1)
    body.potential_energy = -p["mu"] / sympy.sqrt(x**2 + y**2)
    forces = [(point, -p["gamma"] * point.vel(frame))]
    return mechanics.LagrangesMethod(mechanics.Lagrangian(frame, body), q, forcelist=forces, frame=frame), q


def rolling_disk():
    p = hz.model("rolling-disk").parameters
    frame, centre = mechanics.ReferenceFrame("N"), mechanics.Point("C")
    q = x, y, th, ph = list(mechanics.dynamicsymbols("x y th ph"))
    vx, vy, vth, vph = [c.diff(mechanics.dynamicsymbols._t) for c in q]
    heading = frame.orientnew("A", "Axis", (ph, frame.z))
    disk = heading.orientnew("B", "Axis", (th, heading.y))
    centre.set_vel(frame, vx * frame.x + vy * frame.y)
    lagrangian = (p["m"] * (vx**2 + vy**2) + p["I"] * vth**2 + p["J"] * vph**2) / 2
    forces = [(centre, -p["gamma"] * p["m"] * centre.vel(frame)),
              (disk, -p["gamma"] * (p["I"] * vth * heading.y + p["J"] * vph * frame.z))]
    rolling = [vx - p["R"] * vth * sympy.cos(ph), vy - p["R"] * vth * sympy.sin(ph)]
    return mechanics.LagrangesMethod(lagrangian, q, forcelist=forces, frame=frame, nonhol_coneqs=rolling), q


def double_pendulum():
    p = hz.model("double-pendulum").parameters
    return chain((p["m1"], p["m2"]), (p["l1"], p["l2"]), p["g"], p["gamma"])


def pendulum():
    p = hz.model("damped-pendulum").parameters
    return chain((p["m"],), (p["l"],), p["g"], p["gamma"])


def five_links():
    """Five unit masses on unit rods."""
    q, v = ([f"{letter}{k}" for k in range(1, 6)] for letter in "qv")
    kinetic = [f"{5 - max(i, j)}*{v[i]}*{v[j]}*cos({q[i]} - {q[j]})/2" for i in range(5) for j in range(5)]
    potential = [f"-{5 - i}*9.81*cos({q[i]})" for i in range(5)]
    return hz.System(hz.tangent(q, v),
                     f"{' + '.join(kinetic)} - ({' + '.join(potential)}) - gamma*z", parameters={"gamma": 0.1},
                     initial={"q1": 0.4, "q2": 0.5, "q3": 0.6, "q4": 0.7, "q5": 0.8})


CASES = [
    Case("damped-pendulum", 40, lambda: hz.model("damped-pendulum"), pendulum),
    Case("double-pendulum", 4, lambda: hz.model("double-pendulum"), double_pendulum),
    Case("kepler-drag", 60, lambda: hz.model("kepler-drag"), kepler),
    Case("rolling-disk", 20, lambda: hz.model("rolling-disk"), rolling_disk),
    Case("five-link-pendulum", 10, five_links, lambda: chain([1] * 5, [1] * 5, 9.81, 0.1)),
]


def right_hand_side(method, q):
    """f(t, u) of u = (q, dq/dt) by SymPy and lambdify: mass matrix (with the constraints' rows) and forcing, solved."""
    n = len(q)
    method.form_lagranges_equations()
    rates = [c.diff(mechanics.dynamicsymbols._t) for c in q]
    plain = {f: sympy.Symbol(f"u{k}") for k, f in enumerate((*rates, *q))}
    matrix, forcing = (sympy.Matrix(m).xreplace(plain) for m in (method.mass_matrix_full[n:, n:],
                                                                 method.forcing_full[n:, :]))
    evaluate = sympy.lambdify([[plain[f] for f in (*q, *rates)]], [matrix, forcing], cse=True)

    def f(_, u):
        mass, force = evaluate(u)
        return numpy.concatenate((u[n:], numpy.linalg.solve(mass, force[:, 0])[:n]))
    return f


def runge_kutta(f, u, t_end):
    """The classical method of order 4 with equal steps."""
    h = t_end / STEPS
    rows = numpy.empty((STEPS // EVERY + 1, len(u)))
    rows[0] = u
    for k in range(STEPS):
        a = f(0, u)
        b = f(0, u + h / 2 * a)
        c = f(0, u + h / 2 * b)
        d = f(0, u + h * c)
        u = u + h / 6 * (a + 2 * b + 2 * c + d)
        if (k + 1) % EVERY == 0:
            rows[(k + 1) // EVERY] = u
    return rows[-1]


def solve_ivp(f, u, t_end, **settings):
    run = scipy.integrate.solve_ivp(f, (0, t_end), u, **settings)
    if not run.success:
        raise RuntimeError(run.message)
    return run.y[:, -1]


def equal_steps(f, u, t_end):
    """solve_ivp in STEPS steps: its tolerance never asks for shorter ones."""
    h = t_end / STEPS
    return solve_ivp(f, u, t_end, method="RK45", first_step=h, max_step=h, rtol=1e3, atol=1e3)


def by_sympy(case, start, integrate):
    """Seconds of everything, of the derivation with lambdify alone, and the state at the end."""
    sympy.core.cache.clear_cache()
    began = time.process_time()
    f = right_hand_side(*case.by_sympy())
    derived = time.process_time()
    end = integrate(f, start, case.t_end)
    return time.process_time() - began, derived - began, end


def by_herglotz(case, **settings):
    """Seconds of everything, and the state at the end."""
    began = time.process_time()
    run = hz.simulate(case.system(), t_end=case.t_end, **settings)
    seconds = time.process_time() - began
    return seconds, numpy.array([run[name].values[-1] for name in (*run.hz.names("base"), *run.hz.names("fibre"))])


def as_accurate(attempt, truth):
    """The first of ever smaller tolerances with an error of at most ERROR at the end, and what was measured with it."""
    for digits in range(5, 14):
        measured = attempt(10.0**-digits)
        if abs(measured[-1] - truth).max() <= ERROR:
            return 10.0**-digits, measured
    raise RuntimeError(f"no tolerance gives an error of {ERROR}")


def measure(case):
    start = hz.run(case.system(), t_end=0.0, step=1.0)
    u = numpy.array([start[name][0] for name in (*start.names("base"), *start.names("fibre"))])
    _, truth = by_herglotz(case, method="reference", tolerance=1e-13)
    ours = [by_herglotz(case, method="contact-gauss-4", step=case.t_end / STEPS, output_every=EVERY)
            for _ in range(REPETITIONS)]
    scipy_seconds, derivation, scipy_end = by_sympy(case, u, equal_steps)
    numpy_seconds, _, numpy_end = by_sympy(case, u, runge_kutta)

    tolerance, _ = as_accurate(lambda t: by_herglotz(case, method="reference", tolerance=t), truth)
    ours_adaptive = [by_herglotz(case, method="reference", tolerance=tolerance)[0] for _ in range(REPETITIONS)]
    _, (dop_seconds, _, _) = as_accurate(lambda t: by_sympy(
        case, u, lambda f, v, t_end: solve_ivp(f, v, t_end, method="DOP853", rtol=t, atol=t)), truth)
    end = ours[0][1]
    return [{"name": f"derive_and_run/{case.name}", "run_type": "iteration", "herglotz": seconds,
             "derivation_by_sympy": derivation, "scipy": scipy_seconds, "numpy": numpy_seconds,
             "against_scipy": scipy_seconds / seconds, "against_numpy": numpy_seconds / seconds,
             "herglotz_equal_error": adaptive, "scipy_equal_error": dop_seconds,
             "equal_error": dop_seconds / adaptive, "difference_scipy": float(abs(end - scipy_end).max()),
             "difference_numpy": float(abs(end - numpy_end).max()), "error": float(abs(end - truth).max())}
            for (seconds, _), adaptive in zip(ours, ours_adaptive)]


def main():
    word = sys.argv[2] if len(sys.argv) > 2 else ""
    print("| model | herglotz | LagrangesMethod alone | + solve_ivp | ratio | + RK4 in NumPy | ratio | ends differ by | "
          "error of herglotz | at equal error: herglotz | + DOP853 | ratio |")
    print("|---|" + "---:|" * 11)
    entries = []
    for case in CASES:
        if word not in case.name:
            continue
        measured = measure(case)
        entries += measured
        m = {key: statistics.median(entry[key] for entry in measured) for key in measured[0]
             if key not in ("name", "run_type")}
        print(f"| {case.name} | {1e3 * m['herglotz']:.0f} ms | {m['derivation_by_sympy']:.2f} s | {m['scipy']:.1f} s "
              f"| {m['against_scipy']:.0f} | {m['numpy']:.1f} s | {m['against_numpy']:.0f} "
              f"| {max(m['difference_scipy'], m['difference_numpy']):.0e} | {m['error']:.0e} "
              f"| {1e3 * m['herglotz_equal_error']:.0f} ms | {1e3 * m['scipy_equal_error']:.0f} ms "
              f"| {m['equal_error']:.0f} |", flush=True)
    with open(sys.argv[1], "w", encoding="utf-8") as file:
        json.dump({"benchmarks": entries}, file, indent=1)


if __name__ == "__main__":
    main()
