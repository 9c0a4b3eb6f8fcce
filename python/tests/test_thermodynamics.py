"""A thermodynamic constraint: the heavy top in a Stokes flow [ASC25, Rem. 4.9; CGB20]."""

import numpy
import pytest
import scipy.integrate

import herglotz as hz


@pytest.fixture(scope="module")
def top():
    return hz.model("stokes-top")


def test_the_stokes_top_turns_and_heats_as_the_equations_without_multipliers_asc25_remark_4_9(top):
    p = top.parameters
    inertia = numpy.array([p["I1"], p["I2"], p["I3"]])
    arm = numpy.array([p["m1"], p["m2"], p["m3"]])

    def rates(t, u):
        g, w, S = u[:3], u[3:6], u[6]
        torque = numpy.cross(inertia * w, w) + numpy.cross(g, arm) - p["friction"] * w
        return [*numpy.cross(g, w), *(torque / inertia), p["friction"] * (w @ w) / (p["T0"] * numpy.exp(S / p["C"]))]

    run = hz.simulate(top, t_end=5, tolerance=1e-12)
    names = ["g1", "g2", "g3", "w1", "w2", "w3", "S"]
    start = [float(run[name][0]) for name in names]
    end = scipy.integrate.solve_ivp(rates, (0, 5), start, method="DOP853", rtol=1e-13, atol=1e-13).y[:, -1]
    assert [float(run[name][-1]) for name in names] == pytest.approx(end, abs=1e-10)


def test_the_energy_is_kept_the_multiplier_is_one_and_the_entropy_rises(top):
    run = hz.simulate(top, t_end=20)
    assert float(abs(run.energy - run.energy[0]).max()) < 1e-12
    assert float(abs(run.lambda1 - 1).max()) < 1e-12
    assert float(run.S.diff("t").min()) >= 0
    assert float(abs(run.mechanical_part[-1] - run.mechanical_part[0])) > 1
