"""Where the sampled members end: heyoka in quadruple precision, checked by Boost.odeint in 80-bit arithmetic."""

import hashlib
import subprocess
import sys

import heyoka
import numpy as np

SAMPLE = 32  # members 0, ..., 31, whose errors are taken
TOLERANCE = 1e-22
AGREE = 2e-13  # 80-bit arithmetic through the growth of errors in these problems


def ends_by_taylor(problem):
    """States at t_end, (SAMPLE x n), rounded to double."""
    quad = heyoka.real128
    symbols = heyoka.make_vars(*problem.state)
    rates = problem.function(heyoka.sin, heyoka.cos, heyoka.sqrt)(*symbols)
    starts = problem.starts(SAMPLE)
    integrator = heyoka.taylor_adaptive(list(zip(symbols, rates)), [quad(s) for s in starts[0]], tol=quad(TOLERANCE),
                                        fp_type=quad, compact_mode=len(problem.let) > 50)
    ends = []
    for start in starts:
        integrator.time = quad(0)
        integrator.state[:] = [quad(s) for s in start]
        outcome = integrator.propagate_until(quad(problem.t_end))[0]
        if outcome != heyoka.taylor_outcome.time_limit:
            sys.exit(f"reference: {problem.name}: heyoka ended with {outcome}")
        ends.append([float(x) for x in integrator.state])
    return np.array(ends)


def simplest(problem, problems):
    """Of the problems with this motion, the one with the shortest formulas."""
    same = [other for other in problems if other.same_motion_as == problem.same_motion_as]
    return min(same, key=lambda other: len(other.let))


def prepare(chosen, problems, folder, members, checker):
    """For the chosen ones of all problems. Writes NAME.starts and NAME.ends (doubles, row by row) for every problem; what is there and fits is kept."""
    for problem in chosen:
        start_file = folder / f"{problem.name}.starts"
        if not start_file.exists() or start_file.stat().st_size != members * len(problem.state) * 8:
            problem.starts(members).tofile(start_file)
        key = hashlib.sha256((problem.python_source() + repr((problem.start, problem.spread, problem.t_end, SAMPLE,
                                                              TOLERANCE))).encode()).hexdigest()
        end_file, key_file = folder / f"{problem.name}.ends", folder / f"{problem.name}.key"
        if end_file.exists() and key_file.exists() and key_file.read_text() == key:
            continue
        ends = ends_by_taylor(simplest(problem, problems))
        ends.tofile(end_file)
        run = subprocess.run([checker, "--check", folder, problem.name], capture_output=True, text=True, check=True)
        difference = float(run.stdout)
        print(f"reference {problem.name}: two programs agree to {difference:.1e}", file=sys.stderr)
        if not difference < AGREE:
            sys.exit(f"reference: {problem.name}: heyoka and Boost.odeint differ by {difference:.1e}, more than {AGREE:.0e}")
        key_file.write_text(key)
