"""Settings of runs, as keyword arguments that `run`, `simulate` and `sweep` share."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, TypedDict, TypeVar

from . import _herglotz
from .arguments import to_count, to_names, to_number, to_string, to_switch, to_table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike

Function = TypeVar("Function", bound=Callable[..., Any])


class RunSettings(TypedDict, total=False):
    """Settings of a run. A setting that is left out, or None, is that of the system.

    Attributes:
        method: a name from `herglotz.methods()`, or "auto"
        t_end: the time at which it ends, before the start for a motion backwards
        step: of a fixed-step method, in place of a tolerance
        tolerance: of an adaptive method, in place of a step
        output_every: the number of steps from row to row
        output_step: rows at multiples of a time, instead
        project: whether a start off the constraints is moved onto them
        next: the second position of a discrete motion, in place of velocities
        columns: names of those to keep beside time; all but those on demand by default
    """

    method: str | None
    t_end: float | None
    step: float | None
    tolerance: float | None
    output_every: int | None
    output_step: float | None
    project: bool | None
    next: Mapping[Any, float] | None
    columns: Sequence[str] | None


class SweepSettings(RunSettings, total=False):
    """Settings of an ensemble: how it is made, and what is kept of it.

    Attributes:
        zip: groups of arrays that go together along one axis, named after the first
        samples: how many draws of the distributions
        seed: of the draws; the same seed gives the same ones
        sampling: where draws come from, "random" or "sobol"
        keep: "final" (the default), "times", "trajectory" or "statistics"
        times: with keep="times" or "statistics"
        device: what takes the steps: "cpu" (the default), "host", "cuda", "hip" or "auto"
    """

    zip: Sequence[Sequence[Any]] | None
    samples: int | None
    seed: int | None
    sampling: str | None
    keep: str | None
    times: ArrayLike | None
    device: str | None


def documented(settings: type) -> Callable[[Function], Function]:
    """Decorates a function of **settings so that help() and `inspect.signature` list them one by one."""
    def decorated(function: Function) -> Function:
        signature = inspect.signature(function)
        given = [parameter for parameter in signature.parameters.values() if parameter.kind != parameter.VAR_KEYWORD]
        listed = [inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=annotation.__forward_arg__)
                  for name, annotation in settings.__annotations__.items()]
        function.__signature__ = signature.replace(parameters=[*given, *listed])  # type: ignore[attr-defined]
        return function
    return decorated


def require_known(function: Callable[..., Any], kind: type, settings: Mapping[str, Any]) -> None:
    """Raises TypeError for an unknown keyword, and names the keywords of the function that are most like it."""
    if settings.keys() <= kind.__annotations__.keys():
        return
    known = list(inspect.signature(function).parameters)
    for name in settings:
        if name not in known:
            raise TypeError(f"{function.__name__}() has no argument '{name}'; {did_you_mean(name, known)}")


def did_you_mean(name: str, known: Sequence[str]) -> str:
    """The remedy for a name that is not known: the nearest ones, or all."""
    near = _herglotz.nearest_names(name, list(known))
    return f"did you mean {' or '.join(near)}?" if near else f"there are {', '.join(known)}"


def given_settings(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Checked settings by name, without those that are left to the system. Raises TypeError and ValueError."""
    given = {name: value for name, value in settings.items() if value is not None}
    if "step" in given and "tolerance" in given:
        raise ValueError("both step and tolerance are given; keep step for a fixed-step method, or tolerance for an "
                         "adaptive one")
    if "output_every" in given and "output_step" in given:
        raise ValueError("both output_every and output_step are given; keep one of them")
    return {name: _CHECKED.get(name, to_number)(name, value) for name, value in given.items()}


def _next(name: str, value: Any) -> dict[str, float]:
    return {str(key): to_number(f"next.{key}", number) for key, number in to_table(name, value).items()}


_CHECKED: dict[str, Callable[[str, Any], Any]] = {
    "method": lambda name, value: to_string(name, value, "a name"),
    "output_every": lambda name, value: to_count(name, value, 1),
    "project": to_switch,
    "next": _next,
    "columns": to_names,
}
