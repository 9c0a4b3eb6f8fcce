"""Theorems and examples of the papers that no other file of tests is about, each by its number."""

import numpy
import pytest
import sympy
from scipy.integrate import quad, solve_ivp

import herglotz as hz

t, x, y, vx, vy, z, gamma = sympy.symbols("t x y vx vy z gamma", real=True)
COUPLED = ((1 + z**2/10)*(vx**2 + vy**2)/2 + vx*vy*sympy.cos(y)/4 + vx*x*z/6 - (x**2 + y**2)**2/8 - z/5 - z**2/20)
START = {"x": 0.3, "y": -0.2, "vx": 0.4, "vy": 0.7, "z": 0.1}


@pytest.fixture(scope="module")
def coupled():
    """Velocities, positions and the action stand in products, so that no two derivatives of L are alike."""
    return hz.System(hz.tangent([x, y], [vx, vy]), COUPLED)


@pytest.fixture(scope="module")
def motion(coupled):
    return hz.simulate(coupled, START, t_end=1, tolerance=1e-13)


def difference(f, h=1e-2):
    """f'(0) by a central difference of order 6."""
    return (45*(f(h) - f(-h)) - 9*(f(2*h) - f(-2*h)) + f(3*h) - f(-3*h)) / (60*h)


def test_asmll20_theorem_2_1_paths_are_critical_exactly_where_they_satisfy_the_herglotz_equations(coupled, motion):
    sections = [[t*(1 - t), 0], [0, t*(1 - t)*sympy.exp(t)], [sympy.sin(3*sympy.pi*t), t**2*(1 - t)]]
    for section in sections:
        assert abs(coupled.first_variation(motion, section)) < 1e-12
    # A path between the same ends that is not a motion: T A (v) of Eq. 26 with the expression of Eq. 19, by quadrature.
    ends = [(float(motion[c].values[0]), float(motion[c].values[-1])) for c in ("x", "y")]
    path = {q: a + (b - a)*t + t*(1 - t)/3 for q, (a, b) in zip((x, y), ends)}
    value = dict(zip((x, y, vx, vy), (*path.values(), *(one.diff(t) for one in path.values()))))
    speed = {vx: path[x].diff(t), vy: path[y].diff(t)}
    rate = sympy.lambdify((t, z), COUPLED.subs(value))
    damping = sympy.lambdify((t, z), COUPLED.diff(z).subs(value))
    flow = solve_ivp(lambda s, u: [rate(s, u[0]), damping(s, u[0])], (0, 1), [0.1, 0.0], method="DOP853", rtol=1e-13,
                     atol=1e-14, dense_output=True)
    expressions = []
    for q, v in ((x, vx), (y, vy)):
        p = COUPLED.diff(v)
        p_dot = (sum(p.diff(a)*speed[b] for a, b in ((x, vx), (y, vy)))
                 + sum(p.diff(b)*speed[b].diff(t) for b in (vx, vy)) + p.diff(z)*COUPLED)
        expressions.append(sympy.lambdify((t, z), (COUPLED.diff(q) - p_dot + p*COUPLED.diff(z)).subs(value)))
    for section in sections:
        parts = [sympy.lambdify(t, part) for part in section]

        def work(s, parts=parts):
            action, exponent = flow.sol(s)
            return numpy.exp(flow.y[1, -1] - exponent)*sum(v(s)*e(s, action) for v, e in zip(parts, expressions))

        expected = quad(work, 0, 1, epsabs=1e-13)[0]
        assert abs(expected) > 1e-2
        assert coupled.first_variation(path, section, z0=0.1, t_end=1) == pytest.approx(expected, abs=1e-11)
    # Eqs. 27-29: d z(1)/d z0 = 1/sigma(1).
    slope = difference(lambda e: coupled.action_of(path, z0=0.1 + e, t_end=1))
    assert slope == pytest.approx(numpy.exp(flow.y[1, -1]), abs=1e-11)


