"""Display of a system in notebooks."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from herglotz.equations import Equations

if TYPE_CHECKING:
    from herglotz.system import System

    from .studio import Studio


class Displayed:
    """Methods by which a notebook shows a system."""

    def equations(self) -> Equations:
        raise NotImplementedError

    def studio(self, height: int = 720) -> Studio:
        """The studio of this system as a widget: its text, sliders, motion and verdict.

        Raises:
            ImportError: anywidget is missing; `pip install "herglotz[notebook]"` brings it.
        """
        from . import studio_view  # anywidget is asked for by those who use it
        return studio_view(cast("System", self), height)

    def _repr_latex_(self) -> str:
        return self.equations()._repr_latex_()
