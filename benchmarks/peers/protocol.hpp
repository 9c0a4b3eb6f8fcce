#pragma once
/// How every C++ program measures: samples, budgets, threads, one JSON line per point.

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <functional>
#include <limits>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace protocol {

constexpr std::size_t sample = 32;      ///< members whose error is taken; as in reference.py
constexpr std::size_t block = 32;       ///< members that a thread takes at a time
constexpr double hopeless_error = 10;   ///< above it a setting is not worth a point
constexpr double finest_error = 1e-12;  ///< below it finer settings are not tried

/// Whether the processor time of this process is measured instead of the time on the wall.
inline bool processor_time = false;
inline double now() {
  if (processor_time) return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}
inline double since(double start) {
  return now() - start;
}

/// What the driver asks for.
struct Request {
  std::string folder;                 ///< of NAME.starts and NAME.ends
  std::vector<std::string> problems;  ///< empty: all
  double budget = 0.2;                ///< seconds per point
  std::size_t members = 100'000;
  unsigned threads = 2;
  std::size_t thinning = 1;  ///< every how-many-th setting
  /// Seconds for the sample, above which finer settings are not tried.
  double patience() const { return std::min(20 * budget, 2.0); }
  bool wants(const std::string& name) const {
    return problems.empty() || std::find(problems.begin(), problems.end(), name) != problems.end();
  }
};

/// FOLDER BUDGET MEMBERS THREADS THINNING CLOCK [PROBLEM...], where CLOCK is wall or processor.
inline Request read_request(int count, char** words) {
  if (count < 7)
    throw std::invalid_argument("usage: program FOLDER BUDGET MEMBERS THREADS THINNING CLOCK [PROBLEM...]");
  Request request{words[1], {}, std::stod(words[2]), std::stoul(words[3])};
  request.threads = static_cast<unsigned>(std::stoul(words[4]));
  request.thinning = std::stoul(words[5]);
  processor_time = std::string(words[6]) == "processor";
  request.problems.assign(words + 7, words + count);
  return request;
}

inline std::vector<double> read_doubles(const std::string& path) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  if (!file) throw std::runtime_error("cannot read " + path);
  std::vector<double> values(static_cast<std::size_t>(file.tellg()) / sizeof(double));
  file.seekg(0);
  file.read(reinterpret_cast<char*>(values.data()), static_cast<std::streamsize>(values.size() * sizeof(double)));
  return values;
}

/// Starts of all members and ends of the sampled ones, row by row.
struct Members {
  std::size_t size = 0;  ///< of a state
  std::vector<double> starts;
  std::vector<double> ends;
};

template <class Problem>
Members read_members(const std::string& folder) {
  const std::string name = folder + "/" + Problem::name;
  return {Problem::size, read_doubles(name + ".starts"), read_doubles(name + ".ends")};
}

/// Root mean square over the sample of the largest error of an entry, relative to its size where that is above 1.
inline double error_of(const Members& members, const std::vector<double>& reached) {
  double sum = 0;
  for (std::size_t k = 0; k < sample; ++k) {
    double largest = 0;
    for (std::size_t i = k * members.size; i < (k + 1) * members.size; ++i) {
      const double error = std::abs(reached[i] - members.ends[i]) / std::max(1.0, std::abs(members.ends[i]));
      largest = error <= largest ? largest : error;  // keeps what is not a number
    }
    sum += largest * largest;
  }
  return std::sqrt(sum / sample);
}

/// Integrates members first, ..., last - 1 from starts into reached, both of all members.
using Integrate = std::function<void(std::size_t first, std::size_t last, const double* starts, double* reached)>;

/// A method at one setting: calling it makes what one thread needs.
using Make = std::function<Integrate()>;

/// Members 0, ..., count - 1 on so many threads, each with its own integrator from `integrators`.
inline double run_all(const std::vector<Integrate>& integrators, std::size_t count, const Members& members,
                      std::vector<double>& reached) {
  std::atomic<std::size_t> next = 0;
  const auto work = [&](const Integrate& integrate) {
    for (std::size_t first = next.fetch_add(block); first < count; first = next.fetch_add(block))
      integrate(first, std::min(first + block, count), members.starts.data(), reached.data());
  };
  const auto start = now();
  std::vector<std::thread> others;
  for (std::size_t i = 1; i < integrators.size(); ++i) others.emplace_back(work, std::cref(integrators[i]));
  work(integrators.front());
  for (auto& thread : others) thread.join();
  return since(start);
}

