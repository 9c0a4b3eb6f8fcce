#include "extremal.hpp"

#include <algorithm>
#include <cmath>

#include "herglotz/optimise/nlp.hpp"
#include "stage/stage_derivatives.hpp"

namespace herglotz::solve {
namespace {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;
using Index = Eigen::Index;

Index index(std::size_t i) {
  return static_cast<Index>(i);
}

constexpr int most_iterations = 40;
constexpr double precision = 1e-13;
constexpr double largest_step = 1e6;
constexpr double fast = 0.05;  ///< steps that shrink by this factor need no new derivatives

/// Equations of the stages of one step, in (Y, Q, w, kappa) of each stage.
class StageSystem {
 public:
  StageSystem(const Setup& setup, const Collocation& method, const std::vector<Hold>& held, double h, Values v,
              Values P, Controls controls)
      : setup_(setup), method_(method), h_(h), v_(std::move(v)), P_(std::move(P)), d_(setup.d()) {
    if (controls == Controls::stationary) {
      free_ = free_variables(setup, held);
      equations_ = setup.equations();
    }
    size_ = 2 * d_ + free_.size() + equations_;
  }

  /// Factors are kept as long as steps shrink fast. Those of another step serve if steps shrink fast at once.
  std::optional<StepEnd> solve(const std::vector<Stage>& start, StepFactors& factors) const {
    if (factors && factors->rows() != index(start.size() * size_)) factors.reset();
    bool of_another = factors.has_value();
    std::vector<Stage> stages = start;
    double before = optimise::infinity;
    for (int k = 0; k < most_iterations; ++k) {
      const StageDerivatives e = derivatives_at(setup_, stages, h_);
      const Vector residual = this->residual(stages, e);
      if (!residual.allFinite()) return std::nullopt;
      if (!factors) factors.emplace(matrix(e));
      const Vector step = factors->solve(-residual);
      double relative = optimise::infinity;
      if (step.allFinite()) {
        relative = 0;
        for (std::size_t i = 0; i < stages.size(); ++i) relative = std::max(relative, move(stages[i], step, i));
      }
      if (relative < precision) return end(derivatives_at(setup_, stages, h_));
      const bool shrinks = relative < fast * before;
      before = relative;
      if (shrinks && relative <= largest_step) continue;
      factors.reset();
      if (of_another) {
        of_another = false;
        stages = start;
        before = optimise::infinity;
        continue;
      }
      if (!(relative <= largest_step)) return std::nullopt;
      if (k + 1 == most_iterations && relative < 1e-10) return end(derivatives_at(setup_, stages, h_));
    }
    return std::nullopt;
  }

 private:
  [[nodiscard]] Index at(std::size_t stage, std::size_t entry) const { return index(stage * size_ + entry); }

  [[nodiscard]] Vector residual(const std::vector<Stage>& stages, const StageDerivatives& e) const {
    const std::size_t s = stages.size();
    Vector r(index(s * size_));
    for (std::size_t i = 0; i < s; ++i) {
      for (std::size_t a = 0; a < d_; ++a) {
        double Y = stages[i].v[a] - v_[a];
        double Q = stages[i].P[a] - P_[a];
        for (std::size_t j = 0; j < s; ++j) {
          Y -= method_.A(index(i), index(j)) * e.f[j][index(a)];
          Q += method_.adjoint(index(i), index(j)) * e.slope[j][index(a)];
        }
        r[at(i, a)] = Y;
        r[at(i, d_ + a)] = Q;
      }
      for (std::size_t l = 0; l < free_.size(); ++l) r[at(i, 2 * d_ + l)] = e.slope[i][index(d_ + free_[l])];
      for (std::size_t c = 0; c < equations_; ++c) r[at(i, 2 * d_ + free_.size() + c)] = e.f[i][index(d_ + c)];
    }
    return r;
  }

