#include "herglotz/sensitivity/flow.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <cmath>

#include "herglotz/kernel/prince_dormand.hpp"
#include "herglotz/linear/eigen_views.hpp"
#include "herglotz/linear/partial_lu.hpp"

namespace herglotz::sensitivity {
namespace {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;
using Eigen::Index;
using kernel::PrinceDormand;
using linear::index;
using linear::view;

constexpr int most_algebraic_iterations = 25;
constexpr double precise = 1e-14;        ///< relative change of w at which Newton's method ends
constexpr double stalled = 1e-11;        ///< relative change that is taken as rounding if it no longer falls
constexpr double shortest_part = 1e-12;  ///< of a step, in parts of the way
constexpr double singular = 1e-14;

Vector copy(std::span<const double> values) {
  return Eigen::Map<const Vector>(values.data(), index(values.size()));
}

/// Values and derivatives of a system at a place where g = 0.
struct Rates {
  Vector f;
  Vector w;
  Matrix by_x;      ///< of f along g = 0
  Matrix by_theta;  ///< likewise
  Matrix w_by_x;
};

/// Evaluates a system on g = 0, starting from the w and x of the last place.
class Evaluator {
 public:
  Evaluator(const FirstOrderSystem& system, const EvaluationPoint& start)
      : system_(system),
        n_(index(system.states())),
        m_(index(system.algebraic())),
        k_(index(system.parameters())),
        theta_(copy(start.theta)),
        values_(n_ + m_),
        slopes_(n_ + m_, n_ + m_ + k_) {}

  /// Returns the rates at (t, x), with w from the guess; or `std::nullopt` if g does not determine w.
  std::optional<Rates> at(double t, const Vector& x, Vector w) {
    double last = 1e300;
    for (int round = 0; round <= most_algebraic_iterations; ++round) {
      system_.evaluate({t, view(x), view(w), view(theta_)}, {values_.data(), static_cast<std::size_t>(n_ + m_)},
                       {slopes_.data(), static_cast<std::size_t>(slopes_.size())});
      if (!values_.allFinite() || !slopes_.allFinite()) return std::nullopt;
      if (m_ == 0) return Rates{values_, w, slopes_.leftCols(n_), slopes_.rightCols(k_), Matrix(0, n_)};
      const linear::PartialLu lu(slopes_.block(n_, n_, m_, m_));
      if (is_singular(lu)) return std::nullopt;
      const Vector change = lu.solve(values_.tail(m_));
      double relative = 0;
      for (Index j = 0; j < m_; ++j) relative = std::max(relative, std::abs(change[j]) / std::max(1.0, std::abs(w[j])));
      if (!(relative < 1e8)) return std::nullopt;
      if (relative <= precise || (relative <= stalled && relative >= 0.5 * last)) return eliminated(lu, w);
      last = relative;
      w -= change;
    }
    return std::nullopt;
  }

 private:
  static bool is_singular(const linear::PartialLu& lu) {
    const auto pivots = lu.triangles().diagonal().cwiseAbs();
    return !(pivots.minCoeff() > singular * pivots.maxCoeff());
  }

  [[nodiscard]] Rates eliminated(const linear::PartialLu& lu, const Vector& w) const {
    const auto f_w = slopes_.block(0, n_, n_, m_);
    Rates rates{values_.head(n_), w, slopes_.topLeftCorner(n_, n_), slopes_.topRightCorner(n_, k_),
                lu.solve(-slopes_.block(n_, 0, m_, n_))};
    rates.by_x += f_w * rates.w_by_x;
    if (k_ > 0) rates.by_theta -= f_w * lu.solve(slopes_.bottomRightCorner(m_, k_));
    return rates;
  }

  const FirstOrderSystem& system_;
  Index n_;
  Index m_;
  Index k_;
  Vector theta_;
  Vector values_;
  Matrix slopes_;
};

/// The motion with its derivatives, step by step.
class Follower {
 public:
  Follower(const FirstOrderSystem& system, const EvaluationPoint& start, const FlowOptions& options)
      : evaluator_(system, start),
        options_(options),
        n_(index(system.states())),
        k_(index(system.parameters())),
        t_(start.t),
        x_(copy(start.x)),
        w_(copy(start.w)),
        by_start_(Matrix::Identity(n_, n_)),
        by_parameters_(Matrix::Zero(n_, k_)),
        error_(Vector::Zero(n_)) {}

  bool run(double end) {
    const double way = end - t_;
    if (way == 0) return settle();
    double h = way;
    while (t_ != end) {
      if (tried_++ >= options_.most_steps || !(std::abs(h) > shortest_part * std::abs(way))) return false;
      const double left = end - t_;
      const bool last = std::abs(h) >= std::abs(left) * (1 - 1e-9);
      const double size = step(last ? left : h);
      if (size <= 1) t_ = last ? end : t_ + h;
      h = (last ? left : h) * (std::isfinite(size) ? std::clamp(0.9 * std::pow(size, -1.0 / 8), 0.2, 5.0) : 0.2);
    }
    return settle();
  }

