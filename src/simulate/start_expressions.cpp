#include "herglotz/simulate/start_expressions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "herglotz/compile/compile.hpp"
#include "herglotz/error.hpp"
#include "herglotz/symbolic/print.hpp"
#include "sampled.hpp"

namespace herglotz::simulate {
namespace {

using symbolic::Expr;

bool holds_any(const InitialState& initial, const std::vector<Expr>& symbols) {
  return std::any_of(symbols.begin(), symbols.end(), [&](const Expr& s) { return initial.contains(s.name()); });
}

constexpr std::string_view second_position = "next.";

/// Returns the first of the symbols that the expression depends on, or an invalid expression.
Expr first_used(const Expr& value, const std::vector<Expr>& symbols) {
  const auto it =
      std::find_if(symbols.begin(), symbols.end(), [&](const Expr& s) { return symbolic::depends_on(value, s); });
  return it == symbols.end() ? Expr() : *it;
}

}  // namespace

StartExpressions::StartExpressions(const mechanics::System& system, std::vector<StartExpression> expressions)
    : expressions_(std::move(expressions)) {
  const auto add = [&](const std::vector<Expr>& symbols) {
    point_.insert(point_.end(), symbols.begin(), symbols.end());
  };
  add(system.algebroid.x);
  add(system.w());
  add({system.z});
  if (system.constraints.rule == mechanics::Rule::vakonomic) add(system.constraints.multipliers);
  add({system.t});
  if (system.formulation == mechanics::Formulation::lagrangian) add(system.p);
  std::vector<symbolic::Program> programs;
  for (const auto& expression : expressions_) {
    symbolic::Program program;
    program.name = "start";
    program.graph = system.algebroid.graph;
    program.variables = point_;
    for (const auto& parameter : system.parameters) program.parameters.push_back(parameter.symbol);
    program.outputs = {symbolic::expand_lets(expression.value)};
    programs.push_back(std::move(program));
  }
  if (!programs.empty()) kernels_ = compile::compile(programs, {.backend = compile::Backend::interpreter});
}

void StartExpressions::erase(std::string_view name) {
  for (std::size_t k = expressions_.size(); k-- > 0;) {
    if (expressions_[k].name != name) continue;
    expressions_.erase(expressions_.begin() + static_cast<std::ptrdiff_t>(k));
    kernels_.erase(kernels_.begin() + static_cast<std::ptrdiff_t>(k));
  }
}

std::vector<std::string> StartExpressions::followers(std::vector<std::string> names) const {
  std::vector<std::string> following;
  for (const auto& [name, value] : expressions_) {
    const auto used = symbolic::free_symbols(std::span(&value, 1));
    const bool follows = std::any_of(used.begin(), used.end(), [&](const Expr& symbol) {
      return std::find(names.begin(), names.end(), symbol.name()) != names.end();
    });
    if (!follows) continue;
    names.push_back(name);
    following.push_back(name);
  }
  return following;
}

double StartExpressions::value(std::size_t k, std::span<const double> point, std::span<const double> parameters) const {
  double result = 0;
  std::vector<double> work(kernels_[k].work_size());
  kernels_[k](point.data(), parameters.data(), &result, work.data());
  return result;
}

void StartExpressions::apply(const mechanics::System& system, const InitialState& overrides, InitialState& initial,
                             InitialState& next) const {
  if (expressions_.empty()) return;
  std::vector<double> parameters;
  for (const auto& parameter : system.parameters) {
    const auto given = overrides.find(parameter.symbol.name());
    parameters.push_back(given == overrides.end() ? parameter.value : given->second);
  }
  std::vector<double> point;
  for (const Expr& symbol : point_) {
    const auto given = initial.find(symbol.name());
    point.push_back(given == initial.end() ? 0.0 : given->second);
  }
  const bool momenta = system.formulation == mechanics::Formulation::hamiltonian || holds_any(initial, system.p);
  for (std::size_t k = 0; k < expressions_.size(); ++k) {
    const auto& [name, value] = expressions_[k];
    const bool second = name.starts_with(second_position);
    InitialState& values = second ? next : initial;
    const auto at = values.find(second ? std::string_view(name).substr(second_position.size()) : name);
    if (at == values.end()) continue;
    Expr absent;
    if (momenta || !next.empty()) absent = first_used(value, system.algebroid.y);
    if (!absent.valid() && (!momenta || !next.empty())) absent = first_used(value, system.p);
    if (absent.valid())
      throw Refused(
          fmt::format("the initial value of '{}' uses '{}', and the start is given by {}", name, absent.name(),
                      !next.empty() ? "a second position"
                      : momenta     ? "momenta"
                                    : "velocities"),
          "use these there", name);
    at->second = this->value(k, point, parameters);
    if (const auto sampled = sampled_value_of(system, name); !sampled.empty() && !std::isfinite(at->second))
      throw Refused(fmt::format("the interval of the sampled value '{}' is not positive and finite", sampled),
                    "give a positive interval", name);
    if (!std::isfinite(at->second))
      throw Refused(fmt::format("the initial value of '{}', {}, is not finite", name, symbolic::print(value)),
                    "change what it depends on", name);
    if (second) continue;
    const auto place = std::find_if(point_.begin(), point_.end(), [&](const Expr& s) { return s.name() == name; });
    point[static_cast<std::size_t>(place - point_.begin())] = at->second;
  }
}

}  // namespace herglotz::simulate
