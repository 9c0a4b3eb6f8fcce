"""SymPy and the grammar of model files, both ways."""

import pytest
import sympy

import herglotz as hz
from herglotz.expressions import to_sympy, to_text

x, y = sympy.symbols("x y", real=True)


@pytest.mark.parametrize("expression", [
    x**2 / 3 - y, sympy.sqrt(x + 1) / y, sympy.exp(-x / 5) * y**2, sympy.atan2(y, x), abs(x) ** 3, sympy.pi * x,
    sympy.Float(0.1) * x, x ** sympy.Rational(-3, 2), -(x + y), sympy.cosh(x) - sympy.tanh(y), sympy.E * x,
    sympy.log(x) / sympy.log(2), (x + y) * (x - y), -x**2, (-x) ** 2, x ** (y**2), (x**y) ** 2, 1 / (x * y),
    sympy.Integer(10) ** 20 * x, sympy.asin(x) + sympy.acos(y),
])
def test_round_trip_is_lossless(expression):
    system = hz.System(hz.tangent([x, y]), lagrangian="(v_x^2 + v_y^2)/2", observables={"f": expression})
    returned = system.observables["f"]
    for point in ((0.3, 0.7), (0.9, 0.2)):
        at = dict(zip((x, y), point))
        assert float(returned.subs(at)) == pytest.approx(float(expression.subs(at)), rel=1e-15)
    assert returned.free_symbols == expression.free_symbols


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
    (sympy.Piecewise((x, x > 0), (0, True)), "Piecewise"), (sympy.Derivative(sympy.Function("g")(x), x), "Derivative"),
])
def test_a_function_that_models_lack_is_named(expression, named):
    with pytest.raises(hz.UnsupportedFunction, match=named):
        to_text(expression)


def test_two_symbols_of_one_name_are_refused():
    q = sympy.Symbol("q")
    with pytest.raises(ValueError, match="'q' stands for two different"):
        hz.System(hz.tangent([q]), lagrangian=sympy.Symbol("v_q") ** 2 / 2 - sympy.Symbol("q", positive=True))


def test_printed_names_become_the_given_symbols():
    assert to_sympy("Rational(1, 2)*x**2 + sqrt(y)", {"x": x, "y": y}) == x**2 / 2 + sympy.sqrt(y)
