"""Paths that need not be motions: actions, variations and forces against independent computations."""

import numpy
import pytest
import sympy
import xarray
from scipy.integrate import quad, solve_ivp

import herglotz as hz

t, q, v, z, gamma = sympy.symbols("t q v z gamma", real=True)
w1, w2, w3 = sympy.symbols("w1 w2 w3", real=True)
FIXED = t * (1 - t)  # vanishes at both ends of [0, 1]


def oscillator(**changes):
    return hz.System(hz.tangent([q], [v]), v**2 / 2 - q**2 / 2 - gamma * z, parameters={gamma: 0.3}, **changes)


def nonlinear():
    # L depends on the action and the velocity together, and on time.
    return hz.System(hz.tangent([q], [v]), v**2 * sympy.exp(z / 5) / 2 - sympy.cos(q) - z**2 / 10 + t * v)


def body(**changes):
    L = (w1**2 + 2 * w2**2 + 3 * w3**2) / 2 + w1 * w2 / 4 - gamma * z - z**2 / 8
    return hz.System(hz.lie_algebra([w1, w2, w3], "so3"), L, parameters={gamma: 0.2}, **changes)


def difference(f, h=2e-3):
    """f'(0) by a central difference of order 6."""
    return (45 * (f(h) - f(-h)) - 9 * (f(2 * h) - f(-2 * h)) + f(3 * h) - f(-3 * h)) / (60 * h)


def test_the_action_of_a_path_by_quadrature():
    # z' = L + gamma-term is linear in z, so that z(T) is an integral [ASC25, Eq. 6; LLMR21, Sec. 2.5].
    expected = quad(lambda s: numpy.exp(-0.3 * (2 - s)) * (numpy.cos(s)**2 - numpy.sin(s)**2) / 2, 0, 2, epsabs=1e-14)[0]
    assert oscillator().action_of({q: sympy.sin(t)}, t_end=2) == pytest.approx(expected, abs=1e-13)
    from_one = oscillator().action_of({"q": "sin(t)"}, z0=1.0, t_end=2)
    assert from_one == pytest.approx(expected + numpy.exp(-0.6), abs=1e-13)


def test_the_action_where_the_lagrangian_is_nonlinear_in_it():
    path = sympy.sin(2 * t) + t**2
    rate = sympy.lambdify((t, z), nonlinear().lagrangian.subs(v, path.diff(t)).subs(q, path))
    expected = solve_ivp(rate, (0.5, 2), [0.7], method="DOP853", rtol=1e-13, atol=1e-14).y[0, -1]
    assert nonlinear().action_of({q: path}, z0=0.7, t0=0.5, t_end=2) == pytest.approx(expected, abs=1e-11)


def test_a_path_with_a_kink_is_followed():
    # The action of q = |t - 1/3| has a jump of v at 1/3: z = int v^2/2 = T/2 where L is the kinetic energy.
    free = hz.System(hz.tangent([q], [v]), v**2 / 2)
    assert free.action_of({q: sympy.Abs(t - sympy.Rational(1, 3))}, t_end=1) == pytest.approx(0.5, abs=1e-12)


def test_the_first_variation_is_the_derivative_of_the_action():
    # On TM with any section, whose ends need not be fixed [ASC25, Thm 3.2].
    system, path, xi = nonlinear(), sympy.sin(t) + t**2 / 2, sympy.cos(3 * t) + t
    expected = difference(lambda e: system.action_of({q: path + e * xi}, t_end=1.5))
    assert system.first_variation({q: path}, [xi], t_end=1.5) == pytest.approx(expected, abs=1e-10)