  /// Returns the derivatives of (hF, J_v^T mu, J_w^T mu, C) of one stage by its unknowns.
  [[nodiscard]] Matrix block(const Matrix& J, const Matrix& H) const {
    Matrix M = Matrix::Zero(index(size_), index(size_));
    std::vector<std::pair<std::size_t, std::size_t>> inputs;  // place among the unknowns, place among the inputs
    for (std::size_t a = 0; a < d_; ++a) inputs.emplace_back(a, a);
    for (std::size_t l = 0; l < free_.size(); ++l) inputs.emplace_back(2 * d_ + l, d_ + free_[l]);
    const std::size_t kappa = 2 * d_ + free_.size();
    for (const auto& [col, input] : inputs) {
      for (std::size_t a = 0; a < d_; ++a) M(index(a), index(col)) = J(index(a), index(input));
      for (std::size_t c = 0; c < equations_; ++c) {
        M(index(kappa + c), index(col)) = J(index(d_ + c), index(input));
        const std::size_t row = input < d_ ? d_ + input : col;
        M(index(row), index(kappa + c)) = h_ * J(index(d_ + c), index(input));
      }
      for (const auto& [other, variable] : inputs) {
        const std::size_t row = variable < d_ ? d_ + variable : other;
        M(index(row), index(col)) = H(index(variable), index(input));
      }
      for (std::size_t a = 0; a < d_; ++a) {
        const std::size_t row = input < d_ ? d_ + input : col;
        M(index(row), index(d_ + a)) = J(index(a), index(input));
      }
    }
    return M;
  }

  [[nodiscard]] Matrix matrix(const StageDerivatives& e) const {
    const std::size_t s = e.f.size();
    Matrix M = Matrix::Zero(index(s * size_), index(s * size_));
    const auto both = index(2 * d_);
    const auto rest = index(size_) - both;
    for (std::size_t j = 0; j < s; ++j) {
      const Matrix own = block(e.J[j], e.H[j]);
      for (std::size_t i = 0; i < s; ++i) {
        const double a = method_.A(index(i), index(j));
        M.block(at(i, 0), at(j, 0), index(d_), index(size_)) = -a * own.topRows(index(d_));
        M.block(at(i, d_), at(j, 0), index(d_), index(size_)) =
            method_.adjoint(index(i), index(j)) * own.middleRows(index(d_), index(d_));
      }
      M.block(at(j, 0), at(j, 0), both, both) += Matrix::Identity(both, both);
      M.block(at(j, 2 * d_), at(j, 0), rest, index(size_)) = own.bottomRows(rest);
    }
    return M;
  }

  /// Adds a Newton step to a stage, and returns the largest relative change.
  double move(Stage& stage, const Vector& step, std::size_t i) const {
    double relative = 0;
    const auto add = [&](double& value, std::size_t entry) {
      const double change = step[at(i, entry)];
      value += change;
      relative = std::max(relative, std::abs(change) / std::max(1.0, std::abs(value)));
    };
    for (std::size_t a = 0; a < d_; ++a) {
      add(stage.v[a], a);
      add(stage.P[a], d_ + a);
    }
    for (std::size_t l = 0; l < free_.size(); ++l) add(stage.w[free_[l]], 2 * d_ + l);
    for (std::size_t c = 0; c < equations_; ++c) add(stage.kappa[c], 2 * d_ + free_.size() + c);
    return relative;
  }

  [[nodiscard]] StepEnd end(const StageDerivatives& e) const {
    StepEnd result{v_, P_};
    for (std::size_t i = 0; i < e.f.size(); ++i) {
      for (std::size_t a = 0; a < d_; ++a) {
        result.v[a] += method_.b[index(i)] * e.f[i][index(a)];
        result.P[a] -= method_.b[index(i)] * e.slope[i][index(a)];
      }
    }
    return result;
  }

