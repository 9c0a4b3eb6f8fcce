"""JAX and diffrax in double precision: Tsit5 and Dopri8, vmapped over members, a device per thread."""

import os
import sys

os.environ["XLA_FLAGS"] = f"--xla_force_host_platform_device_count={sys.argv[4]}"

import diffrax
import jax
import jax.numpy as jnp
import numpy as np
import protocol

jax.config.update("jax_enable_x64", True)
VMAPPED = 512  # members per call and device


def by_entries(problem):
    """The state as a tuple of numbers: faster than one array, except where there is linear algebra."""
    rates = problem.function(jnp.sin, jnp.cos, jnp.sqrt)
    return (lambda t, y, _: rates(*y)), tuple, lambda ends: jnp.stack([entry[0] for entry in ends])


def by_matrices(problem):
    """The formulas of problems.by_mass_matrix with jax.numpy's matrices."""
    n = problem.links
    count = np.array([[float(n + 1 - max(i, j)) for j in range(1, n + 1)] for i in range(1, n + 1)])
    weight = np.diag(count) * problem.parameters["g"] / problem.parameters["l"]

    def rates(t, y, _):
        q, v = y[:n], y[n:]
        s, c = jnp.sin(q), jnp.cos(q)
        mass = count * (c[:, None] * c[None, :] + s[:, None] * s[None, :])
        turn = count * (s[:, None] * c[None, :] - c[:, None] * s[None, :])
        a = jax.scipy.linalg.solve(mass, -turn @ (v * v) - weight * s, assume_a="pos")
        return jnp.concatenate([v, a - problem.parameters["gamma"] * v])
    return rates, lambda start: start, lambda ends: ends[0]


def solve_of(problem, solver):
    """(start, tolerance) -> end."""
    rates, into, out_of = (by_matrices if problem.formulas == "mass matrix" else by_entries)(problem)
    term = diffrax.ODETerm(rates)

    def solve(start, tolerance):
        done = diffrax.diffeqsolve(
            term, solver, t0=0.0, t1=problem.t_end, dt0=None, y0=into(start), max_steps=200000, throw=False,
            stepsize_controller=diffrax.PIDController(rtol=tolerance, atol=tolerance),
            saveat=diffrax.SaveAt(t1=True), adjoint=diffrax.ForwardMode())
        return out_of(done.ys)
    return solve


def one_by_one(compiled, tolerance):
    def run(starts):
        return np.array([compiled(start, tolerance) for start in starts])
    return run


def vmapped(compiled, tolerance, devices):
    """Chunks go to the devices in turn; calls return at once, so that all devices work."""
    def run(starts):
        chunks = [jax.device_put(starts[k:k + VMAPPED], devices[(k // VMAPPED) % len(devices)])
                  for k in range(0, len(starts), VMAPPED)]
        return np.concatenate([np.asarray(end) for end in [compiled(chunk, tolerance) for chunk in chunks]])
    return run


def main():
    request = protocol.Request()
    devices = jax.devices()
    for problem in request.problems:
        for method, solver in (("Tsit5", diffrax.Tsit5()), ("Dopri8", diffrax.Dopri8())):
            solve = solve_of(problem, solver)
            one, many = jax.jit(solve), jax.jit(jax.vmap(solve, in_axes=(0, None)))
            for tolerance in request.thin(protocol.tolerances()):
                if not protocol.measure(request, problem, "diffrax", method, tolerance, one_by_one(one, tolerance),
                                        vmapped(many, tolerance, devices), chunk=VMAPPED * len(devices), first=1):
                    break


if __name__ == "__main__":
    main()
