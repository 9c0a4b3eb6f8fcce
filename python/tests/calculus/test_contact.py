"""Contact forms and Jacobi structures of one's own, against their axioms computed in SymPy."""

import pickle

import numpy
import pytest
import sympy
from scipy.integrate import simpson

import herglotz as hz

q, p, z, a, b = sympy.symbols("q p z a b", real=True)
u = (q, p, z)
ETA = [-p, q, 1 + q**2]  # not in Darboux coordinates
H = p**2 / 2 + sympy.cos(q) + a * z


def vanishes(expression):
    """At three points, with thirty digits."""
    expression = sympy.sympify(expression)
    symbols = sorted(expression.free_symbols, key=str)
    points = ({s: sympy.Rational(37 + 11 * i + 29 * k, 100) for i, s in enumerate(symbols)} for k in range(3))
    return all(abs(expression.subs(point).evalf(30)) < 1e-20 for point in points)


def volume(eta):
    """eta ^ d eta on three coordinates by its definition."""
    d = sympy.Matrix(3, 3, lambda i, j: eta[j].diff(u[i]) - eta[i].diff(u[j]))
    return eta[0] * d[1, 2] - eta[1] * d[0, 2] + eta[2] * d[0, 1]


def test_a_form_has_its_reeb_field_flat_and_sharp():
    # i_R d eta = 0, eta(R) = 1; flat(X) = i_X d eta + eta(X) eta; sharp is its inverse [LJL21, Eqs. 6, 12].
    structure = hz.contact(ETA, coordinates=u)
    reeb, d = structure.reeb_field(), structure.d_form()
    assert vanishes(sum(reeb[c] * e for c, e in zip(u, ETA)) - 1)
    for j in range(3):
        assert vanishes(sum(reeb[c] * d[i, j] for i, c in enumerate(u)))
        assert vanishes(d[0, j] - (sympy.diff(ETA[j], q) - sympy.diff(ETA[0], u[j])))
    X = [q * p, 1 + z**2, a]
    flat = structure.flat(X)
    for j, c in enumerate(u):
        assert vanishes(flat[c] - sum(X[i] * d[i, j] for i in range(3)) - sum(x * e for x, e in zip(X, ETA)) * ETA[j])
    for c, component in zip(u, X):
        assert vanishes(structure.sharp(flat)[c] - component)
    assert vanishes(structure.volume() - volume(ETA))


def test_a_system_has_the_structure_of_its_contact_form():
    # flat(Gamma_L) = dE - (E + R(E)) eta, which is the free motion [LJL21, Eqs. 45-48].
    system = hz.System(hz.tangent([q], ["v"]), "(1 + q^2)*v^2/2 - q^2/2 - a*z - z*v/3", parameters={a: 0.1})
    eta, L, v = system.contact_structure(), system.lagrangian, system.fibre[0]
    energy = v * L.diff(v) - L
    assert eta.coordinates == system.phase_coordinates and eta.form() == system.contact_form()
    flat, reeb = eta.flat(system.dynamics_field()), sum(X * energy.diff(c) for c, X in eta.reeb_field().items())
    for c, e in eta.form().items():
        assert vanishes(flat[c] - energy.diff(c) + (energy + reeb) * e)
    with pytest.raises(ValueError, match="Jacobi structure"):
        hz.model("rigid-body").contact_structure()