def test_the_first_variation_on_a_lie_algebra_deforms_paths_of_the_group():
    # R exp(e f e1) has the body velocity exp(-e f e1) w + e f' e1: the variation is f' e1 + w x f e1 [ASC25, Ex. 3.6].
    system, f = body(), sympy.sin(2 * t)
    w = sympy.Matrix([sympy.cos(t), t, 1 - t**2 / 2])

    def deformed(e):
        turn = sympy.Matrix([[1, 0, 0], [0, sympy.cos(e * f), sympy.sin(e * f)], [0, -sympy.sin(e * f), sympy.cos(e * f)]])
        return dict(zip((w1, w2, w3), turn * w + sympy.Matrix([e * f.diff(t), 0, 0])))

    assert system.admissible_variation(deformed(0), [f, 0, 0]) == {
        w1: 2 * sympy.cos(2 * t), w2: f * w[2], w3: -f * t}
    expected = difference(lambda e: system.action_of(deformed(e), t_end=1))
    assert system.first_variation(deformed(0), {"w1": f}, t_end=1) == pytest.approx(expected, abs=1e-10)


def test_the_first_variation_is_the_integral_of_the_operator():
    # delta z(T) = -int exp(-int_t^T L_z) xi^j (delta L)_j where xi vanishes at the ends [ASC25, Thm 3.2].
    system = body()
    path = {w1: sympy.cos(t), w2: t, w3: sympy.exp(-t)}
    xi = [FIXED, FIXED * t, FIXED**2]
    times = numpy.polynomial.legendre.leggauss(24)[0] / 2 + 0.5
    weights = numpy.polynomial.legendre.leggauss(24)[1] / 2
    forces = system.force_along(path, numpy.concatenate([[0.0], times]), z0=0.1).isel(t=slice(1, None))
    # The factor exp(int_t^1 L_z) = exp(-int (gamma + z/4)) by a scalar equation of its own.
    total = sympy.lambdify(t, sum(a * b for a, b in zip([1, 2, 3], [path[w]**2 / 2 for w in (w1, w2, w3)]))
                           + path[w1] * path[w2] / 4)
    flow = solve_ivp(lambda s, y: [total(s) - 0.2 * y[0] - y[0]**2 / 8, -(0.2 + y[0] / 4)], (0, 1), [0.1, 0.0],
                     method="DOP853", rtol=1e-13, atol=1e-14, dense_output=True)
    factor = numpy.exp(flow.y[1, -1] - flow.sol(times)[1])
    virtual = sum(numpy.array([float(s.subs(t, at)) for at in times]) * forces[str(w)].values
                  for s, w in zip(xi, (w1, w2, w3)))
    expected = -float(numpy.sum(weights * factor * virtual))
    assert system.first_variation(path, xi, z0=0.1, t_end=1) == pytest.approx(expected, abs=1e-10)


def test_the_operator_is_the_textbook_one():
    v_dot = sympy.Symbol("v_dot", real=True)
    (symbol, row), = oscillator().euler_lagrange().items()
    assert symbol == v
    assert sympy.simplify(row - (v_dot + q + gamma * v)) == 0
    # Undivided, also where the Hessian is singular: L = q v has the row -q' + v = 0, which vanishes identically.
    assert hz.System(hz.tangent([q], [v]), q * v).euler_lagrange()[v] == 0


@pytest.mark.parametrize("name", ["rigid-body", "heavy-top", "magnetic-nonuniform", "polar-hamel", "general-algebroid"])
def test_the_operator_vanishes_along_motions_of_every_algebroid(name):
    # dy/dt of the equations of motion put into the operator [ASC25, Eq. 7; GG08, Thm 4].
    system = hz.model(name)
    equations = system.equations()
    n, r = len(system.base), len(system.fibre)
    values = {s: sympy.Float(0.3 + 0.17 * k) for k, s in enumerate((*system.base, *system.fibre, system.action, system.time))}
    values |= {system.symbols[p]: sympy.Float(value) for p, value in system.parameters.items()}
    right = equations.rhs
    for symbol, value in reversed(equations.where.items()):
        right = right.subs(symbol, value)
    rates = {sympy.Symbol(f"{s.name}_dot", real=True): right[n + k].subs(values) for k, s in enumerate(system.fibre)}
    assert len(rates) == r
    for row in system.euler_lagrange().values():
        assert abs(row.subs(rates).subs(values)) < 1e-10


