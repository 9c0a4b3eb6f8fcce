"""Equilibria along a parameter, with known folds, Hopf points and branch points."""

import numpy
import pytest

import herglotz as hz


def test_a_branch_turns_at_its_fold():
    # q'' + q'/5 = mu - q^2 has the equilibria q = +-sqrt(mu); those with q < 0 are saddles.
    system = hz.System(hz.tangent("q"), lagrangian="v_q**2/2 + mu*q - q**3/3", forces={"v_q": "-v_q/5"}, parameters={"mu": 1.0})
    branch = hz.follow_equilibria(system, {"q": 0.9}, parameter="mu", to=-1.0)
    fold = branch.at("fold")
    assert fold.sizes["point"] == 1 and branch.at("hopf").sizes["point"] == 0
    assert float(fold["mu"][0]) == pytest.approx(0, abs=1e-10) and float(fold["q"][0]) == pytest.approx(0, abs=1e-5)
    points = branch.points
    assert numpy.allclose(points["q"]**2, points["mu"], atol=1e-9)
    assert float(points["mu"][-1]) == 1.0 and float(points["q"][-1]) == pytest.approx(-1, abs=1e-9)
    assert branch.status == "complete"
    with pytest.warns(UserWarning, match="the branch is not complete: 4 points lead to mu = 0.9"):
        assert hz.follow_equilibria(system, {"q": 0.9}, parameter="mu", to=-1.0, points=4).points.sizes["point"] == 4
    assert str(points["stability"][0].values) == "asymptotically stable" and str(points["stability"][-1].values) == "unstable"


def test_an_equilibrium_loses_its_stability_at_a_hopf_point():
    # van der Pol: q'' = (mu - q^2) q' - q, with the poles (mu +- sqrt(mu^2 - 4))/2.
    system = hz.System(hz.tangent("q"), lagrangian="v_q**2/2 - q**2/2", forces={"v_q": "(mu - q**2)*v_q"},
                       parameters={"mu": -1.0})
    branch = hz.follow_equilibria(system, parameter="mu", to=1.0)
    hopf = branch.at("hopf")
    assert hopf.sizes["point"] == 1 and float(hopf["mu"][0]) == pytest.approx(0, abs=1e-10)
    k = int(numpy.flatnonzero(branch.points["event"].values == "hopf")[0])
    assert numpy.allclose(sorted(branch.poles[k].imag), [-1, 1])
    assert float(branch.points["mu"][-1]) == 1.0


def test_a_bead_leaves_the_bottom_of_a_hoop_that_turns_fast():
    # q'' = sin(q) (w cos(q) - 1) - q'/5 with w the square of the angular velocity: q = 0 is stable up to w = 1.
    system = hz.System(hz.tangent("q"), lagrangian="v_q**2/2 + cos(q) + w*sin(q)**2/2", forces={"v_q": "-v_q/5"},
                       parameters={"w": 0.5})
    branch = hz.follow_equilibria(system, parameter="w", to=2.0)
    assert float(branch.at("branch")["w"][0]) == pytest.approx(1, abs=1e-10)
    aside = hz.follow_equilibria(system, {"q": 1.0}, parameters={"w": 2.0}, parameter="w", to=3.0)
    assert numpy.allclose(numpy.cos(aside.points["q"]), 1/aside.points["w"], atol=1e-9)
    assert set(aside.points["stability"].values) == {"asymptotically stable"}


def test_what_does_not_fit_is_one_sentence():
    system = hz.System(hz.tangent("q"), lagrangian="v_q**2/2 - k*q**2/2 + q*cos(t)", parameters={"k": 1.0})
    with pytest.raises(ValueError, match="depend on time"):
        hz.follow_equilibria(system, parameter="k", to=2.0)
    with pytest.raises(ValueError, match="did you mean k"):
        hz.follow_equilibria(system, parameter="kk", to=2.0)
    falling = hz.System(hz.tangent("q"), lagrangian="v_q**2/2 + a*q", parameters={"a": 1.0})
    with pytest.raises(hz.RunError, match="no equilibrium"):
        hz.follow_equilibria(falling, parameter="a", to=2.0)
