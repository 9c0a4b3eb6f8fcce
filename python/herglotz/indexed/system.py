"""Systems whose coordinates carry an index."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NoReturn, cast

import sympy

from herglotz import _herglotz
from herglotz.document import Changes, Symbols, changed
from herglotz.dynamic import Functions
from herglotz.settings import documented, require_known
from herglotz.system import System

if TYPE_CHECKING:
    import os

    from typing_extensions import Unpack

    from herglotz.check import Check


class _Site:
    """The interface that a model with an index shares with other models. Raises ValueError for the rest."""

    kind = "tangent"

    def __init__(self, text: str, file: str):
        self.compiled = _herglotz.IndexedModel(text, file)
        self.facts: dict[str, Any] = self.compiled.facts()

    @property
    def text(self) -> str:
        return self.compiled.text

    def printed(self, what: str, form: str) -> str:
        return self.compiled.printed(what, form)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or name == "facts":
            raise AttributeError(name)
        if name in self.facts:
            return self.facts[name]
        raise ValueError(f"a model with an index has no {name}; it has text, parameters, indices, equations().text and "
                         "equations().latex, herglotz.simulate runs it, and system.written_out() has the rest")


class IndexedSystem(System):
    """A system whose coordinates carry an index, as q[i]: what `load` and `model` give for a model file with [indices].

    >>> chain = hz.model("sine-gordon-kink")
    >>> chain.indices                                      # {"i": 600}
    >>> run = hz.simulate(chain, {"q[i]": profile}, parameters={"gamma": 0.1}, t_end=10)
    >>> run.q                                              # dimensions (t, i)
    """

    def _open(self, text: str, file: str, symbols: Symbols, functions: Functions) -> None:
        self._file = file
        self._functions = functions
        self._site = _Site(text, file)
        self._model = cast("_herglotz.Model", self._site)
        facts = self._site.facts
        names = [*facts["base"], *facts["fibre"], *facts["parameters"], facts["action"], facts["time"], "energy"]
        self._symbols = {name: symbols.get(name, sympy.Symbol(name, real=True)) for name in names}

    @property
    def _indexed(self) -> _herglotz.IndexedModel:
        """The compiled model of a sweep."""
        return self._site.compiled

    @property
    def indices(self) -> dict[str, int]:
        """The number of sites along each index."""
        return dict(self._site.facts["indices"])

    @property
    def along(self) -> dict[str, str]:
        """The index of each family of parameters that belongs to edges, or to one index of a grid alone."""
        return dict(self._site.facts["along"])

    @property
    def edges(self) -> dict[str, int]:
        """The number of edges of a graph, by the name of their index."""
        return dict(self._site.facts["edges"])

    @property
    def families(self) -> tuple[str, ...]:
        """Names of the families: coordinates, velocities, and parameters with an index."""
        facts = self._site.facts
        return (*facts["base"], *facts["fibre"], *facts["families"])

    @documented(Changes)
    def replace(self, **changes: Unpack[Changes]) -> System:
        """This system with changes, as `System.replace` makes them; families are named as in the model file, "q[i]"."""
        require_known(System.replace, Changes, changes)
        return System.from_text(changed(self.text, changes, self._functions, (), ()), self._file)

    def written_out(self) -> WrittenOut:
        """This system with a coordinate for each site, as q[0], q[1], ..., for what an index does not work with.

        >>> square = hz.model("membrane").replace(parameters={"n": 6}, initial={"q[i,j]": 0}).written_out()
        >>> square.linearise().eigenvalues

        Families of parameters and starts stay expressions in the parameters; those that are numbers of sites are numbers.
        Raises ValueError for more than 1000 coordinates.
        """
        return _written_out(self.text, self._file, self._symbols, self._functions)

    def check(self, initial: Mapping[Any, float] | None = None, *, parameters: Mapping[Any, float] | None = None,
              project: bool | None = None) -> Check:
        _refuse("check", "run `herglotz check` on its file")

    def __repr__(self) -> str:
        sites = ", ".join(f"{name} = 0 .. {count - 1}" for name, count in self.indices.items())
        return f"<herglotz.IndexedSystem {self.name}: {', '.join(self.families)} at sites {sites}>"


class WrittenOut(System):
    """A system with an index that is written out site by site: what `IndexedSystem.written_out` gives. Its text is that of
    the model with the index."""

    def __reduce__(self) -> tuple[Any, ...]:
        return _written_out, (self.text, self._file, self._symbols, dict(self._functions))

    @documented(Changes)
    def replace(self, **changes: Unpack[Changes]) -> System:
        """The system with changes of its text, written out; families and sites are named as there, "q[i]" and "q[0]"."""
        changed_text = System.from_text(self.text, self._file).replace(**changes)
        return cast("IndexedSystem", changed_text).written_out()

    def save(self, file: str | os.PathLike[str]) -> None:
        """Writes the model file with the index, for the command line."""
        super().save(file)


def _written_out(text: str, file: str, symbols: Symbols, functions: Functions) -> WrittenOut:
    system = WrittenOut.__new__(WrittenOut)
    System._open(system, text, file, symbols, functions)
    return system


def _of_site(name: str) -> property:
    return property(lambda self: getattr(self._site, name))


# Names that systems without an index offer beyond the attributes that _Site refuses.
_SERVED = {"check", "equations", "from_text", "replace", "save", "studio", "written_out"}
for _name in dir(System):
    if not _name.startswith("_") and callable(getattr(System, _name)) and _name not in _SERVED:
        setattr(IndexedSystem, _name, _of_site(_name))


def _refuse(what: str, remedy: str) -> NoReturn:
    raise ValueError(f"a model with an index has no {what} in Python; {remedy}")
