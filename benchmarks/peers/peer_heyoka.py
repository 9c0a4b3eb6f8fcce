"""heyoka: adaptive Taylor methods, compiled; one by one, in batches on threads, and by its own ensembles."""

import concurrent.futures

import heyoka
import numpy as np
import protocol


def system_of(problem):
    symbols = heyoka.make_vars(*problem.state)
    return list(zip(symbols, problem.function(heyoka.sin, heyoka.cos, heyoka.sqrt)(*symbols)))


def one_by_one(integrator, t_end):
    def run(starts):
        ends = np.empty_like(starts)
        for k, start in enumerate(starts):
            integrator.time = 0.0
            integrator.state[:] = start
            integrator.propagate_until(t_end)
            ends[k] = integrator.state
        return ends
    return run


def in_batches(integrators, lanes, t_end):
    """Each thread takes batches in turn and propagates them with its own integrator."""
    def work(integrator, starts, ends, batches):
        for first in batches:
            integrator.set_time(0.0)
            integrator.state[:] = starts[first:first + lanes].T
            integrator.propagate_until(t_end)
            ends[first:first + lanes] = integrator.state.T

    pool = concurrent.futures.ThreadPoolExecutor(len(integrators))

    def run(starts):
        ends = np.empty_like(starts)
        shares = [range(i * lanes, len(starts), lanes * len(integrators)) for i in range(len(integrators))]
        for future in [pool.submit(work, integrator, starts, ends, share)
                       for integrator, share in zip(integrators, shares)]:
            future.result()
        return ends
    return run


def by_ensemble(integrator, lanes, t_end):
    """heyoka's own ensemble_propagate_until_batch; it copies the integrator for every batch."""
    def run(starts):
        def batch(copy, i):
            copy.set_time(0.0)
            copy.state[:] = starts[i * lanes:(i + 1) * lanes].T
            return copy
        done = heyoka.ensemble_propagate_until_batch(integrator, t_end, len(starts) // lanes, batch)
        return np.concatenate([outcome[0].state.T for outcome in done])
    return run


def main():
    request = protocol.Request()
    lanes = heyoka.recommended_simd_size()
    heyoka.set_nthreads(request.threads)
    for problem in request.problems:
        system = system_of(problem)
        compact = len(problem.let) > 200  # slower, but otherwise it compiles for most of a minute
        for tolerance in request.thin([10.0**-digits for digits in range(3, 16)]):
            single = heyoka.taylor_adaptive(system, problem.start, tol=tolerance, compact_mode=compact)
            batch = heyoka.taylor_adaptive_batch(system, np.zeros((len(problem.state), lanes)), tol=tolerance,
                                                 compact_mode=compact)
            copies = [heyoka.taylor_adaptive_batch(system, np.zeros((len(problem.state), lanes)), tol=tolerance,
                                                   compact_mode=compact) for _ in range(request.threads - 1)]
            t_end = problem.t_end
            go_on = protocol.measure(request, problem, "heyoka", "taylor", tolerance, one_by_one(single, t_end),
                                     in_batches([batch, *copies], lanes, t_end), lanes)
            protocol.measure(request, problem, "heyoka", "taylor, ensemble", tolerance, None,
                             by_ensemble(batch, lanes, t_end), lanes)
            if not go_on:
                break


if __name__ == "__main__":
    main()