def test_asmll20_lemma_4_2_the_ends_of_nonholonomic_motions_are_a_graph_over_the_contact_ones(coupled, motion):
    # The motions of L on T(Q x R) with z' = L under Chetaev's rule [Eqs. 54-58] end at (q1, z1); dz1 = p1 dq1 over (q0, z0).
    extended = coupled.extended("nonholonomic")
    assert extended.constraints and extended.rule == "nonholonomic"

    def end(dvx=0.0, dvy=0.0):
        run = hz.run(extended, {**START, "vx": START["vx"] + dvx, "vy": START["vy"] + dvy,
                                extended.fibre[-1].name: float(COUPLED.subs(
                                    {x: 0.3, y: -0.2, vx: 0.4 + dvx, vy: 0.7 + dvy, z: 0.1}))}, t_end=1, tolerance=1e-13)
        return numpy.array([run[c][-1] for c in ("x", "y", "z")])

    contact = coupled.contact_exponential([0.3, -0.2], [0.4, 0.7], 0.1, h=1.0)
    assert end() == pytest.approx([*contact.q1, motion.z.values[-1]], abs=1e-11)
    at = {symbol: float(motion[symbol.name].values[-1]) for symbol in (x, y, vx, vy, z)}
    p1 = [float(COUPLED.diff(v).subs(at)) for v in (vx, vy)]
    columns = numpy.array([difference(lambda e: end(dvx=e)), difference(lambda e: end(dvy=e))])
    assert columns[:, 2] == pytest.approx(columns[:, :2] @ p1, abs=1e-10)
    assert abs(columns[:, 2]).min() > 1e-2 and abs(numpy.linalg.det(columns[:, :2])) > 1e-2


def test_ljl21_theorem_1_momenta_are_darboux_coordinates_of_the_contact_form(coupled):
    # eta_L = dz - p_i dq^i in (q, p = L_v, z), which are coordinates where the Hessian is regular.
    eta = coupled.contact_form()
    p = [COUPLED.diff(v) for v in (vx, vy)]
    expected = dict(zip((x, y, vx, vy, z), (-p[0], -p[1], 0, 0, 1)))
    assert {s: sympy.simplify(eta[s] - expected[s]) for s in expected} == dict.fromkeys(expected, 0)
    # In them the Reeb field is d/dz: R(q) = R(p) = 0, R(z) = 1 [Eq. 11].
    reeb = coupled.reeb_field()
    point = {x: 0.3, y: -0.2, vx: 0.4, vy: 0.7, z: 0.1}
    for f, value in (*((one, 0) for one in (x, y, *p)), (z, 1)):
        assert float(sum(reeb[s]*f.diff(s) for s in reeb).subs(point)) == pytest.approx(value, abs=1e-14)
    assert abs(float(reeb[vx].subs(point))) > 1e-3


def sphere(V, **changes):
    theta, phi, a, b = sympy.symbols("theta phi a b", real=True)
    return hz.System(hz.tangent([theta, phi], [a, b]), a**2/2 + sympy.sin(theta)**2*b**2/2 - V(theta, phi) - gamma*z,
                     parameters={gamma: 0.3}, **changes), (theta, phi, a, b)


def test_asc25_example_4_2_the_energy_of_rayleigh_damping_decays_as_the_factor():
    system, _ = sphere(lambda theta, phi: sympy.cos(theta) + phi*sympy.sin(theta)/5)
    run = hz.simulate(system, {"theta": 1.0, "b": 1.2, "a": 0.4, "z": 0.25}, t_end=3, tolerance=1e-13)
    kinetic = run.a**2/2 + numpy.sin(run.theta)**2*run.b**2/2
    energy = kinetic + numpy.cos(run.theta) + run.phi*numpy.sin(run.theta)/5 + 0.3*run.z
    assert abs(energy - energy.values[0]*numpy.exp(-0.3*run.t)).max() < 1e-11
    assert abs(run.energy - energy).max() < 1e-12
    # The kinetic energy alone does not.
    assert abs(kinetic - kinetic.values[0]*numpy.exp(-0.3*run.t)).max() > 0.1