def test_the_projector_on_covectors_has_the_constrained_motion_ljl21_theorem_11():
    system = hz.model("chaplygin-sleigh")
    eta, Pbar, L = system.contact_structure(), system.covector_projector(), system.lagrangian
    energy = sum(y * L.diff(y) for y in system.fibre) - L
    reeb = sum(X * energy.diff(c) for c, X in eta.reeb_field().items())
    given = sympy.Matrix([energy.diff(c) - (energy + reeb) * e for c, e in eta.form().items()])
    wanted = sympy.Matrix(list(eta.flat(system.dynamics_field(constrained=True)).values()))
    at = {c: sympy.Rational(3 + 2 * k, 10) for k, c in enumerate(system.phase_coordinates)}
    at |= {system.symbols[name]: value for name, value in system.parameters.items()}
    phi, vx, vy = (system.symbols[name] for name in ("phi", "vx", "vy"))
    at[vy] = at[vx] * sympy.tan(at[phi])
    Pbar, given, wanted = sympy.lambdify(list(at), [Pbar, given, wanted], cse=True)(*map(float, at.values()))
    assert abs(Pbar @ given - wanted).max() < 1e-12
    assert abs(Pbar @ Pbar - Pbar).max() < 1e-12
    assert abs(given - wanted).max() > 1e-3


def test_the_hamiltonian_field_is_the_one_of_the_definition():
    # flat(X_H) = dH - (R(H) + H) eta [LJL21, Eq. 30]; dH/dt = -R(H) H [Eq. 35]; div X_H = -(n + 1) R(H) [Eq. 39].
    structure = hz.contact(ETA, coordinates=u)
    X = structure.hamiltonian_field(H)
    rate = structure.dissipation(H)
    flat = structure.flat(X)
    for c, e in zip(u, ETA):
        assert vanishes(flat[c] - H.diff(c) + (rate + H) * e)
    assert vanishes(sum(X[c] * H.diff(c) for c in u) + rate * H)
    assert vanishes(structure.divergence(X) + 2 * rate)
    density = volume(ETA)
    assert vanishes(structure.divergence(X) - sum((density * X[c]).diff(c) for c in u) / density)


def test_the_bracket_is_a_jacobi_bracket():
    structure = hz.contact(ETA, coordinates=u)
    f, g = q * p, z + q
    Lambda, reeb = structure.tensor(), structure.reeb_field()
    expected = sum(Lambda[i, j] * f.diff(u[i]) * g.diff(u[j]) for i in range(3) for j in range(3))
    expected -= f * sum(reeb[c] * g.diff(c) for c in u) - g * sum(reeb[c] * f.diff(c) for c in u)
    assert vanishes(structure.bracket(f, g) - expected)
    assert vanishes(structure.bracket(f, g) + structure.bracket(g, f))
    assert vanishes(structure.jacobiator(f, g, p))
    assert all(vanishes(defect) for defect in structure.defects())
    assert hz.contact([-p, 0, 1], coordinates=u).bracket(q, p) == -1


def test_a_jacobi_structure_of_ones_own():
    # so(3): {p1, p2} = p3 and cyclic is Poisson; a wrong sign breaks the identity [LJL21, Eqs. 21-22].
    p1, p2, p3 = c = sympy.symbols("p1 p2 p3", real=True)
    Lambda = sympy.Matrix([[0, p3, -p2], [-p3, 0, p1], [p2, -p1, 0]])
    structure = hz.jacobi(Lambda, [0, 0, 0], coordinates=c)
    assert structure.bracket(p1, p2) == p3
    assert structure.defects() == []
    assert structure.hamiltonian_field(p1**2 / 2) == {p1: 0, p2: p1 * p3, p3: -p1 * p2}
    wrong = Lambda.copy()
    wrong[0, 1], wrong[1, 0] = p3**2, -(p3**2)
    wrong[0, 2], wrong[2, 0] = -p2 * p1, p2 * p1
    assert hz.jacobi(wrong, [0, 0, 0], coordinates=c).defects() != []
    with pytest.raises(ValueError, match="not skew"):
        hz.jacobi(sympy.eye(3), [0, 0, 0], coordinates=c).defects()


