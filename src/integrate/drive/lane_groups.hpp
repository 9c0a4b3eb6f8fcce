#pragma once
/// The driver of fixed steps of runs that go in groups.

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <type_traits>
#include <vector>

#include "drive/method.hpp"
#include "drive/schedule.hpp"
#include "herglotz/integrate/lane_samples.hpp"

namespace herglotz::integrate {

/// A stepper that writes the samples of neighbouring lanes together.
class WritesLanes {
 public:
  virtual ~WritesLanes() = default;
  /// Writes the numbers of LaneSamples at time t for `count` lanes (4 or 8). Returns false if it cannot.
  virtual bool write(std::size_t first, std::size_t count, double t, double* numbers) = 0;
};

/// Follows runs, one group after the other, with the steps and samples of drive_fixed_steps(). A `Stepper` has the
/// functions of LaneStepper, with its own type for sets of lanes, `Stepper::Set`. Such a set has a constructor from the
/// number of lanes, which makes an empty set, and contains(), insert(), erase(), empty() and within().
template <class Stepper>
class LaneGroups {
 public:
  using Set = typename Stepper::Set;
  using Make = std::function<std::unique_ptr<Stepper>(const double* parameters)>;

  LaneGroups(const Dynamics& dynamics, std::size_t width, std::size_t parameters, const Make& make,
             const Settings& settings, const LaneRuns& runs)
      : settings_(settings),
        runs_(runs),
        width_(width),
        parameters_(parameters * width),
        lanes_(width, Lane(dynamics, parameters)),
        busy_(width),
        stepper_(make(parameters_.data())) {
    sample_.state.resize(dynamics.dimension());
    sample_.budget.resize(dynamics.laws);
    receiver_ = runs.sample.target<SampleReceiver>();
    if (receiver_ != nullptr && receiver_->together && dynamics.m == 0 && width % receiver_->lanes == 0)
      together_ = receiver_->lanes;
    writer_ = writer_of(*stepper_);
    runs_of_.resize(together_);
    numbers_.resize((dynamics.dimension() + 1 + dynamics.laws) * together_);
  }

  /// Follows all runs, group by group. Returns false if everything was stopped.
  bool operator()() {
    while (!stopped_ && fill()) follow();
    return !stopped_;
  }

 private:
  struct Lane {
    Lane(const Dynamics& dynamics, std::size_t count) : parameters(count), state(dynamics.dimension()) {}
    std::size_t run = 0;
    std::vector<double> parameters;
    std::vector<double> state;
  };

  /// Leaves the runs of all lanes that are not in this set to integrate().
  void keep(const Set& left) {
    if (!busy_.within(left)) end_outside(left, false, 0);
  }
  /// Ends the runs of the lanes that are not in this set.
  void end_outside(const Set& left, bool well, std::size_t steps) {
    for (std::size_t lane = 0; lane < width_; ++lane) {
      if (!busy_.contains(lane) || left.contains(lane)) continue;
      runs_.done(lanes_[lane].run, well, steps);
      busy_.erase(lane);
    }
  }

  /// Fills the lanes with the next group. Returns false if there are no more runs.
  bool fill() {
    stepper_->clear();
    aside_.reset();
    fresh_ = true;
    std::size_t filled = 0;
    while (filled < width_) {
      Lane& lane = lanes_[filled];
      double t0 = 0;
      if (!runs_.next(lane.run, lane.parameters, t0, lane.state)) break;
      if (filled > 0 && t0 != t0_) {
        runs_.done(lane.run, false, 0);
        continue;
      }
      t0_ = t0;
      if (start(filled))
        busy_.insert(filled++);
      else
        runs_.done(lane.run, false, 0);
    }
    if (filled == 0) return false;
    // Empty lanes repeat the first lane, and none of their samples is emitted.
    for (std::size_t lane = filled; lane < width_; ++lane) {
      lanes_[lane].parameters = lanes_[0].parameters;
      lanes_[lane].state = lanes_[0].state;
      start(lane);
    }
    return true;
  }
  bool start(std::size_t at) {
    const Lane& lane = lanes_[at];
    for (std::size_t k = 0; k < lane.parameters.size(); ++k) parameters_[k * width_ + at] = lane.parameters[k];
    return stepper_->start(at, lane.parameters, t0_, lane.state);
  }

