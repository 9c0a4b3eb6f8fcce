"""The contact structure on the prolongation of an algebroid, and the Tulczyjew differential."""

import pytest
import sympy

import herglotz as hz

NAMES = ["rigid-body", "heavy-top", "wong-particle", "polar-hamel", "kepler-drag", "sleigh-algebroid"]


def values(expressions):
    """The expressions at a point, with 30 digits."""
    symbols = sorted(set().union(*(sympy.sympify(f).free_symbols for f in expressions)), key=str)
    point = {symbol: sympy.Rational(3 + 2 * k, 7 + k) for k, symbol in enumerate(symbols)}
    return [sympy.sympify(f).subs(point).evalf(30) for f in expressions]


@pytest.mark.parametrize("name", NAMES)
def test_the_contact_structure_of_every_skew_algebroid(name):
    # [ASC25, Rem. 3.3]: i_R d eta = 0, eta(R) = 1, and flat(Gamma) = dE - (R(E) + E) eta is the motion.
    system = hz.model(name)
    prolongation = system.prolongation()
    eta, reeb = prolongation.contact_form(), prolongation.reeb_section()
    off = [a - b for a, b in zip(prolongation.flat(reeb), eta)] + [sum(a * b for a, b in zip(eta, reeb)) - 1]
    # The acceleration is that of the equations of motion, derived independently in C++.
    field = prolongation.anchor(prolongation.dynamics())
    forced = any(force != 0 for force in system.forces)
    off += [] if forced else [rate - field[symbol] for symbol, rate in system.dynamics_field().items()]
    assert max(abs(value) for value in values(off)) < 1e-20


@pytest.mark.parametrize("name", NAMES)
def test_hamiltonian_sections_are_infinitesimal_contactomorphisms_and_the_motion_is_a_sode(name):
    # [ASC25, Rem. 3.3]: i_X d eta = df - R(f) eta and eta(X) = -f. [LJL21, Def. 5]: S(Gamma) = Delta.
    system = hz.model(name)
    prolongation = system.prolongation()
    eta, R = prolongation.contact_form(), prolongation.reeb_section()
    d_eta = prolongation.differential(eta)
    f = sympy.sin(system.fibre[0]) * system.action + (system.base or system.fibre)[-1]**2
    X, df = prolongation.hamiltonian_section(f), prolongation.differential(f)
    inner = (sympy.Matrix([X]) * d_eta).tolist()[0]
    along = sum(a * b for a, b in zip(R, df))
    off = [i - slope + along * e for i, slope, e in zip(inner, df, eta)] + [f + sum(a * b for a, b in zip(X, eta))]
    motion = prolongation.hamiltonian_section(prolongation.energy)
    off += [a - b for a, b in zip(motion, prolongation.dynamics())]
    Delta = prolongation.liouville_section()
    off += [a - b for a, b in zip(prolongation.vertical_endomorphism(motion), Delta)]
    off.append(prolongation.energy - sum(y * system.lagrangian.diff(y) for y in system.fibre) + system.lagrangian)
    assert max(abs(value) for value in values(off)) < 1e-20
    assert prolongation.vertical_endomorphism(X) != Delta


def test_lifts_of_sections_are_sections_of_the_prolongation_and_carry_momenta():
    # [ASC25, Sec. 4.2]; J_s = -eta_L(s^C) [ASMLL20, Eq. 34], and rho(s^C) is the field of `complete_lift`.
    system = hz.model("heavy-top")
    prolongation = system.prolongation()
    s = {"w1": "g2", "w3": "g1*g3"}
    lift, raised = prolongation.complete_lift(s), prolongation.vertical_lift(s)
    g1, g2, g3 = system.base
    assert lift[:3] == [g2, 0, g1 * g3]
    assert raised == [0, 0, 0, g2, 0, g1 * g3, 0]
    assert prolongation.vertical_endomorphism(lift) == raised
    field = prolongation.anchor(lift)
    assert all(sympy.expand(field[name] - rate) == 0 for name, rate in system.complete_lift(s).items())
    J = sum(p * component for p, component in zip(system.legendre().values(), lift[:3]))
    eta = prolongation.contact_form()
    assert sympy.expand(J + sum(a * b for a, b in zip(eta, lift))) == 0


def test_a_form_of_so3_by_hand():
    # eta = dz - I_a w_a theta^a has d eta(T_1, T_2) = I_3 w_3 and d eta(T_a, V_b) = I_a delta_ab.
    w1, w2, w3 = sympy.symbols("w1 w2 w3", real=True)
    system = hz.System(hz.lie_algebra([w1, w2, w3], "so3"), "(w1^2 + 2*w2^2 + 3*w3^2)/2 - z/5")
    prolongation = system.prolongation()
    form = prolongation.differential(prolongation.contact_form())
    assert form[0, 1] == 3 * w3
    assert form[:3, 3:6] == sympy.diag(1, 2, 3)
    assert form == -form.T
    assert prolongation.sharp(prolongation.flat([1, 0, w1, 0, 2, 0, 1])) == [1, 0, w1, 0, 2, 0, 1]


