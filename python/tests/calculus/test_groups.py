"""Exact discrete Lagrangians on groups [ASMLL20, Sec. 4], against closed forms and differences."""

import numpy
import pytest
import sympy
from scipy import optimize
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


def test_a_group_with_a_centre_is_seen_by_its_canonical_coordinates():
    a, b, c, x, y, s, z, gamma = sympy.symbols("a b c x y s z gamma", real=True)
    L = (2*a**2 + b**2 + 3*c**2)/2 + a*c - gamma*z
    brackets = {("a", "b"): {"c": 1}}
    group = hz.System(hz.lie_algebra([a, b, c], brackets=brackets), L, parameters={gamma: 0.4})
    eta, h = [0.3, -0.5, 0.7], 0.8
    found = group.exact_on_group(eta, 0.2, h)
    # The Heisenberg group as matrices, g = 1 + x E12 + y E23 + s E13: exp(a, b, c) has s = c + a b/2.
    matrices = hz.System(hz.action([x, y, s], [a, b, c], [[1, 0, 0], [0, 1, x], [0, 0, 1]], brackets=brackets), L,
                         parameters={gamma: 0.4})
    run = hz.simulate(matrices, dict(zip("abc", found.y0.tolist())) | {"z": 0.2}, t_end=h, tolerance=1e-13)
    reached = [float(run[name][-1]) for name in "xys"]
    assert reached == pytest.approx([eta[0], eta[1], eta[2] + eta[0]*eta[1]/2], abs=1e-12)
    assert found.value == pytest.approx(float(run.z[-1]) - 0.2, abs=1e-12)
    assert found.sigma == pytest.approx(numpy.exp(-0.4 * h), abs=1e-12)


def test_on_an_atiyah_groupoid_the_derivatives_along_arrows_are_the_momenta():
    wong, z0, h, e = hz.model("wong-particle"), 0.2, 0.4, 1e-4
    x0, eta = numpy.array([0.4, 0.6]), numpy.array([0.2, -0.1, 0.3, 0.2, 0.4])
    found = wong.exact_on_group(eta, z0, h, x0=x0)
    assert found.x1 == pytest.approx(x0 + eta[:2], abs=1e-12)
    axis = numpy.array([0.3, -0.4, 0.5, 0.6, -0.2])

    def value(s, behind):
        turn = turned(axis[2:] * s, eta[2:]) if behind else turned(eta[2:], axis[2:] * s)
        start = x0 - s * axis[:2] if behind else x0
        return wong.exact_on_group([*(eta[:2] + s * axis[:2]), *turn], z0, h, x0=start).value

    ahead, behind = ((value(e, side) - value(-e, side)) / (2 * e) for side in (False, True))
    assert ahead == pytest.approx(found.p1 @ axis, abs=1e-7)
    assert behind == pytest.approx(found.sigma * found.p0 @ axis, abs=1e-7)


def test_in_a_frame_it_is_that_of_two_positions():
    polar, h = hz.model("polar-hamel"), 0.2
    found = polar.exact_on_group([0.1, 0.15], 0.3, h, x0=[1.0, 0.4])
    assert found.x1 == pytest.approx([1.1, 0.55], abs=1e-12)
    start = dict(zip(polar.state, [1.0, 0.4, *found.y0.tolist(), 0.3]))
    run = hz.simulate(polar, start, t_end=h, tolerance=1e-13)
    assert [float(run[symbol.name][-1]) for symbol in polar.base] == pytest.approx([1.1, 0.55], abs=1e-11)
    assert found.value == pytest.approx(float(run.z[-1]) - 0.3, abs=1e-11)


