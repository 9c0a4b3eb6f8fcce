#include "stage/stage_derivatives.hpp"

#include "herglotz/linear/eigen_views.hpp"

namespace herglotz::solve {
namespace {

using linear::index;

/// Points of the stage functions, and the same points with their mu behind them.
struct Inputs {
  Values points;
  Values weighted;
};

Inputs inputs_of(const Setup& setup, std::span<const StageOf> stages) {
  const std::size_t inputs = setup.stage.inputs();
  Inputs result;
  result.points.reserve(stages.size() * inputs);
  result.weighted.reserve(stages.size() * (inputs + setup.stage.functions()));
  for (const auto& [stage, h] : stages) {
    result.points.insert(result.points.end(), stage->v.begin(), stage->v.end());
    result.points.insert(result.points.end(), stage->w.begin(), stage->w.end());
    result.points.insert(result.points.end(), {h, stage->t});
    result.weighted.insert(result.weighted.end(), result.points.end() - static_cast<std::ptrdiff_t>(inputs),
                           result.points.end());
    result.weighted.insert(result.weighted.end(), stage->P.begin(), stage->P.end());
    for (const double kappa : stage->kappa) result.weighted.push_back(h * kappa);
  }
  return result;
}

}  // namespace

StageDerivatives derivatives_at(const Setup& setup, std::span<const StageOf> stages, Orders orders) {
  const std::size_t count = stages.size();
  const std::size_t inputs = setup.stage.inputs();
  const std::size_t functions = setup.stage.functions();
  const auto& jacobian = setup.stage.jacobian();
  const Inputs at = inputs_of(setup, stages);
  StageDerivatives result;
  Values f(count * functions);
  setup.stage.values(at.points, f);
  result.f = Blocks<Eigen::VectorXd>(index(functions), 1, count);
  Values entries(count * jacobian.row.size());
  setup.stage.jacobian(at.points, entries);
  result.J = Blocks<Eigen::MatrixXd>(index(functions), index(inputs), count);
  result.slope = Blocks<Eigen::VectorXd>(index(inputs), 1, count);
  for (std::size_t k = 0; k < count; ++k) {
    result.f[k] = Eigen::Map<const Eigen::VectorXd>(f.data() + k * functions, index(functions));
    const double* const mu = at.weighted.data() + k * (inputs + functions) + inputs;
    auto J = result.J[k];
    auto slope = result.slope[k];
    for (std::size_t e = 0; e < jacobian.row.size(); ++e) {
      const double value = entries[k * jacobian.row.size() + e];
      J(index(jacobian.row[e]), index(jacobian.col[e])) += value;
      slope[index(jacobian.col[e])] += value * mu[jacobian.row[e]];
    }
  }
  if (orders == Orders::first) return result;
  const auto& hessian = setup.stage.hessian();
  Values seconds(count * hessian.row.size());
  setup.stage.hessian(at.weighted, seconds);
  result.H = Blocks<Eigen::MatrixXd>(index(inputs), index(inputs), count);
  for (std::size_t k = 0; k < count; ++k) {
    auto H = result.H[k];
    for (std::size_t e = 0; e < hessian.row.size(); ++e) {
      const double value = seconds[k * hessian.row.size() + e];
      H(index(hessian.row[e]), index(hessian.col[e])) += value;
      if (hessian.row[e] != hessian.col[e]) H(index(hessian.col[e]), index(hessian.row[e])) += value;
    }
  }
  return result;
}

StageDerivatives derivatives_at(const Setup& setup, const std::vector<Stage>& stages, double h, Orders orders) {
  std::vector<StageOf> all;
  all.reserve(stages.size());
  for (const Stage& stage : stages) all.push_back({&stage, h});
  return derivatives_at(setup, all, orders);
}

std::vector<std::size_t> free_variables(const Setup& setup, const std::vector<Hold>& held) {
  std::vector<std::size_t> result;
  for (std::size_t j = 0; j < setup.m(); ++j)
    if (j >= held.size() || held[j] == Hold::free) result.push_back(j);
  return result;
}

}  // namespace herglotz::solve
