"""Functions of time that tables give."""

import numpy
import pytest
import sympy
from scipy.interpolate import CubicSpline

import herglotz as hz

q, v, u, z = sympy.symbols("q v u z")
TIMES = numpy.array([0, 0.3, 1, 1.7, 2.1, 3, 3.3, 4])
VALUES = numpy.sin(2 * TIMES) + 0.1 * TIMES


def oscillator(**given):
    return hz.System(hz.tangent([q], [v]), v**2 / 2 - (q - u) ** 2 / 2 - z / 10, initial={q: 1.0}, observables={"base": u},
                     inputs={u: {"times": TIMES, "values": VALUES, **given}})


def test_splines_are_those_of_scipy():
    run = hz.simulate(oscillator(), t_end=4, tolerance=1e-11)
    numpy.testing.assert_allclose(run.base, CubicSpline(TIMES, VALUES)(run.t), atol=1e-13)


def test_lines_join_the_points():
    run = hz.simulate(oscillator(interpolation="linear"), t_end=4, tolerance=1e-11)
    numpy.testing.assert_allclose(run.base, numpy.interp(run.t, TIMES, VALUES), atol=1e-14)


def test_a_function_is_taken_at_the_times():
    times = numpy.linspace(0, 4, 401)
    driven = oscillator(times=times, values=lambda t: numpy.sin(2 * t))
    run = hz.simulate(driven, t_end=4, tolerance=1e-11)
    numpy.testing.assert_allclose(run.base, numpy.sin(2 * run.t), atol=1e-8)
    other = driven.replace(inputs={u: {"times": [0, 4], "values": [0, 0]}})
    assert float(hz.simulate(other, t_end=4).base[-1]) == 0


def test_equations_have_functions_of_time():
    system = oscillator()
    motion = system.equations()["Equations of motion"]
    assert [right.has(sympy.Function("u")(system.time)) for right in motion.values()] == [True]


def test_errors_name_the_input():
    with pytest.raises(hz.ModelError, match="the time of point 2 is not later"):
        oscillator(times=[1, 0], values=[0, 0])
    with pytest.raises(hz.ModelError, match="no times are given"):
        hz.System(hz.tangent([q], [v]), v**2 / 2, inputs={u: {"values": numpy.sin}})
    with pytest.raises(TypeError, match="one dimension is needed"):
        oscillator(times=numpy.ones((2, 2)))


def test_sampled_values_are_held():
    k, period = sympy.symbols("k T")
    force = sympy.Symbol("u")
    loop = hz.System(hz.tangent([q], [v]), v**2 / 2, forces={v: force}, parameters={k: 4, period: 0.1},
                     sampled={force: {"value": -k * q - 2 * v, "every": period}}, initial={q: 1})
    position, speed, held = 1.0, 0.0, -4.0
    for _ in range(20):  # closed form: q+ = q + v T + u T^2/2, v+ = v + u T
        position, speed = position + speed * 0.1 + held * 0.005, speed + held * 0.1
        held = -4 * position - 2 * speed
    run = hz.simulate(loop, t_end=2.05, tolerance=1e-12)
    assert float(run.u[-1]) == pytest.approx(held, abs=1e-12)
    assert float(run.q[-1]) == pytest.approx(position + speed * 0.05 + held * 0.05**2 / 2, abs=1e-12)
    slow = loop.replace(sampled={force: {"value": -k * q, "every": 0.5}})
    assert float(hz.simulate(slow, t_end=2.2).samples_u[-1]) == 4
    with pytest.raises(hz.ModelError, match="give a positive interval"):
        loop.replace(sampled={force: {"value": q, "every": 0}})
