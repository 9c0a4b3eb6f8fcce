#include "projection.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "herglotz/linear/eigen_views.hpp"
#include "soundness.hpp"

namespace herglotz::sensitivity {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using linear::index;

constexpr int most_projections = 20;
constexpr double projected = 4 * std::numeric_limits<double>::epsilon();
/// Relative change below which changes that no longer fall are round-off.
constexpr double projection_round_off = 1e-9;

double largest(const Eigen::Ref<const VectorXd>& of) {
  return of.cwiseAbs().maxCoeff();
}

}  // namespace

Projection::Projection(ProjectionForm form)
    : form_(std::move(form)),
      point_(form_.kernel.variables()),
      values_(form_.kernel.outputs()),
      work_(form_.kernel.work_size()) {}

bool Projection::solve(double t, std::span<const double> theta, std::span<const double> y) {
  std::copy_n(y.begin() + index(form_.first), form_.replaced, point_.begin());
  std::fill_n(point_.begin() + index(form_.replaced), form_.others, 0.0);
  std::copy(y.begin(), y.end(), point_.begin() + index(unknowns()));
  point_.back() = t;
  Eigen::Map<VectorXd> found(point_.data(), index(unknowns()));
  const auto replaced = found.head(index(form_.replaced));
  const double before = largest(replaced);
  double last = std::numeric_limits<double>::infinity();
  VectorXd change;
  for (int round = 0; round < most_projections; ++round) {
    if (!evaluate(theta)) return false;
    factors_.solve(Eigen::Map<const VectorXd>(values_.data(), index(unknowns())), change);
    const double moved = largest(change.head(index(form_.replaced)));
    const double size = std::max(before, largest(replaced));
    if (moved <= projected * size || (moved <= projection_round_off * size && moved >= last)) return true;
    last = moved;
    found -= change;
  }
  return false;
}

bool Projection::recall(double t, std::span<const double> theta, std::span<const double> y,
                        std::span<const double> solution) {
  std::copy(solution.begin(), solution.end(), point_.begin());
  std::copy(y.begin(), y.end(), point_.begin() + index(unknowns()));
  point_.back() = t;
  return evaluate(theta);
}

void Projection::replace(std::span<double> y) const {
  std::copy_n(point_.begin(), form_.replaced, y.begin() + index(form_.first));
}

MatrixXd Projection::along(const MatrixXd& changes) const {
  const MatrixXd right = slopes_.rightCols(changes.rows()) * changes;
  MatrixXd unknown;
  factors_.solve(right, unknown);
  return -unknown.topRows(index(form_.replaced));
}

VectorXd Projection::back(std::span<double> cotangent) const {
  Eigen::Map<VectorXd> of_state(cotangent.data(), index(form_.states));
  auto of_replaced = of_state.segment(index(form_.first), index(form_.replaced));
  VectorXd right = VectorXd::Zero(index(unknowns()));
  right.head(index(form_.replaced)) = of_replaced;
  VectorXd nu;
  factors_.solve_transposed(right, nu);
  const VectorXd by = slopes_.rightCols(slopes_.cols() - index(unknowns())).transpose() * nu;
  of_replaced.setZero();
  of_state -= by.head(index(form_.states));
  return -by.tail(by.size() - index(form_.states));
}

/// Evaluates the equations and their derivatives at point_.
bool Projection::evaluate(std::span<const double> theta) {
  form_.kernel(point_.data(), theta.data(), values_.data(), work_.data());
  if (!finite(values_)) return false;
  slopes_.setZero(index(unknowns()), index(unknowns() + form_.states + theta.size() + 1));
  for (std::size_t k = 0; k < form_.row.size(); ++k)
    slopes_(index(form_.row[k]), index(form_.col[k])) = values_[unknowns() + k];
  factors_.compute(slopes_.leftCols(index(unknowns())));
  return true;
}

}  // namespace herglotz::sensitivity
