"""Boundary values and optimal control."""

import concurrent.futures
import copy
import pickle

import numpy
import pytest
import sympy
import xarray

import herglotz as hz

MASS = """
[model]
name = "mass"
[algebroid]
kind = "tangent"
base = ["x", "v"]
fibre = ["dx", "dv"]
[parameters]
goal = 1
[control]
controls = ["u"]
kinematics = { dx = "v", dv = "u" }
bounds = { u = [-1, 1] }
[cost]
running = "1"
[boundary]
duration = "free"
final = { x = "goal", v = 0 }
[mesh]
intervals = 8
"""


def regulator(**changes):
    """Minimise (x^2 + u^2)/2: the cost is tanh(T)/2 where the end is free."""
    x, u = sympy.symbols("x u")
    given = {"control": {"controls": [u], "kinematics": {"v": u}}, "cost": {"running": (x**2 + u**2)/2},
             "boundary": {"duration": 2}, "initial": {x: 1.0}, "mesh": {"intervals": 10}}
    return hz.System(hz.tangent("x", "v"), name="regulator", **{**given, **changes})


@pytest.fixture(scope="module")
def solution():
    return regulator().solve()


def test_a_problem_stated_in_sympy_is_solved(solution):
    assert solution.cost == pytest.approx(numpy.tanh(2)/2, abs=1e-10)
    assert solution.status == "solved" and solution.extremal == "normal" and solution.duration == 2
    assert list(solution.data_vars)[:5] == ["x", "v", "u", "zeta", "p_v"]
    assert solution.u.values[0] == pytest.approx(-numpy.tanh(2), abs=1e-8)
    assert isinstance(solution, xarray.Dataset) and solution.attrs["cost"] == solution.cost


def test_solutions_in_threads_are_the_same(solution):
    with concurrent.futures.ThreadPoolExecutor(4) as threads:
        for found in threads.map(lambda _: regulator().solve(), range(8)):
            assert all((found[name].values == solution[name].values).all() for name in solution.data_vars)


def test_parts_of_a_solution(solution):
    assert list(solution.states.data_vars) == ["x", "zeta"]
    assert list(solution.controls.data_vars) == ["u"]
    assert list(solution.costates.data_vars) == ["p_v", "R"]
    assert solution.certificate.stationarity < 1e-10 and solution.certificate["defect"] < 1e-10
    assert "stationarity" in solution.attrs["certificate"]
    with pytest.raises(AttributeError, match="no residual 'truth'; there are defect, stationarity"):
        _ = solution.certificate.truth
    assert solution.mesh.sizes["interval"] == solution.attrs["intervals"]
    assert float(solution.mesh.end[-1]) == 2
    assert float(solution.isel(t=0).x) == 1
    assert "0.482" in solution._repr_html_()


def test_a_solution_is_a_guess(solution, tmp_path):
    again = regulator().solve(guess=solution)
    assert again.attrs["iterations"] < solution.attrs["iterations"] + 5
    assert again.cost == pytest.approx(solution.cost, abs=1e-13)
    file = solution.save(tmp_path/"s.h5")
    assert regulator().solve(guess=file).cost == pytest.approx(solution.cost, abs=1e-13)
    assert hz.open_solution(file).identical(solution)
    solution.save(tmp_path/"s.csv")
    assert regulator().solve(guess=str(tmp_path/"s.csv")).cost == pytest.approx(solution.cost, abs=1e-10)
    assert regulator().solve(guess={"x": "1 - s"}).cost == pytest.approx(solution.cost, abs=1e-10)
    for other in (pickle.loads(pickle.dumps(solution)), copy.deepcopy(solution)):
        assert other.identical(solution) and regulator().solve(guess=other).status == "solved"


def test_settings_and_values_by_name(solution):
    longer = regulator().solve(duration=3, tolerance=1e-6, method="direct-gauss-4", x=2)
    assert longer.cost == pytest.approx(2*numpy.tanh(3), abs=1e-5)
    assert longer.attrs["method"] == "direct-gauss-4"
    with pytest.raises(hz.ModelError, match="unknown name 'y'"):
        regulator().solve(y=1)
    with pytest.raises(ValueError, match="tolerance = 0; a positive number is needed"):
        regulator().solve(tolerance=0)
    with pytest.raises(hz.ModelError, match="asks for the method 'newton'; known are auto"):
        regulator().solve(method="newton")
    with pytest.raises(TypeError, match="guess is a float"):
        regulator().solve(guess=1.0)
    with pytest.raises(hz.ModelError, match="there is no such file"):
        regulator().solve(guess="none.h5")


def test_a_file_with_changed_values(tmp_path):
    (tmp_path/"mass.toml").write_text(MASS)
    s = hz.load(tmp_path/"mass.toml", goal=4).solve()
    assert s.cost == pytest.approx(4, abs=1e-8)
    assert s.structure.startswith("u: max, min; switches at 2")
    assert s.switching_times["u"] == pytest.approx([2], abs=1e-8)
    with pytest.raises(hz.ModelError):
        hz.load(tmp_path/"mass.toml", gaol=4)


