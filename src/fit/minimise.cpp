#include "minimise.hpp"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <unsupported/Eigen/NonLinearOptimization>
#include <utility>

#include "bounded.hpp"
#include "herglotz/error.hpp"

namespace herglotz::fit {
namespace {

using Eigen::Index;
using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

/// Residuals of a run that fails: the step to it is refused.
constexpr double far_off = 1e100;

/// The problem in those free variables that are not held, as Eigen's solver takes it.
class Functor {
 public:
  using Scalar = double;

  Functor(const Residuals& residuals, Vector all, const HeldVariables& held)
      : residuals_(residuals), all_(std::move(all)), held_(held) {
    for (std::size_t k = 0; k < static_cast<std::size_t>(all_.size()); ++k)
      if (std::none_of(held_.begin(), held_.end(), [&](const Held& one) { return one.place == k; }))
        places_.push_back(k);
  }

  [[nodiscard]] int values() const { return static_cast<int>(residuals_.samples()); }

  int operator()(const Vector& searched, Vector& values) {
    evaluate(searched);
    if (last_)
      values = last_->residuals;
    else
      values.setConstant(far_off);
    return 0;
  }

  int df(const Vector& searched, Matrix& jacobian) {
    evaluate(searched);
    if (!last_) return -1;
    for (Index k = 0; k < searched.size(); ++k) {
      const auto place = static_cast<Index>(place_of(k));
      const Unknown& unknown = residuals_.variables()[place_of(k)].unknown;
      jacobian.col(k) = last_->jacobian.col(place) * bounded(unknown, searched[k]).slope;
    }
    return 0;
  }

  /// Returns the free variables that are searched, of all of them.
  [[nodiscard]] Vector searched() const {
    Vector some(static_cast<Index>(places_.size()));
    for (Index k = 0; k < some.size(); ++k) some[k] = all_[static_cast<Index>(place_of(k))];
    return some;
  }
  /// Returns all free variables.
  [[nodiscard]] Vector with(const Vector& searched) const {
    Vector all = all_;
    for (Index k = 0; k < searched.size(); ++k) all[static_cast<Index>(place_of(k))] = searched[k];
    return all;
  }

  [[nodiscard]] std::size_t runs() const { return runs_; }

  /// Returns why a run failed beside `end`, with steps to which the search came to its end, or nothing.
  [[nodiscard]] std::string failure_beside(const Vector& end) const {
    const bool near = refused_ && (refused_->at - end).norm() <= next_to * std::max(end.norm(), refused_->at.norm());
    return near ? refused_->failure : "";
  }

  /// Returns the largest cosine of the angle between the residuals and a column of their Jacobian: 0 in a minimum.
  [[nodiscard]] double slope(const Vector& searched) {
    Matrix jacobian(values(), searched.size());
    if (df(searched, jacobian) < 0) return 0;
    double largest = 0;
    for (Index k = 0; k < searched.size(); ++k) {
      const double sizes = jacobian.col(k).norm() * last_->residuals.norm();
      if (sizes > 0) largest = std::max(largest, std::abs(jacobian.col(k).dot(last_->residuals)) / sizes);
    }
    return largest;
  }

 private:
  /// Distance, beside their size, of free variables between which a search cannot go on.
  static constexpr double next_to = 1e-6;

  /// Free variables at which a run failed.
  struct RefusedTrial {
    Vector at;
    std::string failure;
  };

  [[nodiscard]] std::size_t place_of(Index k) const { return places_[static_cast<std::size_t>(k)]; }

  void evaluate(const Vector& searched) {
    if (runs_ > 0 && known_ == searched) return;
    known_ = searched;
    ++runs_;
    try {
      last_ = residuals_.trial(values_of(residuals_.variables(), with(searched), held_));
    } catch (const Error& e) {
      if (runs_ == 1) throw;
      last_.reset();
      refused_ = {searched, e.what()};
    }
  }

  const Residuals& residuals_;
  Vector all_;
  HeldVariables held_;
  std::vector<std::size_t> places_;  // of the variables that are searched
  Vector known_;
  std::optional<EvaluatedRuns> last_;
  std::optional<RefusedTrial> refused_;  // the last one
  std::size_t runs_ = 0;
};

}  // namespace

Vector values_of(const std::vector<Variable>& variables, const Vector& free, const HeldVariables& held) {
  Vector values(free.size());
  for (Index k = 0; k < free.size(); ++k)
    values[k] = bounded(variables[static_cast<std::size_t>(k)].unknown, free[k]).value;
  for (const Held& one : held) values[static_cast<Index>(one.place)] = one.value;
  return values;
}

FitMinimum minimise(const Residuals& residuals, std::size_t most_iterations, Vector free, const HeldVariables& held) {
  using Status = Eigen::LevenbergMarquardtSpace::Status;
  Functor functor(residuals, std::move(free), held);
  Vector searched = functor.searched();
  if (searched.size() == 0) return {functor.with(searched), true, "complete", 0};
  Eigen::LevenbergMarquardt<Functor> solver(functor);
  solver.parameters.ftol = solver.parameters.xtol = 1e-13;
  solver.parameters.maxfev = static_cast<Index>(most_iterations);
  const Status status = solver.minimize(searched);
  FitMinimum minimum{functor.with(searched), false, "complete", functor.runs()};
  switch (status) {
    case Status::RelativeReductionTooSmall:
    case Status::RelativeErrorTooSmall:
    case Status::RelativeErrorAndReductionTooSmall:
    case Status::CosinusTooSmall:
    case Status::FtolTooSmall:
    case Status::XtolTooSmall:
    case Status::GtolTooSmall:
      minimum.converged = true;
      break;
    case Status::TooManyFunctionEvaluation:
      minimum.status = fmt::format("{} runs did not reach a minimum; start nearer to it", most_iterations);
      break;
    default:
      minimum.status = "no minimum was reached: a run beside the start fails";
  }
  constexpr double still_falling = 1e-3;
  if (const std::string failure = functor.failure_beside(searched);
      minimum.converged && !failure.empty() && functor.slope(searched) > still_falling) {
    minimum.converged = false;
    minimum.status = fmt::format(
        "the search ended beside values at which a run fails, and not in a minimum; keep away from them by bounds, or "
        "start elsewhere ({})",
        failure);
  }
  return minimum;
}

}  // namespace herglotz::fit
