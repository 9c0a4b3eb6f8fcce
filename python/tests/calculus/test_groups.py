"""Exact discrete Lagrangians on groups [ASMLL20, Sec. 4], against closed forms and differences."""

import numpy
import pytest
import sympy
from scipy.spatial.transform import Rotation

import herglotz as hz

ETA = numpy.array([0.1, 0.2, 0.05])


def turned(*vectors):
    """The rotation vector of a product of rotations."""
    product = Rotation.identity()
    for vector in vectors:
        product = product * Rotation.from_rotvec(vector)
    return product.as_rotvec()


def test_a_damped_sphere_has_a_closed_form():
    w1, w2, w3, z, gamma = sympy.symbols("w1 w2 w3 z gamma", real=True)
    inertia, rate, h, z0 = 1.5, 0.4, 0.3, 0.2
    sphere = hz.System(hz.lie_algebra([w1, w2, w3], "so3"), sympy.Rational(3, 4)*(w1**2 + w2**2 + w3**2) - gamma*z,
                       parameters={gamma: rate})
    found = sphere.exact_on_group(ETA, z0, h)
    decay = numpy.exp(-rate * h)
    first = ETA * rate / (1 - decay)  # y = y0 exp(-gamma t) about one axis
    assert found.y0 == pytest.approx(first, abs=1e-10)
    assert found.sigma == pytest.approx(decay, abs=1e-11)
    action = decay * z0 + inertia * (first @ first) / 2 * decay * (1 - decay) / rate
    assert found.value == pytest.approx(action - z0, abs=1e-11)


def test_its_derivatives_on_the_group_are_the_momenta():
    body, h, z0, e = hz.model("rigid-body"), 0.2, 0.3, 1e-4
    found = body.exact_on_group(ETA, z0, h)
    axis = numpy.array([0.0, 0.6, 0.8])

    def slope(*vectors):
        ahead, behind = (body.exact_on_group(turned(*(v * s if v is axis else v for v in vectors)), z0, h).value
                         for s in (e, -e))
        return (ahead - behind) / (2 * e)

    assert slope(ETA, axis) == pytest.approx(found.p1 @ axis, abs=1e-7)
    assert slope(axis, ETA) == pytest.approx(found.sigma * found.p0 @ axis, abs=1e-7)


def test_on_an_action_groupoid_it_is_the_action_of_the_motion():
    top = hz.model("heavy-top")
    start = {"g1": 0.0, "g2": 0.6, "g3": 0.8, "z": 0.3}
    found = top.exact_on_group(ETA, 0.3, 0.2, x0=[0.0, 0.6, 0.8])
    run = hz.simulate(top, start | dict(zip(("w1", "w2", "w3"), found.y0.tolist())), t_end=0.2, tolerance=1e-13)
    assert found.value == pytest.approx(float(run.z[-1]) - 0.3, abs=1e-12)
    # The arrow exp(eta) carries g to exp(-eta^) g, as g' = g x w says.
    reached = Rotation.from_rotvec(-ETA).apply([0.0, 0.6, 0.8])
    assert [float(run[name][-1]) for name in ("g1", "g2", "g3")] == pytest.approx(reached, abs=1e-11)


@pytest.mark.parametrize(("system", "eta", "what"), [
    (lambda: hz.System(hz.lie_algebra("a b", "abelian"), "a^2 + b^2"), [1, 1], "has a centre"),
    (lambda: hz.model("polar-hamel"), [1, 1], "not constant"), (lambda: hz.model("suslov"), [1, 1, 1], "without constraints"),
    (lambda: hz.model("rigid-body"), [1, 1], "eta needs 3 components")])
def test_other_systems_are_refused(system, eta, what):
    with pytest.raises(ValueError, match=what):
        system().exact_on_group(eta, 0.0, 0.1)
