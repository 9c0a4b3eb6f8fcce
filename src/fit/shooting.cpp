#include "shooting.hpp"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <limits>
#include <unsupported/Eigen/NonLinearOptimization>
#include <utility>
#include <vector>

#include "herglotz/error.hpp"
#include "herglotz/optimise/minimise.hpp"

namespace herglotz::fit {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double undetermined = std::numeric_limits<double>::quiet_NaN();
/// Share by which the curvature along each variable is larger than that of the residuals. Where the data do not
/// determine a combination of variables, the Hessian of Gauss and Newton is singular along it, and the search would
/// have to look for a regular one at every step, which holds the states of the shots back too. The minimum is the same.
constexpr double damping = 1e-8;

/// Unknowns of the programme: the variables, then the states of the shots.
class ShootingNlp : public optimise::Nlp {
 public:
  ShootingNlp(const Shots& shots, const Residuals& residuals)
      : shots_(shots),
        residuals_(residuals),
        variables_(static_cast<Index>(residuals.variables().size())),
        n_(static_cast<Index>(shots.size())) {
    const auto all = static_cast<std::size_t>(variables_ + n_ * static_cast<Index>(shots.states()));
    lower_.assign(all, -optimise::infinity);
    upper_.assign(all, optimise::infinity);
    for (std::size_t k = 0; k < residuals.variables().size(); ++k) {
      lower_[k] = residuals.variables()[k].unknown.lower;
      upper_[k] = residuals.variables()[k].unknown.upper;
    }
    g_.assign(shots.states() * shots.size(), 0.0);
    list_places();
  }

  [[nodiscard]] const std::vector<double>& lower() const override { return lower_; }
  [[nodiscard]] const std::vector<double>& upper() const override { return upper_; }
  [[nodiscard]] const std::vector<double>& g_lower() const override { return g_; }
  [[nodiscard]] const std::vector<double>& g_upper() const override { return g_; }

  [[nodiscard]] double objective(std::span<const double> x) override {
    double sum = 0;
    if (!evaluate(x)) return undetermined;
    for (const ShotResult& result : results_) sum += result.residuals.squaredNorm() / 2;
    return sum;
  }

  void gradient(std::span<const double> x, std::span<double> values) override {
    std::fill(values.begin(), values.end(), evaluate(x) ? 0.0 : undetermined);
    if (results_.empty()) return;
    Eigen::Map<VectorXd> out(values.data(), static_cast<Index>(values.size()));
    for (std::size_t k = 0; k < results_.size(); ++k) {
      const ShotResult& result = results_[k];
      out.head(variables_) += result.by_variables.transpose() * result.residuals;
      if (const auto& state = shots_.list()[k].state)
        out.segment(place_of(*state), n_) += result.by_state.transpose() * result.residuals;
    }
  }

  void constraints(std::span<const double> x, std::span<double> values) override {
    if (!evaluate(x)) return std::fill(values.begin(), values.end(), undetermined);
    auto out = values.begin();
    for (std::size_t k = 0; k < results_.size(); ++k) {
      if (!shots_.list()[k].is_followed) continue;
      const Index next = place_of(*shots_.list()[k + 1].state);
      for (Index a = 0; a < n_; ++a) *out++ = results_[k].end[a] - x[static_cast<std::size_t>(next + a)];
    }
  }

  [[nodiscard]] const optimise::Places& jacobian_places() const override { return jacobian_places_; }
  void jacobian(std::span<const double> x, std::span<double> values) override {
    if (!evaluate(x)) return std::fill(values.begin(), values.end(), undetermined);
    auto out = values.begin();
    for (std::size_t k = 0; k < results_.size(); ++k) {
      if (!shots_.list()[k].is_followed) continue;
      for (Index a = 0; a < n_; ++a) {
        for (Index u = 0; u < variables_; ++u) *out++ = results_[k].end_by_variables(a, u);
        for (Index b = 0; b < results_[k].end_by_state.cols(); ++b) *out++ = results_[k].end_by_state(a, b);
        *out++ = -1;
      }
    }
  }

