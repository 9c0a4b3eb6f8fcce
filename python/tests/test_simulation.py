"""Runs as datasets."""

import signal
import threading

import numpy
import pytest
import sympy
import xarray

import herglotz as hz


def oscillator(**changes):
    return hz.System(hz.tangent("q", "v"), "v^2/2 - q^2/2 - gamma*z", parameters={"gamma": 0.1}, initial={"q": 1.0},
                     **changes)


def exact(t, gamma=0.1):
    omega = numpy.sqrt(1 - gamma**2 / 4)
    return numpy.exp(-gamma * t / 2) * (numpy.cos(omega * t) + gamma / (2 * omega) * numpy.sin(omega * t))


@pytest.mark.parametrize("settings", [{"tolerance": 1e-12}, {"step": 0.02, "method": "contact-gauss-6"}])
def test_a_run_is_the_motion(settings):
    run = hz.simulate(oscillator(), t_end=30, **settings)
    assert abs(run.q - exact(run.t)).max() < 1e-9
    assert run.attrs["largest_energy_residual"] < 1e-8
    assert run.attrs["complete"] == 1


def test_columns_are_those_of_the_contract():
    system = oscillator(symmetries={"translation": ["1"]}, observables={"speed": "abs(v)"})
    run = hz.simulate(system, t_end=1, step=0.1)
    assert list(run.data_vars) == ["q", "v", "z", "energy", "integrating_factor", "energy_invariant", "energy_residual",
                                   "momentum.translation", "momentum_invariant.translation",
                                   "momentum_residual.translation", "speed"]
    assert list(run.coords) == ["t"]
    assert run.sizes["t"] == 11
    assert run.attrs["parameters.gamma"] == 0.1


def test_what_was_derived_before_does_not_change_a_bit_of_a_run():
    plain, printed = (hz.model("heavy-top") for _ in range(2))
    equations = printed.equations()
    _ = repr(equations), equations.rhs, equations.mass_matrix
    runs = [hz.run(system, t_end=6, tolerance=1e-9) for system in (plain, printed)]
    assert all(numpy.array_equal(runs[0][name], runs[1][name]) for name in runs[0])
    assert repr(printed.equations()) == repr(plain.equations()) == repr(equations)


def test_a_run_without_a_dataset_has_its_columns_and_facts():
    system = oscillator()
    run, dataset = hz.run(system, t_end=1, step=0.1), hz.simulate(system, t_end=1, step=0.1)
    assert list(run) == [*dataset.coords, *dataset.data_vars]
    assert len(run) == len(list(run))
    assert all((run[name] == dataset[name].values).all() for name in run)
    assert run.names("base") == dataset.hz.names("base") == ["q"]
    assert (run.time == dataset.t.values).all()
    assert run.facts.keys() == dataset.attrs.keys()
    assert run.facts["parameters.gamma"] == 0.1
    assert "11 rows of t, q, v, z" in repr(run)
    with pytest.raises(KeyError, match="no column 'p'; there are t, q, v, z"):
        run["p"]


def test_a_run_hands_its_memory_over_once():
    run = hz.run(oscillator(), t_end=1, step=0.1)
    assert run["q"] is run["q"]
    assert numpy.shares_memory(run["q"], run.to_xarray().q.values)
    values = hz.run(oscillator(), t_end=1, step=0.1)["q"]  # outlives its run
    run["q"][0] = 7.0
    assert values[0] == 1.0


def test_given_momenta_replace_the_velocities_of_the_model():
    system = hz.System(hz.tangent("q", "v"), "2*v^2 - q^2/2 - gamma*z", parameters={"gamma": 0.1},
                       initial={"q": 1.0, "v": 3.0}, simulation={"t_end": 1.0, "step": 0.1})
    assert hz.simulate(system, {"p_v": 2.0}).v[0] == hz.run(system, {"p_v": 2.0})["v"][0] == 0.5
    assert hz.simulate(system, {"p_v": [2.0, 4.0]}).v[:, 0].values.tolist() == [0.5, 1.0]
    swept = hz.sweep(system, parameters={"gamma": [0.1, 0.2]}, initial={"p_v": 2.0}, keep="trajectory")
    assert swept.v[:, 0].values.tolist() == [0.5, 0.5]
    with pytest.raises(ValueError, match="p_v and v are given"):
        hz.simulate(system, {"p_v": 2.0, "v": 0.5})


def test_given_velocities_replace_the_second_position_of_the_model():
    system = hz.System(hz.tangent("q", "v"), "v^2/2 - q^2/2", initial={"q": 1.0}, next={"q": 1.1},
                       discrete={"rule": "midpoint"}, simulation={"t_end": 1.0, "step": 0.1})
    assert hz.simulate(system).q[1] == 1.1
    assert hz.simulate(system, {"v": 0.0}).q[1] < 1


