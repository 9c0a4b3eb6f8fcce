"""Dry friction from Python: the same table as in model files."""

import numpy
import pytest
import sympy

import herglotz as hz

q, v, u, mu = sympy.symbols("q v u mu")


def belt(**given):
    return hz.System(hz.tangent([q], [v]), v**2 / 2 - 2 * q**2, parameters={u: 0.2, mu: 0.4}, initial={v: u},
                     friction={"belt": {"on": v - u, "normal": 2, "static": mu, "kinetic": 0.25}}, **given)


def test_a_block_on_a_belt_sticks_until_its_spring_pulls_it_loose():
    run = hz.simulate(belt(), t_end=3.0, tolerance=1e-12)
    t = run.t.values
    slips = 0.125 + 0.075 * numpy.cos(2 * (t - 1)) + 0.1 * numpy.sin(2 * (t - 1))
    numpy.testing.assert_allclose(run.q, numpy.where(t < 1, 0.2 * t, slips), atol=1e-11)
    numpy.testing.assert_array_equal(run["mode.belt"], numpy.where(t < 1, 0, -1))
    assert float(run["friction.belt"][0]) == pytest.approx(0, abs=1e-14)


def test_methods_say_who_follows_it():
    follow = {method["name"] for method in hz.methods() if method["friction"]}
    assert {"reference", "contact-gauss-4"} <= follow
    assert "discrete-herglotz" not in follow
