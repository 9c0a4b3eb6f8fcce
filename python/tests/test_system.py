"""Systems from SymPy, strings and files, and what is derived from them."""

import pytest
import sympy

import herglotz as hz

q, v, gamma, z = sympy.symbols("q v gamma z")


def pendulum():
    return hz.System(hz.tangent([q], [v]), v**2 / 2 + sympy.cos(q) - gamma * z, parameters={gamma: 0.1},
                     initial={q: 1.0}, symmetries={"rotation": [1]}, observables={"speed": sympy.sqrt(v**2)})


def test_equations_of_motion_are_the_herglotz_equations():
    # [ASC25, Eq. 7]: d/dt L_v = L_q + L_z L_v.
    motion = pendulum().equations()["Equations of motion"]
    (left, right), = motion.items()
    assert str(left) == "v_dot"
    assert sympy.simplify(right - (-sympy.sin(q) - gamma * v)) == 0


def test_latex_and_text_are_printed():
    equations = pendulum().equations()
    assert equations._repr_latex_().startswith("\\begin{align")
    assert pendulum()._repr_latex_() == equations.latex
    assert "Equations of motion" in equations.text
    assert "Balance laws" in list(equations)
    with pytest.raises(KeyError, match="no section 'Motion'"):
        equations["Motion"]


@pytest.mark.parametrize("name", [entry[0] for entry in hz.gallery()])
def test_every_gallery_model_gives_sympy(name):
    system = hz.model(name)
    sections = system.equations().sections
    assert sections["Equations of motion"]
    known = set(system.symbols.values())
    generator = system.hamiltonian if system.lagrangian is None else system.lagrangian
    assert generator.free_symbols <= known


def test_a_saved_model_is_the_same_system(tmp_path):
    system = pendulum()
    system.save(tmp_path / "pendulum.toml")
    again = hz.load(tmp_path / "pendulum.toml")
    assert again.text == system.text
    assert again.equations().text == system.equations().text
    assert again.parameters == {"gamma": 0.1}
    assert again.initial == {"q": 1.0}


def test_constraints_may_be_equations_and_symmetries_go_by_names():
    x, y, vx, vy = sympy.symbols("x y vx vy")
    tangent = hz.tangent([x, y], [vx, vy])
    given = hz.System(tangent, vx**2 + vy**2, constraints=sympy.Eq(vy, x * vx), symmetries={"up": {vy: 1}})
    listed = hz.System(tangent, vx**2 + vy**2, constraints=[vy - x * vx], symmetries={"up": [0, 1]})
    assert given.text == listed.text
    assert hz.System(tangent, vx**2 + vy**2, constraints="vy - x*vx").constraints == listed.constraints
    with pytest.raises(hz.ModelError, match="symmetry 'up': unknown fibre coordinate 'z'; known are vx, vy"):
        hz.System(tangent, vx**2 + vy**2, symmetries={"up": {z: 1}})
    with pytest.raises(TypeError, match="symmetry 'up' is 1, where a component for each of vx, vy is needed"):
        hz.System(tangent, vx**2 + vy**2, symmetries={"up": 1})
    with pytest.raises(TypeError, match="gamma = None; a number is needed"):
        hz.System(tangent, vx**2 + vy**2 - gamma * z, parameters={gamma: None})


def test_a_file_that_is_no_text_is_no_model(tmp_path):
    (tmp_path / "run.h5").write_bytes(b"[model]\n\x89HDF\xff\xfe")
    with pytest.raises(hz.ModelError, match="run.h5:2: this is not UTF-8 text; name a model file"):
        hz.load(tmp_path / "run.h5")


def test_algebroids_come_back_as_matrices():
    a, b = sympy.symbols("a b")
    x, y = sympy.symbols("x y")
    frame = sympy.Matrix([[1, 0], [x, 1]])
    system = hz.System(hz.hamel([x, y], [a, b], frame), a**2 / 2 + b**2 / 2)
    assert system.anchor == frame.T
    assert system.right_anchor == frame.T
    # [e_1, e_2] = d/dx (x d/dx + d/dy) = e_1.
    assert system.structure[0, 0, 1] == 1
    assert system.structure[0, 1, 0] == -1


def test_the_geometry_has_the_reeb_field():
    sections = pendulum().geometry().sections
    assert any("Reeb" in title for title in sections)


@pytest.mark.parametrize(("build", "message"), [
    (lambda: hz.System(hz.tangent("q"), "v_q^2 + k"), r"unknown name 'k'"),
    (lambda: hz.System(hz.tangent("q")), "either a lagrangian or a hamiltonian"),
    (lambda: hz.System(hz.tangent("q", "v w"), "v^2"), "one velocity for each base coordinate|fibre"),
    (lambda: hz.hamel("x y", "a b", [[1, 0]]), "expected 2 rows of 2 entries, got 1 rows"),
    (lambda: hz.lie_algebra("a b c"), "either group or brackets"),
    (lambda: hz.lie_algebra("a b c", brackets={("a", "b", "c"): {"c": 1}}), "is not a pair of fibre coordinates"),
    (lambda: hz.System(hz.lie_algebra("a b c", "so4"), "a^2"), "so4"),
    (lambda: hz.model("pendulum-with-wings"), "no gallery model 'pendulum-with-wings'"),
])
def test_bad_input_gives_one_sentence(build, message):
    with pytest.raises(ValueError, match=message) as caught:
        build()
    assert "\n" not in str(caught.value)
