"""Point symmetries, reduction by them, and reconstruction; thirteen models are compared in C++."""

import numpy
import pytest
import sympy

import herglotz as hz

x, y, vx, vy, z, gamma = sympy.symbols("x y vx vy z gamma", real=True)
phi, theta, psi, vphi, vtheta, vpsi = sympy.symbols("phi theta psi vphi vtheta vpsi", real=True)


def kepler(**changes):
    return hz.System(hz.tangent([x, y], [vx, vy]), (vx**2 + vy**2) / 2 + 1 / sympy.sqrt(x**2 + y**2) - gamma * z,
                     parameters={gamma: 0.1}, initial={x: 0.8, y: 0.3, vx: 0.1, vy: 1.1},
                     simulation={"t_end": 3.0, "tolerance": 1e-13}, **changes)


def rigid_body():
    w = (vphi * sympy.sin(theta) * sympy.sin(psi) + vtheta * sympy.cos(psi),
         vphi * sympy.sin(theta) * sympy.cos(psi) - vtheta * sympy.sin(psi), vphi * sympy.cos(theta) + vpsi)
    L = sum(i * one**2 for i, one in zip((1, 2, sympy.Rational(7, 2)), w)) / 2 - gamma * z
    return hz.System(hz.tangent([phi, theta, psi], [vphi, vtheta, vpsi]), L, parameters={gamma: 0.1},
                     initial={phi: 0.3, theta: 1.0, psi: 0.4, vphi: 0.5, vtheta: 0.3, vpsi: 0.2},
                     simulation={"t_end": 3.0, "tolerance": 1e-13})


@pytest.mark.parametrize("make", [kepler, rigid_body])
def test_reduced_and_reconstructed_runs_are_the_full_run(make):
    # [ASC25, Ex. 3.8, Eq. 7]: x = g s, with the Lagrange-Poincare-Herglotz equations for (s, eta).
    full = make()
    run = hz.simulate(full)
    back = full.reconstructed(hz.simulate(full.reduced(by="symmetry", with_group=True)))
    for symbol in (*full.base, *full.fibre):
        assert numpy.abs(back[symbol.name] - run[symbol.name]).max() < 1e-12


h, vh, r4, v4 = *sympy.symbols("h vh", real=True), sympy.symbols("a b c d", real=True), sympy.symbols("va vb vc vd", real=True)
SPACE = dict(zip((x, y, h, vx, vy, vh), (1.0, 0.2, 0.3, 0.1, 0.8, 0.3)))


def in_space(L, **changes):
    return hz.System(hz.tangent([x, y, h], [vx, vy, vh]), L, initial=SPACE, **changes)


def squared(symbols):
    return sum(one**2 for one in symbols)


@pytest.mark.parametrize(("make", "fibre", "brackets"), [
    # Rotations about a centre, with O(3)/O(2), O(4)/O(3): [m, m] is in the algebra of K.
    (lambda: in_space(squared((vx, vy, vh))/2 + 1/sympy.sqrt(squared((x, y, h))) - z/10), ["vx_bar", "eta1", "eta2"], 0),
    (lambda: in_space(squared((vx, vy, vh))*(1 + z**2/9)/2 - squared((x, y, h)) - z/10 + z**2/30,
                      forces={v: -v/5 for v in (vx, vy, vh)}), ["vx_bar", "eta1", "eta2"], 0),
    (lambda: hz.System(hz.tangent(r4, v4), squared(v4)/2 - squared(r4)/2 - squared(r4)**2/9 - z/10,
                       initial=dict(zip((*r4, *v4), (1, .2, -.3, .1, .4, .5, -.2, .3)))), ["va_bar", "eta1", "eta2", "eta3"], 0),
    # A sphere, its orbits everything, and the Euclidean group on space.
    (lambda: hz.System(hz.tangent([theta, phi], [vtheta, vphi]), (vtheta**2 + sympy.sin(theta)**2*vphi**2)/2 - z/10,
                       initial={theta: 1, phi: 0.3, vtheta: 0.4, vphi: 0.5}), ["eta1", "eta2"], 0),
    (lambda: in_space(squared((vx, vy, vh))/2 - z/10), ["eta1", "eta2", "eta3"], 0),
    # A symmetric body with its spin: K turns the body and space, and no field of a name generates it.
    (lambda: hz.System(hz.tangent([theta, phi, psi], [vtheta, vphi, vpsi]), vtheta**2 + (sympy.sin(theta)*vphi)**2
                       + 3*(vpsi + sympy.cos(theta)*vphi)**2/2 - z/10,
                       initial={theta: 1, phi: 0.3, psi: 0.2, vtheta: 0.4, vphi: 0.5, vpsi: 0.7}), ["eta1", "eta2", "eta3"], 2),
])
def test_groups_with_isotropy_reduce_to_skew_algebroids_with_all_their_momenta(make, fibre, brackets):
    # x = g s with g up to K: L' is free of the eta of K [ASC25, Ex. 3.8, Eq. 7], and every J_A dissipates [Prop. 4.4].
    full, run = make(), {"t_end": 3.0, "tolerance": 1e-13, "output_step": 0.1}
    names = list(full.point_symmetries())
    reduced = full.reduced(by="symmetry", group=names)
    assert [one.name for one in reduced.fibre] == fibre
    assert sum(entry != 0 for entry in sympy.flatten(reduced.structure)) == brackets
    motion = hz.simulate(full, **run)
    for name in ("z", "energy"):
        assert numpy.abs(hz.simulate(reduced, **run)[name] - motion[name]).max() < 1e-12
    moved = hz.simulate(full.reduced(by="symmetry", group=names, with_group=True), **run)
    assert max(float(abs(moved[f"momentum_residual.{name}"]).max()) for name in names) < 1e-13
    back = full.reconstructed(moved, group=names)
    for symbol in (*full.base, *full.fibre):
        assert numpy.abs(back[symbol.name] - motion[symbol.name]).max() < 1e-12
    # The momenta are those of the fields of the full system.
    p = {v.name: full.lagrangian.diff(v) for v in full.fibre}
    for name, field in full.point_symmetries().items():
        J = sum(field[q]*p[v.name] for q, v in zip(full.base, full.fibre))
        start = {symbol: float(motion[symbol.name][0]) for symbol in (*full.base, *full.fibre, full.action)}
        assert float(moved[f"momentum.{name}"][0]) == pytest.approx(float(J.subs(start)), abs=1e-12)


