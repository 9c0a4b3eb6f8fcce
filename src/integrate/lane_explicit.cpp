#include "lane_explicit.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "schedule.hpp"

namespace herglotz::integrate {
namespace {

/// One group of runs after the other.
class ExplicitLanes {
 public:
  ExplicitLanes(const Dynamics& dynamics, const ExplicitStep& narrow, const ExplicitStep& wide,
                std::span<const double> composition, const Settings& settings, const LaneRuns& runs)
      : dynamics_(dynamics),
        narrow_(narrow),
        wide_(wide),
        composition_(composition),
        settings_(settings),
        runs_(runs),
        width_(static_cast<std::size_t>(wide.loop.lanes())),
        n_(dynamics.n),
        carried_(2 * n_ + 1),
        driven_(wide.driven.size()),
        row_(2 + wide.constants),
        parameters_(wide.velocity.parameters() * width_),
        sums_(2 * wide.loop.sums() * width_),
        substeps_(composition.size() * row_ * width_),
        u_((carried_ + 1) * width_),
        velocity_(n_ * width_),
        lanes_(width_, Lane(dynamics, wide.velocity.parameters())) {
    out_.resize(std::max({n_, driven_, 1 + 3 * dynamics.laws}));
    std::size_t work = std::max(
        {narrow.momentum.work_size(), narrow.sources.work_size(), wide.velocity.work_size(), wide.prepare.work_size()});
    if (dynamics.balance) work = std::max(work, dynamics.balance.work_size());
    work_.resize(work);
    sample_.state.resize(dynamics.dimension());
    sample_.budget.resize(dynamics.laws);
  }

  bool operator()() {
    while (fill())
      if (!follow()) return false;
    return !stopped_;
  }

 private:
  struct Lane {
    Lane(const Dynamics& dynamics, std::size_t parameter_count)
        : parameters(parameter_count), state(dynamics.dimension()), budgets(dynamics.laws) {}
    std::size_t run = 0;
    std::vector<double> parameters;
    std::vector<double> state;
    std::vector<double> budgets;  ///< at the start
    bool busy = false;
  };

  double& sum(std::size_t entry, std::size_t lane) { return sums_[entry * width_ + lane]; }

  /// The next group; false when there are no more runs.
  bool fill() {
    std::size_t filled = 0;
    std::fill(sums_.begin(), sums_.end(), 0.0);
    while (filled < width_) {
      Lane& lane = lanes_[filled];
      double t0 = 0;
      if (!runs_.next(lane.run, lane.parameters, t0, lane.state)) break;
      if (filled > 0 && t0 != t0_) {
        runs_.done(lane.run, false, 0);
        continue;
      }
      t0_ = t0;
      lane.busy = true;
      start(filled++);
    }
    if (filled == 0) return false;
    // Empty lanes repeat the first one, unseen.
    for (std::size_t lane = filled; lane < width_; ++lane) {
      lanes_[lane].busy = false;
      lanes_[lane].parameters = lanes_[0].parameters;
      lanes_[lane].state = lanes_[0].state;
      start(lane);
    }
    return true;
  }

  void start(std::size_t at) {
    Lane& lane = lanes_[at];
    std::vector<double>& v = start_;
    v.assign(lane.state.begin(), lane.state.end());
    v.push_back(t0_);
    for (std::size_t k = 0; k < lane.parameters.size(); ++k) parameters_[k * width_ + at] = lane.parameters[k];
    narrow_.momentum(v.data(), lane.parameters.data(), out_.data(), work_.data());
    for (std::size_t i = 0; i < carried_; ++i) sum(i, at) = i >= n_ && i < 2 * n_ ? out_[i - n_] : lane.state[i];
    if (dynamics_.laws > 0) dynamics_.balance(v.data(), lane.parameters.data(), out_.data(), work_.data());
    for (std::size_t k = 0; k < dynamics_.laws; ++k) lane.budgets[k] = out_[1 + 3 * k];
    if (driven_ == 0) return;
    for (std::size_t j = 0; j < driven_ && dynamics_.laws > 0; ++j)
      sum(carried_ + j, at) = lane.budgets[wide_.driven[j]];
    for (std::size_t i = 0; i < carried_; ++i) v[i] = sum(i, at);
    narrow_.sources(v.data(), lane.parameters.data(), out_.data(), work_.data());
    for (std::size_t j = 0; j < driven_; ++j) sum(carried_ + driven_ + j, at) = out_[j];
  }

