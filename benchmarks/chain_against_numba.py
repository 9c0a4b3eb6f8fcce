#!/usr/bin/env python3
"""A damped sine-Gordon ring of 10^3 to 10^6 sites: `herglotz simulate` against the same steps in numba, on one thread.

usage: python benchmarks/chain_against_numba.py build/release/bin/herglotz        needs numba and numpy

Both take steps of contact-splitting-2. herglotz follows the action, the energy and its law besides, with compensated sums, and is a whole
program that begins with the text of the model; numba follows the coordinates and momenta alone, with `fastmath`. Times are of the
processor: a step costs what twice as many steps cost more. The start is what a run of one step costs. Memory is the largest that the
program of 1000 steps had.
"""

import json
import math
import os
import pathlib
import sys
import tempfile
import time

import numba
import numpy

GAMMA = 0.001
STEP = 0.05
COUNTS = (1_000, 10_000, 100_000, 1_000_000)
SITE_STEPS = 400_000_000
MODEL = """
[indices]
i = {{ count = {count}, ends = "periodic" }}
[algebroid]
kind = "tangent"
base = ["q[i]"]
fibre = ["v[i]"]
[parameters]
gamma = {gamma}
[dynamics]
lagrangian = "sum(i, v[i]^2/2 - (q[i+1] - q[i])^2/2 - (1 - cos(q[i]))) - gamma*z"
[initial]
"q[i]" = "4*atan(exp((i - count/2)/10))"
[simulation]
method = "contact-splitting-2"
step = {step}
t_end = {end}
output_every = 1000000000
columns = ["energy", "q[0]"]
"""


def program(herglotz, count, steps):
    """Processor time, largest memory in bytes, and the last q[0] of a run of that many steps on one processor."""
    with tempfile.TemporaryDirectory() as folder:
        model, out = pathlib.Path(folder) / "ring.toml", pathlib.Path(folder) / "out.csv"
        model.write_text(MODEL.format(count=count, gamma=GAMMA, step=STEP, end=repr(steps * STEP)), encoding="utf-8")
        child = os.fork()
        if child == 0:
            os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
            os.execv(herglotz, [herglotz, "simulate", str(model), "--out", str(out)])
        _, status, used = os.wait4(child, 0)
        if status != 0:
            raise RuntimeError(f"{herglotz} ended with status {os.waitstatus_to_exitcode(status)}")
        names, *_, last = out.read_text(encoding="utf-8").splitlines()
        column = [name.strip('"') for name in names.split(",")].index("q[0]")
        return used.ru_utime + used.ru_stime, used.ru_maxrss * 1024, float(last.split(",")[column])


@numba.njit(fastmath=True)
def take(q, p, steps, h, gamma):
    n, decay = q.size, math.exp(-gamma * h)
    kick = -math.expm1(-gamma * h) / gamma
    for step in range(steps):
        drift = h / 2 if step == 0 else h
        for i in range(n):
            q[i] += drift * p[i]
        p[0] = decay * p[0] + kick * (q[1] - 2 * q[0] + q[n - 1] - math.sin(q[0]))
        for i in range(1, n - 1):
            p[i] = decay * p[i] + kick * (q[i + 1] - 2 * q[i] + q[i - 1] - math.sin(q[i]))
        p[n - 1] = decay * p[n - 1] + kick * (q[0] - 2 * q[n - 1] + q[n - 2] - math.sin(q[n - 1]))
    for i in range(n):
        q[i] += h / 2 * p[i]


def rival(count, steps):
    """Processor time of the steps in numba, and the last q[0]."""
    q = 4 * numpy.arctan(numpy.exp((numpy.arange(count) - count / 2).clip(max=7000) / 10))
    p = numpy.zeros(count)
    began = time.process_time()
    take(q, p, steps, STEP, GAMMA)
    return time.process_time() - began, q[0]


def main():
    herglotz = os.path.abspath(sys.argv[1])
    rival(100, 2)  # compiles
    print("| sites | start, s | herglotz, ns a site and step | numba | times as fast | memory of 1000 steps, MiB |")
    print("|---:|---:|---:|---:|---:|---:|")
    results = []
    for count in COUNTS:
        steps = SITE_STEPS // count
        start = min(program(herglotz, count, 1)[0] for _ in range(3))
        per_step = min(program(herglotz, count, 2 * steps)[0] - program(herglotz, count, steps)[0] for _ in range(2))
        memory = program(herglotz, count, 1000)[1]
        found, expected = program(herglotz, count, 100)[2], rival(count, 100)[1]
        if abs(found - expected) > 1e-9:
            raise RuntimeError(f"{count} sites: q[0] is {found} here and {expected} there")
        own = 1e9 * per_step / (count * steps)
        other = 1e9 * min(rival(count, steps)[0] for _ in range(2)) / (count * steps)
        results.append({"sites": count, "start": start, "herglotz": own, "numba": other, "memory": memory})
        print(f"| {count} | {start:.2f} | {own:.2f} | {other:.2f} | {other / own:.1f} | {memory / 2**20:.0f} |", flush=True)
    print(json.dumps(results))


main()
