// Swing equations on a random graph with three edges a site, in loops over its edges: time an edge and step with
// everything that a verified run keeps, the same steps written by hand in C++ without action and laws, and the time
// from the text of the model to the first step. Then Kuramoto's oscillators, time a pair and step; and the implicit
// contact-gauss-2 on networks with four edges for three sites, time a site and step, and for the oscillators.

#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <oneapi/tbb/global_control.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include "herglotz/families/run.hpp"
#include "herglotz/io/family_file.hpp"

namespace {

constexpr double step = 0.01;
constexpr double gamma_of_all = 0.1;

struct Graph {
  std::size_t sites = 0;
  std::vector<std::uint32_t> from;
  std::vector<std::uint32_t> to;
};

Graph random_graph(std::size_t edges) {
  Graph graph{edges / 3, {}, {}};
  std::mt19937 random(1);
  for (std::size_t e = 0; e < edges; ++e) {
    const auto from = static_cast<std::uint32_t>(random() % graph.sites);
    const auto by = static_cast<std::uint32_t>(1 + random() % (graph.sites - 1));
    graph.from.push_back(from);
    graph.to.push_back(static_cast<std::uint32_t>((from + by) % graph.sites));
  }
  return graph;
}

/// A tree whose branches are joined by every third site, as lines of a power grid are.
Graph power_grid(std::size_t sites) {
  Graph graph{sites, {}, {}};
  std::mt19937 random(1);
  for (std::size_t site = 1; site < sites; ++site) {
    const auto before = [&](std::size_t most) {
      return static_cast<std::uint32_t>(site - 1 - random() % std::min(site, most));
    };
    graph.from.push_back(before(50));
    graph.to.push_back(static_cast<std::uint32_t>(site));
    if (site % 3 != 0) continue;
    graph.from.push_back(before(100));
    graph.to.push_back(static_cast<std::uint32_t>(site));
  }
  return graph;
}

constexpr const char* splitting = "contact-splitting-2";
constexpr const char* implicit = "contact-gauss-2";

std::string settings(std::size_t steps, const char* method) {
  return fmt::format(
      "[simulation]\nmethod = \"{}\"\nstep = {}\nt_end = {}\noutput_every = 1000000000\n"
      "columns = [\"energy\"]\n",
      method, step, step * static_cast<double>(steps));
}

/// Text of the model; its edges are written to a file.
class Network {
 public:
  explicit Network(const Graph& graph)
      : sites_(graph.sites), file_(std::filesystem::temp_directory_path() / "herglotz_bench_graph.csv") {
    std::ofstream out(file_);
    out << "from,to\n";
    for (std::size_t e = 0; e < graph.from.size(); ++e) out << graph.from[e] << ',' << graph.to[e] << '\n';
  }
  Network(const Network&) = delete;
  Network& operator=(const Network&) = delete;
  ~Network() { std::filesystem::remove(file_); }

  [[nodiscard]] herglotz::families::Model model(std::size_t steps, const char* method = splitting) const {
    return herglotz::io::parse_family_model(
        fmt::format("[indices]\ni = {{ count = {}, ends = \"free\" }}\ne = {{ edges = \"{}\" }}\n"
                    "[algebroid]\nkind = \"tangent\"\nbase = [\"q[i]\"]\nfibre = [\"v[i]\"]\n"
                    "[parameters]\ngamma = {}\n"
                    "[dynamics]\nlagrangian = \"sum(i, v[i]^2/2) + sum(e, cos(q[e.to] - q[e.from])) - gamma*z\"\n"
                    "[initial]\n\"q[i]\" = \"sin(7*i)\"\n{}",
                    sites_, file_.string(), gamma_of_all, settings(steps, method)),
        "network.toml");
  }

