"""Reads problems.toml and writes its right-hand sides for every program: one straight-line program, many languages."""

import math
import pathlib

import numpy as np
import tomllib
from scipy.integrate._ivp import dop853_coefficients as dop853

HERE = pathlib.Path(__file__).resolve().parent
STEPS = np.array([3242174889, 2447445414], dtype=np.uint64)  # of the Kronecker sequence, over 2^32


class Problem:
    """One problem: `let` (lines), `rates` (expressions in `state` and the parameters), starts and the horizon."""

    def __init__(self, table):
        self.name = table["name"]
        self.title = table["title"]
        self.model = table["model"]
        self.parameters = table["parameters"]
        self.t_end = table["t_end"]
        self.spread = table["spread"]
        self.same_motion_as = table.get("same_motion_as", self.name)
        self.links, self.formulas = table.get("links", 0), table.get("formulas", "")
        if self.links:
            n = self.links
            self.state = [f"q{i}" for i in range(1, n + 1)] + [f"v{i}" for i in range(1, n + 1)]
            self.let, self.rates = {"mass matrix": by_mass_matrix, "tensions": by_tensions}[self.formulas](n)
            self.start = [table["angle"]] * n + [0.0] * n
        else:
            self.state, self.let, self.rates = table["state"], table["let"], table["rates"]
            self.start = table["start"]

    @property
    def identifier(self):
        return self.name.replace("-", "_")

    def starts(self, members):
        """The initial states of the first `members` members, (members x n)."""
        k = np.arange(members, dtype=np.uint64)[:, None]
        uv = ((k * STEPS + np.uint64(1 << 31)) % np.uint64(1 << 32)).astype(float) / 2**32
        states = np.tile(np.array(self.start), (members, 1))
        for column, (name, amplitude) in enumerate(self.spread.items()):
            states[:, self.state.index(name)] += amplitude * (2 * uv[:, column] - 1)
        return states

    def python_source(self, name="rates"):
        """Source of a function of the state's entries that returns the tuple of rates; sin, cos, sqrt are free names."""
        values = [f"    {key} = {value!r}" for key, value in self.parameters.items()]
        lines = [f"    {line}" for line in self.let]
        return "\n".join([f"def {name}({', '.join(self.state)}):", *values, *lines,
                          f"    return ({', '.join(self.rates)},)", ""])

    def function(self, sin=math.sin, cos=math.cos, sqrt=math.sqrt):
        """The rates as a Python function over any kind of number that has these functions."""
        namespace = {"sin": sin, "cos": cos, "sqrt": sqrt}
        exec(self.python_source(), namespace)
        return namespace["rates"]

    def cpp_source(self):
        """A function object `void operator()(const State& y, State& rate, T t)`, for any scalar T."""
        n = len(self.state)
        lines = [f"/// {self.title}.", "template <class T>", f"struct {self.identifier} {{",
                 f"  static constexpr std::size_t size = {n};", f"  static constexpr double t_end = {self.t_end!r};",
                 f"  static constexpr const char* name = \"{self.name}\";",
                 f"  static constexpr const char* model = \"{self.model}\";",
                 "  static constexpr std::array<std::pair<const char*, double>, %d> parameters{{%s}};"
                 % (len(self.parameters), ", ".join(f'{{"{k}", {v!r}}}' for k, v in self.parameters.items())),
                 "  static constexpr std::array<const char*, size> state{%s};" % ", ".join(f'"{s}"' for s in self.state),
                 "  template <class From, class To>", "  static void rates(const From& state, To& rate) {",
                 "    using std::sin, std::cos, std::sqrt;"]
        lines += [f"    [[maybe_unused]] constexpr double {key} = {value!r};" for key, value in self.parameters.items()]
        lines += [f"    [[maybe_unused]] const T {name} = state[{i}];" for i, name in enumerate(self.state)]
        lines += [f"    const T {line};" for line in self.let]
        lines += [f"    rate[{i}] = {rate};" for i, rate in enumerate(self.rates)]
        lines += ["  }", "};", ""]
        return "\n".join(lines)


