"""The tables and the work-precision plots of rows.json: throughput at equal measured accuracy.

usage: summary.py FOLDER [PAGE]     PAGE: a page of the documentation whose results are replaced
"""

import json
import math
import pathlib
import re
import shutil
import sys

import matplotlib

matplotlib.use("Agg")
import itertools

import matplotlib.pyplot as plt
import problems

LABELS = {"herglotz_single": "Herglotz", "herglotz_ensemble": "Herglotz", "boost_odeint": "Boost.odeint",
          "sundials": "SUNDIALS", "heyoka": "heyoka", "scipy": "SciPy", "numba": "numba", "casadi": "CasADi",
          "diffrax": "diffrax", "simd_by_hand": "SIMD by hand"}
OURS = "Herglotz"
PEERS = ["heyoka", "Boost.odeint", "SUNDIALS", "numba", "diffrax", "SciPy", "CasADi"]
LIMITS = ["SIMD by hand"]
LEVELS = [10.0**-digits for digits in range(3, 12)]
COLOURS = dict(zip([OURS, *PEERS, *LIMITS],
                   ["#000000", "#d62728", "#1f77b4", "#2ca02c", "#9467bd", "#ff7f0e", "#8c564b", "#17becf", "#e377c2"]))


def curve(points):
    """(error, seconds per member) from loose to tight settings, where no error is below that of a tighter setting: a
    coarse setting that hits the answer by chance is worth what the next finer one reaches."""
    ordered = sorted(points, key=lambda point: point["setting"])  # finest first, for steps and tolerances alike
    worst, kept = 0.0, []
    for point in ordered:
        worst = max(worst, point["error"])
        kept.append((worst, 1 / point["throughput"]))
    return kept[::-1]


def seconds_at(level, line):
    """Seconds per member for an error of `level`, log-log between the two settings around it; nothing is extrapolated: a
    curve that starts below the level counts with its first point, one that ends above it not at all."""
    finer = [seconds for error, seconds in line if error <= level]
    if not finer:
        return None
    best = min(finer)
    for (loose, quick), (tight, slow) in itertools.pairwise(line):
        if tight <= level < loose:
            share = math.log(loose / level) / math.log(loose / max(tight, 1e-17))
            best = min(best, quick * (slow / quick)**share)
    return best


def best_of(rows, level):
    """The throughput and the method of the fastest of these rows' methods at an error of `level`."""
    lines = {}
    for row in rows:
        lines.setdefault(row["method"], []).append(row)
    found = [(1 / seconds, method) for method, points in lines.items()
             if (seconds := seconds_at(level, curve(points))) is not None]
    return max(found, default=(None, None))


def number(value):
    """Three digits, with k and M."""
    for size, letter in ((1e6, "M"), (1e3, "k")):
        if value >= 0.9995 * size:
            return f"{value / size:.3g}{letter}"
    return f"{value:.3g}"


def table(rows, problem, regime):
    """Throughput of every program's best method at every level, then ours over it."""
    rows = [row for row in rows if row["regime"] == regime]
    ours = {level: best_of([row for row in rows if row["problem"] == problem.same_motion_as and row["program"] == OURS],
                           level) for level in LEVELS}
    rows = [row for row in rows if row["problem"] == problem.name]
    lines = [f"| {' | '.join(['members/s'] + [f'1e-{round(-math.log10(level))}' for level in LEVELS])} |",
             "|---|" + "---:|" * len(LEVELS)]
    if any(rate for rate, _ in ours.values()):
        lines.append("| **Herglotz** | " + " | ".join(
            f"**{number(rate)}** {method}" if rate else "" for rate, method in ours.values()) + " |")
    for peer in PEERS + LIMITS:
        theirs = [best_of([row for row in rows if row["program"] == peer], level) for level in LEVELS]
        cells = []
        for level, (rate, method) in zip(LEVELS, theirs):
            mine = ours[level][0]
            ratio = f" ({mine / rate:.2g}x)" if rate and mine else ""
            cells.append(f"{number(rate)}{ratio} {method}" if rate else "")
        if any(cells):
            lines.append(f"| {peer} | " + " | ".join(cells) + " |")
    return lines


def verdict(rows, chosen, regime):
    """Ours over the fastest peer at every level, a row per problem."""
    rows = [row for row in rows if row["regime"] == regime]
    lines = [f"| {' | '.join(['ours / fastest peer'] + [f'1e-{round(-math.log10(level))}' for level in LEVELS])} |",
             "|---|" + "---:|" * len(LEVELS)]
    for problem in chosen:
        ours = [row for row in rows if row["problem"] == problem.same_motion_as and row["program"] == OURS]
        cells = []
        for level in LEVELS:
            rate, peer = max((best_of([row for row in rows if row["problem"] == problem.name and row["program"] == name],
                                       level)[0] or 0, name) for name in PEERS)
            mine = best_of(ours, level)[0]
            cells.append(f"{mine / rate:.2g} {peer}" if mine and rate else f"none, {peer}" if rate else
                         "no peer" if mine else "")
        if any(cells):
            lines.append(f"| {problem.title} | " + " | ".join(cells) + " |")
    return lines


