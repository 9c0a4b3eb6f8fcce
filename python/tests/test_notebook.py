"""Widgets and displays of notebooks, without a notebook."""

import json
import re

import pytest

import herglotz as hz


@pytest.fixture(scope="module")
def system():
    return hz.System(hz.tangent("q"), lagrangian="v_q**2/2 - q**2/2 - gamma*z", parameters={"gamma": 0.1})


@pytest.fixture(scope="module")
def run(system):
    return hz.simulate(system, {"q": 1.0}, t_end=2, step=0.01, method="runge-kutta-4")


def data_of(page):
    return json.loads(re.search(r'id="run">(.*?)</script>', page, re.DOTALL)[1])


def test_a_live_report_follows_the_run_by_its_method_at_its_times(run, tmp_path):
    page = run.hz.report(tmp_path / "live.html", live=True).html
    assert (tmp_path / "live.html").read_text() == page
    assert "wasm-unsafe-eval" in page
    live = data_of(page)["live"]
    assert live["method"] == "runge-kutta-4"
    assert live["step"] == 0.01
    assert live["every"] == 1
    assert "live" not in data_of(hz.report(run).html)


def test_a_live_report_says_why_a_page_cannot_follow(system, run):
    with pytest.raises(ValueError, match="one run of a system"):
        hz.report([run, run], live=True)
    pendulum = hz.System(hz.tangent(["x", "y"]), lagrangian="(v_x**2 + v_y**2)/2 - y", constraints=["x**2 + y**2 - 1"])
    held = hz.simulate(pendulum, {"x": 1.0}, t_end=0.1, step=0.01)
    assert data_of(held.hz.report(live=True).html)["live"]["constraints"]["m"] == 1
    kinked = hz.simulate(hz.System(hz.tangent("q"), lagrangian="v_q**2/2 - abs(q)"), {"q": 1.0}, t_end=0.1)
    assert data_of(kinked.hz.report(live=True).html)["live"]["switches"] == [{"rounds": False, "text": "q"}]
    rubbed = hz.System(hz.tangent("q"), lagrangian="v_q**2/2", forces={"v_q": "-0.3*sign(v_q)"})
    with pytest.raises(ValueError, match="a page cannot follow this motion: it may stay where 'v_q' is 0"):
        hz.simulate(rubbed, {"v_q": 1.0}, t_end=0.1).hz.report(live=True)
    with pytest.raises(ValueError, match="no model"):
        hz.report(run.drop_attrs().assign_attrs(method="none"), live=True)


def test_the_view_is_a_frame_with_the_page_of_the_run(run):
    view = run.hz.view(height=400)
    assert view.page == run.hz.report().html
    assert view.height == 400
    seen = []
    view.observe(lambda change: seen.append(change.new), names="time")
    view.time = 1.25
    assert seen == [1.25]
    assert {"page", "time", "height"} <= set(view.keys)
    assert "herglotz-motion" in str(view._esm)
    assert repr(view) == "<herglotz.MotionView at time 1.25>"


def test_notebooks_display_runs_solutions_and_equations(system):
    plain = hz.run(system, {"q": 1.0}, t_end=2, step=0.01)
    shown = plain._repr_html_()
    assert "<th>status</th><td>complete</td>" in shown
    assert "largest residual: energy" in shown
    assert system.equations()._repr_latex_() == system.equations().latex


def answers(studio, request):
    """What the studio sends for a request of its page."""
    sent = []
    studio.send = lambda content, buffers=None: sent.append((content, buffers))
    studio._answer(studio, request, [])
    return sent


def test_the_studio_answers_its_page(system):
    studio = system.studio(height=500)
    assert "herglotz-studio" in str(studio._esm)
    assert "@@herglotz" not in studio.page
    ((hello, _),) = answers(studio, {"kind": "hello"})
    hello = json.loads(hello["text"])
    assert hello["text"] == system.text
    assert not hello["saves"]
    wish = {"kind": "run", "id": 3, "text": system.text, "changes": {"q": 1.5}, "method": "", "newest": ["q"]}
    (run, (data,)), (equations, _) = answers(studio, wish)
    assert run == {}
    length = int.from_bytes(data[:4], "little")
    head = json.loads(data[4:4 + length])
    assert head["id"] == 3
    assert {"name": "q", "value": 1.5} in head["run"]["facts"]["initial"]
    assert json.loads(equations["text"])["kind"] == "equations"
    assert studio.changes == {"q": 1.5}
    assert studio.system.text == system.text
    wish["text"] += "\n[simulation]\nstep = 0.01\nt_end = 20\n"
    answers(studio, wish)
    ((again, (_,)),) = answers(studio, wish | {"id": 4, "changes": {"gamma": 0.3}})
    assert again == {}, "a page in a notebook gets whole runs only"
    with pytest.raises(ValueError, match="none of the studio's"):
        answers(studio, {"kind": "save", "text": "nothing"})
