#!/usr/bin/env python3
"""Compares the accelerations of imported robots with those of Pinocchio, robot by robot, as a table in Markdown.

usage: python3 benchmarks/robot_accelerations.py build/release/bin/herglotz [--floating] [--seconds 300] [--only NAME ..]

needs `pin` and `example-robot-data` from PyPI. Every description of example-robot-data is imported with its root at rest,
or floating, and its accelerations at a random state are taken from `herglotz linearise`. Pinocchio solves M a = tau - h
with its mass matrix and nonlinear effects, with the same damping and dry friction, and joints that mimic others. Of a root
that floats, both have the rates of the angular velocity and the velocity along its own axes.
"""

import argparse
import json
import math
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


ROOT = ["w1", "w2", "w3", "v1", "v2", "v3"]  # velocities of a root that floats, along its own axes


def accelerations(urdf, floating, at, parameters):
    """Accelerations of a robot by the names of our velocities; `at` has our coordinates and velocities."""
    root = [pinocchio.JointModelFreeFlyer()] if floating else []
    model = pinocchio.buildModelFromUrdf(str(urdf), *root, mimic=True)
    data = model.createData()
    q = pinocchio.neutral(model)
    v = np.zeros(model.nv)
    tau = np.zeros(model.nv)
    place = {}
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
        if floating and k == 1:  # its configuration is (x, y, z, e1, e2, e3, e0), its velocity (v, w)
            link = next(n for n in at if n.startswith("e0_"))[3:]
            q[joint.idx_q : joint.idx_q + 7] = [at[f"{n}_{link}"] for n in ["x", "y", "z", "e1", "e2", "e3", "e0"]]
            for offset, n in enumerate(ROOT[3:] + ROOT[:3]):
                place[f"{n}_{link}"] = joint.idx_v + offset
                v[joint.idx_v + offset] = at[f"{n}_{link}"]
            continue
        speed = at["v_" + name]
        place["v_" + name] = joint.idx_v
        angle = at["q_" + name]
        q[joint.idx_q : joint.idx_q + joint.nq] = [angle] if joint.nq == 1 else [np.cos(angle), np.sin(angle)]
        v[joint.idx_v] = speed
        for follower, ratio in [(name, 1.0), *followers.get(name, [])]:
            tau[joint.idx_v] -= ratio * parameters.get("d_" + follower, 0) * ratio * speed
            tau[joint.idx_v] -= ratio * parameters.get("f_" + follower, 0) * np.sign(ratio * speed)
    mass = pinocchio.crba(model, data, q)
    mass = np.triu(mass) + np.triu(mass, 1).T
    found = np.linalg.solve(mass, tau - pinocchio.nonLinearEffects(model, data, q, v))
    return {name: found[i] for name, i in place.items()}


def random_state(tables, seed):
    """Coordinates near the start of a model, and velocities; a quaternion has the length 1."""
    draw = random.Random(seed)
    factors = tables["algebroid"].get("factors", [tables["algebroid"]])
    base = [name for factor in factors for name in factor["base"]]
    fibre = [name for factor in factors for name in factor["fibre"]]
    at = {name: tables["initial"].get(name, 0.0) + draw.uniform(-0.5, 0.5) for name in base}
    at.update({name: draw.uniform(-1, 1) for name in fibre})
    attitude = [name for name in base if re.match("e[0-3]_", name)]
    length = math.hypot(*(at[name] for name in attitude))
    at.update({name: at[name] / length for name in attitude})
    return at, fibre


def last_line(text):
    lines = [line for line in text.strip().splitlines() if line.strip()]
    return lines[-1] if lines else "no message"


def compare(program, urdf, floating, seconds):
    """(number of joints, outcome, processor time) of one robot."""
    with tempfile.TemporaryDirectory() as folder:
        model = pathlib.Path(folder) / "robot.toml"
        options = ["--floating"] if floating else []
        made = subprocess.run([program, "import", urdf.name, *options, "--out", model], cwd=urdf.parent,
                              capture_output=True, text=True)
        if made.returncode != 0:
            return "", last_line(made.stderr).replace("herglotz: ", ""), 0.0
        tables = tomllib.loads(model.read_text(encoding="utf-8"))
        at, velocities = random_state(tables, urdf.name)
        joints = sum(name.startswith("v_") for name in velocities)
        state = ",".join(f"{name}={value!r}" for name, value in at.items())
        began = time.monotonic()
        try:
            run = subprocess.run([program, "linearise", model, "--at", state, "--format", "json"], capture_output=True,
                                 text=True, timeout=seconds)
        except subprocess.TimeoutExpired:
            return joints, f"not derived and compiled within {seconds} s", seconds
        spent = time.monotonic() - began
        if run.returncode != 0:
            return joints, last_line(run.stderr), spent
        ours = json.loads(run.stdout)["rates"]
        try:
            theirs = accelerations(urdf, floating, at, tables["parameters"])
        except Exception as error:  # what Pinocchio says of a description is part of the table
            return joints, f"Pinocchio: {last_line(str(error))}", spent
        if set(theirs) != set(velocities):
            return joints, f"other joints than Pinocchio's: {sorted(set(theirs) ^ set(velocities))}", spent
        largest = max(map(abs, theirs.values()))
        difference = max(abs(ours[name] - theirs[name]) for name in velocities)
        return joints, difference / largest if largest > 0 else difference, spent


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=lambda text: str(pathlib.Path(text).resolve()))
    parser.add_argument("--floating", action="store_true", help="the roots move freely")
    parser.add_argument("--seconds", type=float, default=300, help="time for each robot")
    parser.add_argument("--only", nargs="*", help="parts of the names of descriptions")
    arguments = parser.parse_args()
    robots, files = descriptions()
    print("| description | joints | accelerations |\n|---|---|---|", flush=True)
    for urdf in files:
        name = str(urdf.relative_to(robots))
        if arguments.only and not any(part in name for part in arguments.only):
            continue
        joints, outcome, spent = compare(arguments.program, urdf, arguments.floating, arguments.seconds)
        said = f"equal within {outcome:.0e}" if isinstance(outcome, float) else outcome
        print(f"| `{urdf.name}` | {joints} | {said} |", flush=True)
        print(f"{name}: {spent:.1f} s", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