  [[nodiscard]] FlowEnd end() const {
    const auto list = [](const auto& m) { return std::vector<double>(m.data(), m.data() + m.size()); };
    FlowEnd result{list(x_), list(w_), {}, {}, list(error_), accepted_};
    if (options_.derivatives) {
      result.by_start = list(by_start_);
      result.by_parameters = list(by_parameters_);
    }
    return result;
  }

 private:
  /// Solves for w at the end.
  bool settle() {
    const auto rates = evaluator_.at(t_, x_, w_);
    if (rates) w_ = rates->w;
    return rates.has_value();
  }

  /// Tries a step, and takes it if its error is at most 1. Returns the error, infinite if a stage failed.
  double step(double h) {
    const PrinceDormand& pair = kernel::prince_dormand();
    Vector w = w_;
    for (std::size_t i = 0; i < PrinceDormand::stages; ++i) {
      Vector x = x_;
      for (std::size_t j = 0; j < i; ++j)
        if (pair.A[i][j] != 0) x += h * pair.A[i][j] * rates_[j].f;
      // The derivatives of the last stage predict w.
      if (i > 0) w = rates_[i - 1].w + rates_[i - 1].w_by_x * (x - last_);
      auto rates = evaluator_.at(t_ + pair.c[i] * h, x, w);
      if (!rates) return std::numeric_limits<double>::infinity();
      rates_[i] = std::move(*rates);
      last_ = std::move(x);
    }
    Vector change = Vector::Zero(n_);
    Vector error = Vector::Zero(n_);
    for (std::size_t i = 0; i < PrinceDormand::stages; ++i) {
      change += h * pair.b[i] * rates_[i].f;
      error += h * (pair.b[i] - pair.b_hat[i]) * rates_[i].f;
    }
    double size = 0;
    for (Index i = 0; i < n_; ++i) {
      const double scale = options_.sizes.empty()
                               ? std::max(1.0, std::abs(x_[i]))
                               : std::max(options_.sizes[static_cast<std::size_t>(i)], std::abs(x_[i]));
      size = std::max(size, std::abs(error[i]) / (options_.tolerance * scale));
    }
    if (!std::isfinite(size)) return std::numeric_limits<double>::infinity();
    if (size > 1) return size;
    if (options_.derivatives) differentiate(h);
    x_ += change;
    w_ = rates_.back().w;
    error_ += error.cwiseAbs();
    ++accepted_;
    return size;
  }

  /// Takes the step of the variational equations that belongs to the last step.
  void differentiate(double h) {
    const PrinceDormand& pair = kernel::prince_dormand();
    Matrix all(n_, n_ + k_);
    all << by_start_, by_parameters_;
    for (std::size_t i = 0; i < PrinceDormand::stages; ++i) {
      Matrix X = all;
      for (std::size_t j = 0; j < i; ++j)
        if (pair.A[i][j] != 0) X += h * pair.A[i][j] * slopes_[j];
      slopes_[i].noalias() = rates_[i].by_x * X;
      slopes_[i].rightCols(k_) += rates_[i].by_theta;
    }
    for (std::size_t i = 0; i < PrinceDormand::stages; ++i) all += h * pair.b[i] * slopes_[i];
    by_start_ = all.leftCols(n_);
    by_parameters_ = all.rightCols(k_);
  }

  Evaluator evaluator_;
  const FlowOptions& options_;
  Index n_;
  Index k_;
  double t_;
  Vector x_;
  Vector w_;
  Matrix by_start_;
  Matrix by_parameters_;
  Vector error_;
  Vector last_;
  std::array<Rates, PrinceDormand::stages> rates_;
  std::array<Matrix, PrinceDormand::stages> slopes_;
  std::size_t tried_ = 0;
  std::size_t accepted_ = 0;
};

}  // namespace

std::optional<FlowEnd> flow(const FirstOrderSystem& system, const EvaluationPoint& start, double end,
                            const FlowOptions& options) {
  Follower follower(system, start, options);
  if (!follower.run(end)) return std::nullopt;
  return follower.end();
}

std::optional<std::vector<double>> algebraic_variables(const FirstOrderSystem& system, const EvaluationPoint& at) {
  const auto rates = Evaluator(system, at).at(at.t, copy(at.x), copy(at.w));
  if (!rates) return std::nullopt;
  return std::vector<double>(rates->w.data(), rates->w.data() + rates->w.size());
}

}  // namespace herglotz::sensitivity
