"""Reports of runs from Python."""

import json
import re

import pytest
import xarray

import herglotz as hz


@pytest.fixture(scope="module")
def system():
    return hz.System(hz.tangent("q"), lagrangian="v_q**2/2 - q**2/2 - gamma*z", parameters={"gamma": 0.1},
                     events={"passage": "q"})


def simulated(system, step=0.01):
    return hz.simulate(system, {"q": 1.0}, t_end=2, step=step)


def data_of(page):
    return json.loads(re.search(r'id="run">(.*?)</script>', page.html, re.DOTALL)[1])


def test_the_page_holds_every_column_fact_and_event_of_the_run(system):
    run = simulated(system)
    data = data_of(run.hz.report())
    assert [column["name"] for column in data["columns"]][:4] == ["t", "q", "v_q", "z"]
    for column in data["columns"]:
        assert column["values"] == run[column["name"]].values.tolist(), column["name"]
    assert data["facts"]["method"] == run.attrs["method"]
    assert data["facts"]["parameters"] == [{"name": "gamma", "value": 0.1}]
    assert data["facts"]["equations_latex"] == system.equations().latex
    assert data["facts"]["largest_energy_residual"] == run.attrs["largest_energy_residual"]
    assert [(event["name"], event["count"]) for event in data["events"]] == [("passage", run.hz.events.sizes["event"])]


def test_a_run_and_its_dataset_have_the_same_page(system):
    plain = hz.run(system, {"q": 1.0}, t_end=2, step=0.01)
    dataset = plain.to_xarray()
    assert hz.report(plain).html == hz.report(dataset).html


def test_a_dataset_read_from_a_netcdf_file_has_the_same_page(system, tmp_path):
    run = simulated(system)
    run.to_netcdf(tmp_path / "run.nc", engine="h5netcdf")
    read = xarray.load_dataset(tmp_path / "run.nc", engine="h5netcdf")
    assert data_of(hz.report(read)) == data_of(hz.report(run))


def test_two_runs_stand_side_by_side(system):
    data = data_of(hz.report({"coarse": simulated(system, 0.1), "fine": simulated(system)}))
    assert data["kind"] == "comparison"
    assert data["names"] == ["coarse", "fine"]
    assert [run["facts"]["step"] for run in data["runs"]] == [0.1, 0.01]


def test_the_file_replaces_a_report_and_no_other_file(system, tmp_path):
    report = simulated(system).hz.report(tmp_path / "run.html")
    assert (tmp_path / "run.html").read_text(encoding="utf-8") == report.html
    report.save(tmp_path / "run.html")
    (tmp_path / "mine.html").write_text("<p>mine</p>")
    with pytest.raises(FileExistsError, match=r"mine\.html is there and is not a report"):
        report.save(tmp_path / "mine.html")
    with pytest.raises(ValueError, match=r"ends in \.html"):
        report.save(tmp_path / "run.txt")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["mine.html", "run.html"]


def test_notebooks_show_the_page_in_a_frame_of_its_own(system):
    shown = hz.report(simulated(system))._repr_html_()
    assert shown.startswith('<iframe srcdoc="&lt;!doctype html&gt;')
    assert shown.count("<") == 2


def test_what_is_no_run_is_refused_with_what_would_do(system):
    run = simulated(system)
    batch = hz.simulate(system, {"q": [1.0, 2.0]}, t_end=1, step=0.1)
    with pytest.raises(ValueError, match=r"a batch over member.*\.isel\(member=0\)"):
        hz.report(batch)
    assert len(data_of(hz.report(batch.isel(member=0)))["columns"][0]["values"]) == batch.sizes["t"]
    with pytest.raises(ValueError, match="3 runs; a report shows one, or two"):
        hz.report([run, run, run])
    with pytest.raises(ValueError, match="no attributes of a run"):
        hz.report(xarray.Dataset())
    with pytest.raises(ValueError, match="int is not a run"):
        hz.report([3, 4])


def test_a_run_and_its_page_say_how_arbitrary_rates_were_chosen():
    run = hz.simulate(hz.model("christ-lee"))
    assert run.attrs["gauge"] == "y - t - sin(3*t)/2 = 0"
    assert data_of(run.hz.report())["facts"]["gauge"] == run.attrs["gauge"]
