"""Models with an index: systems, runs as arrays over time and sites, members."""

import pickle

import numpy
import pytest
import xarray

import herglotz as hz

RING = """
[indices]
i = { count = 12, ends = "periodic" }
[algebroid]
kind = "tangent"
base = ["q[i]"]
fibre = ["v[i]"]
[parameters]
k = 1.0
gamma = 0.1
"m[i]" = "1 + 0*i"
[dynamics]
lagrangian = "sum(i, m[i]*v[i]^2/2 - k*(q[i+1] - q[i])^2/2) - gamma*z"
[observables]
mean = "sum(i, q[i])/count"
[initial]
"q[i]" = "cos(2*pi*i/count)"
[simulation]
method = "contact-splitting-4"
step = 0.1
t_end = 2
"""
ring = hz.System.from_text(RING)


PLANE = (RING.replace("[algebroid]", 'j = { count = 3, ends = "free" }\n[algebroid]')
         .replace("q[i]", "q[i,j]").replace("v[i]", "v[i,j]").replace("q[i+1]", "q[i+1,j]").replace("sum(i,", "sum(i, j,")
         .replace("/count)", "/count[i])").replace("/count\"", "/count[i]\""))


def swing(k, gamma, t):
    """The amplitude of the longest wave of the ring."""
    omega = numpy.sqrt(4 * k * numpy.sin(numpy.pi / 12) ** 2 - gamma**2 / 4)
    return numpy.exp(-gamma * t / 2) * (numpy.cos(omega * t) + gamma / 2 / omega * numpy.sin(omega * t))


def test_a_run_has_dimensions_of_time_and_sites():
    run = hz.simulate(ring)
    assert run.q.dims == run.v.dims == ("t", "i")
    assert run.q.shape == (21, 12)
    assert run["mean"].dims == ("t",)
    assert run.hz.names("base") == ["q"]
    numpy.testing.assert_allclose(run.q.sel(i=0), swing(1, 0.1, run.t.values), atol=1e-6)
    assert run.attrs["complete"] == 1
    assert run.attrs["largest_energy_residual"] < 1e-6


def test_every_method_gives_the_same_arrays():
    loops = hz.simulate(ring, method="reference", tolerance=1e-12, output_step=0.5)
    flat = hz.simulate(ring, method="taylor", tolerance=1e-12, output_step=0.5)
    assert "written out" in flat.attrs["notes"]
    assert flat.q.dims == ("t", "i")
    xarray.testing.assert_allclose(loops.q, flat.q, atol=1e-10)


def test_starts_and_parameters_are_numbers_texts_and_arrays():
    start = numpy.cos(2 * numpy.pi * numpy.arange(12) / 12)
    one = hz.simulate(ring, {"q[i]": start}, parameters={"k": 2.0})
    numpy.testing.assert_allclose(one.q.sel(i=0), swing(2, 0.1, one.t.values), atol=1e-6)
    two = hz.simulate(ring, {"q": "cos(2*pi*i/count)", "v": 0.0}, parameters={"k": 2.0, "m[i]": numpy.ones(12)})
    numpy.testing.assert_allclose(one.q, two.q, atol=1e-12)
    with pytest.raises(ValueError, match=r"'q' has shape \(3,\); give a value for each site, of shape \(12,\)"):
        hz.simulate(ring, {"q": [1.0, 2.0, 3.0]})
    with pytest.raises(hz.ModelError, match="unknown name 'kk'"):
        hz.simulate(ring, parameters={"kk": 1.0})


def test_arrays_of_parameters_make_members():
    gammas = [0.0, 0.1, 0.2]
    runs = hz.simulate(ring, parameters={"gamma": gammas})
    assert runs.q.dims == ("member", "t", "i")
    assert runs.gamma.values.tolist() == gammas
    for gamma, run in zip(gammas, runs.transpose("member", ...).q.values, strict=True):
        numpy.testing.assert_allclose(run[:, 0], swing(1, gamma, runs.t.values), atol=1e-6)
    plane = hz.simulate(ring, parameters={"gamma": xarray.DataArray(gammas, dims="g", coords={"g": gammas}),
                                          "k": xarray.DataArray([1.0, 2.0], dims="k_")})
    assert plane.energy.dims == ("g", "k_", "t")
    assert plane.attrs["complete"] == 1


def test_some_sites_are_kept():
    run = hz.simulate(ring, columns=["q[::4]", "v[1]", "energy"])
    assert run.q.dropna("i", how="all").i.values.tolist() == [0, 4, 8]
    assert "z" not in run


