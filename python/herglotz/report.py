"""The HTML report of runs: a file, or a page in a notebook."""

from __future__ import annotations

import html
import os
import pathlib
from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias, cast

import numpy
import xarray

from . import _herglotz
from .events import events_of
from .indexed.pictures import pictures
from .simulation import Run
from .solution import Solution
from .system import System

AnyRun: TypeAlias = xarray.Dataset | Run

_GENERATOR = b'<meta name="generator" content="Herglotz">'
_HEAD = 4096  # bytes of a page among which that stands


class Report:
    """A page that holds everything it shows. Notebooks display it; `save` writes it, `html` is its text."""

    def __init__(self, page: str):
        self.html = page

    def save(self, file: str | os.PathLike[str]) -> pathlib.Path:
        """Writes the page whole or not at all, over an earlier report but over no other file.

        Raises:
            ValueError: a name that does not end in .html.
            FileExistsError: the file is there, and no report.
        """
        path = pathlib.Path(file)
        if path.suffix != ".html":
            raise ValueError(f"file = {os.fspath(file)!r}; a report is a file that ends in .html")
        if path.exists() and _GENERATOR not in path.read_bytes()[:_HEAD]:
            raise FileExistsError(f"{path} is there and is not a report of ours; remove it or choose another name")
        partial = path.with_name(f"{path.name}.{os.getpid()}.part")
        try:
            partial.write_text(self.html, encoding="utf-8", newline="\n")
            partial.replace(path)
        finally:
            partial.unlink(missing_ok=True)
        return path

    def _repr_html_(self) -> str:
        # A frame of its own keeps the page's styles, and its content policy, apart from the notebook's.
        return (f'<iframe srcdoc="{html.escape(self.html)}" sandbox="allow-scripts allow-downloads" '
                'style="width: 100%; height: 720px; border: 0"></iframe>')

    def __repr__(self) -> str:
        return f"<herglotz.Report of {len(self.html) / 1e6:.1f} MB; save(FILE) writes it>"


def report(runs: AnyRun | Sequence[AnyRun] | Mapping[str, AnyRun], *,
           file: str | os.PathLike[str] | None = None, live: bool = False) -> Report:
    """The report of a run, or of two runs side by side: verdicts, what differs, curves over each other, differences.

    Args:
        runs: a run of `herglotz.simulate` or `herglotz.run`, a `Solution`, or two runs; a mapping gives them names.
        file: where to write the page, too.
        live: the page has sliders and follows the motion of one run itself, without a network.

    Raises:
        ValueError: more runs than two, a batch, a dataset that is not a run, or a motion that a page cannot follow.

    >>> hz.report(run, file="run.html")
    >>> hz.report({"explicit": first, "implicit": second})
    """
    named = _named(runs)
    if live:
        page = _live_page([run for _, run in named])
    elif len(named) == 1:
        ((_, run),) = named
        page = _solution_page(run) if isinstance(run, Solution) else _page(run)
    elif len(named) == 2:
        (first_name, first), (second_name, second) = named
        _require_without_index([first, second], "a comparison")
        page = _herglotz.comparison_page(_parts(first), _parts(second), first_name, second_name)
    else:
        raise ValueError(f"{len(named)} runs; a report shows one, or two side by side")
    made = Report(page)
    if file is not None:
        made.save(file)
    return made


def _live_page(runs: list[AnyRun]) -> str:
    if len(runs) != 1 or isinstance(runs[0], Solution):
        raise ValueError("live=True is for one run of a system; leave it out")
    _require_without_index(runs, "live=True")
    parts = _parts(runs[0])
    if not parts[1].get("model_text"):
        raise ValueError("this run holds no model that a page could follow; leave out live")
    return _herglotz.live_page(parts)


def _require_without_index(runs: list[AnyRun], what: str) -> None:
    texts = [str(_facts(run).get("model_text", "")) for run in runs]
    if any(text and _herglotz.states_families(text, "model") for text in texts):
        raise ValueError(f"{what} does not take runs of a model with an index; a report shows one of them")


def _page(run: AnyRun) -> str:
    if isinstance(run, Run):
        return _herglotz.report_page(_parts(run))
    fields, rest = pictures(run)
    return _herglotz.field_page(_parts(rest), fields) if fields else _herglotz.report_page(_parts(rest))


def _solution_page(solution: Solution) -> str:
    equations = System.from_text(solution.attrs["model_text"]).equations().latex
    return _herglotz.solution_page(solution._held(), equations)


def _named(runs: AnyRun | Sequence[AnyRun] | Mapping[str, AnyRun]) -> list[tuple[str, AnyRun]]:
    if isinstance(runs, (xarray.Dataset, Run)):
        return [("", runs)]
    if isinstance(runs, Mapping):
        chosen = cast("Mapping[str, AnyRun]", runs)  # datasets and runs are mappings, too, and were taken before
        return [(str(name), chosen[name]) for name in chosen]
    listed: list[AnyRun] = list(runs)
    names = [_facts(run).get("method", "") for run in listed]
    if len(set(names)) < len(names):
        names = [f"run {k}" for k in range(1, len(listed) + 1)]
    return list(zip(names, listed, strict=True))


def _facts(run: AnyRun) -> dict[str, Any]:
    if isinstance(run, Run):
        return run.facts
    if isinstance(run, xarray.Dataset):
        return {str(name): value.item() if isinstance(value, numpy.generic) else value
                for name, value in run.attrs.items()}
    raise ValueError(f"{type(run).__name__} is not a run; give what herglotz.simulate or herglotz.run returned")


def _parts(run: AnyRun) -> tuple[list[Any], dict[str, Any], list[Any]]:
    """Columns, facts and events as the compiled part takes them."""
    facts = dict(_facts(run))
    if "method" not in facts:
        raise ValueError("this dataset has no attributes of a run; give what herglotz.simulate or herglotz.run returned")
    if facts.get("model_text"):
        facts["equations_latex"] = System.from_text(facts["model_text"]).equations().latex
    if isinstance(run, Run):
        return [_column(name, role, values) for name, role, values in run._reached.arrays], facts, [
            (name, [_column(*column) for column in columns]) for name, columns in run._reached.events]
    return _columns(run, "role"), facts, _events(run)


def _columns(dataset: xarray.Dataset, key: str) -> list[Any]:
    found = [(str(name), column) for name, column in dataset.variables.items() if key in column.attrs]
    batch = [str(dimension) for _, column in found for dimension in column.dims[:-1]]
    if batch:
        raise ValueError(f"a batch over {', '.join(dict.fromkeys(batch))}; a report shows one of its runs: "
                         f"choose it with .isel({batch[0]}=0), or give hz.sweep a file and use `herglotz report`")
    found.sort(key=lambda pair: pair[1].attrs[key] != "time")  # stable: the time first
    return [_column(name, column.attrs[key], column.values) for name, column in found]


def _events(dataset: xarray.Dataset) -> list[Any]:
    if "event" not in dataset.dims:
        return []
    states = events_of(dataset)
    names = states["event"].values
    return [(str(name), [_column(str(column), states[column].attrs["role"], states[column].values[names == name])
                         for column in states.data_vars]) for name in dict.fromkeys(names)]


def _column(name: str, role: str, values: Any) -> tuple[str, str, numpy.ndarray]:
    return name, role, numpy.ascontiguousarray(values, dtype=float)
