"""Runs, as labelled arrays."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Optional, Union

import xarray

from .dataset import RunError, to_dataset
from .system import System


def simulate(system: System, initial: Optional[Mapping[Any, float]] = None, *,
             parameters: Optional[Mapping[Any, float]] = None, method: Optional[str] = None,
             t_end: Optional[float] = None, step: Optional[float] = None, tolerance: Optional[float] = None,
             output_every: Optional[int] = None, output_step: Optional[float] = None, project: Optional[bool] = None,
             progress: Union[bool, Callable[[float], None]] = False) -> xarray.Dataset:
    """Runs a system and verifies its balance laws.

    Args:
        system: what moves.
        initial: initial values by name, over those of the system; what is not named starts at 0.
        parameters: values by name, over those of the system.
        method: a name from `herglotz.methods()`, or "auto".
        t_end, step, tolerance, output_every, output_step, project: as in the [simulation] table of model files.
        progress: True for a tqdm bar, or a function of the fraction done.

    Returns:
        The contract's columns over the dimension of time; attributes tell how the run was made and what was verified.
        A run that Ctrl-C stops returns what it reached, with attributes `complete` and `status`.

    Raises:
        ValueError: an unknown name, a missing step, a model that the method refuses.
        RunError: the run failed; its `reached` holds the dataset up to there.
    """
    settings = {name: value for name, value in
                {"method": method, "t_end": t_end, "step": step, "tolerance": tolerance, "output_every": output_every,
                 "output_step": output_step, "project": project}.items() if value is not None}
    start = {str(name): float(value) for name, value in (initial or {}).items()}
    values = {str(name): float(value) for name, value in (parameters or {}).items()}
    with _Bar(progress) as report:
        columns, facts, failure = system._model.run(start, values, settings, report)
    dataset = to_dataset(columns, facts)
    if failure:
        raise RunError(failure, dataset)
    return dataset


class _Bar:
    """What is called with the fraction done: a tqdm bar, the user's function, or nothing."""

    def __init__(self, progress: Union[bool, Callable[[float], None]]):
        self._progress = progress
        self._bar = None

    def __enter__(self) -> Optional[Callable[[float], None]]:
        if callable(self._progress):
            return self._progress
        if not self._progress:
            return None
        from tqdm.auto import tqdm
        self._bar = tqdm(total=1.0, bar_format="{l_bar}{bar}| {elapsed}<{remaining}")
        return lambda fraction: self._bar.update(fraction - self._bar.n)

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.update(1.0 - self._bar.n)
            self._bar.close()
