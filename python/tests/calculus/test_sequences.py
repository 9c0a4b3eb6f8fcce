"""The discrete action of sequences and its differential [ASMLL20, Sec. 3]."""

import itertools

import numpy
import pytest

import herglotz as hz

OSCILLATOR = hz.model("discrete-oscillator")
SEQUENCE = [1.0, 1.3, 1.1, 0.7, 0.2]
H = 0.5


def lagrangian(q0, q1, z0, gamma=-0.05):
    return (q1 - q0)**2 / (2 * H) - H * (q0 + q1)**2 / 8 + H * gamma * z0


def test_the_action_of_any_sequence():
    # [ASMLL20, Eq. 35] by the recursion itself.
    expected = [0.3]
    for q0, q1 in itertools.pairwise(SEQUENCE):
        expected.append(expected[-1] + lagrangian(q0, q1, expected[-1]))
    assert numpy.allclose(OSCILLATOR.discrete_action(SEQUENCE, H, z0=0.3), expected, rtol=0, atol=1e-14)
    assert numpy.allclose(OSCILLATOR.discrete_action({"q": SEQUENCE}, H, z0=0.3), expected, rtol=0, atol=1e-14)


def test_the_differential_of_the_action():
    # [ASMLL20, Eqs. 36-38]: L_d is quadratic, so that central differences are exact.
    dq = numpy.array([0.2, -0.5, 0.3, 0.1, 0.4])
    ends = [OSCILLATOR.discrete_action(numpy.array(SEQUENCE) + e * dq, H, z0=0.3)[-1] for e in (0.5, -0.5)]
    assert OSCILLATOR.discrete_first_variation(SEQUENCE, dq, H, z0=0.3) == pytest.approx(ends[0] - ends[1], abs=1e-13)
    # With fixed ends it is the sum of the rows, each with the factors of the steps after it.
    dq[0] = dq[-1] = 0
    rows = OSCILLATOR.discrete_euler_lagrange(SEQUENCE, H, z0=0.3)[:, 0]
    sigma = 1 - 0.05 * H
    total = sum(sigma**(2 - k) * rows[k] * dq[k + 1] for k in range(3))
    assert OSCILLATOR.discrete_first_variation(SEQUENCE, dq, H, z0=0.3) == pytest.approx(total, abs=1e-13)


def test_discrete_motions_are_the_critical_sequences():
    # [ASMLL20, Thm 3.4, Eq. 39].
    run = hz.simulate(OSCILLATOR, step=H, t_end=6)
    assert abs(OSCILLATOR.discrete_euler_lagrange({"q": run.q.values}, H)).max() < 1e-12
    assert abs(OSCILLATOR.discrete_euler_lagrange(SEQUENCE, H)).max() > 0.1
    assert OSCILLATOR.discrete_action(run.q.values, H)[-1] == pytest.approx(float(run.z[-1]), abs=1e-12)


def test_samples_of_the_motion_are_critical_for_the_exact_lagrangian():
    # [ASMLL20, Thm 4.4].
    pendulum = hz.model("damped-pendulum")
    run = hz.simulate(pendulum, t_end=1.0, tolerance=1e-13, output_step=0.25)
    z0 = float(run.z[0])
    assert abs(pendulum.discrete_euler_lagrange(run.theta.values, 0.25, z0=z0, exact=True)).max() < 1e-10
    assert pendulum.discrete_action(run.theta.values, 0.25, z0=z0, exact=True)[-1] == pytest.approx(float(run.z[-1]), abs=1e-10)


@pytest.mark.parametrize(("sequence", "message"), [
    ([1.0], "shape"), ([[1.0, 2.0], [1.0, 2.0]], "shape"), ({"x": [1.0, 2.0]}, "needs values of each of q"),
    ([1.0, float("nan")], "not finite"),
])
def test_other_sequences_are_refused(sequence, message):
    with pytest.raises(ValueError, match=message):
        OSCILLATOR.discrete_action(sequence, H)


def test_variations_have_the_length_of_the_sequence():
    with pytest.raises(ValueError, match="the variation has 2 positions, and the sequence 5"):
        OSCILLATOR.discrete_first_variation(SEQUENCE, [0.0, 1.0], H)
    forced = hz.System(hz.tangent("q"), "v_q^2/2", forces={"v_q": "-v_q"})
    with pytest.raises(ValueError, match="one without forces"):
        forced.discrete_action([0.0, 1.0], H, exact=True)


def test_the_contact_exponential_is_inverted_by_the_exact_discrete_lagrangian_asmll20_equations_53_and_58():
    system = hz.model("damped-pendulum")
    found = system.contact_exponential(1.0, {"omega": 0.3}, 0.1, h=0.5)
    exact = system.exact_discrete_lagrangian(1.0, found.q1, 0.1, h=0.5)
    assert exact.v0 == pytest.approx([0.3], abs=1e-10)
    assert exact.value == pytest.approx(found.z1 - 0.1, abs=1e-12)
    ahead, behind = (system.contact_exponential(1.0, 0.3 + e, 0.1, h=0.5).q1[0] for e in (1e-4, -1e-4))
    assert found.jacobian == pytest.approx(numpy.array([[(ahead - behind) / 2e-4]]), abs=1e-7)


def test_the_contact_exponential_of_a_damped_oscillator_has_a_closed_form():
    v0, h, rate = 0.4, 0.7, numpy.sqrt(1 - 0.0025)
    system = hz.System(hz.tangent("q", "v"), "v^2/2 - q^2/2 - z/10")
    found = system.contact_exponential(0, v0, 0, h)
    growth = numpy.exp(-h / 20) * numpy.sin(rate * h) / rate
    assert found.q1 == pytest.approx([v0 * growth], abs=1e-12)
    assert found.jacobian == pytest.approx(numpy.array([[growth]]), abs=1e-11)


@pytest.mark.parametrize("wrong", [{"q0": [1, 2]}, {"v0": {"theta": 1}}, {"h": 0}])
def test_a_contact_exponential_needs_a_state_and_a_step(wrong):
    with pytest.raises(ValueError, match="needs a value|leads nowhere"):
        hz.model("damped-pendulum").contact_exponential(**{"q0": 1.0, "v0": 0.3, "z0": 0.0, "h": 0.5} | wrong)
