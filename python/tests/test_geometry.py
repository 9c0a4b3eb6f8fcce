"""Contact, Jacobi and discrete geometry from Python, against the theorems and stored values."""

import json
import pathlib

import numpy
import pytest
import sympy

import herglotz as hz

REFERENCE = pathlib.Path(__file__).parents[2] / "tests" / "reference"

q, v, p, gamma, z = sympy.symbols("q v p gamma z", real=True)
V = sympy.cos(q)


def oscillator():
    return hz.System(hz.tangent([q], [v]), v**2 / 2 - V - gamma * z, parameters={gamma: 0.1})


def hamiltonian():
    return hz.System(hz.tangent([q], [v]), hamiltonian=sympy.Symbol("p_v", real=True) ** 2 / 2 + V + gamma * z,
                     parameters={gamma: 0.1})


def vanishes(expression):
    return sympy.simplify(expression) == 0


def sledge():
    # The Chaplygin sledge of [LJL21, Sec. 8].
    x, y, phi, vx, vy, w, alpha, beta = sympy.symbols("x y phi vx vy w alpha beta", real=True)
    L = ((((alpha * sympy.cos(phi) - beta * sympy.sin(phi)) * w + vy)**2
          + ((beta * sympy.cos(phi) + alpha * sympy.sin(phi)) * w - vx)**2) / 2 + w**2 + gamma * z)
    return hz.System(hz.tangent([x, y, phi], [vx, vy, w]), L, parameters={alpha: 0.3, beta: 0.4, gamma: -0.1},
                     constraints=[vx * sympy.sin(phi) - vy * sympy.cos(phi)])


def test_brackets_of_the_coordinates():
    # {q, p} = -1, {q, z} = -q, {p, z} = 0, {1, z} = -1 in Darboux coordinates [LJL21, Sec. 2].
    system = hamiltonian()
    momentum, = system.momenta
    assert system.bracket(q, momentum) == -1
    assert system.bracket(q, z) == -q
    assert system.bracket(momentum, z) == 0
    assert system.bracket(1, z) == -1
    assert system.bracket("q^2", "p_v") == -2 * q


def test_contact_form_and_reeb_field_belong_together():
    # eta(R) = 1, i_R d eta = 0 [LJL21, Eq. 6], here where L_yz does not vanish.
    system = hz.System(hz.tangent([q], [v]), v**2 * sympy.exp(z) / 2 - V)
    u, eta, reeb = system.phase_coordinates, system.contact_form(), system.reeb_field()
    assert u == (q, v, z)
    assert vanishes(sum(eta[a] * reeb[a] for a in u) - 1)
    for b in u:
        assert vanishes(sum(reeb[a] * (eta[b].diff(a) - eta[a].diff(b)) for a in u))
    assert eta[q] == -v * sympy.exp(z)
    assert reeb[v] == -v


def test_the_bracket_is_skew_and_obeys_jacobi():
    # Jacobi bracket: skew, Jacobi identity, and Leibniz up to {f, 1} [LJL21, Sec. 2].
    system = oscillator()
    f, g, h = q**2 * v + z, sympy.sin(q) * z, v**2 + q * z
    one = system.bracket
    assert vanishes(one(f, g) + one(g, f))
    assert vanishes(one(f, one(g, h)) + one(g, one(h, f)) + one(h, one(f, g)))
    assert vanishes(one(f, g * h) - g * one(f, h) - h * one(f, g) + g * h * one(f, 1))
    assert vanishes(one(f, 1) - system.reeb_field()[z] * f.diff(z))


def test_the_tensor_gives_the_bracket():
    # {f, g} = Lambda(df, dg) + f E(g) - g E(f) with E = -R [LJL21, Eq. 28].
    system = hz.System(hz.tangent([q], [v]), v**2 * sympy.exp(z) / 2 - V)
    u, Lambda, reeb = system.phase_coordinates, system.jacobi_tensor(), system.reeb_field()
    f, g = q * v + z**2, sympy.exp(q) * v
    df, dg = (sympy.Matrix([h.diff(a) for a in u]) for h in (f, g))
    R = sympy.Matrix([reeb[a] for a in u])
    expected = (df.T * Lambda * dg)[0] - f * (R.T * dg)[0] + g * (R.T * df)[0]
    assert vanishes(system.bracket(f, g) - expected)


