"""What a call from Python costs over the same run in C++, benchmarks/run_overhead.cpp.

usage: python benchmarks/python_overhead.py RESULTS.json BENCH_RUN_OVERHEAD

Both in turn; the fastest of many stretches of some 2 ms counts, too short for other programs to get between.
Microseconds of processor time of a call, and nanoseconds more for each step of a long run.
"""

import json
import statistics
import subprocess
import sys
import time
import timeit

import herglotz as hz

REPETITIONS = 7
BEST_OF = 50
CALLS = {10: 200, 1000: 5, 100_000: 1}  # in a stretch


def in_cpp(program, steps):
    """Microseconds of Simulator::run."""
    output = subprocess.run([program, f"--benchmark_filter=bare_run/{steps}$", "--benchmark_min_time=0.002",
                             f"--benchmark_repetitions={BEST_OF}", "--benchmark_format=json"],
                            capture_output=True, text=True, check=True).stdout
    return min(entry["cpu_time"] for entry in json.loads(output)["benchmarks"] if entry["run_type"] == "iteration")


def in_python(function, system, steps):
    """Microseconds of hz.run or hz.simulate."""
    def call():
        function(system, method="contact-gauss-2", step=0.005, t_end=0.005 * steps)
    return 1e6 * min(timeit.repeat(call, timer=time.process_time, repeat=BEST_OF, number=CALLS[steps])) / CALLS[steps]


def main():
    system = hz.model("damped-pendulum")
    in_python(hz.simulate, system, 1000)  # derives and compiles
    entries = []
    for _ in range(REPETITIONS):
        over = {}
        for steps in CALLS:
            bare = in_cpp(sys.argv[2], steps)
            for function in (hz.run, hz.simulate):
                ours = in_python(function, system, steps)
                over[function.__name__, steps] = ours - bare
                entries.append({"name": f"{function.__name__}/{steps}", "run_type": "iteration", "microseconds": ours,
                                "bare": bare, "overhead": ours - bare})
        entries += [{"name": f"{name}/per_step", "run_type": "iteration",
                     "overhead": 1e3 * (over[name, 100_000] - over[name, 10]) / 100_000} for name in ("run", "simulate")]
    print("| call | from Python | in C++ | overhead |\n|---|---:|---:|---:|")
    for steps in CALLS:
        for name in ("run", "simulate"):
            ours, bare, overhead = (statistics.median(entry[key] for entry in entries if entry["name"] == f"{name}/{steps}")
                                    for key in ("microseconds", "bare", "overhead"))
            print(f"| `hz.{name}`, {steps} steps | {ours:.1f} us | {bare:.1f} us | {overhead:.1f} us |")
    with open(sys.argv[1], "w", encoding="utf-8") as file:
        json.dump({"benchmarks": entries}, file, indent=1)


if __name__ == "__main__":
    main()
