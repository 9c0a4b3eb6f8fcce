#!/usr/bin/env python3
"""Checks the house rules that no compiler knows.

* A room includes only rooms that docs/architecture.md lets it use.
* Folders of a room include one another in one direction: no cycles.
* A folder of code holds at most 25 sources.
* No source and no page of the documentation has more than 500 lines.
* Every public header compiles alone, and begins with a line on its concept.
* No file is named util, helper, misc or common.
* What the library throws is a herglotz::Error.

usage: scripts/check_includes.py        exits 1 and names each offence as file:line: message
"""

import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
MAY_USE = {
    "symbolic": "",
    "kernel": "",
    "linear": "",
    "geometry": "symbolic",
    "mechanics": "geometry symbolic kernel",
    "discrete": "mechanics geometry symbolic linear",
    "compile": "symbolic kernel",
    "control": "discrete mechanics geometry symbolic",
    "optimise": "kernel",
    "integrate": "linear kernel",
    "sensitivity": "linear kernel",
    "analyse": "integrate linear kernel",
    "simulate": "discrete mechanics geometry symbolic compile integrate sensitivity analyse linear kernel",
    "families": "ensemble simulate discrete mechanics geometry symbolic compile integrate analyse linear kernel",
    "ensemble": "simulate mechanics symbolic integrate analyse kernel",
    "fit": "simulate optimise mechanics symbolic integrate analyse linear kernel",
    "solve": "control optimise sensitivity analyse discrete mechanics compile symbolic linear kernel",
    "io": "families control ensemble simulate discrete mechanics geometry symbolic compile integrate analyse kernel",
    "report": "io families simulate control analyse symbolic",
    "studio": "report io families solve control ensemble simulate compile integrate mechanics analyse symbolic",
    "app": "studio report io solve control fit families ensemble simulate discrete mechanics geometry symbolic compile integrate"
           " analyse kernel",
}
BANNED = re.compile(r"(^|[_\-.])(util|utils|helper|helpers|misc|common)([_\-.]|$)", re.IGNORECASE)
INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]herglotz/([a-z_]+)/')
PRIVATE_INCLUDE = re.compile(r'^\s*#\s*include\s*"([a-z0-9_]+(?:/[a-z0-9_]+)*)/[a-z0-9_]+\.hpp"')
MOST_SOURCES = 25
MOST_LINES = 500
BARE_THROW = re.compile(r"throw std::(invalid_argument|runtime_error|out_of_range)\(")
FOLDERS = ("include", "src", "tests", "python", "examples", "fuzz", "benchmarks", "scripts")
CODE = (".hpp", ".cpp", ".py", ".ts", ".mjs")


def sources():
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.is_file() and not {"node_modules", "__pycache__"} & set(path.parts):
                yield path.relative_to(ROOT)


def room_of(path):
    """The room a source belongs to, or None for what may use every room (tests, examples, umbrella header)."""
    parts = path.parts
    if parts[0] == "src" and len(parts) > 2:
        return parts[1]
    if parts[:2] == ("include", "herglotz") and len(parts) > 3:
        return parts[2]
    return None


def offences_of(path):
    if BANNED.search(path.name):
        yield f"{path}:1: the name says nothing about the concept inside"
    if path.suffix not in (".hpp", ".cpp"):
        return
    room = room_of(path)
    if room is None:
        return
    if room not in MAY_USE:
        yield f"{path}:1: '{room}' is not a room; known are {', '.join(MAY_USE)}"
        return
    lines = (ROOT / path).read_text(encoding="utf-8").splitlines()
    for number, line in enumerate(lines, start=1):
        if BARE_THROW.search(line):
            yield f"{path}:{number}: the library throws Refused, Failed or OutOfRange of herglotz/error.hpp, which carry a remedy"
        found = INCLUDE.match(line)
        if found and found[1] != room and found[1] not in MAY_USE[room].split():
            yield f"{path}:{number}: room {room} may not use room {found[1]}"
    if path.suffix == ".hpp" and not any(line.startswith("///") for line in lines[:3]):
        yield f"{path}:1: the header does not begin with a line `///` on its concept"


