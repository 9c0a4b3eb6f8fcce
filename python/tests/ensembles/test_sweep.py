"""Grids and random draws of one system, in memory and in files."""

import numpy
import pytest
import xarray

import herglotz as hz

SETTINGS = {"t_end": 2, "step": 0.02}
ANGLES, FRICTIONS = numpy.linspace(-3, 3, 5), numpy.array([0.1, 0.3, 0.7])


def pendulum():
    return hz.model("damped-pendulum")


def falling():
    return hz.System(hz.tangent("q", "v"), "v^2/2 + 1/q", initial={"q": 1.0})


def test_members_of_a_grid_equal_single_runs_to_the_bit():
    system = pendulum()
    grid = hz.sweep(system, parameters={"gamma": FRICTIONS, "g": 9.0}, initial={"theta": ANGLES, "omega": 0.5},
                    keep="trajectory", **SETTINGS)
    assert grid.theta.dims == ("gamma", "theta_0", "t")
    assert (grid.gamma == FRICTIONS).all() and (grid.theta_0 == ANGLES).all()
    for gamma in FRICTIONS:
        for angle in ANGLES:
            single = hz.run(system, {"theta": angle, "omega": 0.5}, parameters={"gamma": gamma, "g": 9.0}, **SETTINGS)
            member = grid.sel(gamma=gamma, theta_0=angle)
            for name in single:
                assert member[name].values.tobytes() == single[name].tobytes(), name


def test_final_states_and_states_at_times_are_rows_of_trajectories():
    rows = hz.sweep(pendulum(), initial={"theta": ANGLES}, keep="trajectory", **SETTINGS)
    last = hz.sweep(pendulum(), initial={"theta": ANGLES}, **SETTINGS)
    assert last.theta.dims == ("theta_0",)
    assert (last.theta.values == rows.theta[:, -1].values).all() and (last.t == 2).all()
    some = hz.sweep(pendulum(), initial={"theta": ANGLES}, keep="times", times=[0.5, 1.0], columns=["theta"], **SETTINGS)
    assert list(some.t) == [0.5, 1.0] and set(some.data_vars) == {"theta", "failure"}
    numpy.testing.assert_allclose(some.theta, rows.theta.sel(t=[0.5, 1.0], method="nearest"), rtol=1e-6)


def test_quantities_zipped_go_along_one_axis():
    grid = hz.sweep(pendulum(), parameters={"gamma": FRICTIONS, "g": [9.0, 9.5, 10.0]}, initial={"theta": ANGLES},
                    zip=[["gamma", "g"]], **SETTINGS)
    assert grid.energy.dims == ("gamma", "theta_0") and grid.g.dims == ("gamma",)
    single = hz.run(pendulum(), {"theta": ANGLES[1]}, parameters={"gamma": 0.3, "g": 9.5}, **SETTINGS)
    assert grid.energy[1, 1] == single["energy"][-1]


@pytest.mark.parametrize("sampling", ["random", "sobol"])
def test_draws_depend_on_the_seed_alone(sampling):
    def drawn(seed, threads, samples=300):
        return hz.sweep(pendulum(), parameters={"gamma": hz.uniform(0.1, 0.2)}, initial={"theta": hz.normal(1.0, 0.1)},
                        samples=samples, seed=seed, sampling=sampling, threads=threads, **SETTINGS)

    one = drawn(5, 1)
    assert one.theta.dims == ("sample",) and one.gamma.dims == ("sample",)
    xarray.testing.assert_identical(one, drawn(5, 3))
    assert (drawn(5, None, 40).gamma.values == one.gamma.values[:40]).all()
    assert (drawn(6, None).gamma.values != one.gamma.values).all()
    assert (one.gamma.values > 0.1).all() and (one.gamma.values < 0.2).all()
    assert abs(one.gamma.mean() - 0.15) < 0.005 and abs(one.theta_0.std() - 0.1) < 0.02
    single = hz.run(pendulum(), {"theta": float(one.theta_0[7])}, parameters={"gamma": float(one.gamma[7])}, **SETTINGS)
    assert one.theta[7] == single["theta"][-1]


def test_distributions_have_their_means():
    means = {"log_uniform": (hz.log_uniform(0.1, 1.0), 0.9 / numpy.log(10)),
             "log_normal": (hz.log_normal(-1.0, 0.2), numpy.exp(-0.98)), "exponential": (hz.exponential(0.3), 0.3)}
    for name, (distribution, mean) in means.items():
        drawn = hz.sweep(pendulum(), parameters={"gamma": distribution}, samples=1024, sampling="sobol",
                         columns=["theta"], t_end=0.1, step=0.1)
        assert float(drawn.gamma.mean()) == pytest.approx(mean, rel=0.01), name