def by_mass_matrix(n):
    """sum_j M_ij (v_j' + gamma v_j) = f_i with M_ij = (n + 1 - max(i, j)) cos(q_i - q_j) and
    f_i = -sum_j (n + 1 - max(i, j)) sin(q_i - q_j) v_j^2 - (n + 1 - i) g/l sin(q_i), solved by M = L D L^T."""
    links = range(1, n + 1)
    let = []
    for i in links:
        let += [f"s{i} = sin(q{i})", f"c{i} = cos(q{i})", f"k{i} = v{i}*v{i}"]
    for i in links:
        for j in range(1, i):
            let += [f"m{i}_{j} = {float(n + 1 - i)}*(c{i}*c{j} + s{i}*s{j})",
                    f"h{i}_{j} = {float(n + 1 - i)}*(s{i}*c{j} - c{i}*s{j})"]
    for i in links:
        terms = [f" - h{i}_{j}*k{j}" for j in range(1, i)] + [f" + h{j}_{i}*k{j}" for j in range(i + 1, n + 1)]
        let.append(f"f{i} = -{float(n + 1 - i)}*(g/l)*s{i}{''.join(terms)}")
    for i in links:  # u_ij = L_ij D_j; x solves L D x = f
        for j in range(1, i):
            let.append(f"u{i}_{j} = m{i}_{j}" + "".join(f" - u{i}_{k}*e{j}_{k}" for k in range(1, j)))
        let += [f"e{i}_{j} = u{i}_{j}*r{j}" for j in range(1, i)]
        let.append(f"r{i} = 1/({float(n + 1 - i)}" + "".join(f" - u{i}_{k}*e{i}_{k}" for k in range(1, i)) + ")")
        let.append(f"y{i} = f{i}" + "".join(f" - e{i}_{k}*y{k}" for k in range(1, i)))
    for i in reversed(links):
        let.append(f"a{i} = y{i}*r{i}" + "".join(f" - e{k}_{i}*a{k}" for k in range(i + 1, n + 1)))
    return let, [f"v{i}" for i in links] + [f"a{i} - gamma*v{i}" for i in links]


def by_tensions(n):
    """With rods e_i = (sin q_i, -cos q_i) and tensions T_i per m l: T_{i-1} c_{i-1,i} - 2 T_i + T_{i+1} c_{i,i+1} = -v_i^2
    (the first row: -T_1 + T_2 c_{1,2} = -v_1^2 - g/l cos q_1), c_{i,j} = cos(q_i - q_j), and
    v_i' + gamma v_i = T_{i-1} sin(q_{i-1} - q_i) + T_{i+1} sin(q_{i+1} - q_i) (the first: - g/l sin q_1 besides)."""
    links = range(1, n + 1)
    let = []
    for i in links:
        let += [f"s{i} = sin(q{i})", f"c{i} = cos(q{i})"]
    for i in range(1, n):
        let += [f"b{i} = c{i}*c{i + 1} + s{i}*s{i + 1}", f"h{i} = s{i + 1}*c{i} - c{i + 1}*s{i}"]
    let += ["d1 = 1.0", "y1 = v1*v1 + (g/l)*c1"]
    for i in range(2, n + 1):  # elimination; the diagonal is d, the right-hand side y, both with the sign changed
        let += [f"w{i} = b{i - 1}/d{i - 1}", f"d{i} = 2.0 - w{i}*b{i - 1}", f"y{i} = v{i}*v{i} + w{i}*y{i - 1}"]
    let.append(f"T{n} = y{n}/d{n}")
    for i in range(n - 1, 0, -1):
        let.append(f"T{i} = (y{i} + b{i}*T{i + 1})/d{i}")
    accelerations = []
    for i in links:
        terms = ["-(g/l)*s1"] if i == 1 else [f"-T{i - 1}*h{i - 1}"]
        terms += [f" + T{i + 1}*h{i}"] if i < n else []
        accelerations.append("".join(terms) + f" - gamma*v{i}")
    return let, [f"v{i}" for i in links] + accelerations


