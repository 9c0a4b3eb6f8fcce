"""What `help` says of the objects of the papers: their sources by the keys of the bibliography, and examples that run."""

import dataclasses
import inspect
import pathlib
import re
import sys
import warnings

import numpy
import pytest
import sympy

import herglotz as hz
from herglotz.calculus.contact import ConstrainedStructure

BIBLIOGRAPHY = pathlib.Path(__file__).resolve().parents[3] / "docs" / "bibliography.md"
KEY = r"\b[A-Z]{2,}[0-9]{2}\b"
CALCULUS = [base for base in hz.System.__mro__ if base.__module__.startswith("herglotz.calculus.")]
OBJECTS = [*CALCULUS, hz.Prolongation, hz.Connection, hz.JacobiStructure, hz.ContactStructure, ConstrainedStructure]
BUILDERS = [hz.tangent, hz.hamel, hz.lie_algebra, hz.action, hz.lie_group, hz.atiyah, hz.product, hz.custom, hz.constrained,
            hz.contact, hz.jacobi]


def methods():
    for of in OBJECTS:
        for name, one in vars(of).items():
            if inspect.isfunction(one) and not name.startswith("_"):
                yield pytest.param(one, id=one.__qualname__)
    yield from (pytest.param(one, id=one.__name__) for one in BUILDERS)


def test_help_has_no_character_of_control():
    for one in (hz.System, *OBJECTS, *BUILDERS, *(getattr(hz, name) for name in dir(hz) if not name.startswith("_"))):
        assert not re.search(r"[\x00-\x09\x0b-\x1f]", inspect.getdoc(one) or ""), one


@pytest.mark.parametrize("one", list(methods()))
def test_help_names_the_source_and_shows_an_example_that_runs(one):
    text = inspect.getdoc(one)
    keys = set(re.findall(KEY, text))
    known = set(re.findall(KEY, BIBLIOGRAPHY.read_text(encoding="utf-8")))
    assert keys and keys <= known
    lines = re.findall(r">>> (.*)", text)
    assert 0 < len(lines) <= 10
    q, v, p, z, gamma = sympy.symbols("q v p z gamma", real=True)
    oscillator = hz.System(hz.tangent([q], [v]), v**2/2 - q**2/2 - gamma*z, parameters={gamma: 0.3}, initial={q: 1.0})
    names = {"hz": hz, "sympy": sympy, "numpy": numpy, "q": q, "v": v, "p": p, "z": z, "gamma": gamma, "system": oscillator,
             "eta": hz.contact([-p, 0, 1], coordinates=[q, p, z])}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # reductions say what they leave out
        for line in lines:
            exec(line, names)  # noqa: S102


RESULTS = [one for module in {base.__module__ for base in CALCULUS} for one in vars(sys.modules[module]).values()
           if inspect.isclass(one) and one.__module__ == module and one not in CALCULUS and not one.__name__.startswith("_")]
FIELDED = sorted({one for one in [*RESULTS, *vars(hz).values()] if dataclasses.is_dataclass(one) and inspect.isclass(one)},
                 key=lambda one: one.__name__)


@pytest.mark.parametrize("one", sorted(RESULTS, key=lambda one: one.__name__), ids=lambda one: one.__name__)
def test_help_on_a_result_names_its_source(one):
    assert re.search(KEY, inspect.getdoc(one))


@pytest.mark.parametrize("one", FIELDED, ids=lambda one: one.__name__)
def test_help_on_a_result_says_what_its_fields_are(one):
    help_ = inspect.getdoc(one)
    missing = [field.name for field in dataclasses.fields(one)
               if not field.name.startswith("_") and not re.search(rf"\b{field.name}\b", help_)]
    assert missing == []


@pytest.mark.parametrize("name", [name for name, one in inspect.getmembers(hz.System) if not name.startswith("_")
                                  and isinstance(inspect.getattr_static(hz.System, name), property)])
def test_every_property_says_what_it_is(name):
    assert inspect.getdoc(inspect.getattr_static(hz.System, name))
