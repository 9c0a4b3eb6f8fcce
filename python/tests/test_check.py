"""What a system is before it runs: facts, and the sentences of the command line."""

import pathlib

import pytest
import sympy

import herglotz as hz

DOCUMENTATION = pathlib.Path(__file__).parents[2] / "docs"

x, y, h, vx, vy, vh = sympy.symbols("x y h vx vy vh", real=True)


def particle(*constraints, **more):
    initial = {x: 0.4, y: 0.3, h: 0.2} | more.pop("initial", {})
    return hz.System(hz.tangent([x, y, h], [vx, vy, vh]), (vx**2 + vy**2 + vh**2) / 2 - h, constraints=constraints,
                     initial=initial, simulation={"t_end": 1.0, "step": 0.01}, **more)


def shown(page, command):
    """Pieces of the output that a page of the documentation shows for a command of the command line."""
    block = (DOCUMENTATION / page).read_text(encoding="utf-8").split(f"$ {command}\n")[1].split("```")[0]
    return [piece for piece in block.split("  ...\n") if piece]


@pytest.mark.parametrize(("page", "command", "check"), [
    ("command-line.md", "herglotz check chaplygin-sleigh --set vx=1 --set project=true",
     lambda: hz.model("chaplygin-sleigh").check({"vx": 1.0}, project=True)),
    ("discrete-mechanics.md", "herglotz check discrete-oscillator", lambda: hz.model("discrete-oscillator").check()),
])
def test_the_text_is_what_the_command_line_prints(page, command, check):
    pieces = shown(page, command)
    text = check().text
    assert pieces and all(piece in text for piece in pieces), text


def test_a_nonlinear_constraint():
    check = hz.model("appell-hamel").check()
    assert check.ok and check.why_not == "" and check.consistent
    assert check.algebroid == "Lie" and max(check.axioms.values()) == 0
    assert check.regularity["regular"] and check.regularity["rank"] == 3
    assert check.constraints == [{"kind": "nonlinear", "standing": "independent"}]
    assert check.constraint_rank == 1
    assert check.integrability == "not integrable"
    assert check.symmetries["translation_x"] == {"holds": True, "defect": 0.0, "untouched": False, "everywhere": True}
    assert check.dissipated == {"energy": True, "translation_x": False}
    assert check.method == "contact-gauss-4" and check.reason.startswith("a step is given")
    assert check.discrete is None
    assert str(check) == check.text and check.text.startswith("appell-hamel  Appell-Hamel machine with damping")
    assert repr(check) == "<herglotz.Check: ok>"


def test_a_redundant_constraint_is_set_aside():
    check = particle(vx, vy, x * vx + vy).check()
    assert check.ok
    assert [constraint["standing"] for constraint in check.constraints] == ["independent", "independent", "redundant"]
    assert check.constraint_rank == 2
    assert check.integrability == "integrable"
    assert "redundant: follows from the others, so that lambda3 is 0" in check.text


def test_a_discrete_lagrangian():
    check = hz.model("discrete-oscillator").check()
    assert check.method == "discrete-herglotz"
    assert check.discrete["rule"] == "given"
    assert check.discrete["legendre"]["regular"] and check.discrete["legendre"]["rank"] == 1
    assert check.discrete["sigma"] == pytest.approx(0.975)
    assert check.discrete["order"] == pytest.approx(1, abs=0.2)
    assert check.discrete["flow_order"] == pytest.approx(1, abs=0.2)


def test_an_algebroid_that_is_not_lie():
    check = hz.model("general-algebroid").check()
    assert check.algebroid == "general"
    assert check.axioms["skewness"] > 0.1


def test_a_start_off_the_constraints():
    system = particle(vx, initial={vx: 1.0})
    check = system.check()
    assert not check.ok and not check.consistent
    assert check.why_not == "the initial state is not consistent; change [initial], or set project = true there"
    assert repr(check) == f"<herglotz.Check: {check.why_not}>"
    assert system.check(project=True).ok
    assert system.check({vx: 0.0}).ok


def test_a_singular_lagrangian():
    q, v, m = sympy.symbols("q v m", real=True)
    system = hz.System(hz.tangent([q], [v]), m * v**2 / 2 - q**2, parameters={m: 0.0}, initial={q: 1.0})
    check = system.check()
    assert not check.ok and not check.regularity["regular"] and check.regularity["rank"] == 0
    assert check.why_not.startswith("constraint 2 (level 2), q = 0, is 1 at the start")
    assert system.check(parameters={m: 2.0}).ok
    assert not system.check().ok  # the system itself is as it was


def test_constraints_that_contradict_each_other():
    check = particle(vx + vy, vx + vy - 1).check()
    assert not check.ok
    assert "contradict" in check.why_not


def test_what_a_model_cannot_be_given():
    with pytest.raises(hz.ModelError, match="^unknown name 'vz'"):
        particle().check({"vz": 1.0})
    with pytest.raises(ValueError, match="^'vx' is nan; a finite number is needed"):
        particle().check({"vx": float("nan")})
    with pytest.raises(TypeError, match="vx = None; a number is needed"):
        particle().check({vx: None})