def ten_link_model(n=10):
    """The model file of the n-link pendulum: running sums over the links, as one writes it."""
    quoted = lambda name: ", ".join(f'"{name}{i}"' for i in range(1, n + 1))  # noqa: E731
    lines = ["# A chain of ten links with damping: point masses of 1 at the ends of massless rods, angles from the hanging position.",
             "#", "# (vx_i, vy_i) is the velocity of mass i and height_i its height, as running sums over the links.", "",
             "[model]", 'name = "ten-link-pendulum"', 'title = "10-link pendulum with linear damping"',
             'reference = "a textbook system; damping as in ASMLL20, Ex. 2"', "", "[algebroid]", 'kind = "tangent"',
             f"base = [{quoted('q')}]", f"fibre = [{quoted('v')}]", "", "[parameters]", "l = 1.0", "g = 9.81", "gamma = 0.1",
             "", "[definitions]"]
    for i in range(1, n + 1):
        before = ("", "", "") if i == 1 else (f"vx{i - 1} + ", f"vy{i - 1} + ", f"height{i - 1} ")
        lines += [f'vx{i} = "{before[0]}l*cos(q{i})*v{i}"', f'vy{i} = "{before[1]}l*sin(q{i})*v{i}"',
                  f'height{i} = "{before[2]}- l*cos(q{i})"']
    kinetic = " + ".join(f"vx{i}^2 + vy{i}^2" for i in range(1, n + 1))
    potential = " + ".join(f"height{i}" for i in range(1, n + 1))
    lines += [f'kinetic = "({kinetic})/2"', f'potential = "g*({potential})"', "", "[dynamics]",
              'lagrangian = "kinetic - potential - gamma*z"', "", "[initial]"]
    lines += [f"q{i} = 0.5" for i in range(1, n + 1)]
    lines += ["", "[simulation]", "step = 0.01", "t_end = 5.0", ""]
    return "\n".join(lines)


def load(names=()):
    """All problems, or those whose name is in `names`."""
    with open(HERE / "problems.toml", "rb") as file:
        problems = [Problem(table) for table in tomllib.load(file)["problem"]]
    unknown = set(names) - {problem.name for problem in problems}
    if unknown:
        raise SystemExit(f"no problem is called {', '.join(sorted(unknown))}; there are "
                         f"{', '.join(problem.name for problem in problems)}")
    return [problem for problem in problems if not names or problem.name in names]


def write_if_new(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")


def write_tableau(path):
    """dop853.hpp: the method of order 8 of Dormand and Prince, from SciPy's coefficients."""
    rows = [",\n    ".join("{" + ", ".join(repr(float(x)) for x in row[:12]) + "}" for row in dop853.A[:12])]
    line = lambda values: ", ".join(repr(float(x)) for x in values)  # noqa: E731
    write_if_new(path, "\n".join([
        "#pragma once", "/// The method of order 8 of Dormand and Prince with its two error estimates; written by problems.py.",
        "namespace dop853 {", f"inline constexpr double a[12][12] = {{\n    {rows[0]}}};",
        f"inline constexpr double b[12] = {{{line(dop853.B)}}};",
        f"inline constexpr double e3[12] = {{{line(dop853.E3[:12])}}};",
        f"inline constexpr double e5[12] = {{{line(dop853.E5[:12])}}};", "}  // namespace dop853", ""]))


def write_header(path):
    """problems.hpp: every right-hand side, and X(problem) over them all."""
    problems = load()
    text = ["#pragma once", "/// The right-hand sides of problems.toml; written by problems.py.", "#include <array>",
            "#include <cmath>", "#include <cstddef>", "#include <utility>", "", "namespace problems {", "",
            *[problem.cpp_source() for problem in problems], "}  // namespace problems", "",
            "#define FOR_EACH_PROBLEM(X) " + " ".join(f"X({problem.identifier})" for problem in problems), ""]
    write_if_new(path, "\n".join(text))
