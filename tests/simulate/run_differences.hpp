#pragma once
/// Differences of whole runs, for the tests of their derivatives.

#include <array>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "herglotz/simulate/sensitivity.hpp"

namespace herglotz {

inline analyse::Trajectory run_of(const simulate::Simulator& simulator, const simulate::SensitivityRequest& asked) {
  return simulator.run(asked.initial, asked.settings, asked.parameters);
}

/// Returns the derivatives of numbers of a run by one name, by central differences with Richardson's extrapolation. The
/// largest offset is `share` of the value.
template <class Numbers>
std::vector<double> differences(const simulate::Simulator& simulator, const simulate::SensitivityRequest& asked,
                                const std::string& name, const Numbers& numbers, double share) {
  const mechanics::Parameter* known = nullptr;
  for (const auto& parameter : simulator.system().parameters)
    if (parameter.symbol.name() == name) known = &parameter;
  const double value = known != nullptr ? known->value : asked.initial.at(name);
  const auto at = [&](double offset) -> std::vector<double> {
    simulate::SensitivityRequest beside = asked;
    (known != nullptr ? beside.parameters : beside.initial)[name] = value + offset;
    return numbers(run_of(simulator, beside));
  };
  std::array<std::vector<double>, 5> table;
  double e = share * std::abs(value);
  for (std::size_t k = 0; k < table.size(); ++k, e /= 2) {
    std::vector<double> now = at(e);
    const std::vector<double> behind = at(-e);
    for (std::size_t i = 0; i < now.size(); ++i) {
      now[i] = (now[i] - behind.at(i)) / (2 * e);
      double power = 4;
      for (std::size_t j = 0; j < k; ++j, power *= 4)
        now[i] += (now[i] - std::exchange(table[j][i], now[i])) / (power - 1);
    }
    table[k] = std::move(now);
  }
  return table.back();
}

/// Returns that of one number.
template <class Number>
double difference(const simulate::Simulator& simulator, const simulate::SensitivityRequest& asked,
                  const std::string& name, const Number& number, double share = 0.01) {
  return differences(
             simulator, asked, name, [&](const analyse::Trajectory& run) { return std::vector{number(run)}; }, share)
      .front();
}

/// Returns sum_rc cotangent_rc d(column c, row r)/d(name) from the derivatives of the rows.
inline double contracted(const std::vector<analyse::Column>& derivatives, const simulate::Cotangents& cotangents,
                         const std::string& name) {
  double sum = 0;
  for (std::size_t c = 0; c < cotangents.columns.size(); ++c)
    for (const auto& derivative : derivatives)
      if (derivative.name == "d." + cotangents.columns[c] + ".d." + name)
        for (std::size_t row = 0; row < derivative.values.size(); ++row)
          sum += cotangents.values[row * cotangents.columns.size() + c] * derivative.values[row];
  return sum;
}

}  // namespace herglotz
