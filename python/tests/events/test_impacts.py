"""Resets, impacts, attitudes and units from Python: the same tables as in model files."""

import numpy
import pytest
import sympy

import herglotz as hz

q, v, e = sympy.symbols("q v e")
G = 9.81


def ball(**tables):
    return hz.System(hz.tangent([q], [v]), v**2 / 2 - G * q, parameters={e: 0.8}, initial={q: 1}, **tables)


def test_a_reset_changes_the_state_at_the_time_of_the_closed_form():
    system = ball(events={"bounce": {"at": q, "direction": "falling", "set": {v: -e * v}}})
    run = hz.simulate(system, t_end=1.0, tolerance=1e-12)
    bounce = run.hz.events.sel(event="bounce")
    assert float(bounce.t) == pytest.approx(numpy.sqrt(2 / G), abs=1e-11)
    rows = run.isel(t=numpy.flatnonzero(run.t.values == float(bounce.t)))
    assert rows.v.values[1] == -0.8 * rows.v.values[0]
    numpy.testing.assert_allclose(run.energy + run["loss.bounce"], G, rtol=1e-13)


def test_impacts_come_to_rest():
    run = hz.simulate(ball(impacts={"floor": {"gap": q, "restitution": e}}), t_end=5.0, tolerance=1e-12)
    assert float(run.q[-1]) == pytest.approx(0, abs=1e-12)
    assert float(run["contact.floor"][-1]) == pytest.approx(G)
    numpy.testing.assert_allclose(run.energy + run["loss.floor"], G, rtol=1e-12)


def test_a_sweep_goes_through_impacts():
    system = ball(impacts={"floor": {"gap": q, "restitution": e}})
    many = hz.simulate(system, parameters={e: [0.3, 0.8]}, t_end=2.0, output_step=0.25, tolerance=1e-12)
    alone = hz.simulate(system, parameters={e: 0.8}, t_end=2.0, output_step=0.25, tolerance=1e-12)
    assert float(many.q[1, -1]) == float(alone.q[-1])


def test_attitudes_have_their_invariant():
    body = hz.lie_group("q0 q1 q2 q3", "w1 w2 w3", "so3")
    run = hz.simulate(hz.System(body, "(w1^2 + 2*w2^2 + 3*w3^2)/2", initial={"w3": 1.5}), t_end=2.0, tolerance=1e-12)
    assert float(run.q3[-1]) == pytest.approx(numpy.sin(1.5), abs=1e-10)


def test_units_are_checked():
    units = {"q": "m", "g": "m/s^2", "m": "kg"}
    hz.System(hz.tangent("q", "v"), "m*v^2/2 - m*g*q", parameters={"m": 1, "g": G}, units=units)
    with pytest.raises(hz.ModelError, match="the Lagrangian adds or compares"):
        hz.System(hz.tangent("q", "v"), "m*v^2/2 - m*g", parameters={"m": 1, "g": G}, units=units)
