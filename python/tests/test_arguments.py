"""Every public function names an argument of the wrong type, its value and what would be right."""


import inspect

import numpy
import pytest
import sympy

import herglotz as hz

HUGE = 2**64
NO_TABLES = [b"q", 1j, float("nan"), "q", [["q", 1.0]], (0, 10), HUGE, object(), {b"q": 1.0}, {1: 1.0}]
NO_NUMBERS = [b"1", bytearray(b"1"), 1j, numpy.complex128(1j), sympy.I, "1", numpy.str_("1"), [[1.0], [2.0, 3.0]], {"a": 1}, True,
              numpy.bool_(True), numpy.datetime64("2020"), object()]
NO_STARTS = [value for value in NO_NUMBERS if not isinstance(value, str)]  # which are expressions
NO_ARRAYS = [[b"1", b"2"], [1j, 2.0], ["1", "2"], [None, 1.0], numpy.array([True, False]), [sympy.I, 1.0], [[1.0], [2.0, 3.0]]]
NO_COUNTS = [b"2", 2.5, "2", 1j, True, [2], numpy.array([2, 3]), {}, float("nan")]
NO_NAMES = [b"name", 1, 1j, float("nan"), ["name"], HUGE, {"name": 1}, object()]
NO_LISTS = [b"q", 1, 1j, float("nan"), HUGE, {"q": 1}, object()]
NO_EXPRESSIONS = [b"q^2", 1j, float("nan"), float("inf"), [["q"]], {"q": 1}, True, object(), sympy.Integer(2) ** 2000 * sympy.I]
NO_SYSTEMS = [None, b"m", 1j, float("nan"), "damped-pendulum", [["m"]], HUGE]
NO_PATHS = [None, 1, 1j, float("nan"), b"model.toml", ["model.toml"], HUGE]

PENDULUM = hz.model("damped-pendulum")
OSCILLATOR = hz.model("discrete-oscillator")
SLEIGH = hz.model("chaplygin-sleigh")
BODY = hz.model("rigid-body").replace(discrete={"rule": "trapezoid"})
CONTACT = hz.contact(["-p", 0, 1], coordinates=["q", "p", "z"])
FIELD = PENDULUM.vector_field()
STEP = PENDULUM.step_map("contact-gauss-2", 0.1)


def system(**changed):
    return hz.System(**{"algebroid": hz.tangent("q", "v"), "lagrangian": "v^2/2 - q^2/2", **changed})


def cases(name, call, wrong):
    return [pytest.param(call, value, name, id=f"{name}-{k}") for k, value in enumerate(wrong)]