  void follow() {
    const double duration = settings_.t_end - t0_;
    h_ = std::copysign(settings_.step, duration);
    const Steps steps = count_steps(duration, h_);
    const std::size_t total = steps.total();
    if (total > settings_.max_steps) return keep(Set(width_));
    SampleTimes times(t0_, settings_.t_end, settings_.schedule);
    t_ = t0_;
    keep(stepper_->show(t0_, busy_));
    if (runs_.starts) hand_out(*stepper_, t0_, total == 0);
    const std::size_t every = settings_.schedule.every;
    for (std::size_t k = 0; k < total && !busy_.empty() && !stopped_; ++k) {
      if (const std::size_t count = unobserved(times, k, total); count > 1) {
        keep(stepper_->advance(t0_, h_, k, count, busy_));
        k += count - 1;
        t_ = t0_ + static_cast<double>(k + 1) * h_;
        stopped_ = stopped_ || (count == most_unobserved && runs_.proceed && !runs_.proceed());
        continue;
      }
      const double next = k + 1 == total ? settings_.t_end : t0_ + static_cast<double>(k + 1) * h_;
      samples_inside(times, next);
      keep(stepper_->advance(t_, k < steps.whole ? h_ : steps.last, 0, 1, busy_));
      t_ = next;
      const bool due = !times.only_end_left() && std::abs(times.next() - t_) <= 1e-9 * std::abs(h_);
      if (due) times.pass();
      if (due || k + 1 == total || (every != 0 && (k + 1) % every == 0)) emit(*stepper_, t_, k + 1 == total);
    }
    if (!stopped_) end_outside(Set(width_), true, total);
  }

  /// Returns the number of steps from step k on that nobody observes. The last step of a run is never among them.
  [[nodiscard]] std::size_t unobserved(const SampleTimes& times, std::size_t k, std::size_t total) const {
    const std::size_t every = settings_.schedule.every;
    std::size_t count = std::min(most_unobserved, total - 1 - k);
    if (every != 0) count = std::min(count, every - 1 - k % every);
    if (times.only_end_left()) return count;
    const double until_due = std::floor((times.next() - t_) / h_) - 1;
    return until_due >= static_cast<double>(count) ? count : static_cast<std::size_t>(std::max(until_due, 0.0));
  }

  /// Emits the samples strictly inside the step from t_ to next, reached by shorter steps of a copy.
  void samples_inside(SampleTimes& times, double next) {
    for (; !times.only_end_left() && !busy_.empty() && !stopped_; times.pass()) {
      const double due = times.next();
      if (std::abs(next - due) <= 1e-9 * std::abs(h_) || (next - due) * h_ < 0) return;
      if (!aside_) aside_ = stepper_->copy();
      aside_->follow(*stepper_);
      if (due != t_) keep(aside_->advance(t_, due - t_, 0, 1, busy_));
      emit(*aside_, due, false);
    }
  }

  void emit(Stepper& stepper, double t, bool last) {
    keep(stepper.show(t, busy_));
    hand_out(stepper, t, last);
  }
  void hand_out(Stepper& stepper, double t, bool last) {
    if (together_ > 0) {
      for (std::size_t first = 0; first < width_ && !stopped_; first += together_)
        hand_out_together(stepper, t, first, last);
      fresh_ = false;
      return;
    }
    for (std::size_t lane = 0; lane < width_ && !stopped_; ++lane) {
      if (!busy_.contains(lane)) continue;
      stepper.sample(lane, t, sample_);
      stopped_ = !runs_.sample(lanes_[lane].run, sample_);
    }
  }

  static WritesLanes* writer_of(Stepper& stepper) {
    if constexpr (std::is_polymorphic_v<Stepper>)
      return dynamic_cast<WritesLanes*>(&stepper);
    else
      return nullptr;
  }

  /// Hands out the samples of neighbouring lanes together.
  void hand_out_together(Stepper& stepper, double t, std::size_t first, bool last) {
    WritesLanes* const writer = &stepper == stepper_.get() ? writer_ : writer_of(stepper);
    const bool written = writer != nullptr && writer->write(first, together_, t, numbers_.data());
    unsigned lanes = 0;
    for (std::size_t k = 0; k < together_; ++k) {
      runs_of_[k] = lanes_[first + k].run;
      if (!busy_.contains(first + k)) continue;
      lanes |= 1U << k;
      if (written) continue;
      stepper.sample(first + k, t, sample_);
      double* to = &numbers_[k];
      const auto put = [&](double number) {
        *to = number;
        to += together_;
      };
      std::for_each(sample_.state.begin(), sample_.state.end(), put);
      put(sample_.log_factor);
      std::for_each(sample_.budget.begin(), sample_.budget.end(), put);
    }
    if (lanes == 0) return;
    stopped_ = !receiver_->together(
        {t, first, runs_of_, lanes, fresh_, last, numbers_.data(), parameters_.data() + first, width_});
  }

  static constexpr std::size_t most_unobserved = 4096;  // steps before the caller is asked whether to go on

  const Settings& settings_;
  const LaneRuns& runs_;
  std::size_t width_;
  double t0_ = 0;
  double t_ = 0;
  double h_ = 0;
  std::vector<double> parameters_;
  std::vector<Lane> lanes_;
  Set busy_;
  std::unique_ptr<Stepper> stepper_;
  std::unique_ptr<Stepper> aside_;
  Sample sample_;
  const SampleReceiver* receiver_ = nullptr;
  WritesLanes* writer_ = nullptr;  // the stepper, if it is one
  std::size_t together_ = 0;       // lanes whose samples are handed out together, or 0
  std::vector<std::size_t> runs_of_;
  std::vector<double> numbers_;
  bool fresh_ = true;  // no samples of this group were handed out
  bool stopped_ = false;
};

}  // namespace herglotz::integrate
