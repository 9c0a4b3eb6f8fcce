"""Systems: what a model file says, from a file, from strings or from SymPy."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

import sympy

from . import _herglotz
from ._herglotz import ModelError
from ._model import CompiledModel
from .algebroids import Algebroid
from .arguments import shown, to_count, to_finite, to_path, to_string, to_switch, to_table
from .calculus.affine import AffineCalculus
from .calculus.geometry import Phase
from .check import Check
from .dataset import RunError
from .document import Changes, Symbols, Writer, changed, document_of, symbols_of
from .dynamic import Functions
from .equations import Equations
from .expressions import Expression, is_expression
from .final_set import Constraints
from .functions import StepMap, VectorField
from .gradients.differentiable import Differentiable
from .notebook.displayed import Displayed
from .settings import did_you_mean, documented, require_known
from .solution import Solution, guess_of

if TYPE_CHECKING:
    from typing_extensions import Unpack

Constraint: TypeAlias = Expression | sympy.Eq
Guess: TypeAlias = "Solution | str | os.PathLike[str] | Mapping[Any, Expression] | None"


class System(AffineCalculus, Differentiable, Displayed):
    """A mechanical system: an algebroid, a Herglotz Lagrangian (or contact Hamiltonian), forces and constraints.

    >>> theta, omega, z, gamma = sympy.symbols("theta omega z gamma", real=True)
    >>> pendulum = hz.System(hz.tangent([theta], [omega]), omega**2/2 + sympy.cos(theta) - gamma*z,
    ...                      parameters={gamma: 0.1}, initial={theta: 1.0})
    >>> pendulum.equations()["Equations of motion"]              # {omega_dot: -gamma*omega - sin(theta)} [ASC25, Eq. 7]
    >>> run = hz.simulate(pendulum, t_end=10)
    >>> run.theta, run.energy_residual                           # dE/dt = L_z E [ASC25, Prop. 4.1], to round-off

    Expressions are strings in the grammar of model files, or SymPy expressions; what comes back as SymPy uses the
    symbols that were given. Coordinates that were given as functions of time q(t), as SymPy's dynamicsymbols are, come back
    as plain symbols q and v_q; `as_dynamicsymbols` turns them into functions again. Names that are not a coordinate must be in
    `parameters` or `definitions`. Raises ModelError with the sentence that the command line prints: what is given is
    written as a model file, `text`, and lines and columns are those of it. Raises TypeError for an argument of another type.

    `constraints` are expressions that vanish, or SymPy's Eq; `rule` says how they act, "nonholonomic" or "vakonomic".
    `forces` are {fibre coordinate: component}, and `symmetries` {name: section}, a section being the components in the
    order of the fibre, or {fibre coordinate: component}. `dissipated` are {name: function of x, p_<fibre>, z and t}.

    `discrete` is the [discrete] table of model files: {"rule": "midpoint"}, or {"lagrangian": L_d} with L_d in <base>0,
    <base>1, <action>0, <time>0, h, and off tangent bundles the arrow eta_<fibre>; `next` is the second position from which a
    discrete motion may start.

    `inputs` are functions of time that points give: {"u": {"times": t, "values": x}} with arrays, or with values = a
    function that is taken at these times, or {"u": {"file": "drive.csv", "time": "t", "column": "u"}}; "interpolation" is
    "spline" (if not given), "linear" or "hold". Expressions use them by name: u, and u' for its rate. `sampled` are values
    that are taken at equal times and held in between: {"u": {"value": -k*q, "every": 0.01}}.

    A problem of boundary values or control has the tables `boundary`, `control`, `cost`, `guess` and `mesh` of model files:
    control={"controls": ["u"], "kinematics": {"w": u}, "bounds": {"u": [-1, 1]}}, cost={"running": u**2/2},
    boundary={"duration": 2, "final": {"x": 1}}; it has no Lagrangian if `control` has kinematics. `solve` solves it.

    `events` is the [events] table: {"turning": omega, "settled": {"at": energy - 1, "direction": "falling", "stop": True}},
    with "set": {v: -v} for a reset of the state; `impacts` the [impacts] table: {"floor": {"gap": q, "restitution": 0.8}};
    `friction` the [friction] table: {"belt": {"on": v - u, "normal": 2, "static": 0.4}}; `simulation` the [simulation] table,
    whose `time_scale` is an expression. `latex` are names as LaTeX typesets them: {"th": r"\\vartheta"}. `units` are units of
    names that are then checked: {"m": "kg", "q": "m"}.
    """

    def __init__(self, algebroid: Algebroid, lagrangian: Expression | None = None, *,
                 hamiltonian: Expression | None = None, name: str = "system", title: str = "",
                 parameters: Mapping[Any, float] | None = None,
                 definitions: Mapping[Any, Expression] | None = None,
                 inputs: Mapping[Any, Mapping[str, Any]] | None = None,
                 forces: Mapping[Any, Expression] | None = None, rule: str = "nonholonomic",
                 constraints: Constraint | Sequence[Constraint] = (),
                 symmetries: Mapping[str, Sequence[Expression] | Mapping[Any, Expression]] | None = None,
                 dissipated: Mapping[str, Expression] | None = None,
                 observables: Mapping[str, Expression] | None = None,
                 events: Mapping[str, Expression | Mapping[str, Any]] | None = None,
                 impacts: Mapping[str, Mapping[str, Any]] | None = None, friction: Mapping[str, Mapping[str, Any]] | None = None,
                 sampled: Mapping[Any, Mapping[str, Any]] | None = None,
                 initial: Mapping[Any, Expression] | None = None, action: str | sympy.Expr = "z",
                 time: str | sympy.Symbol = "t", simulation: Mapping[str, Any] | None = None,
                 discrete: Mapping[str, Any] | None = None, latex: Mapping[Any, str] | None = None,
                 units: Mapping[Any, str] | None = None,
                 next: Mapping[Any, float] | None = None,  # noqa: A002
                 control: Mapping[str, Any] | None = None, cost: Mapping[str, Any] | None = None,
                 boundary: Mapping[str, Any] | None = None, guess: Mapping[Any, Any] | None = None,
                 mesh: Mapping[str, Any] | None = None):
        if "kinematics" not in to_table("control", control) and (lagrangian is None) == (hamiltonian is None):
            raise ValueError("give either a lagrangian or a hamiltonian")
        given = {"name": to_string("name", name), "title": title or None, "lagrangian": lagrangian, "hamiltonian": hamiltonian,
                 "parameters": parameters, "definitions": definitions, "inputs": inputs, "forces": forces, "rule": rule,
                 "constraints": constraints, "symmetries": symmetries, "dissipated": dissipated, "observables": observables,
                 "events": events, "impacts": impacts, "friction": friction, "sampled": sampled, "initial": initial,
                 "action": action, "time": time, "simulation": simulation, "discrete": discrete, "latex": latex,
                 "units": units, "next": next,
                 "control": control, "cost": cost, "boundary": boundary, "guess": guess, "mesh": mesh}
        text, symbols, functions = document_of(algebroid, given)
        self._open(text, name, symbols, functions)

    def _open(self, text: str, file: str, symbols: Symbols, functions: Functions) -> None:
        CompiledModel.__init__(self, text, file, symbols, functions)
        self._phases: dict[bool, Phase] = {}
        self._started: dict[tuple[tuple[str, Any], ...], System] = {}

    def __reduce__(self) -> tuple[Any, ...]:  # for pickle and copy: processes of a pool compile their own
        return _reopened, (self.text, self._file, self._symbols, dict(self._functions))

    @classmethod
    def from_text(cls, text: str, file: str = "model.toml") -> System:
        """From the text of a model file; `file` is the name used in errors."""
        return _reopened(to_string("text", text), to_string("file", file), {}, {})

    @documented(Changes)
    def replace(self, **changes: Unpack[Changes]) -> System:
        """This system with changes, named as the arguments that made it.

        >>> system.replace(parameters={"gamma": 0.2}, initial={"q": 1.5}, title="More friction")

        Tables are changed entry by entry, and None takes an entry out; a list of constraints is replaced as a whole. A
        velocity replaces the momenta of a start and its second position, a momentum the velocities, a step a tolerance. The
        text keeps no comments of a file. Raises as `System` does, and TypeError for an argument that it does not have.
        """
        require_known(System.replace, Changes, changes)
        start = self._named(to_table("initial", changes.get("initial")))
        gone = self._model.replaced_by([str(name) for name, value in start.items() if value is not None])
        if changes.get("next"):
            gone += [*self._model.fibre, *self._model.momenta]
        text = changed(self.text, changes, self._functions, self._model.fibre, gone)
        symbols = symbols_of(changes, self._functions, self._symbols)
        return _reopened(text, self._file, symbols, self._functions)

    def _starting_at(self, expressions: Mapping[Any, Expression]) -> System:
        """This system with initial values that are expressions; the last few of them are kept compiled."""
        writer = Writer(self._functions, self._model.fibre)
        texts = tuple(sorted(writer.starts("initial", expressions).items()))
        known = self._started
        if texts not in known:
            while len(known) >= 8:
                known.pop(next(iter(known)))
            known[texts] = self.replace(initial=dict(texts))
        return known[texts]

    def save(self, file: str | os.PathLike[str]) -> None:
        """Writes the model file, for the command line."""
        to_path("file", file).write_text(self.text, encoding="utf-8")

    @property
    def name(self) -> str:
        """The name of the model."""
        return self._model.name

    @property
    def title(self) -> str:
        """The title of the model: one line."""
        return self._model.title

    @property
    def kind(self) -> str:
        """The kind of algebroid: the builder that made (rho, sigma, c) [GG08, Sec. 2]."""
        return self._model.kind

    @property
    def initial(self) -> dict[str, float]:
        """The start: the values of [initial] by name."""
        return self._model.initial

    @property
    def lagrangian(self) -> sympy.Expr | None:
        """L, or None for a system given by its Hamiltonian."""
        return None if self._model.hamiltonian else self._expression("generator")

    @property
    def hamiltonian(self) -> sympy.Expr | None:
        """H, or None for a system given by its Lagrangian."""
        return self._expression("generator") if self._model.hamiltonian else None

    @property
    def forces(self) -> tuple[sympy.Expr, ...]:
        """F_a, the components of the external force by fibre coordinate [ASC25, Sec. 3; GG08, Sec. 4]."""
        return tuple(self._expression("forces"))

    @property
    def constraints(self) -> Constraints:
        """The expressions of [constraints]; `constraints()` is the final constraint set of a singular Lagrangian.

        By `rule` they have the reactions lambda_A Phi^A_y, or take L - nu_A Phi^A in place of L [LLMR21, Thms 3, 4;
        LJL21, Eq. 63; GG08, Eqs. 5.2, 5.11].

        >>> system.constraints                # (v_x,)
        >>> system.constraints().levels       # 2
        """
        return Constraints(self._expression("constraints"), self)

    @property
    def symmetries(self) -> dict[str, tuple[sympy.Expr, ...]]:
        """The declared sections s, by name, with momenta J_s = p(s) [ASC25, Prop. 4.4; ASMLL20, Thm 2.2].

        >>> hz.model("heavy-top").symmetries["vertical"]             # (g1, g2, g3)
        """
        return {name: tuple(section) for name, section in self._expression("symmetries").items()}

    @property
    def dissipated(self) -> dict[str, sympy.Expr]:
        """Functions that the motion is said to dissipate: {E, f} = 0 [ASC25, Ex. 4.7; ASMLL20, Eq. 30].

        >>> hz.model("rigid-body").replace(dissipated={"size": "sqrt(p_w1^2 + p_w2^2 + p_w3^2)"}).dissipated
        """
        return self._expression("dissipated")

    @property
    def observables(self) -> dict[str, sympy.Expr]:
        """Functions that runs have as columns, by name."""
        return self._expression("observables")

    def as_dynamicsymbols(self, expression: sympy.Basic) -> sympy.Basic:
        """The expression with coordinates and action as functions of time, and their derivatives for velocities.

        On a tangent bundle v_q becomes Derivative(q(t), t), and v_q_dot a second derivative, as in
        sympy.physics.mechanics; other fibre coordinates become functions of time, too.
        """
        if not isinstance(expression, sympy.Basic):
            raise TypeError(f"expression = {shown(expression)}; a SymPy expression is needed")
        t, model = self.time, self._model
        given = {symbol.name: function for function, symbol in self._functions.items()
                 if isinstance(function, sympy.Function)}
        functions = {name: given.get(name, sympy.Function(name)(t)) for name in (*model.base, *model.fibre, model.action)}
        if model.kind == "tangent":
            functions |= {v: functions[q].diff(t) for q, v in zip(model.base, model.fibre)}
        rates = {f"{name}_dot": function.diff(t) for name, function in functions.items()}
        return expression.xreplace({symbol: (functions | rates)[symbol.name] for symbol in expression.free_symbols
                                    if symbol.name in functions or symbol.name in rates})

    def equations(self) -> Equations:
        """The equations of motion, momenta, energy and balance laws [ASC25, Eq. 7].

        >>> hz.model("heavy-top").equations()["Equations of motion"]
        """
        return Equations(self, "motion")

    def discrete_equations(self) -> Equations:
        """The discrete Herglotz equations of `discrete`, its Legendre maps, factor and momentum maps [ASMLL20, Sec. 3].

        >>> hz.model("discrete-oscillator").discrete_equations()["Conformal factor"]
        """
        return Equations(self, "discrete")

    def geometry(self) -> Equations:
        """Contact and Jacobi geometry: contact form, Reeb field, brackets, projectors [LJL21].

        >>> list(hz.model("chaplygin-sleigh").geometry().sections)
        """
        return Equations(self, "geometry")

    def implicit(self) -> Equations:
        """The Hamilton-Pontryagin-Herglotz equations in positions, velocities, momenta and action [ASC25, Thm 6.2].

        >>> hz.model("heavy-top").implicit()

        No Legendre map is inverted, so that singular Lagrangians have them too. Raises ValueError for a Hamiltonian.
        """
        return Equations(self, "implicit")

    def solve(self, *, method: str | None = None, tolerance: float | None = None, intervals: int | None = None,
              duration: float | None = None, guess: Guess = None, progress: Callable[[float], Any] | None = None,
              **values: Any) -> Solution:
        """Solves the problem of boundary values or control that this system states.

        Args:
            method: a method of `herglotz solve`: "direct-gauss-6", "direct-herglotz", ..., or "auto".
            tolerance: of the estimated relative error; the mesh is refined until it holds.
            intervals: how many to start with.
            duration: replaces that of the system.
            guess: a Solution, with whose mesh and multipliers the solver starts; the name of a .h5 or .csv file; or
                expressions of s = t/duration by name, which replace those of the system.
            progress: called now and then while the solver works.
            **values: parameters and initial values by name.

        Raises:
            ModelError: no problem is stated, or not well; a name that it lacks; a file that is not a path.
            RunError: no solution was found; its `reached` holds the Solution with the last iterate.

        >>> s = hz.load("elastica.toml").solve(tolerance=1e-9)
        >>> hz.load("elastica.toml").solve(guess=s, g=-0.4)
        """
        if isinstance(guess, Mapping) and not isinstance(guess, Solution):
            return self.replace(guess=guess).solve(method=method, tolerance=tolerance, intervals=intervals,
                                                   duration=duration, progress=progress, **values)
        settings = solver_settings(method, tolerance, intervals, duration)
        named = {name: to_finite(name, value) for name, value in self._named(values).items()}
        try:
            solved = _herglotz.solve(self.text, self._file, [f"{name}={value!r}" for name, value in named.items()], settings,
                                     *guess_of(guess), progress)
        except ModelError as error:
            raise ModelError(str(error).removeprefix("--set: ")) from None
        solution = Solution._of(solved)
        if not solved.complete and not solved.stopped:
            raise RunError(f"{self.name}: {solution.attrs['reason']}", solution)
        return solution

    def check(self, initial: Mapping[Any, float] | None = None, *, parameters: Mapping[Any, float] | None = None,
              project: bool | None = None) -> Check:
        """Axioms, regularity, constraints, symmetries, start and method: facts, and `text` as `herglotz check` prints it.

        >>> hz.model("heavy-top").check().text

        Of constraints it says whether they have one motion [LJL21, Prop. 10] and are integrable [LJL21, Thm 24; GG08, Thm 7],
        of declared symmetries and dissipated functions whether they are such [ASC25, Def. 4.3, Ex. 4.7].
        `initial`, `parameters` and `project` change the model first, as for `simulate`. Raises ModelError for names that
        it lacks, and ValueError for a start that the system does not have.
        """
        start = self._named(to_table("initial", initial))
        expressions = {name: value for name, value in start.items() if is_expression(value)}
        if expressions:
            return self._starting_at(expressions).check(
                {name: value for name, value in start.items() if name not in expressions}, parameters=parameters,
                project=project)
        given = {**self._named(to_table("parameters", parameters)), **start}
        values = {str(name): to_finite(name, value) for name, value in given.items()}
        assignments = [f"{name}={value!r}" for name, value in values.items()]
        if project is not None:
            assignments.append(f"project={'true' if to_switch('project', project) else 'false'}")
        try:
            return Check(**_herglotz.check(self._model, assignments))
        except ModelError as error:
            raise ModelError(str(error).removeprefix("--set: ")) from None

    def _related(self, text: str) -> System:
        return _reopened(text, self._file, self._symbols, self._functions)

    def _with_rule(self, rule: str) -> System:
        if self.rule == rule:
            return self
        without = dict.fromkeys(self._model.multipliers)
        return self.replace(rule=rule, initial=without, observables=dict.fromkeys(self.observables))

    def vector_field(self, parameters: Mapping[Any, float] | None = None) -> VectorField:
        """The compiled right-hand side, with its Jacobian, energy, momenta and multipliers.

        >>> hz.model("damped-pendulum").vector_field()(0.0, [1.0, 0.2, 0.0])
        """
        return VectorField(self, parameters)

    def step_map(self, method: str, step: float, parameters: Mapping[Any, float] | None = None) -> StepMap:
        """One compiled step of a fixed-step method.

        >>> hz.model("damped-pendulum").step_map("contact-gauss-4", 0.1)(0.0, [1.0, 0.2, 0.0])
        """
        return StepMap(self, method, step, parameters)

    def __repr__(self) -> str:
        return f"<herglotz.System {self.name}: {self.kind}, base {self._model.base}, fibre {self._model.fibre}>"


def _reopened(text: str, file: str, symbols: Symbols, functions: Functions) -> System:
    system = System.__new__(System)
    if _herglotz.states_families(text, file):
        from .indexed.system import IndexedSystem  # it builds on what is defined here
        system = IndexedSystem.__new__(IndexedSystem)
    system._open(text, file, symbols, functions)
    return system


def solver_settings(method: Any, tolerance: Any, intervals: Any, duration: Any) -> dict[str, Any]:
    """The settings of a solver that are given, as numbers and strings of Python alone."""
    settings: dict[str, Any] = {}
    if method is not None:
        settings["method"] = to_string("method", method, "a name")
    for name, number in (("tolerance", tolerance), ("duration", duration)):
        if number is not None:
            settings[name] = to_finite(name, number)
            if settings[name] <= 0:
                raise ValueError(f"{name} = {shown(number)}; a positive number is needed")
    if intervals is not None:
        settings["intervals"] = to_count("intervals", intervals, 1, 10**6)
    return settings


def load(file: str | os.PathLike[str], **values: Any) -> System:
    """The system of a model file, with parameters and initial values changed by name.

    >>> hz.load("pendulum.toml", gamma=0.2, theta=1.5)

    Raises ModelError with file, line and column, also for a name that the model lacks.
    """
    text = to_path("file", file).read_bytes()
    try:
        system = System.from_text(text.decode("utf-8"), str(file))
        if not values:
            return system
        parameters = {name: value for name, value in values.items() if name in system.parameters}
        initial = {name: value for name, value in values.items() if name not in system.parameters}
        return system.replace(parameters=parameters, initial=initial)
    except UnicodeDecodeError as error:
        line = text.count(b"\n", 0, error.start) + 1
        raise ModelError(f"{file}:{line}: this is not UTF-8 text; name a model file") from None


GENERATED = "n-link-pendulum"  #: the model of the gallery that is written for a number of links


def model(name: str, *, links: int | None = None) -> System:
    """A system of the gallery, by name; "n-link-pendulum" is made for any number of `links` from 1 to 128 (5 by default).

    >>> hz.model("damped-pendulum")
    >>> hz.model("n-link-pendulum", links=10)
    >>> hz.model("elastica").solve().cost

    Raises ValueError for a name that the gallery does not have.
    """
    if to_string("name", name) == GENERATED:
        count = 5 if links is None else to_count("links", links, 1, 128)
        return System.from_text(_herglotz.n_link_pendulum(count), name)
    known = [entry[0] for entry in (*_herglotz.gallery(), *_herglotz.problem_gallery(), *_herglotz.indexed_gallery())]
    if name not in known:
        raise ValueError(f"no gallery model '{name}'; {did_you_mean(name, [*known, GENERATED])}")
    if links is not None:
        raise ValueError(f"model '{name}' has no number of links; leave out links, or take \"{GENERATED}\"")
    return System.from_text(_herglotz.gallery_text(name), name)
