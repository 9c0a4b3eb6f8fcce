"""JAX and diffrax in double precision: Tsit5 and Dopri8, vmapped over members, a device per thread."""

import os
import sys

os.environ["XLA_FLAGS"] = f"--xla_force_host_platform_device_count={sys.argv[4]}"

import diffrax  # noqa: E402
import jax  # noqa: E402
import jax.numpy as jnp  # noqa: E402
import numpy as np  # noqa: E402

import protocol  # noqa: E402

jax.config.update("jax_enable_x64", True)
VMAPPED = 512  # members per call and device


def solve_of(problem, solver):
    """(start, tolerance) -> end."""
    rates = problem.function(jnp.sin, jnp.cos, jnp.sqrt)
    term = diffrax.ODETerm(lambda t, y, _: rates(*y))

    def solve(start, tolerance):
        done = diffrax.diffeqsolve(
            term, solver, t0=0.0, t1=problem.t_end, dt0=None, y0=tuple(start), max_steps=200000, throw=False,
            stepsize_controller=diffrax.PIDController(rtol=tolerance, atol=tolerance),
            saveat=diffrax.SaveAt(t1=True), adjoint=diffrax.ForwardMode())
        return jnp.stack([entry[0] for entry in done.ys])
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