def test_distributions_and_their_complements():
    # Horizontal: in ker eta; vertical: contains R; complements of horizontal ones are vertical [LJL21, Def. 2, Lemma 2].
    structure = hz.contact([-p, 0, 1], coordinates=u)
    at = {q: 0.3, p: 0.7, z: -0.2}
    horizontal = [[1, 0, p]]
    assert structure.kind(fields=horizontal, at=at) == "horizontal"
    assert structure.kind(fields=[{z: 1}], at=at) == "vertical"
    assert structure.kind(fields=[{z: 1 + q, p: 1}], at=at) == "oblique"
    right, left = structure.right_complement(fields=horizontal), structure.left_complement(fields=horizontal)
    assert structure.kind(forms=right, at=at) == "vertical"
    # omega(w, v) with w = d_q + p d_z, d eta = dq ^ dp: the form dp, up to sign for the other side.
    assert [abs(right[0][c]) for c in u] == [0, 1, 0]
    assert [abs(left[0][c]) for c in u] == [0, 1, 0]


def test_structures_pickle_and_take_new_parameters():
    structure = pickle.loads(pickle.dumps(hz.contact({q: -p, z: 1}, coordinates=u)))
    field = structure.hamiltonian_field(p**2 / 2 + b * z)
    assert field == {q: p, p: -b * p, z: p**2 / 2 - b * z}


@pytest.mark.parametrize(("call", "message"), [
    (lambda: hz.contact([1, 0, 0], coordinates=u), "vanishes everywhere|contact"),
    (lambda: hz.contact([1, 0], coordinates=u), "2 components"),
    (lambda: hz.contact([-p, 1], coordinates=(q, p)), "odd|even"),
    (lambda: hz.contact({"x": 1}, coordinates=u), "unknown coordinate 'x'"),
    (lambda: hz.contact(["q +", 0, 1], coordinates=u), "'q \\+'"),
    (lambda: hz.contact([-p, 0, 1], coordinates=(q, q, z)), "different symbols"),
    # The number pi was read where the coordinate was meant, so that {pi, p} was 0.
    (lambda: hz.contact([-p, 0, 1], coordinates=("pi", p, z)), "'pi' cannot name a coordinate or a parameter"),
    (lambda: hz.contact([-p, 0, 1], coordinates=("sin", p, z)), "it is a function or a constant of expressions"),
    (lambda: hz.contact([-p, 0, 1], coordinates=("1x", p, z)), "'1x' cannot name a coordinate or a parameter"),
    (lambda: hz.contact([-p, 0, 1], coordinates=u).bracket(sympy.Symbol("sin"), p), "'sin' cannot name"),
    (lambda: hz.jacobi([[0]], [0, 0], coordinates=(q, p)), "1 components|1 rows"),
    (lambda: hz.contact([-p, 0, 1], coordinates=u).kind(at={q: 0}, fields=[[1, 0, 0]]), "no value of 'p'"),
    (lambda: hz.contact([-p, 0, 1], coordinates=u).right_complement(), "give either fields"),
])
def test_bad_structures_are_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_omega_is_flat_as_a_tensor():
    q, p, z = sympy.symbols("q p z", real=True)
    eta = hz.contact([-p, 0, 1], coordinates=[q, p, z])
    X = [z, q*p, 2]
    assert list(eta.flat(X).values()) == [sympy.expand(entry) for entry in (sympy.Matrix([X]) * eta.omega())]


