"""Ensembles on the workers of Dask: ranges of blocks as tasks, whose results go to the journal of one file."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from herglotz import _herglotz
from herglotz.indexed.system import IndexedSystem
from herglotz.system import System

if TYPE_CHECKING:
    from distributed import Client

_SECONDS = 10.0  #: how long a task is meant to take
_RANGES = 2  #: ranges that are under way for each thread of the workers


class BuildContext(NamedTuple):
    """All that an ensemble is compiled of; it goes to the workers."""

    system: System
    quantities: list[tuple[bool, str, Any]]
    initial: dict[str, float]
    parameters: dict[str, float]
    settings: dict[str, Any]
    second: dict[str, float]
    choices: dict[str, Any]
    threads: int

    def __reduce__(self) -> tuple[Any, ...]:
        return _recipe, tuple(_plain(part) for part in self)

    def compiled(self) -> _herglotz.Sweep:
        choices = _herglotz.Choices()
        for name, choice in self.choices.items():
            setattr(choices, name, choice)
        model: Any = self.system._indexed if isinstance(self.system, IndexedSystem) else self.system._model
        return _herglotz.Sweep(model, self.quantities, self.initial, self.parameters, self.settings,
                               self.second, choices, self.threads)


class _Choice(NamedTuple):
    """A member of a compiled enumeration, which does not pickle."""

    kind: str
    name: str


def _plain(value: Any) -> Any:
    """The value with members of compiled enumerations as `_Choice`."""
    if isinstance(value, (_herglotz.Keep, _herglotz.Sampling, _herglotz.DistributionKind)):
        return _Choice(type(value).__name__, value.name)
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if type(value) in (list, tuple):
        return type(value)(_plain(item) for item in value)
    return value


def _restored(value: Any) -> Any:
    """The inverse of `_plain`."""
    if isinstance(value, _Choice):
        return getattr(_herglotz, value.kind)[value.name]
    if isinstance(value, dict):
        return {key: _restored(item) for key, item in value.items()}
    if type(value) in (list, tuple):
        return type(value)(_restored(item) for item in value)
    return value


def _recipe(*parts: Any) -> BuildContext:
    return BuildContext(*(_restored(part) for part in parts))


class _Compiled:
    """The ensembles that a worker has compiled, the last few of them."""

    def __init__(self, most: int = 4):
        self._most = most
        self._known: dict[str, _herglotz.Sweep] = {}
        self._lock = threading.Lock()

    def get(self, fingerprint: str, context: BuildContext) -> _herglotz.Sweep:
        with self._lock:
            ensemble = self._known.pop(fingerprint, None)
            if ensemble is None:
                ensemble = context.compiled()
                if ensemble.fingerprint != fingerprint:
                    raise RuntimeError("a worker makes another ensemble of the same model; install the same version of "
                                       "herglotz everywhere")
                while len(self._known) >= self._most:
                    self._known.pop(next(iter(self._known)))
            self._known[fingerprint] = ensemble
            return ensemble


_compiled = _Compiled()


def _given(context: BuildContext) -> BuildContext:
    """A task of its own, so that the context goes once to each worker and is made again where it is lost."""
    return context


def _run(context: BuildContext, fingerprint: str, blocks: Sequence[int]) -> tuple[Sequence[int], list[bytes], float]:
    """A task: blocks as journals store them, and the seconds that they took once the ensemble was compiled."""
    ensemble = _compiled.get(fingerprint, context)
    began = time.perf_counter()
    encoded = ensemble.run_blocks(list(blocks))
    return blocks, encoded, time.perf_counter() - began


class _Ranges:
    """Cuts the blocks that are left into ranges that take about as long as a task should."""

    def __init__(self, blocks: Sequence[int]):
        self._left = deque(blocks)
        self._seconds: float | None = None  # of a block

    def learn(self, blocks: int, seconds: float) -> None:
        latest = seconds / blocks
        self._seconds = latest if self._seconds is None else (self._seconds + latest) / 2

    def __bool__(self) -> bool:
        return bool(self._left)

    def next(self, threads: int) -> list[int]:
        """The next range: one block while nothing is known, and shorter ones at the end, so that all end together."""
        wanted = 1 if self._seconds is None else max(1, int(_SECONDS / max(self._seconds, 1e-9)))
        size = min(wanted, max(1, len(self._left) // (2 * threads)))
        return [self._left.popleft() for _ in range(size)]


def require_client(client: Any) -> None:
    """Raises TypeError for what is not a client whose results can be waited for."""
    import distributed

    if not isinstance(client, distributed.Client):
        raise TypeError(f"client is {type(client).__name__}; give a dask.distributed.Client")
    if client.asynchronous:
        raise TypeError("the client is asynchronous; give one that waits for its results")


def run_on_workers(client: Client, context: BuildContext, ensemble: _herglotz.Sweep, file: str, resume: bool,
                   report: Callable[[float], None] | None) -> None:
    """Runs the blocks that the file lacks on the workers of a client, and makes the file of them.

    Only the client writes: what comes goes to the journal at once and is forgotten, so that memory is bounded. A block of
    a worker that dies is run by another. If the client is interrupted, the file has what was reached, and the journal
    stays, as it does where the scheduler is lost.
    """
    require_client(client)
    writer = ensemble.writer(file, resume)
    if writer is None:
        return
    missing = [block for block in range(ensemble.blocks) if not writer.has(block)]
    done = ensemble.blocks - len(missing)
    try:
        for blocks, encoded in _results(client, context, ensemble.fingerprint, missing):
            for block, content in zip(blocks, encoded):
                writer.add(block, content)
            done += len(blocks)
            if report is not None:
                report(done / ensemble.blocks)
    except KeyboardInterrupt:
        pass
    writer.finish()


def _results(client: Client, context: BuildContext, fingerprint: str,
             missing: Sequence[int]) -> Iterator[tuple[Sequence[int], list[bytes]]]:
    """Blocks by number with their bytes, in the order in which they come."""
    ranges = _Ranges(missing)
    given = client.submit(_given, context, pure=False)

    def submit(threads: int) -> Any:
        return client.submit(_run, given, fingerprint, ranges.next(threads), pure=False) if ranges else None

    for blocks, encoded, seconds in as_they_come(client, submit, "what came before is in the journal, and resume=True goes on"):
        ranges.learn(len(blocks), seconds)
        yield blocks, encoded


def as_they_come(client: Client, submit: Callable[[int], Any], where_lost: str) -> Iterator[Any]:
    """The results of tasks in the order in which they come.

    `submit` is given the number of threads of all workers, and submits the next task and returns its future, or None where
    none is left. Few tasks are under way at a time, so that memory is bounded.

    Raises ConnectionError with `where_lost` where the scheduler is lost.
    """
    import distributed

    under_way = distributed.as_completed(with_results=True, raise_errors=True)
    futures: set[Any] = set()

    def fill() -> None:
        threads = max(1, sum(client.nthreads().values()))
        while len(futures) < _RANGES * threads:
            future = submit(threads)
            if future is None:
                return
            futures.add(future)
            under_way.add(future)

    try:
        fill()
        while futures:
            future, result = next(under_way)
            futures.discard(future)
            future.release()
            yield result
            fill()
    except (distributed.CancelledError, distributed.comm.CommClosedError, OSError, TimeoutError) as error:
        # The client of a lost scheduler may call itself running for some time.
        lost = isinstance(error, (distributed.CancelledError, distributed.comm.CommClosedError))
        if client.status == "running" and not lost:
            raise
        raise ConnectionError(f"the scheduler was lost; {where_lost}") from error
    finally:
        if client.status == "running":
            client.cancel(list(futures), force=True)
