"""Derived equations as SymPy objects."""

import pathlib
import pickle

import pytest
import sympy

import herglotz as hz

HOSTILE = 'A\nraise SystemExit(17)\n#\r*/ \u2028 \x1b[31m'


def oscillator(**options):
    q, v = sympy.symbols("q v", real=True)
    return hz.System(hz.tangent([q], [v]), v**2 / 2 - q**2 / 2 - sympy.Symbol("z") / 10, **options)


def test_titles_are_never_run():
    system = oscillator(title=HOSTILE, discrete={"rule": "midpoint"}, symmetries={"a.b-c": [1]})
    for equations in (system.equations(), system.geometry(), system.discrete_equations()):
        assert len(equations.sections) == len(equations.keys()) > 2
        repr(equations)
        assert "\x1b" not in equations.text + equations.latex


@pytest.mark.parametrize("file", sorted(pathlib.Path(hz.__file__).parent.glob("*.py")), ids=lambda file: file.name)
def test_no_source_runs_text(file):
    words = ("exec(", " eval(", "parse_expr", "sympify(text")
    assert not [word for word in words if word in file.read_text(encoding="utf-8")]


def test_lists_with_strings_are_not_read_by_sympy():
    with pytest.raises(TypeError):
        hz.System(hz.tangent(["q"]), lagrangian=["__import__('os').abort()"])


def test_rows_with_equal_left_sides_are_all_there():
    system = hz.System(hz.tangent(["x", "a"], ["vx", "va"]), "(vx + va)^2/2 - x^2/2 - a^3")
    motion = system.equations()["Equations of motion"]
    x, a = system.base
    assert len(motion) == 2
    assert [right for _, right in motion.rows] == motion.values() == [-x, -3 * a**2]
    assert motion.keys()[0] == motion.keys()[1]
    with pytest.raises(KeyError, match="2 rows have the left side"):
        motion[motion.keys()[0]]


def test_a_left_side_of_zero():
    motion = hz.System(hz.tangent(["x", "y"], ["vx", "vy"]), "vx^2/2 - x*y").equations()["Equations of motion"]
    assert 0 in motion


def test_mass_matrix_forcing_and_rhs_agree():
    system = hz.System(hz.tangent(["x", "y"], ["u", "w"]), "(u^2 + x^2*w^2)/2 + u*w/3 - x*y - z/5")
    equations = system.equations()
    solved = equations.mass_matrix.LUsolve(equations.forcing)
    rates = equations.rhs
    assert sympy.simplify(rates[2:4, :] - solved) == sympy.zeros(2, 1)
    assert list(rates[:2]) == list(system.fibre)
    assert sympy.expand(rates[4] - system.lagrangian) == 0
    point = dict(zip(system.phase_coordinates, (0.7, -0.3, 0.4, 0.9, 0.1)))
    compiled = system.vector_field()(0.0, [float(value) for value in point.values()])
    assert [float(rate.subs(point)) for rate in rates] == pytest.approx(list(compiled), rel=1e-13)
    with pytest.raises(ValueError, match="only equations of motion have a rhs"):
        _ = system.geometry().rhs


def test_equations_pickle():
    equations = oscillator().equations()
    again = pickle.loads(pickle.dumps(equations))
    assert again.text == equations.text
    assert again["Equations of motion"].rows == equations["Equations of motion"].rows


@pytest.mark.parametrize("pattern", ["({0} + 1)/({0} + 2)", "{0} + sin({0})*{0}"])
def test_nested_definitions_are_built_node_by_node(pattern):
    definitions, last = {}, "x"
    for level in range(1, 25):
        definitions[f"d{level}"] = pattern.format(last)
        last = f"d{level}"
    system = hz.System(hz.tangent(["x"], ["v"]), f"v^2/2 - {last}", definitions=definitions)
    assert len(system._model.derived("motion")[0]) < 2000
    assert len(system.equations().text) < 20_000
    equations = system.equations()
    assert repr(equations) == "<herglotz.Equations: motion of 'system'>"
    assert len(str(equations.sections["Equations of motion"].rows)) < 20_000
    where = equations.where
    assert len(where) > 20
    assert all(len(str(value)) < 1000 for value in where.values())
    point = {"x": 0.3, "v": 0.7, "z": 0.1, "t": 0.0}
    for name, value in where.items():
        used = sorted(value.free_symbols, key=str)
        point[name.name] = float(sympy.lambdify(used, value)(*(point[symbol.name] for symbol in used)))
    right = sympy.Matrix([*equations["Equations of motion"].values(), *equations.rhs])
    values = sympy.lambdify(sympy.symbols(list(point)), right)(*point.values()).ravel()
    rates = system.vector_field()(0.0, [0.3, 0.7, 0.1])
    assert list(values) == pytest.approx([rates[1], *rates], rel=1e-9)


def test_names_in_latex():
    system = oscillator(latex={"q": r"\xi", sympy.Symbol("v"): r"\hat{v}"})
    assert r"\dot{\xi} &= \hat{v}" in system.equations().latex
    assert r"\dot{q} &= \hat{v}" in system.replace(latex={"q": None}).equations().latex
    with pytest.raises(hz.ModelError, match="cannot stand in a LaTeX name"):
        oscillator(latex={"q": r"\input{x}"})


def test_ordinary_equations_have_no_names_of_their_own():
    assert oscillator().equations().where == {}


def test_names_that_python_or_sympy_have():
    system = hz.System(hz.tangent(["E", "I"], ["E_dot", "I_dot"]), "(E_dot^2 + S*I_dot^2)/2 - lambda*Rational^2 - E^2",
                       parameters={"lambda": 1.0, "S": 2.0}, definitions={"Rational": "E*I"})
    first, second = system.base
    assert system.equations()["Equations of motion"].values()[0].free_symbols >= {first, second}
