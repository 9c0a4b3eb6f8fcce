"""Compiled functions against SciPy and against their definitions."""

import copy
import pickle

import numpy
import pytest
import sympy
from scipy.integrate import solve_ivp

import herglotz as hz


def start_of(system):
    return numpy.array([system.initial.get(name, 0.0) for name in system.state])


@pytest.mark.parametrize("name", ["damped-pendulum", "rigid-body", "heavy-top", "chaplygin-sleigh", "double-pendulum"])
def test_scipy_reaches_the_same_end(name):
    system = hz.model(name)
    f = system.vector_field()
    u0 = start_of(system)
    theirs = solve_ivp(f, (0, 2), u0, method="DOP853", rtol=1e-11, atol=1e-12, vectorized=True)
    ours = hz.simulate(system, t_end=2, tolerance=1e-12)
    end = [float(ours[column][-1]) for column in f.names]
    assert theirs.success
    numpy.testing.assert_allclose(theirs.y[:, -1], end, rtol=1e-8, atol=1e-8)


def test_the_jacobian_serves_implicit_solvers():
    system = hz.model("van-der-pol")
    f = system.vector_field({"eps": 5.0})
    solved = solve_ivp(f, (0, 20), start_of(system), method="Radau", jac=f.jacobian, rtol=1e-8, atol=1e-10)
    ours = hz.simulate(system, parameters={"eps": 5.0}, t_end=20, tolerance=1e-11)
    assert solved.success
    assert solved.y[0, -1] == pytest.approx(float(ours.q[-1]), abs=1e-5)


@pytest.mark.parametrize("name", ["double-pendulum", "heavy-top", "skate-vakonomic", "general-algebroid"])
def test_the_jacobian_is_the_derivative(name):
    system = hz.model(name)
    f = system.vector_field()
    u = numpy.linspace(0.3, 0.9, len(f.names))
    J = f.jacobian(0.1, u)
    h = 1e-6
    for j in range(len(u)):
        e = numpy.zeros(len(u))
        e[j] = h
        numpy.testing.assert_allclose(J[:, j], (f(0.1, u + e) - f(0.1, u - e)) / (2 * h), rtol=1e-6, atol=1e-6)


def test_columns_of_states_are_states():
    f = hz.model("heavy-top").vector_field()
    states = numpy.random.default_rng(1).normal(size=(len(f.names), 5))
    together = f(0.0, states)
    assert together.shape == states.shape
    for k in range(5):
        assert (together[:, k] == f(0.0, states[:, k])).all()


def test_laws_are_those_of_the_run():
    system = hz.model("kepler-drag")
    run = hz.simulate(system, t_end=1, step=0.01)
    f = system.vector_field()
    states = numpy.array([run[name] for name in f.names])
    numpy.testing.assert_allclose(f.energy(0.0, states), run.energy, rtol=1e-13)
    numpy.testing.assert_allclose(f.momentum("rotation", 0.0, states), run["momentum.rotation"], rtol=1e-13)
    assert (f.dissipation_rate(0.0, states) == -system.parameters["gamma"]).all()
    with pytest.raises(ValueError, match="no symmetry 'boost'"):
        f.momentum("boost", 0.0, states)


def test_multipliers_are_those_of_the_run():
    system = hz.model("chaplygin-sleigh")
    run = hz.simulate(system, t_end=1, tolerance=1e-10)
    f = system.vector_field()
    states = numpy.array([run[name] for name in f.names])
    numpy.testing.assert_allclose(f.multipliers(0.0, states)[0], run.lambda1, rtol=1e-9, atol=1e-9)


def test_multipliers_stand_in_the_order_of_the_model():
    x, y, s, vx, vy, vs = sympy.symbols("x y s v_x v_y v_s", real=True)
    frame = hz.tangent([x, y, s], [vx, vy, vs])
    lagrangian = (vx**2 + vy**2 + 2 * vs**2) / 2 - y - x * s / 3
    equations = [vs - vx * y - sympy.Rational(1, 5), x**2 + y**2 - 1]  # the velocity-free constraint comes second
    start = {x: 0.6, y: 0.8, s: 0.1, vx: -0.4, vy: 0.3, vs: -0.12}
    forced = hz.System(frame, lagrangian, constraints=equations, initial=start)
    run = hz.simulate(forced, t_end=1, tolerance=1e-11)
    f = forced.vector_field()
    states = numpy.array([run[name] for name in f.names])
    numpy.testing.assert_allclose(f.multipliers(0.0, states), [run.lambda1, run.lambda2], rtol=1e-8, atol=1e-8)

    extremal = hz.System(frame, lagrangian, constraints=equations, rule="vakonomic", initial=start)
    run = hz.simulate(extremal, t_end=0.5, tolerance=1e-12)
    f = extremal.vector_field()
    states = numpy.array([run[name] for name in f.names])
    end = solve_ivp(f, (0, 0.5), states[:, 0], rtol=1e-11, atol=1e-12).y[:, -1]
    numpy.testing.assert_allclose(end, states[:, -1], rtol=1e-7, atol=1e-7)


