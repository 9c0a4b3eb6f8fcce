#include "extremal.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <utility>

#include "herglotz/linear/eigen_views.hpp"
#include "herglotz/linear/full_lu.hpp"
#include "herglotz/linear/partial_lu.hpp"
#include "herglotz/optimise/nlp.hpp"
#include "stage/stage_derivatives.hpp"

namespace herglotz::solve {
namespace {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;
using Index = Eigen::Index;
using linear::index;

constexpr int most_iterations = 40;
constexpr double precision = 1e-13;
constexpr double nearly = 1e-10;           ///< is enough after all iterations
constexpr std::size_t steps_at_once = 24;  ///< which share derivatives and factors
constexpr double largest_step = 1e6;
constexpr double fast = 0.05;  ///< steps that shrink by this factor need no new derivatives

/// Choice whether controls and multipliers are solved for (`stationary`) or taken from the start (`given`).
enum class Controls { stationary, given };

/// Factors of the equations of one step: steps of one size along a path are alike.
using StepFactors = std::optional<linear::PartialLu>;

/// Newton's iteration for the stages of one step, in (Y, Q, w, kappa) of each stage. The derivatives at its stages come
/// from outside, where those of many steps are computed together.
class StepIteration {
 public:
  StepIteration(const Setup& setup, const Collocation& method, const Interval& guess, double h, Controls controls)
      : setup_(setup), method_(method), h_(h), v_(guess.v0), P_(guess.P0), d_(setup.d()) {
    for (std::size_t i = 0; i < method.stages(); ++i) {
      start_.push_back(solve::at(guess, guess.t + method.c[index(i)] * h));
      setup.keep(guess.held, start_.back().w);
    }
    stages_ = start_;
    if (controls == Controls::stationary) {
      free_ = free_variables(setup, guess.held);
      equations_ = setup.equations();
    }
    size_ = 2 * d_ + free_.size() + equations_;
  }

  [[nodiscard]] bool is_over() const { return over_; }
  [[nodiscard]] std::size_t stages() const { return stages_.size(); }
  /// Returns whether the next step needs second derivatives, because no factors serve it.
  [[nodiscard]] bool needs_factors(const StepFactors& shared) const {
    // Steps with other controls at their bounds have systems of other sizes.
    return !converged_ && !own_ && (!uses_shared_ || !shared || shared->size() != at(stages_.size(), 0));
  }
  void list(std::vector<StageOf>& stages) const {
    for (const Stage& stage : stages_) stages.push_back({&stage, h_});
  }

  /// Takes a step of Newton's method with the derivatives from `first` on. `shared` are factors of another step of the
  /// same kind: they serve as long as steps shrink fast, and are made here if there are none.
  void advance(const StageDerivatives& e, std::size_t first, StepFactors& shared) {
    if (converged_) return end_by_rates(e, first);
    const Vector residual = this->residual(e, first);
    if (!residual.allFinite()) return give_up();
    if (needs_factors(shared)) {
      own_.emplace(matrix(e, first));
      if (uses_shared_) shared = own_;
      uses_shared_ = false;
    }
    const Vector step = (own_ ? *own_ : *shared).solve(-residual);
    double relative = optimise::infinity;
    if (step.allFinite()) {
      relative = 0;
      for (std::size_t i = 0; i < stages_.size(); ++i) relative = std::max(relative, move(stages_[i], step, i));
    }
    const double rate = std::isfinite(before_) ? relative / before_ : 1;
    // The error after this step is about its size times the rate.
    if (relative < precision || (rate < fast && relative * rate < precision)) return finish();
    const bool shrinks = relative < fast * before_;
    before_ = relative;
    ++iterations_;
    if (shrinks && relative <= largest_step) return;
    own_.reset();
    if (uses_shared_) {
      uses_shared_ = false;
      stages_ = start_;
      before_ = optimise::infinity;
      return;
    }
    if (!(relative <= largest_step)) return give_up();
    if (iterations_ < most_iterations) return;
    if (relative < nearly) return finish();
    give_up();
  }