@pytest.mark.parametrize("rows", [11, 5001])
def test_datasets_are_what_the_public_constructor_makes(rows):
    run = hz.run(oscillator(), t_end=0.01 * (rows - 1), step=0.01, output_every=1)
    dataset = run.to_xarray()
    public = xarray.Dataset({name: ("t", run[name], dataset[name].attrs) for name in dataset.data_vars},
                            {"t": ("t", run.time, dataset.t.attrs)}, dataset.attrs)
    assert dataset.identical(public)
    assert dataset.sizes == public.sizes == {"t": rows}
    assert dataset.indexes["t"].equals(public.indexes["t"])
    assert float(dataset.sel(t=0.051, method="nearest").t) == pytest.approx(0.05)
    assert dataset.copy(deep=True).isel(t=slice(3, 6)).identical(public.isel(t=slice(3, 6)))
    assert (dataset + dataset).q.equals(2 * public.q)


def test_runs_over_equal_times_share_nothing_that_can_be_written():
    runs = [hz.simulate(oscillator(), t_end=1, step=step) for step in (0.1, 0.1, 0.05, 0.1)]
    assert [run.sizes["t"] for run in runs] == [11, 11, 21, 11]
    assert all(abs(run.t.values - numpy.linspace(0, 1, run.sizes["t"])).max() < 1e-14 for run in runs)
    runs[0].t.attrs["mark"] = "mine"
    runs[0].q.attrs["mark"] = "mine"
    runs[0].attrs["mark"] = "mine"
    runs[0]["q"][0] = 9.0
    assert "mark" not in {**runs[1].t.attrs, **runs[1].q.attrs, **runs[1].attrs}
    assert float(runs[1].q[0]) == 1.0
    try:
        runs[0].t.values[0] = 9.0
    except ValueError:
        pass
    assert float(runs[1].t[0]) == 0.0


def test_one_run_takes_no_arrays():
    with pytest.raises(ValueError, match=r"'q' has shape \(2,\), where one run takes a number"):
        hz.run(oscillator(), {"q": [1.0, 2.0]})


def test_values_override_those_of_the_system():
    run = hz.simulate(oscillator(), {"q": 2.0}, parameters={"gamma": 0.2}, t_end=5, tolerance=1e-11)
    assert abs(run.q - 2 * exact(run.t, 0.2)).max() < 1e-8


def test_constrained_runs_have_multipliers_and_residuals():
    run = hz.simulate(hz.model("chaplygin-sleigh"), t_end=5, step=0.01)
    assert run.hz.names("multiplier") == ["lambda1"]
    assert abs(run["constraint.1"]).max() < 1e-12
    run.hz.plot.constraint_residuals()


@pytest.mark.parametrize(("settings", "message"), [
    ({"method": "leapfrog"}, "unknown method 'leapfrog'"), ({"method": "contact-gauss-4"}, "fixed step and none is given"),
    ({"step": -1.0}, "step = -1"), ({"t_end": float("nan")}, "t_end = nan"),
    ({"step": 0.1, "tolerance": 1e-8}, "both step and tolerance are given; keep step"),
    ({"output_every": 2, "output_step": 0.1}, "both output_every and output_step are given; keep one"),
    ({"output_every": -1}, "output_every = -1; it must be at least 1"), ({"threads": -1}, "threads = -1"),
])
def test_bad_settings_are_one_sentence(settings, message):
    with pytest.raises(ValueError, match=message):
        hz.simulate(oscillator(), **settings)


@pytest.mark.parametrize(("settings", "message"), [
    ({"t_end": "5"}, "t_end = '5'; a number is needed"), ({"output_every": 2.5}, "output_every = 2.5; a whole number"),
    ({"method": 4}, "method = 4; a name is needed"), ({"project": "yes"}, "project = 'yes'; True or False"),
    ({"initial": {"q": None}}, "q = None; a number is needed"),
    ({"parameters": {"gamma": "little"}}, "gamma = 'little'; a number is needed"),
])
def test_what_is_of_the_wrong_type_is_named(settings, message):
    with pytest.raises(TypeError, match=message):
        hz.simulate(oscillator(), **settings)


def test_numbers_may_be_those_of_numpy_and_sympy():
    run = hz.simulate(oscillator(), {"q": sympy.pi / 4, "v": numpy.array(0.5)}, t_end=numpy.float32(1),
                      step=sympy.Rational(1, 8), output_every=numpy.int64(2), project=numpy.bool_(False))
    assert run.q[0] == numpy.pi / 4 and run.v[0] == 0.5 and run.sizes["t"] == 5