def test_the_field_of_the_energy_is_the_motion():
    # X_E is the Herglotz field [LJL21, Eq. 48], and dE/dt = -R(E) E along it [LJL21, Eq. 35].
    system = oscillator()
    X = system.hamiltonian_field("energy")
    assert system.dynamics_field() == X
    assert vanishes(X[v] - (sympy.sin(q) - gamma * v))
    assert vanishes(X[z] - system.lagrangian)
    energy = v**2 / 2 + V + gamma * z
    assert vanishes(sum(X[a] * energy.diff(a) for a in X) + gamma * energy)


def test_a_lie_algebra_has_a_jacobi_structure_without_contact_form():
    # {p1, p2} = p3 and cyclic, {p_a, z} = 0 on so(3) (docs/contact-geometry.md).
    p1, p2, p3 = sympy.symbols("p_w1 p_w2 p_w3")
    system = hz.System(hz.lie_algebra(["w1", "w2", "w3"], "so3"), hamiltonian=p1**2 / 2 + p2**2 / 4 + p3**2 / 6)
    assert system.bracket(p1, p2) == p3
    assert system.bracket(p2, p3) == p1
    assert system.bracket(p3, p1) == p2
    assert [system.bracket(momentum, system.action) for momentum in (p1, p2, p3)] == [0, 0, 0]
    with pytest.raises(ValueError, match="no contact form"):
        system.contact_form()


def test_the_sledge_has_the_printed_projector():
    # [LJL21, Sec. 8], the table of docs/contact-geometry.md; entries agree on Phi = 0.
    system = sledge()
    _x, _y, phi, vx, vy, w, _ = system.phase_coordinates
    alpha, beta = system.symbols["alpha"], system.symbols["beta"]
    u = system.phase_coordinates
    P = system.projector()
    assert P.shape == (7, 7)
    assert vanishes(P[u.index(w), u.index(vx)] + alpha * sympy.sin(phi) / (alpha**2 + 2))
    assert vanishes(P[u.index(vy), u.index(vy)] - sympy.sin(phi)**2
                    - alpha * beta * sympy.sin(phi) * sympy.cos(phi) / (alpha**2 + 2))
    constraint, = system.constraints
    gradient = sympy.Matrix([[constraint.diff(a) for a in u]])
    # P is a projector whose image is tangent to the constraint [LJL21, Eq. 79].
    numbers = dict(zip([*u, alpha, beta], [0.3, -0.2, 0.7, 1.1, 0.4, -0.6, 0.2, 0.3, 0.4]))
    at = numpy.array(P.subs(numbers), dtype=float)
    numpy.testing.assert_allclose(at @ at, at, atol=1e-14)
    numpy.testing.assert_allclose(numpy.array(gradient.subs(numbers), dtype=float) @ at, 0, atol=1e-14)
    assert numpy.trace(at) == pytest.approx(6)


def test_the_sledge_has_the_printed_nonholonomic_brackets():
    # [LJL21, Sec. 8], the table of docs/contact-geometry.md.
    system = sledge()
    x, _y, phi, vx, vy, w, _ = system.phase_coordinates
    alpha, beta = system.symbols["alpha"], system.symbols["beta"]
    assert vanishes(system.bracket(phi, w, constrained=True) + 1 / (alpha**2 + 2))
    assert vanishes(system.bracket(x, w, constrained=True) + beta * sympy.cos(phi) / (alpha**2 + 2))
    assert vanishes(system.bracket(1, z, constrained=True) + 1)
    assert system.reeb_field(constrained=True) == {a: int(a == z) for a in system.phase_coordinates}
    # Constraints are Casimirs on Phi = 0 [LJL21, Thm 18].
    constraint, = system.constraints
    on = {vx: vy * sympy.cos(phi) / sympy.sin(phi)}
    for a in (x, phi, vx, w):
        assert vanishes(system.bracket(a, constraint, constrained=True).subs(on))
    assert not vanishes(system.bracket(vx, constraint))


