"""Affine constraints reduced to the affine bundle of their velocities, and the adjoint algebroid [GG08]."""

import numpy
import pytest
import sympy

import herglotz as hz


def end(system, t_end=3.0):
    run = hz.simulate(system, t_end=t_end, tolerance=1e-12, output_step=t_end)
    return {name: float(run[name][-1]) for name in run if run[name].ndim == 1}


@pytest.fixture(scope="module")
def ball():
    return hz.model("ball-on-rotating-table")


@pytest.fixture(scope="module")
def reduced(ball):
    return ball.affine_reduction()


def test_gg08_5_14_to_5_20_the_reduced_motion_is_that_of_the_constraints(ball, reduced):
    full, found = end(ball), end(reduced.system)
    for name in ("x", "y", "vx", "vy", "w1", "w2", "w3", "z", "energy"):
        assert found[name] == pytest.approx(full[name], abs=1e-11), name


def test_gg08_5_14_the_constrained_legendre_map_and_tulczyjew_differential(ball, reduced):
    m, k, r, Omega = (ball.symbols[name] for name in ("m", "k", "r", "Omega"))
    x, y, w1, w3 = (ball.symbols[name] for name in ("x", "y", "w1", "w3"))
    P = {symbol.name: sympy.expand(value) for symbol, value in reduced.legendre.items()}
    assert sympy.expand(P["p_w1"] - (m * (k**2 + r**2) * w1 - m * r * Omega * x)) == 0
    assert sympy.expand(P["p_w3"] - m * k**2 * w3) == 0
    rates = {symbol.name: value for symbol, value in reduced.tulczyjew.items()}
    assert sympy.expand(rates["x_dot"] - (r * ball.symbols["w2"] - Omega * y)) == 0
    assert rates["p_w1_dot"] == rates["p_w2_dot"] == rates["p_w3_dot"] == 0  # without friction all three are kept
    run = hz.simulate(ball.replace(parameters={"gamma": 0}), t_end=3, tolerance=1e-12)
    values = {name: run[name].values for name in ("x", "y", "w1", "w2", "w3")}
    for name in ("p_w1", "p_w2"):
        f = sympy.lambdify([ball.symbols[one] for one in values], P[name].subs(
            {ball.symbols[one]: value for one, value in ball.parameters.items()}))
        kept = f(**values)
        assert numpy.abs(kept - kept[0]).max() < 1e-10


def test_gg08_theorem_6_brackets_stay_in_v_of_A_where_the_constraint_is_holonomic():
    # A bead on a wire that moves along x with speed c, written as an affine constraint: its sections close.
    x, y, h, u, v, w, c, z = sympy.symbols("x y h u v w c z", real=True)
    wire = hz.System(hz.tangent([x, y, h], [u, v, w]), (u**2 + v**2 + w**2) / 2 - h - y**2 / 3 - z / 9, parameters={c: 0.7},
                     constraints=[u - c - v * sympy.cos(y)],
                     initial={y: 0.2, v: 0.3, w: 0.1, u: "c + 3/10*cos(y)"})
    found = wire.affine_reduction()
    assert found.affgebroid
    kept = wire.affine_reduction(keep=[u, w])
    assert [one.name for one in kept.frame] == ["u", "w"]
    full, short, other = end(wire), end(found.system), end(kept.system)
    for name in ("x", "y", "h", "v", "w", "u", "z"):
        assert short[name] == pytest.approx(full[name], abs=1e-11), name
        assert other[name] == pytest.approx(full[name], abs=1e-11), name
    assert not hz.model("ball-on-rotating-table").affine_reduction().affgebroid