def test_legendre_transforms_of_a_discrete_lagrangian_of_arrows_step_as_the_run_does():
    body = hz.model("rigid-body").replace(discrete={"rule": "trapezoid"})
    h, z0 = 0.1, 0.2
    start = {"w1": 0.7, "w2": 0.5, "w3": 1.1, "z": z0}
    run = hz.simulate(body, start, step=h, t_end=3 * h, output_every=1)
    momenta = [numpy.asarray(body.vector_field().momenta(0.0, [float(run[name][k]) for name in body.state])) for k in range(4)]
    z = z0
    for k in range(3):
        eta = optimize.root(lambda eta, z, p: body.discrete_legendre_on_group(eta, z, h).p0 - p,
                            h * numpy.array([0.7, 0.5, 1.1]), args=(z, momenta[k]), tol=1e-13).x
        step = body.discrete_legendre_on_group(eta, z, h)
        assert step.p1 == pytest.approx(momenta[k + 1], abs=1e-11)
        assert step.z1 == pytest.approx(float(run.z[k + 1]), abs=1e-11)
        z = step.z1


def test_the_action_of_arrows_varies_by_the_discrete_equations():
    body, h, e = hz.model("rigid-body").replace(discrete={"rule": "trapezoid"}), 0.1, 1e-4
    arrows = numpy.array([[0.1, 0.2, 0.05], [0.12, 0.15, 0.02], [0.05, 0.1, 0.2]])
    sections = numpy.array([[0.0, 0.0, 0.0], [0.3, -0.2, 0.5], [0.1, 0.4, -0.6], [0.0, 0.0, 0.0]])

    def action(s, exact):
        moved = [turned(-s*before, arrow, s*after) for before, arrow, after in zip(sections, arrows, sections[1:])]
        return body.discrete_action_on_group(moved, h, z0=0.2, exact=exact)[-1]

    for exact in (False, True):
        slope = body.discrete_first_variation_on_group(arrows, sections, h, z0=0.2, exact=exact)
        assert slope == pytest.approx((action(e, exact) - action(-e, exact)) / (2*e), abs=1e-7)
        rows = body.discrete_euler_lagrange_on_group(arrows, h, z0=0.2, exact=exact)
        z2 = body.discrete_action_on_group(arrows, h, z0=0.2, exact=exact)[2]
        sigma = (body.exact_on_group if exact else body.discrete_legendre_on_group)(arrows[2], z2, h).sigma
        assert sigma * rows[0] @ sections[1] + rows[1] @ sections[2] == pytest.approx(slope, abs=1e-12)
    with pytest.raises(ValueError, match="shape"):
        body.discrete_action_on_group([0.1, 0.2, 0.05], h)
    with pytest.raises(ValueError, match="sections of shape"):
        body.discrete_first_variation_on_group(arrows, sections[1:], h)
    with pytest.raises(ValueError, match="sections have a value that is not finite"):
        body.discrete_first_variation_on_group(arrows, numpy.full((4, 3), numpy.nan), h)


def test_legendre_transforms_of_arrows_follow_the_base():
    top = hz.model("heavy-top").replace(discrete={"rule": "left"})
    x0, h = [0.0, 0.6, 0.8], 0.05
    step = top.discrete_legendre_on_group(ETA, 0.3, h, x0=x0)
    assert step.x1 == pytest.approx(Rotation.from_rotvec(-ETA).apply(x0), abs=1e-13)
    exact = top.exact_on_group(ETA, 0.3, h, x0=x0)
    assert exact.x1 == pytest.approx(step.x1, abs=1e-12)
    assert numpy.abs(step.p0 - exact.p0).max() < 2 * h and step.sigma == pytest.approx(exact.sigma, abs=h**2)


@pytest.mark.parametrize(("system", "eta", "what"), [
    (lambda: hz.model("suslov"), [1, 1, 1], "without constraints"), (lambda: hz.model("rigid-body"), [1, 1], "eta needs 3"),
    (lambda: hz.System(hz.custom(["x"], ["a", "b"], [["x"], ["x^3"]], {("a", "b"): {"b": "x"}}),
                       "a^2 + b^2"), [1, 1], "no groupoid")])
def test_other_systems_are_refused(system, eta, what):
    base = [1.0] if what == "no groupoid" else ()
    with pytest.raises(ValueError, match=what):
        system().exact_on_group(eta, 0.0, 0.1, x0=base)


