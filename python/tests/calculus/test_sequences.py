"""The discrete action of sequences and its differential [ASMLL20, Sec. 3]."""

import itertools

import numpy
import pytest
import sympy

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


def test_samples_of_a_forced_motion_are_critical_with_the_exact_discrete_forces():
    # [ASMLL20, Thm 4.4] with the virtual work of forces [MW01, Sec. 3.2]: D1 + f^- + sigma (D2 + f^+) = 0 along samples.
    forced = hz.System(hz.tangent("q", "v"), "v^2/2 - q^4/4 - z/5", forces={"v": "sin(q) - v/3"},
                       initial={"q": 1.0, "v": 0.4, "z": 0.2})
    run = hz.simulate(forced, t_end=1.5, tolerance=1e-13, output_step=0.3)
    q = run.q.values
    assert abs(forced.discrete_euler_lagrange(q, 0.3, z0=0.2, exact=True)).max() < 1e-11
    assert forced.discrete_action(q, 0.3, z0=0.2, exact=True) == pytest.approx(run.z.values, abs=1e-11)
    # Off the motion the rows are those of the derivatives, which differ from the momenta by the forces.
    moved = [q[0], q[1] + 0.02, q[2]]
    first = forced.exact_discrete_lagrangian(moved[0], moved[1], 0.2, h=0.3)
    second = forced.exact_discrete_lagrangian(moved[1], moved[2], 0.2 + first.value, h=0.3)
    row = second.D1 + second.minus + second.sigma * (first.D2 + first.plus)
    assert forced.discrete_euler_lagrange(moved, 0.3, z0=0.2, exact=True)[0] == pytest.approx(row, abs=1e-12)
    assert abs(row[0]) > 0.01
    ahead, behind = (forced.exact_discrete_lagrangian(1.0 + e, 1.1, 0.2, h=0.3).value for e in (1e-4, -1e-4))
    at = forced.exact_discrete_lagrangian(1.0, 1.1, 0.2, h=0.3)
    assert pytest.approx([(ahead - behind) / 2e-4], abs=1e-7) == at.D1
    assert at.minus == pytest.approx(-at.sigma * at.p0 - at.D1, abs=1e-12)
    assert abs(at.minus[0]) > 0.05


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


def test_a_discrete_motion_is_that_of_a_run():
    # [ASMLL20, Eq. 39].
    found = OSCILLATOR.discrete_motion({"q": 1.0}, 2.0, H, 40)
    run = hz.simulate(OSCILLATOR)
    assert numpy.allclose(found.q[:, 0], run.q.values, rtol=0, atol=1e-13)
    assert numpy.allclose(found.z, run.z.values, rtol=0, atol=1e-13)
    assert numpy.allclose(found.p[:, 0], run.v.values, rtol=0, atol=1e-13)
    assert abs(OSCILLATOR.discrete_euler_lagrange(found.q, H)).max() < 1e-13


@pytest.mark.parametrize("u", [1e-100, 1e-12, 1e9])
def test_a_discrete_motion_has_no_unit_of_length(u):
    # L is a function of q/u and v/u alone, and so is the motion.
    system = hz.System(hz.tangent("q"), lagrangian="(v_q/u)**2/2 + u/q - (u/q)**2/2",
                       parameters={"u": 1.0}, discrete={"rule": "midpoint"})
    one = system.discrete_motion(1.0, 1.05, 0.3, 6)
    scaled = system.discrete_motion(u, 1.05 * u, 0.3, 6, parameters={"u": u})
    assert scaled.q / u == pytest.approx(one.q, rel=1e-12)


def test_a_discrete_motion_may_begin_with_components_that_are_zero():
    system = hz.System(hz.tangent(["x", "y"]), lagrangian="(v_x**2 + v_y**2)/2 - x**2/2 - x*y",
                       discrete={"rule": "midpoint"})
    found = system.discrete_motion([1e-12, 0.0], [1e-12, 0.0], 0.5, 4)
    assert found.q * 1e12 == pytest.approx(system.discrete_motion([1.0, 0.0], [1.0, 0.0], 0.5, 4).q, rel=1e-12)
    assert system.discrete_motion([0.0, 0.0], [0.0, 0.0], 0.5, 4).q == pytest.approx(numpy.zeros((5, 2)), abs=0)