  [[nodiscard]] const optimise::Places& hessian_places() const override { return hessian_places_; }
  void hessian(std::span<const double> x, double weight, std::span<const double>, std::span<double> values) override {
    if (!evaluate(x)) return std::fill(values.begin(), values.end(), undetermined);
    MatrixXd of_variables = MatrixXd::Zero(variables_, variables_);
    for (const ShotResult& result : results_) of_variables += result.by_variables.transpose() * result.by_variables;
    of_variables.diagonal() *= 1 + damping;
    auto out = values.begin();
    for (Index u = 0; u < variables_; ++u)
      for (Index w = 0; w <= u; ++w) *out++ = weight * of_variables(u, w);
    for (std::size_t k = 0; k < results_.size(); ++k) {
      if (!shots_.list()[k].state) continue;
      const MatrixXd mixed = results_[k].by_state.transpose() * results_[k].by_variables;
      const MatrixXd own = results_[k].by_state.transpose() * results_[k].by_state;
      for (Index a = 0; a < n_; ++a) {
        for (Index u = 0; u < variables_; ++u) *out++ = weight * mixed(a, u);
        for (Index b = 0; b <= a; ++b) *out++ = weight * own(a, b);
      }
    }
  }

  [[nodiscard]] optimise::Chain chain() const override {
    optimise::Chain chain;
    chain.unknown.assign(static_cast<std::size_t>(variables_), -1);
    for (std::size_t k = 0; k < shots_.list().size(); ++k) {
      const Shot& shot = shots_.list()[k];
      if (shot.state) chain.unknown.insert(chain.unknown.end(), shots_.size(), static_cast<int>(k));
      if (shot.is_followed) chain.constraint.insert(chain.constraint.end(), shots_.size(), static_cast<int>(k));
    }
    return chain;
  }

  /// Returns how often derivatives of all shots were taken.
  [[nodiscard]] std::size_t runs() const { return runs_; }

 private:
  void list_places() {
    const auto add = [](optimise::Places& places, Index row, Index col) {
      places.add(static_cast<std::size_t>(row), static_cast<std::size_t>(col));
    };
    Index row = 0;
    for (std::size_t k = 0; k < shots_.list().size(); ++k) {
      const Shot& shot = shots_.list()[k];
      if (!shot.is_followed) continue;
      const Index next = place_of(*shots_.list()[k + 1].state);
      for (Index a = 0; a < n_; ++a, ++row) {
        for (Index u = 0; u < variables_; ++u) add(jacobian_places_, row, u);
        for (Index b = 0; shot.state && b < n_; ++b) add(jacobian_places_, row, place_of(*shot.state) + b);
        add(jacobian_places_, row, next + a);
      }
    }
    for (Index u = 0; u < variables_; ++u)
      for (Index w = 0; w <= u; ++w) add(hessian_places_, u, w);
    for (const Shot& shot : shots_.list()) {
      if (!shot.state) continue;
      const Index first = place_of(*shot.state);
      for (Index a = 0; a < n_; ++a) {
        for (Index u = 0; u < variables_; ++u) add(hessian_places_, first + a, u);
        for (Index b = 0; b <= a; ++b) add(hessian_places_, first + a, first + b);
      }
    }
  }

  /// Returns the place of a state among the unknowns.
  [[nodiscard]] Index place_of(std::size_t state) const { return variables_ + n_ * static_cast<Index>(state); }

  /// Makes the shots. Returns whether none fails; without results if one does.
  bool evaluate(std::span<const double> x) {
    if (runs_ > 0 && std::equal(x.begin(), x.end(), known_.begin())) return !results_.empty();
    known_.assign(x.begin(), x.end());
    ++runs_;
    results_.clear();
    const Eigen::Map<const VectorXd> all(known_.data(), static_cast<Index>(known_.size()));
    try {
      for (const Shot& shot : shots_.list())
        results_.push_back(shots_.at(shot, all.head(variables_),
                                     shot.state ? VectorXd(all.segment(place_of(*shot.state), n_)) : VectorXd()));
    } catch (const Error&) {
      // IPOPT makes a step smaller that leads to a run which fails.
      results_.clear();
    }
    double sum = results_.empty() ? std::numeric_limits<double>::infinity() : 0;
    for (const ShotResult& result : results_) sum += result.residuals.squaredNorm();
    residuals_.say_tried(sum);
    return !results_.empty();
  }