def test_gg08_5_14_to_5_20_with_constraints_that_depend_on_time():
    # A knife edge whose direction turns with time, and a wire that moves in a way given in time: on the wire, whose constraint
    # is the derivative of x = sin(t) + sin(y), the bracket of d/dt + e_0 with e_1 stays in v(A) [GG08, Thm 6].
    x, y, u, v, t, z = sympy.symbols("x y u v t z", real=True)
    free = hz.tangent([x, y], [u, v])
    blade = hz.System(free, (u**2 + v**2) / 2 - x**2 / 2 - z / 9, constraints=[u * sympy.sin(t) - v * sympy.cos(t) + x / 5],
                      initial={x: 0.4, u: 0.3, v: 0.08})
    wire = hz.System(free, (u**2 + v**2) / 2 - y**2 / 3 - z / 9, constraints=[u - sympy.cos(t) - v * sympy.cos(y)],
                     initial={y: 0.2, v: 0.3, u: "1 + 3/10*cos(y)"})
    slanted = hz.System(free, (u**2 + v**2) / 2 - z / 9, constraints=[u - v * sympy.sin(t + y)],
                        initial={y: 0.2, v: 0.3, u: "3/10*sin(y)"})
    for system, closes in ((blade, False), (wire, True), (slanted, False)):
        found = system.affine_reduction()
        assert found.affgebroid == closes
        full, short = end(system, 1.2), end(found.system, 1.2)
        for name in ("x", "y", "u", "v", "z"):
            assert short[name] == pytest.approx(full[name], abs=1e-11), name


def test_an_affine_reduction_is_refused_where_there_is_none():
    for name, message in (("damped-pendulum", "has none"), ("isokinetic", "not affine"), ("spherical-pendulum", "not affine"),
                          ("worn-disk", "not affine"), ("skate-vakonomic", "has none")):
        with pytest.raises(ValueError, match=message):
            hz.model(name).affine_reduction()


def test_gg08_section_2_an_algebroid_is_skew_exactly_if_its_adjoint_is_its_opposite():
    def parts(algebroid, parameters):
        system = hz.System(algebroid, sum(sympy.Symbol(name, real=True)**2 for name in algebroid.fibre), parameters=parameters)
        return system.anchor, system.right_anchor, system.structure

    for name, skew in (("wong-particle", True), ("sleigh-algebroid", True), ("general-algebroid", False)):
        system = hz.model(name)
        one, other = (parts(made, system.parameters) for made in (system.adjoint_algebroid(), system.opposite_algebroid()))
        same = all(sympy.simplify(a - b) == 0 for left, right in zip(one, other) for a, b in
                   zip(sympy.flatten(left), sympy.flatten(right)))
        assert same == skew, name


@pytest.mark.parametrize("name", ["spherical-pendulum", "double-pendulum-cartesian"])
def test_holonomic_constraints_reduce_to_the_tangent_spaces_of_their_leaves(name):
    system = hz.model(name)
    with pytest.warns(UserWarning, match="left out"):
        reduced = system.reduced()
    assert not reduced.constraints and len(reduced.fibre) == len(system.fibre) - len(system.constraints)
    full, small = (hz.simulate(one, t_end=0.5, tolerance=1e-13, output_step=0.1) for one in (system, reduced))
    for symbol in (*system.base, system.action):
        assert float(abs(full[symbol.name] - small[symbol.name]).max()) < 1e-11
    with pytest.raises(ValueError, match="off|invariant"):
        hz.simulate(reduced, {reduced.base[0]: 0.123}, t_end=0.5)


def test_gg08_5_14_structure_functions_and_anchors_of_ones_own():
    # A general algebroid: two anchors, a bracket that is not skew, trigonometric functions, and a mass in the action.
    x, y, a, b, c, z = sympy.symbols("x y a b c z", real=True)
    sin, cos = sympy.sin, sympy.cos
    algebroid = hz.custom([x, y], [a, b, c], [[sin(y), x*y], [1, 0], [x, cos(x)]],
                          {("a", "b"): {"c": sin(x)}, ("b", "a"): {"a": x*y}, ("b", "c"): {"b": cos(y), "a": -y},
                           ("c", "c"): {"c": 1 + y**2}},
                          right_anchor=[[1, sympy.exp(-x/4)], [y, x], [0, 1]], skew=False)
    full = hz.System(algebroid, sympy.exp(z/7)*((2 + x**2)*a**2 + b**2 + 3*c**2 + b**4/10)/2 - x**2*y/3 - z*(1 + a/5)/4,
                     constraints=[a*cos(x) + b*y + c*(1 + y**2) - 1 - x], forces={a: -a*b/5, b: x*z/10},
                     initial={x: 0.4, y: -0.3, b: 0.2, c: 0.7, a: (1.4 + 0.06 - 0.7*1.09)/cos(0.4), z: 0.1})
    found = full.affine_reduction()
    assert not found.affgebroid
    reduced, whole = end(found.system, 0.5), end(full, 0.5)
    for name in ("x", "y", "a", "b", "c", "z"):
        assert reduced[name] == pytest.approx(whole[name], abs=1e-12), name