def test_the_flow_of_a_hamiltonian_field_of_a_form_of_ones_own_ljl21_equations_33_and_35():
    q, p, z, gamma = sympy.symbols("q p z gamma", real=True)
    H = p**2/2 + q**2/2 + gamma*z
    eta = hz.contact([-p, 0, 1], coordinates=[q, p, z])
    run = hz.simulate(eta.flow(H, parameters={gamma: 0.3}, initial={q: 1.0, z: "gamma/2"}), t_end=2, tolerance=1e-13)
    oscillator = hz.System(hz.tangent([q], ["v"]), hamiltonian=H.subs(p, sympy.Symbol("p_v", real=True)), parameters={gamma: 0.3},
                           initial={q: 1.0, z: 0.15})
    same = hz.simulate(oscillator, t_end=2, tolerance=1e-13)
    ends = [[float(of[name][-1]) for name in names] for of, names in ((run, ["q", "p", "z"]), (same, ["q", "p_v", "z"]))]
    assert ends[0] == pytest.approx(ends[1], abs=1e-12)
    of_texts = hz.contact(["-p", 0, 1], coordinates=["q", "p", "z"]).flow("p^2/2 + q^2/2 + gamma*z", parameters={"gamma": 0.3},
                                                                         initial={"q": 1, "z": 0.15})
    assert float(hz.simulate(of_texts, t_end=2, tolerance=1e-13).q[-1]) == pytest.approx(ends[0][0], abs=1e-13)
    # Another chart: eta = dz + q dp, where R(H) is not constant; dH/dt = -R(H) H.
    other = hz.contact([0, q, 1], coordinates=[q, p, z])
    K = q**2*sympy.exp(z)/2 + p*q + 1
    run = hz.simulate(other.flow(K, initial={q: 0.5, p: 0.2}), t_end=1, output_step=0.01, tolerance=1e-13)
    rate = sympy.lambdify([q, p, z], other.dissipation(K))(*(run[name].values for name in "qpz"))
    assert numpy.log(run.H[-1] / run.H[0]) == pytest.approx(-simpson(rate, x=run.t.values), abs=1e-9)


def test_the_flow_of_a_poisson_structure_keeps_its_hamiltonian():
    x, y, w = sympy.symbols("x y w", real=True)
    so3 = hz.jacobi([[0, w, -y], [-w, 0, x], [y, -x, 0]], [0, 0, 0], coordinates=[x, y, w])
    H = x**2/2 + y**2/4 + w**2/6
    flow = so3.flow(H, initial={x: 0.7, y: 0.5, w: 1.1}, name="euler")
    run = hz.simulate(flow, t_end=5, tolerance=1e-13)
    assert float(abs(run.H - run.H[0]).max()) < 1e-11
    assert float(abs(run.x**2 + run.y**2 + run.w**2 - (0.49 + 0.25 + 1.21)).max()) < 1e-11
    with pytest.raises(ValueError, match="gamma"):
        so3.flow(H + sympy.Symbol("gamma")*x)


def knife_edge():
    x, y, th, px, py, pw, z = sympy.symbols("x y th px py pw z", real=True)
    eta = hz.contact([-px, -py, -pw, 0, 0, 0, 1], coordinates=[x, y, th, px, py, pw, z])
    edge = eta.constrained([px * sympy.sin(th) - py * sympy.cos(th)], reactions=[{x: sympy.sin(th), y: -sympy.cos(th)}])
    return edge, (x, y, th, px, py, pw, z)


def test_ljl21_equation_105_constrained_fields_of_a_contact_form_of_ones_own():
    # The same fields as those of a Hamiltonian with the constraint, for any f [LJL21, Eqs. 95-105].
    edge, (x, y, th, px, py, pw, z) = knife_edge()
    system = hz.System(hz.tangent([x, y, th], ["u", "v", "w"]), hamiltonian="(p_u^2 + p_v^2 + p_w^2)/2 - x/3 + z/10",
                       constraints=["p_u*sin(th) - p_v*cos(th)"], initial={th: 0.3})
    names = {"p_u": px, "p_v": py, "p_w": pw}
    for f in ("x*p_u - z", "sin(y)*p_w + x*z"):
        given = sympy.sympify(f, locals={"x": x, "y": y, "z": z} | names)
        mine = edge.structure.hamiltonian_field(given)
        theirs = system.flow(f, constrained=True)
        point = {x: 0.4, y: -0.3, th: 0.7, pw: 0.6, z: 0.2, px: 0.8 * numpy.cos(0.7), py: 0.8 * numpy.sin(0.7)}
        at = {sympy.Symbol(name, real=True): point[symbol] for name, symbol in names.items()} | point
        for symbol, entry in zip(theirs.base, theirs.anchor[:, 0]):
            value = mine[names.get(symbol.name, symbol)]
            assert float(value.subs(point)) == pytest.approx(float(entry.subs(at)), abs=1e-14), (f, symbol)