def test_legendre_transforms_need_a_discrete_lagrangian_of_arrows():
    with pytest.raises(ValueError, match="no discrete Lagrangian of arrows"):
        hz.model("rigid-body").discrete_legendre_on_group([0.1, 0, 0], 0.0, 0.1)
    with pytest.raises(ValueError, match="discrete_legendre_on_group takes arrows"):
        hz.model("rigid-body").discrete_legendre([0.1, 0, 0], [0.1, 0, 0], 0.0, 0.1)
    with pytest.raises(ValueError, match="not finite"):
        hz.model("rigid-body").exact_on_group([numpy.nan, 0, 0], 0.0, 0.1)
    with pytest.raises(RuntimeError, match="reach of exp"):
        hz.model("rigid-body").exact_on_group([7.0, 0, 0], 0.0, 0.1)


@pytest.mark.parametrize(("name", "x0"), [("rigid-body", ()), ("heavy-top", (0, .6, .8)), ("wong-particle", (.4, .6)),
                                          ("polar-hamel", (1.2, .3))])
def test_the_contact_exponential_on_a_groupoid_is_inverted_by_the_exact_discrete_lagrangian_asmll20_theorem_4_1(name, x0):
    system, z0, h, e = hz.model(name), 0.3, 0.4, 1e-4
    eta = numpy.array([0.1, -0.2, 0.3, 0.15, 0.05])[:len(system.fibre)]
    exact = system.exact_on_group(eta, z0, h, x0=x0)
    motion = system.contact_exponential_on_group(exact.y0, z0, h, x0=x0)
    assert motion.eta == pytest.approx(eta, abs=1e-12)
    assert motion.x1 == pytest.approx(exact.x1, abs=1e-12) and motion.y1 == pytest.approx(exact.y1, abs=1e-11)
    assert motion.z1 - z0 == pytest.approx(exact.value, abs=1e-13) and motion.sigma == pytest.approx(exact.sigma, abs=1e-13)
    for k, unit in enumerate(numpy.eye(len(eta))):
        ahead, behind = (system.contact_exponential_on_group(exact.y0 + s*unit, z0, h, x0=x0).eta for s in (e, -e))
        assert motion.jacobian[:, k] == pytest.approx((ahead - behind) / (2*e), abs=1e-8)
    with pytest.raises(ValueError, match=f"y0 needs {len(eta)} components"):
        system.contact_exponential_on_group(exact.y0[1:], z0, h, x0=x0)


def test_the_contact_exponential_of_a_damped_body_is_that_of_its_rotation():
    # A sphere with l = |w|^2/2 - z/5 spins about one axis: w = exp(-t/5) w0, eta = 5 (1 - exp(-h/5)) w0 [ASC25, Ex. 3.6].
    body = hz.System(hz.lie_algebra(["w1", "w2", "w3"], "so3"), "(w1^2 + w2^2 + w3^2)/2 - z/5")
    w, h = numpy.array([0.3, -0.5, 0.4]), 0.7
    motion = body.contact_exponential_on_group(w, 0.1, h)
    decay = numpy.exp(-h/5)
    assert motion.eta == pytest.approx(5*(1 - decay)*w, abs=1e-13) and motion.sigma == pytest.approx(decay, abs=1e-13)
    assert motion.z1 == pytest.approx(decay*(0.1 + 2.5*(1 - decay)*(w @ w)), abs=1e-13)


@pytest.mark.parametrize(("name", "rule", "order"), [("rigid-body", "trapezoid", 2), ("heavy-top", "left", 1),
                                                     ("heavy-top", "trapezoid", 2), ("wong-particle", "midpoint", 2)])
def test_a_rule_on_a_groupoid_has_its_order_asmll20_section_6(name, rule, order):
    found = hz.model(name).replace(discrete={"rule": rule}).discrete_order(0.1)
    assert found.lagrangian == pytest.approx(order, abs=0.2) and found.flow == pytest.approx(order, abs=0.2)


