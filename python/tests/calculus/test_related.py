"""Systems that belong to a system: on the algebroid of its constraints, flows of functions, the action as a coordinate."""

import warnings

import numpy
import pytest
import sympy

import herglotz as hz

x, y, phi, vx, vy, w, z, t = sympy.symbols("x y phi vx vy w z t", real=True)
q, v, gamma, beta, m = sympy.symbols("q v gamma beta m", real=True)
SKATE = vx * sympy.sin(phi) - vy * sympy.cos(phi)


def skate(lagrangian, **changes):
    start = {x: 0, y: 0, phi: 0.3, vx: sympy.Float(0.5) * sympy.cos(phi), vy: sympy.Float(0.5) * sympy.sin(phi), w: 0.8}
    return hz.System(hz.tangent([x, y, phi], [vx, vy, w]), lagrangian, parameters={gamma: 0.2, beta: 0.4}, constraints=[SKATE],
                     initial=start, simulation={"t_end": 3.0, "tolerance": 1e-13}, **changes)


SLEIGH = (vx**2 + vy**2) / 2 + w**2 + beta * w * (vx * sympy.sin(phi) - vy * sympy.cos(phi)) * 2 - gamma * z
OFFSET = (vx**2 + vy**2) / 2 + w**2 + beta * w * (vy * sympy.cos(phi) - vx * sympy.sin(phi)) - gamma * z


def agree(full, reduced, within, **settings):
    a, b = hz.simulate(full, **settings), hz.simulate(reduced, **settings)
    names = [s.name for s in (*full.base, *full.fibre, full.action)] + ["energy"]
    scale = max(float(abs(a[name]).max()) for name in names)
    return max(float(abs(a[name] - b[name]).max()) for name in names) <= within * scale


@pytest.mark.parametrize("lagrangian", [OFFSET, OFFSET - sympy.cos(x) + y * phi,
                                        OFFSET + vx * y + sympy.sin(x) * w,             # momenta off the constraint
                                        OFFSET + w**4 / 8 + vx**4 / 20 + z * w / 10,    # no metric at all
                                        OFFSET - z**2 / 7 + sympy.sin(t) * x])
def test_reduced_and_full_motions_agree(lagrangian):
    # [GG08, Ex. 2, Eqs. 5.14-5.20]: the reduced equations are those of the constrained system, for any Lagrangian.
    full = skate(lagrangian)
    reduced = full.reduced(by="constraints")
    assert [s.name for s in reduced.fibre] == ["u", "w"]
    assert not reduced.constraints
    assert agree(full, reduced, 1e-12)


@pytest.mark.parametrize("name", ["chaplygin-sleigh", "rolling-disk", "nonholonomic-particle", "suslov"])
def test_models_of_the_gallery_agree(name):
    full = hz.model(name)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # symmetries that are not sections of the constraint
        reduced = full.reduced()
    assert agree(full, reduced, 1e-12, tolerance=1e-13)


def test_forces_are_projected():
    full = skate(OFFSET, forces={vx: -vx / 5, w: sympy.cos(t)})
    assert agree(full, full.reduced(), 1e-12)


def test_the_bracket_is_the_projected_one():
    # e1 = (cos, sin, 0) along the blade and e2 = (0, 0, 1): [e1, e2] = (sin, -cos, 0) has the metric products 0 with e1 and
    # -beta with e2, g(e1, e2) = 0 and g(e2, e2) = 2, so that its projection is -beta/2 e2 [GG08, Ex. 2].
    reduced = skate(OFFSET).reduced()
    c, e1 = reduced.structure, reduced.anchor[:, 0]
    assert [sympy.simplify(entry) for entry in e1] == [sympy.cos(phi), sympy.sin(phi), 0]
    assert sympy.simplify(c[1, 0, 1] + reduced.symbols["beta"] / 2) == 0
    assert c[0, 0, 1] == 0
    assert sympy.simplify(c[1, 0, 1] + c[1, 1, 0]) == 0


def test_kept_velocities_can_be_chosen():
    full = skate(OFFSET)
    other = full.reduced(keep=[vy, w])
    assert [s.name for s in other.fibre] == ["vy", "w"]
    assert agree(full, other, 1e-12)
    assert [s.name for s in full.reduced(keep=["s", w]).fibre] == ["s", "w"]
    for keep, message in (([x, w], "not a fibre coordinate"), ([vy], "leave 2 fibre coordinates"),
                          ([vx, vy], "does not determine"),
                          (["s", "vx"], "leave the fibre coordinates vx, w, and others were to be kept")):
        with pytest.raises(ValueError, match=message):
            full.reduced(keep=keep)