def test_statistics_are_those_of_all_members():
    quantities = {"parameters": {"gamma": hz.uniform(0.1, 0.5)}, "initial": {"theta": ANGLES}, "samples": 50, "seed": 3}
    rows = hz.sweep(pendulum(), keep="trajectory", output_step=0.5, **quantities, **SETTINGS)
    moments = hz.sweep(pendulum(), keep="statistics", output_step=0.5, **quantities, **SETTINGS)
    assert moments.theta.dims == ("statistic", "t")
    over = ("theta_0", "sample")
    for name in ("theta", "energy"):
        expected = {"count": rows[name].count(over), "mean": rows[name].mean(over),
                    "deviation": rows[name].std(over, ddof=1), "least": rows[name].min(over),
                    "largest": rows[name].max(over)}
        for statistic, values in expected.items():
            numpy.testing.assert_allclose(moments[name].sel(statistic=statistic), values, rtol=1e-12, atol=1e-14)


def test_members_that_fail_are_recorded_and_the_rest_go_on():
    grid = hz.sweep(falling(), initial={"v": [2.0, 0.0, 3.0]}, keep="trajectory", t_end=3, tolerance=1e-9,
                    output_step=0.1)
    assert list(grid.failure.values == "") == [True, False, True]
    assert numpy.isnan(grid.q[1, -1]) and not numpy.isnan(grid.q[1, 0]) and not numpy.isnan(grid.q[[0, 2]]).any()
    assert grid.attrs["failed"] == 1 and grid.attrs["complete"] == 1


@pytest.mark.parametrize("keep", [{}, {"keep": "times", "times": [0.5, 1.0]}, {"keep": "trajectory"},
                                  {"keep": "statistics"}])
def test_files_agree_with_memory(keep, tmp_path):
    quantities = {"parameters": {"gamma": FRICTIONS, "g": hz.normal(9.8, 0.1)},
                  "initial": {"theta": ANGLES, "omega": [0.0, 0.1, 0.2]}, "zip": [["gamma", "omega"]], "samples": 4}
    memory = hz.sweep(pendulum(), **quantities, **keep, **SETTINGS)
    stored = hz.sweep(pendulum(), **quantities, **keep, **SETTINGS, file=tmp_path / "grid.h5")
    # A file holds deviations, from which squares are found again: rounding.
    equal = xarray.testing.assert_allclose if "statistics" in keep.values() else xarray.testing.assert_equal
    equal(stored, memory, **({"rtol": 1e-14} if "statistics" in keep.values() else {}))
    assert stored.failure.dims == ("gamma", "theta_0", "sample")
    opened = hz.open_sweep(tmp_path / "grid.h5")
    if not keep:
        assert (opened.energy[1:, ::2, -1].values == memory.energy[1:, ::2, -1].values).all()
        assert opened.energy[2, 3, 1] == memory.energy[2, 3, 1]


def test_failures_in_files_agree_with_memory(tmp_path):
    arguments = {"initial": {"v": [2.0, 0.0, 3.0]}, "t_end": 3, "tolerance": 1e-9}
    stored = hz.sweep(falling(), **arguments, file=tmp_path / "grid.h5")
    xarray.testing.assert_equal(stored, hz.sweep(falling(), **arguments))
    assert stored.attrs["failed"] == 1


def test_what_is_interrupted_is_resumed(tmp_path, interrupt):
    arguments = {"initial": {"theta": numpy.linspace(-3, 3, 20000)}, "columns": ["theta"], "t_end": 20, "step": 0.01}
    part = hz.sweep(pendulum(), **arguments, file=tmp_path / "grid.h5", threads=1, progress=interrupt)
    assert part.attrs["complete"] == 0 and numpy.isnan(part.theta).any()
    with pytest.raises(hz.ModelError):
        hz.sweep(pendulum(), **arguments, file=tmp_path / "grid.h5")
    whole = hz.sweep(pendulum(), **arguments, file=tmp_path / "grid.h5", resume=True)
    assert whole.attrs["complete"] == 1 and not numpy.isnan(whole.theta).any()
    hz.sweep(pendulum(), **arguments, file=tmp_path / "grid.h5", resume=True)
    with pytest.raises(ValueError, match="another sweep"):
        hz.sweep(pendulum(), **{**arguments, "t_end": 19}, file=tmp_path / "grid.h5", resume=True)


def test_an_interrupted_sweep_in_memory_says_what_was_not_run(interrupt):
    part = hz.sweep(pendulum(), initial={"theta": numpy.linspace(-3, 3, 100000)}, t_end=2000, step=0.01,
                    progress=interrupt)
    assert part.attrs["complete"] == 0
    assert numpy.isnan(part.theta[part.failure == "not started"]).all()
    assert not numpy.isnan(part.theta[part.failure == ""]).any()
    assert (part.failure == "not started").any()