 private:
  std::size_t sites_;
  std::filesystem::path file_;
};

constexpr std::size_t edge_steps = 10'000'000;

void report(benchmark::State& state, std::size_t links, double seconds) {
  state.counters["ns_per_link_step"] =
      1e9 * seconds / (static_cast<double>(state.iterations()) * static_cast<double>(links));
}

void run_of(benchmark::State& state, herglotz::families::Model model, std::size_t links) {
  const tbb::global_control threads(tbb::global_control::max_allowed_parallelism, 1);
  double seconds = 0;
  for (auto _ : state) {
    const auto run = herglotz::families::run(model);
    state.SetIterationTime(run.trajectory.facts.wall_seconds);
    seconds += run.trajectory.facts.wall_seconds;
  }
  report(state, links, seconds);
}

void edge_step(benchmark::State& state) {
  const auto edges = static_cast<std::size_t>(state.range(0));
  const std::size_t steps = edge_steps / edges;
  const Network network(random_graph(edges));
  run_of(state, network.model(steps), edges * steps);
}

void edge_step_by_hand(benchmark::State& state) {
  const auto edges = static_cast<std::size_t>(state.range(0));
  const std::size_t steps = edge_steps / edges;
  const Graph graph = random_graph(edges);
  std::vector<double> q(graph.sites);
  std::vector<double> p(graph.sites);
  std::vector<double> force(graph.sites);
  for (std::size_t i = 0; i < graph.sites; ++i) q[i] = std::sin(7.0 * static_cast<double>(i));
  const double decay = std::exp(-gamma_of_all * step);
  const double kick = -std::expm1(-gamma_of_all * step) / gamma_of_all;
  for (auto _ : state) {
    for (std::size_t k = 0; k < steps; ++k) {
      for (std::size_t i = 0; i < graph.sites; ++i) {
        q[i] += step * p[i];
        force[i] = 0;
      }
      for (std::size_t e = 0; e < edges; ++e) {
        const double pull = std::sin(q[graph.to[e]] - q[graph.from[e]]);
        force[graph.from[e]] += pull;
        force[graph.to[e]] -= pull;
      }
      for (std::size_t i = 0; i < graph.sites; ++i) p[i] = decay * p[i] + kick * force[i];
    }
    benchmark::DoNotOptimize(q.data());
  }
  state.counters["ns_per_link_step"] =
      benchmark::Counter(1e-9 * static_cast<double>(edges * steps),
                         benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

void first_step(benchmark::State& state) {
  const Network network(random_graph(static_cast<std::size_t>(state.range(0))));
  for (auto _ : state) {
    auto model = network.model(1);
    benchmark::DoNotOptimize(herglotz::families::run(model));
  }
}

void grid_step(benchmark::State& state) {
  const auto sites = static_cast<std::size_t>(state.range(0));
  const std::size_t steps = 1'000'000 / sites;
  const Network network(power_grid(sites));
  run_of(state, network.model(steps, implicit), sites * steps);
}

void pair_step(benchmark::State& state, const char* method) {
  const auto count = static_cast<std::size_t>(state.range(0));
  const std::size_t pairs = count * (count - 1) / 2;
  const std::size_t steps = edge_steps / pairs + 1;
  run_of(state,
         herglotz::io::parse_family_model(
             fmt::format("[indices]\ni = {{ count = {}, ends = \"free\" }}\n"
                         "[algebroid]\nkind = \"tangent\"\nbase = [\"q[i]\"]\nfibre = [\"v[i]\"]\n"
                         "[dynamics]\nlagrangian = \"sum(i, v[i]^2/2) + sum(i, j < i, cos(q[i] - q[j]))/count - z\"\n"
                         "[initial]\n\"q[i]\" = \"sin(7*i)\"\n{}",
                         count, settings(steps, method)),
             "kuramoto.toml"),
         pairs * steps);
}

BENCHMARK(edge_step)->Arg(1'000)->Arg(10'000)->Arg(100'000)->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK(edge_step_by_hand)->Arg(1'000)->Arg(10'000)->Arg(100'000)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(first_step)->Arg(1'000)->Arg(10'000)->Arg(100'000)->Unit(benchmark::kMillisecond);
BENCHMARK(grid_step)->Arg(1'000)->Arg(10'000)->Arg(100'000)->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(pair_step, explicit, splitting)
    ->Arg(300)
    ->Arg(1'000)
    ->Arg(3'000)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(pair_step, implicit, implicit)
    ->Arg(300)
    ->Arg(1'000)
    ->Arg(3'000)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);

}  // namespace
