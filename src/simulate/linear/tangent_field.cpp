#include "linear/tangent_field.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "casimirs.hpp"
#include "herglotz/error.hpp"
#include "herglotz/mechanics/singular.hpp"
#include "herglotz/mechanics/tangent.hpp"
#include "herglotz/simulate/singular.hpp"
#include "settings.hpp"

namespace herglotz::simulate {
namespace {

using symbolic::Expr;

/// Functions by the names of their columns.
struct Named {
  std::vector<std::string> names;
  std::vector<Expr> functions;

  void add(std::string_view name, const Expr& function) {
    names.emplace_back(name);
    functions.push_back(function);
  }
};

Named functions_of(const Simulator& simulator) {
  const auto& q = simulator.equations();
  Named all;
  for (auto it = q.u.begin(); it != q.u.end() - 1; ++it) all.add(it->name(), *it);
  for (const auto& law : simulator.laws()) all.add(mechanics::law_columns(law.kind, law.name)[0], law.quantity);
  const auto observed = mechanics::observables_program(simulator.system(), q).outputs;
  for (std::size_t k = 0; k < observed.size(); ++k) all.add(simulator.system().observables[k].name, observed[k]);
  return all;
}

std::vector<Expr> named(const Simulator& simulator, const std::vector<std::string>& names) {
  const Named all = functions_of(simulator);
  std::vector<Expr> chosen;
  for (const auto& name : names) {
    const auto it = std::find(all.names.begin(), all.names.end(), name);
    if (it == all.names.end()) unknown_name("output", name, all.names);
    chosen.push_back(all.functions[static_cast<std::size_t>(it - all.names.begin())]);
    for (const Expr& multiplier : simulator.equations().l)
      if (symbolic::depends_on(chosen.back(), multiplier))
        throw Refused(fmt::format("output {} uses a multiplier", name),
                      "choose functions of coordinates and velocities");
  }
  return chosen;
}

/// Returns declared invariants, and the other quadratic Casimirs of the anchor minus their values at the start.
std::vector<Expr> kept_functions(const mechanics::System& system, const InitialState& near) {
  std::vector<Expr> kept;
  for (const auto& invariant : system.invariants) kept.push_back(symbolic::expand_lets(invariant.value));
  std::vector<double> x;
  for (const Expr& symbol : system.algebroid.x) x.push_back(near.at(std::string(symbol.name())));
  for (const auto& casimir : undeclared_casimirs(system, near))
    kept.push_back(casimir.form - system.graph().number(casimir.value(x)));
  return kept;
}

/// Throws Refused for a singular Lagrangian, whose accelerations its equations do not determine.
void require_regular(const Simulator& simulator, const std::vector<double>& parameters, const InitialState& near) {
  const mechanics::System& system = simulator.system();
  const auto& q = simulator.equations();
  if (system.formulation == mechanics::Formulation::lagrangian &&
      mechanics::is_singular(system, q, parameters, start_values(q, near)))
    throw Refused("the motion of a singular Lagrangian on its final set is not linearised",
                  "eliminate what its constraints determine, or take differences of runs");
}

}  // namespace

TangentField::TangentField(const Simulator& simulator, std::vector<double> parameters, const InitialState& near,
                           const std::vector<std::string>& outputs)
    : parameters_(std::move(parameters)) {
  const auto& system = simulator.system();
  const auto& q = simulator.equations();
  require_regular(simulator, parameters_, near);
  const auto motion = mechanics::tangent_motion(system, q, mechanics::EliminationOrder::exchanging);
  const std::vector<Expr> rates(motion.program.outputs.begin(),
                                motion.program.outputs.begin() + static_cast<std::ptrdiff_t>(motion.states));
  std::vector<Expr> constraints = q.phi;
  constraints.insert(constraints.end(), q.Phi.begin(), q.Phi.end());
  for (const auto& kept : kept_functions(system, near)) constraints.push_back(kept);
  const auto compiled = [&](const std::vector<Expr>& functions) {
    auto derivatives = mechanics::tangent_functions(system, q, functions);
    derivatives.outputs.resize(functions.size());
    auto values = derivatives;
    values.outputs = functions;
    auto kernels = compile::compile(std::vector{values, derivatives});
    return Code{std::move(kernels[0]), std::move(kernels[1]), functions.size()};
  };
  rates_ = compiled(rates);
  if (!constraints.empty()) constraints_ = compiled(constraints);
  if (!outputs.empty()) outputs_ = compiled(named(simulator, outputs));
  const auto some_rate = [&](const Expr& symbol) {
    const auto depends = [&](const Expr& e) { return symbolic::depends_on(e, symbol); };
    return std::any_of(rates.begin(), rates.end(), depends) ||
           std::any_of(constraints.begin(), constraints.end(), depends);
  };
  std::vector<double> state;
  for (auto it = q.u.begin(); it != q.u.end() - 1; ++it) {
    matters_.push_back(some_rate(*it));
    state.push_back(near.at(std::string(it->name())));
  }
  depends_on_time_ = some_rate(q.u.back());
  leave_out_without_effect(near.at(std::string(system.t.name())), state);
}

void TangentField::leave_out_without_effect(double t, const std::vector<double>& state) {
  constexpr int places = 4;
  constexpr double apart = 0.1;
  std::vector<bool> has_effect(matters_.size(), false);
  for (int k = 0; k < places; ++k) {
    Eigen::VectorXd y = Eigen::Map<const Eigen::VectorXd>(state.data(), static_cast<Eigen::Index>(state.size()));
    // Not in one direction, in which effects could cancel.
    for (Eigen::Index i = 0; i < y.size(); ++i)
      y[i] += apart * k * std::sin(1.0 + static_cast<double>(i * (k + 2))) * std::max(1.0, std::abs(y[i]));
    for (const Eigen::MatrixXd& slopes : {rates(t, y).by_state, constraints(t, y).by_state})
      for (Eigen::Index i = 0; i < slopes.cols(); ++i)
        if (!(slopes.col(i).array() == 0).all()) has_effect[static_cast<std::size_t>(i)] = true;
  }
  for (std::size_t i = 0; i < matters_.size(); ++i) matters_[i] = matters_[i] && has_effect[i];
}

Slopes TangentField::evaluate(const Code& code, double t, const Eigen::VectorXd& y) const {
  const auto states = static_cast<std::size_t>(y.size());
  const auto rows = static_cast<Eigen::Index>(code.count);
  const auto known = static_cast<Eigen::Index>(parameters_.size());
  Slopes slopes{Eigen::VectorXd::Zero(rows), Eigen::MatrixXd::Zero(rows, y.size()), Eigen::MatrixXd::Zero(rows, known)};
  if (code.count == 0) return slopes;
  std::vector<double> point(2 * states + 1, 0.0);
  std::copy(y.begin(), y.end(), point.begin());
  point.back() = t;
  std::vector<double> parameters = parameters_;
  parameters.resize(2 * parameters_.size() + 1, 0.0);
  std::vector<double> work(std::max(code.values.work_size(), code.derivatives.work_size()));
  code.values(point.data(), parameters.data(), slopes.values.data(), work.data());
  const auto along = [&](double& seed, Eigen::MatrixXd& matrix, Eigen::Index column) {
    seed = 1;
    code.derivatives(point.data(), parameters.data(), matrix.data() + column * rows, work.data());
    seed = 0;
  };
  for (Eigen::Index j = 0; j < y.size(); ++j) along(point[states + static_cast<std::size_t>(j)], slopes.by_state, j);
  for (Eigen::Index j = 0; j < known; ++j)
    along(parameters[parameters_.size() + static_cast<std::size_t>(j)], slopes.by_parameters, j);
  return slopes;
}

Slopes TangentField::rates(double t, const Eigen::VectorXd& y) const {
  return evaluate(rates_, t, y);
}
Slopes TangentField::constraints(double t, const Eigen::VectorXd& y) const {
  return evaluate(constraints_, t, y);
}
Slopes TangentField::outputs(double t, const Eigen::VectorXd& y) const {
  return evaluate(outputs_, t, y);
}

}  // namespace herglotz::simulate