  [[nodiscard]] const std::optional<StepEnd>& end() const { return end_; }

 private:
  [[nodiscard]] Index at(std::size_t stage, std::size_t entry) const { return index(stage * size_ + entry); }

  [[nodiscard]] Vector residual(const StageDerivatives& e, std::size_t first) const {
    const std::size_t s = stages_.size();
    Vector r(index(s * size_));
    for (std::size_t i = 0; i < s; ++i) {
      for (std::size_t a = 0; a < d_; ++a) {
        double Y = stages_[i].v[a] - v_[a];
        double Q = stages_[i].P[a] - P_[a];
        for (std::size_t j = 0; j < s; ++j) {
          Y -= method_.A(index(i), index(j)) * e.f[first + j][index(a)];
          Q += method_.adjoint(index(i), index(j)) * e.slope[first + j][index(a)];
        }
        r[at(i, a)] = Y;
        r[at(i, d_ + a)] = Q;
      }
      for (std::size_t l = 0; l < free_.size(); ++l) r[at(i, 2 * d_ + l)] = e.slope[first + i][index(d_ + free_[l])];
      for (std::size_t c = 0; c < equations_; ++c) r[at(i, 2 * d_ + free_.size() + c)] = e.f[first + i][index(d_ + c)];
    }
    return r;
  }

