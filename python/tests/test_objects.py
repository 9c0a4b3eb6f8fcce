"""What Python expects of objects: copies, pickles, names; systems with changes; progress."""

import builtins
import copy
import io
import pickle
import sys

import numpy
import pytest
import sympy
import xarray

import herglotz as hz
from herglotz.calculus.geometry import Phase
from herglotz.progress import ProgressBar, TextBar

q, v, gamma, z = sympy.symbols("q v gamma z")


def oscillator(**more):
    return hz.System(hz.tangent([q], [v]), v**2 / 2 - q**2 / 2 - gamma * z, parameters={gamma: 0.1}, initial={q: 1.0},
                     simulation={"t_end": 2.0, "step": 0.1}, **more)


def copies(value):
    return pickle.loads(pickle.dumps(value)), copy.copy(value), copy.deepcopy(value)


def test_runs_are_copied_with_their_columns_facts_and_events():
    run = hz.run(oscillator(events={"turning": v}), t_end=10)
    for again in copies(run):
        assert type(again) is hz.Run and list(again) == list(run) and repr(again) == repr(run)
        assert all((again[name] == run[name]).all() for name in run) and again.facts == run.facts
        assert again.to_xarray().identical(run.to_xarray()) and again.to_xarray().hz.events.sizes["event"] > 0
        assert again.names("base") == ["q"] and (again.time == run.time).all()
        with pytest.raises(KeyError, match="no column 'spin'"):
            again["spin"]
    assert pickle.loads(pickle.dumps(copy.deepcopy(run)))["q"][-1] == run["q"][-1]


def test_failed_runs_are_copied_with_what_they_reached():
    falling = hz.System(hz.tangent("q", "v"), "v^2/2 + 1/q", initial={"q": 1.0})
    with pytest.raises(hz.RunError) as caught:
        hz.run(falling, t_end=10, tolerance=1e-10)
    for again in copies(caught.value)[::2]:
        assert str(again) == str(caught.value) and again.reached.failure == str(again)
        assert (again.reached["q"] == caught.value.reached["q"]).all()


def test_datasets_are_copied_after_their_accessor_was_used():
    dataset = hz.simulate(oscillator(events={"turning": v}))
    assert dataset.hz.names("base") == ["q"] and dataset.hz.plot is not None
    for again in copies(dataset):
        assert again.identical(dataset) and again.hz.events.identical(dataset.hz.events)
    assert copies(dataset.hz)[0].names("base") == ["q"] and copies(dataset.hz.plot)[0]._time == "t"


def test_systems_algebroids_checks_and_functions_are_copied():
    system = oscillator(symmetries={"turn": [1]})
    for again in copies(system):
        assert again.text == system.text and again.lagrangian == system.lagrangian
    for again in copies(hz.tangent([q], [v])):
        assert again == hz.tangent([q], [v])
    for again in copies(system.check()):
        assert again == system.check() and str(again) == system.check().text
    u = [1.0, 0.5, 0.0]
    for function in (system.vector_field(), system.step_map("contact-gauss-2", 0.1)):
        assert all((again(0.0, u) == function(0.0, u)).all() for again in copies(function))
    assert all(again == hz.normal(0, 1) for again in copies(hz.normal(0, 1)))
    assert copies(Phase(system, False))[0].bracket(q, "energy") == system.bracket(q, "energy")


def test_sweeps_are_copied_in_memory_and_from_files(tmp_path):
    swept = {"parameters": {"gamma": [0.1, 0.2, 0.3]}, "initial": {"q": [1.0, 2.0]}}
    memory = hz.sweep(oscillator(), **swept)
    stored = hz.sweep(oscillator(), **swept, file=tmp_path / "sweep.h5")
    for dataset in (memory, stored):
        for again in copies(dataset):
            assert isinstance(again, xarray.Dataset) and (again.q.values == memory.q.values).all()
    assert (pickle.loads(pickle.dumps(stored.isel(gamma=1)))["energy"].values == memory.energy[1].values).all()


def test_objects_say_what_they_are():
    system = oscillator()
    run = hz.simulate(system)
    shown = [system, hz.tangent("q"), hz.run(system), system.check(), system.equations(), run.hz, run.hz.plot,
             system.vector_field(), system.step_map("contact-gauss-2", 0.1), hz.normal(0, 1), Phase(system, False)]
    for one in shown:
        assert "herglotz" in repr(one) and " object at 0x" not in repr(one) and "\n" not in repr(one), repr(one)
    assert repr(hz.exponential(2)) == "herglotz.exponential(2.0)" and repr(hz.uniform(0, 1)) == "herglotz.uniform(0.0, 1.0)"


