// A damped sine-Gordon ring in loops over its sites: time a site and step with everything that a verified run keeps,
// for 10^3 to 10^6 sites and one or two threads, and the time from the text of the model to the first step.

#include <benchmark/benchmark.h>
#include <oneapi/tbb/global_control.h>

#include <string>

#include "herglotz/families/run.hpp"
#include "herglotz/io/family_file.hpp"

namespace {

std::string ring(std::size_t count, std::size_t steps, const std::string& method = "contact-splitting-2") {
  return "[indices]\ni = { count = " + std::to_string(count) +
         ", ends = \"periodic\" }\n"
         "[algebroid]\nkind = \"tangent\"\nbase = [\"q[i]\"]\nfibre = [\"v[i]\"]\n"
         "[parameters]\nk = 1.0\nm = 1.0\ngamma = 0.001\n"
         "[dynamics]\nlagrangian = \"sum(i, v[i]^2/2 - k*(q[i+1] - q[i])^2/2 - m*(1 - cos(q[i]))) - gamma*z\"\n"
         "[initial]\n\"q[i]\" = \"4*atan(exp((i - count/2)/10))\"\n"
         "[simulation]\nmethod = \"" +
         method + "\"\nstep = 0.05\nt_end = " + std::to_string(0.05 * static_cast<double>(steps)) +
         "\noutput_every = 1000000000\ncolumns = [\"energy\"]\n";
}

/// A run of so many steps of all sites.
void site_step(benchmark::State& state, const std::string& method, std::size_t all_steps) {
  const auto count = static_cast<std::size_t>(state.range(0));
  const std::size_t steps = all_steps / count;
  const tbb::global_control threads(tbb::global_control::max_allowed_parallelism,
                                    static_cast<std::size_t>(state.range(1)));
  herglotz::families::Model model = herglotz::io::parse_family_model(ring(count, steps, method), "ring.toml");
  double seconds = 0;
  for (auto _ : state) {
    const auto run = herglotz::families::run(model);
    state.SetIterationTime(run.trajectory.facts.wall_seconds);
    seconds += run.trajectory.facts.wall_seconds;
  }
  state.counters["ns_per_site_step"] =
      1e9 * seconds / (static_cast<double>(state.iterations()) * static_cast<double>(count * steps));
}

void first_step(benchmark::State& state) {
  const auto count = static_cast<std::size_t>(state.range(0));
  const std::string text = ring(count, 1);
  for (auto _ : state) {
    herglotz::families::Model model = herglotz::io::parse_family_model(text, "ring.toml");
    benchmark::DoNotOptimize(herglotz::families::run(model));
  }
}

BENCHMARK_CAPTURE(site_step, splitting, "contact-splitting-2", 40'000'000)
    ->ArgsProduct({{1'000, 10'000, 100'000, 1'000'000}, {1, 2}})
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(site_step, gauss_2, "contact-gauss-2", 4'000'000)
    ->ArgsProduct({{1'000, 10'000, 100'000, 1'000'000}, {1}})
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(site_step, gauss_4, "contact-gauss-4", 4'000'000)
    ->ArgsProduct({{1'000, 10'000, 100'000, 1'000'000}, {1}})
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK(first_step)->Arg(1'000)->Arg(1'000'000)->Unit(benchmark::kMillisecond);

}  // namespace