def test_grids_have_two_dimensions():
    membrane = hz.model("membrane")
    assert membrane.indices == {"i": 60, "j": 60}
    run = hz.simulate(membrane, {"q[i,j]": numpy.ones((60, 60))}, t_end=2)
    assert run.q.dims == ("t", "i", "j")
    assert run.q.isel(t=0).min() == 1
    part = hz.simulate(membrane, t_end=2, columns=["q[3,::20]"])
    assert part.q.sizes == {"t": 3, "i": 1, "j": 3}


def test_systems_say_what_they_are():
    assert [name for name, _, _ in hz.indexed_gallery()]
    assert isinstance(ring, hz.IndexedSystem)
    assert ring.families == ("q", "v", "m")
    assert "dv[i]/dt" in ring.equations().text
    assert "mean = " in ring.equations().text
    assert "q_{i+1}" in ring.equations().latex.replace("{q}", "q")
    assert pickle.loads(pickle.dumps(ring)).text == RING
    assert ring.replace(parameters={"gamma": 0.5}).parameters["gamma"] == 0.5
    assert "12" not in repr(ring)
    for refused in (lambda: ring.momenta, lambda: ring.initial, ring.check, lambda: hz.run(ring)):
        with pytest.raises(ValueError, match="a model with an index"):
            refused()


def test_what_does_not_take_an_index_says_so():
    run = hz.simulate(ring)
    for refused in (lambda: hz.value_and_gradient(ring, "energy", wrt=["k"]), lambda: hz.lyapunov_exponents(ring, t_end=1),
                    lambda: hz.periodic_orbit(ring, period=1.0), lambda: hz.follow_equilibria(ring, {}, parameter="k", to=2.0),
                    lambda: hz.fit(ring, {"t": [1.0], "energy": [1.0]}, parameters=["k"]), lambda: ring.linearise(at={}),
                    lambda: ring.flow("x"), lambda: ring.reduced(), lambda: ring.to_jax_solve([1.0]),
                    lambda: hz.simulate(ring, sensitivities=["k"]), lambda: hz.report(run, live=True),
                    lambda: hz.report([run, run])):
        with pytest.raises(ValueError, match=r"^[^\n]*a model with an index[^\n]*$"):
            refused()


def test_a_run_that_fails_keeps_what_it_reached():
    unstable = RING.replace("k*(q[i+1] - q[i])^2/2", "k*q[i]^4/4").replace("- k*q", "+ k*q")
    with pytest.raises(hz.RunError, match="not finite") as failed:
        hz.simulate(hz.System.from_text(unstable), {"q": 2.0}, t_end=50)
    assert failed.value.reached.q.dims == ("t", "i")


def test_reports_draw_the_families(tmp_path):
    page = hz.simulate(ring).hz.report(tmp_path / "ring.html").html
    assert '"fields":[{"axes":[{"name":"i","places":[0,1,2,3,4,5,6,7,8,9,10,11]}]' in page
    grid = hz.simulate(hz.model("membrane"), t_end=2).hz.report().html
    assert '{"name":"j","places":[0,' in grid


def test_events_are_located():
    events = '[events]\ndown = { at = "q[0]", direction = "falling" }\n[initial]'
    text = RING.replace("[initial]", events).replace("step = 0.1", "")
    run = hz.simulate(hz.System.from_text(text), parameters={"gamma": 0.0}, method="reference", tolerance=1e-12, t_end=5)
    found = run.hz.events
    assert list(found.event.values) == ["down"]
    numpy.testing.assert_allclose(found.t.values, numpy.pi / 4 / numpy.sin(numpy.pi / 12), atol=1e-10)


def test_a_sweep_has_dimensions_of_parameters_and_sites():
    swept = hz.sweep(ring, parameters={"gamma": [0.0, 0.1], "k": [1.0, 1.5, 2.0]})
    assert swept.q.dims == ("gamma", "k", "i")
    assert swept.q.attrs["role"] == "base"
    alone = hz.simulate(ring, parameters={"gamma": 0.1, "k": 1.5})
    numpy.testing.assert_array_equal(swept.q.sel(gamma=0.1, k=1.5).values, alone.q.isel(t=-1).values)
    assert float(swept.energy.sel(gamma=0.1, k=1.5)) == float(alone.energy[-1])
    rows = hz.sweep(ring, parameters={"gamma": hz.uniform(0, 0.1)}, samples=3, keep="trajectory", columns=["q[::4]", "mean"])
    assert rows.q.dims == ("sample", "t", "i")
    assert list(rows.i.values) == [0, 4, 8]
    with pytest.raises(ValueError, match="cannot be swept"):
        hz.sweep(ring, initial={"q[0]": [1.0, 2.0]})


