"""Lyapunov exponents and periodic orbits, with known results."""

import numpy
import pytest

import herglotz as hz


def driven(gamma=0.2, k=1.0, f=0.5, w=1.4):
    return hz.System(hz.tangent("q"), lagrangian="v_q**2/2 - k*q**2/2 - gamma*z + f*q*cos(w*t)",
                     parameters={"gamma": gamma, "k": k, "f": f, "w": w}, initial={"q": 0.3})


def test_exponents_of_a_linear_motion_are_the_real_parts_of_its_poles():
    system = hz.System(hz.tangent("q"), lagrangian="v_q**2/2 - 3*q**2/25 - gamma*z", parameters={"gamma": 1.0},
                       initial={"q": 1.0})
    found = hz.lyapunov_exponents(system, t_end=60, interval=2.0, method="runge-kutta-8", step=0.1)
    # q'' + q' + 6/25 q = 0 has the poles -2/5 and -3/5, and z falls by gamma.
    assert found.dims == ("t", "exponent")
    assert numpy.allclose(found[-1], [-0.4, -0.6, -1.0], atol=0.03)
    assert float(found[-1].sum()) == pytest.approx(-2.0, abs=1e-9)


def test_exponents_of_a_chaotic_pendulum_add_up_to_its_divergence():
    # g = 1.5, q = 2, w = 2/3: chaotic [G. Baker, J. Gollub, Chaotic Dynamics, 2nd ed., Ch. 3]
    system = hz.System(hz.tangent("q"), lagrangian="v_q**2/2 + cos(q) - z/2 + 3*q*cos(2*t/3)/2", initial={"q": 0.5})
    found = hz.lyapunov_exponents(system, t_end=120, interval=1.5, settle=30, method="runge-kutta-4", step=0.05)
    assert float(found[-1, 0]) > 0.05
    assert float(found[-1].sum()) == pytest.approx(-1.0, abs=1e-4)  # -(n + 1) gamma, but for the error of the steps


def test_the_orbit_of_a_driven_oscillator():
    gamma, k, f, w = 0.2, 1.0, 0.5, 1.4
    orbit = hz.periodic_orbit(driven(gamma, k, f, w), period=2*numpy.pi/w, method="reference", tolerance=1e-12)
    response = f/(k - w**2 + 1j*gamma*w)  # q = Re(response e^{i w t})
    assert orbit.start["q"] == pytest.approx(response.real, abs=1e-10)
    assert orbit.start["v_q"] == pytest.approx((1j*w*response).real, abs=1e-10)
    # poles -gamma/2 +- i sqrt(k - gamma^2/4), and -gamma of the action
    assert numpy.allclose(numpy.abs(orbit.multipliers), numpy.exp(-gamma*orbit.period*numpy.array([0.5, 0.5, 1.0])))
    assert orbit.stable


def test_the_orbit_and_period_of_a_free_pendulum():
    # The period at amplitude a is 2 pi / agm(1, cos(a/2)).
    system = hz.System(hz.tangent("q"), lagrangian="v_q**2/2 + cos(q)", initial={"q": 1.2})
    orbit = hz.periodic_orbit(system, {"q": 1.2}, period=6.5, fixed="q", drifting=["z"], method="reference", tolerance=1e-12)
    assert orbit.start["q"] == 1.2
    a, b = 1.0, numpy.sqrt((1 - orbit.start["v_q"]**2/2 + numpy.cos(1.2))/2)
    for _ in range(8):
        a, b = (a + b)/2, numpy.sqrt(a*b)
    assert orbit.period == pytest.approx(2*numpy.pi/a, rel=1e-9)
    assert numpy.allclose(orbit.multipliers, 1, atol=1e-4)


def test_what_does_not_fit_is_one_sentence():
    system = driven()
    with pytest.raises(ValueError, match="constraints"):
        hz.lyapunov_exponents(hz.model("chaplygin-sleigh"), t_end=1.0)
    with pytest.raises(ValueError, match="positive"):
        hz.lyapunov_exponents(system, t_end=0.0)
    for t_end in (1e12, 1e308):
        with pytest.raises(ValueError, match="rows"):
            hz.lyapunov_exponents(system, t_end=t_end)
    with pytest.raises(ValueError, match="'p'"):
        hz.periodic_orbit(system, {"p": 1.0}, period=1.0)
    with pytest.raises(hz.RunError, match="Newton|no periodic orbit"):
        hz.periodic_orbit(hz.System(hz.tangent("q"), lagrangian="v_q**2/2 + q"), period=1.0, method="runge-kutta-4", step=0.1)
