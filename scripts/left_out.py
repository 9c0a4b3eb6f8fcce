#!/usr/bin/env python3
"""Says how many C++ tests `make test-fast` leaves out, and gives the filter of gtest that leaves them out.

usage: scripts/left_out.py BINARIES ROOM...     prints the filter, then the sentence; ROOM: a room whose tests are all left out.
Exits 1 if a pattern of tests/slow.txt fits no test of the other rooms.
"""

import fnmatch
import pathlib
import subprocess
import sys

SLOW = pathlib.Path(__file__).resolve().parent.parent / "tests" / "slow.txt"


def names_of(program):
    """The full names of the tests of a program of gtest."""
    suite, names = "", []
    listed = subprocess.run([program, "--gtest_list_tests"], capture_output=True, text=True, check=True).stdout
    for line in listed.splitlines():
        name = line.split("#")[0].rstrip()
        if line.startswith("  "):
            names.append(suite + name.strip())
        elif name.endswith("."):
            suite = name
    return names


def main():
    binaries, rooms = pathlib.Path(sys.argv[1]), set(sys.argv[2:])
    patterns = [line for line in SLOW.read_text(encoding="utf-8").split("\n") if line and not line.startswith("#")]
    whole, tested = 0, []
    for program in sorted(binaries.glob("test_*")):
        names = names_of(program)
        if program.name.removeprefix("test_") in rooms:
            whole += len(names)
        else:
            tested += names
    stale = [pattern for pattern in patterns if not fnmatch.filter(tested, pattern)]
    for pattern in stale:
        print(f"tests/slow.txt: no test has a name of the form '{pattern}'; correct or remove it", file=sys.stderr)
    slow = sum(any(fnmatch.fnmatchcase(name, pattern) for pattern in patterns) for name in tested)
    print("-" + ":".join(patterns))
    print(f"left out: {slow} slow tests of the rooms that are tested (tests/slow.txt), and {whole} of {', '.join(sorted(rooms))}")
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
