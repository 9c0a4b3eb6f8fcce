#include <algorithm>
#include <array>
#include <cmath>

#include "herglotz/compile/compile.hpp"
#include "herglotz/error.hpp"
#include "herglotz/simulate/path.hpp"
#include "herglotz/symbolic/derivative.hpp"

namespace herglotz::simulate {
namespace {

/// Number of rows that a polynomial goes through.
constexpr std::size_t kRows = 9;

/// Writes the weights of the values at `nodes` in the value and in the derivative of their polynomial at t: the
/// recurrence of Fornberg for derivatives up to the first.
void weights(std::span<const double> nodes, double t, std::span<double> value, std::span<double> rate) {
  std::fill(value.begin(), value.end(), 0.0);
  std::fill(rate.begin(), rate.end(), 0.0);
  value[0] = 1;
  double c1 = 1;
  double c4 = nodes[0] - t;
  for (std::size_t i = 1; i < nodes.size(); ++i) {
    double c2 = 1;
    const double c5 = c4;
    c4 = nodes[i] - t;
    for (std::size_t j = 0; j < i; ++j) {
      const double c3 = nodes[i] - nodes[j];
      c2 *= c3;
      if (j + 1 == i) {
        rate[i] = c1 * (value[i - 1] - c5 * rate[i - 1]) / c2;
        value[i] = -c1 * c5 * value[i - 1] / c2;
      }
      rate[j] = (c4 * rate[j] - value[j]) / c3;
      value[j] = c4 * value[j] / c3;
    }
    c1 = c2;
  }
}

}  // namespace

PathJet jet_of(const mechanics::System& system, const mechanics::AlgebroidPath& path,
               const std::vector<double>& parameters) {
  symbolic::Program program{"path", system.algebroid.graph, {system.t}, {}, path.x};
  program.outputs.insert(program.outputs.end(), path.y.begin(), path.y.end());
  for (const auto& parameter : system.parameters) program.parameters.push_back(parameter.symbol);
  const std::vector<symbolic::Expr> one{system.graph().number(std::int64_t{1})};
  const auto rates = symbolic::directional_derivative(program.outputs, program.variables, one);
  program.outputs.insert(program.outputs.end(), rates.begin(), rates.end());
  const auto kernel = compile::compile(program);
  std::vector<double> work(kernel.work_size());
  return [kernel, parameters, work](double t, std::span<double> jet) mutable {
    kernel(&t, parameters.data(), jet.data(), work.data());
  };
}

PathJet jet_of(PathRows rows) {
  const auto& times = rows.times;
  if (times.size() < 2) throw Refused("a path needs at least two rows");
  for (std::size_t k = 1; k < times.size(); ++k)
    if (!(times[k] > times[k - 1])) throw Refused("the times of a path must ascend");
  if (!std::all_of(rows.values.begin(), rows.values.end(), [](double v) { return std::isfinite(v); }))
    throw Refused("a path has a value that is not finite");
  return [rows = std::move(rows)](double t, std::span<double> jet) {
    const std::size_t size = rows.times.size();
    const std::size_t count = std::min(kRows, size);
    const auto above =
        static_cast<std::size_t>(std::lower_bound(rows.times.begin(), rows.times.end(), t) - rows.times.begin());
    const std::size_t first = std::min(above > count / 2 ? above - count / 2 : 0, size - count);
    std::array<double, kRows> value{};
    std::array<double, kRows> rate{};
    weights({rows.times.data() + first, count}, t, {value.data(), count}, {rate.data(), count});
    const std::size_t width = jet.size() / 2;
    for (std::size_t j = 0; j < width; ++j) {
      jet[j] = jet[width + j] = 0;
      for (std::size_t k = 0; k < count; ++k) {
        jet[j] += value[k] * rows.values[(first + k) * width + j];
        jet[width + j] += rate[k] * rows.values[(first + k) * width + j];
      }
    }
  };
}

}  // namespace herglotz::simulate