def plot(rows, chosen, regime, path):
    """Work-precision: seconds per member against the measured error, one panel per problem; methods that are nowhere
    a program's best are faint."""
    columns = min(3, len(chosen))
    count = math.ceil(len(chosen) / columns)
    figure, axes = plt.subplots(count, columns, figsize=(5 * columns, 3.8 * count), squeeze=False)
    for axis, problem in zip(axes.flat, chosen):
        for program in [*PEERS, *LIMITS, OURS]:
            name = problem.same_motion_as if program == OURS else problem.name
            lines = {}
            for row in rows:
                if row["problem"] == name and row["program"] == program and row["regime"] == regime:
                    lines.setdefault(row["method"], []).append(row)
            best = {best_of([row for points in lines.values() for row in points], level)[1] for level in LEVELS}
            for i, (method, points) in enumerate(sorted(lines.items(), key=lambda line: line[0] not in best)):
                points = sorted(points, key=lambda point: point["setting"])
                axis.loglog([max(point["error"], 1e-15) for point in points], [1 / point["throughput"] for point in points],
                            color=COLOURS[program], lw=1.6 if program == OURS else 0.9, marker=".", ms=3,
                            alpha=0.9 if method in best else 0.2,
                            label=program if i == 0 else None)
        axis.set_title(problem.title, fontsize=10)
        axis.set_xlim(3e-1, 1e-14)
        axis.grid(alpha=0.3)
        axis.set_xlabel("error at the end")
        axis.set_ylabel("seconds per member")
    for axis in axes.flat[len(chosen):]:
        axis.remove()
    handles = {}
    for axis in figure.axes:
        for handle, label in zip(*axis.get_legend_handles_labels()):
            handles.setdefault(label, handle)
    figure.legend(handles.values(), handles.keys(), loc="lower center", ncols=len(handles), fontsize=9, frameon=False)
    figure.tight_layout(rect=(0, 0.1 / count, 1, 1))
    figure.savefig(path, dpi=80)
    plt.close(figure)


def write(folder):
    """results.md and single.png, many.png in FOLDER."""
    measured = json.loads((folder / "rows.json").read_text(encoding="utf-8"))
    about, rows = measured["about"], measured["rows"]
    chosen = [problem for problem in problems.load() if any(row["problem"] == problem.name for row in rows)]
    versions = ", ".join(f"{name} {version}" for name, version in about["versions"].items())
    lines = [f"{about['processor']}, {about['cores']} cores, load {about['load']:.1f} at the start; {about['system']}; "
             f"{about['compiler']}; {versions}. {about['date']}; {about['budget']:g} s a point, at most "
             f"{about['members']} members, {about['threads']} thread{'s' * (about['threads'] > 1)}, {about['clock']} time.", ""]
    for regime, title in (("many", "Many members"), ("single", "One trajectory at a time, one thread")):
        lines += [f"## {title}", "", *verdict(rows, chosen, regime), ""]
        for problem in chosen:
            lines += [f"### {problem.title}", "", *table(rows, problem, regime), ""]
        plot(rows, chosen, regime, folder / f"{regime}.png")
    (folder / "results.md").write_text("\n".join(lines), encoding="utf-8")
    print("\n".join(lines))


def publish(folder, page):
    """results.md and the plots into a page between its two marks."""
    images = page.parent / "images"
    text = (folder / "results.md").read_text(encoding="utf-8").replace("\n### ", "\n#### ").replace("\n## ", "\n### ")
    for regime, title in (("many", "Many members"), ("single", "One trajectory at a time, one thread")):
        shutil.copy(folder / f"{regime}.png", images / f"peers-{regime}.png")
        picture = f"![Work-precision plots: {title.lower()}](images/peers-{regime}.png)"
        text = text.replace(f"## {title}\n", f"## {title}\n\n{picture}\n")
    text = "## Results\n\n" + text
    shown = page.read_text(encoding="utf-8")
    marks = re.compile(r"(<!-- begin results -->\n).*?(<!-- end results -->)", re.DOTALL)
    page.write_text(marks.sub(lambda found: found[1] + text + "\n" + found[2], shown), encoding="utf-8")


if __name__ == "__main__":
    write(pathlib.Path(sys.argv[1]))
    if len(sys.argv) > 2:
        publish(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]))
