"""Calculus on algebroids, and the equations of motion written with a connection."""

import numpy
import pytest
import sympy

import herglotz as hz

x1, x2, q, v, z, gamma = sympy.symbols("x1 x2 q v z gamma", real=True)


def vanishes(expression):
    """At three points, with thirty digits."""
    expression = sympy.sympify(expression)
    symbols = sorted(expression.free_symbols, key=str)
    points = ({s: sympy.Rational(37 + 11 * i + 29 * k, 100) for i, s in enumerate(symbols)} for k in range(3))
    return all(abs(expression.subs(point).evalf(30)) < 1e-20 for point in points)


def polar():
    return hz.System(hz.hamel([x1, x2], ["a", "b"], [[1, x2], [0, 2 + sympy.cos(x1)]]), "a^2/2 + (1 + x1^2)*b^2/2 - gamma*z",
                     parameters={gamma: 0.1})


def two_anchors():
    return hz.System(hz.custom([x1, x2], ["a", "b"], [[1, x2], [x1, 1]], {("a", "b"): {"a": x1, "b": x2}},
                               right_anchor=[[x2, 1], [1, x1]]), "a^2/2 + b^2 + x1*a*b/3 - x2^2 - z^2/8",
                     forces={"a": "-b"})


def wong():
    return hz.model("wong-particle")


def test_the_bracket_in_a_frame_is_that_of_its_fields():
    # rho[s, u] = [rho s, rho u]: components of fields on the plane.
    system, s, u = polar(), [x2, sympy.sin(x1)], [1 + x1 * x2, x1**2]
    rho = system.anchor
    left = rho * sympy.Matrix(list(system.section_bracket(s, u).values()))
    X, Y = rho * sympy.Matrix(s), rho * sympy.Matrix(u)
    for i in range(2):
        right = sum(X[j] * Y[i].diff(x) - Y[j] * X[i].diff(x) for j, x in enumerate((x1, x2)))
        assert vanishes(left[i] - right)


def test_the_exterior_derivative_squares_to_zero_on_a_lie_algebroid():
    for system in (polar(), wong()):
        x = system.base
        gradient = system.exterior_derivative(sympy.sin(x[0]) * x[1]**2)
        assert all(vanishes(entry) for entry in system.exterior_derivative(list(gradient.values())))
    general = two_anchors()
    gradient = general.exterior_derivative(x1 * x2)
    assert not all(vanishes(entry) for entry in general.exterior_derivative(list(gradient.values())))
    assert vanishes(gradient[general.fibre[0]] - x1 * x2 - x2)


def test_the_complete_lift_finds_symmetries():
    # s^C L = 0 for rotations of the axisymmetric body about its axis; not about another one [ASC25, Def. 4.3].
    system = hz.System(hz.lie_algebra(["w1", "w2", "w3"], "so3"), "(w1^2 + w2^2 + 3*w3^2)/2 - z/5")
    for section, holds in (([0, 0, 1], True), ([1, 0, 0], False)):
        lift = system.complete_lift(section)
        assert vanishes(sum(lift[y] * system.lagrangian.diff(y) for y in system.fibre)) == holds
    assert system.vertical_lift({"w2": 1}) == dict(zip(system.fibre, (0, 1, 0)))


@pytest.mark.parametrize("make", [polar, two_anchors, wong])
def test_the_connection_cancels_in_the_equations(make):
    # dual = horizontal + action + forces is the operator, whatever the Christoffel symbols [ASC25, Thm 5.1, Lemma A.1].
    system = make()
    x, r = system.base, len(system.fibre)
    christoffel = [[[(b + 1) * x[i] + a * x[0] - i for a in range(r)] for i in range(len(x))] for b in range(r)]
    rows = system.euler_lagrange()
    for connection in (system.connection(christoffel), system.connection()):
        terms = connection.terms()
        for y in system.fibre:
            total = terms["dual"][y] - terms["horizontal"][y] - terms["action"][y] - terms["forces"][y]
            assert vanishes(total - rows[y])
    # The terms themselves contain it.
    bent, flat = system.connection(christoffel).terms(), system.connection().terms()
    assert any(not vanishes(bent["horizontal"][y] - flat["horizontal"][y]) for y in system.fibre)


