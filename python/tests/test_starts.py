"""Initial values as expressions, the columns that are kept, and Greek names."""

import numpy
import pytest
import sympy

import herglotz as hz

SETTINGS = {"t_end": 1.0, "step": 0.1}


def roller(**changes):
    return hz.System(hz.tangent(["x", "phi"], ["vx", "omega"]), "vx^2/2 + omega^2/4 - gamma*z",
                     parameters={"R": 0.5, "gamma": 0.1}, **{"initial": {"vx": "R*omega", "omega": 3.0}, **changes})


def test_starts_follow_parameters_and_other_starts():
    system = roller()
    assert system.initial == {"vx": 1.5, "omega": 3.0}
    assert hz.run(system, **SETTINGS)["vx"][0] == 1.5
    assert hz.run(system, {"omega": 4.0}, parameters={"R": 2.0}, **SETTINGS)["vx"][0] == 8.0
    assert hz.run(system, {"vx": 7.0}, parameters={"R": 2.0}, **SETTINGS)["vx"][0] == 7.0
    assert system.check({"omega": 1.0}).ok


def test_expressions_are_given_with_a_run():
    system, (R, omega) = roller(initial={"omega": 3.0}), sympy.symbols("R omega")
    for expression in ("2*R*omega", 2 * R * omega, sympy.Max(0, 2 * R * omega)):
        assert hz.simulate(system, {"vx": expression}, **SETTINGS).vx[0] == 3.0
    assert hz.simulate(system, {"vx": "R*omega", "omega": 2.0}, **SETTINGS).vx[0] == 1.0
    with pytest.raises(hz.ModelError, match="unknown name 'Rr'; did you mean R"):
        hz.simulate(system, {"vx": "Rr*omega"}, **SETTINGS)
    with pytest.raises(hz.ModelError, match="the initial value of 'vx' uses itself"):
        hz.simulate(system, {"vx": "2*vx"}, **SETTINGS)


def test_members_have_their_own_values():
    radii = numpy.array([0.1, 0.5, 2.0])
    alone = [hz.run(roller(), parameters={"R": radius}, **SETTINGS)["x"][-1] for radius in radii]
    batch = hz.simulate(roller(), parameters={"R": radii}, **SETTINGS)
    assert batch.x.values[:, -1].tolist() == alone
    assert "initial.vx" not in batch.attrs
    assert batch.attrs["initial.omega"] == 3.0
    ensemble = hz.sweep(roller(initial={"omega": 3.0}), initial={"vx": "R*omega"}, parameters={"R": radii}, **SETTINGS)
    assert ensemble.x.values.tolist() == alone
    assert "initial.vx" not in ensemble.attrs


def test_replace_keeps_expressions():
    changed = roller().replace(parameters={"R": 1.0}, title="Bigger")
    assert changed.initial["vx"] == 3.0
    assert roller().replace(initial={"vx": None}).initial == {"omega": 3.0}


def test_columns_are_those_that_are_named():
    names = ["phi", "mechanical_energy", "power.action"]
    run = hz.run(roller(), columns=names, **SETTINGS)
    assert set(run) == {"t", *names}
    assert list(hz.simulate(roller(), columns=["phi"], **SETTINGS).data_vars) == ["phi"]
    batch = hz.simulate(roller(), parameters={"R": [1.0, 2.0]}, columns=names, **SETTINGS)
    assert set(batch.data_vars) - {"failure"} == set(names)
    with pytest.raises(ValueError, match="phj"):
        hz.simulate(roller(), columns=["phj"], **SETTINGS)


def test_greek_names():
    θ, ω = sympy.symbols("θ ω")
    system = hz.System(hz.tangent([θ], [ω]), ω**2 / 2 + sympy.cos(θ) - sympy.Symbol("µ") * sympy.Symbol("z"),
                       parameters={"µ": 0.1}, initial={"θ": "30*deg"})
    assert system.parameters == {"μ": 0.1}  # the letter, not the sign for micro
    run = hz.simulate(system, {"ω": 0.5}, parameters={"µ": 0.2}, **SETTINGS)
    assert list(run.data_vars)[:2] == ["θ", "ω"]
    assert run.attrs["parameters.μ"] == 0.2
    assert "\\theta" in system.equations().latex
    bare = hz.System.from_text(system.text.replace('"θ" = ', "θ = "))
    assert bare.replace(initial={"θ": 1.0}).initial == {"θ": 1.0}


def test_a_file_keeps_greek_names(tmp_path):
    file = tmp_path / "sweep.h5"
    system = hz.System(hz.tangent("θ", "ω"), "ω^2/2 + cos(θ) - κ*z", parameters={"κ": 0.1}, initial={"θ": 1.0})
    made = hz.sweep(system, parameters={"κ": [0.0, 0.5]}, file=file, **SETTINGS)
    assert made["θ"].values.tolist() == hz.open_sweep(file)["θ"].values.tolist()
    assert made.coords["κ"].values.tolist() == [0.0, 0.5]