ONE_RUN = [
    *cases("system", lambda x: hz.run(x), NO_SYSTEMS), *cases("initial", lambda x: hz.run(PENDULUM, x), NO_TABLES),
    *cases("theta", lambda x: hz.run(PENDULUM, {"theta": x}), NO_STARTS),
    *cases("parameters", lambda x: hz.run(PENDULUM, parameters=x), NO_TABLES),
    *cases("gamma", lambda x: hz.run(PENDULUM, parameters={"gamma": x}), NO_NUMBERS),
    *cases("progress", lambda x: hz.run(PENDULUM, progress=x), [b"1", 1j, "yes", 2, [1]]),
    *cases("next", lambda x: hz.run(OSCILLATOR, next=x), NO_TABLES),
    *cases("next.q", lambda x: hz.run(OSCILLATOR, next={"q": x}), NO_NUMBERS),
]
MANY_RUNS = [
    *cases("system", lambda x: hz.simulate(x), NO_SYSTEMS), *cases("initial", lambda x: hz.simulate(PENDULUM, x), NO_TABLES),
    *cases("parameters", lambda x: hz.simulate(PENDULUM, parameters=x), NO_TABLES),
    *cases("theta", lambda x: hz.simulate(PENDULUM, {"theta": x}), [*NO_STARTS, *NO_ARRAYS]),
    *cases("gamma", lambda x: hz.simulate(PENDULUM, parameters={"gamma": x}), [*NO_NUMBERS, *NO_ARRAYS]),
    *cases("threads", lambda x: hz.simulate(PENDULUM, threads=x), [*NO_COUNTS, 0, HUGE]),
    *cases("system", lambda x: hz.sweep(x), NO_SYSTEMS), *cases("initial", lambda x: hz.sweep(PENDULUM, initial=x), NO_TABLES),
    *cases("parameters", lambda x: hz.sweep(PENDULUM, parameters=x), NO_TABLES),
    *cases("gamma", lambda x: hz.sweep(PENDULUM, parameters={"gamma": x}), [*NO_NUMBERS, *NO_ARRAYS]),
    *cases("samples", lambda x: hz.sweep(PENDULUM, parameters={"g": hz.normal(9, 1)}, samples=x), [*NO_COUNTS, 0, HUGE]),
    *cases("seed", lambda x: hz.sweep(PENDULUM, parameters={"g": hz.normal(9, 1)}, samples=2, seed=x), [*NO_COUNTS, -1, HUGE]),
    *cases("keep", lambda x: hz.sweep(PENDULUM, parameters={"g": [9.0]}, keep=x), [*NO_NAMES, "finals"]),
    *cases("sampling", lambda x: hz.sweep(PENDULUM, parameters={"g": [9.0]}, sampling=x), [*NO_NAMES, "sobel"]),
    *cases("times", lambda x: hz.sweep(PENDULUM, parameters={"g": [9.0]}, keep="times", times=x), [*NO_ARRAYS, [2.0, 1.0, 2.0]]),
    *cases("columns", lambda x: hz.sweep(PENDULUM, parameters={"g": [9.0]}, columns=x), [*NO_LISTS, "theta"]),
    *cases("zip", lambda x: hz.sweep(PENDULUM, parameters={"g": [9.0]}, zip=x), [*NO_LISTS, "g", ["g"], [b"g"]]),
    *cases("file", lambda x: hz.sweep(PENDULUM, parameters={"g": [9.0]}, file=x), NO_PATHS[1:]),
    *cases("resume", lambda x: hz.sweep(PENDULUM, parameters={"g": [9.0]}, resume=x), [None, 1, "yes", b"1"]),
    *cases("progress", lambda x: hz.sweep(PENDULUM, parameters={"g": [9.0]}, t_end=0.1, progress=x), [b"1", 1j, "yes", [1]]),
    *cases("file", lambda x: hz.open_sweep(x), NO_PATHS),
    *cases("a", lambda x: hz.uniform(x, 1), NO_NUMBERS), *cases("b", lambda x: hz.log_uniform(1, x), NO_NUMBERS),
    *cases("mean", lambda x: hz.normal(x, 1), NO_NUMBERS), *cases("deviation", lambda x: hz.log_normal(1, x), NO_NUMBERS),
    *cases("mean", lambda x: hz.exponential(x), NO_NUMBERS),
    *cases("system", lambda x: hz.work_precision(x, ["reference"], tolerances=[1e-8]), NO_SYSTEMS),
    *cases("methods", lambda x: hz.work_precision(PENDULUM, x), [*NO_LISTS, "reference"]),
    *cases("steps", lambda x: hz.work_precision(PENDULUM, ["contact-gauss-2"], steps=x), [*NO_ARRAYS, "0.1", b"0.1", None, 1j]),
    *cases("tolerances", lambda x: hz.work_precision(PENDULUM, ["reference"], tolerances=x), [*NO_ARRAYS, "0.1", b"0.1", 1j]),
    *cases("repeat", lambda x: hz.work_precision(PENDULUM, ["reference"], tolerances=[1e-8], repeat=x), [*NO_COUNTS, 0, HUGE]),
]
SETTINGS = [case for run in (hz.run, hz.simulate, lambda one, **given: hz.sweep(one, parameters={"g": [9.0]}, **given))
            for name, wrong in (("method", NO_NAMES), ("t_end", NO_NUMBERS), ("step", NO_NUMBERS), ("tolerance", NO_NUMBERS),
                                ("output_every", [*NO_COUNTS, 0, -1, HUGE]), ("output_step", NO_NUMBERS),
                                ("project", [1, 0.0, "yes", b"1", [True]]))
            for case in cases(name, lambda x, run=run, name=name: run(PENDULUM, **{name: x}), wrong)]