def test_symmetries_inside_the_constraint_stay():
    # On the skate: rotations are not a section of the constraint; on the disk the spin is.
    full = skate(OFFSET, symmetries={"turn": [0, 0, 1], "shift": [1, 0, 0]}, observables={"p2": "p_vy"})
    with pytest.warns(UserWarning, match="the symmetry shift is not a section"):
        reduced = full.reduced()
    assert list(reduced.symmetries) == ["turn"]
    assert agree(full, reduced, 1e-12)
    a, b = hz.simulate(full), hz.simulate(reduced)
    assert abs(a.p2 - b.p2).max() < 1e-12
    assert abs(a["momentum.turn"] - b["momentum.turn"]).max() < 1e-12


def test_the_kind_constrained_is_the_same_system():
    full = skate(OFFSET)
    on_constraint = hz.System(hz.constrained(hz.tangent([x, y, phi], [vx, vy, w]), [SKATE]), OFFSET,
                              parameters={gamma: 0.2, beta: 0.4}, initial={phi: 0.3, "u": 0.5, w: 0.8},
                              simulation={"t_end": 3.0, "tolerance": 1e-13})
    assert on_constraint.kind.startswith("constrained")
    assert agree(full, on_constraint, 1e-12)


@pytest.mark.parametrize(("equations", "message"), [
    ([vx**2 - vy], "not linear"), ([vx - 1], "not linear"), ([vx * z - vy], "not linear"), ([vx, vy, w], "no velocity|as many"),
])
def test_other_constraints_are_refused(equations, message):
    with pytest.raises(hz.ModelError, match=message):
        hz.System(hz.constrained(hz.tangent([x, y, phi], [vx, vy, w]), equations), OFFSET, parameters={gamma: 0.2, beta: 0.4})


def test_other_systems_are_not_reduced():
    with pytest.raises(ValueError, match="needs linear, affine or holonomic constraints"):
        hz.model("damped-pendulum").reduced()
    with pytest.raises(ValueError, match="reduced by"):
        hz.model("chaplygin-sleigh").reduced(by="luck")


def test_the_flow_of_a_function_is_runnable():
    # X_f of f = p: q' = 1, p' = 0, z' = p f_p - f = 0; of f = q z: q' = 0, p' = -z - q p, z' = -q z [LJL21, Eq. 33].
    system = hz.System(hz.tangent([q], [v]), v**2 / 2 - gamma * z, parameters={gamma: 0.1}, initial={q: 0.5, v: 2, z: 0.3})
    run = hz.simulate(system.flow("p_v"), t_end=1, tolerance=1e-13)
    assert float(run.q[-1]) == pytest.approx(1.5, abs=1e-12)
    assert float(run.p_v[-1]) == pytest.approx(2, abs=1e-12)
    assert float(run.z[-1]) == pytest.approx(0.3, abs=1e-12)
    run = hz.simulate(system.flow(q * z), t_end=1, tolerance=1e-13)
    assert float(run.z[-1]) == pytest.approx(0.3 * numpy.exp(-0.5), abs=1e-12)
    assert float(run.p_v[-1]) == pytest.approx((2 - 0.3) * numpy.exp(-0.5), abs=1e-12)
    # The flow of the energy is the motion.
    p = sympy.Symbol("p_v", real=True)
    a, b = hz.simulate(system, t_end=1, tolerance=1e-13), hz.simulate(system.flow(p**2 / 2 + gamma * z), t_end=1, tolerance=1e-13)
    assert abs(a.q - b.q).max() < 1e-12
    with pytest.raises(ValueError, match="has the velocity v"):
        system.flow(v)


@pytest.mark.parametrize("rule", ["nonholonomic", "vakonomic"])
def test_the_action_as_a_coordinate(rule):
    # [LLMR21, Thms 1-4]: the same motion; the multiplier is -L_z, or 1 + mu_0 = exp(-int L_z).
    system = hz.System(hz.tangent([q], [v]), v**2 / 2 - q**2 / 2 - gamma * z - z**2 / 20, parameters={gamma: 0.3},
                       initial={q: 1.0, v: 0.4, z: 0.1})
    a = hz.simulate(system, t_end=2, tolerance=1e-13)
    b = hz.simulate(system.extended(rule), t_end=2, tolerance=1e-13)
    assert abs(a.q - b.q).max() < 1e-11
    assert abs(a.z - b.z).max() < 1e-11
    at_rest = system.replace(initial={v: None}).extended(rule)
    assert at_rest.initial["z_dot"] == pytest.approx(-0.5 - 0.03 - 0.0005)
    assert abs(hz.simulate(at_rest, t_end=1, tolerance=1e-12).v[0]) == 0
    if rule == "nonholonomic":
        assert abs(b.lambda1 - (0.3 + a.z / 10)).max() < 1e-10
    else:
        assert abs(1 + b.nu1 - a.integrating_factor).max() < 1e-10


