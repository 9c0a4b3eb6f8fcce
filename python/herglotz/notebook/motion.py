"""The motion of a run in a notebook: the page of its report, in a frame, that shows motion and curves alone."""

from __future__ import annotations

import pathlib
from typing import Any

import anywidget
import traitlets

from herglotz.report import AnyRun, report


class MotionView(anywidget.AnyWidget):
    """Motion and curves of a run. `time` is the moment that is shown: set it, observe it, or link it to other widgets."""

    _esm = pathlib.Path(__file__).with_name("motion.js")
    page = traitlets.Unicode().tag(sync=True)
    time = traitlets.Float(None, allow_none=True).tag(sync=True)
    height = traitlets.Int(620).tag(sync=True)

    def __init__(self, run: AnyRun, height: int = 620, **more: Any):
        super().__init__(page=report(run).html, height=height, **more)

    def __repr__(self) -> str:
        return f"<herglotz.MotionView at time {self.time}>"