SYSTEMS = [
    *cases("algebroid", lambda x: system(algebroid=x), [None, b"q", "q", 1j, float("nan"), [["q"]], HUGE]),
    *cases("lagrangian", lambda x: system(lagrangian=x), NO_EXPRESSIONS),
    *cases("hamiltonian", lambda x: hz.System(hz.tangent("q", "v"), hamiltonian=x), NO_EXPRESSIONS),
    *cases("name", lambda x: system(name=x), [None, *NO_NAMES]), *cases("title", lambda x: system(title=x), NO_NAMES),
    *cases("parameters", lambda x: system(parameters=x), NO_TABLES),
    *cases("k", lambda x: system(parameters={"k": x}), [None, *NO_NUMBERS]),
    *cases("definitions", lambda x: system(definitions=x), NO_TABLES),
    *cases("forces", lambda x: system(forces={"v": x}), [None, *NO_EXPRESSIONS]),
    *cases("forces", lambda x: system(forces=x), NO_TABLES),
    *cases("constraints", lambda x: system(constraints=x), [b"v", 1j, float("nan"), HUGE, {"v": 1}, [["v"]], [b"v"], [None]]),
    *cases("rule", lambda x: system(rule=x, constraints="v"), [*NO_NAMES, "chetaev"]),
    *cases("rule", lambda x: system(rule=x), ["chetaev", ""]), *cases("rule", lambda x: PENDULUM.replace(rule=x), ["chetaev"]),
    *cases("a rule beside it", lambda x: system(constraints=x), [{"rule": "nonholonomic", "equations": ["v"]}]),
    *cases("control", lambda x: system(control=x), NO_TABLES),
    *cases("symmetries", lambda x: system(symmetries=x), NO_TABLES),
    *cases("symmetry 's'", lambda x: system(symmetries={"s": x}), [None, b"v", "v", 1j, 1, [b"1"], [None], [[1]], {"v": b"1"}]),
    *cases("observables", lambda x: system(observables=x), NO_TABLES),
    *cases("observables['f']", lambda x: system(observables={"f": x}), [None, *NO_EXPRESSIONS]),
    *cases("events", lambda x: system(events=x), NO_TABLES),
    *cases("events['e']", lambda x: system(events={"e": x}), [None, b"q", 1j, [["q"]], {"at": b"q"}, {"at": "q", "stop": b"1"}]),
    *cases("initial", lambda x: system(initial=x), NO_TABLES),
    *cases("q", lambda x: system(initial={"q": x}), [None, *NO_STARTS]),
    *cases("action", lambda x: system(action=x), [None, *NO_NAMES]), *cases("time", lambda x: system(time=x), [None, *NO_NAMES]),
    *cases("simulation", lambda x: system(simulation=x), NO_TABLES),
    *cases("simulation['t_end']", lambda x: system(simulation={"t_end": x}), [None, b"1", 1j, object()]),
    *cases("discrete", lambda x: system(discrete=x), NO_TABLES),
    *cases("next", lambda x: system(discrete={"rule": "midpoint"}, next=x), [*NO_TABLES, 0, ""]),
    *cases("text", lambda x: hz.System.from_text(x), [None, *NO_NAMES]), *cases("file", lambda x: hz.load(x), NO_PATHS),
    *cases("name", lambda x: hz.model(x), [None, *NO_NAMES]),
    *cases("links", lambda x: hz.model("n-link-pendulum", links=x), [*NO_COUNTS, 0, 129, HUGE]),
    *cases("file", lambda x: PENDULUM.save(x), NO_PATHS),
    *cases("parameters", lambda x: PENDULUM.replace(parameters=x), NO_TABLES),
    *cases("initial", lambda x: PENDULUM.replace(initial=x), NO_TABLES),
    *cases("title", lambda x: PENDULUM.replace(title=x), NO_NAMES),
    *cases("initial", lambda x: PENDULUM.check(x), NO_TABLES),
    *cases("gamma", lambda x: PENDULUM.check(parameters={"gamma": x}), NO_NUMBERS),
    *cases("project", lambda x: PENDULUM.check(project=x), [1, 0.0, "yes", b"1", [True]]),
    *cases("expression", lambda x: PENDULUM.as_dynamicsymbols(x), [None, b"q", "q", 1j, [["q"]], object()]),
]
ALGEBROIDS = [
    *cases("base", lambda x: hz.tangent(x), [None, b"q", 1j, float("nan"), 1, HUGE, [["q"]], [b"q"], {"q": 1}]),
    *cases("fibre", lambda x: hz.lie_algebra(x, "so3"), [None, b"q", 1j, float("nan"), 1, HUGE, [["q"]], [b"q"], {"q": 1}]),
    *cases("frame", lambda x: hz.hamel("x", "a", x), [None, b"q", "q", 1j, 1, [1], [[b"1"]], [[None]], {"q": 1}]),
    *cases("generators", lambda x: hz.action("x", "a", x, "so3"), [None, b"q", "q", 1j, 1, [1], [[b"1"]], [[None]]]),
    *cases("connection", lambda x: hz.atiyah("x", "a b", x, "so3"), [None, b"q", "q", 1j, 1, [1], [[b"1"]], [[None]]]),
    *cases("group", lambda x: hz.lie_algebra("a b c", x), NO_NAMES),
    *cases("brackets", lambda x: hz.lie_algebra("a b", brackets=x), [b"q", "q", 1j, 1, [1], {("a", "b"): 1}, {1: {"a": 1}}]),
    *cases("anchor", lambda x: hz.custom("x", "a", x, {}), [None, b"q", "q", 1j, 1, [1], [[b"1"]]]),
    *cases("skew", lambda x: hz.custom("x", "a", [[1]], {}, skew=x), [None, 1, "yes", b"1"]),
    *cases("factors", lambda x: hz.product(x), [None, b"q", "q", 1j, 1, HUGE, [hz.tangent("q")]]),
]
FUNCTIONS = [
    *cases("parameters", lambda x: PENDULUM.vector_field(x), NO_TABLES),
    *cases("system", lambda x: hz.VectorField(x), NO_SYSTEMS),
    *cases("gamma", lambda x: PENDULUM.vector_field({"gamma": x}), [None, *NO_NUMBERS]),
    *cases("t", lambda x: FIELD(x, [0.0, 0.0, 0.0]), [None, *NO_NUMBERS]), *cases("u", lambda x: FIELD(0.0, x), NO_ARRAYS),
    *cases("u", lambda x: FIELD.jacobian(0.0, x), NO_ARRAYS), *cases("u", lambda x: FIELD.energy(0.0, x), NO_ARRAYS),
    *cases("u", lambda x: FIELD.momenta(0.0, x), NO_ARRAYS),
    *cases("name", lambda x: FIELD.momentum(x, 0.0, [0, 0, 0]), NO_NAMES),
    *cases("system", lambda x: hz.StepMap(x, "contact-gauss-2", 0.1), NO_SYSTEMS),
    *cases("method", lambda x: PENDULUM.step_map(x, 0.1), [None, *NO_NAMES]),
    *cases("step", lambda x: PENDULUM.step_map("contact-gauss-2", x), [None, *NO_NUMBERS]),
    *cases("u", lambda x: STEP(0.0, x), NO_ARRAYS), *cases("t", lambda x: STEP.factor(x, [0.0, 0.0, 0.0]), NO_NUMBERS),
    *cases("function", lambda x: PENDULUM.bracket(x, "theta"), [None, *NO_EXPRESSIONS]),
    *cases("function", lambda x: PENDULUM.hamiltonian_field(x), [None, *NO_EXPRESSIONS]),
    *cases("constrained", lambda x: PENDULUM.reeb_field(constrained=x), [None, 1, "yes", b"1", [], {}]),
    *cases("function", lambda x: PENDULUM.flow(x), [{None: 1}, {"theta": 1}]),
    *cases("initial", lambda x: SLEIGH.compare_rules(1.0, initial=x), NO_TABLES),
    *cases("keep", lambda x: SLEIGH.reduced(keep=x), NO_LISTS),
    *cases("inputs", lambda x: PENDULUM.linearise(inputs=x), NO_LISTS),
    *cases("outputs", lambda x: PENDULUM.linearise(outputs=x), NO_LISTS),
    *cases("names are strings", lambda x: SLEIGH.reduced(keep=x), [[["u"]], [1], [None, "u"]]),
    *cases("names are strings", lambda x: PENDULUM.linearise(outputs=x), [[["theta"]], [1], [b"theta"]]),
    *cases("h", lambda x: BODY.discrete_action_on_group([[0.1, 0.2, 0.05]], x), [None, *NO_NUMBERS]),
    *cases("positions", lambda x: BODY.discrete_action(x, 0.1), [{}, [1.0, 2.0]]),
    *cases("fields", lambda x: CONTACT.kind(fields=x, at={"q": 0, "p": 0, "z": 0}), NO_LISTS),
    *cases("forms", lambda x: CONTACT.left_complement(forms=x), NO_LISTS),
    *cases("function", lambda x: hz.model("heavy-top").prolongation().hamiltonian_section(x), [sympy.eye(1), {None: 1}]),
    *cases("q0", lambda x: OSCILLATOR.discrete_legendre(x, 1.0, 0.0, 0.1), [None, b"1", "1", 1j, True, [1j], [b"1"],
                                                                            {"q": b"1"}]),
    *cases("z0", lambda x: OSCILLATOR.discrete_legendre(1.0, 1.0, x, 0.1), [None, *NO_NUMBERS]),
    *cases("h", lambda x: PENDULUM.exact_discrete_lagrangian(1.0, 1.0, 0.0, x), [None, *NO_NUMBERS]),
    *cases("gamma", lambda x: PENDULUM.exact_discrete_lagrangian(1.0, 1.1, 0.0, 0.1, parameters={"gamma": x}), NO_NUMBERS),
]