  const Setup& setup_;
  const Collocation& method_;
  double h_;
  Values v_;
  Values P_;
  std::size_t d_;
  std::vector<std::size_t> free_;
  std::size_t equations_ = 0;
  std::size_t size_ = 0;
};

/// Returns whether the cost has a share in the costates, without which they may not determine the controls.
bool has_price(const Setup& setup, const Interval& interval) {
  constexpr double hardly = 1e-5;
  double largest = 0;
  for (const double P : interval.P0) largest = std::max(largest, std::abs(P));
  return std::abs(interval.P0[setup.form.cost()]) > hardly * largest;
}

}  // namespace

Point evaluate(const Setup& setup, const Stage& at) {
  const StageDerivatives e = derivatives_at(setup, {at}, 1);
  Point point;
  const std::size_t d = setup.d();
  for (std::size_t a = 0; a < d; ++a) {
    point.F.push_back(e.f[0][index(a)]);
    point.K += at.P[a] * point.F.back();
    point.K_v.push_back(e.slope[0][index(a)]);
  }
  for (std::size_t j = 0; j < setup.along(); ++j) point.along.push_back(e.f[0][index(d + j)]);
  for (std::size_t j = 0; j < setup.m(); ++j) point.K_w.push_back(e.slope[0][index(d + j)]);
  point.K_t = e.slope[0][index(d + setup.m() + 1)];
  return point;
}

std::optional<Stage> stationary(const Setup& setup, const Stage& start, const std::vector<Hold>& held) {
  Stage stage = start;
  setup.keep(held, stage.w);
  const auto free = free_variables(setup, held);
  const std::size_t d = setup.d();
  const std::size_t size = free.size() + setup.equations();
  if (size == 0) return stage;
  for (int k = 0; k < most_iterations; ++k) {
    const StageDerivatives e = derivatives_at(setup, {stage}, 1);
    Vector residual(index(size));
    Matrix M = Matrix::Zero(index(size), index(size));
    for (std::size_t l = 0; l < free.size(); ++l) {
      residual[index(l)] = e.slope[0][index(d + free[l])];
      for (std::size_t o = 0; o < free.size(); ++o)
        M(index(l), index(o)) = e.H[0](index(d + free[l]), index(d + free[o]));
      for (std::size_t c = 0; c < setup.equations(); ++c)
        M(index(l), index(free.size() + c)) = M(index(free.size() + c), index(l)) =
            e.J[0](index(d + c), index(d + free[l]));
    }
    for (std::size_t c = 0; c < setup.equations(); ++c) residual[index(free.size() + c)] = e.f[0][index(d + c)];
    const Eigen::FullPivLU<Matrix> factors(M);
    if (!residual.allFinite() || !factors.isInvertible()) return std::nullopt;
    const Vector step = factors.solve(-residual);
    double relative = 0;
    for (std::size_t l = 0; l < size; ++l) {
      double& value = l < free.size() ? stage.w[free[l]] : stage.kappa[l - free.size()];
      value += step[index(l)];
      relative = std::max(relative, std::abs(step[index(l)]) / std::max(1.0, std::abs(value)));
    }
    if (!(relative < largest_step)) return std::nullopt;
    if (relative < precision) return stage;
  }
  return std::nullopt;
}

std::optional<StepEnd> extremal_step(const Setup& setup, const Collocation& method, const Interval& guess,
                                     const std::vector<Hold>& held, double h, Controls controls, StepFactors& factors) {
  std::vector<Stage> stages;
  for (std::size_t i = 0; i < method.stages(); ++i) {
    stages.push_back(at(guess, guess.t + method.c[index(i)] * h));
    setup.keep(held, stages.back().w);
  }
  return StageSystem(setup, method, held, h, guess.v0, guess.P0, controls).solve(stages, factors);
}

std::optional<StepEnd> best_step(const Setup& setup, const Collocation& method, const Interval& guess, double h,
                                 StepFactors& factors) {
  const auto& linear = setup.form.linear;
  const bool singular =
      std::any_of(linear.begin(), linear.end(), [&](std::size_t u) { return guess.held[u] == Hold::free; });
  if (!singular && !guess.mixed && setup.form.inequalities.empty() && has_price(setup, guess)) {
    auto end = extremal_step(setup, method, guess, guess.held, h, Controls::stationary, factors);
    if (end) return end;
  }
  return extremal_step(setup, method, guess, guess.held, h, Controls::given, factors);
}

LocalErrors local_errors(const Setup& setup, const Path& path) {
  const Collocation next(path.intervals.front().stages.size() + 1);
  Values v_size(setup.d(), 1.0);
  double P_size = 0;
  for (const Interval& interval : path.intervals) {
    for (std::size_t a = 0; a < setup.d(); ++a) {
      v_size[a] = std::max(v_size[a], std::abs(interval.v1[a]));
      P_size = std::max(P_size, std::abs(interval.P1[a]));
    }
  }
  P_size = std::max(P_size, 1.0);
  LocalErrors errors;
  double of_cost = 0;
  StepFactors factors;
  for (const Interval& interval : path.intervals) {
    const auto end = best_step(setup, next, interval, interval.h, factors);
    double error = end ? 0 : 1;
    for (std::size_t a = 0; end && a < setup.d(); ++a) {
      error = std::max(error, std::abs(end->v[a] - interval.v1[a]) / v_size[a]);
      error = std::max(error, std::abs(end->P[a] - interval.P1[a]) / P_size);
      of_cost += interval.P1[a] * (end->v[a] - interval.v1[a]);
    }
    if (!end) of_cost = optimise::infinity;
    errors.of_intervals.push_back(error);
  }
  errors.of_cost = std::abs(of_cost);
  return errors;
}

}  // namespace herglotz::solve