def test_ljl21_theorems_17_and_18_the_constrained_flow_is_the_motion_and_constraints_are_casimirs():
    edge, (x, _, th, px, py, pw, z) = knife_edge()
    Phi, bracket = edge.constraints[0], edge.structure.bracket
    assert all(sympy.simplify(bracket(Phi, f) - Phi * bracket(1, f)) == 0 for f in (x * py, pw * th, x + py**2))
    assert all(sympy.simplify(entry) == 0 for entry in edge.projector**2 - edge.projector)
    start = {"th": 0.3, "px": 0.5 * float(numpy.cos(0.3)), "py": 0.5 * float(numpy.sin(0.3)), "pw": 0.8}
    flow = edge.flow((px**2 + py**2 + pw**2) / 2 - x / 3 + z / 10, initial=start)
    run = hz.simulate(flow, t_end=3, tolerance=1e-12, output_step=0.5)
    skate = hz.System(hz.tangent(["x", "y", "th"], ["u", "v", "w"]), "(u^2 + v^2 + w^2)/2 + x/3 - z/10",
                      constraints=["u*sin(th) - v*cos(th)"],
                      initial={"th": 0.3, "u": start["px"], "v": start["py"], "w": 0.8})
    other = hz.simulate(skate, t_end=3, tolerance=1e-12, output_step=0.5)
    for mine, theirs in (("x", "x"), ("y", "y"), ("th", "th"), ("px", "u"), ("py", "v"), ("pw", "w"), ("z", "z")):
        assert run[mine].values == pytest.approx(other[theirs].values, abs=1e-10), mine
    assert abs(run.constraint_1).max() < 1e-11


def test_ljl21_equation_81_the_projected_flow_follows_affine_constraints_and_x_f_delta_does_not():
    # w = b u + 1/2 does work: along P(X_E) it is the motion, along X_E^Delta it is not [LJL21, Lemma 15].
    system = hz.System(hz.tangent(["a", "b", "c"], ["u", "v", "w"]), "(u^2 + v^2 + w^2)/2 - a^2/3 - z/10",
                       constraints=["w - b*u - 1/2"], initial={"u": 0.4, "b": 0.3, "w": 0.62, "v": 0.2})
    motion = hz.simulate(system, t_end=2, tolerance=1e-12)
    flow = hz.simulate(system.flow("energy", projected=True), t_end=2, tolerance=1e-12)
    other = hz.simulate(system.flow("energy", constrained=True), t_end=2, tolerance=1e-12)
    for name in ("a", "b", "c", "u", "v", "w", "z"):
        assert float(flow[name][-1]) == pytest.approx(float(motion[name][-1]), abs=1e-10), name
    assert abs(float(other.c[-1]) - float(motion.c[-1])) > 1e-2
    assert max(abs(run.constraint_1).max() for run in (flow, other)) < 1e-10
    with pytest.raises(ValueError, match="both constrained and projected"):
        system.flow("energy", constrained=True, projected=True)


def by_multipliers(H, constraints, forms, point):
    """X_H + lambda^a Z_a with dPhi^b of it 0, in Darboux coordinates (q, p, z) with forms b_i dq^i, Z = -b_i d/dp_i."""
    u = list(point)
    n = len(u) // 2
    slope, momenta = [H.diff(s) for s in u], u[n:2*n]
    X = [*slope[n:2*n], *(-slope[i] - momenta[i]*slope[-1] for i in range(n)),
         sum(momenta[i]*slope[n + i] for i in range(n)) - H]
    at = lambda rows: numpy.array(sympy.Matrix(rows).subs(point).tolist(), float)  # noqa: E731
    dPhi, Z = at(sympy.Matrix(constraints).jacobian(u)), numpy.zeros((len(u), len(forms)))
    Z[n:2*n] = -at([form[:n] for form in forms]).T
    system = numpy.block([[numpy.eye(len(u)), -Z], [dPhi, numpy.zeros((len(constraints),) * 2)]])
    return numpy.linalg.solve(system, [*at(X).ravel(), *[0.0] * len(constraints)])[:len(u)]


