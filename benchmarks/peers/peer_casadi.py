"""CasADi: its integrator 'cvodes' mapped over members, and rk4 as generated C, compiled and mapped."""

import casadi
import numpy as np
import protocol

MAPPED = 64  # members per call
COMPILED = {"jit": True, "compiler": "shell", "jit_options": {"compiler": "gcc", "flags": ["-O3", "-march=native"]}}


def rates_of(problem):
    """The state and its rate as expressions."""
    state = casadi.SX.sym("state", len(problem.state))
    entries = [state[i] for i in range(len(problem.state))]
    return state, casadi.vertcat(*problem.function(casadi.sin, casadi.cos, casadi.sqrt)(*entries))


def cvodes(problem, tolerance):
    state, rate = rates_of(problem)
    integrator = casadi.integrator("run", "cvodes", {"x": state, "ode": rate}, 0, problem.t_end,
                                   {"abstol": tolerance, "reltol": tolerance, "max_num_steps": 200000,
                                    "linear_multistep_method": "adams", "nonlinear_solver_iteration": "functional"})
    state = casadi.MX.sym("state", len(problem.state))
    return casadi.Function("run", [state], [integrator(x0=state)["xf"]])


def rk4(problem, steps):
    state, rate = rates_of(problem)
    rates = casadi.Function("rates", [state], [rate])
    h = problem.t_end / steps
    k1 = rates(state)
    k2 = rates(state + h / 2 * k1)
    k3 = rates(state + h / 2 * k2)
    k4 = rates(state + h * k3)
    step = casadi.Function("step", [state], [state + h / 6 * (k1 + 2 * (k2 + k3) + k4)])
    state = casadi.MX.sym("state", len(problem.state))
    return casadi.Function("run", [state], [step.fold(steps)(state)], COMPILED)


def one_by_one(function):
    def run(starts):
        return np.array([np.array(function(start)).ravel() for start in starts])
    return run


def mapped(function, threads):
    many = function.map(MAPPED, "thread", threads)

    def run(starts):
        return np.concatenate([np.array(many(starts[k:k + MAPPED].T)).T for k in range(0, len(starts), MAPPED)])
    return run


def main():
    request = protocol.Request()
    for problem in request.problems:
        for tolerance in request.thin(protocol.tolerances()):
            function = cvodes(problem, tolerance)
            if not protocol.measure(request, problem, "CasADi", "cvodes adams", tolerance, one_by_one(function),
                                    mapped(function, request.threads), chunk=MAPPED, first=MAPPED):
                break
        for steps in request.thin(protocol.step_counts(16, 16384)):
            function = rk4(problem, steps)
            if not protocol.measure(request, problem, "CasADi", "rk4, generated C", problem.t_end / steps,
                                    one_by_one(function), mapped(function, request.threads), chunk=MAPPED, first=MAPPED):
                break


if __name__ == "__main__":
    main()
