"""Errors of methods against what they cost."""

import matplotlib
import numpy
import pytest

import herglotz as hz

matplotlib.use("agg")


def oscillator():
    return hz.System(hz.tangent("q", "v"), "v^2/2 - q^2/2 - gamma*z", parameters={"gamma": 0.1}, initial={"q": 1.0})


STEPS = [0.4, 0.2, 0.1]


def test_errors_fall_with_the_order_of_the_method():
    table = hz.work_precision(oscillator(), ["contact-gauss-2", "contact-gauss-4"], steps=STEPS, t_end=10)
    for name, order in zip(table.integrator.values, table.order.values):
        slopes = numpy.diff(numpy.log(table["error"].sel(integrator=name))) / numpy.diff(numpy.log(STEPS))
        assert abs(slopes - order).max() < 0.2
    assert list(table.steps.sel(integrator="contact-gauss-2")) == [25, 50, 100]
    assert (table.wall_seconds > 0).all()
    assert (table.step == STEPS).all()
    assert numpy.isnan(table.tolerance).all()
    assert table.attrs["reference"] == "reference, tolerance 1e-13"
    assert 0 <= table.attrs["reference_error"] < 1e-11


def test_errors_are_distances_from_the_motion():
    omega, t = numpy.sqrt(1 - 0.1**2 / 4), 10.0
    q = numpy.exp(-0.05 * t) * (numpy.cos(omega * t) + 0.05 / omega * numpy.sin(omega * t))
    system = oscillator()
    run = hz.simulate(system, method="contact-gauss-2", step=0.2, t_end=t)
    table = hz.work_precision(system, ["contact-gauss-2"], steps=[0.2], t_end=t)
    distances = [abs(float(run[name][-1]) - end) for name, end in
                 zip("qvz", [float(hz.simulate(system, t_end=t, tolerance=1e-13)[name][-1]) for name in "qvz"])]
    assert float(table["error"][0, 0]) == pytest.approx(max(distances), rel=1e-9)
    assert float(table["error"][0, 0]) >= abs(float(run.q[-1]) - q) * (1 - 1e-9)


def test_adaptive_methods_take_tolerances():
    table = hz.work_precision(hz.model("damped-pendulum"), ["reference", "contact-gauss-4"], steps=[0.1],
                              tolerances=[1e-4, 1e-7], t_end=5, repeat=1)
    assert table["error"].shape == (2, 2)
    assert float(table["error"][0, 1]) < float(table["error"][0, 0])
    assert numpy.isnan(table["error"][1, 1])
    assert numpy.isnan(table.step[0]).all()


def test_the_reference_can_be_given():
    system = oscillator()
    given = hz.simulate(system, t_end=3, tolerance=1e-13)
    by_run = hz.work_precision(system, ["contact-gauss-4"], steps=[0.1], t_end=3, reference=given)
    by_settings = hz.work_precision(system, ["contact-gauss-4"], steps=[0.1], t_end=3,
                                    reference={"method": "contact-gauss-6", "step": 0.01})
    numpy.testing.assert_allclose(by_run["error"], by_settings["error"], rtol=1e-5)
    assert by_settings.attrs["reference"] == "contact-gauss-6, step 0.01"


def test_a_run_that_fails_is_told_and_the_rest_go_on():
    falling = hz.System(hz.tangent("q", "v"), "v^2/2 + 1/q", initial={"q": 1.0, "v": 2.0})
    table = hz.work_precision(falling, ["contact-gauss-4"], steps=[0.1, 40.0], t_end=80)
    assert numpy.isfinite(table["error"][0, 0])
    assert str(table.failure[0, 1].values) != ""
    assert numpy.isnan(table["error"][0, 1])


def test_the_plot_has_a_line_for_each_method():
    table = hz.work_precision(oscillator(), ["contact-gauss-2", "contact-gauss-4"], steps=STEPS, t_end=5, repeat=1)
    for ax in (hz.plot.work_precision(table), table.hz.plot.work_precision("steps")):
        assert [line.get_label() for line in ax.lines[:2]] == ["contact-gauss-2", "contact-gauss-4"]
        assert ax.get_xscale() == ax.get_yscale() == "log"
    with pytest.raises(ValueError, match="not a dataset of herglotz.work_precision"):
        hz.plot.work_precision(hz.simulate(oscillator(), t_end=1, step=0.1))


@pytest.mark.parametrize(("arguments", "message"), [
    ({"methods": ["leapfrog"], "steps": [0.1]}, "unknown method 'leapfrog'"),
    ({"methods": ["reference"], "steps": [0.1]}, "needs tolerances"),
    ({"methods": ["contact-gauss-2"], "tolerances": [0.1]}, "needs steps"),
    ({"methods": ["discrete-herglotz"], "steps": [0.1]}, "discrete-herglotz"),
    ({"methods": ["contact-gauss-2"], "steps": [0.1], "repeat": 0}, "repeat = 0"),
])
def test_bad_input_is_one_sentence(arguments, message):
    with pytest.raises(ValueError, match=message):
        hz.work_precision(oscillator(), t_end=1, **arguments)