def test_an_unknown_initial_value_is_named():
    with pytest.raises(ValueError, match="unknown initial value 'p'"):
        hz.simulate(oscillator(), {"p": 1.0})


def test_a_failed_run_keeps_what_it_reached():
    falling = hz.System(hz.tangent("q", "v"), "v^2/2 + 1/q", initial={"q": 1.0, "v": 0.0})
    with pytest.raises(hz.RunError) as caught:
        hz.simulate(falling, t_end=10, tolerance=1e-10)
    reached = caught.value.reached
    assert 0 < float(reached.t[-1]) < 1.2  # it falls in pi/(2 sqrt 2)
    assert reached.attrs["complete"] == 0
    with pytest.raises(hz.RunError) as caught:
        hz.run(falling, t_end=10, tolerance=1e-10)
    assert (caught.value.reached.time == reached.t.values).all()


def test_ctrl_c_keeps_what_was_reached(interrupt):
    run = hz.simulate(oscillator(), t_end=1e7, step=0.01, output_every=1000, progress=interrupt)
    assert "stopped by the user" in run.attrs["status"]
    assert 0 < float(run.t[-1]) < 1e7


def test_progress_goes_from_nothing_to_all():
    seen = []
    hz.simulate(oscillator(), t_end=1e4, step=0.01, output_every=100, progress=seen.append)
    assert seen == sorted(seen)
    assert all(0 <= fraction <= 1 for fraction in seen)


def test_runs_in_threads_are_the_same():
    system = oscillator()
    runs = [None] * 4

    def work(k):
        runs[k] = hz.simulate(system, t_end=50, step=0.01)

    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for run in runs:
        assert all((run[name].values == runs[0][name].values).all() for name in run.data_vars)


def test_plots_return_their_axes():
    import matplotlib
    matplotlib.use("agg")
    import matplotlib.pyplot as plt

    run = hz.simulate(hz.model("heavy-top"), t_end=2, step=0.01)
    plot = run.hz.plot
    for draw in (plot.trajectory, plot.phase_space, plot.energy_balance, plot.invariants, plot.residuals):
        assert draw().lines
    with pytest.raises(ValueError, match="no column 'spin'"):
        plot.trajectory("spin")
    with pytest.raises(ValueError, match="no column 'spin'"):
        plot.phase_space("spin")
    with pytest.raises(ValueError, match="this dataset has no times"):
        xarray.Dataset({"q": ("x", [1.0])}).hz.plot.trajectory("q")
    plt.close("all")


def test_plots_of_batches_have_a_line_for_each_member():
    import matplotlib
    matplotlib.use("agg")
    import matplotlib.pyplot as plt

    starts = {"vx": xarray.DataArray([0.1, 0.2, 0.3], dims="a"), "w": xarray.DataArray([0.5, 0.6], dims="b")}
    batch = hz.simulate(hz.model("chaplygin-sleigh"), starts, project=True, t_end=1, step=0.1)
    assert batch.energy.dims == ("a", "b", "t")
    plot, members = batch.hz.plot, 6
    assert len(plot.trajectory("x", "w").lines) == 2 * members
    drawn = plot.trajectory("x", "w").lines
    assert len({line.get_color() for line in drawn}) == 3, "a colour for each value of vx"
    assert len({line.get_linestyle() for line in drawn}) == 2, "a style for each column"
    for draw in (plot.phase_space, plot.energy_balance, plot.invariants, plot.residuals, plot.constraint_residuals):
        assert len(draw().lines) % members == 0
    orbit = plot.phase_space("x", "y").lines[1]
    assert (orbit.get_xdata() == batch.x[0, 1].values).all() and (orbit.get_ydata() == batch.y[0, 1].values).all()
    plt.close("all")


def test_other_signals_than_ctrl_c_raise_what_their_handlers_raise():
    def too_late(*_):
        raise TimeoutError("too late")

    before = signal.signal(signal.SIGALRM, too_late)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.3)
        with pytest.raises(TimeoutError, match="too late"):
            hz.simulate(oscillator(), t_end=1e7, step=0.01, output_every=1000)
    finally:
        signal.signal(signal.SIGALRM, before)


def test_counts_of_steps_and_rows_are_checked_where_they_are_read():
    with pytest.raises(ValueError, match="output_every"):
        hz.simulate(oscillator(), t_end=1, step=0.1, output_every=2**64)
    with pytest.raises(ValueError, match="step = 1e-20 makes"):
        hz.simulate(oscillator(), t_end=1, step=1e-20)
    with pytest.raises(ValueError, match="output_step = 1e-12 makes"):
        hz.simulate(oscillator(), t_end=1, step=0.1, output_step=1e-12)