@pytest.mark.parametrize("name", ["skate-nonholonomic", "spherical-pendulum", "skate-vakonomic", "chaplygin-sleigh"])
def test_the_motion_with_constraints_balances_the_terms_of_a_connection(name):
    # [ASC25, Eqs. 26-27] along runs, with reactions lambda Phi_y; vakonomic constraints as L - nu Phi [GG08, Eq. 5.5].
    system = hz.model(name)
    x, r = system.base, len(system.fibre)
    christoffel = [[[(b + 1) * one / 3 + a / 7 for a in range(r)] for one in x] for b in range(r)]
    terms = system.connection(christoffel).terms()
    run = hz.simulate(system, t_end=1.0, output_step=0.01, tolerance=1e-13)
    multipliers = [str(m) for m in system._model.multipliers]
    at, largest = 50, 0.0
    values = {symbol: run[symbol.name].values[at] for symbol in (*x, *system.fibre, system.action)}
    values |= {system.time: run.t.values[at]} | {system.symbols[one]: value for one, value in system.parameters.items()}
    values |= {system.symbols[one]: run[one].values[at] for one in multipliers}
    step = run.t.values[1] - run.t.values[0]
    slope = numpy.array([3, -32, 168, -672, 0, 672, -168, 32, -3]) / (840 * step)
    for one in (*(y.name for y in system.fibre), *multipliers):
        values[sympy.Symbol(f"{one}_dot", real=True)] = float(slope @ run[one].values[at - 4:at + 5])
    for y in system.fibre:
        parts = {key: float(terms[key][y].subs(values)) for key in terms}
        largest = max(largest, abs(parts["reactions"]))
        assert parts["dual"] == pytest.approx(sum(value for key, value in parts.items() if key != "dual"), abs=1e-8), y
    assert (largest > 1e-3) == (system.rule == "nonholonomic")


def test_the_connections_themselves():
    # Levi-Civita of dr^2 + r^2 dphi^2 has no curvature; nabla_phi e_phi = -r e_r.
    r, phi = sympy.symbols("r phi", positive=True)
    system = hz.System(hz.tangent([r, phi], ["vr", "w"]), "vr^2/2 + r^2*w^2/2")
    christoffel = [[[0, 0], [0, -r]], [[0, 1 / r], [1 / r, 0]]]
    connection = system.connection(christoffel)
    assert all(entry == 0 for entry in sympy.flatten(connection.curvature()))
    assert list(connection.nabla([0, 1], [0, 1]).values()) == [-r, 0]
    # nabla-bar_s u = nabla_u s + [s, u]: for a connection without torsion it is nabla_s u.
    s, u = [r * phi, sympy.cos(phi)], [phi, r**2]
    assert all(vanishes(one - other) for one, other in zip(connection.nabla_bar(s, u).values(), connection.nabla(s, u).values()))
    # On the sphere R^theta_phi,theta,phi = sin^2.
    theta = r
    sphere = hz.System(hz.tangent([theta, phi], ["a", "b"]), "a^2 + b^2").connection(
        [[[0, 0], [0, -sympy.sin(theta) * sympy.cos(theta)]], [[0, sympy.cot(theta).rewrite(sympy.sin, sympy.cos)],
                                                              [sympy.cos(theta) / sympy.sin(theta), 0]]])
    assert vanishes(sphere.curvature()[0, 1, 0, 1] - sympy.sin(theta)**2)
    # Horizontal part of a metric Lagrangian: none for its own connection.
    assert all(vanishes(part) for part in connection.horizontal_part().values())
    assert connection.vertical_part()[system.fibre[1]] == r**2 * system.fibre[1]