def test_others_are_refused():
    with pytest.raises(ValueError, match="bracket is skew"):
        hz.model("general-algebroid").prolongation()
    with pytest.raises(ValueError, match="singular"):
        hz.System(hz.tangent(["q"], ["v"]), "v - q^2").prolongation().reeb_section()
    top = hz.model("damped-pendulum").prolongation()
    for call, message in [
        (lambda: top.flat([1]), "has 3"), (lambda: top.differential([1]), "has 3"),
        (lambda: top.flat(["foo", 0, 0]), "unknown name 'foo'"),
        (lambda: top.sharp([0, sympy.nan, 0]), "a finite real expression"),
        (lambda: top.differential("energy"), "has energy; it is a function on E x R"),
    ]:
        with pytest.raises(ValueError, match=message):
            call()


def test_functions_on_a_prolongation_are_strings_too_and_symbols_of_any_kind():
    # A string made symbols that were no coordinates: its differential was 0. [ASC25, Rem. 3.3]
    system = hz.model("heavy-top")
    prolongation = system.prolongation()
    g1, w3, z = (system.symbols[name] for name in ("g1", "w3", "z"))
    expected = [0, -system.symbols["g3"]*w3, system.symbols["g2"]*w3, 0, 0, g1, 2*z]
    assert prolongation.differential(g1*w3 + z**2) == expected
    assert prolongation.differential("g1*w3 + z^2") == expected
    assert prolongation.differential(sympy.sympify("g1*w3 + z**2")) == expected


def test_the_algebroid_is_a_map_gg08_equation_2_3():
    # (x, y; alpha, p) -> (x, p; rho y, c(y, .) p + sigma^T alpha), with two anchors and a bracket that is not skew.
    x, a, b = sympy.symbols("x a b", real=True)
    c = {("a", "a"): {"b": 1}, ("a", "b"): {"a": x}, ("b", "a"): {"b": 2 - x}}
    system = hz.System(hz.custom(x, [a, b], [[1 + x**2], [sympy.sin(x)]], c, right_anchor=[[2], [x]], skew=False), "a^2/2 + b^2")
    alpha, p, k = sympy.symbols("alpha p k")
    rows = {symbol.name: value for symbol, value in system.epsilon([alpha], [p, k]).items()}
    by_hand = {"x_dot": a * (1 + x**2) + b * sympy.sin(x), "p_a_dot": a * k + b * (2 - x) * k + 2 * alpha,
               "p_b_dot": a * x * p + x * alpha}
    assert all(sympy.expand(rows[name] - value) == 0 for name, value in by_hand.items())
    with pytest.raises(ValueError, match="p has 1 components; 2 are needed"):
        system.epsilon([alpha], [p])


def test_the_tulczyjew_differential():
    # [GG08, 3.1-3.2] on the heavy top: dx/dt = rho y, dp/dt = c y p + sigma L_x; Euler-Lagrange adds L_z p.
    system = hz.model("heavy-top")
    rows = {symbol.name: value for symbol, value in system.tulczyjew_differential().items()}
    rates = {y: sympy.Symbol(f"{y.name}_dot", real=True) for y in system.fibre}
    L = system.lagrangian
    for j, y in enumerate(system.fibre):
        p = L.diff(y)
        p_dot = sum(p.diff(w) * rate for w, rate in rates.items())
        undivided = list(system.euler_lagrange().values())[j]
        given = {symbol: rates[w] for symbol in undivided.free_symbols for w in system.fibre if symbol.name == f"{w.name}_dot"}
        expected = p_dot - rows[f"p_{y.name}_dot"] - L.diff(system.action) * p - system.forces[j]
        assert abs(values([undivided.subs(given) - expected])[0]) < 1e-20


def test_gg08_5_5_the_tulczyjew_differential_with_vakonomic_constraints_is_that_of_L_less_them():
    system = hz.model("skate-vakonomic")
    nu, th, vx = (sympy.Symbol(name, real=True) for name in ("nu1", "th", "vx"))
    rows = {symbol.name: value for symbol, value in system.tulczyjew_differential().items()}
    assert abs(values([rows["p_vx"] - vx + nu * sympy.sin(th)])[0]) < 1e-20
    assert abs(values([rows["p_w_dot"] + nu * (vx * sympy.cos(th) + sympy.Symbol("vy", real=True) * sympy.sin(th))])[0]) < 1e-20


def test_the_motion_of_a_chain_with_a_full_inertia_takes_seconds():
    # Elimination of its inertia, multiplied out, did not end; here in cofactors, against the compiled motion.
    system = hz.model("n-link-pendulum", links=4)
    prolongation = system.prolongation()
    r = len(system.fibre)
    assert prolongation.reeb_section() == [0] * (2 * r) + [1]
    field = prolongation.anchor(prolongation.dynamics())
    at = {name: 0.1 * (k + 1) for k, name in enumerate(system.state)}
    at |= {str(name): value for name, value in system.parameters.items()}
    rates = [sympy.sympify(field[system.symbols[name]]) for name in system.state]
    found = [float(rate.subs({symbol: at[symbol.name] for symbol in rate.free_symbols})) for rate in rates]
    assert found == pytest.approx(system.vector_field()(0.0, [at[name] for name in system.state]), abs=1e-10)