def test_asc25_example_6_5_damped_newton_equations_have_the_levi_civita_connection():
    system, (theta, phi, a, b) = sphere(lambda theta, phi: sympy.cos(theta) + phi*sympy.sin(theta)/5)
    cot = sympy.cos(theta)/sympy.sin(theta)
    V = sympy.cos(theta) + phi*sympy.sin(theta)/5
    # nabla_q' q' = -grad V - gamma q' on the sphere, with its Christoffel symbols by hand.
    right = sympy.lambdify((theta, phi, a, b), [a, b, sympy.sin(theta)*sympy.cos(theta)*b**2 - V.diff(theta) - a*3/10,
                                                -2*cot*a*b - V.diff(phi)/sympy.sin(theta)**2 - b*3/10])
    flow = solve_ivp(lambda _, u: right(*u), (0, 3), [1.0, 0.0, 0.4, 1.2], method="DOP853", rtol=1e-13, atol=1e-14)
    run = hz.run(system, {"theta": 1.0, "a": 0.4, "b": 1.2}, t_end=3, tolerance=1e-13)
    assert [run[c][-1] for c in ("theta", "phi", "a", "b")] == pytest.approx(flow.y[:, -1], abs=1e-11)
    # The intrinsic equation (30) with the Levi-Civita connection, for which dL_hor = -dV, is that equation lowered.
    christoffel = [[[0, 0], [0, -sympy.sin(theta)*sympy.cos(theta)]], [[0, cot], [cot, 0]]]
    horizontal = system.connection(christoffel).horizontal_part()
    assert [sympy.simplify(horizontal[s] + V.diff(s)) for s in (theta, phi)] == [0, 0]
    flat = system.connection().horizontal_part()
    assert sympy.simplify(flat[theta] - sympy.sin(theta)*sympy.cos(theta)*b**2 + V.diff(theta)) == 0


def test_asc25_example_6_6_euler_poincare_herglotz_by_the_adjoint_representation():
    w1, w2, w3 = sympy.symbols("w1 w2 w3", real=True)
    L = (w1**2 + 2*w2**2 + 3*w3**2)/2 + w1*w2*z/4 - z/5 - z**2/8
    system = hz.System(hz.lie_algebra([w1, w2, w3], "so3"), L)
    slopes = sympy.lambdify((w1, w2, w3, z), [*(L.diff(w) for w in (w1, w2, w3)), L.diff(z), L])
    W = sympy.lambdify((w1, w2, w3, z), sympy.hessian(L, (w1, w2, w3)))
    mixed = sympy.lambdify((w1, w2, w3, z), [L.diff(w, z) for w in (w1, w2, w3)])

    def field(_, u):
        # mu' = ad*_xi mu + l_z mu with <ad*_xi mu, eta> = <mu, [xi, eta]> = <mu x xi, eta>.
        xi = numpy.array(u[:3])
        *mu, l_z, value = slopes(*u)
        mu_dot = numpy.cross(mu, xi) + l_z*numpy.array(mu)
        return [*numpy.linalg.solve(W(*u), mu_dot - numpy.array(mixed(*u))*value), value]

    flow = solve_ivp(field, (0, 2), [1, 0.5, -0.7, 0.1], method="DOP853", rtol=1e-13, atol=1e-14)
    run = hz.run(system, {"w1": 1, "w2": 0.5, "w3": -0.7, "z": 0.1}, t_end=2, tolerance=1e-13)
    assert [run[c][-1] for c in ("w1", "w2", "w3", "z")] == pytest.approx(flow.y[:, -1], abs=1e-11)
    # nabla-bar of the trivial connection is ad.
    bar = system.connection().nabla_bar([1, 0, 0], [0, 1, 0])
    assert list(bar.values()) == [0, 0, 1]


def test_gg08_example_1_a_sphere_without_friction_moves_freely_and_spins_uniformly():
    plane = hz.tangent(["x", "y"], ["vx", "vy"])
    system = hz.System(hz.product(plane, hz.lie_algebra(["w1", "w2", "w3"], "so3")),
                       "m*(vx^2 + vy^2 + k^2*(w1^2 + w2^2 + w3^2))/2", parameters={"m": 2, "k": 0.4})
    start = {"x": 1, "vx": 0.3, "vy": -0.2, "w1": 1, "w2": 2, "w3": 3}
    run = hz.run(system, start, t_end=5, tolerance=1e-13)
    assert run["x"][-1] == pytest.approx(1 + 5*0.3, abs=1e-12)
    assert [run[c][-1] for c in ("vx", "vy", "w1", "w2", "w3")] == pytest.approx([0.3, -0.2, 1, 2, 3], abs=1e-13)
    # Of a body with three moments the free dynamics turns: mu' = mu x omega [Ex. 1b].
    turned = hz.run(system.replace(lagrangian="m*(vx^2 + vy^2 + w1^2 + 2*w2^2 + 3*w3^2)/2"), start, t_end=1, tolerance=1e-13)
    flow = solve_ivp(lambda _, w: numpy.cross([w[0], 2*w[1], 3*w[2]], w)/numpy.array([1, 2, 3]), (0, 1), [1, 2, 3],
                     method="DOP853", rtol=1e-13, atol=1e-14)
    assert [turned[c][-1] for c in ("w1", "w2", "w3")] == pytest.approx(flow.y[:, -1], abs=1e-11)
