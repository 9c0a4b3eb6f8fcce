#include "herglotz/sensitivity/tangent_steps.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "herglotz/error.hpp"
#include "herglotz/sensitivity/central_slope.hpp"
#include "soundness.hpp"
#include "stage_sums.hpp"

namespace herglotz::sensitivity {
namespace {

/// Writes a value into all lanes.
void spread(double value, std::size_t lanes, double* to) {
  std::fill_n(to, lanes, value);
}

class RungeKuttaTangent final : public TangentSteps {
 public:
  RungeKuttaTangent(kernel::Kernel motion, kernel::ExplicitTableau tableau, std::size_t states,
                    kernel::RungeKuttaLoop loop)
      : motion_(std::move(motion)),
        tableau_(std::move(tableau)),
        terms_(tableau_),
        states_(states),
        lanes_(static_cast<std::size_t>(motion_.lanes())),
        start_(2 * states_ * lanes_),
        stage_((2 * states_ + 1) * lanes_),
        stride_(motion_.outputs() * lanes_),
        slopes_(tableau_.stages() * stride_),
        work_(motion_.work_size()),
        loop_(std::move(loop)) {
    if (!loop_) return;
    if (loop_.lanes() != motion_.lanes()) throw Refused("a loop has other lanes than its motion");
    rows_.resize(loop_.rows() * lanes_);
    work_.resize(std::max(work_.size(), loop_.work_size()));
  }

  [[nodiscard]] std::size_t lanes() const override { return lanes_; }

  bool advance(const Steps& steps, std::span<const double> y, std::span<const double> parameters, std::span<double> dy,
               std::span<double> reached) override {
    if (!loop_) return TangentSteps::advance(steps, y, parameters, dy, reached);
    std::fill(rows_.begin(), rows_.end(), 0.0);
    for (std::size_t i = 0; i < states_; ++i) spread(y[i], lanes_, rows_.data() + i * lanes_);
    std::copy(dy.begin(), dy.end(), rows_.begin() + static_cast<std::ptrdiff_t>(states_ * lanes_));
    loop_(rows_.data(), parameters.data(), {steps.t0, steps.h, steps.first, steps.count}, work_.data());
    for (std::size_t i = 0; i < states_; ++i) reached[i] = rows_[i * lanes_];
    std::copy_n(rows_.begin() + static_cast<std::ptrdiff_t>(states_ * lanes_), dy.size(), dy.begin());
    const auto unsound = std::span<const double>(rows_).subspan(loop_.unsound() * lanes_, lanes_);
    return finite(std::span<const double>(rows_).first(2 * states_ * lanes_)) &&
           std::all_of(unsound.begin(), unsound.end(), [](double count) { return count == 0; });
  }

  bool step(double t, double h, std::span<const double> y, std::span<const double> parameters, std::span<double> dy,
            std::span<double> reached) override {
    begin(y);
    std::copy(dy.begin(), dy.end(), start_.begin() + static_cast<std::ptrdiff_t>(states_ * lanes_));
    for (std::size_t i = 0; i < tableau_.stages(); ++i) {
      sum(terms_.rows[i], h);
      if (!rates(i, t + tableau_.c[i] * h, parameters)) return false;
    }
    sum(terms_.end, h);
    for (std::size_t i = 0; i < states_; ++i) reached[i] = stage_[i * lanes_];
    std::copy_n(stage_.begin() + static_cast<std::ptrdiff_t>(states_ * lanes_), dy.size(), dy.begin());
    return finite(std::span<const double>(stage_).first(start_.size()));
  }

  // The stage Y_i = y + h sum_j a_ij k_j moves with h by sum_j a_ij k_j and by the changes of the k_j, its time by c_i.
  bool by_part(double t, double, double part, std::span<const double> y, std::span<const double> parameters,
               std::span<double> slope) override {
    begin(y);
    std::fill(start_.begin() + static_cast<std::ptrdiff_t>(states_ * lanes_), start_.end(), 0.0);
    const std::size_t directions = (parameters.size() / lanes_ - 1) / 2 * lanes_;
    directed_.assign(parameters.begin(), parameters.end());
    std::fill(directed_.begin() + static_cast<std::ptrdiff_t>(directions), directed_.end(), 0.0);
    for (std::size_t i = 0; i < tableau_.stages(); ++i) {
      sum(terms_.rows[i], part);
      add_rates(terms_.rows[i]);
      spread(tableau_.c[i], lanes_, directed_.data() + directed_.size() - lanes_);
      if (!rates(i, t + tableau_.c[i] * part, directed_)) return false;
    }
    sum(terms_.end, part);
    add_rates(terms_.end);
    for (std::size_t i = 0; i < states_; ++i) slope[i] = stage_[(states_ + i) * lanes_];
    return finite(slope);
  }

 private:
  void begin(std::span<const double> y) {
    for (std::size_t i = 0; i < states_; ++i) spread(y[i], lanes_, start_.data() + i * lanes_);
  }

  /// Evaluates the rates of stage i. Returns false if they are not defined.
  bool rates(std::size_t i, double t, std::span<const double> parameters) {
    spread(t, lanes_, stage_.data() + start_.size());
    const std::span<double> slopes = std::span<double>(slopes_).subspan(i * stride_, stride_);
    motion_(stage_.data(), parameters.data(), slopes.data(), work_.data());
    return finite(slopes) && sound(slopes.subspan(start_.size()));
  }

  /// Adds sum_j w_j k_j to the variation of the stage.
  void add_rates(std::span<const StageTerm> terms) {
    const std::size_t half = states_ * lanes_;
    add_stages(terms, 1, slopes_.data(), stride_, half, stage_.data() + half);
  }

