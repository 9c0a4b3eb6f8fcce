"""Both rules from one start [LLMR21, Sec. 6], against runs by the vakonomic rule."""

import numpy
import pytest
import sympy

import herglotz as hz


def apart(one, other, names):
    return max(float(numpy.abs(one[name] - other[name]).max()) for name in names)


def both(system, multipliers, t_end):
    """The nonholonomic run and a vakonomic one from the same start, of a system without observables."""
    settings = {"t_end": t_end, "method": "reference", "tolerance": 1e-13}
    return (hz.simulate(system, **settings),
            hz.simulate(system.replace(rule="vakonomic", initial=multipliers), **settings))


def test_the_rolling_disk_is_vakonomic_with_its_momenta_as_multipliers_llmr21_section_6():
    system = hz.model("rolling-disk")
    system = system.replace(observables=dict.fromkeys(system.observables))
    found = system.compare_rules(2.0)
    assert found.agree and found.freedom == 0
    vx, vy = (float(hz.simulate(system, t_end=1e-3)[name][0]) for name in ("vx", "vy"))
    m = system.parameters["m"]
    assert found.multipliers == pytest.approx({"nu1": m * vx, "nu2": m * vy}, abs=1e-12)  # so that p_x - nu_1 = 0
    assert apart(*both(system, found.multipliers, 2.0), system.state) < 1e-11


def test_a_comparison_begins_at_the_time_of_the_start():
    system = hz.model("rolling-disk")
    found, later = system.compare_rules(2.0), system.compare_rules(3.0, initial={system.time: 1.0})
    assert later.agree
    assert later.multipliers == pytest.approx(found.multipliers, abs=1e-12)


def test_a_blade_follows_one_vakonomic_motion_only_where_it_goes_straight():
    system = hz.model("chaplygin-sleigh")
    system = system.replace(observables=dict.fromkeys(system.observables))
    turning = system.compare_rules(2.0)
    assert not turning.agree and turning.residual > 0.1
    assert apart(*both(system, turning.multipliers, 2.0), system.state) > 1e-2
    straight = system.replace(initial={"w": 0})
    found = straight.compare_rules(2.0)
    assert found.agree
    assert apart(*both(straight, found.multipliers, 2.0), system.state) < 1e-11


def test_integrable_constraints_leave_the_multiplier_free():
    x, y, vx, vy = sympy.symbols("x y vx vy", real=True)
    z, gamma = sympy.symbols("z gamma", real=True)
    system = hz.System(hz.tangent([x, y], [vx, vy]), (vx**2 + vy**2)/2 - y - gamma*z, parameters={gamma: 0.3},
                       constraints=[x*vx + y*vy], initial={x: 1, vy: 0.4})
    assert (system.constraint_curvature() * sympy.Matrix([-y, x])).applyfunc(sympy.simplify) == sympy.Matrix([0])
    found = system.compare_rules(1.0)
    assert found.agree and found.freedom == 1
    assert apart(*both(system, {"nu1": 0.7}, 1.0), system.state) < 1e-11  # any multiplier does


def test_the_curvature_of_a_blade_and_of_a_speed():
    system = hz.model("chaplygin-sleigh")
    vx, vy, w, phi = (system.symbols[name] for name in ("vx", "vy", "w", "phi"))
    assert system.constraint_curvature() == sympy.Matrix([[-w*sympy.cos(phi), -w*sympy.sin(phi),
                                                           vx*sympy.cos(phi) + vy*sympy.sin(phi)]])
    speed = hz.model("isokinetic").constraint_curvature()
    assert speed == -2 * sympy.Matrix([[sympy.Symbol("vx_dot", real=True), sympy.Symbol("vy_dot", real=True)]])


def test_a_vakonomic_model_is_compared_from_its_start():
    found = hz.model("skate-vakonomic").compare_rules(1.0)
    assert list(found.multipliers) == ["nu1"] and not found.agree


@pytest.mark.parametrize(("system", "what"), [
    (lambda: hz.model("damped-pendulum"), "no constraints"), (lambda: hz.model("worn-disk"), "has the action in it")])
def test_systems_that_cannot_be_compared_are_refused(system, what):
    with pytest.raises(ValueError, match=what):
        system().compare_rules(1.0)


def test_a_run_without_length_is_refused():
    with pytest.raises(ValueError, match="t_end is the start"):
        hz.model("chaplygin-sleigh").compare_rules(0.0)
