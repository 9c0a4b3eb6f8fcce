"""States at which functions of the state cross zero."""

import numpy
import pytest
import sympy
import xarray

import herglotz as hz

q, v, z, gamma, t, r = sympy.symbols("q v z gamma t r")
OMEGA = numpy.sqrt(1 - 0.1**2 / 4)


def oscillator(**changes):
    return hz.System(hz.tangent([q], [v]), v**2 / 2 - q**2 / 2 - gamma * z, parameters={gamma: 0.1}, initial={q: 1.0},
                     **changes)


def test_crossings_are_located_and_in_order():
    # q = 0 at omega t = pi/2 + atan(gamma / (2 omega)) + k pi, v = 0 at omega t = k pi.
    run = hz.simulate(oscillator(events={"turning": v, "rising": {"at": q, "direction": "rising"}}), t_end=20,
                      tolerance=1e-12)
    events = run.hz.events
    turning = events.t[events.event == "turning"]
    numpy.testing.assert_allclose(turning, numpy.arange(1, 7) * numpy.pi / OMEGA, rtol=1e-10)
    rising = events.sel(event="rising")
    zeros = (numpy.pi / 2 + numpy.arctan(0.1 / (2 * OMEGA)) + numpy.array([1, 3, 5]) * numpy.pi) / OMEGA
    numpy.testing.assert_allclose(rising.t, zeros, rtol=1e-10)
    assert (rising.v > 0).all()
    assert (numpy.diff(events.t) > 0).all()
    assert set(run.hz.names("time") + run.hz.names("base") + run.hz.names("fibre")) <= set(events.data_vars)


def test_an_event_can_end_a_run():
    run = hz.simulate(oscillator(events={"down": {"at": q, "direction": "falling", "stop": True}}), t_end=20, step=0.01)
    assert list(run.hz.events.event) == ["down"]
    assert float(run.t[-1]) == float(run.hz.events.t[0])
    assert run.attrs["complete"] == 1
    assert abs(float(run.q[-1])) < 1e-13


def test_events_of_a_run_backwards_are_in_its_order():
    events = hz.simulate(oscillator(events={"turning": v, "zero": q}), t_end=-10, tolerance=1e-10).hz.events
    assert events.sizes["event"] > 4
    assert (numpy.diff(events.t) < 0).all()


def test_events_that_do_not_happen_are_none():
    assert hz.simulate(oscillator(events={"far": "q - 5"}), t_end=1, step=0.1).hz.events.sizes["event"] == 0


def test_events_leave_the_columns_as_they_are_and_survive_a_file(tmp_path):
    run = hz.simulate(oscillator(events={"turning": v}), t_end=10, step=0.1)
    plain = hz.simulate(oscillator(), t_end=10, step=0.1)
    for name in plain.data_vars:
        assert (run[name].values == plain[name].values).all()
    run.to_netcdf(tmp_path / "run.nc", engine="h5netcdf")
    with xarray.open_dataset(tmp_path / "run.nc", engine="h5netcdf") as again:
        xarray.testing.assert_identical(again.hz.events, run.hz.events)


@pytest.mark.parametrize(("events", "message"), [
    ({"turning": "w"}, "unknown name 'w'"), ({"turning": {"at": v, "direction": "up"}}, "rising|falling"),
    ({"turning": {"at": v, "until": 3}}, "until"),
])
def test_a_bad_event_is_one_sentence(events, message):
    with pytest.raises(hz.ModelError, match=message):
        oscillator(events=events)


def test_a_run_that_watched_nothing_says_so():
    with pytest.raises(ValueError, match="watched no events"):
        _ = hz.simulate(oscillator(), t_end=1, step=0.1).hz.events


def test_steps_follow_a_time_scale():
    # Kepler's radial motion with energy: dt = r^(3/2) dtau makes steps short near the centre.
    u, w, _k = sympy.symbols("u w k")
    system = hz.System(hz.tangent([r, "a"], [u, w]), u**2 / 2 + r**2 * w**2 / 2 + 1 / r,
                       initial={r: 1.0, w: 1.3}, simulation={"time_scale": r ** sympy.Rational(3, 2)})
    assert 'time_scale = "r**(3/2)"' in system.text
    run = hz.simulate(system, method="contact-gauss-4", step=0.05, t_end=10, output_every=1)
    steps, radii = numpy.diff(run.t)[:-1], run.r.values[:-2]
    middle = (run.r.values[:-2] + run.r.values[1:-1]) / 2
    numpy.testing.assert_allclose(steps, 0.05 * middle**1.5, rtol=1e-3)
    assert radii.max() > 1.5 * radii.min()