struct Point {
  std::string problem, program, method;
  double setting = 0;
};

inline void print(const Point& point, const char* regime, std::size_t members, unsigned threads, double seconds,
                  double error) {
  std::printf(
      "{\"problem\": \"%s\", \"program\": \"%s\", \"method\": \"%s\", \"regime\": \"%s\", \"members\": %zu, "
      "\"threads\": %u, \"setting\": %.6g, \"seconds\": %.6g, \"error\": %.4g, \"throughput\": %.6g}\n",
      point.problem.c_str(), point.program.c_str(), point.method.c_str(), regime, members, threads, point.setting,
      seconds, error, static_cast<double>(members) / seconds);
  std::fflush(stdout);
}

enum class Regime { both, single, many };

/// One setting: the sample one by one on one thread, then as many members on all threads as the budget allows. Returns
/// false where finer settings need not be tried: it took long, or nothing is left to gain.
inline bool measure(const Point& point, const Members& members, const Request& request, const Make& make,
                    Regime regime = Regime::both) {
  const std::size_t available = std::min(request.members, members.starts.size() / members.size);
  std::vector<double> reached(available * members.size, std::numeric_limits<double>::quiet_NaN());
  const auto integrate = make();
  const std::size_t together = regime == Regime::many ? sample : 1;
  double best = std::numeric_limits<double>::infinity();
  std::size_t repetitions = 0;
  try {
    std::size_t passes = 1;  // so many at a time that a millisecond goes by
    for (const auto start = now(); repetitions < 2 || since(start) < request.budget; ++repetitions) {
      const auto begin = now();
      for (std::size_t pass = 0; pass < passes; ++pass)
        for (std::size_t k = 0; k < sample; k += together)
          integrate(k, k + together, members.starts.data(), reached.data());
      const double taken = since(begin) / static_cast<double>(passes);
      best = std::min(best, taken);
      passes = static_cast<std::size_t>(1 + 1e-3 / std::max(taken, 1e-7));
      if (since(start) > 4 * request.budget) break;
    }
  } catch (const std::runtime_error& error) {
    std::fprintf(stderr, "no point: %s, %s, %s, %.3g: %s\n", point.problem.c_str(), point.program.c_str(),
                 point.method.c_str(), point.setting, error.what());
    return true;
  }
  const double error = error_of(members, reached);
  if (!(error < hopeless_error)) return true;
  if (regime != Regime::many) print(point, "single", sample, 1, best, error);
  if (regime == Regime::single) return best < request.patience() && error > finest_error;

  std::vector<Integrate> integrators{integrate};
  while (integrators.size() < request.threads) integrators.push_back(make());
  const double wanted = request.budget * request.threads * sample / best;
  const std::size_t count = std::clamp(static_cast<std::size_t>(wanted), std::min(sample, available), available);
  double shortest = run_all(integrators, count, members, reached);
  for (double spent = shortest; spent < request.budget || (spent < 2 * request.budget && spent == shortest);) {
    const double again = run_all(integrators, count, members, reached);
    shortest = std::min(shortest, again);
    spent += again;
  }
  print(point, "many", count, request.threads, shortest, error_of(members, reached));
  return best < request.patience() && error > finest_error;
}

/// Every thinning-th of the settings.
inline std::vector<double> thin(const std::vector<double>& settings, std::size_t thinning) {
  std::vector<double> kept;
  for (std::size_t i = 0; i < settings.size(); i += thinning) kept.push_back(settings[i]);
  return kept;
}

/// 1e-3, ..., 1e-13.
inline std::vector<double> tolerances() {
  std::vector<double> all;
  for (int digits = 3; digits <= 13; ++digits) all.push_back(std::pow(10.0, -digits));
  return all;
}

/// Numbers of steps, each twice the last.
inline std::vector<double> step_counts(double fewest, double most) {
  std::vector<double> all;
  for (double count = fewest; count <= most; count *= 2) all.push_back(count);
  return all;
}

}  // namespace protocol