@pytest.mark.parametrize("keep", ["final", "trajectory", "statistics"])
def test_a_sweep_into_a_file_has_dimensions_of_sites(tmp_path, keep):
    stored = hz.sweep(ring, parameters={"gamma": [0.0, 0.1]}, file=tmp_path / "ring.h5", columns=["q[::4]"], keep=keep)
    assert set(stored.data_vars) == {"q", "failure"}
    in_memory = hz.sweep(ring, parameters={"gamma": [0.0, 0.1]}, columns=["q[::4]"], keep=keep)
    assert stored.q.dims == in_memory.q.dims
    assert stored.q.dims[-1] == "i"
    numpy.testing.assert_array_equal(stored.q.sel(i=[8, 0]).values, in_memory.q.sel(i=[8, 0]).values)
    numpy.testing.assert_array_equal(stored.q.isel(i=1).values, in_memory.q.isel(i=1).values)


def test_a_sweep_of_a_grid_into_a_file_has_both_indices(tmp_path):
    grid = hz.System.from_text(PLANE)
    stored = hz.sweep(grid, parameters={"k": [1.0, 2.0]}, file=tmp_path / "plane.h5")
    in_memory = hz.sweep(grid, parameters={"k": [1.0, 2.0]})
    assert stored.q.sizes == {"k": 2, "i": 12, "j": 3}
    numpy.testing.assert_array_equal(stored.q[1, 2:5, ::2].values, in_memory.q[1, 2:5, ::2].values)


def test_sweeps_take_arrays_over_sites():
    masses, start = numpy.linspace(1, 2, 12), numpy.cos(numpy.arange(12.0))
    swept = hz.sweep(ring, parameters={"gamma": [0.0, 0.1], "m": masses}, initial={"q[i]": start, "v": "0.1*i"})
    alone = hz.simulate(ring, {"q": start, "v": "0.1*i"}, parameters={"gamma": 0.1, "m": masses})
    numpy.testing.assert_array_equal(swept.q.sel(gamma=0.1).values, alone.q.isel(t=-1).values)
    grid = hz.System.from_text(PLANE)
    plane = numpy.cos(numpy.arange(36.0)).reshape(12, 3)
    swept = hz.sweep(grid, parameters={"gamma": [0.1]}, initial={"q": plane})
    numpy.testing.assert_array_equal(swept.q.isel(gamma=0).values, hz.simulate(grid, {"q": plane}).q.isel(t=-1).values)
    with pytest.raises(ValueError, match=r"'q' has shape \(3, 12\); members of a sweep share an array over the sites"):
        hz.sweep(ring, parameters={"gamma": [0.1]}, initial={"q": numpy.ones((3, 12))})
    with pytest.raises(ValueError, match=r"'m' has shape \(5,\); give a value for each site, of shape \(12,\)"):
        hz.sweep(ring, parameters={"gamma": [0.1], "m": numpy.ones(5)})


def test_arrays_over_members_and_sites_make_members():
    starts = numpy.stack([numpy.cos(k * numpy.arange(12.0)) for k in (1, 2, 3)])
    runs = hz.simulate(ring, {"q": starts})
    assert runs.q.dims == ("member", "t", "i")
    numpy.testing.assert_array_equal(runs.q.isel(t=0).values, starts)
    alone = hz.simulate(ring, {"q": starts[2]})
    numpy.testing.assert_array_equal(runs.q.isel(member=2).values, alone.q.values)
    first = hz.simulate(ring, {"q[0]": [1.0, 2.0]})
    assert first.q.isel(t=0, i=0).values.tolist() == [1.0, 2.0]
    with pytest.raises(ValueError, match=r"'q\[0\]' is given beside all values of its family"):
        hz.simulate(ring, {"q": starts[0], "q[0]": 2.0})
    masses = xarray.DataArray(numpy.linspace(1, 2, 24).reshape(12, 2), dims=("i", "body"), coords={"body": ["light", "heavy"]})
    crossed = hz.simulate(ring, {"q": starts}, parameters={"m": masses, "gamma": xarray.DataArray([0.0, 0.1], dims="g")})
    assert crossed.energy.sizes == {"body": 2, "g": 2, "member": 3, "t": 21}
    alone = hz.simulate(ring, {"q": starts[1]}, parameters={"m": masses.sel(body="heavy").values, "gamma": 0.1})
    found = crossed.q.sel(body="heavy").isel(g=1, member=1)
    numpy.testing.assert_array_equal(found.transpose("t", "i").values, alone.q.values)