def test_the_rigid_body_reduces_to_its_algebra():
    # [ASC25, Ex. 3.6]: TSO(3)/SO(3) = so(3), and lambda p stays on its coadjoint orbit.
    full = rigid_body()
    found = full.point_symmetries()
    assert len(found) == 3
    assert found.closed
    c = found.structure
    killing = sympy.Matrix(3, 3, lambda a, b: sum(c[k, a, j] * c[j, b, k] for j in range(3) for k in range(3)))
    assert killing == -2 * sympy.eye(3)
    for field in found.values():
        lift = sum(field[q].diff(r) * v * full.lagrangian.diff(w) for q, w in zip(full.base, full.fibre)
                   for r, v in zip(full.base, full.fibre))
        change = lift + sum(field[q] * full.lagrangian.diff(q) for q in full.base)
        point = {symbol: sympy.Rational(3 + k, 7) for k, symbol in enumerate((*full.base, *full.fibre))}
        assert abs(change.subs(point).evalf(30)) < 1e-25
    reduced = full.reduced(by="symmetry")
    assert reduced.base == ()
    assert [symbol.name for symbol in reduced.fibre] == ["eta1", "eta2", "eta3"]
    assert float(hz.simulate(reduced).energy[-1]) == pytest.approx(float(hz.simulate(full).energy[-1]), abs=1e-12)


def test_what_is_not_invariant_is_left_out():
    full = kepler(observables={"height": y, "distance": sympy.sqrt(x**2 + y**2)}, symmetries={"shift": [1, 0], "turn": [-y, x]})
    with pytest.warns(UserWarning, match="left out") as told:
        reduced = full.reduced(by="symmetry")
    assert [str(one.message) for one in told] == ["left out: the symmetry shift is not invariant",
                                                  "left out: the observable height is not invariant"]
    assert list(reduced.symmetries) == ["turn"]
    a, b = hz.simulate(full), hz.simulate(reduced)
    assert abs(a.distance - b.distance).max() < 1e-12
    assert abs(a["momentum.turn"] - b["momentum.turn"]).max() < 1e-12


def test_other_reductions_are_refused():
    with pytest.raises(ValueError, match="no point symmetry"):
        hz.model("damped-pendulum").reduced(by="symmetry")
    with pytest.raises(ValueError, match="there is no point symmetry 'luck'; found: symmetry1"):
        kepler().reduced(by="symmetry", group=["luck"])
    space = in_space(squared((vx, vy, vh))/2 - squared((x, y, h)))
    with pytest.raises(ValueError, match="these symmetries span no algebra: a bracket of two of them is not in their span"):
        space.reduced(by="symmetry", group=list(space.point_symmetries())[:2])
    with pytest.raises(ValueError, match="these symmetries leave the start where it is"):
        space.replace(initial={x: 0, y: 0, h: 0}).reduced(by="symmetry", group=list(space.point_symmetries()))
    with pytest.raises(ValueError, match="group is empty"):
        kepler().reduced(by="symmetry", group=[])
    with pytest.raises(TypeError, match="run = None; a run of reduced"):
        kepler().reconstructed(None)
    with pytest.raises(ValueError, match="keep goes with"):
        kepler().reduced(by="symmetry", keep=[vx])
    with pytest.raises(ValueError, match="go with by=\"symmetry\""):
        kepler().reduced(with_group=True)
    with pytest.raises(ValueError, match="the run lacks the column 'x_bar'"):
        kepler().reconstructed(hz.simulate(kepler()))