def driven_top():
    return hz.model("heavy-top").replace(forces={"w1": "g2/2 - w1*w3/5", "w2": "-3*w2/10", "w3": "z/4"})


def test_with_forces_its_derivatives_are_those_of_differences():
    top, z0, h, e = driven_top(), 0.3, 0.4, 1e-4
    x0, axis = numpy.array([0.0, 0.6, 0.8]), numpy.array([0.3, -0.4, 0.7])
    found = top.exact_on_group(ETA, z0, h, x0=x0)

    def value(s, source):
        if not source:
            return top.exact_on_group(turned(ETA, s * axis), z0, h, x0=x0).value
        start = Rotation.from_rotvec(-s * axis).apply(x0)  # x0 . exp(s axis)
        return top.exact_on_group(turned(-s * axis, ETA), z0, h, x0=start).value

    by_source, by_target = ((8 * (value(e, side) - value(-e, side)) - value(2*e, side) + value(-2*e, side)) / (12 * e)
                            for side in (True, False))
    assert by_source == pytest.approx(found.D1 @ axis, abs=1e-8)
    assert by_target == pytest.approx(found.D2 @ axis, abs=1e-8)
    assert abs(found.p1 - found.D2).max() > 1e-2 and abs(found.sigma * found.p0 + found.D1).max() > 1e-2


@pytest.mark.parametrize(("name", "eta", "x0"), [("rigid-body", ETA, []), ("heavy-top", ETA, [0.0, 0.6, 0.8]),
                                                 ("wong-particle", [0.2, -0.1, 0.3, 0.2, 0.4], [0.4, 0.6])])
def test_without_forces_its_derivatives_are_the_momenta_asmll20_equation_64(name, eta, x0):
    found = hz.model(name).exact_on_group(eta, 0.2, 0.4, x0=x0)
    assert abs(found.D1 + found.sigma * found.p0).max() < 1e-11 and abs(found.D2 - found.p1).max() < 1e-11


def test_with_forces_on_the_line_it_is_that_of_two_positions():
    L, force = "w^2/2 - z/5 - z^2/20", "-3*w/10 + w^2/4"
    group = hz.System(hz.lie_algebra(["w"], "abelian"), L, forces={"w": force})
    line = hz.System(hz.tangent("q", "w"), L, forces={"w": force})
    found, known = group.exact_on_group([0.7], 0.3, 0.5), line.exact_discrete_lagrangian(0.2, 0.9, 0.3, 0.5)
    assert found.value == pytest.approx(known.value, abs=1e-12)
    assert abs(found.D1 - known.D1).max() < 1e-10 and abs(found.D2 - known.D2).max() < 1e-10


def test_with_forces_the_arrows_of_a_motion_have_no_rows():
    top, h = driven_top(), 0.3
    first = top.exact_on_group(ETA, 0.1, h, x0=[0.0, 0.6, 0.8])

    def off(eta):
        return top.exact_on_group(eta, 0.1 + first.value, h, x0=first.x1).y0 - first.y1

    second = optimize.root(off, ETA, tol=1e-12).x
    rows = top.discrete_euler_lagrange_on_group([ETA, second], h, x0=[0.0, 0.6, 0.8], z0=0.1, exact=True)
    assert abs(rows).max() < 1e-10


