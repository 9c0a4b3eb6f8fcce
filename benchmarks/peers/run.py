"""Measures Herglotz and its peers on the problems of problems.toml; see docs/peer-benchmarks.md.

Rows go to FOLDER/rows.json and FOLDER/rows.csv, tables and plots beside them (summary.py).
"""

import argparse
import csv
import datetime
import importlib.metadata
import json
import os
import pathlib
import platform
import re
import shutil
import subprocess
import sys
import time

import problems
import reference
import summary

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
FIELDS = ["problem", "program", "method", "regime", "members", "threads", "setting", "seconds", "error", "throughput"]
HERGLOTZ = ["herglotz_single", "herglotz_ensemble"]
IN_CXX = [*HERGLOTZ, "simd_by_hand", "boost_odeint", "sundials"]
IN_PYTHON = ["heyoka", "scipy", "numba", "casadi", "diffrax"]


def build(folder, programs):
    """The C++ programs, by name; boost_odeint also checks the references."""
    problems.write_header(folder / "problems.hpp")
    problems.write_tableau(folder / "dop853.hpp")
    build_folder = folder / "cxx"
    cache = ["-DCMAKE_CXX_COMPILER_LAUNCHER=ccache"] if shutil.which("ccache") else []
    with open(folder / "build.log", "w", encoding="utf-8") as log:
        for command in (["cmake", "-S", HERE, "-B", build_folder, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release",
                         f"-DPEERS_HEADERS={folder}", *cache],
                        ["cmake", "--build", build_folder, "--target", *(f"peer_{name}" for name in programs)]):
            if subprocess.run(command, stdout=log, stderr=log, check=False).returncode != 0:
                sys.exit(f"{' '.join(map(str, command))} failed; see {folder / 'build.log'}")
    return {name: build_folder / "bin" / name for name in programs}