def test_a_discrete_motion_may_have_a_negative_conformal_factor():
    # [ASMLL20, Sec. 2, Thm 3.9]: conformal factors have no zeros, and no sign is asked of them.
    h, factor = 25, 1 - 0.05 * 25
    found = OSCILLATOR.discrete_motion(1.0, 2.0, h, 4, z0=0.3)
    assert found.sigma == pytest.approx([factor] * 4, abs=1e-14)
    q = [1.0, 2.0]
    for _ in range(3):  # D1(q1, q2) + sigma D2(q0, q1) = 0, solved for q2
        q.append((factor * ((q[-1] - q[-2]) / h - h * (q[-2] + q[-1]) / 4) + q[-1] / h - h * q[-1] / 4) / (1 / h + h / 4))
    assert found.q[:, 0] == pytest.approx(q, abs=1e-12)

    def end(q0, q1, z0):
        return OSCILLATOR.discrete_action([q0, q1], h, z0=z0)[-1]

    # dz1 - p1 dq1 = sigma (dz0 - p0 dq0); L_d is quadratic, so that central differences are exact.
    assert end(1.5, 2.0, 0.3) - end(0.5, 2.0, 0.3) == pytest.approx(-factor * found.p[0, 0], abs=1e-11)
    assert end(1.0, 2.5, 0.3) - end(1.0, 1.5, 0.3) == pytest.approx(found.p[1, 0], abs=1e-11)
    assert end(1.0, 2.0, 0.8) - end(1.0, 2.0, -0.2) == pytest.approx(factor, abs=1e-12)
    with pytest.raises(hz.RunError, match="must be positive"):
        hz.simulate(OSCILLATOR, step=25.0, t_end=100)
    with pytest.raises(ValueError, match="sigma_d is 0"):
        OSCILLATOR.discrete_motion(1.0, 2.0, 20, 2)


@pytest.mark.parametrize(("change", "message"), [
    ({"q1": [1.0, 2.0]}, "shape"), ({"h": 0}, "step of 0"), ({"steps": 0}, "at least 1"), ({"z0": float("nan")}, "z0")])
def test_a_discrete_motion_needs_two_positions_and_a_step(change, message):
    with pytest.raises(ValueError, match=message):
        OSCILLATOR.discrete_motion(**{"q0": 1.0, "q1": 2.0, "h": 0.5, "steps": 3} | change)


def test_the_contact_exponential_map_is_one_without_constraints():
    # It advised another method, which it does not take. [ASMLL20, Thm 4.1].
    with pytest.raises(ValueError, match="one of systems without constraints"):
        hz.model("rolling-disk").contact_exponential([0.0] * 4, [0.0, 0.0, 0.0, 0.5], 0.0, h=0.1)


def test_discrete_forces_are_sympy_expressions_as_the_discrete_lagrangian_is():
    # [ASMLL20, Eqs. 36-38; MW01]: the virtual work of f- and f+ in the variation of the last action.
    q0, q1, z0, h, v = sympy.symbols("q0 q1 z0 h v", real=True)
    given = {"lagrangian": (q1 - q0)**2 / (2*h) - h*z0/5, "forces": {"minus": {v: h*q0/7}, "plus": {"v": -h*q1*z0}}}
    system = hz.System(hz.tangent("q", [v]), v**2/2 - sympy.Symbol("z")/5, forces={v: "-q/7"}, discrete=given)
    as_text = system.replace(discrete={"forces": {"minus": {"v": "h*q0/7"}, "plus": {"v": "-h*q1*z0"}}})
    for one in (system, as_text):
        moved = one.discrete_first_variation([1.0, 1.3], [0.2, -0.4], h=0.5, z0=0.3)
        assert moved == pytest.approx((-0.6 + 0.5/7)*0.2 + (0.6 - 0.5*1.3*0.3)*-0.4, abs=1e-15)