def test_what_has_no_solution_keeps_the_last_iterate():
    with pytest.raises(hz.RunError, match="^mass: .*farthest from holding is") as failed:
        hz.System.from_text(MASS).solve(duration=1)
    assert failed.value.reached.status == "infeasible"
    assert failed.value.reached.sizes["t"] > 1


def test_a_system_without_a_problem_says_so():
    with pytest.raises(hz.ModelError, match=r"the model has no \[boundary\] table"):
        hz.System(hz.tangent("q"), "v_q^2/2").solve()
    with pytest.raises(hz.ModelError, match="the model has controls, which no run knows; solve it"):
        hz.simulate(regulator(), t_end=1, step=0.1)


def test_controlled_mechanics_from_sympy():
    q, v, u = sympy.symbols("q v u")
    system = hz.System(hz.tangent("q", "v"), v**2/2, forces={v: u}, control={"controls": [u]},
                       cost={"running": u**2}, boundary={"duration": 1, "final": {q: 1, v: 0}}, mesh={"intervals": 4})
    s = system.solve()
    assert s.cost == pytest.approx(12, abs=1e-9)
    assert {"p_v", "q_v", "p_z"} < set(s.costates.data_vars)


def test_plots(solution):
    import matplotlib
    matplotlib.use("agg")
    figure = solution.plot()
    assert [ax.get_ylabel() for ax in figure.axes] == ["states", "controls", "costates"]
    assert len(solution.plot.controls().lines) == 1


def test_the_report_of_a_solution(solution, tmp_path):
    page = solution.hz.report(tmp_path/"s.html")
    assert "Herglotz solution report" in page.html and '"cost":0.482' in page.html
    assert (tmp_path/"s.html").stat().st_size > 1e6


def test_constraints_of_a_singular_lagrangian():
    x1, x2, y, w1, w2 = sympy.symbols("x1 x2 y w1 w2")
    system = hz.System(hz.tangent("x1 x2 y", "w1 w2 wy"),
                       (w1 - y*x2)**2/2 + (w2 + y*x1)**2/2 - (x1**2 + x2**2)/2 - sympy.Symbol("g")*sympy.Symbol("z"),
                       parameters={"g": 0.2}, initial={x1: 1, x2: 0.5, w1: 0.3, w2: 0.15, "wy": 2.5, "z": 0.1})
    assert system.constraints == ()
    final = system.constraints()
    assert final.levels == 2 and final.consistent and len(final.expressions) == 4
    assert final.dims == {"total": 10, "final": 6, "gauge_orbits": 3, "physical": 3}
    assert final.undetermined == (system.symbols["wy"],)
    assert list(final.gauge_fields[0]) == [system.symbols["wy"]]
    level2, = final.at_level(2)
    assert level2.subs(dict(zip(system.base, (1, 0.5, 0)))).free_symbols <= set(system.fibre)
    assert "level 2" in final._repr_latex_()
    assert pickle.loads(pickle.dumps(system.constraints))().dims == final.dims


def test_regular_lagrangians_and_contradictions():
    assert hz.System(hz.tangent("q"), "v_q^2/2").constraints() is None
    final = hz.System(hz.tangent("q th"), "v_q^2/2 + e*v_th - g*z", parameters={"e": 1, "g": 0.1}).constraints()
    assert not final.consistent and final.contradiction is not None and final.contradiction_level == 2
    assert final.dim_final is None and final.dim_physical is None


def test_implicit_equations():
    system = hz.System(hz.tangent("q"), "v_q^2/2 - q^2/2 - gamma*z", parameters={"gamma": 0.1})
    equations = system.implicit()
    q, v, p = system.base[0], system.fibre[0], system.momenta[0]
    assert equations["Legendre map"][p] == v
    momentum, = equations["Momentum equations"].values()
    assert sympy.simplify(momentum + q + sympy.Symbol("gamma", real=True)*p) == 0
    with pytest.raises(ValueError, match="Hamiltonian"):
        _ = hz.System(hz.tangent("q"), hamiltonian="p_v_q^2/2").implicit().text


def test_problems_of_the_gallery():
    assert "elastica" in [name for name, _, _ in hz.problem_gallery()]
    assert hz.model("elastica").solve().cost == pytest.approx(2.627046020848, abs=1e-9)
    with pytest.raises(ValueError, match="did you mean elastica"):
        hz.model("elastika")


def test_solve_takes_a_system_a_file_or_the_text_of_a_model(tmp_path):
    file = tmp_path / "mass.toml"
    file.write_text(MASS)
    known = hz.System.from_text(MASS).solve(method="direct-gauss-4")
    for problem in (hz.System.from_text(MASS), MASS, str(file), file):
        assert hz.solve(problem, method="direct-gauss-4").cost == known.cost
    assert hz.solve(MASS, goal=4).cost == pytest.approx(4, abs=1e-9)  # 2 sqrt(goal)
    with pytest.raises(TypeError, match="the place of a model file"):
        hz.solve(3)