def first_line(command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()[0]


def version_of(macro, header):
    """A version from a header of the system, or 'unknown'."""
    for folder in ("/usr/include", "/usr/local/include"):
        path = pathlib.Path(folder) / header
        if path.exists():
            found = re.search(r"#define\s+" + macro + r'\s+"?(\d[\w.]*)', path.read_text(encoding="utf-8"))
            return found[1].replace("_", ".") if found else "unknown"
    return "unknown"


def our_version():
    """The version, and the commit where this is a clone."""
    version = re.search(r"VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text(encoding="utf-8").split("project(", 1)[1])[1]
    commit = subprocess.run(["git", "-C", ROOT, "describe", "--always", "--dirty"], capture_output=True, text=True, check=False)
    return f"{version} ({commit.stdout.strip()})" if commit.returncode == 0 else version


def surroundings(words):
    """Hardware, versions and what was asked for."""
    cpu = pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8") if os.path.exists("/proc/cpuinfo") else ""
    model = re.search(r"^model name\s*: (.*)$", cpu, re.M)
    family = re.search(r"^cpu family\s*: (.*)$", cpu, re.M)
    vectors = "AVX-512" if "avx512f" in cpu else "AVX2" if "avx2" in cpu else "no AVX2"
    names = ["heyoka", "scipy", "numpy", "numba", "jax", "diffrax", "casadi"]
    return {
        "processor": f"{model[1] if model else platform.machine()} (family {family[1] if family else '?'}, {vectors})",
        "cores": os.cpu_count(),
        "system": f"{platform.system()} {platform.release()}, Python {platform.python_version()}",
        "compiler": first_line(["c++", "--version"]),
        "versions": {"Herglotz": our_version(),
                     "Boost": version_of("BOOST_LIB_VERSION", "boost/version.hpp"),
                     "SUNDIALS": version_of("SUNDIALS_VERSION", "sundials/sundials_config.h"),
                     **{name: importlib.metadata.version(name) for name in names}},
        "date": datetime.date.today().isoformat(), "budget": words.budget, "members": words.members,
        "threads": words.threads, "clock": words.clock, "load": os.getloadavg()[0],
    }


def measure(program, command, problem, words, folder):
    """The rows of one program on one problem; a program that takes too long is stopped and keeps what it printed."""
    arguments = [folder, words.budget, words.members, words.threads, words.thinning, words.clock, problem.name]
    begin = time.monotonic()
    with open(folder / "out", "w+", encoding="utf-8") as out, open(folder / "log", "a", encoding="utf-8") as log:
        print(f"== {program} {problem.name}", file=log, flush=True)
        try:
            run = subprocess.run([*command, *map(str, arguments)], stdout=out, stderr=log, cwd=HERE, check=False,
                                 timeout=words.cap)
            ended = "" if run.returncode == 0 else f", ended with status {run.returncode}, see {folder / 'log'}"
        except subprocess.TimeoutExpired:
            ended = f", stopped after {words.cap:g} s"
        out.seek(0)
        rows = [json.loads(line) for line in out if line.endswith("}\n")]
    print(f"{problem.name}, {program}: {len(rows)} points in {time.monotonic() - begin:.0f} s{ended}", file=sys.stderr,
          flush=True)
    return rows


def write(folder, about, rows):
    (folder / "rows.json").write_text(json.dumps({"about": about, "rows": rows}, indent=1), encoding="utf-8")
    with open(folder / "rows.csv", "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, FIELDS)
        writer.writeheader()
        writer.writerows(rows)


def read_words():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--quick", action="store_true", help="three problems, few settings: under three minutes")
    parser.add_argument("--full", action="store_true", help="up to a million members, five seconds a point: many hours")
    parser.add_argument("--problems", nargs="+", default=[], help="only these")
    parser.add_argument("--programs", nargs="+", default=[], choices=IN_CXX + IN_PYTHON, help="only these")
    parser.add_argument("--keep", action="store_true", help="keep the rows of programs that are not measured now")
    parser.add_argument("--budget", type=float, help="seconds a point")
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--processor-time", dest="clock", action="store_const", const="processor", default="wall",
                        help="one thread, and its processor time: for a machine that has other work")
    parser.add_argument("--built", type=pathlib.Path, help="take the C++ programs from this folder")
    words = parser.parse_args()
    words.folder = words.folder.resolve()
    words.built = words.built and words.built.resolve()
    words.budget = words.budget or (0.02 if words.quick else 5.0 if words.full else 0.1)
    words.members = 10**6 if words.full else 10**5
    words.thinning = 4 if words.quick else 1
    words.cap = 20 if words.quick else 3600 if words.full else 60
    if words.clock == "processor":
        words.threads, words.cap = 1, 5 * words.cap
    if words.quick and not words.problems:
        words.problems = ["damped-pendulum", "rigid-body", "double-pendulum"]
    return words


def main():
    words = read_words()
    folder = words.folder
    folder.mkdir(parents=True, exist_ok=True)
    chosen = problems.load(words.problems)
    wanted = words.programs or [name for name in IN_CXX if (HERE / f"{name}.cpp").exists()] + IN_PYTHON
    in_cxx = [name for name in wanted if name in IN_CXX]
    targets = sorted({*in_cxx, "boost_odeint"})
    built = {name: words.built / name for name in targets} if words.built else build(folder, targets)
    commands = {name: [built[name]] if name in built else [sys.executable, HERE / f"peer_{name}.py"] for name in wanted}
    reference.prepare(chosen, problems.load(), folder, words.members, built["boost_odeint"])
    about = surroundings(words)
    rows = []
    if words.keep and (folder / "rows.json").exists():
        old = json.loads((folder / "rows.json").read_text(encoding="utf-8"))["rows"]
        label = {name: summary.LABELS[name] for name in wanted}
        names = {problem.name for problem in chosen}
        rows = [row for row in old if row["problem"] not in names or row["program"] not in label.values()]
    (folder / "log").write_text("", encoding="utf-8")
    for problem in chosen:
        for program in wanted:
            if program in HERGLOTZ and problem.same_motion_as != problem.name:
                continue  # one model, whatever the formulas of the others
            rows += measure(program, commands[program], problem, words, folder)
        write(folder, about, rows)
    summary.write(folder)


if __name__ == "__main__":
    main()