  const Shots& shots_;
  const Residuals& residuals_;
  Index variables_;
  Index n_;
  std::vector<double> lower_;
  std::vector<double> upper_;
  std::vector<double> g_;
  optimise::Places jacobian_places_;
  optimise::Places hessian_places_;
  std::vector<double> known_;
  std::vector<ShotResult> results_;
  std::size_t runs_ = 0;
};

/// The data of one shot as a function of its state alone, as Eigen's solver takes it.
class StateFit {
 public:
  using Scalar = double;

  StateFit(const Shots& shots, const Shot& shot, const VectorXd& values) : shots_(shots), shot_(shot), at_(values) {}

  [[nodiscard]] int values() const { return static_cast<int>(shot_.places.size()); }
  int operator()(const VectorXd& state, VectorXd& residuals) {
    if (!evaluate(state)) return -1;
    residuals = result_.residuals;
    return 0;
  }
  int df(const VectorXd& state, MatrixXd& jacobian) {
    if (!evaluate(state)) return -1;
    jacobian = result_.by_state;
    return 0;
  }

 private:
  bool evaluate(const VectorXd& state) {
    try {
      if (known_.size() == 0 || known_ != state) result_ = shots_.at(shot_, at_, state);
      known_ = state;
      return true;
    } catch (const Error&) {
      known_.resize(0);
      return false;
    }
  }

  const Shots& shots_;
  const Shot& shot_;
  const VectorXd& at_;
  VectorXd known_;
  ShotResult result_;
};

/// Returns the state that fits the data of its shot, from one that need not; this one where the data are too few.
VectorXd fitted_state(const Shots& shots, const Shot& shot, const VectorXd& values, VectorXd state) {
  constexpr Index most_evaluations = 30;
  if (shot.places.size() < shots.size()) return state;
  StateFit fit(shots, shot, values);
  Eigen::LevenbergMarquardt<StateFit> solver(fit);
  solver.parameters.maxfev = most_evaluations;
  const VectorXd before = state;
  // What the search ends with is a guess, whatever its status; only a state that is no number would be none.
  solver.minimize(state);
  return state.allFinite() ? state : before;
}

}  // namespace

ShootingResult shoot(const Shots& shots, const Residuals& residuals, const VectorXd& values,
                     std::size_t most_iterations) {
  constexpr std::size_t most_runs = 200;
  ShootingNlp nlp(shots, residuals);
  optimise::PrimalDualPoint start;
  start.x.assign(values.begin(), values.end());
  start.mu.assign(nlp.g_lower().size(), 0.0);
  VectorXd state;
  for (const Shot& shot : shots.list()) {
    if (shot.state) {
      state = fitted_state(shots, shot, values, shots.with_measured(shot, state));
      start.x.insert(start.x.end(), state.begin(), state.end());
    }
    if (shot.is_followed) state = shots.at(shot, values, shot.state ? state : VectorXd()).end;
  }
  start.at_lower.assign(start.x.size(), 0.0);
  start.at_upper.assign(start.x.size(), 0.0);
  optimise::MinimiseOptions options;
  options.tolerance = 1e-8;
  options.most_iterations = static_cast<int>(most_iterations);
  options.go_on = [&] { return nlp.runs() < most_runs; };
  const optimise::Minimum minimum = optimise::minimise(nlp, start, options);
  ShootingResult result;
  result.values = Eigen::Map<const VectorXd>(minimum.at.x.data(), values.size());
  result.solved = minimum.verdict == optimise::Verdict::solved;
  result.reason = minimum.verdict == optimise::Verdict::stopped
                      ? fmt::format("{} runs did not make one motion of them", most_runs)
                      : minimum.reason;
  result.chi_squared = 2 * nlp.objective(minimum.at.x);
  result.runs = nlp.runs();
  return result;
}

}  // namespace herglotz::fit