def folder_cycles(paths):
    """Include cycles among the folders of each room, each once, as offences."""
    edges = {}
    for path in paths:
        if path.parts[0] != "src" or path.suffix not in (".hpp", ".cpp"):
            continue
        room = pathlib.Path(*path.parts[:2])
        for line in (ROOT / path).read_text(encoding="utf-8").splitlines():
            found = PRIVATE_INCLUDE.match(line)
            if found and (ROOT / room / found[1]).is_dir() and room / found[1] != path.parent:
                edges.setdefault(path.parent, {}).setdefault(room / found[1], path)

    def reaches(start, goal):
        seen, waiting = set(), [start]
        while waiting:
            folder = waiting.pop()
            if folder == goal:
                return True
            if folder not in seen:
                seen.add(folder)
                waiting.extend(edges.get(folder, {}))
        return False

    for folder, used in sorted(edges.items()):
        for other, path in sorted(used.items()):
            if reaches(other, folder):
                yield f"{path}:1: folder {other} uses {folder}, directly or by others, and may not be used there"


def crowded(paths):
    count = {}
    for path in paths:
        if path.suffix in CODE:
            count[path.parent] = count.get(path.parent, 0) + 1
    for folder, number in sorted(count.items()):
        if number > MOST_SOURCES:
            yield f"{folder}:1: {number} sources in one folder; {MOST_SOURCES} are the limit"


def long_files(paths):
    pages = (path.relative_to(ROOT) for path in sorted((ROOT / "docs").rglob("*.md")))
    for path in [*paths, *pages]:
        if path.suffix not in (*CODE, ".md"):
            continue
        lines = len((ROOT / path).read_text(encoding="utf-8").splitlines())
        if lines > MOST_LINES:
            yield f"{path}:{MOST_LINES + 1}: {lines} lines; {MOST_LINES} are the limit"


def first_includes(paths):
    """Returns the headers that a source includes before anything else: its compilation shows that they are self-contained."""
    for path in paths:
        if path.suffix == ".cpp":
            first = re.search(r'^#include "([^"]+)"|^#include', (ROOT / path).read_text(encoding="utf-8"), re.MULTILINE)
            if first and first.group(1):
                yield pathlib.Path("include", first.group(1))


def outside_includes():
    """Where Eigen is, which headers of one room include."""
    if not shutil.which("pkg-config"):
        return []
    found = subprocess.run(["pkg-config", "--cflags-only-I", "eigen3"], capture_output=True, text=True, check=False)
    return found.stdout.replace("-I", "-isystem ").split()


def self_contained(path, outside):
    compiler = os.environ.get("CXX") or shutil.which("g++") or shutil.which("clang++-19") or "c++"
    command = [compiler, "-std=c++20", "-fsyntax-only", "-Wall", "-Wextra", "-x", "c++", "-I", "include", *outside,
               "-include", str(path), "/dev/null"]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    return None if run.returncode == 0 and not run.stderr else f"{path}:1: does not compile alone\n{run.stderr}"


def main():
    paths = list(sources())
    offences = [offence for path in paths for offence in offences_of(path)]
    offences += folder_cycles(paths)
    offences += crowded(paths)
    offences += long_files(paths)
    public = [path for path in paths if path.parts[0] == "include" and path.suffix == ".hpp"]
    compiled = set(first_includes(paths))
    outside = outside_includes()
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        alone = pool.map(lambda path: self_contained(path, outside), [path for path in public if path not in compiled])
        offences += [offence for offence in alone if offence]
    print("\n".join(offences) if offences else f"{len(paths)} files, {len(public)} public headers: directions kept")
    return 1 if offences else 0


if __name__ == "__main__":
    sys.exit(main())