def test_an_injective_anchor_with_brackets_that_are_functions_has_the_arrows_of_its_leaves():
    # Fields (1, y) and (x, 2 + x) on the plane with their bracket: TQ in another frame, whose groupoid is Q x Q [MMM06].
    x, y, a, b, u, v, z = sympy.symbols("x y a b u v z", real=True)
    first, second = sympy.Matrix([1, y]), sympy.Matrix([x, 2 + x])
    frame = sympy.Matrix.hstack(first, second)
    bracket = (frame.inv() * (second.jacobian([x, y]) * first - first.jacobian([x, y]) * second)).applyfunc(sympy.simplify)
    lagrangian = (a**2 + 2*b**2)/2 + a*b/3 - x**2/2 - y**2/4 - z/5 - z**2/20
    system = hz.System(hz.custom([x, y], [a, b], frame.T.tolist(), {("a", "b"): {"a": bracket[0], "b": bracket[1]}}), lagrangian,
                       initial={x: 0.3, y: 0.2, a: 0.5, b: 0.4})
    flat = hz.System(hz.tangent([x, y], [u, v]), lagrangian.subs(dict(zip((a, b), frame.inv() * sympy.Matrix([u, v])))))
    arrow = system.exact_on_group([0.15, 0.1], z0=0.2, h=0.3, x0=[0.3, 0.2])
    between = flat.exact_discrete_lagrangian([0.3, 0.2], [0.45, 0.3], 0.2, h=0.3)
    assert arrow.x1 == pytest.approx([0.45, 0.3], abs=1e-14)
    assert arrow.value == pytest.approx(between.value, abs=1e-12)
    assert arrow.p0 == pytest.approx(between.p0, abs=1e-11)
    assert arrow.p1 == pytest.approx(between.p1, abs=1e-11)
    end = hz.simulate(flat, dict(zip([x, y, u, v], [0.3, 0.2, 0.62, 1.02])), t_end=2, tolerance=1e-13)
    errors = [abs(hz.simulate(system, method="lie-hph-4", step=h, t_end=2).y[-1] - end.y[-1]).item() for h in (0.1, 0.05)]
    assert errors[1] < 1e-5
    assert numpy.log2(errors[0] / errors[1]) == pytest.approx(4, abs=0.2)


def test_the_affine_group_in_a_frame_whose_brackets_are_functions_asmll20_equations_53_and_58():
    # [a, b] = e^x b with rho(a) = e^x d/dx: in the frame e^-x a, b it is the affine group of the line, whose arrows are matrices.
    algebroid = hz.custom(["x"], ["a", "b"], [["exp(x)"], [0]], {("a", "b"): {"b": "exp(x)"}})
    system = hz.System(algebroid, "(a^2*(1 + x^2) + b^2 + a*b/2)/2 - cos(x) - z/10 - z^2/30",
                       initial={"x": 0.5, "a": 0.3, "b": 0.2})
    run = hz.simulate(system, {"z": 0.1}, t_end=0.2, tolerance=1e-13, output_step=0.0005)
    found = system.contact_exponential_on_group([0.3, 0.2], z0=0.1, h=0.2, x0=[0.5])
    assert found.x1[0] == pytest.approx(float(run.x[-1]), abs=1e-13) and found.z1 == pytest.approx(float(run.z[-1]), abs=1e-13)
    # g' = g (xi1 E1 + xi2 E2) with y = B xi and [E1, E2] = E2; exp(eta1 E1 + eta2 E2) is
    # [[e^eta1, eta2 (e^eta1 - 1)/eta1], [0, 1]].
    xi = numpy.array([run.a.values * numpy.exp(run.x.values), run.b.values])
    grown = _simpson(run.t.values, xi[0])[::2]
    assert found.eta[0] == pytest.approx(grown[-1], abs=1e-12)
    shift = _simpson(run.t.values[::2], numpy.exp(grown) * xi[1][::2])[-1]
    assert found.eta[1] * numpy.expm1(found.eta[0]) / found.eta[0] == pytest.approx(shift, abs=1e-11)
    assert system.exact_on_group(found.eta, z0=0.1, h=0.2, x0=[0.5]).y0 == pytest.approx([0.3, 0.2], abs=1e-12)


def _simpson(t, f):
    """The integral of f from t_0 to every second t."""
    h = t[1] - t[0]
    parts = h / 3 * (f[:-2:2] + 4*f[1:-1:2] + f[2::2])
    values = numpy.concatenate([[0.0], numpy.cumsum(parts)])
    full = numpy.zeros(len(t))
    full[::2] = values
    return full
