"""SymPy and the grammar of model files, both ways."""

import pytest
import sympy

import herglotz as hz
from herglotz.expressions import from_nodes, to_text

x, y = sympy.symbols("x y", real=True)


@pytest.mark.parametrize("expression", [
    x**2 / 3 - y, sympy.sqrt(x + 1) / y, sympy.exp(-x / 5) * y**2, sympy.atan2(y, x), abs(x) ** 3, sympy.pi * x,
    sympy.Float(0.1) * x, x ** sympy.Rational(-3, 2), -(x + y), sympy.cosh(x) - sympy.tanh(y), sympy.E * x,
    sympy.log(x) / sympy.log(2), (x + y) * (x - y), -x**2, (-x) ** 2, x ** (y**2), (x**y) ** 2, 1 / (x * y),
    sympy.Integer(10) ** 20 * x, sympy.asin(x) + sympy.acos(y), sympy.sin(2 * sympy.pi * x / 3), 180 * x / sympy.pi,
    sympy.pi**2 * x - sympy.exp(-y**2 / 2) / sympy.sqrt(2 * sympy.pi), sympy.Float("0.1", 30) * x,
])
def test_round_trip_is_lossless(expression):
    system = hz.System(hz.tangent([x, y]), lagrangian="(v_x^2 + v_y^2)/2", observables={"f": expression})
    returned = system.observables["f"]
    for point in ((0.3, 0.7), (0.9, 0.2)):
        at = dict(zip((x, y), point))
        assert float(returned.subs(at)) == pytest.approx(float(expression.subs(at)), rel=1e-15)
    assert returned.free_symbols == expression.free_symbols
    assert sympy.simplify(sympy.nsimplify(returned - expression)) == 0


def test_multiples_of_pi_stay_exact_in_derived_equations():
    q, v = sympy.symbols("q v", real=True)
    system = hz.System(hz.tangent([q], [v]), v**2 / 2 - sympy.sin(2 * sympy.pi * q / 3) * 5 / 180)
    assert system.lagrangian == v**2 / 2 - sympy.sin(2 * sympy.pi * q / 3) / 36
    (force,) = system.equations()["Equations of motion"].values()
    assert force == -sympy.pi * sympy.cos(2 * sympy.pi * q / 3) / 54


@pytest.mark.parametrize("decimal", [3.14159265, 57.2957795131, 0.1, 6.28, 4.14159265358979])
def test_decimals_that_are_no_multiples_of_pi_stay(decimal):
    assert from_nodes([("real", decimal, ())], {}) == [sympy.Float(decimal)]


@pytest.mark.parametrize("name", ["lambda", "in", "E", "I", "S", "Symbol", "Rational", "Abs", "sign", "beta"])
def test_names_that_mean_something_to_python_or_sympy(name):
    q, v, a = sympy.Symbol("q"), sympy.Symbol("v"), sympy.Symbol(name)
    L = v**2 / 2 - a * q**2 / 3 - sympy.Abs(q) ** 3
    system = hz.System(hz.tangent([q], [v]), L, parameters={a: 2.0}, initial={q: 1.0})
    assert system.lagrangian == L
    (force,) = system.equations()["Equations of motion"].values()
    assert sympy.expand(force - (-2 * a * q / 3 - 3 * q * abs(q))).subs(q, 2) == 0
    assert system.bracket(q, v).free_symbols <= {q, v, sympy.Symbol("z", real=True)}


def test_symbols_keep_their_assumptions():
    m = sympy.Symbol("m", positive=True)
    q, v = sympy.symbols("q v", real=True)
    L = m * v**2 / 2 - q**4 / 4
    system = hz.System(hz.tangent([q], [v]), L, parameters={m: 2.0})
    assert sympy.expand(system.lagrangian - L) == 0
    assert m in system.lagrangian.free_symbols


@pytest.mark.parametrize(("expression", "named"), [
    (sympy.gamma(x), "gamma"), (sympy.erf(x), "erf"), (sympy.sec(x), "sec"), (sympy.I * x, "ImaginaryUnit"),
    (sympy.Function("f")(x), "f"), (sympy.Integral(sympy.sin(x) / x, x), "Integral"), (sympy.oo * 1, "Infinity"),
    (sympy.Piecewise((x, x > 0)), "no value where no condition holds"), (sympy.ceiling(x), "ceiling"),
    (sympy.Piecewise((x, sympy.Ne(x, 0)), (0, True)), "the condition"),
    (sympy.EulerGamma * x, "EulerGamma"), (sympy.IndexedBase("a")[1] * x, "Indexed"), (x > 0, "StrictGreaterThan"),
    (sympy.Derivative(sympy.Function("g")(x), x), "Derivative"),
])
def test_a_function_that_models_lack_is_named(expression, named):
    with pytest.raises(hz.UnsupportedFunction, match=named):
        to_text(expression)


@pytest.mark.parametrize("expression", [
    sympy.Max(x, y), sympy.Min(x, y, 1), sympy.Max(x, sympy.Min(y, 2 * x)), sympy.Heaviside(x), sympy.Heaviside(x - y, 1),
    sympy.sign(x) * y, sympy.Piecewise((x, x > y), (y**2, True)), sympy.Piecewise((x, x >= 1), (y, y < 0), (3, True)),
    sympy.Piecewise((x, (x > -1) & (x <= 1)), (y, (x < -2) | (y > 0)), (5, True)),
    sympy.Piecewise((1, ~((x > 0) & (y > 0))), (2, True)), sympy.floor(x / 2 + y),
    sympy.Piecewise((1, ((x > 0) | (y >= 1)) & ((x < 2) | (y < 0))), (x, True)),
])
def test_choices_have_their_values(expression):
    system = hz.System(hz.tangent("q", "v"), "v^2/2", parameters={"x": 0.0, "y": 0.0},
                       observables={"chosen": expression})
    for a in (-3.0, -1.0, 0.0, 1.0, 2.5):
        for b in (-1.0, 0.0, 1.0):
            run = hz.run(system, parameters={"x": a, "y": b}, t_end=0.1, step=0.1)
            assert run["chosen"][0] == float(expression.subs({x: a, y: b})), (a, b)


def test_choices_come_back_as_they_were_given():
    q, v = sympy.symbols("q v")
    for force in (sympy.Max(q, v), sympy.Min(q, 1), sympy.Piecewise((q, q > v), (2 * v, True)), sympy.floor(q)):
        assert hz.System(hz.tangent([q], [v]), v**2 / 2, forces={v: force}).forces == (force,)


def test_what_is_no_expression():
    with pytest.raises(TypeError, match=r"a SymPy expression, a string or a number is needed, not \[x\]"):
        to_text([x])


def test_two_symbols_of_one_name_are_refused():
    q = sympy.Symbol("q")
    with pytest.raises(ValueError, match="'q' stands for two different"):
        hz.System(hz.tangent([q]), lagrangian=sympy.Symbol("v_q") ** 2 / 2 - sympy.Symbol("q", positive=True))


def test_nodes_are_built_in_order_from_the_given_symbols():
    nodes = [("symbol", "x", ()), ("rational", (1, 2), ()), ("pow", None, (0, 1)), ("symbol", "new", ()),
             ("mul", None, (2, 3)), ("sin", None, (4,))]
    assert from_nodes(nodes, {"x": x})[-1] == sympy.sin(sympy.sqrt(x) * sympy.Symbol("new"))