@pytest.mark.parametrize(("call", "value", "name"), [*ONE_RUN, *MANY_RUNS, *SETTINGS, *SYSTEMS, *ALGEBROIDS, *FUNCTIONS])
def test_an_argument_of_the_wrong_type_is_named(call, value, name):
    with pytest.raises((TypeError, ValueError)) as caught:
        call(value)
    sentence = str(caught.value)
    assert name in sentence and "\n" not in sentence and len(sentence) < 400, sentence
    assert "__init__" not in sentence and "incompatible function arguments" not in sentence, sentence


def test_keywords_that_are_not_there_are_named():
    for run in (hz.run, hz.simulate, hz.sweep):
        with pytest.raises(TypeError, match=rf"{run.__name__}\(\) has no argument 't_ende'; did you mean t_end\?"):
            run(PENDULUM, t_ende=1.0)
    with pytest.raises(TypeError, match=r"replace\(\) has no argument 'titel'; did you mean title\?"):
        PENDULUM.replace(titel="x")


def test_settings_are_listed_in_signatures():
    assert {"method", "t_end", "step", "next"} <= set(inspect.signature(hz.simulate).parameters)
    assert {"output_every", "zip", "samples", "keep"} <= set(inspect.signature(hz.sweep).parameters)
    assert "settings" not in inspect.signature(hz.run).parameters