def test_the_model_says_what_varies_where_nothing_else_does():
    text = pendulum().text.split("[sweep]")[0] + '\n[sweep]\ncolumns = ["theta"]\n[sweep.initial]\ntheta = [0.5, 1.0]\n'
    system = hz.System.from_text(text)
    grid = hz.sweep(system, parameters={"gamma": 0.2}, **SETTINGS)
    assert list(grid.theta_0) == [0.5, 1.0] and set(grid.data_vars) == {"theta", "failure"}
    assert grid.theta[1] == hz.run(system, {"theta": 1.0}, parameters={"gamma": 0.2}, **SETTINGS)["theta"][-1]
    assert hz.sweep(system, parameters={"gamma": FRICTIONS}, **SETTINGS).energy.dims == ("gamma",)
    with pytest.raises(ValueError, match="'theta' is swept"):
        hz.sweep(system, initial={"theta": 0.2}, **SETTINGS)
    with pytest.raises(hz.ModelError, match="sweep"):
        hz.sweep(pendulum(), **SETTINGS)


def test_swept_momenta_take_the_place_of_velocities():
    system = pendulum()
    assert "omega" in system.initial
    momentum = system.momenta[0].name
    grid = hz.sweep(system, initial={momentum: [0.5, 1.0]}, t_end=1, step=0.1)
    assert set(grid.failure.values) == {""}


@pytest.mark.parametrize(("arguments", "sentence"), [
    ({"parameters": {"gama": FRICTIONS}}, "unknown parameter 'gama'"),
    ({"parameters": {"gamma": FRICTIONS, "h": 1.0}}, "unknown parameter 'h'"),
    ({"parameters": {"gamma": [[0.1], [0.2]]}}, r"'gamma' has shape \(2, 1\)"),
    ({"parameters": {"gamma": hz.uniform(0, 1)}}, "samples"),
    ({"parameters": {"gamma": []}}, "gamma"),
    ({"parameters": {"gamma": FRICTIONS}, "keep": "all"}, "unknown keep 'all'"),
    ({"parameters": {"gamma": FRICTIONS}, "keep": "times"}, "needs times"),
    ({"parameters": {"gamma": FRICTIONS}, "keep": "times", "times": [1.0, 0.5, 0.7]}, "times do not follow"),
    ({"parameters": {"gamma": FRICTIONS}, "columns": ["psi"]}, "unknown column 'psi'"),
    ({"parameters": {"gamma": FRICTIONS}, "initial": {"theta": ANGLES}, "zip": [["gamma", "theta"]]}, "gamma|theta"),
    ({"parameters": {"gamma": FRICTIONS}, "resume": True}, "give one"),
    ({"parameters": {"gamma": FRICTIONS}, "threads": 0}, "threads = 0"),
])
def test_what_is_wrong_is_said(arguments, sentence):
    with pytest.raises(ValueError, match=sentence):
        hz.sweep(pendulum(), **arguments, **SETTINGS)


@pytest.mark.parametrize(("settings", "error", "message"), [
    ({"samples": 4.5}, TypeError, "samples = 4.5; a whole number is needed"),
    ({"samples": 0}, ValueError, "samples = 0; it must be at least 1"),
    ({"samples": 4, "seed": -1}, ValueError, "seed = -1; it must be at least 0"),
    ({"samples": 4, "initial": {"theta": None}}, TypeError, "theta = None; a number is needed"),
])
def test_numbers_of_the_wrong_kind_are_named(settings, error, message):
    with pytest.raises(error, match=message):
        hz.sweep(hz.model("damped-pendulum"), parameters={"gamma": hz.uniform(0, 1)}, t_end=1, step=0.1, **settings)


def test_last_states_have_no_plot_against_time():
    ends = hz.sweep(hz.model("damped-pendulum"), parameters={"gamma": [0.1, 0.2]}, t_end=1, step=0.1)
    with pytest.raises(ValueError, match="keeps only the last states"):
        ends.hz.plot.trajectory()


def test_a_device_gives_the_bits_of_the_processor_and_is_named():
    given = {"parameters": {"gamma": FRICTIONS}, "initial": {"theta": ANGLES}, "method": "runge-kutta-8", **SETTINGS}
    expected = hz.sweep(pendulum(), **given)
    found = hz.sweep(pendulum(), device="host", **given)
    assert found.device.startswith("host: ") and "device" not in expected.attrs
    for name in expected.data_vars:
        assert expected[name].values.tobytes() == found[name].values.tobytes(), name
    with pytest.raises(ValueError, match="contact-lobatto-2, and the method is contact-gauss-4"):
        hz.sweep(pendulum(), device="host", initial={"theta": ANGLES}, **SETTINGS)
    with pytest.raises(ValueError, match="device hip is not there"):
        hz.sweep(pendulum(), device="hip", **given)
    with pytest.raises(ValueError, match="unknown device 'gpu'"):
        hz.sweep(pendulum(), device="gpu", **given)


def test_a_file_has_the_same_bytes_on_every_device(tmp_path):
    given = {"initial": {"theta": ANGLES}, "method": "runge-kutta-4", "columns": ["theta"], **SETTINGS}
    hz.sweep(pendulum(), file=tmp_path / "cpu.h5", **given)
    assert hz.sweep(pendulum(), file=tmp_path / "host.h5", device="host", **given).device.startswith("host: ")
    assert (tmp_path / "cpu.h5").read_bytes() == (tmp_path / "host.h5").read_bytes()