@pytest.mark.parametrize("forms", [[[1, 0, 0, 0, 0]], [["-2*q", 1, 0, 0, 0]], [["p", "1 + s^2", 0, 0, 0]], [["-q", 1, 0, 0, 0]],
                                   [["-q", 1, 0, 0, 0], ["r", "exp(s)", 0, 0, 0]]])
def test_ljl21_equation_81_reactions_of_any_forms_are_those_of_multipliers(forms):
    q, s, p, r, z = u = sympy.symbols("q s p r z", real=True)
    constraints = [r - q*p, p + s*z][:len(forms)]
    H = p**2/2 + r**2/2 + q*s*r + z*sympy.cos(q)/5
    made = hz.contact([-p, -r, 0, 0, 1], coordinates=u).constrained(constraints, reactions=forms)
    mine, delta = made.dynamics_field(H), made.structure.hamiltonian_field(H)
    exact = [[sympy.sympify(entry.replace("^", "**") if isinstance(entry, str) else entry, locals=dict(zip("qsprz", u)))
              for entry in form] for form in forms]
    dH = sympy.Matrix([H.diff(symbol) for symbol in u])
    gap = made.projector * made.free.tensor().T * (dH - made.projector.T * dH)  # [LJL21, Eq. 107]
    for q0, s0, z0 in ((0.7, -0.4, 0.3), (-0.5, 1.2, 0.9)):
        p0 = -s0*z0
        point = dict(zip(u, (q0, s0, p0, q0*p0, z0)))
        wanted = by_multipliers(H, constraints, exact, point)
        assert [float(mine[symbol].subs(point)) for symbol in u] == pytest.approx(wanted, abs=1e-12)
        for entry, symbol in zip(gap, u):
            assert float((mine[symbol] - delta[symbol] - entry).subs(point)) == pytest.approx(0, abs=1e-12), symbol


def test_a_flow_with_reactions_that_are_not_chetaevs_is_tangent_and_follows_positions():
    eta = hz.contact(["-p", 0, 1], coordinates=["q", "p", "z"])
    edge = eta.constrained(["p - q"], reactions=[[1, 0, 0]])
    run = hz.simulate(edge.flow("p^2/2 + z/10", initial={"q": 1.0, "p": 1.0}), t_end=1, tolerance=1e-12)
    assert run.q[-1] == pytest.approx(numpy.e, abs=1e-10)  # q' = p = q
    assert run.z[-1] == pytest.approx((numpy.exp(2.0) - numpy.exp(-0.1)) / 4.2, abs=1e-10)  # z' = q^2/2 - z/10
    assert abs(run.constraint_1).max() < 1e-12
    two = hz.contact(["-p", "-r", 0, 0, 1], coordinates=["q", "s", "p", "r", "z"])
    made = two.constrained(["r - g*q*p"], reactions=[["-2*g*q", 1, 0, 0, 0]], parameters=["g"])
    flow = made.flow("p^2/2 + r^2/2 + z/10", parameters={"g": 2.0}, initial={"q": 0.5, "p": 1.0, "r": "g*q*p"})
    run = hz.simulate(flow, t_end=1, tolerance=1e-12, output_step=0.01)
    assert simpson(run.p.values, x=run.t.values) == pytest.approx(float(run.q[-1] - run.q[0]), abs=1e-8)
    assert simpson(run.r.values, x=run.t.values) == pytest.approx(float(run.s[-1] - run.s[0]), abs=1e-8)
    assert abs(run.constraint_1).max() < 1e-10
    again = pickle.loads(pickle.dumps(made))
    assert again.flow("g*p^2/2", parameters={"g": 2.0}).parameters == {"g": 2.0}
    assert again.dynamics_field("g*p^2/2") == made.dynamics_field("g*p^2/2")