@pytest.mark.parametrize("rule", ["", '[constraints]\nrule = "nonholonomic"\nequations = ["vy - s*vx"]'])
def test_steps_of_a_singular_lagrangian_are_those_of_the_run(rule, tmp_path):
    # y and s have no mass: s = y, and y = 0 or, with the constraint, the multiplier is 2 y - s.
    text = f"""
[model]
name = "massless"
[algebroid]
kind = "tangent"
base = ["x", "y", "s"]
fibre = ["vx", "vy", "vs"]
[parameters]
g = 0.2
[dynamics]
lagrangian = "vx^2/2 - x^2/2 - y^2/2 - (s - y)^2/2 - g*z"
{rule}
[initial]
x = 1
y = {0.4 if rule else 0}
s = {0.4 if rule else 0}
vx = 0.3
vy = {0.12 if rule else 0}
vs = {0.12 if rule else 0}
"""
    file = tmp_path / "massless.toml"
    file.write_text(text)
    system = hz.load(file)
    run = hz.simulate(system, method="runge-kutta-4", step=0.1, t_end=0.5, output_every=1)
    step = system.step_map("runge-kutta-4", 0.1)
    u = numpy.array([run[name].values[0] for name in ("x", "y", "s", "vx", "vy", "vs", "z")])
    for k in range(1, len(run.t)):
        u = step(0.1 * (k - 1), u)
        expected = [run[name].values[k] for name in ("x", "y", "s", "vx", "vy", "vs", "z")]
        numpy.testing.assert_allclose(u, expected, rtol=1e-13, atol=1e-15)
    assert step.factor(0.0, u) == pytest.approx(numpy.exp(-0.02), rel=1e-12)
    with pytest.raises(RuntimeError, match=r"constraint \d \(level 2\)"):
        step(0.0, u + numpy.array([0, 0, 0.1, 0, 0, 0, 0]))
    with pytest.raises(ValueError, match="constraints of a singular Lagrangian depend on its parameters"):
        system.step_map("runge-kutta-4", 0.1, {"g": 0.3})
    with pytest.raises(ValueError, match="does not follow singular Lagrangians"):
        system.step_map("contact-gauss-4", 0.1)


def test_a_step_map_is_a_step_of_the_run():
    system = hz.model("damped-pendulum")
    step = system.step_map("contact-gauss-4", 0.1)
    u = start_of(system)
    run = hz.simulate(system, method="contact-gauss-4", step=0.1, t_end=0.1, output_every=1)
    names = system.state
    numpy.testing.assert_allclose(step(0.0, u), [float(run[name][-1]) for name in names], rtol=1e-15)
    assert step.factor(0.0, u) == pytest.approx(1 / float(run.integrating_factor[-1]), rel=1e-14)


def test_what_processes_send_each_other_is_the_same():
    x, y, v, w = sympy.symbols("x y v w", real=True)
    system = hz.System(hz.tangent([x, y], [v, w]), (v**2 + w**2) / 2 - x**2 * y**2, initial={x: 1.0, y: 2.0})
    u = numpy.array([0.1, 0.2, 0.3, 0.4, 0.5])
    for one in (system.vector_field(), system.step_map("contact-gauss-2", 0.1)):
        assert (pickle.loads(pickle.dumps(one))(0.0, u) == one(0.0, u)).all()
    again = copy.deepcopy(system)
    assert again.lagrangian == system.lagrangian and again.text == system.text


@pytest.mark.parametrize(("call", "message"), [
    (lambda s: s.vector_field()(0.0, [1.0]), r"shape \(3,\) or \(3, k\) is needed, not \(1,\)"),
    (lambda s: s.vector_field()(0.0, 1.0), r"shape \(3,\) or \(3, k\) is needed, not \(\)"),
    (lambda s: s.vector_field().jacobian(0.0, [[1.0], [2.0], [3.0]]), r"shape \(3,\) is needed, not \(3, 1\)"),
    (lambda s: s.step_map("contact-gauss-2", 0.1)(0.0, [1.0, 2.0]), r"shape \(3,\) is needed, not \(2,\)"),
    (lambda s: s.vector_field({"mass": 1.0}), "unknown parameter 'mass'; known are m, l, g, gamma"),
    (lambda s: s.step_map("reference", 0.1), "chooses its steps"),
    (lambda s: s.step_map("leapfrog", 0.1), "unknown method 'leapfrog'"),
    (lambda s: s.step_map("contact-gauss-2", 0.0), "a step of 0"),
])
def test_bad_input_is_one_sentence(call, message):
    with pytest.raises(ValueError, match=message):
        call(hz.model("damped-pendulum"))
