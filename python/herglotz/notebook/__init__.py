"""Widgets for Jupyter, VS Code and marimo, made with anywidget."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from herglotz.report import AnyRun
    from herglotz.system import System

    from .motion import MotionView
    from .studio import Studio


def motion_view(run: AnyRun, height: int = 620) -> MotionView:
    """The motion of a run as a widget."""
    try:
        from .motion import MotionView
    except ImportError as error:
        raise ImportError('the widget needs anywidget; pip install "herglotz[notebook]"') from error
    return MotionView(run, height)


def studio_view(system: System, height: int = 720) -> Studio:
    """The studio of a system as a widget."""
    try:
        from .studio import Studio
    except ImportError as error:
        raise ImportError('the widget needs anywidget; pip install "herglotz[notebook]"') from error
    return Studio(system, height)
