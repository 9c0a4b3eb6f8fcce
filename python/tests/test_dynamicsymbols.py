"""Coordinates as functions of time, as sympy.physics.mechanics writes them."""

import pytest
import sympy
from sympy.physics.mechanics import LagrangesMethod, dynamicsymbols

import herglotz as hz

x, y = dynamicsymbols("x y")
t = dynamicsymbols._t
m, k, gamma, z = sympy.symbols("m k gamma z")
L = m * (x.diff(t) ** 2 + y.diff(t) ** 2) / 2 - k * x**2 * y**2 / 2
PARAMETERS = {m: 2.0, k: 3.0, gamma: 0.1}


def test_the_equations_are_those_of_lagranges_method():
    system = hz.System(hz.tangent([x, y]), L, parameters=PARAMETERS)
    ours = system.equations()["Equations of motion"]
    residues = [system.as_dynamicsymbols(left - right) for left, right in ours.items()]
    theirs = list(LagrangesMethod(L, [x, y]).form_lagranges_equations())
    solved = sympy.solve(theirs, [x.diff(t, 2), y.diff(t, 2)])
    for residue in residues:
        assert residue.has(sympy.Derivative)
        assert sympy.simplify(residue.subs(solved)) == 0


def test_what_comes_back_has_plain_symbols():
    system = hz.System(hz.tangent([x, y]), L - gamma * dynamicsymbols("z"), parameters=PARAMETERS)
    assert [symbol.name for symbol in (*system.base, *system.fibre)] == ["x", "y", "v_x", "v_y"]
    assert not system.lagrangian.atoms(sympy.Derivative, sympy.Function)
    assert sympy.expand(system.as_dynamicsymbols(system.lagrangian) - (L - gamma * dynamicsymbols("z"))) == 0


def test_functions_name_values_forces_and_columns():
    system = hz.System(hz.tangent([x, y]), L, parameters=PARAMETERS, forces={x.diff(t): -gamma * x.diff(t)},
                       initial={x: 1.0, y.diff(t): 0.5}, constraints=[x.diff(t) - y * y.diff(t)],
                       observables={"radius": sympy.sqrt(x**2 + y**2)}, events={"turning": x.diff(t)})
    assert system.initial == {"x": 1.0, "v_y": 0.5}
    assert sympy.expand(system.forces[0]) == -gamma * system.fibre[0]
    run = hz.simulate(system, {y: 0.2, x.diff(t): 0.1}, t_end=1, step=0.01)
    assert (float(run.y[0]), float(run.v_x[0])) == (0.2, 0.1)
    assert run.hz.events.sizes["event"] >= 0
    batch = hz.simulate(system, {y: [0.2, 0.3], x.diff(t): [0.1, 0.15]}, t_end=1, step=0.01)
    assert list(batch.y[:, 0]) == [0.2, 0.3]


def test_velocities_may_have_names_of_their_own():
    u = dynamicsymbols("u")
    system = hz.System(hz.tangent([x], [u]), x.diff(t) ** 2 / 2 - u * x - gamma * z, parameters={gamma: 0.1})
    (name,) = system.fibre
    assert name.name == "u"
    assert sympy.expand(system.lagrangian - (name**2 / 2 - name * system.base[0] - gamma * z)) == 0


def test_frames_hold_functions_of_time():
    a, b = dynamicsymbols("a b")
    system = hz.System(hz.hamel([x, y], [a, b], [[sympy.cos(x), sympy.sin(x)], [-sympy.sin(x), sympy.cos(x)]]),
                       a**2 / 2 + b**2 / 2 - x**2)
    assert system.anchor[0, 0] == sympy.cos(system.base[0])
    rate = system.as_dynamicsymbols(sympy.Symbol("a_dot"))
    assert rate == a.diff(t)


def test_assumptions_are_kept():
    r = dynamicsymbols("r", positive=True)
    system = hz.System(hz.tangent([r]), r.diff(t) ** 2 / 2 + 1 / r)
    assert system.base[0].is_positive


@pytest.mark.parametrize(("build", "message"), [
    (lambda: hz.System(hz.tangent([x]), x.diff(t, 2) * x), r"Derivative\(x\(t\), \(t, 2\)\) is not in the state"),
    (lambda: hz.System(hz.tangent([x]), x.diff(t) ** 2 - dynamicsymbols("z").diff(t)), r"Derivative\(z\(t\), t\)"),
    (lambda: hz.System(hz.hamel([x], ["a"], [[2]]), x.diff(t) ** 2), r"Derivative\(x\(t\), t\) is not in the state"),
    (lambda: hz.System(hz.tangent([x]), x.diff(t) ** 2, time="s"), "functions of t, and the time of the model is s"),
    (lambda: hz.tangent([x, sympy.Function("y")(sympy.Symbol("s"))]), "depend on s and t"),
    (lambda: hz.System(hz.tangent([x]), x.diff(t) ** 2 - y), "function y in"),
])
def test_what_no_state_holds_is_named(build, message):
    with pytest.raises(ValueError, match=message) as caught:
        build()
    assert "\n" not in str(caught.value)