def test_the_force_along_a_path_makes_it_a_motion():
    # [GG08, 4.13]: the motion with that force is the path. On TM, and on so(3) from its own start.
    u = sympy.sin(t) + t / 2
    force = {v: u.diff(t, 2) + u + gamma * u.diff(t)}
    along = oscillator().force_along({q: u}, [0.2, 0.9])
    assert along.v.values == pytest.approx([float(force[v].subs({gamma: 0.3, t: s})) for s in (0.2, 0.9)], abs=1e-12)
    run = hz.simulate(oscillator(forces=force), {q: 0, v: 1.5}, t_end=2, tolerance=1e-12)
    assert abs(run.q.values - numpy.array([float(u.subs(t, s)) for s in run.t.values])).max() < 1e-9
    # With that force in the model no other one is needed.
    rest = oscillator(forces=force).force_along({q: u}, [0.2, 0.9])
    assert abs(rest.v.values).max() < 1e-13


def test_a_run_is_a_critical_point():
    # On so(3) [ASC25, Def. 3.1, Thm 3.2].
    system = body()
    run = hz.simulate(system, {"w1": 1, "w2": 0.5, "w3": -0.7, "z": 0.1}, t_end=1, tolerance=1e-13)
    xi = [FIXED, FIXED * t, FIXED**2]
    assert abs(system.first_variation(run, xi)) < 1e-10
    assert system.action_of(run) == pytest.approx(float(run.z[-1]), abs=1e-11)
    assert system.action_of(run, t_end=float(run.t[400])) == pytest.approx(float(run.z[400]), abs=1e-11)
    assert max(abs(column.values).max() for column in system.force_along(run).values()) < 1e-7
    # With another damping it is none: the force is gamma' - gamma times the momentum.
    run = hz.simulate(oscillator(), {q: 1.0}, t_end=1, tolerance=1e-13)
    assert abs(oscillator().force_along(run, parameters={gamma: 0.4}).v - 0.1 * run.v).max() < 1e-7


def test_along_a_nonholonomic_run_the_constraint_forces_are_needed():
    # lambda Phi_y [LLMR21, Thm 3; GG08, Eqs. 5.10-5.11].
    system = hz.model("skate-nonholonomic")
    run = hz.simulate(system, t_end=1, tolerance=1e-13)
    constraint, = system.constraints
    forces = system.force_along(run)
    for symbol in system.fibre:
        direction = sympy.lambdify([*system.base, *system.fibre], constraint.diff(symbol))
        expected = run.lambda1 * direction(*(run[s.name] for s in (*system.base, *system.fibre)))
        assert abs(forces[symbol.name] - expected).max() < 1e-7


def test_admissible_paths_on_an_action_algebroid():
    # Gamma turns by omega: Gamma' = Gamma x omega (docs/algebroids.md); the anchor leaves the spin about Gamma open
    # [ASC25, Def. 2.1; GG08, Eq. 2.6].
    system = hz.model("heavy-top")
    names = [s.name for s in (*system.base, *system.fibre)]
    circle = dict(zip(names, (sympy.sin(t), sympy.cos(t), 0, 0, 0, 1)))
    assert system.is_admissible(circle)
    assert not system.is_admissible({**circle, names[5]: 2})
    with pytest.raises(ValueError, match="not admissible"):
        system.action_of({**circle, names[5]: 2}, t_end=1)
    with pytest.raises(ValueError, match="the anchor does not give"):
        system.action_of(dict(zip(names[:3], (sympy.sin(t), sympy.cos(t), 0))), t_end=1)
    assert system.is_admissible(hz.simulate(system, t_end=1, tolerance=1e-12))


