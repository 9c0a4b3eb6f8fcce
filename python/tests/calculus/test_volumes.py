"""Volume laws and flows of constrained Hamiltonian fields [LJL21, Props 5, 12, Thms 17, 18], against compiled motions."""

import numpy
import pytest
import sympy

import herglotz as hz

REFERENCE = {"method": "reference", "tolerance": 1e-12}


def residual(system, t_end=1.0, step=0.005):
    run = hz.simulate(system, t_end=t_end, output_step=step, **REFERENCE)
    found = system.volume_along(run)
    return float(numpy.abs(found.volume_residual).max()), float(found.volume[-1])


def test_the_contact_volume_shrinks_with_the_reeb_derivative_of_the_energy_ljl21_proposition_5():
    system = hz.model("damped-pendulum")
    gamma, n = system.symbols["gamma"], 1
    law = system.volume_law()
    assert law.rate == -2 * gamma
    assert law.density == system.symbols["m"] * system.symbols["l"]**2
    reeb = system.reeb_field()
    energy = system.legendre_transform()
    assert sum(component * energy.diff(symbol) for symbol, component in reeb.items()) * -(n + 1) == law.rate
    defect, last = residual(system)
    assert defect < 1e-12 and last == pytest.approx(numpy.exp(-2 * system.parameters["gamma"]), abs=1e-12)


@pytest.mark.parametrize("name", ["nonlinear-action", "heavy-top", "wong-particle", "underwater-se2"])
def test_the_divergence_is_the_trace_of_the_compiled_motion(name):
    assert residual(hz.model(name))[0] < 1e-10


def test_brackets_with_a_trace_and_forces_change_the_volume_as_well():
    a, b, gamma, drag = sympy.symbols("a b gamma drag", real=True)
    group = hz.lie_algebra([a, b], brackets={("a", "b"): {"b": 1}})  # of the line, not unimodular
    system = hz.System(group, (a**2 + 2*b**2)/2 - gamma*sympy.Symbol("z", real=True), parameters={gamma: 0.1, drag: 0.4},
                       forces={b: -drag*b**3}, initial={a: 0.3, b: 0.4})
    assert sympy.expand(system.volume_law().rate - (a - 3*gamma - sympy.Rational(3, 2)*drag*b**2)) == 0
    assert residual(system)[0] < 1e-12


@pytest.mark.parametrize("name", ["chaplygin-sleigh", "rolling-disk", "snakeboard", "isokinetic", "spherical-pendulum",
                                  "rotating-wire", "ball-on-rotating-table"])
def test_along_constraints_the_divergence_is_the_trace_of_the_compiled_motion_ljl21_proposition_12(name):
    assert residual(hz.model(name), t_end=0.5, step=0.01)[0] < 1e-10


def test_along_constraints_the_divergence_is_that_of_the_projected_motion_ljl21_proposition_12():
    system = hz.model("chaplygin-sleigh")
    law, field = system.volume_law(), system.dynamics_field(constrained=True)
    divergence = sum(component.diff(symbol) for symbol, component in field.items())  # det W is a number here
    assert law.density.diff(*system.base[:1]) == 0
    start = {symbol: system.initial.get(name, 0.0) for name, symbol in zip(system.state, system.phase_coordinates)}
    numbers = {system.symbols[name]: value for name, value in system.parameters.items()}
    rate = law.rate.subs(start).subs(numbers)
    assert float(rate) == pytest.approx(float(divergence.subs(start).subs(numbers)), abs=1e-12)
    free = -4 * system.parameters["gamma"]  # (r + 1) L_z
    assert abs(float(rate) - free) > 1e-3


def test_two_anchors_and_a_bracket_that_is_not_skew_change_the_volume():
    assert residual(hz.model("general-algebroid"), t_end=0.5)[0] < 1e-10
    q, p, a, z = sympy.symbols("q p_v a z", real=True)
    strange = hz.custom([q], ["v"], [[1 + q**2]], {("v", "v"): {"v": "q"}}, right_anchor=[[2]], skew=False)
    system = hz.System(strange, hamiltonian=(1 + q)*p**2/2 + q**2/2 + a*z, parameters={a: 0.1}, initial={q: 1.0, p: 0.5})
    assert residual(system, t_end=0.5)[0] < 1e-10


def test_a_volume_is_one_of_runs_that_are_smooth():
    with pytest.raises(ValueError, match="nonholonomic ones"):
        hz.model("skate-vakonomic").volume_law()
    with pytest.raises(ValueError, match="the Lagrangian is singular: dx dp dz is no volume"):
        hz.model("christ-lee").volume_law()
    with pytest.raises(ValueError, match="the Lagrangian is singular: dx dp dz is no volume"):
        hz.model("stokes-top").volume_law()  # with constraints: a matrix was called singular
    with pytest.raises(ValueError, match="nonholonomic ones"):
        hz.simulate(hz.model("skate-vakonomic"), t_end=1, columns=["volume"])
    with pytest.raises(ValueError, match="smooth motions"):
        hz.simulate(hz.model("stick-slip"), t_end=1, columns=["volume_residual"])
    with pytest.raises(ValueError, match="smooth motions"):
        hz.sweep(hz.model("stick-slip"), initial={"v": [0.1, 0.2]}, t_end=1, columns=["volume"])
    sticks = hz.model("stick-slip")
    with pytest.raises(ValueError, match="smooth motions"):
        sticks.volume_along(hz.simulate(sticks, t_end=1))
    with pytest.raises(TypeError, match="run = None; a run of this system is needed"):
        sticks.volume_along(None)
    with pytest.raises(ValueError, match="the run has no column 'theta'"):
        hz.model("damped-pendulum").volume_along(hz.simulate(hz.model("damped-oscillator"), t_end=1))