  /// Writes start + h sum_j w_j slopes_j into the stage.
  void sum(std::span<const StageTerm> terms, double h) {
    std::copy(start_.begin(), start_.end(), stage_.begin());
    add_stages(terms, h, slopes_.data(), stride_, start_.size(), stage_.data());
  }

  kernel::Kernel motion_;
  kernel::ExplicitTableau tableau_;
  StageTerms terms_;
  std::size_t states_;
  std::size_t lanes_;
  std::vector<double> start_;     // (y, dy), lane-minor
  std::vector<double> stage_;     // (y, dy, t), lane-minor
  std::size_t stride_;            // of the slopes of a stage
  std::vector<double> slopes_;    // of all stages
  std::vector<double> directed_;  // parameters with a direction of by_part
  std::vector<double> work_;
  kernel::RungeKuttaLoop loop_;
  std::vector<double> rows_;  // of the loop, lane-minor
};

class TaylorTangent final : public TangentSteps {
 public:
  TaylorTangent(kernel::AdaptiveLoop motion, std::int64_t order)
      : motion_(std::move(motion)),
        rows_(motion_.rows()),
        states_(motion_.entries().size() / 2),
        lanes_(static_cast<std::size_t>(motion_.lanes())),
        numbers_(rows_.count() * lanes_),
        work_(motion_.work_size()) {
    control_.local = no_limit;
    control_.order = order;
    control_.most_steps = 1;
  }

  [[nodiscard]] std::size_t lanes() const override { return lanes_; }

  bool step(double t, double h, std::span<const double> y, std::span<const double> parameters, std::span<double> dy,
            std::span<double> reached) override {
    std::fill(numbers_.begin(), numbers_.end(), 0.0);
    for (std::size_t i = 0; i < states_; ++i) {
      spread(y[i], lanes_, row(rows_.y(i)));
      std::copy_n(dy.begin() + static_cast<std::ptrdiff_t>(i * lanes_), lanes_, row(rows_.y(states_ + i)));
    }
    spread(t, lanes_, row(rows_.t()));
    spread(t + h, lanes_, row(rows_.t_stop()));
    control_.t_end = t + h;
    motion_(numbers_.data(), parameters.data(), control_, work_.data());
    for (std::size_t lane = 0; lane < lanes_; ++lane)
      if (row(rows_.state())[lane] != static_cast<double>(kernel::LaneState::arrived)) return false;
    for (std::size_t i = 0; i < states_; ++i) {
      reached[i] = *row(rows_.y(i));
      std::copy_n(row(rows_.y(states_ + i)), lanes_, dy.begin() + static_cast<std::ptrdiff_t>(i * lanes_));
    }
    return true;
  }

  bool by_part(double t, double h, double part, std::span<const double> y, std::span<const double> parameters,
               std::span<double> slope) override {
    std::vector<double> variation(states_ * lanes_, 0.0);
    std::vector<double> reached(states_);
    const auto values_at = [&](std::span<const double> offsets) -> std::optional<std::vector<std::vector<double>>> {
      std::vector<std::vector<double>> all;
      for (const double offset : offsets) {
        std::fill(variation.begin(), variation.end(), 0.0);
        if (!step(t, part + offset, y, parameters, variation, reached)) return std::nullopt;
        all.push_back(reached);
      }
      return all;
    };
    const auto found = central_slope(values_at, std::abs(h), states_, wide);
    if (!found || !(found->error <= accurate)) return false;
    std::copy(found->values.begin(), found->values.end(), slope.begin());
    return true;
  }

 private:
  /// Size of the first differences of by_part, beside the step. The polynomial of a step that a row cut short reaches
  /// far beyond it, and round-off of its values is the smaller the wider they are.
  static constexpr double wide = 128;
  /// Largest relative error of these differences.
  static constexpr double accurate = 1e-8;
  /// A local error that no step exceeds: the whole step is made at once.
  static constexpr double no_limit = 1e200;

  double* row(std::size_t i) { return numbers_.data() + i * lanes_; }

  kernel::AdaptiveLoop motion_;
  kernel::AdaptiveRows rows_;
  kernel::AdaptiveLoop::Control control_;
  std::size_t states_;
  std::size_t lanes_;
  std::vector<double> numbers_;
  std::vector<double> work_;
};

}  // namespace

bool TangentSteps::within(double t, double, double part, std::span<const double> y, std::span<const double> parameters,
                          std::span<double> dy, std::span<double> reached) {
  return step(t, part, y, parameters, dy, reached);
}

bool TangentSteps::advance(const Steps& steps, std::span<const double> y, std::span<const double> parameters,
                           std::span<double> dy, std::span<double> reached) {
  std::vector<double> now(y.begin(), y.end());
  for (std::size_t k = steps.first; k < steps.first + steps.count; ++k) {
    const double t = k == 0 ? steps.t0 : steps.t0 + static_cast<double>(k) * steps.h;
    if (!step(t, steps.h, now, parameters, dy, reached)) return false;
    std::copy(reached.begin(), reached.end(), now.begin());
  }
  return true;
}

std::unique_ptr<TangentSteps> runge_kutta_tangent(kernel::Kernel motion, kernel::ExplicitTableau tableau,
                                                  std::size_t states, kernel::RungeKuttaLoop loop) {
  return std::make_unique<RungeKuttaTangent>(std::move(motion), std::move(tableau), states, std::move(loop));
}

std::unique_ptr<TangentSteps> taylor_tangent(kernel::AdaptiveLoop motion, std::int64_t order) {
  return std::make_unique<TaylorTangent>(std::move(motion), order);
}

}  // namespace herglotz::sensitivity
