#!/usr/bin/env python3
"""Draws docs/images/work-precision.svg: error against time of the methods on six dissipative problems.

usage: python3 docs/images/work_precision.py build/release/bin/bench_work_precision [RESULTS.json]
RESULTS.json: what the program wrote before, with --benchmark_out; needs matplotlib
"""

import json
import pathlib
import subprocess
import sys
import tempfile

import matplotlib

matplotlib.use("svg")
import matplotlib.pyplot as plt

matplotlib.rcParams.update({"svg.hashsalt": "work-precision", "svg.fonttype": "none", "font.size": 8,
                            "axes.spines.top": False, "axes.spines.right": False})
COLOURS = {"reference": "black", "contact-gauss": "tab:blue", "contact-lobatto": "tab:cyan", "contact-splitting": "tab:red",
           "contact-galerkin": "tab:green", "contact-energy": "tab:brown", "lie-hph": "tab:purple",
           "lie-hph-cayley": "tab:pink"}
DASHES = {2: ":", 4: "--", 6: "-.", 8: "-", 12: (0, (6, 1)), None: "-"}


def measured(program, results):
    if results is None:
        with tempfile.TemporaryDirectory() as folder:
            results = pathlib.Path(folder) / "curves.json"
            subprocess.run([program, "--benchmark_min_time=0.02", f"--benchmark_out={results}",
                            "--benchmark_out_format=json"], check=True, stdout=subprocess.DEVNULL)
            return json.loads(results.read_text(encoding="utf-8"))
    return json.loads(pathlib.Path(results).read_text(encoding="utf-8"))


def curves(data):
    found = {}
    for entry in data["benchmarks"]:
        if entry.get("error_occurred"):
            continue
        _, model, method, _ = entry["name"].split("/")
        if 0 < entry["error"] < 1:
            found.setdefault(model, {}).setdefault(method, []).append((entry["real_time"] * 1e-3, entry["error"]))
    return found


def family(method):
    name, _, order = method.rpartition("-")
    return (name, int(order)) if order.isdigit() else (method, None)


def main():
    found = curves(measured(sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else None))
    figure, axes = plt.subplots(3, 2, figsize=(9, 11), constrained_layout=True)
    for plot, (model, methods) in zip(axes.flat, found.items()):
        for method, points in methods.items():
            name, order = family(method)
            points.sort()
            plot.loglog([p[1] for p in points], [p[0] for p in points], label=method, color=COLOURS[name],
                        linestyle=DASHES[order], marker=".", markersize=3, lw=1)
        plot.invert_xaxis()
        plot.set_title(model)
        plot.set_xlabel("largest relative error")
        plot.set_ylabel("time [s]")
        plot.grid(alpha=0.2)
        plot.legend(fontsize=6, frameon=False)
    figure.savefig(pathlib.Path(__file__).with_name("work-precision.svg"), metadata={"Date": None})


if __name__ == "__main__":
    main()