def test_names_stand_for_the_coordinates_of_the_system_in_strings_and_whatever_symbols_assume():
    # A symbol x1 that is not real was a constant: d^E of it was 0. [GG08, Eq. 2.3]
    system = polar()
    bracket = system.section_bracket([x2, sympy.sin(x1)], [1 + x1*x2, x1**2])
    loose = dict(zip((x1, x2), sympy.symbols("x1 x2")))
    assert system.section_bracket([loose[x2], sympy.sin(loose[x1])], [1 + loose[x1]*loose[x2], loose[x1]**2]) == bracket
    assert system.section_bracket(["x2", "sin(x1)"], ["1 + x1*x2", "x1^2"]) == bracket
    assert list(system.exterior_derivative("gamma*x1").values()) == [gamma, 0]
    constant, f = sympy.Symbol("k"), sympy.Function("f")
    assert list(system.exterior_derivative(constant*f(x1)).values()) == [constant*f(x1).diff(x1), 0]


@pytest.mark.parametrize(("call", "error", "message"), [
    (lambda s: s.section_bracket([1], [0, 1]), ValueError, "1 components"),
    (lambda s: s.section_bracket({"c": 1}, [0, 1]), ValueError, "component 'c'"),
    (lambda s: s.complete_lift([s.fibre[0], 0]), ValueError, "a function on the base"),
    (lambda s: s.section_bracket(["a", 0], [0, 1]), ValueError, "has a; it is a function on the base"),
    (lambda s: s.exterior_derivative("energy"), ValueError, "has energy; it is a function on the base"),
    (lambda s: s.exterior_derivative("x1*y"), ValueError, "unknown name 'y'"),
    (lambda s: s.exterior_derivative(float("nan")), ValueError, "the function is nan; a finite real expression is needed"),
    (lambda s: s.complete_lift([sympy.oo, 0]), ValueError, "a finite real expression is needed"),
    (lambda s: s.complete_lift([sympy.I*x1, 0]), ValueError, "a finite real expression is needed"),
    (lambda s: s.connection([[[sympy.nan]*2]*2]*2), ValueError, "a finite real expression is needed"),
    (lambda s: s.section_bracket([True, 0], [0, 1]), TypeError, "SymPy expression"),
    (lambda s: s.connection([[1]]), ValueError, "shape \\(2, 2, 2\\)"),
    (lambda s: s.connection().nabla([1], [1, 0]), ValueError, "base has 2"),
    (lambda s: s.section_bracket([object(), 0], [0, 1]), TypeError, "SymPy expression"),
])
def test_bad_sections_are_refused(call, error, message):
    with pytest.raises(error, match=message):
        call(polar())


@pytest.mark.parametrize("name", ["heavy-top", "rigid-body-symmetric", "kepler-drag", "ball-on-table", "chaplygin-sleigh",
                                  "magnetic-uniform", "thermoviscous-attitude", "wong-particle", "polar-hamel"])
def test_symmetric_sections_are_all_that_the_check_finds_to_hold_asc25_definition_4_3(name):
    system = hz.model(name)
    found = system.symmetric_sections()
    declared = system.check().symmetries
    judged = system.replace(symmetries={**dict.fromkeys(system.symmetries), **found}).check().symmetries if found else {}
    assert all(one["holds"] for one in judged.values())
    # A declared section is a combination of them exactly if it holds, where it is a polynomial at all.
    values = {system.symbols[key]: value for key, value in system.parameters.items()}
    x = list(system.base)
    points = [{s: sympy.Rational(2 + 3 * k + i, 7) for i, s in enumerate(x)} for k in range(4)]

    def row(section):
        return [sympy.sympify(entry).subs(values).subs(at).evalf() for at in points for entry in section]

    span = sympy.Matrix([row(section.values()) for section in found.values()] or [[0] * len(row(system.fibre))])
    for key, section in system.symmetries.items():
        if not all(sympy.sympify(entry).subs(values).is_polynomial(*x) for entry in section):
            continue
        residual = numpy.linalg.lstsq(numpy.array(span.T, dtype=float), numpy.array(row(section), dtype=float), rcond=None)
        inside = numpy.linalg.norm(numpy.array(span.T, dtype=float) @ residual[0] - numpy.array(row(section), dtype=float)) < 1e-8
        assert inside == declared[key]["holds"], key


