#include "stage/stage_derivatives.hpp"

namespace herglotz::solve {
namespace {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

Eigen::Index index(std::size_t i) {
  return static_cast<Eigen::Index>(i);
}

}  // namespace

StageDerivatives derivatives_at(const Setup& setup, const std::vector<Stage>& stages, double h) {
  const std::size_t inputs = setup.stage.inputs();
  const std::size_t functions = setup.stage.functions();
  Values points;
  Values weighted;
  points.reserve(stages.size() * inputs);
  weighted.reserve(stages.size() * (inputs + functions));
  for (const Stage& stage : stages) {
    points.insert(points.end(), stage.v.begin(), stage.v.end());
    points.insert(points.end(), stage.w.begin(), stage.w.end());
    points.insert(points.end(), {h, stage.t});
    weighted.insert(weighted.end(), points.end() - static_cast<std::ptrdiff_t>(inputs), points.end());
    weighted.insert(weighted.end(), stage.P.begin(), stage.P.end());
    for (const double kappa : stage.kappa) weighted.push_back(h * kappa);
  }
  const auto& jacobian = setup.stage.jacobian();
  const auto& hessian = setup.stage.hessian();
  Values f(stages.size() * functions);
  Values entries(stages.size() * jacobian.row.size());
  Values seconds(stages.size() * hessian.row.size());
  setup.stage.values(points, f);
  setup.stage.jacobian(points, entries);
  setup.stage.hessian(weighted, seconds);
  StageDerivatives result;
  for (auto* list : {&result.f, &result.slope}) list->reserve(stages.size());
  for (auto* list : {&result.J, &result.H}) list->reserve(stages.size());
  for (std::size_t k = 0; k < stages.size(); ++k) {
    result.f.emplace_back(Eigen::Map<Vector>(f.data() + k * functions, index(functions)));
    Matrix J = Matrix::Zero(index(functions), index(inputs));
    for (std::size_t e = 0; e < jacobian.row.size(); ++e)
      J(index(jacobian.row[e]), index(jacobian.col[e])) += entries[k * jacobian.row.size() + e];
    Matrix H = Matrix::Zero(index(inputs), index(inputs));
    for (std::size_t e = 0; e < hessian.row.size(); ++e) {
      const double value = seconds[k * hessian.row.size() + e];
      H(index(hessian.row[e]), index(hessian.col[e])) += value;
      if (hessian.row[e] != hessian.col[e]) H(index(hessian.col[e]), index(hessian.row[e])) += value;
    }
    Vector mu(index(functions));
    for (std::size_t a = 0; a < setup.d(); ++a) mu[index(a)] = stages[k].P[a];
    for (std::size_t j = 0; j < setup.along(); ++j) mu[index(setup.d() + j)] = h * stages[k].kappa[j];
    result.slope.emplace_back(J.transpose() * mu);
    result.J.push_back(std::move(J));
    result.H.push_back(std::move(H));
  }
  return result;
}

std::vector<std::size_t> free_variables(const Setup& setup, const std::vector<Hold>& held) {
  std::vector<std::size_t> result;
  for (std::size_t j = 0; j < setup.m(); ++j)
    if (j >= held.size() || held[j] == Hold::free) result.push_back(j);
  return result;
}

}  // namespace herglotz::solve