def test_the_anchor_gives_what_it_can():
    # Atiyah: base velocities from the base, vertical ones given; Hamel frames by their inverse.
    system = hz.model("magnetic-nonuniform")
    n = len(system.base)
    path = {s: sympy.sin((k + 1) * t) for k, s in enumerate(system.base)}
    given = {**path, **dict.fromkeys(system.fibre[n:], t)}
    full = {**given, **{u: path[x].diff(t) for x, u in zip(system.base, system.fibre)}}
    assert system.action_of(given, t_end=1) == pytest.approx(system.action_of(full, t_end=1), abs=1e-14)


def test_variations_along_a_run():
    system = oscillator()
    run = hz.simulate(system, {q: 1.0}, t_end=1, step=0.01)
    along = system.admissible_variation(run, [t * q])
    assert abs(along.q.values - run.t.values * run.q.values).max() < 1e-15
    assert abs(along.v.values - (run.q.values + run.t.values * run.v.values)).max() < 1e-9


@pytest.mark.parametrize(("call", "message"), [
    (lambda s: s.action_of({}, t_end=1), "lacks the base coordinate 'q'"),
    (lambda s: s.action_of({"q": "t", "x": "t"}, t_end=1), "unknown coordinate 'x'"),
    (lambda s: s.action_of({"q": "t*u"}, t_end=1), "unknown name 'u'"),
    (lambda s: s.action_of({"q": "t"}), "give t_end="),
    (lambda s: s.action_of({"q": "sqrt(t - 1)"}, t_end=2), "the path or its rate is not finite at t = 0"),
    (lambda s: s.action_of({"q": "1/(t - 1)"}, t_end=2), "the path or its rate is not finite at t = 1"),
    (lambda s: s.first_variation({"q": "t"}, [], t_end=1), "0 components; one for each of v"),
    (lambda s: s.admissible_variation({"q": "t"}, ()), "0 components; one for each of v"),
    (lambda s: s.is_admissible({"q": "t"}, tolerance=-1), "tolerance = -1.0; it must be at least 0"),
    (lambda s: s.force_along({"q": "t"}), "give times="),
    (lambda s: s.force_along({"q": "t"}, [1, 0.5]), "ascend"),
    (lambda s: s.first_variation({"q": "t"}, ["t", "t"], t_end=1), "2 components"),
    (lambda s: s.first_variation({"q": "t"}, {"u": "t"}, t_end=1), "the section: unknown fibre coordinate 'u'"),
])
def test_bad_paths_are_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call(oscillator())


def test_other_refusals():
    with pytest.raises(TypeError, match="a mapping of coordinates"):
        oscillator().action_of("sin(t)", t_end=1)
    hamiltonian = hz.System(hz.tangent([q], [v]), hamiltonian="p_v^2/2")
    with pytest.raises(ValueError, match="has a Hamiltonian"):
        hamiltonian.euler_lagrange()
    run = hz.simulate(oscillator(), {q: 1.0}, t_end=1, step=0.01)
    with pytest.raises(ValueError, match="goes from 0.0 to 1.0"):
        oscillator().action_of(run, t_end=2)
    with pytest.raises(ValueError, match="no column 'v'"):
        oscillator().action_of(run.drop_vars("v"))
    with pytest.raises(TypeError, match="the section is None, where a component"):
        oscillator().first_variation(run, None)


def test_samples_of_a_path_that_is_not_admissible_have_no_action():
    # [ASC25, Def. 2.1]: dx/dt = rho y. A velocity that is not the rate of its position gave an action all the same.
    times = numpy.linspace(0, 1, 50)
    made = {name: xarray.Dataset({"q": ("t", numpy.sin(times)), "v": ("t", rate)}, coords={"t": times})
            for name, rate in (("right", numpy.cos(times)), ("wrong", numpy.zeros(50)))}
    system = oscillator()
    assert system.action_of(made["right"]) == pytest.approx(system.action_of({q: sympy.sin(t)}, t_end=1), abs=1e-12)
    for call in (lambda path: system.action_of(path), lambda path: system.first_variation(path, [t]), system.force_along):
        with pytest.raises(ValueError, match="not those of an admissible path: dx/dt - rho y reaches 1 of the velocities"):
            call(made["wrong"])