def test_the_constrained_motion_is_the_constrained_field_of_the_energy():
    # [LJL21, Thm 17] for constraints homogeneous in the velocities.
    system = sledge()
    X = system.hamiltonian_field("energy", constrained=True)
    motion = system.dynamics_field(constrained=True)
    phi, vy, vx = (system.symbols[name] for name in ("phi", "vy", "vx"))
    numbers = {symbol: 0.2 + 0.1 * k for k, symbol in enumerate(system.phase_coordinates)}
    numbers |= {system.symbols[name]: value for name, value in system.parameters.items()}
    numbers[vx] = float(numbers[vy] / sympy.tan(numbers[phi]))
    for a in X:
        assert float(X[a].subs(numbers)) == pytest.approx(float(motion[a].subs(numbers)), abs=1e-13)


def test_legendre_maps_undo_each_other():
    # p = dL/dy and back [ASC25, Sec. 3].
    system = hz.model("double-pendulum")
    momenta, velocities = system.legendre(), system.inverse_legendre()
    numbers = {symbol: 0.3 + 0.1 * k for k, symbol in enumerate((*system.base, *system.fibre))}
    numbers |= {system.symbols[name]: value for name, value in system.parameters.items()}
    at = {symbol: momenta[symbol].subs(numbers) for symbol in system.momenta}
    for y in system.fibre:
        assert float(velocities[y].subs(at).subs(numbers)) == pytest.approx(numbers[y], abs=1e-13)


def test_a_hamiltonian_has_the_legendre_maps_of_its_lagrangian():
    momentum, = hamiltonian().momenta
    assert vanishes(oscillator().legendre_transform() - hamiltonian().hamiltonian)
    assert vanishes(hamiltonian().legendre_transform() - oscillator().lagrangian)
    assert hamiltonian().legendre() == {momentum: v} == oscillator().legendre()
    assert hamiltonian().inverse_legendre() == {v: momentum} == oscillator().inverse_legendre()


def test_a_legendre_map_without_closed_inverse_is_refused():
    system = hz.System(hz.tangent([q], [v]), sympy.cosh(v) - V)
    assert system.legendre() == {system.momenta[0]: sympy.sinh(v)}
    with pytest.raises(ValueError, match="no inverse in closed form"):
        system.inverse_legendre()


def test_discrete_legendre_transforms_match_along_a_step():
    # F+ of a step is F- of the next: p1 = p0 [ASMLL20, Eqs. 39-41].
    system = hz.model("discrete-oscillator")
    step = 0.05
    run = hz.simulate(system, step=step, t_end=4 * step)
    x, action = run[str(system.base[0])].values, run[str(system.action)].values
    first = system.discrete_legendre(x[0], x[1], action[0], step)
    second = system.discrete_legendre([x[1]], {str(system.base[0]): x[2]}, action[1], step)
    assert first.z1 == pytest.approx(action[1], abs=1e-13)
    numpy.testing.assert_allclose(first.p1, second.p0, atol=1e-11)
    assert second.sigma == pytest.approx(1 + system.parameters["gamma"] * step, abs=1e-15)


def test_an_implicit_action_is_solved_for():
    # sigma_d = (1 + D_z0)/(1 - D_z1) [VBS19]: (1 - h gamma/2)/(1 + h gamma/2) for the midpoint in z.
    system = hz.System(hz.tangent([q], [v]), v**2 / 2 - gamma * z, parameters={gamma: 0.3},
                       discrete={"rule": "midpoint", "action_rule": "implicit"})
    h, g = 0.1, 0.3
    found = system.discrete_legendre(1.0, 1.2, 0.5, h)
    assert found.z1 == pytest.approx(((1 - h * g / 2) * 0.5 + 0.2**2 / (2 * h)) / (1 + h * g / 2), abs=1e-15)
    assert found.sigma == pytest.approx((1 - h * g / 2) / (1 + h * g / 2), abs=1e-15)
    assert found.p0[0] == pytest.approx(0.2 / h / (1 - h * g / 2), abs=1e-13)
    changed = system.discrete_legendre(1.0, 1.2, 0.5, h, parameters={gamma: 0.0})
    assert changed.sigma == 1


