"""Robots described in URDF."""

from __future__ import annotations

import os

from herglotz import _herglotz
from herglotz.arguments import to_path, to_switch
from herglotz.system import System


def import_urdf(file: str | os.PathLike[str], *, floating: bool = False) -> System:
    """The system of a robot that is described in URDF; with `floating` its root link moves freely in space.

    >>> robot = hz.import_urdf("arm.urdf")
    >>> robot.base, robot.parameters["m_forearm"], robot.text

    There are a coordinate q_<joint>, a velocity v_<joint> and a torque tau_<joint> for each revolute, continuous and
    prismatic joint; a root that floats has the pose e0_<link>, ..., x_<link>, ... and the velocities w1_<link>, v1_<link>,
    ... along its axes. Raises ModelError with file, line and column for what is no tree of bodies with mass.
    """
    path = to_path("file", file)
    text = _herglotz.model_of_urdf(path.read_bytes(), str(file), to_switch("floating", floating))
    return System.from_text(text, path.stem)
