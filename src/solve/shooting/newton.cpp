#include "shooting/newton.hpp"

#include <fmt/format.h>

#include <Eigen/Core>
#include <Eigen/SparseLU>
#include <algorithm>
#include <cmath>

#include "herglotz/linear/least_squares.hpp"
#include "herglotz/linear/qr.hpp"

namespace herglotz::solve {
namespace {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;
using Eigen::Index;
using Sparse = Eigen::SparseMatrix<double>;

constexpr int most_iterations = 40;
constexpr int most_halvings = 12;
constexpr double exact = 3e-13;         ///< a defect that is rounding
constexpr double small = 1e-9;          ///< a defect that may be rounding if it falls no longer
constexpr double near_singular = 1e-9;  ///< least singular value in parts of the norm: a family is suspected
constexpr double largest_growth = 1e4;  ///< of variations along a segment, beyond which families cannot be seen
constexpr double null = 1e-8;           ///< pivots that are taken as zero then

/// Returns an estimate of the least singular value, by inverse iteration.
double least_singular_value(Eigen::SparseLU<Sparse>& factors, Index n) {
  Vector x(n);
  for (Index i = 0; i < n; ++i) x[i] = 1 + 0.5 * std::sin(static_cast<double>(i));
  double growth = 0;
  for (int k = 0; k < 3; ++k) {
    x.normalize();
    const Vector y = factors.transpose().solve(x);
    const Vector z = factors.solve(y);
    if (!z.allFinite()) return 0;
    growth = std::sqrt(z.norm());
    x = z;
  }
  return growth > 0 ? 1 / growth : 0;
}

struct Step {
  Vector step;
  bool singular = false;
};

Step newton_step(const BoundarySystem::Equations& e) {
  Eigen::SparseLU<Sparse> factors;
  // Eigen's factors of a large matrix with hardly any entries would wait for memory for ever.
  const bool may_be_regular = e.jacobian.nonZeros() >= e.jacobian.cols();
  if (may_be_regular) factors.compute(e.jacobian);
  if (may_be_regular && factors.info() == Eigen::Success) {
    const Vector step = factors.solve(-e.residual);
    const double norm = e.jacobian.norm() / std::sqrt(static_cast<double>(e.jacobian.cols()));
    if (step.allFinite() && least_singular_value(factors, e.jacobian.cols()) > near_singular * norm)
      return {step, false};
  }
  return {linear::least_squares(Matrix(e.jacobian), -e.residual, null), true};
}

/// Counts the dimensions of the null space of the Jacobian, those seen in the states first.
void count_families(const BoundarySystem& system, const Sparse& jacobian, NewtonEnd& to) {
  Matrix basis = linear::CompleteOrthogonal(Matrix(jacobian), null).kernel();
  const Index missing = basis.cols();
  if (missing == 0) return;
  for (Index i = 0; i < basis.rows(); ++i)
    if (!system.is_state(static_cast<std::size_t>(i))) basis.row(i).setZero();
  const Index states = basis.cwiseAbs().maxCoeff() > 1e-5 ? linear::PivotedQr(basis, 1e-5).rank() : 0;
  to.state_family = static_cast<std::size_t>(states);
  to.costate_family = static_cast<std::size_t>(missing) - to.state_family;
}

bool is_possible(const Trial& trial) {
  return std::all_of(trial.durations.begin(), trial.durations.end(), [](double duration) { return duration > 0; });
}

}  // namespace

NewtonEnd newton(const BoundarySystem& system, Trial start, const std::function<bool()>& go_on) {
  NewtonEnd result;
  result.at = std::move(start);
  auto here = system.equations(result.at);
  if (!here) {
    result.reason = "an extremal of the direct solution cannot be followed: its controls are not determined";
    return result;
  }
  if (here->growth > largest_growth) {
    result.reason = fmt::format("variations grow by a factor of {:.1g} along one segment", here->growth);
    return result;
  }
  double defect = here->residual.lpNorm<Eigen::Infinity>();
  bool singular = false;
  result.reason = "too many iterations";
  for (int k = 0; k < most_iterations && defect > exact; ++k) {
    if (go_on && !go_on()) {
      result.reason = "stopped";
      return result;
    }
    const Step step = newton_step(*here);
    singular = step.singular;
    bool better = false;
    double length = 1;
    for (int halving = 0; halving < most_halvings && !better; ++halving, length /= 2) {
      Trial next = system.moved(result.at, step.step, length);
      if (!is_possible(next)) continue;
      auto there = system.equations(next);
      if (!there || there->residual.norm() > (1 - 1e-3 * length) * here->residual.norm()) continue;
      better = true;
      result.at = std::move(next);
      here = std::move(there);
    }
    ++result.iterations;
    if (!better) {
      result.reason = fmt::format("Newton's method makes no progress at a defect of {:.2g}", defect);
      break;
    }
    defect = here->residual.lpNorm<Eigen::Infinity>();
  }
  result.defect = defect;
  result.flow_error = here->flow_error;
  result.converged = defect <= small;
  if (!result.converged) return result;
  const Step rest = newton_step(*here);
  result.cost_error = here->cost_error + system.cost_change(result.at, rest.step);
  singular = singular || rest.singular;
  if (singular) count_families(system, here->jacobian, result);
  return result;
}

}  // namespace herglotz::solve