@pytest.mark.parametrize("name", ["free", "oscillator"])
def test_the_exact_discrete_lagrangian_has_its_stored_values(name):
    # [ASMLL20, Eqs. 61, 64, 78], values to 50 digits.
    stored = json.loads((REFERENCE / f"exact_discrete_lagrangian_{name}.json").read_text())
    system = hz.System(hz.tangent("q", "v"), stored["lagrangian"], parameters={"gamma": 0.0})
    for case in stored["values"]:
        given = {key: float(case[key]) for key in ("gamma", "h", "q0", "q1", "z0")}
        exact = system.exact_discrete_lagrangian(given["q0"], given["q1"], given["z0"], given["h"],
                                                 parameters={"gamma": given["gamma"]})
        found = [exact.value, exact.v0[0], exact.v1[0], exact.D1[0], exact.D2[0], exact.Dz]
        expected = [float(case[key]) for key in ("L_exact", "v0", "v1", "D1", "D2", "Dz")]
        numpy.testing.assert_allclose(found, expected, rtol=1e-11, atol=1e-11)


def test_bad_input_is_one_sentence():
    system = oscillator()
    with pytest.raises(ValueError, match="no nonholonomic constraints"):
        system.projector()
    with pytest.raises(ValueError, match="'w\\^2'.*w"):
        system.bracket("w^2", q)
    with pytest.raises(hz.UnsupportedFunction, match="gamma"):
        system.bracket(sympy.gamma(q), q)
    with pytest.raises(ValueError, match="no discrete Lagrangian"):
        system.discrete_legendre(0.0, 1.0, 0.0, 0.1)
    with pytest.raises(ValueError, match=r"q0 of shape \(1,\) is needed for q, not \(2,\)"):
        system.exact_discrete_lagrangian([0.0, 1.0], 1.0, 0.0, 0.1)
    with pytest.raises(ValueError, match="q1 needs a value for each of q, and got w"):
        system.exact_discrete_lagrangian(0.0, {"w": 1.0}, 0.0, 0.1)
    with pytest.raises(ValueError, match="unknown parameter 'mass'"):
        system.exact_discrete_lagrangian(0.0, 1.0, 0.0, 0.1, parameters={"mass": 1})
    with pytest.raises(ValueError, match="step of 0"):
        system.exact_discrete_lagrangian(0.0, 1.0, 0.0, 0.0)
    with pytest.raises(ValueError, match="constrain"):
        hz.model("chaplygin-sleigh").exact_discrete_lagrangian([0.0] * 3, [1.0] * 3, 0.0, 0.1)


@pytest.mark.parametrize("name", ["appell-hamel", "heavy-top", "kepler-drag"])
def test_the_rate_of_a_function_is_its_bracket_with_the_energy(name):
    # g' = {E, g} - g R(E) for a motion without forces, with the constrained ones along constraints [LJL21, Thm 17].
    system = hz.model(name)
    constrained = system.rule == "nonholonomic"
    u = system.phase_coordinates
    X = system.hamiltonian_field("energy", constrained=constrained)
    R = system.reeb_field(constrained=constrained)
    g = u[0] * u[-1] + u[-2] ** 2
    numbers = {symbol: 0.4 + 0.07 * k for k, symbol in enumerate(u)}
    numbers |= {system.symbols[name]: value for name, value in system.parameters.items()}
    rate = sum(X[a] * g.diff(a) for a in u)
    damping = system.hamiltonian_field(1, constrained=constrained)
    assert all(damping[a] == -R[a] for a in u)
    energy = system.bracket("energy", 1, constrained=constrained)  # R(E): {f, 1} = -E(f)
    bracket = system.bracket("energy", g, constrained=constrained)
    assert float((rate - bracket + g * energy).subs(numbers)) == pytest.approx(0, abs=1e-12)
