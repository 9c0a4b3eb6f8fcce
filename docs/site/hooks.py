"""Pages and assets of the documentation site that are made from the product itself.

* index.md from README.md;
* gallery.md from models/: for every model its equations, what it is, and a picture of its motion;
* cpp.md from the public headers that are installed;
* notebooks.md, and every notebook as .ipynb, from docs/notebooks;
* KaTeX, from the report's npm packages.
"""

import io
import pathlib
import re

import jupytext
import matplotlib

matplotlib.use("svg")
import matplotlib.pyplot as plt
from mkdocs.structure.files import File

import herglotz as hz

ROOT = pathlib.Path(__file__).resolve().parents[2]
KATEX = ROOT / "build" / "release" / "report-web" / "node_modules" / "katex" / "dist"  # fetched by the release build
INCLUDE = ROOT / "include"
INCLUDED = re.compile(r'^#include "(herglotz/[^"]+)"', re.MULTILINE)
ROOMS = ["io", "simulate", "ensemble", "report", "mechanics", "discrete", "geometry", "integrate", "analyse", "control",
         "compile", "kernel", "symbolic"]
RENDER = """document$.subscribe(() => renderMathInElement(document.body, {
  delimiters: [{left: "$$", right: "$$", display: true}, {left: "$", right: "$", display: false},
               {left: "\\\\(", right: "\\\\)", display: false}, {left: "\\\\[", right: "\\\\]", display: true},
               {left: "\\\\begin{align*}", right: "\\\\end{align*}", display: true}]
}));
"""

matplotlib.rcParams.update({"svg.hashsalt": "gallery", "font.size": 8, "axes.spines.top": False, "axes.spines.right": False})


def on_files(files, config):
    def add(path, content):
        files.append(File.generated(config, path, content=content))

    add("index.md", home())
    add("cpp.md", headers())
    add("javascripts/katex.js", RENDER)
    for asset in ["katex.min.js", "katex.min.css", "contrib/auto-render.min.js",
                  *(f"fonts/{font.name}" for font in sorted((KATEX / "fonts").glob("*.woff2")))]:
        add(f"assets/katex/{asset}", (KATEX / asset).read_bytes())
    for path, content in [*gallery(), *notebooks()]:
        add(path, content)
    return files


def home():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    return re.sub(r"\[([^\]]*)\]\((?![a-z]+://|#)([^)]*)\)", site_link, text)


def site_link(link):
    """A link of the README, whose target is a page or picture of docs; of other files, the words alone."""
    words, target = link.groups()
    return f"[{words}]({target.removeprefix('docs/')})" if target.startswith("docs/") and not target.endswith("/") else words


def installed():
    """Returns the headers that herglotz.hpp reaches, which cmake/HerglotzPackage.cmake installs."""
    found = ["herglotz/herglotz.hpp"]
    for header in found:
        found += [name for name in INCLUDED.findall((INCLUDE / header).read_text(encoding="utf-8")) if name not in found]
    return found


def headers():
    entries = INCLUDED.findall((INCLUDE / "herglotz" / "herglotz.hpp").read_text(encoding="utf-8"))
    parts = [("# C++ reference\n\nLink `herglotz::herglotz` and include `herglotz/herglotz.hpp`. It stands for the headers that "
              "a program names, which are marked as entries below. The others on this page are installed because entries use "
              "their types. A header that is not on this page is not installed, and may change without notice.\n")]
    for room in ["error.hpp", *ROOMS]:
        parts.append(f"\n## {room.removesuffix('.hpp')}\n")
        for name in sorted(name for name in installed() if name.split("/")[1] == room):
            header = INCLUDE / name
            text = header.read_text(encoding="utf-8")
            concept = re.search(r"^/// (.*(?:\n/// .*)*)", text, re.MULTILINE)[1].replace("\n/// ", " ")
            body = re.sub(r"\A#pragma once\n(?:///.*\n)+", "", text)
            body = re.sub(r"^#include.*\n", "", body, flags=re.MULTILINE).strip()
            kind = "Entry. " if name in entries else ""
            parts.append(f"\n### `{name}`\n\n{kind}{concept}\n\n```cpp\n{body}\n```\n")
    return "".join(parts)


def notebooks():
    """Every notebook in the format of Jupyter, without outputs, and the page that lists them."""
    page = [("# Notebooks\n\nThe pages with Python as notebooks for Jupyter; `make notebooks` in a clone writes them to "
            "`build/notebooks`.\n\n")]
    for file in sorted((ROOT / "docs" / "notebooks").glob("*.py")):
        notebook = jupytext.read(file)
        title = notebook.cells[0].source.splitlines()[0].lstrip("# ")
        page.append(f"* [{title}](notebooks/{file.name}): [{file.stem}.ipynb](notebooks/{file.stem}.ipynb)\n")
        yield f"notebooks/{file.stem}.ipynb", jupytext.writes(notebook, fmt="ipynb")
    yield "notebooks.md", "".join(page)


def gallery():
    page = [("# Gallery\n\nEvery model ships with the program: `herglotz models show NAME`, `herglotz models copy NAME`, and "
             "`hz.model(\"NAME\")` in Python.\n")]
    for name, title, reference in hz.gallery():
        system = hz.model(name)
        run = hz.simulate(system)
        yield f"images/gallery/{name}.svg", picture(system, run)
        comment = " ".join(line.lstrip("# ").strip() for line in system.text.split("[model]")[0].splitlines()).strip()
        page.append(f"\n## {title}\n\n`{name}` · {system.kind}"
                    + (f" · {system.rule} constraints" if system.rule != "none" else "") + f" · {reference}\n\n{comment}\n\n"
                    f"![Motion of {name}](images/gallery/{name}.svg)\n\n$$\n{system.equations().latex.strip()}\n$$\n\n"
                    f"Method `{run.attrs['method']}`; largest energy residual {run.attrs['largest_energy_residual']:.1e}.\n")
    yield "gallery.md", "".join(page)


def picture(system, run):
    figure, (left, right) = plt.subplots(1, 2, figsize=(8, 2.6), constrained_layout=True)
    base, fibre = run.hz.names("base"), run.hz.names("fibre")
    if len(base) > 1:
        left.plot(run[base[0]], run[base[1]], lw=0.9)
        left.set(xlabel=base[0], ylabel=base[1])
    elif len(base) == 1 or len(fibre) > 1:
        run.hz.plot.phase_space(ax=left)
    else:
        run.hz.plot.trajectory(ax=left)
    run.hz.plot.energy_balance(ax=right)
    for line in right.lines:
        line.set_linewidth(0.9)
    content = io.StringIO()
    figure.savefig(content, format="svg", metadata={"Date": None})
    plt.close(figure)
    return content.getvalue()
