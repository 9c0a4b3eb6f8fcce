// Elementary functions of compiled kernels against calls of SLEEF's deterministic functions of the same width, in
// nanoseconds a value.

#include <benchmark/benchmark.h>
#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "herglotz/compile/compile.hpp"
#include "herglotz/symbolic/expr.hpp"

namespace {

using namespace herglotz;

constexpr std::size_t values = 16;  // of one call of a kernel
constexpr int calls = 20000;

typedef double Four __attribute__((vector_size(32)));
typedef double Eight __attribute__((vector_size(64)));

template <class Vector>
[[gnu::target("avx2,fma")]] void call_library(void* address, const double* x, double* out, bool binary) {
  constexpr std::size_t lanes = sizeof(Vector) / sizeof(double);
  for (std::size_t i = 0; i < values; ++i) {
    const auto* const at = reinterpret_cast<const Vector*>(x + i * lanes);
    auto* const to = reinterpret_cast<Vector*>(out + i * lanes);
    *to = binary ? reinterpret_cast<Vector (*)(Vector, Vector)>(address)(*at, *at)
                 : reinterpret_cast<Vector (*)(Vector)>(address)(*at);
  }
}

[[gnu::target("avx512f")]] void call_eight(void* address, const double* x, double* out, bool binary) {
  for (std::size_t i = 0; i < values; ++i) {
    const auto* const at = reinterpret_cast<const Eight*>(x + i * 8);
    auto* const to = reinterpret_cast<Eight*>(out + i * 8);
    *to = binary ? reinterpret_cast<Eight (*)(Eight, Eight)>(address)(*at, *at)
                 : reinterpret_cast<Eight (*)(Eight)>(address)(*at);
  }
}

template <class Call>
double nanoseconds(std::size_t lanes, const Call& call) {
  const auto began = std::chrono::steady_clock::now();
  for (int i = 0; i < calls; ++i) {
    call();
    benchmark::ClobberMemory();
  }
  const std::chrono::duration<double, std::nano> taken = std::chrono::steady_clock::now() - began;
  return taken.count() / (static_cast<double>(calls) * static_cast<double>(values * lanes));
}

struct Function {
  const char* name;
  symbolic::Op op;
  double low;
  double high;
};

constexpr std::array functions{
    Function{"exp", symbolic::Op::exp, -5, 5},   Function{"log", symbolic::Op::log, 0.1, 5},
    Function{"tan", symbolic::Op::tan, -3, 3},   Function{"asin", symbolic::Op::asin, -1, 1},
    Function{"acos", symbolic::Op::acos, -1, 1}, Function{"atan", symbolic::Op::atan, -3, 3},
    Function{"sinh", symbolic::Op::sinh, -3, 3}, Function{"cosh", symbolic::Op::cosh, -3, 3},
    Function{"tanh", symbolic::Op::tanh, -3, 3}, Function{"atan2", symbolic::Op::atan2, -3, 3},
    Function{"pow", symbolic::Op::pow, 0.1, 3}};

/// Both in one run, alternating, best of each.
void against_sleef(benchmark::State& state, const Function& function, int lanes) {
  if (lanes > compile::native_lanes()) {
    state.SkipWithError("this machine has fewer lanes");
    return;
  }
  const bool binary = function.op == symbolic::Op::atan2 || function.op == symbolic::Op::pow;
  auto graph = std::make_shared<symbolic::Graph>();
  symbolic::Program program{"values", graph, {}, {}, {}};
  for (std::size_t i = 0; i < values; ++i) {
    const auto x = graph->symbol("x" + std::to_string(i));
    program.variables.push_back(x);
    program.outputs.push_back(function.op == symbolic::Op::pow     ? symbolic::pow(x, x)
                              : function.op == symbolic::Op::atan2 ? symbolic::atan2(x, x)
                                                                   : graph->function(function.op, std::array{x}));
  }
  const auto kernel = compile::compile(program, {compile::Backend::llvm, lanes, 200});
  const auto width = static_cast<std::size_t>(lanes);
  const std::string symbol = lanes == 1   ? "Sleef_finz_" + std::string(function.name) + "d1_u10purecfma"
                             : lanes == 4 ? "Sleef_finz_" + std::string(function.name) + "d4_u10avx2"
                                          : "Sleef_finz_" + std::string(function.name) + "d8_u10avx512f";
  void* const address = dlsym(RTLD_DEFAULT, symbol.c_str());
  struct alignas(64) Block {
    std::array<double, values * 8> entries;
  };
  Block x{};
  Block out{};
  for (std::size_t i = 0; i < values * width; ++i)
    x.entries[i] = function.low + (function.high - function.low) * static_cast<double>(i * 37 % 101) / 101;
  std::vector<double> work(kernel.work_size() + 1);
  double ours = std::numeric_limits<double>::infinity();
  double sleef = ours;
  for (auto iteration : state) {
    ours =
        std::min(ours, nanoseconds(width, [&] { kernel(x.entries.data(), nullptr, out.entries.data(), work.data()); }));
    sleef = std::min(sleef, nanoseconds(width, [&] {
                       if (lanes == 1)
                         call_library<double>(address, x.entries.data(), out.entries.data(), binary);
                       else if (lanes == 4)
                         call_library<Four>(address, x.entries.data(), out.entries.data(), binary);
                       else
                         call_eight(address, x.entries.data(), out.entries.data(), binary);
                     }));
  }
  state.counters["ours_ns"] = ours;
  state.counters["sleef_ns"] = sleef;
  state.counters["ratio"] = ours / sleef;
}

const bool registered = [] {
  for (const auto& function : functions)
    for (const int lanes : {1, 4, 8})
      benchmark::RegisterBenchmark((std::string(function.name) + "/" + std::to_string(lanes)).c_str(), against_sleef,
                                   function, lanes)
          ->Iterations(20);
  return true;
}();

}  // namespace
