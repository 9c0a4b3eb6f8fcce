"""How every Python program measures; the same samples, budgets and lines as protocol.hpp."""

import argparse
import json
import math
import pathlib
import sys
import time

import numpy as np
import problems

SAMPLE = 32
HOPELESS_ERROR = 10
FINEST_ERROR = 1e-12
now = time.perf_counter  # or the processor time of this process


def tolerances():
    return [10.0**-digits for digits in range(3, 14)]


def step_counts(fewest, most):
    return [fewest * 2**k for k in range(int(math.log2(most / fewest)) + 1)]


class Request:
    """What the driver asks for, and the problems with their starts and ends."""

    def __init__(self):
        parser = argparse.ArgumentParser()
        parser.add_argument("folder", type=pathlib.Path)
        parser.add_argument("budget", type=float)
        parser.add_argument("members", type=int)
        parser.add_argument("threads", type=int)
        parser.add_argument("thinning", type=int)
        parser.add_argument("clock", choices=["wall", "processor"])
        parser.add_argument("problems", nargs="*")
        words = parser.parse_args()
        self.folder, self.budget, self.members = words.folder, words.budget, words.members
        self.threads, self.thinning = words.threads, words.thinning
        global now
        now = time.process_time if words.clock == "processor" else time.perf_counter
        self.problems = problems.load(words.problems)

    def thin(self, settings):
        return settings[::self.thinning]

    def starts(self, problem):
        return np.fromfile(self.folder / f"{problem.name}.starts").reshape(-1, len(problem.state))[:self.members]

    def ends(self, problem):
        return np.fromfile(self.folder / f"{problem.name}.ends").reshape(SAMPLE, len(problem.state))


def error_of(ends, reached):
    """Root mean square over the sample of the largest error of an entry, relative to its size where that is above 1."""
    largest = np.max(np.abs(reached[:SAMPLE] - ends) / np.maximum(1, np.abs(ends)), axis=1)
    return float(np.sqrt(np.mean(largest**2)))


def timed(run, *arguments):
    begin = now()
    result = run(*arguments)
    return now() - begin, result


def repeat(run, budget, argument):
    """The shortest time of as many runs as fit the budget, at least two where the first took less than it; a result."""
    best, result = timed(run, argument)
    spent, count = best, 1
    while spent < budget or (count < 2 and spent < 2 * budget):
        seconds, result = timed(run, argument)
        best, spent, count = min(best, seconds), spent + seconds, count + 1
    return best, result


def measure(request, problem, program, method, setting, one=None, many=None, chunk=1, threads=None, first=SAMPLE):
    """One setting. `one(starts)` integrates members one by one on one thread, `many(starts)` as fast as the program can,
    any multiple of `chunk` members on `threads` threads; both return the final states. Returns False where finer settings
    need not be tried: it took long, or nothing is left to gain."""
    starts, ends = request.starts(problem), request.ends(problem)

    def write(regime, members, used, seconds, reached):
        error = error_of(ends, reached)
        if error < HOPELESS_ERROR:
            print(json.dumps({"problem": problem.name, "program": program, "method": method, "regime": regime,
                              "members": members, "threads": used, "setting": setting, "seconds": seconds,
                              "error": float(f"{error:.4g}"), "throughput": members / seconds}), flush=True)
        return error

    try:
        slowest, error = 0.0, HOPELESS_ERROR
        if one is not None:
            one(starts[:1])
            best, reached = repeat(one, request.budget, starts[:SAMPLE])
            error = write("single", SAMPLE, 1, best, reached)
            slowest = best
        if many is not None:
            used = threads or request.threads
            count = max(chunk, math.ceil(first / chunk) * chunk)
            many(starts[:count])  # whatever is compiled, cached or paged in at the first call
            seconds, reached = timed(many, starts[:count])
            wanted = int(request.budget / seconds * count) // chunk * chunk
            slowest = max(slowest, seconds * SAMPLE / count)
            if wanted > count:
                count = min(wanted, len(starts) // chunk * chunk)
                seconds, reached = repeat(many, request.budget, starts[:count])
            error = write("many", count, used, seconds, reached)
    except RuntimeError as failed:  # of the integrator
        print(f"no point: {problem.name}, {program}, {method}, {setting:.3g}: {str(failed)[:200]}", file=sys.stderr)
        return True
    return slowest < min(20 * request.budget, 2) and not error <= FINEST_ERROR