def test_arrays_of_sympy_numbers_and_of_whole_numbers_are_numbers():
    batch = hz.simulate(PENDULUM, {"theta": [sympy.pi / 4, sympy.Rational(1, 2)], "omega": numpy.array([1, 2])}, t_end=0.1)
    assert batch.theta[:, 0].values.tolist() == [numpy.pi / 4, 0.5] and batch.omega[:, 0].values.tolist() == [1.0, 2.0]


@pytest.mark.parametrize("value", [float("nan"), float("inf"), 10**400])
@pytest.mark.parametrize("call", [
    lambda x: hz.run(PENDULUM, {"theta": x}), lambda x: hz.run(PENDULUM, parameters={"gamma": x}),
    lambda x: hz.run(PENDULUM, t_end=x), lambda x: hz.run(PENDULUM, step=x), lambda x: hz.run(PENDULUM, tolerance=x),
    lambda x: hz.run(PENDULUM, output_step=x), lambda x: hz.run(OSCILLATOR, next={"q": x}),
    lambda x: hz.sweep(PENDULUM, parameters={"gamma": x, "m": [1.0, 2.0]}),
    lambda x: hz.sweep(PENDULUM, initial={"theta": [x, 1.0]}),
    lambda x: hz.sweep(PENDULUM, parameters={"gamma": hz.uniform(x, 1)}, samples=2), lambda x: PENDULUM.check({"theta": x}),
    lambda x: hz.sweep(PENDULUM, parameters={"gamma": [0.1]}, keep="times", times=[0.0, x]),
    lambda x: system(parameters={"k": x}), lambda x: system(initial={"q": x}), lambda x: system(simulation={"step": x}),
    lambda x: PENDULUM.replace(parameters={"g": x}), lambda x: PENDULUM.step_map("contact-gauss-2", x),
    lambda x: OSCILLATOR.discrete_legendre(1.0, x, 0.0, 0.1), lambda x: PENDULUM.exact_discrete_lagrangian(1.0, 1.1, 0.0, x),
])
def test_a_number_that_is_not_finite_is_refused(call, value):
    sentences = "nan|not a number|inf|not finite|finite numbers|follow each other|1.8e308|at most"
    with pytest.raises(ValueError, match=sentences) as caught:
        call(value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("call", [
    lambda x: system(title=x), lambda x: system(name=x), lambda x: system(lagrangian=x), lambda x: system(parameters={x: 1.0}),
    lambda x: hz.System.from_text(x), lambda x: hz.model(x), lambda x: hz.run(PENDULUM, method=x),
    lambda x: hz.run(PENDULUM, {x: 1}),
    lambda x: hz.sweep(PENDULUM, parameters={"g": [1.0]}, columns=[x]), lambda x: hz.tangent(x),
    lambda x: PENDULUM.bracket(x, "theta"),
])
def test_halves_of_characters_are_refused(call):
    with pytest.raises(ValueError, match="not Unicode text") as caught:
        call("\ud800")
    str(caught.value).encode()


def test_an_empty_text_is_no_path():
    for take in (hz.load, hz.solve):
        with pytest.raises(ValueError, match="file = ''; the path of a file is needed"):
            take("")
