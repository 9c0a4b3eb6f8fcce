#!/usr/bin/env python3
"""Random models, by the program and by an oracle that shares nothing with it.

usage: torture.py BINARY [--seconds S] [--first K] [--count N] [--only K] [--methods M,M] [--keep FOLDER]

Model number k is the same on every machine. A disagreement is made smaller and written to FOLDER (build/torture); the last line
says how many models agree. Exit status 1 if one does not, or if none could be judged.
"""

from __future__ import annotations

import argparse
import copy
import pathlib
import random
import re
import sys
import tempfile
import time

from draw import draw
from judge import Program, difference, judge, methods_for
from model import Model, toml
from motion import Hopeless, Motion
from shrink import shrink

METHODS_PER_MODEL = 2  # beside `reference`
CHANGED_MODELS = 5  # of which another model than the program's must be told apart


def tells_apart(program: Program, model: Model, rows: list[dict[str, float]]) -> bool | None:
    """Whether the comparison notices a term of L or H that only the program has; None if no motion shows that term."""
    changed = copy.deepcopy(model)
    changed["terms"].pop(0)
    try:
        motion = Motion(changed)
        wrong = motion.rows()
    except Hopeless:
        return None
    if difference(rows, wrong)[0] < 1e-6:
        return None
    return bool(judge(program, "reference", model, motion, wrong).fault)


def fault_of(program: Program, model: Model, method: str) -> str:
    """What is wrong with a model by one method, or nothing."""
    model = copy.deepcopy(model)
    try:
        motion = Motion(model)
        wanted = motion.rows()
        fault = judge(program, method, model, motion, wanted).fault
        if fault and "exit" not in fault:
            # A motion that magnifies round-off says nothing: the oracle must agree with itself at another tolerance.
            loose = motion.rows(1e-10)
            spread = max(abs(a[name] - b[name]) for a, b in zip(wanted, loose) for name in a)
            if spread > 1e-7:
                raise Hopeless("magnifies errors")
        return fault
    except Hopeless:
        return ""


def kind_of(fault: str) -> str:
    """The part of a message that smaller models share: bad input of another sort is another fault."""
    return re.sub(r"[^:]*\.toml:\d+:\d+:|'[^']*'|\d[\d.e+-]*", "", fault.split(";")[0])[:60] if fault else ""


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("binary")
    parser.add_argument("--seconds", type=float, default=40)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=10**9)
    parser.add_argument("--only", type=int)
    parser.add_argument("--methods")
    parser.add_argument("--keep", type=pathlib.Path, default=pathlib.Path("build/torture"))
    options = parser.parse_args()
    if options.only is not None:
        options.first, options.count = options.only, 1
    models = runs = hopeless = refused = apart = 0
    faults: list[str] = []
    begin = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        program = Program(options.binary, pathlib.Path(folder))
        for seed in range(options.first, options.first + options.count):
            if time.monotonic() - begin > options.seconds:
                break
            model = draw(seed)
            try:
                motion = Motion(model)
                wanted = motion.rows()
            except Hopeless:
                hopeless += 1
                continue
            models += 1
            if apart < CHANGED_MODELS and (noticed := tells_apart(program, model, wanted)) is not None:
                apart += noticed
                if not noticed:
                    faults.append(f"model {seed}: a term that only the program has goes unnoticed")
                    print(f"FAULT {faults[-1]}", flush=True)
            methods = (
                options.methods.split(",")
                if options.methods
                else methods_for(model, motion, random.Random(seed), METHODS_PER_MODEL)
            )
            for method in methods:
                verdict = judge(program, method, model, motion, wanted)
                refused += verdict.refused
                if not verdict.fault or not fault_of(program, model, method):
                    continue
                kind = kind_of(verdict.fault)
                small = shrink(model, lambda candidate: kind_of(fault_of(program, candidate, method)) == kind)
                options.keep.mkdir(parents=True, exist_ok=True)
                path = options.keep / f"random-{seed}-{method}.toml"
                path.write_text(f"# {method}\n" + toml(small))
                faults.append(f"model {seed}: {verdict.fault}")
                print(
                    f"FAULT model {seed}: {verdict.fault}\n      smallest: {path}: {fault_of(program, small, method)}", flush=True
                )
                break
        runs = program.runs
    print(
        f"oracle: {models - len(faults)} models agree, {len(faults)} disagree; {apart} changed models told apart; {runs} runs, "
        f"{refused} refused by a method, {hopeless} models not judged, seeds from {options.first}"
    )
    return 1 if faults or not models else 0


if __name__ == "__main__":
    sys.exit(main())