def test_variations_and_constraints_ljl21_equation_55():
    blade = hz.model("chaplygin-sleigh")
    t = blade.time
    # Along the blade the section has values in D, so that it is one of the nonholonomic rule; the varied paths slip.
    section = ["sin(t)*cos(phi)", "sin(t)*sin(phi)", "t"]
    found = blade.constraint_variation({"x": "t", "y": 0, "phi": 0}, section)
    assert found == {"nonholonomic": [0], "vakonomic": [t]}
    run = hz.simulate(blade, t_end=1, tolerance=1e-12)
    along = blade.constraint_variation(run, section)
    assert abs(along["nonholonomic"][0]).max() < 1e-14
    # d(delta Phi) by differences of the varied run.
    moved, e = blade.admissible_variation(run, section), 1e-6
    ends = [{str(u): run[str(u)].values + s * moved[str(u)].values for u in (*blade.base, *blade.fibre)} for s in (e, -e)]
    Phi = [end["vx"] * numpy.sin(end["phi"]) - end["vy"] * numpy.cos(end["phi"]) for end in ends]
    assert along["vakonomic"][0] == pytest.approx((Phi[0] - Phi[1]) / (2 * e), abs=1e-9)
    with pytest.raises(ValueError, match="no constraints"):
        hz.model("damped-pendulum").constraint_variation({"theta": "t"}, ["t"])


def test_the_action_of_a_path_with_velocities_and_momenta_asc25_equation_28():
    t, q, v, z, gamma = sympy.symbols("t q v z gamma", real=True)
    system = hz.System(hz.tangent([q], [v]), v**2/2 - q**2/2 - gamma*z, parameters={gamma: 0.3})
    path = {q: sympy.sin(t)}
    plain = system.action_of(path, z0=0.1, t_end=2)
    assert system.pontryagin_action(path, [sympy.cos(t)], ["t^2"], z0=0.1, t_end=2) == pytest.approx(plain, abs=1e-14)

    def off(e, momentum):
        return system.pontryagin_action(path, [sympy.cos(t) + e*t], [momentum], z0=0.1, t_end=2) - plain

    # The derivative by v is int e^{-gamma (T - s)} (L_v - p) s ds: zero for p = L_v.
    e, weight = 1e-4, quad(lambda s: numpy.exp(-0.3*(2 - s))*numpy.cos(s)*s, 0, 2)[0]
    assert (off(e, sympy.cos(t)) - off(-e, sympy.cos(t))) / (2*e) == pytest.approx(0, abs=1e-10)
    assert (off(e, 0) - off(-e, 0)) / (2*e) == pytest.approx(weight, abs=1e-8)
    # On a Lie algebra, where y itself is the path.
    body = hz.model("rigid-body")
    spin = dict(zip(body.fibre, [sympy.sin(t), sympy.cos(t), t]))
    found = body.pontryagin_action(spin, list(spin.values()), [1, t, 2], t_end=1)
    assert found == pytest.approx(body.action_of(spin, t_end=1), abs=1e-14)


def test_samples_are_a_path():
    t, q, v, gamma, z = sympy.symbols("t q v gamma z", real=True)
    system = hz.System(hz.tangent([q], [v]), v**2/2 - q**2/2 - gamma*z, parameters={gamma: 0.3})
    times = numpy.linspace(0, 2, 201)
    samples = xarray.Dataset({"q": ("t", numpy.sin(times)), "v": ("t", numpy.cos(times))}, coords={"t": times})
    assert system.action_of(samples) == pytest.approx(system.action_of({q: sympy.sin(t)}, t_end=2), abs=1e-13)