def test_families_along_one_index_and_over_edges_take_arrays():
    grid = hz.System.from_text(PLANE)
    assert grid.along == {"m": "i"}
    masses = numpy.linspace(1, 2, 12)
    run = hz.simulate(grid, parameters={"m": masses})
    expected = hz.simulate(ring, parameters={"m": masses})
    numpy.testing.assert_allclose(run.q.isel(j=1).values, expected.q.values, atol=1e-13)
    machines = hz.model("swing-equations")
    assert machines.edges == {"e": 5}
    lines = numpy.array([2.0, 1.5, 1.8, 1.4, 2.5])
    numpy.testing.assert_array_equal(hz.simulate(machines, parameters={"K": lines}, t_end=1).q.values,
                                     hz.simulate(machines, t_end=1).q.values)


def test_written_out_it_is_linearised_fitted_and_differentiated():
    system = ring.written_out()
    assert [str(q) for q in system.base[:2]] == ["q[0]", "q[1]"]
    numpy.testing.assert_allclose(hz.simulate(system, method="contact-splitting-4")["q[0]"].values,
                                  hz.simulate(ring).q.sel(i=0).values, atol=1e-12)
    still = ring.replace(initial={"q[i]": 0}).written_out()
    swings = numpy.sort(numpy.abs(numpy.imag(still.linearise().eigenvalues)))
    known = numpy.sqrt(4 * numpy.sin(numpy.pi * numpy.arange(1, 12) / 12) ** 2 - 0.1**2 / 4)
    numpy.testing.assert_allclose(swings[-22:], numpy.sort(numpy.repeat(known, 2)), atol=1e-12)
    along = hz.simulate(system, sensitivities=["k"], method="contact-gauss-6").sensitivity
    derivative = along.sel(column="q[0]", wrt="k").values[-1]
    above, below = (hz.simulate(ring, parameters={"k": k}, method="contact-gauss-6").q.values[-1, 0] for k in (1.0001, 0.9999))
    assert derivative == pytest.approx((above - below) / 2e-4, abs=1e-7)


def test_written_out_it_has_gradients_by_elements():
    system = ring.written_out()
    names = ["k", "gamma", "q[3]"]
    asked = {"method": "runge-kutta-8", "step": 0.05, "t_end": 2}
    value, gradient = hz.value_and_gradient(system, "q[0]^2 + k*v[11]", wrt=names, **asked)
    run = hz.simulate(system, sensitivities=names, **asked)
    last, along = run.isel(t=-1), run.sensitivity.isel(t=-1)
    assert value == pytest.approx(float(last["q[0]"] ** 2 + system.parameters["k"] * last["v[11]"]), abs=1e-14)
    for name in names:
        by_q, by_v = (along.sel(column=column, wrt=name) for column in ("q[0]", "v[11]"))
        expected = 2 * last["q[0]"] * by_q + system.parameters["k"] * by_v
        assert gradient[name] == pytest.approx(float(expected + (last["v[11]"] if name == "k" else 0)), abs=1e-12)
    with pytest.raises(ValueError, match=r"derivatives of runs of a model with an index are those of system.written_out\(\)"):
        hz.simulate(ring, sensitivities=["k"])
    with pytest.raises(ValueError, match=r"has no to_jax_solve; .* system.written_out\(\) has the rest"):
        ring.to_jax_solve([1.0])


def test_written_out_it_can_be_copied_and_changed():
    system = pickle.loads(pickle.dumps(ring.written_out()))
    assert type(system) is type(ring.written_out())
    assert system.text == ring.text
    other = system.replace(parameters={"k": 2.0}, initial={"q[3]": 0.5})
    assert other.parameters["k"] == 2.0
    assert other.initial["q[3]"] == 0.5
    large = ring.replace(initial={"q[i]": 0})
    text = large.text.replace("count = 12", "count = 2000")
    with pytest.raises(ValueError, match="2000 coordinates, and at most 1000"):
        hz.System.from_text(text).written_out()
