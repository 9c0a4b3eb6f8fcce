#pragma once
/// Models, requests and differences of whole runs, for the tests of derivatives of runs.

#include <array>
#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "herglotz/error.hpp"
#include "herglotz/geometry/builders.hpp"
#include "herglotz/simulate/sensitivity.hpp"
#include "herglotz/symbolic/parser.hpp"

namespace herglotz {

/// A system on a tangent bundle with a Lagrangian in text, and a reader for other texts.
struct Model {
  mechanics::System system;
  symbolic::Scope scope;

  Model(const std::vector<std::string>& base, const std::vector<std::string>& fibre,
        const std::vector<std::pair<std::string, double>>& parameters, const std::string& lagrangian) {
    auto graph = std::make_shared<symbolic::Graph>();
    const auto symbols = [&](const std::vector<std::string>& names) {
      std::vector<symbolic::Expr> result;
      for (const auto& name : names) scope.emplace(name, result.emplace_back(graph->symbol(name)));
      return result;
    };
    const auto x = symbols(base);
    const auto y = symbols(fibre);
    system = mechanics::make_system(geometry::tangent(graph, {x, y}));
    system.name = "model";
    for (const auto& [name, value] : parameters) system.parameters.push_back({symbols({name}).front(), value});
    scope.emplace("z", system.z);
    scope.emplace("t", system.t);
    scope.emplace("energy", system.energy);
    system.generator = read(lagrangian);
  }
  [[nodiscard]] symbolic::Expr read(const std::string& text) const {
    return symbolic::parse(system.graph(), text, scope);
  }
};

/// Returns a request for the derivatives of a run at `rows` equal parts of its duration. Adaptive methods have the
/// tolerance 1e-12 and no step.
inline simulate::SensitivityRequest request(std::size_t rows, const std::string& method, std::vector<std::string> wrt,
                                            simulate::InitialState initial, double t_end, double step) {
  simulate::SensitivityRequest asked{std::move(wrt), std::move(initial), {}};
  asked.settings.method = method;
  asked.settings.t_end = t_end;
  if (integrate::find_method(method)->adaptive)
    asked.settings.tolerance = 1e-12;
  else
    asked.settings.step = step;
  asked.settings.output_step = t_end / static_cast<double>(rows);
  return asked;
}

inline const std::vector<double>& values_of(const std::vector<analyse::Column>& columns, const std::string& name) {
  for (const auto& column : columns)
    if (column.name == name) return column.values;
  throw OutOfRange(name);
}

inline analyse::Trajectory run_of(const simulate::Simulator& simulator, const simulate::SensitivityRequest& asked) {
  return simulator.run(asked.initial, asked.settings, asked.parameters);
}

/// Returns what a request for derivatives of its run is refused with.
inline std::string refusal_of(const simulate::Simulator& simulator, const simulate::SensitivityRequest& asked) {
  auto run = run_of(simulator, asked);
  try {
    (void)simulate::differentiate(simulator, asked, run);
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing was thrown";
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

/// Returns the derivative of one number of a run by one name.
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
