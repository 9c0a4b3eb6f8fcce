#!/usr/bin/env python3
"""Draws docs/images/kuramoto-locking.svg: the order of the oscillators of kuramoto-locking at t = 100 over the coupling,
and what it is where all are locked.

usage: python3 docs/images/kuramoto_locking.py build/release/bin/herglotz        needs h5py, matplotlib and numpy
"""

import pathlib
import subprocess
import sys
import tempfile

import h5py
import matplotlib
import numpy

matplotlib.use("svg")
import matplotlib.pyplot as plt

matplotlib.rcParams.update({"svg.hashsalt": "locking", "svg.fonttype": "none", "font.size": 9, "axes.spines.top": False,
                            "axes.spines.right": False})
FIRST, LAST, COUNT = 0.9, 2.1, 41


def found(program):
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "order.h5"
        couplings = f"K={FIRST}:{LAST}:{COUNT}"
        subprocess.run([program, "sweep", "kuramoto-locking", "--t-end", "100", "--sweep", couplings, "--out", str(file)],
                       check=True, capture_output=True)
        with h5py.File(file) as data:
            orders = []
            data.visititems(lambda name, item: orders.append(item[()]) if name.split("/")[-1] == "order" else None)
    return numpy.ravel(orders[0])


def locked(coupling):
    order = numpy.ones_like(coupling)
    for _ in range(500):
        x = 1 / (coupling * order)
        order = (numpy.sqrt(1 - x**2) + numpy.arcsin(x) / x) / 2
    return order


def main():
    figure, axes = plt.subplots(figsize=(5.2, 2.8), layout="constrained")
    theory = numpy.linspace(4 / numpy.pi + 1e-4, LAST, 400)
    axes.plot(theory, locked(theory), color="grey", lw=1.2, label="all locked, infinitely many")
    axes.plot(numpy.linspace(FIRST, LAST, COUNT), found(sys.argv[1]), "o", color="#1d4ed8", ms=3, clip_on=False,
              label="400 oscillators")
    axes.axvline(4 / numpy.pi, color="grey", lw=0.8, ls=":")
    axes.text(4 / numpy.pi + 0.01, 0.03, r"K = 4/π", color="grey")
    axes.set(xlabel="coupling K", ylabel="order r", ylim=(0, 1.02))
    axes.legend(frameon=False, loc="lower right")
    figure.savefig(pathlib.Path(__file__).with_name("kuramoto-locking.svg"), metadata={"Date": None})


if __name__ == "__main__":
    main()
