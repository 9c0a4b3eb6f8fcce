"""Robots described in URDF."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping

from herglotz import _herglotz
from herglotz.arguments import to_list, to_number, to_path, to_string, to_switch
from herglotz.system import System


def import_urdf(
    file: str | os.PathLike[str], *, floating: bool = False, rolling: Iterable[str] | Mapping[str, float | None] = ()
) -> System:
    """The system of a robot that is described in URDF; with `floating` its root link moves freely in space.

    The links that `rolling` names roll on the plane z = 0 without slipping, wheels about the axis of their joint, or
    balls; a mapping gives their radii, which are else those of their cylinders and spheres. The root then floats.

    >>> robot = hz.import_urdf("arm.urdf")
    >>> robot.base, robot.parameters["m_forearm"], robot.text
    >>> cart = hz.import_urdf("cart.urdf", rolling={"left_wheel": 0.1, "right_wheel": 0.1})

    There are a coordinate q_<joint>, a velocity v_<joint> and a torque tau_<joint> for each revolute, continuous and
    prismatic joint; a root that floats has the pose e0_<link>, ..., x_<link>, ... and the velocities w1_<link>, v1_<link>,
    ... along its axes. Raises ModelError with file, line and column for what is not a tree of bodies with mass.
    """
    path = to_path("file", file)
    radii = rolling if isinstance(rolling, Mapping) else dict.fromkeys(to_list("rolling", rolling, "links"))
    links = [
        (to_string("rolling", link), None if radius is None else to_number(f"the radius of {link}", radius))
        for link, radius in radii.items()
    ]
    text = _herglotz.model_of_urdf(path.read_bytes(), str(file), to_switch("floating", floating), links)
    return System.from_text(text, path.stem)
