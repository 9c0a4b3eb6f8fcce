"""The studio in a notebook: the page of `herglotz studio`, whose runs are computed by Python's own process."""

from __future__ import annotations

import json
import pathlib
from typing import Any

import anywidget
import traitlets

from herglotz import _herglotz
from herglotz.system import System


class Studio(anywidget.AnyWidget):
    """A model to edit, with its sliders, motion and verdict. What is shown is read back by `system` and `changes`."""

    _esm = pathlib.Path(__file__).with_name("studio.js")
    page = traitlets.Unicode().tag(sync=True)
    height = traitlets.Int(720).tag(sync=True)

    def __init__(self, system: System, height: int = 720, **more: Any):
        self._text = system.text
        self.changes: dict[str, float] = {}  #: values of the sliders that differ from the text
        self._desk = _herglotz.Desk(self._text, f"{system.name or 'model'}.toml")
        super().__init__(page=_herglotz.studio_page("notebook"), height=height, **more)
        self.on_msg(self._answer)

    @property
    def system(self) -> System:
        """The model as its text stands in the editor."""
        return System.from_text(self._text)

    def _answer(self, _: Any, request: dict[str, Any], __: Any) -> None:
        if request.get("kind") == "run":
            self._text, self.changes = request["text"], request["changes"]
        for message, binary in self._desk.answer(json.dumps(request)):
            if binary:
                self.send({}, buffers=[message])
            else:
                self.send({"text": message.decode()})

    def __repr__(self) -> str:
        return f"<herglotz.Studio of {self.system.name}>"
