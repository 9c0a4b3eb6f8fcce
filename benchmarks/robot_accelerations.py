#!/usr/bin/env python3
"""Compares the accelerations of imported robots with those of Pinocchio, robot by robot, as a table in Markdown.

usage: python3 benchmarks/robot_accelerations.py build/release/bin/herglotz [--seconds 300] [--only NAME ..]

needs `pin` and `example-robot-data` from PyPI. Every description of example-robot-data is imported with its root at rest,
and its accelerations at a random state are taken from `herglotz linearise`. Pinocchio solves M a = tau - h with its mass
matrix and nonlinear effects, with the same damping and dry friction, and joints that mimic others.
"""

import argparse
import json
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import time
from xml.etree import ElementTree

import numpy as np
import pinocchio
import tomllib


def plain(name):
    return re.sub("[^A-Za-z0-9]", "_", name)


def descriptions():
    for folder in map(pathlib.Path, sys.path):
        robots = folder / "cmeel.prefix" / "share" / "example-robot-data" / "robots"
        if robots.is_dir():
            return robots, sorted(robots.rglob("*.urdf"))
    sys.exit("example-robot-data is not installed: pip install pin example-robot-data")


def accelerations(urdf, q_of, v_of, parameters):
    """Accelerations by joint of a robot whose root is at rest."""
    model = pinocchio.buildModelFromUrdf(str(urdf), mimic=True)
    data = model.createData()
    q = pinocchio.neutral(model)
    v = np.zeros(model.nv)
    tau = np.zeros(model.nv)
    at = {}
    followers = {}
    for joint in ElementTree.parse(urdf).getroot().iter("joint"):
        if (mimic := joint.find("mimic")) is not None:
            ratio = float(mimic.get("multiplier", 1))
            followers.setdefault(plain(mimic.get("joint")), []).append((plain(joint.get("name")), ratio))
    for k in range(1, model.njoints):
        joint = model.joints[k]
        name = plain(model.names[k])
        if joint.nv == 0 or "Mimic" in joint.shortname():
            continue
        at[name] = joint.idx_v
        angle = q_of[name]
        q[joint.idx_q : joint.idx_q + joint.nq] = [angle] if joint.nq == 1 else [np.cos(angle), np.sin(angle)]
        v[joint.idx_v] = v_of[name]
        for follower, ratio in [(name, 1.0), *followers.get(name, [])]:
            tau[joint.idx_v] -= ratio * parameters.get("d_" + follower, 0) * ratio * v_of[name]
            tau[joint.idx_v] -= ratio * parameters.get("f_" + follower, 0) * np.sign(ratio * v_of[name])
    mass = pinocchio.crba(model, data, q)
    mass = np.triu(mass) + np.triu(mass, 1).T
    found = np.linalg.solve(mass, tau - pinocchio.nonLinearEffects(model, data, q, v))
    return {name: found[i] for name, i in at.items()}


def last_line(text):
    lines = [line for line in text.strip().splitlines() if line.strip()]
    return lines[-1] if lines else "no message"


def compare(program, urdf, seconds):
    """(number of joints, outcome, processor time) of one robot."""
    with tempfile.TemporaryDirectory() as folder:
        model = pathlib.Path(folder) / "robot.toml"
        made = subprocess.run([program, "import", urdf.name, "--out", model], cwd=urdf.parent, capture_output=True, text=True)
        if made.returncode != 0:
            return "", last_line(made.stderr).replace("herglotz: ", ""), 0.0
        tables = tomllib.loads(model.read_text(encoding="utf-8"))
        names = [name.removeprefix("q_") for name in tables["algebroid"]["base"]]
        draw = random.Random(urdf.name)
        q = {name: tables["initial"]["q_" + name] + draw.uniform(-0.5, 0.5) for name in names}
        v = {name: draw.uniform(-1, 1) for name in names}
        at = ",".join(f"q_{n}={q[n]!r},v_{n}={v[n]!r}" for n in names)
        began = time.monotonic()
        try:
            run = subprocess.run([program, "linearise", model, "--at", at, "--format", "json"], capture_output=True,
                                 text=True, timeout=seconds)
        except subprocess.TimeoutExpired:
            return len(names), f"not derived and compiled within {seconds} s", seconds
        spent = time.monotonic() - began
        if run.returncode != 0:
            return len(names), last_line(run.stderr), spent
        ours = json.loads(run.stdout)["rates"]
        try:
            theirs = accelerations(urdf, q, v, tables["parameters"])
        except Exception as error:  # what Pinocchio says of a description is part of the table
            return len(names), f"Pinocchio: {last_line(str(error))}", spent
        if set(theirs) != set(names):
            return len(names), f"other joints than Pinocchio's: {sorted(set(theirs) ^ set(names))}", spent
        largest = max(map(abs, theirs.values()))
        difference = max(abs(ours["v_" + n] - theirs[n]) for n in names)
        return len(names), difference / largest if largest > 0 else difference, spent


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=lambda text: str(pathlib.Path(text).resolve()))
    parser.add_argument("--seconds", type=float, default=300, help="time for each robot")
    parser.add_argument("--only", nargs="*", help="parts of the names of descriptions")
    arguments = parser.parse_args()
    robots, files = descriptions()
    print("| description | joints | accelerations |\n|---|---|---|", flush=True)
    for urdf in files:
        name = str(urdf.relative_to(robots))
        if arguments.only and not any(part in name for part in arguments.only):
            continue
        joints, outcome, spent = compare(arguments.program, urdf, arguments.seconds)
        said = f"equal within {outcome:.0e}" if isinstance(outcome, float) else outcome
        print(f"| `{urdf.name}` | {joints} | {said} |", flush=True)
        print(f"{name}: {spent:.1f} s", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