@pytest.mark.parametrize(("constraint", "initial", "message"), [
    ("p - q", {"q": 1.0}, "initial: constraint 1, p - q, is -1.00 at q = 1, p = 0; give a start at which it is 0"),
    ("p - q", {"q": 1.0, "p": 1 + 1e-8}, "is 1.00E-8 at"), ("p - 1", None, "is -1.00 at p = 0"),
    ("p - k*q", {"q": 1.0, "p": 1.0}, "is -1.00 at q = 1, p = 1"), ("sqrt(q) - p", {"q": -1.0}, r"is 1.0\*I at q = -1"),
    ("log(q) - p", {}, "is zoo at q = 0")])
def test_starts_off_the_constraints_are_refused(constraint, initial, message):
    made = hz.contact(["-p", 0, 1], coordinates=["q", "p", "z"]).constrained(
        [constraint], reactions=[[1, 0, 0]], parameters=["k"])
    with pytest.raises(ValueError, match=message):
        made.flow("p^2/2 + z/10", parameters={"k": 2.0}, initial=initial)


@pytest.mark.parametrize(("constraint", "initial"), [
    ("p - sin(q)", {"q": 0.3, "p": float(numpy.sin(0.3))}), ("p^2/q - q", {"q": 1e9, "p": 1e9}),
    ("p - k*q", {"q": "k", "p": "k^2"})])
def test_starts_on_the_constraints_up_to_rounding_are_taken(constraint, initial):
    for symbols in (["q", "p", "z"], sympy.symbols("q p z")):  # also not real
        eta = hz.contact({"q": "-p", "z": 1}, coordinates=symbols)
        made = eta.constrained([constraint], reactions=[[1, 0, 0]], parameters=["k"])
        assert made.flow("p^2/2 + z/10", parameters={"k": 2.0}, initial=initial).initial["pace"] == 1


@pytest.mark.parametrize(("constraints", "reactions", "message"), [
    (["p - g"], [[1, 0, 0]], "unknown name 'g'"),
    (["p"], [], "one form for each"), ([], [], "one form for each"), (["p"], [[0, 0, 1]], "Reeb field"),
    (["q"], [[1, 0, 0]], "singular everywhere"), (["p"], [[1, 0]], "2 components"), (["p"], [{"s": 1}], "unknown coordinate 's'"),
    (["p +"], [[1, 0, 0]], "expected")])
def test_reactions_that_keep_no_constraint_are_refused(constraints, reactions, message):
    eta = hz.contact(["-p", 0, 1], coordinates=["q", "p", "z"])
    with pytest.raises(ValueError, match=message):
        eta.constrained(constraints, reactions=reactions)


def test_ljl21_equations_21_22_and_26_hold_of_a_form_whose_products_are_too_many_to_be_multiplied_out():
    x = sympy.symbols("x1:6", real=True)
    form = [-x[1]*(1 + x[4]**2/5), sympy.sin(x[0])/3, -x[3] + x[0]*x[4]/7, x[2]/4, 1 + x[0]**2/9]
    eta = hz.contact(form, coordinates=list(x))
    f, g, h = x[0]*x[3] + sympy.cos(x[4])*x[1] + x[2]**2, x[1]*x[2] - x[4], x[0]*x[4]
    assert eta.defects() == []
    assert eta.jacobiator(f, g, h) == 0
    # Its bivector with another field is no Jacobi structure, and its bracket none.
    other = hz.jacobi(eta.tensor(), [1, 0, 0, 0, 0], coordinates=list(x))
    assert other.defects()
    assert other.jacobiator(f, g, h) != 0


