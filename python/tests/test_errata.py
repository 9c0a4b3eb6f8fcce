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


def test_asmll20_equation_52_has_the_other_sign_than_equation_34():
    # J_d = eta^-(xi) = D1 L_d/sigma_d . xi is -p0 . xi, where J_L = -eta_L(xi) = p . xi.
    system = hz.model("discrete-free-particle")
    rows = {str(left): right for section in system.discrete_equations().values() for left, right in section.rows}
    assert rows["eta_minus_q0"] != 0
    assert sympy.simplify(rows["eta_minus_q0"] + rows["p_v_0"]) == 0
    prolongation = system.prolongation()
    assert -prolongation.contact_form()[0] == system.legendre()[system.momenta[0]]


def test_asmll20_equation_9_the_factor_is_an_exponential_of_the_integral():
    # sigma_t = exp(int a): for constant a it is exp(a t); printed t exp(a).
    run = hz.simulate(hz.System(hz.tangent([q], [v]), v**2 / 2 - gamma * z, parameters={gamma: 0.3}), {"v": 1.0}, t_end=2,
                      tolerance=1e-12)
    assert float(run.integrating_factor[-1]) == pytest.approx(numpy.exp(0.6), abs=1e-10)


@pytest.mark.parametrize("left", [False, True])
def test_asc25_example_4_8_the_generator_that_goes_with_the_bracket_is_r_xi(left):
    # Printed: xi_Q of left multiplication, which is xi R, and "= R xi" in the next line. Only R xi is a homomorphism.
    R = sympy.Matrix(3, 3, sympy.symbols("r1:4(1:4)", real=True))
    hats = [sympy.Matrix(3, 3, lambda i, j, a=a: -sympy.LeviCivita(a, i, j)) for a in range(3)]
    rows = [list(hat * R if left else R * hat) for hat in hats]
    start = {str(R[k, k]): 1 for k in range(3)}
    system = hz.System(hz.action(list(R), [w1, w2, w3], rows, group="so3"), w1**2 + w2**2 + w3**2, initial=start)
    assert (system.check().axioms["anchor"] < 1e-9) == (not left)


def test_asc25_example_4_8_the_entropy_rises_at_first_only_and_viscosity_damps_nothing():
    # With T the kinetic energy of Pi, T' = -2 T0 T and S' = T - U0 - T0 S, so that S tends to -U0/T0; printed: S increases.
    system = hz.model("thermoviscous-body")
    p = system.parameters
    run = hz.simulate(system, t_end=5, tolerance=1e-12)
    decay = numpy.exp(-p["T0"] * run.t)
    total = float(run.kinetic_energy[0] + p["visc"] / (2 * p["T0"]) * (run.w1**2 + run.w2**2 + run.w3**2)[0])
    S = decay * run.S[0] + total * (decay - decay**2) / p["T0"] - p["U0"] * (1 - decay) / p["T0"]
    assert abs(run.S - S).max() < 1e-10
    assert float(run.S.max()) > float(run.S[0]) and float(run.S[-1]) < float(run.S.max())
    for viscosity in (0.3, 1.5):  # |Pi| decays at the rate T0 whatever the coefficient, which is in the inertia
        damped = hz.simulate(system, parameters={"visc": viscosity}, t_end=5, tolerance=1e-12)
        assert abs(damped.momentum_norm / damped.momentum_norm[0] - decay).max() < 1e-10


def test_llmr21_section_2_3_the_sign_of_the_multiplier():
    # E_L = lambda phi_v with E_L = L_q - d/dt L_v is -(d/dt L_v - L_q); two lines later it is written without the minus.
    x, y, u, w = sympy.symbols("x y u w", real=True)
    system = hz.System(hz.tangent([x, y], [u, w]), (u**2 + w**2) / 2 - y, constraints=[x**2 + y**2 - 1], initial={x: 1})
    run = hz.simulate(system, t_end=0.7, tolerance=1e-12, output_step=0.01)
    row = run.isel(t=35)
    force = system.force_along(run, times=[float(row.t)])
    assert float(force.u[0]) == pytest.approx(float(2 * row.x * row.lambda1), abs=1e-8)  # d/dt L_v - L_q
    assert float(run.lambda1[-1]) < 0  # the rod pulls


def test_llmr21_section_2_4_the_equations_of_vakonomic_mechanics_have_the_constraint_in_their_last_term():
    # E_{L + mu phi}: the terms with mu are those of phi; printed with L again.
    mu, mu_dot = sympy.symbols("mu mu_dot", real=True)
    v_dot = sympy.Symbol("v_dot", real=True)
    L, phi = v**2 / 2 - q**4, q * v + sympy.sin(q) * v**2

    def operator(f):
        return f.diff(q) - f.diff(v, q) * v - f.diff(v, 2) * v_dot

    whole = (L + mu * phi).diff(q) - sum(sympy.diff(L + mu * phi, v).diff(one) * rate for one, rate in
                                         ((q, v), (v, v_dot), (mu, mu_dot)))
    assert sympy.expand(whole - (operator(L) + mu * operator(phi) - mu_dot * phi.diff(v))) == 0
    assert sympy.expand(whole - (operator(L) + mu * operator(L) - mu_dot * phi.diff(v))) != 0


def test_llmr21_equations_19_and_23_the_hessian_has_a_plus():
    # v L_qv + B L_vv + L L_sv - L_q = L_s L_v; printed with -B L_vv, by which the oscillator would run away.
    s = sympy.Symbol("s", real=True)
    L = (1 + q**2) * v**2 / 2 - q**2 / 2 - s * v / 3 - s / 5
    B = sympy.Symbol("v_dot", real=True)
    row = hz.System(hz.tangent([q], [v]), L, action="s").euler_lagrange()[v]
    right = v * L.diff(q, v) + B * L.diff(v, 2) + L * L.diff(s, v) - L.diff(q) - L.diff(s) * L.diff(v)
    assert sympy.expand(row - right) == 0


def test_llmr21_equation_31_the_euler_lagrange_operator_of_the_sleigh():
    # Printed with x'' (1 - beta cos - alpha sin) dx and so on, which mixes the entries of the mass matrix.
    system = hz.model("chaplygin-sleigh").replace(parameters={"gamma": 0})
    names = {"x": "vx", "y": "vy", "phi": "w"}
    a, b, phi, w, J = (system.symbols[name] for name in ("alpha", "beta", "phi", "w", "J"))
    xdd, ydd, wd = (sympy.Symbol(f"{velocity}_dot", real=True) for velocity in names.values())
    c, s = sympy.cos(phi), sympy.sin(phi)
    expected = {"vx": -xdd + (b * c + a * s) * wd + (a * c - b * s) * w**2,
                "vy": -ydd - (a * c - b * s) * wd + (b * c + a * s) * w**2,
                "w": -(a**2 + b**2 + J) * wd + (b * c + a * s) * xdd - (a * c - b * s) * ydd}
    rows = system.euler_lagrange()
    for name, value in expected.items():
        row = rows[system.symbols[name]].subs(system.symbols["gamma"], 0)
        assert sympy.simplify(row + value) == 0, name
