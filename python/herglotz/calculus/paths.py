"""Paths on the algebroid of a system: their action, its first variation, and the forces that they need."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias, Union, cast

import numpy
import sympy
import xarray
from numpy.typing import ArrayLike

from herglotz import _herglotz
from herglotz.arguments import shown, to_array, to_finite, to_table
from herglotz.dataset import attributes_of
from herglotz.document import Writer
from herglotz.dynamic import plain
from herglotz.expressions import Expression, from_nodes, to_text
from herglotz.settings import did_you_mean

from .geometry import Components, parameters_of, shortened
from .phase import PhaseCalculus

if TYPE_CHECKING:
    from herglotz.simulation import Run
    from herglotz.system import System

Path: TypeAlias = Union[Mapping[Any, Expression], xarray.Dataset, "Run"]
Section: TypeAlias = Sequence[Expression] | Mapping[Any, Expression]

_CHECKED = 33  # times at which a path is tested for admissibility before it is used
_TOLERANCE = 1e-8
_SAMPLED = 0.05  # of the velocities, by which samples may miss admissibility, as those of few rows do
_UNVARIED: Any = object()  # a path without the section of a variation


class PathCalculus(PhaseCalculus):
    """Functions of paths on the algebroid of a system. A path need not be a motion.

    A path maps base coordinates to expressions in time and parameters, and fibre coordinates, too, if the anchor does not
    give them: dx/dt = rho y must hold. A run is a path as well, by polynomials through nine neighbouring rows.
    """

    def action_of(self, path: Path, *, z0: float | None = None, t_end: float | None = None, t0: float | None = None,
                  parameters: Mapping[Any, float] | None = None) -> float:
        """z(t_end) with dz/dt = L(x(t), y(t), z, t) along a path, from z(t0) = z0 [ASC25, Eq. 6; ASMLL20, Eqs. 24-25].

        >>> system.action_of({"q": "cos(t)"}, t_end=1.0)

        `t0` and `z0` are 0 unless given, or those of the first row of a run; `t_end` must be given, unless the path is a
        run, which ends with its last row. Raises ValueError for a path that is not admissible, and for a system given by its
        Hamiltonian.
        """
        return float(self._follow(path, _UNVARIED, z0, t0, t_end, parameters)[0])

    def first_variation(self, path: Path, section: Section, *, z0: float | None = None, t_end: float | None = None,
                        t0: float | None = None, parameters: Mapping[Any, float] | None = None) -> float:
        """The derivative of the action by the variation of a section [ASC25, Thm 3.2; GG08, Thm 4; ASMLL20, Thm 2.1].

        >>> hz.model("damped-pendulum").first_variation({"theta": "sin(t)"}, ["t*(2 - t)"], t_end=2)

        If the section vanishes at both ends, it is -int lambda(t)/lambda(t_end) xi^j (delta L)_j dt with the rows of
        `euler_lagrange` for delta L and without forces, and 0 for every such section exactly along the critical points.
        """
        return float(self._follow(path, section, z0, t0, t_end, parameters)[1])

    def is_admissible(self, path: Path, *, tolerance: float = _TOLERANCE) -> bool:
        """Returns whether dx/dt = rho y [ASC25, Def. 2.1; GG08, Eq. 2.6]; for a run, to a tolerance relative to the velocities.

        >>> hz.model("heavy-top").is_admissible({"g1": 0, "g2": 0, "g3": 1, "w1": 0, "w2": 0, "w3": "t"})      # True
        """
        allowed = to_finite("tolerance", tolerance)
        if allowed < 0:
            raise ValueError(f"tolerance = {allowed}; it must be at least 0")
        made, times = self._path(path, _UNVARIED, None)
        if times is None:
            return made.holds_everywhere()
        return bool(made.defect(times.tolist()) <= allowed)

    def admissible_variation(self, path: Path, section: Section) -> Components | xarray.Dataset:
        """delta x = sigma xi, delta y^k = d xi^k/dt + c^k_ij y^i xi^j of a section along a path [ASC25, Def. 2.1].

        >>> hz.model("damped-pendulum").admissible_variation({"theta": "sin(t)"}, ["t^2"])    # {theta: t**2, omega: 2*t}

        Returns expressions in time by coordinates, or columns over the rows of a run. A section has a component for each fibre
        coordinate, an expression in time and base coordinates; a mapping may leave out zeros. This is the relation kappa at the
        section [GG08, Eqs. 2.5, 2.9-2.10], and the variation of an E-homotopy where the algebroid is almost Lie.
        """
        made, times = self._path(path, section, None)
        names = (*self._model.base, *self._model.fibre)
        if times is not None:
            columns = numpy.asarray(made.variation(times.tolist()))
            return self._dataset({name: columns[:, k] for k, name in enumerate(names)}, times)
        nodes, places = made.variation_expressions()
        built = from_nodes(nodes, self._symbols)
        return {self._symbols[name]: built[place] for name, place in zip(names, places)}

    def constraint_variation(self, path: Path, section: Section) -> dict[str, Any]:
        """Returns the change of the constraints by a variation of a path, by rule, one value for each constraint.

        >>> sleigh = hz.model("chaplygin-sleigh")
        >>> run = hz.simulate(sleigh, t_end=1)
        >>> sleigh.constraint_variation(run, ["cos(phi)", "sin(phi)", 0])["nonholonomic"]       # 0: along the blade

        "nonholonomic": Phi_y^A . xi, zero for the sections of the nonholonomic rule (Chetaev's; of linear constraints those
        with values in D); "vakonomic": dPhi^A(delta x, delta y), zero for those of the vakonomic rule, whose varied paths obey
        the constraints too [LJL21, Eq. 61; GG08, Def. 2; LLMR21, Secs. 2.3-2.4]. The values are expressions in time, or for a run
        arrays over its rows. Raises ValueError for a system without constraints.
        """
        if not self._expression("constraints"):
            raise ValueError("the system has no constraints that a variation could change")
        variation = self.admissible_variation(path, section)
        made, times = self._path(path, section, None)
        nodes, places = made.constraint_expressions()
        built = from_nodes(nodes, self._symbols)
        coordinates, count = [*self.base, *self.fibre], len(self._expression("constraints"))
        moved = sympy.symbols(f"delta0:{len(coordinates)}")
        rows = {"nonholonomic": [built[place] for place in places[:count]], "vakonomic": [
            sum(built[place] * one for place, one in zip(places[count + k * len(moved):], moved)) for k in range(count)]}
        if times is None:
            nodes, places = made.expressions()
            along = from_nodes(nodes, self._symbols)
            values = {**dict(zip(coordinates, (along[place] for place in places))), **dict(zip(moved, variation.values()))}
            return {rule: [shortened(row.subs(values, simultaneous=True)) for row in of] for rule, of in rows.items()}
        run = _opened(path)
        numbers = {self._symbols[name]: run.attrs.get(f"parameters.{name}", value) for name, value in self.parameters.items()}
        known = [symbol for symbol in (*coordinates, self.action) if symbol.name in run.variables]
        ascending = slice(None) if run[self.time.name].values[-1] >= run[self.time.name].values[0] else slice(None, None, -1)
        columns = [times, *(numpy.asarray(run[symbol.name].values, dtype=float)[ascending] for symbol in known),
                   *(numpy.asarray(variation[symbol.name]) for symbol in coordinates)]
        of_rows = {rule: sympy.lambdify([self.time, *known, *moved], [row.subs(numbers) for row in of], "numpy")(*columns)
                   for rule, of in rows.items()}
        return {rule: [numpy.broadcast_to(row, times.shape) for row in of] for rule, of in of_rows.items()}

    def pontryagin_action(self, path: Path, velocities: Section, momenta: Section, *, z0: float | None = None,
                          t0: float | None = None, t_end: float | None = None,
                          parameters: Mapping[Any, float] | None = None) -> float:
        """z(t_end) with dz/dt = L(x, v, z, t) + p . (y - v) along a path (x, y), v and p: the action of Thm 6.2 [ASC25, Eq. 28].

        >>> t = sympy.Symbol("t", real=True)
        >>> system.pontryagin_action({"q": sympy.sin(t)}, [sympy.cos(t)], [0], t_end=2)      # v = y: the action of the path

        `velocities` and `momenta` have a component for each fibre coordinate, expressions in time. Its critical points are the
        solutions of `implicit()`. Raises ValueError for a Hamiltonian and for paths that are not admissible.
        """
        if self._model.hamiltonian:
            raise ValueError("the action of (a, v, p) needs a Lagrangian, and this system has a Hamiltonian")
        v, p = (self._section_along(path, section) for section in (velocities, momenta))
        L = self._expression("generator").subs(dict(zip(self.fibre, v)), simultaneous=True)
        L += sum(momentum * (y - one) for momentum, y, one in zip(p, self.fibre, v))
        return cast("System", self).replace(lagrangian=L).action_of(path, z0=z0, t0=t0, t_end=t_end, parameters=parameters)

    def euler_lagrange(self) -> Components:
        """dp_j/dt - c^k_ij y^i p_k - sigma^a_j L_x^a - L_z p_j - F_j by fibre coordinate, with symbols <fibre>_dot.

        >>> hz.model("damped-pendulum").euler_lagrange()

        No mass matrix is inverted. The expression vanishes along motions without constraints, and along other paths it is
        the force that they need in addition to F [ASC25, Eq. 7; LLMR21, Def. 1]; it is minus the delta L of [GG08, Eq. 4.13]
        if L does not depend on the action.
        """
        nodes, places = _herglotz.euler_lagrange(self._model)
        built = from_nodes(nodes, self._symbols | self._rates)
        return {symbol: built[place] for symbol, place in zip(self.fibre, places)}

    def force_along(self, path: Path, times: ArrayLike | None = None, *, z0: float | None = None,
                    parameters: Mapping[Any, float] | None = None) -> xarray.Dataset:
        """The force that a path needs beside those of the model, by fibre coordinate [GG08, Eq. 4.13; LLMR21, Def. 1].

        >>> hz.model("damped-pendulum").force_along({"theta": "sin(t)"}, times=[0, 1, 2]).omega

        `z0` is the action at the first of `times`. Without constraints the forces along a run measure how far it is from a
        critical point; with nonholonomic ones they are the constraint forces. `times` are the rows of a run by default.
        """
        made, rows = self._path(path, _UNVARIED, parameters)
        if times is None and rows is None:
            raise ValueError("the times of a path given by expressions are not known; give times=")
        at = rows if times is None else numpy.atleast_1d(to_array("times", times))
        if at is None or at.ndim != 1 or at.size == 0 or not numpy.isfinite(at).all() or (numpy.diff(at) <= 0).any():
            raise ValueError("times must be finite and ascend")
        if rows is None:
            self._require_admissible(made, at)
        else:
            self._require_rows(path, made, rows, at[0], at[-1])
        z = self._first_action(path, at[0]) if z0 is None else to_finite("z0", z0)
        forces = numpy.asarray(made.forces(z, at.tolist()))
        return self._dataset({name: forces[:, k] for k, name in enumerate(self._model.fibre)}, at)

    def _section_along(self, path: Path, section: Section) -> list[sympy.Expr]:
        """The components of a section."""
        nodes, places = self._path(path, section, None)[0].section_expressions()
        built = from_nodes(nodes, self._symbols)
        return [built[place] for place in places]

    @property
    def _rates(self) -> dict[str, sympy.Symbol]:
        """Symbols of dy/dt by name."""
        return {f"{name}_dot": sympy.Symbol(f"{name}_dot", real=True) for name in self._model.fibre}

    def _follow(self, path: Path, section: Section, z0: float | None, t0: float | None, t_end: float | None,
                parameters: Mapping[Any, float] | None) -> tuple[float, float]:
        made, rows = self._path(path, section, parameters)
        if rows is None and t_end is None:
            raise ValueError("the end of a path given by expressions is not known; give t_end=")
        first, last = (0.0, 0.0) if rows is None else (float(rows[0]), float(rows[-1]))
        first = first if t0 is None else to_finite("t0", t0)
        last = last if t_end is None else to_finite("t_end", t_end)
        if rows is None:
            self._require_admissible(made, numpy.linspace(first, last, _CHECKED))
        else:
            self._require_rows(path, made, rows, min(first, last), max(first, last))
        z = self._first_action(path, first) if z0 is None else to_finite("z0", z0)
        # The rows of a run divide the way, since polynomials of different rows meet there.
        between = [] if rows is None else [t for t in rows.tolist() if min(first, last) < t < max(first, last)]
        z_end, variation = made.follow(z, [first, *(between if last >= first else reversed(between)), last])
        return z_end[-1], variation[-1]

    def _path(self, path: Path, section: Section,
              parameters: Mapping[Any, float] | None) -> tuple[_herglotz.Path, numpy.ndarray | None]:
        """The path, and the times of its rows if it is a run."""
        writer = Writer(self._functions, self._model.fibre)
        components = [] if section is _UNVARIED else writer.section("the section", section)
        if section is not _UNVARIED and len(components) != len(self._model.fibre):
            raise ValueError(f"the section has {len(components)} components; one for each of {', '.join(self._model.fibre)} "
                             "is needed")
        dataset = _opened(path)
        if isinstance(dataset, xarray.Dataset):
            times, rows = self._rows(dataset)
            of_run = {name: dataset.attrs[f"parameters.{name}"] for name in self.parameters
                      if f"parameters.{name}" in dataset.attrs}
            values = parameters_of(self, {**of_run, **to_table("parameters", parameters)})
            made = _herglotz.Path(self._model, times.tolist(), rows.ravel().tolist(), components, values)
            return made, times
        if not isinstance(path, Mapping):
            raise TypeError(f"path = {shown(path)}; a mapping of coordinates to expressions in time, or a run is needed")
        given = {str(name): to_text(plain(value, self._functions), f"path[{str(name)!r}]")
                 for name, value in self._named(to_table("path", path)).items()}
        names = [*self._model.base, *self._model.fibre]
        for name in given:
            if name not in names:
                raise ValueError(f"path: unknown coordinate '{name}'; {did_you_mean(name, names)}")
        return _herglotz.Path(self._model, given, components, parameters_of(self, parameters)), None

    def _rows(self, run: xarray.Dataset) -> tuple[numpy.ndarray, numpy.ndarray]:
        """The times of a run, ascending, and base and fibre coordinates at them (times x (n + r))."""
        names = [*self._model.base, *self._model.fibre]
        missing = [name for name in (self._model.time, *names) if name not in run.variables]
        if missing:
            raise ValueError(f"the run has no column '{missing[0]}'; a path needs {', '.join(names)}")
        times = numpy.asarray(run[self._model.time].values, dtype=float)
        rows = numpy.column_stack([numpy.asarray(run[name].values, dtype=float) for name in names])
        return (times, rows) if times.size < 2 or times[-1] > times[0] else (times[::-1], rows[::-1])

    def _first_action(self, path: Path, t: float) -> float:
        """The action of a run at its first time, else 0."""
        dataset = _opened(path)
        if not isinstance(dataset, xarray.Dataset) or self._model.action not in dataset.variables:
            return 0.0
        times = numpy.asarray(dataset[self._model.time].values)
        row = numpy.flatnonzero(times == t)
        if row.size == 0:
            raise ValueError(f"the run has no row at {self._model.time} = {t}; give z0=, the action there")
        return float(dataset[self._model.action].values[row[0]])

    def _require_admissible(self, made: _herglotz.Path, times: numpy.ndarray) -> None:
        defect = made.defect(times.tolist())
        if not numpy.isfinite(defect):
            at = next((t for t in times.tolist() if not numpy.isfinite(made.defect([t]))), times[0])
            raise ValueError(f"the path or its rate is not finite at {self._model.time} = {at:.9g}; take other ends")
        if not defect <= _TOLERANCE:
            raise ValueError(f"the path is not admissible: dx/dt - rho y reaches {defect:.3g} of the velocities; leave out "
                             "fibre coordinates that the anchor gives, or make them agree with the base")

    @staticmethod
    def _require_rows(path: Path, made: _herglotz.Path, rows: numpy.ndarray, first: float, last: float) -> None:
        if first < rows[0] or last > rows[-1]:
            raise ValueError(f"the run goes from {rows[0]} to {rows[-1]}, and the path is needed from {first} to {last}")
        # Runs obey their equations, also where jumps or a large step keep polynomials through their rows from doing so.
        defect = 0.0 if "method" in _opened(path).attrs else made.defect(rows.tolist())
        if not defect <= _SAMPLED:
            raise ValueError(f"the samples are not those of an admissible path: dx/dt - rho y reaches {defect:.3g} of the "
                             "velocities; make fibre coordinates agree with the base, or give more samples")

    def _dataset(self, columns: Mapping[str, numpy.ndarray], times: numpy.ndarray) -> xarray.Dataset:
        time = self._model.time
        return xarray.Dataset({name: (time, values) for name, values in columns.items()},
                              {time: (time, times, attributes_of("time"))}, {"model": self._model.name})


def _opened(path: Any) -> Any:
    """A run as its dataset, and any other path as it is."""
    return path.to_xarray() if hasattr(path, "to_xarray") else path