def test_lie_derivatives_and_brackets_of_fields_are_those_of_their_components():
    eta = hz.contact(ETA, u)
    X, Y = [q * p, z + p**2, q - z**2], [sympy.sin(q), p * z, 1]
    made = eta.lie_bracket(X, Y)
    for k, name in enumerate(u):
        by_hand = sum(X[i] * sympy.diff(Y[k], u[i]) - Y[i] * sympy.diff(X[k], u[i]) for i in range(3))
        assert vanishes(made[name] - by_hand)
    for alpha in (ETA, [z, 1, q * p]):
        made = eta.lie_derivative(X) if alpha is ETA else eta.lie_derivative(X, alpha)
        for k, name in enumerate(u):
            by_hand = sum(X[i] * sympy.diff(alpha[k], u[i]) + alpha[i] * sympy.diff(X[i], u[k]) for i in range(3))
            assert vanishes(made[name] - by_hand)


def test_hamiltonian_fields_scale_the_contact_form_and_their_brackets_are_fields_ljl21_propositions_4_and_23():
    eta = hz.contact(ETA, u)
    form, X = eta.form(), eta.hamiltonian_field(H)
    moved = eta.lie_derivative(X)
    assert all(vanishes(moved[name] + eta.dissipation(H) * form[name]) for name in u)
    assert not vanishes(eta.dissipation(H))
    bracket = eta.lie_bracket(X, eta.hamiltonian_field(q * p))
    expected = eta.hamiltonian_field(eta.bracket(H, q * p))
    assert all(vanishes(bracket[name] - expected[name]) for name in u)


def test_the_contact_form_over_h_has_minus_x_h_as_its_reeb_field_ljl21_equations_37_to_41():
    eta = hz.contact(ETA, u)
    X = eta.hamiltonian_field(H)
    scaled = hz.contact({name: component / H for name, component in eta.form().items()}, u)
    assert all(vanishes(component) for component in scaled.lie_derivative(X).values())
    assert all(vanishes(component + X[name]) for name, component in scaled.reeb_field().items())
    assert vanishes(scaled.divergence(X))


def test_a_jacobi_structure_knows_its_contact_form():
    eta = hz.contact(ETA, u)
    again = eta.jacobi().contact()
    assert all(vanishes(component - again.form()[name]) for name, component in eta.form().items())
    alpha = [q, z, p]
    free, lowered = eta.sharp(alpha), eta.jacobi().sharp(alpha)
    along = sum(component * eta.reeb_field()[name] for name, component in zip(u, alpha))
    assert all(vanishes(free[name] - lowered[name] - along * eta.reeb_field()[name]) for name in u)  # [LJL21, Eq. 25]
    with pytest.raises(ValueError, match="is singular everywhere"):
        hz.jacobi([[0, 1, 0], [-1, 0, 0], [0, 0, 0]], [0, 0, 0], u).contact()
    with pytest.raises(ValueError, match="is not the Jacobi structure of the form"):
        hz.jacobi([[0, -q, 0], [q, 0, q * p], [0, -q * p, 0]], [0, 0, -1], u).contact()


def test_constrained_structures_of_long_lagrangians_are_those_of_the_system():
    x, y, s, v, w, r = sympy.symbols("x y s v w r", real=True)
    L = ((1 + x**2) * v**2 + w**2 * sympy.exp(z / 4)) / 2 + r**2 + v * r * sympy.sin(y) / 3 - x * y - z / 6
    Phi = w - sympy.sin(s) * v - x * r
    start = {x: 0.3, y: 0.2, s: 0.5, v: 0.4, r: 0.6, w: float(sympy.sin(0.5)) * 0.4 + 0.18, z: 0.1}
    system = hz.System(hz.tangent([x, y, s], [v, w, r]), L, constraints=[Phi], rule="nonholonomic", initial=start)
    made = system.contact_structure().constrained([Phi], reactions=[[Phi.diff(one) for one in (v, w, r)] + [0] * 4])
    for ours, theirs in ((made.projector, system.projector()), (made.structure.tensor(), system.jacobi_tensor(constrained=True))):
        assert numpy.abs(numpy.array((ours - theirs).subs(start).evalf(30), dtype=float)).max() < 1e-12