  /// Returns the derivatives of (hF, J_v^T mu, J_w^T mu, C) of one stage by its unknowns.
  [[nodiscard]] Matrix block(const Eigen::Ref<const Matrix>& J, const Eigen::Ref<const Matrix>& H) const {
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

  [[nodiscard]] Matrix matrix(const StageDerivatives& e, std::size_t first) const {
    const std::size_t s = stages_.size();
    Matrix M = Matrix::Zero(index(s * size_), index(s * size_));
    const auto both = index(2 * d_);
    const auto rest = index(size_) - both;
    for (std::size_t j = 0; j < s; ++j) {
      const Matrix own = block(e.J[first + j], e.H[first + j]);
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

  void give_up() { over_ = true; }
  /// The end of a method of Gauss follows from the stages. Those of others do not determine it: it takes the rates
  /// there, which come next.
  void finish() {
    converged_ = true;
    if (!(method_.c[0] > 0)) return;
    over_ = true;
    end_ = {v_, P_};
    for (std::size_t i = 0; i < stages_.size(); ++i) {
      for (std::size_t a = 0; a < d_; ++a) {
        end_->v[a] += method_.d[index(i)] * (stages_[i].v[a] - v_[a]);
        end_->P[a] += method_.d[index(i)] * (stages_[i].P[a] - P_[a]);
      }
    }
  }
  void end_by_rates(const StageDerivatives& e, std::size_t first) {
    over_ = true;
    end_ = {v_, P_};
    for (std::size_t i = 0; i < stages_.size(); ++i) {
      for (std::size_t a = 0; a < d_; ++a) {
        end_->v[a] += method_.b[index(i)] * e.f[first + i][index(a)];
        end_->P[a] -= method_.b[index(i)] * e.slope[first + i][index(a)];
      }
    }
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
  std::vector<Stage> start_;
  std::vector<Stage> stages_;
  StepFactors own_;
  bool uses_shared_ = true;  ///< false once the factors of another step did not serve
  double before_ = optimise::infinity;
  int iterations_ = 0;
  bool converged_ = false;
  bool over_ = false;
  std::optional<StepEnd> end_;
};

/// Takes one step of Newton's method in each of some iterations.
void advance(const Setup& setup, std::span<StepIteration* const> steps, Orders orders, StepFactors& shared) {
  std::vector<StageOf> stages;
  for (const StepIteration* step : steps) step->list(stages);
  if (stages.empty()) return;
  const StageDerivatives e = derivatives_at(setup, stages, orders);
  std::size_t first = 0;
  for (StepIteration* step : steps) {
    step->advance(e, first, shared);
    first += step->stages();
  }
}

/// Continues all iterations until they are over.
void follow(const Setup& setup, std::vector<StepIteration>& steps) {
  if (steps.empty()) return;
  StepFactors shared;
  // The step in the middle is the one that is most like all others.
  StepIteration* const middle = &steps[steps.size() / 2];
  advance(setup, {&middle, 1}, Orders::both, shared);
  for (;;) {
    std::vector<StepIteration*> with_factors;
    std::vector<StepIteration*> without;
    for (StepIteration& step : steps)
      if (!step.is_over()) (step.needs_factors(shared) ? without : with_factors).push_back(&step);
    if (with_factors.empty() && without.empty()) return;
    advance(setup, with_factors, Orders::first, shared);
    advance(setup, without, Orders::both, shared);
  }
}

/// Returns whether the cost has a share in the costates, without which they may not determine the controls.
bool has_price(const Setup& setup, const Interval& interval) {
  constexpr double hardly = 1e-5;
  double largest = 0;
  for (const double P : interval.P0) largest = std::max(largest, std::abs(P));
  return std::abs(interval.P0[setup.form.cost()]) > hardly * largest;
}

}  // namespace

std::vector<Point> evaluate(const Setup& setup, std::span<const Stage* const> stages) {
  std::vector<StageOf> all;
  all.reserve(stages.size());
  for (const Stage* stage : stages) all.push_back({stage, 1});
  const StageDerivatives e = derivatives_at(setup, all, Orders::first);
  std::vector<Point> points(stages.size());
  const std::size_t d = setup.d();
  for (std::size_t k = 0; k < stages.size(); ++k) {
    const double* const f = e.f[k].data();
    const double* const slope = e.slope[k].data();
    Point& point = points[k];
    point.F.assign(f, f + d);
    point.along.assign(f + d, f + d + setup.along());
    for (std::size_t a = 0; a < d; ++a) point.K += stages[k]->P[a] * f[a];
    point.K_v.assign(slope, slope + d);
    point.K_w.assign(slope + d, slope + d + setup.m());
    point.K_t = slope[d + setup.m() + 1];
  }
  return points;
}

Point evaluate(const Setup& setup, const Stage& at) {
  const Stage* const one = &at;
  return std::move(evaluate(setup, {&one, 1}).front());
}

namespace {

/// Newton's iteration for the controls and multipliers of one stage.
class ControlIteration {
 public:
  ControlIteration(const Setup& setup, const StageAndHold& start)
      : setup_(setup), stage_(start.stage), free_(free_variables(setup, *start.held)) {
    setup.keep(*start.held, stage_.w);
    size_ = free_.size() + setup.equations();
    over_ = is_found_ = size_ == 0;
  }

  [[nodiscard]] bool is_over() const { return over_; }
  [[nodiscard]] const Stage& stage() const { return stage_; }
  [[nodiscard]] std::optional<Stage> found() const { return is_found_ ? std::optional(stage_) : std::nullopt; }

  void advance(const StageDerivatives& e, std::size_t k) {
    over_ = ++iterations_ == most_iterations;
    const std::size_t d = setup_.d();
    const auto J = e.J[k];
    const auto H = e.H[k];
    Vector residual(index(size_));
    Matrix M = Matrix::Zero(index(size_), index(size_));
    for (std::size_t l = 0; l < free_.size(); ++l) {
      residual[index(l)] = e.slope[k][index(d + free_[l])];
      for (std::size_t o = 0; o < free_.size(); ++o)
        M(index(l), index(o)) = H(index(d + free_[l]), index(d + free_[o]));
      for (std::size_t c = 0; c < setup_.equations(); ++c)
        M(index(l), index(free_.size() + c)) = M(index(free_.size() + c), index(l)) =
            J(index(d + c), index(d + free_[l]));
    }
    for (std::size_t c = 0; c < setup_.equations(); ++c) residual[index(free_.size() + c)] = e.f[k][index(d + c)];
    const linear::FullLu factors(M);
    if (!residual.allFinite() || !factors.is_invertible()) return give_up();
    const Vector step = factors.solve(-residual);
    double relative = 0;
    for (std::size_t l = 0; l < size_; ++l) {
      double& value = l < free_.size() ? stage_.w[free_[l]] : stage_.kappa[l - free_.size()];
      value += step[index(l)];
      relative = std::max(relative, std::abs(step[index(l)]) / std::max(1.0, std::abs(value)));
    }
    if (!(relative < largest_step)) return give_up();
    if (relative < precision) over_ = is_found_ = true;
  }

 private:
  void give_up() { over_ = true; }

  const Setup& setup_;
  Stage stage_;
  std::vector<std::size_t> free_;
  std::size_t size_ = 0;
  int iterations_ = 0;
  bool over_ = false;
  bool is_found_ = false;
};

}  // namespace

std::vector<std::optional<Stage>> stationary(const Setup& setup, std::span<const StageAndHold> starts) {
  std::vector<ControlIteration> iterations;
  iterations.reserve(starts.size());
  for (const StageAndHold& start : starts) iterations.emplace_back(setup, start);
  std::vector<StageOf> stages;
  for (;;) {
    stages.clear();
    for (const ControlIteration& one : iterations)
      if (!one.is_over()) stages.push_back({&one.stage(), 1});
    if (stages.empty()) break;
    const StageDerivatives e = derivatives_at(setup, stages);
    std::size_t k = 0;
    for (ControlIteration& one : iterations)
      if (!one.is_over()) one.advance(e, k++);
  }
  std::vector<std::optional<Stage>> found;
  found.reserve(iterations.size());
  for (const ControlIteration& one : iterations) found.push_back(one.found());
  return found;
}

std::optional<Stage> stationary(const Setup& setup, const Stage& start, const std::vector<Hold>& held) {
  const StageAndHold one{start, &held};
  return std::move(stationary(setup, {&one, 1}).front());
}

namespace {

/// Returns whether K determines the controls of a step.
bool has_stationary_controls(const Setup& setup, const Interval& guess) {
  const auto& linear = setup.form.linear;
  const bool singular =
      std::any_of(linear.begin(), linear.end(), [&](std::size_t u) { return guess.held[u] == Hold::free; });
  return !singular && !guess.mixed && setup.form.inequalities.empty() && has_price(setup, guess);
}

/// Returns the ends of some steps as step_ends() does.
void append_ends(const Setup& setup, const Collocation& method, std::span<const Interval> guesses, const Values& h,
                 std::vector<std::optional<StepEnd>>& ends) {
  const std::size_t before = ends.size();
  ends.resize(before + guesses.size());
  for (const Controls controls : {Controls::stationary, Controls::given}) {
    std::vector<StepIteration> steps;
    std::vector<std::size_t> which;
    for (std::size_t k = 0; k < guesses.size(); ++k) {
      if (ends[before + k]) continue;
      if (controls == Controls::stationary && !has_stationary_controls(setup, guesses[k])) continue;
      steps.emplace_back(setup, method, guesses[k], h.empty() ? guesses[k].h : h[k], controls);
      which.push_back(k);
    }
    follow(setup, steps);
    for (std::size_t k = 0; k < steps.size(); ++k) ends[before + which[k]] = steps[k].end();
  }
}

}  // namespace

std::optional<StepEnd> best_step(const Setup& setup, const Collocation& method, const Interval& guess, double h) {
  std::vector<std::optional<StepEnd>> ends;
  append_ends(setup, method, {&guess, 1}, {h}, ends);
  return ends.front();
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
  std::vector<std::optional<StepEnd>> ends;
  const std::span<const Interval> all = path.intervals;
  for (std::size_t first = 0; first < all.size(); first += steps_at_once)
    append_ends(setup, next, all.subspan(first, std::min(steps_at_once, all.size() - first)), {}, ends);
  for (std::size_t k = 0; k < all.size(); ++k) {
    const Interval& interval = all[k];
    const auto& end = ends[k];
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
