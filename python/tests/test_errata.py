"""What docs/errata.md says of the papers, each entry by a computation of its own."""

import numpy
import pytest
import sympy

import herglotz as hz

t, q, v, z, gamma = sympy.symbols("t q v z gamma", real=True)
w1, w2, w3 = sympy.symbols("w1 w2 w3", real=True)


def wong():
    """Kinetic energy on the Atiyah algebroid of R^2 x SO(3) with a connection that is not flat [ASC25, Exs. 3.9, 4.7]."""
    names = ["x1", "x2"], ["u1", "u2", "v1", "v2", "v3"]
    connection = [["x2/5", "x1/10", "3/10"], ["1/10*x1", "-x2^2/5", "x1*x2/7"]]
    start = {"x1": 0.3, "x2": -0.2, "u1": 0.8, "u2": 0.6, "v1": 0.7, "v2": 0.5, "v3": 1.1}
    return hz.System(hz.atiyah(*names, connection, group="so3"), "(u1^2 + u2^2 + v1^2 + v2^2 + v3^2)/2 - gamma*z",
                     parameters={"gamma": 0.1}, initial=start,
                     dissipated={"J1": "p_v1", "size": "sqrt(p_v1^2 + p_v2^2 + p_v3^2)"},
                     observables={"kinetic": "energy - gamma*z"})


def test_asc25_example_3_9_the_metric_is_invariant_with_a_minus():
    # c_AB^D k_DE = -c_AE^D k_DB for the bi-invariant k of so(3); printed without the sign.
    c = hz.System(hz.lie_algebra([w1, w2, w3], "so3"), w1**2 + w2**2 + w3**2).structure
    for a in range(3):
        for b in range(3):
            for e in range(3):
                assert c[e, a, b] == -c[b, a, e]
    assert c[2, 0, 1] == 1


def test_asc25_example_4_7_only_the_size_of_the_charge_is_dissipated():
    # Printed: k(v, eta) for every constant eta. {E, v1} does not vanish for a connection that is not flat; {E, |v|} does.
    check = wong().check()
    assert not check.brackets["J1"]["holds"]
    assert check.brackets["size"]["holds"]
    run = hz.simulate(wong(), t_end=3, tolerance=1e-12)
    assert abs(run["dissipated_invariant.size"] / run["dissipated_invariant.size"][0] - 1).max() < 1e-10
    assert abs(run["dissipated_invariant.J1"] - 0.7).max() > 0.05


def test_asc25_example_4_7_the_kinetic_energy_decays_twice_as_fast():
    # E = K + gamma z decays as exp(-gamma t), K as exp(-2 gamma t); printed as one.
    run = hz.simulate(wong(), t_end=3, tolerance=1e-12)
    assert abs(run.energy * numpy.exp(0.1 * run.t) / run.energy[0] - 1).max() < 1e-10
    assert abs(run.kinetic * numpy.exp(0.2 * run.t) / run.kinetic[0] - 1).max() < 1e-10


@pytest.mark.parametrize(("sign", "axioms"), [(1, True), (-1, False)])
def test_asc25_example_3_7_the_generators_of_a_left_action_need_a_minus(sign, axioms):
    # With [(x, a), (x, b)] = (x, [a, b]) the anchor of row a is -(e_a x x): x' = x x w. Printed without the sign, it is no
    # homomorphism: the left action of SO(3) on R^3 reverses brackets.
    x = sympy.Matrix(sympy.symbols("x1 x2 x3", real=True))
    rows = [list(sign * x.cross(sympy.Matrix([int(a == k) for k in range(3)]))) for a in range(3)]
    system = hz.System(hz.action(list(x), [w1, w2, w3], rows, group="so3"), w1**2 + w2**2 + w3**2, initial={"x1": 1})
    assert (system.check().axioms["anchor"] < 1e-9) == axioms


def test_asc25_definition_3_1_fixed_ends_of_the_base_are_not_enough():
    # Over a point every variation fixes the ends of the base, and the action of a motion still varies where the section
    # does not vanish at the ends; with a section that does it is stationary.
    system = hz.System(hz.lie_algebra([w1, w2, w3], "so3"), (w1**2 + 2 * w2**2 + 3 * w3**2) / 2 - z / 5)
    run = hz.simulate(system, {"w1": 1, "w2": 0.5, "w3": -0.7}, t_end=1, tolerance=1e-12)
    assert abs(system.first_variation(run, [t, 0, 0])) > 0.1
    assert abs(system.first_variation(run, [t * (1 - t), 0, 0])) < 1e-10


