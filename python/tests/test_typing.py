"""The package and programs that use it, checked by mypy and ruff; and its syntax by the oldest Python it is for."""

import ast
import pathlib
import shutil
import subprocess
import sys

import herglotz

PACKAGE = pathlib.Path(herglotz.__file__).parent
SETTINGS = pathlib.Path(__file__).resolve().parents[2] / "pyproject.toml"

PROGRAM = """
import herglotz as hz
import numpy
import sympy
import xarray
from numpy.typing import NDArray

q, v = sympy.symbols("q v")
system = hz.System(hz.tangent([q], [v]), lagrangian=v**2 / 2 - q**2 / 2, initial={q: 1.0},
                   events={"turning": v, "down": {"at": q, "direction": "falling", "stop": True}})
run: xarray.Dataset = hz.simulate(system, {"q": [1.0, 2.0]}, t_end=1.0, step=0.1)
columns: NDArray[numpy.float64] = hz.run(system, t_end=1.0, step=0.1)["q"]
rates: NDArray[numpy.float64] = system.vector_field().jacobian(0.0, [1.0, 0.0, 0.0])
table: xarray.Dataset = hz.work_precision(system, ["contact-gauss-2"], steps=[0.1])
order: int = system.name  # wrong
hz.simulate(system, t_ende=1.0)  # wrong
"""


def mypy(folder, *arguments):
    shutil.copytree(PACKAGE, folder / "herglotz", ignore=shutil.ignore_patterns("__pycache__", "*.so"))
    return subprocess.run([sys.executable, "-m", "mypy", "--no-error-summary", "--cache-dir", str(folder / "cache"),
                           *arguments], cwd=folder, capture_output=True, text=True)


def test_the_package_and_a_program_are_typed(tmp_path):
    assert (PACKAGE / "_herglotz.pyi").exists(), "the stub of the compiled part is not installed"
    assert (PACKAGE / "py.typed").exists()
    (tmp_path / "program.py").write_text(PROGRAM)
    done = mypy(tmp_path, "--config-file", str(SETTINGS), "-p", "herglotz", "-m", "program")
    wrong = [number for number, line in enumerate(PROGRAM.splitlines(), 1) if line.endswith("# wrong")]
    found = done.stdout.splitlines()
    assert [line.split(":")[:2] for line in found if "error:" in line] == [["program.py", str(n)] for n in wrong], (
        done.stdout + done.stderr)


def test_python_code_follows_the_rules_of_the_project():
    done = subprocess.run([sys.executable, "-m", "ruff", "check", "--no-cache", "--quiet", str(SETTINGS.parent)],
                          cwd=SETTINGS.parent, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_syntax_is_that_of_the_oldest_python():
    for file in sorted(PACKAGE.glob("*.py")):
        ast.parse(file.read_text(), filename=str(file), feature_version=(3, 10))