def test_momenta_of_symmetric_sections_are_dissipated_asc25_proposition_4_4():
    top = hz.model("heavy-top")
    run = hz.simulate(top.replace(symmetries=top.symmetric_sections()), t_end=2, tolerance=1e-12)
    J, gamma = run["momentum.section1"].values, top.parameters["gamma"]
    assert abs(J - J[0] * numpy.exp(-gamma * run.t.values)).max() < 1e-9
    with pytest.raises(ValueError, match="those of a Lagrangian"):
        hz.System(hz.tangent("q", "v"), hamiltonian="p_v^2/2").symmetric_sections()
    assert hz.System(hz.lie_algebra(["a", "b"], "abelian"), "(a^2 + 3*b^2)/2 - z/10").symmetric_sections() == {
        "section1": {sympy.Symbol("a", real=True): 1, sympy.Symbol("b", real=True): 0},
        "section2": {sympy.Symbol("a", real=True): 0, sympy.Symbol("b", real=True): 1}}


@pytest.mark.parametrize("weight", [1.0, 1e6, 1e11, 1e13])
def test_a_heavy_body_has_no_more_symmetric_sections_asc25_definition_4_3(weight):
    # Turns about the vertical alone, whatever the weight; beside 1e11 the kinetic energy is near the rounding of the weight.
    turns = [[0, "g3", "-g2"], ["-g3", 0, "g1"], ["g2", "-g1", 0]]
    top = hz.System(hz.action(["g1", "g2", "g3"], ["w1", "w2", "w3"], turns, "so3"),
                    "(w1^2 + 2*w2^2 + 3*w3^2)/2 - k*g3 - z/10", parameters={"k": weight}, initial={"g3": 1})
    found = top.symmetric_sections()
    vertical = dict(zip(top.fibre, top.base))
    assert all(section == vertical for section in found.values())
    assert len(found) == 1 or weight > 1e9


def test_symmetric_sections_of_a_higher_degree_and_of_parameters_without_short_fractions_asc25_definition_4_3():
    # x^3 d/dx moves 1/x^2, of which v/x^3 is the rate.
    x, y, u, v, k, z = sympy.symbols("x y u v k z", real=True)
    plane = hz.System(hz.tangent([x, y], [u, v]), (u**2/x**6 + v**2)/2 - z/5, initial={x: 1})
    assert plane.symmetric_sections() == {"section1": {u: 0, v: 1}}
    assert plane.symmetric_sections(3) == {"section1": {u: x**3, v: 0}, "section2": {u: 0, v: 1}}
    skew = hz.System(hz.tangent([x, y], [u, v]), (u**2 + k*v**2)/2 - (x**2 + k*y**2)**2 - z/5, parameters={k: numpy.sqrt(2)})
    (section,) = skew.symmetric_sections().values()
    assert section[u] == y and abs(section[v] / x + 1 / numpy.sqrt(2)) < 1e-14
    with pytest.raises(ValueError, match="degree = 30 has 992 coefficients; choose one with 400 or fewer"):
        skew.symmetric_sections(30)
    with pytest.raises(TypeError, match=r"degree = 2.5; a whole number is needed"):
        skew.symmetric_sections(2.5)


def test_functions_whose_bracket_vanishes_are_dissipated_whatever_the_weight_asc25_proposition_4_4():
    turns = [[0, "g3", "-g2"], ["-g3", 0, "g1"], ["g2", "-g1", 0]]
    vertical, axis = "p_w1*g1 + p_w2*g2 + p_w3*g3", "p_w3"
    for weight in (1.0, 1e8, 1e12):
        top = hz.System(hz.action(["g1", "g2", "g3"], ["w1", "w2", "w3"], turns, "so3"),
                        "(w1^2 + 2*w2^2 + 3*w3^2)/2 - k*g3 - z/10", parameters={"k": weight},
                        initial={"g3": 1, "w1": 0.3, "w2": 0.4}, dissipated={"vertical": vertical, "axis": axis})
        assert {name: one["holds"] for name, one in top.check().brackets.items()} == {"vertical": True, "axis": False}