def test_dissipated_functions():
    # [ASC25, Ex. 4.7; ASMLL20, Sec. 2]: on the free particle E, p and p q - 2 z .. are tried; {E, p} = 0 and {E, q p} = p^2 - ..
    system = hz.System(hz.tangent([q], [v]), v**2 / 2 - gamma * z, parameters={gamma: 0.3}, initial={q: 1.0, v: 0.4, z: 0.1},
                       dissipated={"momentum_like": "p_v", "wrong": "q*p_v", "timed": "p_v*exp(t) - p_v*exp(t) + p_v^2/(2*p_v)"},
                       observables={"e": "energy"})
    run = hz.simulate(system, t_end=2, tolerance=1e-13)
    assert abs(run["dissipated.momentum_like"] - run.v).max() < 1e-15
    assert abs(run["dissipated_invariant.momentum_like"] - 0.4).max() < 1e-12
    assert max(abs(run[f"dissipated_residual.{name}"]).max() for name in system.dissipated) < 1e-11
    # d(q p)/dt = L_z q p + p^2: the source is the bracket [LJL21, Eqs. 28, 48].
    assert abs(run["dissipated_invariant.wrong"] - 0.4).max() > 0.1
    check = system.check()
    assert check.brackets["momentum_like"]["holds"]
    assert check.brackets["momentum_like"]["everywhere"]
    assert not check.brackets["wrong"]["holds"]
    assert check.dissipated["timed"]
    assert not check.dissipated["wrong"]
    assert "{E, f} does not vanish" in check.text
    assert system.bracket(system.symbols["v"]**2 / 2 + gamma * z, "q*p_v").subs(v, 2) != 0


def test_a_dissipated_function_under_forces():
    # df/dt - L_z f = F f_p: {E, p} = 0 holds, and the force changes p.
    system = hz.System(hz.tangent([q], [v]), v**2 / 2 - gamma * z, parameters={gamma: 0.3}, initial={q: 1.0, v: 0.4},
                       forces={v: -v**3}, dissipated={"p": "p_v"})
    check = system.check()
    assert check.brackets["p"]["holds"]
    assert not check.brackets["p"]["dissipated"]
    assert "forces, constraints or time change it" in check.text
    run = hz.simulate(system, t_end=2, tolerance=1e-13)
    assert abs(run["dissipated_residual.p"]).max() < 1e-11
    assert abs(run["dissipated_invariant.p"] - 0.4).max() > 1e-2


def test_dissipated_functions_of_momenta_only():
    with pytest.raises(hz.ModelError, match="use base coordinates, momenta"):
        hz.System(hz.tangent([q], [v]), v**2 / 2, dissipated={"f": v})
    with pytest.raises(hz.ModelError, match="the symmetry 's' has that name"):
        hz.System(hz.tangent([q], [v]), v**2 / 2, symmetries={"s": [1]}, dissipated={"s": "p_v"})


def test_dissipated_functions_in_lanes_and_methods():
    system = hz.System(hz.lie_algebra(["w1", "w2", "w3"], "so3"), "(w1^2 + 2*w2^2 + 3*w3^2)/2 - gamma*z", parameters={gamma: 0.3},
                       dissipated={"casimir": "sqrt(p_w1^2 + p_w2^2 + p_w3^2)"}, initial={"w1": 1, "w2": 0.5, "w3": -0.2})
    sweep = hz.sweep(system, initial={"w1": numpy.linspace(0.5, 1.5, 5)}, t_end=1, step=0.05,
                     method="contact-gauss-4", keep="trajectory")
    for k, w1 in enumerate(numpy.linspace(0.5, 1.5, 5)):
        run = hz.simulate(system, {"w1": w1}, t_end=1, step=0.05, method="contact-gauss-4")
        for column in ("dissipated.casimir", "dissipated_invariant.casimir", "dissipated_residual.casimir"):
            assert numpy.array_equal(sweep[column].values[k], run[column].values)
    exact = hz.simulate(system, t_end=2, tolerance=1e-13)
    assert abs(exact["dissipated_invariant.casimir"] / exact["dissipated_invariant.casimir"][0] - 1).max() < 1e-12


def test_events_that_a_related_system_does_not_have_are_told():
    ball = hz.System(hz.tangent([q], [v]), v**2 / 2 - q, events={"kick": {"at": q, "set": {v: -v}}, "seen": q - 1},
                     initial={q: 1.0})
    for make in (lambda: ball.flow("q*p_v"), lambda: ball.extended("nonholonomic")):
        with pytest.warns(UserWarning, match="left out") as told:
            make()
        assert {str(one.message) for one in told} == {"left out: the event kick changes the state", "left out: the event seen"}
