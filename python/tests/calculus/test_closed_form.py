"""Exact discrete Lagrangians as formulas [ASMLL20, Sec. 4], against quadrature with thirty digits, shooting and runs."""

import numpy
import pytest
import sympy

import herglotz as hz

q0, q1, z0, h = sympy.symbols("q0 q1 z0 h", real=True)


def system(lagrangian, **parameters):
    return hz.System(hz.tangent("q", "v"), lagrangian, parameters=parameters, initial={"q": 1, "v": 0.3})


@pytest.mark.parametrize(("sign", "action"), [("-", -0.827278660003966942799288757473853),
                                              ("+", 0.459214716377478286219308157571829)])
def test_it_is_the_action_of_the_motion_between_two_positions(sign, action):
    of = system(f"v^2 + 3/10*q*v + 7/10*v {sign} 3/2*q^2 - 11/10*q + 2/5 - gamma*z", gamma=0.25)
    found = of.exact_discrete_expression().subs({"gamma": 0.25} | {of.symbols["gamma"]: 0.25})
    value = {q0: 1.2, q1: 0.5, h: 0.6}
    assert float(found.subs(value | {z0: 0})) == pytest.approx(action, abs=1e-14)
    assert float(found.subs(value | {z0: 0.7})) == pytest.approx(action + 0.7*numpy.expm1(-0.15), abs=1e-14)  # Eq. 64


def test_the_free_particle_of_example_1_and_the_limits_without_damping():
    free = system("v^2/2 + gamma*z", gamma=-0.05)
    found = free.exact_discrete_expression()
    gamma = free.symbols["gamma"]
    growth = sympy.exp(gamma*h)
    expected = z0*(growth - 1) + gamma*growth*(q1 - q0)**2/(2*(growth - 1))
    numbers = {q0: 1.2, q1: 0.5, z0: 0.25, h: 0.5, gamma: -0.05}
    assert float((found - expected).subs(numbers)) == pytest.approx(0, abs=1e-14)
    assert sympy.simplify(system("v^2/2").exact_discrete_expression() - (q1 - q0)**2/(2*h)) == 0
    oscillator = system("v^2/2 - q^2/2").exact_discrete_expression()
    assert sympy.simplify(oscillator - ((q0**2 + q1**2)*sympy.cos(h) - 2*q0*q1)/(2*sympy.sin(h))) == 0


@pytest.mark.parametrize("lagrangian", [
    "3*v^2/2 - 2*q - gamma*z", "3*v^2/2 - 2*q", "v^2/2 + q*v/3 + v/5 - q/7 + gamma*q^2/6 + 2 - gamma*z", "v^2/2 + v/5 - gamma*z",
    "v^2/2 - q^2/2 + q/3 - 2*z"])
def test_of_a_fall_and_of_critical_damping_it_is_the_action_of_the_motion(lagrangian):
    # q'' = -gamma q' + push without a spring, and theta = 0: the formula divided by 0. Against shooting.
    of = system(lagrangian, **({"gamma": 0.25} if "gamma" in lagrangian else {}))
    found = of.exact_discrete_expression()
    numbers = {q0: 0.4, q1: -0.3, z0: 0.2, h: 0.6} | {of.symbols[name]: value for name, value in of.parameters.items()}
    assert float(found.subs(numbers)) == pytest.approx(of.exact_discrete_lagrangian(0.4, -0.3, 0.2, h=0.6).value, abs=1e-13)


def test_its_discrete_motion_is_the_motion_at_every_step():
    linear = system("v^2/2 - q^2/2 - gamma*z", gamma=0.2)
    exact = linear.replace(discrete={"lagrangian": linear.exact_discrete_expression()})
    run, motion = hz.simulate(exact, step=0.5, t_end=5), hz.simulate(linear, tolerance=1e-13, t_end=5, output_step=0.5)
    assert run.attrs["method"] == "discrete-herglotz"
    assert numpy.abs(run.q.values - motion.q.values).max() < 1e-11
    assert numpy.abs(run.z.values - motion.z.values).max() < 1e-11
    by_shooting = linear.exact_discrete_lagrangian(1.0, 0.8, 0.3, h=0.5)
    legendre = exact.discrete_legendre(1.0, 0.8, 0.3, h=0.5)
    assert legendre.z1 - 0.3 == pytest.approx(by_shooting.value, abs=1e-11)
    assert legendre.p1 == pytest.approx(by_shooting.D2, abs=1e-11)
    assert legendre.sigma == pytest.approx(1 + by_shooting.Dz, abs=1e-12)


@pytest.mark.parametrize(("lagrangian", "what"), [
    ("v^2/2 + cos(q)", "not that of independent"), ("v^2/2 - z^2/4", "not that of independent"), ("v^2/2 - q*sin(t)", "t"),
    ("v^2/2 - q*z", "not that of independent")])
def test_other_systems_have_no_formula(lagrangian, what):
    with pytest.raises(ValueError, match=what):
        system(lagrangian).exact_discrete_expression()


def test_coupled_coordinates_have_no_formula():
    with pytest.raises(ValueError, match="independent"):
        hz.System(hz.tangent("x y", "vx vy"), "(vx^2 + vy^2)/2 - (x - y)^2/2").exact_discrete_expression()


def test_a_denominator_that_vanishes_at_the_values_of_the_parameters_is_named():
    with pytest.raises(ValueError, match="the formula divides by .*, which is 0 at the values of the parameters"):
        system("v^2/2 - q^2/2 - gamma*z", gamma=2.0).exact_discrete_expression()