def test_a_system_is_replaced_entry_by_entry():
    system = oscillator(observables={"f": q}, events={"turning": v})
    m = sympy.Symbol("m", positive=True)
    other = system.replace(parameters={gamma: 0.2, m: 3.0}, initial={v: 0.5}, title="Heavier", observables={"f": None, "g": q*v},
                           lagrangian=m * v**2 / 2 - gamma * z, simulation={"tolerance": 1e-9}, constraints=sympy.Eq(v, 1))
    assert other.parameters == {"gamma": 0.2, "m": 3.0} and other.initial == {"q": 1.0, "v": 0.5}
    assert other.title == "Heavier" and other.lagrangian == m * v**2 / 2 - gamma * z
    assert other.observables == {"g": q*v} and other.constraints == (v - 1,) and other.rule == "nonholonomic"
    assert "tolerance" in other.text and "step" not in other.text and "t_end" in other.text
    assert system.parameters == {"gamma": 0.1} and "step" in system.text
    assert other.replace(constraints=[], events={"turning": None}).constraints == ()
    assert system.replace().parameters == system.parameters
    assert oscillator().replace(hamiltonian="p_v^2/2 + q^2/2 + gamma*z").lagrangian is None
    with pytest.raises(hz.ModelError, match="gama"):
        system.replace(lagrangian="v^2/2 - gama*z")
    with pytest.raises(TypeError, match="gamma = 'much'; a number is needed"):
        system.replace(parameters={"gamma": "much"})


def test_a_replaced_start_keeps_to_one_kind():
    system = oscillator().replace(initial={"v": 2.0})
    moving = system.replace(initial={"p_v": 3.0})
    assert moving.initial == {"p_v": 3.0, "q": 1.0} and moving.replace(initial={"v": 1.0}).initial == {"q": 1.0, "v": 1.0}
    stepping = system.replace(discrete={"rule": "midpoint"}, next={"q": 1.1})
    assert stepping.initial == {"q": 1.0} and hz.simulate(stepping).q[1] == pytest.approx(1.1)
    assert "next" not in stepping.replace(initial={"v": 0.0}).text


def test_a_replaced_gallery_model_is_still_the_gallery_model():
    for name in ("heavy-top", "chaplygin-sleigh", "discrete-oscillator", "damped-pendulum"):
        system = hz.model(name)
        assert system.replace().equations().text == system.equations().text and system.replace().initial == system.initial


def test_the_second_position_of_a_discrete_motion_may_be_given_to_runs():
    system = hz.System(hz.tangent("q", "v"), "v^2/2 - q^2/2", initial={"q": 1.0, "v": 0.3}, discrete={"rule": "midpoint"},
                       simulation={"t_end": 1.0, "step": 0.1, "method": "discrete-herglotz"})
    given = system.replace(next={"q": 1.05})
    expected = hz.simulate(given)
    assert expected.q[1] == pytest.approx(1.05, abs=1e-12)
    assert (hz.simulate(system, next={"q": 1.05}).q == expected.q).all()
    assert (hz.run(system, next={sympy.Symbol("q"): 1.05})["q"] == expected.q.values).all()
    batch = hz.simulate(system, {"q": [1.0, 1.01]}, next={"q": 1.05})
    assert (batch.q[0].values == expected.q.values).all() and batch.q[1, 1] == pytest.approx(1.05, abs=1e-12)
    grid = hz.sweep(system, initial={"q": [1.0, 1.01]}, next={"q": 1.05})
    assert grid.q[0] == expected.q[-1] and grid.q[1] == batch.q[1, -1]
    assert hz.simulate(system, next={"q": 1.05}, initial={"q": 0.99}).q[0] == 0.99
    with pytest.raises(ValueError, match="no discrete Lagrangian"):
        hz.simulate(oscillator(), next={"q": 1.0})
    with pytest.raises(ValueError, match="'x'"):
        hz.simulate(system, next={"x": 1.0})


def test_models_of_the_gallery_are_found_by_name():
    three = hz.model("n-link-pendulum", links=3)
    assert len(three.base) == 3 and len(hz.model("n-link-pendulum").base) == 5
    with pytest.raises(ValueError, match=r"no gallery model 'heavy_top'; did you mean heavy-top\?"):
        hz.model("heavy_top")
    with pytest.raises(ValueError, match="there are .*damped-pendulum.*n-link-pendulum"):
        hz.model("zzzzzzzzzzzz")
    with pytest.raises(ValueError, match="'heavy-top' has no number of links"):
        hz.model("heavy-top", links=3)


def test_progress_without_tqdm_is_a_bar_of_characters(monkeypatch, capsys):
    imported = builtins.__import__

    def without_tqdm(name, *rest):
        if name.startswith("tqdm"):
            raise ImportError(name)
        return imported(name, *rest)

    monkeypatch.setattr(builtins, "__import__", without_tqdm)
    for name in [name for name in sys.modules if name.startswith("tqdm")]:
        monkeypatch.delitem(sys.modules, name)
    hz.simulate(oscillator(), progress=True)
    assert "100% |########################################|" in capsys.readouterr().err


def test_a_bar_of_characters_grows():
    stream = io.StringIO()
    bar = TextBar(stream)
    for _ in range(4):
        bar.update(0.25)
    bar.close()
    lines = stream.getvalue().replace("\n", "").split("\r")[1:]
    assert [line.count("#") for line in lines] == [0, 10, 20, 30, 40] and stream.getvalue().endswith("\n")


def test_progress_is_a_switch_or_a_function():
    seen = []
    with ProgressBar(seen.append) as report:
        report(0.5)
    assert seen == [0.5]
    with ProgressBar(False) as report:
        assert report is None


def test_short_floats_become_long_ones():
    batch = hz.simulate(oscillator(), {"q": numpy.array([1.0, 2.0], dtype=numpy.float32)})
    assert batch.q.dtype == numpy.float64