  /// False where everything is to stop.
  bool follow() {
    const double duration = settings_.t_end - t0_;
    const double h = std::copysign(settings_.step, duration);
    const Steps steps = count_steps(duration, h);
    if (steps.total() > settings_.max_steps) return abandon();
    if (!emit(t0_)) return false;
    if (duration == 0) return finish(0);
    const std::size_t every = settings_.schedule.every == 0 ? steps.total() : settings_.schedule.every;
    prepare(h);
    for (std::size_t k = 0; k < steps.whole;) {
      constexpr std::size_t most = 65536;  // for the caller to be asked whether to go on
      const std::size_t count = std::min({every - k % every, steps.whole - k, most});
      wide_.loop(sums_.data(), parameters_.data(), substeps_.data(), {t0_, h, k, count, composition_.size()});
      k += count;
      if (count == most && runs_.proceed && !runs_.proceed()) {
        stopped_ = true;
        return false;
      }
      if (!drop_infinite()) return true;
      const bool last = k == steps.total();
      if ((last || k % every == 0) && !emit(last ? settings_.t_end : t0_ + static_cast<double>(k) * h)) return false;
    }
    if (steps.last != 0) {
      prepare(steps.last);
      wide_.loop(sums_.data(), parameters_.data(), substeps_.data(),
                 {t0_ + static_cast<double>(steps.whole) * h, steps.last, 0, 1, composition_.size()});
      if (!drop_infinite()) return true;
      if (!emit(settings_.t_end)) return false;
    }
    return finish(steps.total());
  }

  bool abandon() {
    for (Lane& lane : lanes_)
      if (std::exchange(lane.busy, false)) runs_.done(lane.run, false, 0);
    return true;
  }
  bool finish(std::size_t steps) {
    for (Lane& lane : lanes_)
      if (std::exchange(lane.busy, false)) runs_.done(lane.run, true, steps);
    return true;
  }

  /// Sizes and constants of the substeps of a step h.
  void prepare(double h) {
    double start = 0;
    for (std::size_t k = 0; k < composition_.size(); ++k) {
      double* const substep = substeps_.data() + k * row_ * width_;
      std::fill_n(substep, width_, start * h);
      std::fill_n(substep + width_, width_, composition_[k] * h);
      if (wide_.constants > 0) wide_.prepare(substep + width_, parameters_.data(), substep + 2 * width_, work_.data());
      start += composition_[k];
    }
  }

  /// Leaves runs that are not finite to integrate(); false when none is left.
  bool drop_infinite() {
    bool some = false;
    for (std::size_t at = 0; at < width_; ++at) {
      if (!lanes_[at].busy) continue;
      double zero = 0;
      for (std::size_t i = 0; i < wide_.loop.sums(); ++i) zero += sum(i, at) * 0;
      if (zero == 0) {
        some = true;
      } else {
        lanes_[at].busy = false;
        runs_.done(lanes_[at].run, false, 0);
      }
    }
    return some;
  }

  bool emit(double t) {
    std::copy_n(sums_.begin(), carried_ * width_, u_.begin());
    std::fill_n(u_.begin() + static_cast<std::ptrdiff_t>(carried_ * width_), width_, t);
    wide_.velocity(u_.data(), parameters_.data(), velocity_.data(), work_.data());
    sample_.t = t;
    for (std::size_t at = 0; at < width_; ++at) {
      if (!lanes_[at].busy) continue;
      for (std::size_t i = 0; i < carried_; ++i)
        sample_.state[i] = i >= n_ && i < 2 * n_ ? velocity_[(i - n_) * width_ + at] : sum(i, at);
      sample_.log_factor = sum(carried_ + 2 * driven_, at);
      for (std::size_t k = 0; k < dynamics_.laws; ++k)
        sample_.budget[k] = lanes_[at].budgets[k] * std::exp(-sample_.log_factor);
      for (std::size_t j = 0; j < driven_ && dynamics_.laws > 0; ++j)
        sample_.budget[wide_.driven[j]] = sum(carried_ + j, at);
      if (runs_.sample(lanes_[at].run, sample_)) continue;
      stopped_ = true;
      return false;
    }
    return true;
  }

  const Dynamics& dynamics_;
  const ExplicitStep& narrow_;
  const ExplicitStep& wide_;
  std::span<const double> composition_;
  const Settings& settings_;
  const LaneRuns& runs_;
  std::size_t width_;
  std::size_t n_;
  std::size_t carried_;  // (x, p, z)
  std::size_t driven_;   // laws with a source
  std::size_t row_;      // entries of a substep
  double t0_ = 0;
  std::vector<double> parameters_;
  std::vector<double> sums_;
  std::vector<double> substeps_;
  std::vector<double> u_;
  std::vector<double> velocity_;
  std::vector<Lane> lanes_;
  std::vector<double> start_;
  std::vector<double> out_;
  std::vector<double> work_;
  Sample sample_;
  bool stopped_ = false;
};

}  // namespace

bool follow_explicit(const Dynamics& dynamics, const ExplicitStep& narrow, const ExplicitStep& wide,
                     std::span<const double> composition, const Settings& settings, const LaneRuns& runs) {
  return ExplicitLanes(dynamics, narrow, wide, composition, settings, runs)();
}

}  // namespace herglotz::integrate
