"""Robots described in URDF as systems."""

import pathlib

import numpy as np
import pytest

import herglotz as hz

ARM = pathlib.Path(__file__).parents[2] / "tests" / "reference" / "arm.urdf"


def test_a_robot_has_the_accelerations_of_pinocchio():
    robot = hz.import_urdf(ARM)
    assert [str(q) for q in robot.base] == ["q_shoulder", "q_elbow_1", "q_slide"]
    at = {"q_shoulder": 0.7, "v_shoulder": 0.9, "q_elbow_1": -0.4, "v_elbow_1": 1.3, "q_slide": 0.2, "v_slide": -0.6}
    rates = robot.replace(parameters={"tau_shoulder": 1.5, "tau_slide": 2.0}).linearise(at=at).rates
    found = [rates[name] for name in ("v_shoulder", "v_elbow_1", "v_slide")]
    np.testing.assert_allclose(found, [8.80246498932867, -14.800253541047303, 7.191888016015509], rtol=1e-12)


def test_a_robot_may_float_and_must_be_one(tmp_path):
    assert "e0_stand" in [str(q) for q in hz.import_urdf(ARM, floating=True).base]
    bad = tmp_path / "bad.urdf"
    bad.write_text("<mujoco/>")
    with pytest.raises(hz.ModelError, match="the root element is 'mujoco'"):
        hz.import_urdf(bad)