def test_asc25_equation_18_has_a_half():
    # L = g(q) v^2/2: dp/dt = g' v^2/2 + ..; printed without 1/2.
    g = 2 + sympy.cos(q)
    row = hz.System(hz.tangent([q], [v]), g * v**2 / 2).euler_lagrange()[v]
    v_dot = sympy.Symbol("v_dot", real=True)
    assert sympy.simplify(row - (g * v_dot + g.diff(q) * v**2 - g.diff(q) * v**2 / 2)) == 0


def test_asc25_example_6_7_a_charge_needs_a_quadratic_term():
    # L linear in u: the row of u is gamma e, so that 0 = -gamma e; printed as an equation of motion.
    u = sympy.Symbol("u", real=True)
    e = sympy.Symbol("e", real=True)
    system = hz.System(hz.atiyah([q], [v, u], [["q"]], group="abelian"), v**2 / 2 + e * u - gamma * z,
                       parameters={e: 1.0, gamma: 0.1})
    assert sympy.simplify(system.euler_lagrange()[u] - gamma * e) == 0


def test_llmr21_section_4_3_damping_needs_a_negative_delta():
    # L = K + delta z: p' = delta p grows for delta > 0.
    delta = sympy.Symbol("delta", real=True)
    system = hz.System(hz.tangent([q], [v]), v**2 / 2 + delta * z, parameters={delta: 0.5})
    run = hz.simulate(system, {"v": 1.0}, t_end=1, tolerance=1e-12)
    assert float(run.v[-1]) == pytest.approx(numpy.exp(0.5), abs=1e-10)


def test_llmr21_equations_3_and_5_the_signs_of_the_mixed_terms():
    # L = (1 + q^2) v^2 exp(s)/2 has (1 + q^2)(B + v L/... ): the row is exp(s) ((1 + q^2) B + q v^2 + ..), printed with -3 q v^2.
    s = sympy.Symbol("s", real=True)
    L = (1 + q**2) * v**2 * sympy.exp(s) / 2
    row = hz.System(hz.tangent([q], [v]), L, action="s").euler_lagrange()[v]
    v_dot = sympy.Symbol("v_dot", real=True)
    p = sympy.diff(L, v)
    expected = p.diff(v) * v_dot + p.diff(q) * v + p.diff(s) * L - L.diff(q) - L.diff(s) * p
    assert sympy.simplify(row - expected) == 0
    assert sympy.simplify(row * sympy.exp(-s) - ((1 + q**2) * v_dot + q * v**2)) == 0


def test_gg08_theorem_1_the_left_anchor_has_a_minus():
    # Of the bracket of functions on E* with {iota(X), iota(Y)} = iota([X, Y]) and {iota(X), f} = rho(X) f:
    # {f, iota(X)} = -sigma(X) f by the Leibniz rule in the other entry; printed without the sign.
    x, a = sympy.symbols("x a", real=True)
    system = hz.System(hz.custom([x], [a], [[1 + x**2]], {}, right_anchor=[[3 * x]]), hamiltonian="p_a^2/2")
    momentum, = system.momenta
    assert sympy.expand(system.bracket(momentum, x) - (1 + x**2)) == 0
    assert sympy.expand(system.bracket(x, momentum) + 3 * x) == 0


def test_gg08_example_4_the_second_constraint_has_x():
    # The ball on a turning table: the point of contact moves with the table, whose velocity there is Omega (-y, x).
    constraints = [sympy.expand(c) for c in hz.model("ball-on-rotating-table").constraints]
    system = hz.model("ball-on-rotating-table")
    x, y = system.symbols["x"], system.symbols["y"]
    assert any(c.has(x) and not c.has(y) for c in constraints)
    assert any(c.has(y) and not c.has(x) for c in constraints)


def test_asmll20_equation_78_and_64_agree_with_a_plus():
    # D_z L_d^e = exp(-gamma h) - 1 (printed gamma is ours with the other sign): the term of z0 in Eq. 78 is its multiple.
    system = hz.System(hz.tangent([q], [v]), v**2 / 2 - q**2 / 2 - gamma * z, parameters={gamma: 0.3})
    at = [system.exact_discrete_lagrangian(1.0, 1.1, z0, h=0.2) for z0 in (0.0, 1.0)]
    assert at[1].value - at[0].value == pytest.approx(numpy.exp(-0.3 * 0.2) - 1, abs=1e-12)
    assert at[0].Dz == pytest.approx(numpy.exp(-0.3 * 0.2) - 1, abs=1e-12)


def test_asmll20_equation_9_the_factor_is_an_exponential_of_the_integral():
    # sigma_t = exp(int a): for constant a it is exp(a t); printed t exp(a).
    run = hz.simulate(hz.System(hz.tangent([q], [v]), v**2 / 2 - gamma * z, parameters={gamma: 0.3}), {"v": 1.0}, t_end=2,
                      tolerance=1e-12)
    assert float(run.integrating_factor[-1]) == pytest.approx(numpy.exp(0.6), abs=1e-10)