def test_the_volume_does_not_depend_on_the_distance_of_rows():
    q, v = sympy.symbols("q v", real=True)
    system = hz.System(hz.tangent([q], [v]), (v**2 - q**2)/2, forces={v: -v**3/10}, initial={q: 1.0})
    fine, coarse = (system.volume_along(hz.simulate(system, t_end=30, output_step=step, **REFERENCE)) for step in (0.01, 3))
    assert float(coarse.volume[-1]) == pytest.approx(float(fine.volume[-1]), abs=1e-11)


def test_a_run_has_the_volume_as_columns_on_demand():
    system = hz.model("nonlinear-action")
    run = hz.simulate(system, t_end=2, output_step=0.01, columns=["volume", "volume_residual"], **REFERENCE)
    found = system.volume_along(hz.simulate(system, t_end=2, output_step=0.01, **REFERENCE))
    assert set(run) == {"volume", "volume_residual"}
    assert numpy.array_equal(run.volume, found.volume) and float(numpy.abs(run.volume_residual).max()) < 1e-10


def test_the_volume_of_a_hamiltonian_with_forces():
    q, p, z, gamma = sympy.symbols("q p_v z gamma", real=True)
    system = hz.System(hz.tangent([q], ["v"]), hamiltonian=p**2/2*(1 + q**2) + q**2/2 + gamma*z*p, parameters={gamma: 0.1},
                       forces={"v": -p**3/4}, initial={q: 1.0, p: 0.5}, events={"cross": q})
    assert sympy.expand(system.volume_law().rate + 2*gamma*p + sympy.Rational(3, 4)*p**2) == 0
    run = hz.simulate(system, t_end=5, output_step=0.01, columns=["q", "volume", "volume_residual"], **REFERENCE)
    assert float(numpy.abs(run.volume_residual).max()) < 1e-12
    crossing = run.hz.events.isel(event=0)
    k = int(numpy.searchsorted(run.t, float(crossing.t)))
    assert float(run.volume[k]) < float(crossing.volume) < float(run.volume[k - 1])


def blade():
    x, y, phi, vx, vy, w, z, gamma = sympy.symbols("x y phi vx vy w z gamma", real=True)
    return hz.System(hz.tangent([x, y, phi], [vx, vy, w]), (vx**2 + vy**2 + w**2)/2 - x - gamma*z, parameters={gamma: 0.1},
                     constraints=vx*sympy.sin(phi) - vy*sympy.cos(phi),
                     initial={x: 0.4, phi: 0.3, vx: "0.7*cos(0.3)", vy: "0.7*sin(0.3)", w: 1.2, z: 0.2})


def test_the_constrained_flow_of_the_energy_is_the_nonholonomic_motion_ljl21_theorem_17():
    system = blade()
    flow = system.flow("energy", constrained=True)
    one, other = (hz.simulate(each, t_end=2, **REFERENCE) for each in (system, flow))
    assert max(abs(float(one[name][-1] - other[name][-1])) for name in system.state) < 1e-11


def test_constraints_stay_along_the_constrained_flow_of_any_function_ljl21_theorem_18():
    system = blade()
    run = hz.simulate(system.flow("x*vx + sin(phi)*w - z", constrained=True), t_end=1, **REFERENCE)
    assert float(numpy.abs(run.constraint_1).max()) < 1e-12
    assert abs(float(run.z[-1] - run.z[0])) > 1e-3
    with pytest.raises(ValueError, match="depends on t"):
        system.flow("t*x", constrained=True)


def test_a_sweep_has_the_volumes_of_its_members_alone():
    q, v, z, g = sympy.symbols("q v z g", real=True)
    system = hz.System(hz.tangent([q], [v]), v**2*sympy.exp(z/4)/2 - q**2/2 - g*z, parameters={g: 0.1}, initial={q: 1.0})
    columns = ["q", "volume", "volume_residual"]
    for settings in ({"tolerance": 1e-10}, {"method": "contact-gauss-4", "step": 0.05}):
        ends = hz.sweep(system, parameters={g: [0.05, 0.2]}, t_end=2, columns=columns, **settings)
        for k, value in enumerate((0.05, 0.2)):
            alone = hz.simulate(system, parameters={g: value}, t_end=2, columns=columns, **settings)
            for name in columns:
                assert float(ends[name].isel(g=k)) == float(alone[name][-1]), name
    assert abs(ends.largest_volume_residual).max() < 1e-6
