"""Progress of a run, on the screen or to a function of the user."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from types import TracebackType
from typing import Any, TextIO

from .arguments import shown

Progress = bool | Callable[[float], None]

_WIDTH = 40


class ProgressBar:
    """Receiver of the fraction done: a bar, the user's function, or neither."""

    def __init__(self, progress: Progress):
        if not callable(progress) and not isinstance(progress, bool) and progress is not None:
            raise TypeError(f"progress = {shown(progress)}; True, False or a function of the fraction done is needed")
        self._progress = progress
        self._bar: Any = None

    def __enter__(self) -> Callable[[float], None] | None:
        if callable(self._progress):
            return self._progress
        if not self._progress:
            return None
        self._bar = _bar()
        return lambda fraction: self._bar.update(fraction - self._bar.n)

    def __exit__(self, failed: type[BaseException] | None, _: BaseException | None, __: TracebackType | None) -> None:
        if self._bar is not None:
            if failed is None:
                self._bar.update(1.0 - self._bar.n)
            self._bar.close()


def _bar() -> Any:
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return TextBar()
    return tqdm(total=1.0, bar_format="{l_bar}{bar}| {elapsed}<{remaining}")


class TextBar:
    """A bar of characters, where tqdm is not installed."""

    def __init__(self, stream: TextIO | None = None):
        self.n = 0.0  #: the fraction done
        self._stream = stream or sys.stderr
        self._start = time.monotonic()
        self._shown = ""
        self.update(0.0)

    def update(self, more: float) -> None:
        """Adds to the fraction done, and draws the bar if it looks different."""
        self.n += more
        filled = round(self.n * _WIDTH)
        line = f"{self.n:4.0%} |{'#' * filled}{' ' * (_WIDTH - filled)}| {time.monotonic() - self._start:.0f} s"
        if line != self._shown:
            self._stream.write("\r" + line)
            self._stream.flush()
            self._shown = line

    def close(self) -> None:
        self._stream.write("\n")
        self._stream.flush()
