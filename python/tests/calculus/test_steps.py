"""Steps of methods as discrete Lagrangian mechanics [ASMLL20]."""

import numpy
import pytest
import sympy

import herglotz as hz

q, v, z = sympy.symbols("q v z", real=True)


@pytest.fixture(scope="module")
def pendulum():
    return hz.System(hz.tangent([q], [v]), v**2 / 2 + sympy.cos(q) - z / 5 - z**2 / 20, initial={q: 0.9, v: 0.5, z: 0.1})


@pytest.fixture(scope="module")
def planar():
    x, y, u, w = sympy.symbols("x y u w", real=True)
    return hz.System(hz.tangent([x, y], [u, w]), (1 + x**2 / 4) * (u**2 + w**2) / 2 + x * y / 3 - y**2 - z / 7,
                     discrete={"rule": "galerkin", "degree": 2}, initial={x: 0.4, y: -0.3, u: 0.5, w: 0.2})


def slope(f, at, width=1e-3):
    return (8 * (f(at + width) - f(at - width)) - (f(at + 2 * width) - f(at - 2 * width))) / (12 * width)


def test_asmll20_equation_40_legendre_transforms_of_the_midpoint_rule_by_formula_and_by_shooting(pendulum):
    by_rule = pendulum.replace(discrete={"rule": "midpoint"})
    formula = by_rule.discrete_legendre(1.0, 1.05, 0.1, 0.1)
    found = by_rule.discrete_legendre(1.0, 1.05, 0.1, 0.1, method="discrete-herglotz")
    for name in ("p0", "p1", "z1", "sigma"):
        assert getattr(found, name) == pytest.approx(getattr(formula, name), abs=1e-12)


def test_asmll20_equations_38_to_40_of_a_galerkin_rule_are_derivatives_of_its_discrete_lagrangian(planar):
    ends, h = numpy.array([0.4, -0.3, 0.45, -0.29, 0.2]), 0.1

    def step(at):
        return planar.discrete_legendre(at[:2], at[2:4], at[4], h, method="discrete-galerkin")

    def gained(k, value):
        moved = ends.copy()
        moved[k] = value
        return step(moved).z1 - moved[4]

    found = step(ends)
    by = [slope(lambda value, k=k: gained(k, value), ends[k]) for k in range(5)]
    assert found.sigma == pytest.approx(1 + by[4], abs=1e-9)
    assert found.p0 == pytest.approx(-numpy.array(by[:2]) / found.sigma, abs=1e-8)
    assert found.p1 == pytest.approx(by[2:4], abs=1e-8)


def test_asmll20_section_6_the_orders_of_galerkin_rules_and_of_their_flows(pendulum):
    measured = pendulum.replace(discrete={"rule": "galerkin", "degree": 2}).discrete_order(0.4, method="discrete-galerkin")
    assert measured.lagrangian == pytest.approx(4, abs=0.3)
    assert measured.flow == pytest.approx(4, abs=0.2)
    left = pendulum.replace(discrete={"rule": "left", "action_rule": "left"})
    assert left.discrete_order(0.05).flow == pytest.approx(1, abs=0.1)


@pytest.mark.parametrize("kind", ["II", "III"])
def test_asmll20_section_6_generating_functions_have_the_step_as_their_derivatives(pendulum, kind):
    def at(position, momentum, action):
        return pendulum.generating_function(kind, position, momentum, action, 0.1, method="contact-gauss-4")

    found = at(1.0, 0.2, 0.1)
    assert found.by_position[0] == pytest.approx(slope(lambda x: at(x, 0.2, 0.1).value, 1.0), abs=1e-8)
    assert found.by_momentum[0] == pytest.approx(slope(lambda x: at(1.0, x, 0.1).value, 0.2), abs=1e-8)
    assert found.by_action == pytest.approx(slope(lambda x: at(1.0, 0.2, x).value, 0.1), abs=1e-8)
    step = found.step
    expected = (step.sigma * step.p0, -step.sigma) if kind == "II" else (step.p1, step.sigma)
    assert (found.by_position[0], found.by_action) == pytest.approx((expected[0][0], expected[1]), abs=1e-12)


def test_asmll20_section_2_the_contact_defect_of_steps_and_of_maps_of_ones_own(planar, pendulum):
    state = [0.4, -0.3, 0.5, 0.2, 0.1]
    assert planar.contact_defect(planar.step_map("contact-gauss-4", 0.1), state) < 1e-11
    assert planar.contact_defect(planar.step_map("runge-kutta-4", 0.1), state) > 1e-7
    # The time-h flow of a free damped particle, by hand: a conformal contactomorphism with factor exp(-h/5).
    free = hz.System(hz.tangent([q], [v]), v**2 / 2 - z / 5)
    decay = numpy.exp(-0.2 * 0.3)

    def flow(t, u):
        return [u[0] + 5 * (1 - decay) * u[1], decay * u[1], decay * (u[2] + 2.5 * (1 - decay) * u[1]**2)]

    assert free.contact_defect(flow, [0.3, 0.8, 0.2], factor=decay) < 1e-12
    assert free.contact_defect(flow, [0.3, 0.8, 0.2], factor=1.0) > 1e-2


