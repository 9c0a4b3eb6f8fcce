"""Files of ensembles that are damaged: one kind of exception, and bounded memory."""

import random
import resource
import zlib

import h5py
import numpy
import pytest

import herglotz as hz


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    file = tmp_path_factory.mktemp("damaged") / "sweep.h5"
    hz.sweep(hz.model("damped-pendulum"), initial={"theta": numpy.linspace(-3, 3, 40)}, parameters={"gamma": [0.1, 0.5]},
             keep="times", times=[0.5, 1.0], t_end=1.0, step=0.1, file=file)
    return file


def test_damaged_files_are_refused_or_read(whole, tmp_path):
    damaged, draw, data = tmp_path / "damaged.h5", random.Random(7), whole.read_bytes()
    refusals = []
    for _ in range(150):
        text = bytearray(data)
        for _ in range(draw.randrange(1, 6)):
            text[draw.randrange(len(text))] = draw.randrange(256)
        if draw.random() < 0.2:
            del text[draw.randrange(len(text)):]
        damaged.write_bytes(bytes(text))
        try:
            hz.open_sweep(damaged).load()
        except hz.ModelError as error:
            refusals.append(str(error))
    assert len(refusals) > 30
    assert not any("\n" in refusal for refusal in refusals)


def bomb(megabytes):
    """A stream of zlib that inflates to so many megabytes of zeros."""
    stream, million = zlib.compressobj(9), bytes(2**20)
    first = stream.compress(million) + stream.flush(zlib.Z_FULL_FLUSH)
    block = stream.compress(million) + stream.flush(zlib.Z_FULL_FLUSH)
    return first + block * (megabytes - 1)


def test_a_chunk_that_inflates_beyond_its_size_is_refused(whole, tmp_path):
    damaged = tmp_path / "bomb.h5"
    damaged.write_bytes(whole.read_bytes())
    with h5py.File(damaged, "r+") as file:
        column = file["ensemble/theta"]
        assert column.compression == "gzip"
        column.id.write_direct_chunk((0, 0)[:column.ndim], bomb(4096))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with pytest.raises(hz.ModelError, match="bomb.h5: this is not a file of an ensemble: could not read theta"):
        hz.open_sweep(damaged)["theta"].load()
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 300_000  # kilobytes


def test_other_filters_are_refused(whole, tmp_path):
    damaged = tmp_path / "filter.h5"
    damaged.write_bytes(whole.read_bytes())
    with h5py.File(damaged, "r+") as file:
        values, roles = file["ensemble/theta"][...], dict(file["ensemble/theta"].attrs)
        del file["ensemble/theta"]
        made = file["ensemble"].create_dataset("theta", data=values, chunks=True, compression="lzf")
        made.attrs.update(roles)
    with pytest.raises(hz.ModelError, match="filter.h5: this is not a file of an ensemble: could not read theta"):
        hz.open_sweep(damaged)["theta"].load()