@pytest.mark.parametrize(("call", "message"), [
    (lambda s: s.discrete_legendre(1.0, 1.1, 0.0, 0.1, method="runge-kutta-4"), "steps that are contact maps"),
    (lambda s: s.generating_function("IV", 1.0, 1.1, 0.0, 0.1), "of type \"II\" or \"III\""),
    (lambda s: s.contact_defect(lambda t, u: u, [1.0, 0.0, 0.0]), "factor is needed"),
    (lambda s: s.contact_defect(s.step_map("contact-gauss-2", 0.1), [1.0]), "a state of shape"),
    (lambda s: s.contact_defect(lambda t, u: u, [1.0, numpy.nan, 0.0], factor=1.0), "u has a value that is not finite"),
    (lambda s: s.contact_defect(lambda t, u: [1.0, 2.0], [1.0, 0.0, 0.0], factor=1.0), "a state of 3 finite values is needed"),
    (lambda s: s.generating_function("II", 1.0, numpy.nan, 0.0, 0.1, method="contact-gauss-2"), "p has a value that is not"),
    (lambda s: hz.model("rigid-body").generating_function("II", [], [], 0.0, 0.1), "has no positions"),
    (lambda s: s.replace(discrete={"rule": "midpoint"}).discrete_order(0), "a step of more than 0 is needed"),
    (lambda s: hz.System(hz.tangent("q", "v"), "v^2/2 - q^2/2", discrete={"rule": "midpoint"}).discrete_order(0.1),
     "it shows no order"),
    (lambda s: hz.model("rigid-body").discrete_legendre(1.0, 1.1, 0.0, 0.1, method="contact-gauss-2"), "kind = \"tangent\"")])
def test_refusals(pendulum, call, message):
    with pytest.raises(ValueError, match=message):
        call(pendulum)


@pytest.mark.parametrize("name", ["discrete-oscillator", "discrete-free-particle"])
def test_asmll20_section_6_orders_are_measured_from_two_positions(name):
    # z0 stands for the action in these L_d, so that they have order 1; a start from two positions was refused.
    measured = hz.model(name).discrete_order(0.05)
    assert (measured.lagrangian, measured.flow) == (pytest.approx(1, abs=0.15), pytest.approx(1, abs=0.1))


def test_asmll20_section_5_equations_that_are_affine_in_the_next_position_are_solved_for_it():
    for name in ("discrete-oscillator", "discrete-free-particle"):
        equations = hz.model(name).discrete_equations()
        (unknown, solution), = equations["Solved for the next position"].rows
        _, (left, right) = equations["Discrete Herglotz equations"].rows
        assert not solution.has(unknown)
        assert sympy.simplify((left - right).subs(unknown, solution)) == 0
    implicit = hz.model("damped-pendulum").replace(discrete={"rule": "midpoint"})
    assert "Solved for the next position" not in implicit.discrete_equations()


def test_asmll20_theorem_4_4_the_rule_exact_follows_the_motion_in_steps_and_from_two_positions(pendulum):
    exact = pendulum.replace(discrete={"rule": "exact"}, simulation={"step": 0.25, "t_end": 2.0})
    run = hz.simulate(exact)
    motion = hz.simulate(pendulum, t_end=2.0, tolerance=1e-13, output_step=0.25)
    assert run.sizes["t"] == 9
    for name in ("q", "v", "z", "energy"):
        assert numpy.abs(run[name].values - motion[name].values).max() < 1e-11, name
    two = exact.replace(next={"q": float(motion.q[1])})
    assert numpy.abs(hz.simulate(two).q.values - motion.q.values).max() < 1e-10
    rows = pendulum.discrete_euler_lagrange(run.q.values, 0.25, z0=float(run.z[0]), exact=True)
    assert numpy.abs(rows).max() < 1e-10


def test_asmll20_section_4_the_rule_exact_on_a_group_gains_the_exact_discrete_lagrangian():
    body = hz.model("rigid-body")
    found = body.exact_on_group([0.1, 0.2, 0.05], z0=0.3, h=0.2)
    start = dict(zip(("w1", "w2", "w3"), found.y0.tolist())) | {"z": 0.3}
    simulation = {"step": 0.2, "t_end": 0.6}
    run = hz.simulate(body.replace(discrete={"rule": "exact"}, initial=start, simulation=simulation))
    assert run.sizes["t"] == 4
    assert float(run.z[1] - run.z[0]) == pytest.approx(found.value, abs=1e-12)
    assert [float(run[name][1]) for name in ("w1", "w2", "w3")] == pytest.approx(found.y1.tolist(), abs=1e-12)


def test_polynomials_have_a_discrete_lagrangian_by_their_method_only():
    cubics = hz.model("damped-pendulum").replace(discrete={"rule": "galerkin", "degree": 2})
    with pytest.raises(ValueError, match="give method=\"discrete-galerkin\""):
        cubics.discrete_legendre(1.0, 1.1, 0.0, h=0.1)
