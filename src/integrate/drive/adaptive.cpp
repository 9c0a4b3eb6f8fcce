#include "drive/adaptive.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "drive/breaks.hpp"
#include "drive/error_control.hpp"
#include "drive/events.hpp"
#include "drive/schedule.hpp"
#include "herglotz/kernel/least_size.hpp"
#include "motion/fill_sample.hpp"
#include "numerics/pace.hpp"

namespace herglotz::integrate {
namespace {

constexpr int most_tiny_steps = 20;
/// Factor of growth beyond which a state may be blowing up.
constexpr double blown_up = 1e4;

/// Returns the largest factor by which x, w or z has grown since the start, each measured by its largest entry. A group
/// that was zero at the start is compared with the whole state there.
double growth(const Run& run, std::span<const double> state) {
  const Dynamics& d = run.dynamics;
  const auto size = [](std::span<const double> values) {
    double largest = 0;
    for (const double value : values) largest = std::max(largest, std::abs(value));
    return largest;
  };
  const double whole = size(run.state) > 0 ? size(run.state) : 1.0;
  const std::size_t bounds[4] = {0, d.n, d.n + d.r, d.n + d.r + 1};
  double most = 0;
  for (int g = 0; g < 3; ++g) {
    const double before = size(run.state.subspan(bounds[g], bounds[g + 1] - bounds[g]));
    const double now = size(state.subspan(bounds[g], bounds[g + 1] - bounds[g]));
    most = std::max(most, now / (before > 0 ? before : whole));
  }
  return most;
}

/// Emitter of samples to the sink. It skips a second sample at the same time.
class Emitter {
 public:
  Emitter(const Run& run, RightSide& right_side) : run_(&run), right_side_(&right_side) {}
  void operator()(double t, const double* y) {
    if (emitted_ && sample_.t == t) return;
    emitted_ = true;
    fill(t, y, sample_);
    if (!run_->sink(sample_)) throw Stop{Status::cancelled, {}};
  }
  void fill(double t, const double* y, Sample& sample) {
    const std::size_t d = run_->dynamics.dimension();
    sample.state.resize(d);
    sample.budget.resize(run_->dynamics.laws);
    fill_sample(sample, t, y, y + d);
    leave_unknown(run_->dynamics.motion, sample);
    if (!right_side_->multipliers(t, y, sample.multipliers)) throw right_side_->stop();
  }

 private:
  const Run* run_;
  RightSide* right_side_;
  Sample sample_;
  bool emitted_ = false;
};

/// Returns what is said of a state whose steps have become tiny; `otherwise` if it has not grown much.
std::string growth_or(const Run& run, std::span<const double> state, const std::string& otherwise) {
  const double grown = growth(run, state);
  return grown > blown_up ? fmt::format("the state has grown by a factor of {:.2g}: a finite-time blow-up?", grown)
                          : otherwise;
}

bool finite(const double* y, std::size_t size) {
  return std::all_of(y, y + size, [](double v) { return std::isfinite(v); });
}

}  // namespace

std::string Decay::text() const {
  if (frequency == 0) return fmt::format("a decay at rate {:.2g}", rate);
  return fmt::format("an oscillation of angular frequency {:.2g} with damping at rate {:.2g}", frequency, rate);
}

ErrorWeights::ErrorWeights(const Dynamics& dynamics, RightSide& right_side, double tolerance)
    : dynamics_(&dynamics), right_side_(&right_side), local_(local_error(tolerance)), law_(dynamics.laws, 0.0) {}

void ErrorWeights::operator()(double t, const double* y, double* weights) {
  const std::size_t z = dynamics_->n + dynamics_->r;
  const std::size_t bounds[5] = {0, dynamics_->n, z, z + 1, dynamics_->dimension()};
  double largest = 0;
  for (int g = 0; g < 4; ++g) {
    for (std::size_t i = bounds[g]; i < bounds[g + 1]; ++i) group_[g] = std::max(group_[g], std::abs(y[i]));
    largest = std::max(largest, group_[g]);
  }
  constexpr double round_off = 16 * std::numeric_limits<double>::epsilon();
  const bool somewhere = largest > kernel::least_size;
  const double whole = somewhere ? largest : 1.0;
  const double least = std::max(kernel::ErrorShares::state, round_off / local_) * whole;
  for (int g = 0; g < 4; ++g) {
    const double floor = somewhere ? std::max(kernel::ErrorShares::group * group_[g], least) : 1.0;
    for (std::size_t i = bounds[g]; i < bounds[g + 1]; ++i) weights[i] = 1 / (local_ * (std::abs(y[i]) + floor));
  }
  const std::size_t d = dynamics_->dimension();
  weights[d] = 1 / (local_ * (std::abs(y[d]) + 1));
  const auto scales = right_side_->law_scales(t, y);
  for (std::size_t k = 0; k < scales.size(); ++k) {
    if (std::isfinite(scales[k])) law_[k] = std::max(law_[k], scales[k]);
    const double floor = std::max(law_[k] > 0 ? kernel::ErrorShares::group * law_[k] : 1.0, least);
    weights[d + 1 + k] = 1 / (local_ * (std::abs(y[d + 1 + k]) + floor));
  }
}

namespace {

class AdaptiveRun {
 public:
  AdaptiveRun(const Run& run, RightSide& right_side, const std::vector<double>& y0, AdaptiveSolver& solver)
      : run_(run),
        right_side_(right_side),
        solver_(solver),
        times_(run.t0, run.settings.t_end, run.settings.schedule),
        breaks_(run),
        emit_(run, right_side),
        events_(run),
        pace_(run.t0),
        t_(run.t0),
        y_(y0) {}

  Outcome operator()() {
    Stop end;
    try {
      emit_(t_, y_.data());
      if (events_.watching()) {
        emit_.fill(t_, y_.data(), at_end_);
        events_.start(at_end_);
      }
      pass_breaks();
      while (t_ != run_.settings.t_end && !outcome_.stopped_by) advance();
    } catch (const Stop& stop) {
      end = stop;
    }
    solver_.count(outcome_);
    conclude(outcome_, run_.dynamics, end, t_, std::span(y_).first(run_.dynamics.dimension()));
    return std::move(outcome_);
  }

 private:
  /// Makes one accepted step, or many if nothing happens between them, and emits their crossings and samples.
  void advance() {
    const Settings& settings = run_.settings;
    if (outcome_.steps == settings.max_steps) {
      throw Stop{Status::too_many_steps,
                 {fmt::format("{} steps did not reach t_end = {}", settings.max_steps, settings.t_end),
                  "allow more steps or loosen the tolerance"}};
    }
    // Steps are made one at a time only if they are counted, watched or projected.
    const bool by_one = settings.schedule.every != 0 || events_.watching() || right_side_.projects();
    outcome_.steps += step(by_one ? 1 : settings.max_steps - outcome_.steps);
    ask();
    require_pace();
    const auto stop = crossing();
    t_ = stop ? stop->t : solver_.t();
    if (stop) {
      outcome_.stopped_by = events_.stopped_by();
      y_ = inside_;
    } else {
      std::copy_n(solver_.y(), y_.size(), y_.begin());
    }
    since_ = t_;
    samples();
    pass_breaks();
    samples();
    const bool counted = settings.schedule.every != 0 && outcome_.steps % settings.schedule.every == 0;
    if (counted || t_ == settings.t_end || stop) emit_(t_, y_.data());
  }

  void pass_breaks() {
    for (; breaks_.reached(t_); breaks_.pass()) {
      if (!breaks_.jump()) continue;
      t_ = breaks_.departure();
      solver_.depart(t_);
    }
  }

  /// Asks the caller whether the run shall go on, when 4096 or more steps were made since the last question. Throws
  /// Stop if it shall not.
  void ask() {
    constexpr std::size_t between = 4096;
    if (outcome_.steps < asked_ + between) return;
    asked_ = outcome_.steps;
    if (run_.settings.proceed && !run_.settings.proceed()) throw Stop{Status::cancelled, {}};
  }

  /// Throws Stop if the run comes to no end at the pace of its last steps.
  void require_pace() {
    const auto steps = pace_.without_end(outcome_.steps, solver_.t(), run_.settings.t_end);
    if (!steps) return;
    const std::span<const double> state(solver_.y(), run_.dynamics.dimension());
    const std::string what = growth_or(run_, state, "the motion is fast, not smooth or stiff there");
    const bool implicit = run_.settings.method == "stiff" || run_.settings.method == "radau-5";
    throw Stop{
        Status::step_too_small,
        {fmt::format("the last {:.0f} steps went on by {:.2g}, and {:.1g} like these are left to t_end = {} ({}),",
                     steps->made, steps->way, steps->left, run_.settings.t_end, what),
         implicit ? "end the run before, or loosen the tolerance"
                  : "end the run before, or choose radau-5 or stiff, whose steps are long where a motion is stiff"}};
  }

  std::size_t step(std::size_t most) {
    const double stop_time = breaks_.before(solver_.dense() ? run_.settings.t_end : times_.next());
    const std::size_t made = solver_.step(stop_time, most);
    if (!finite(solver_.y(), y_.size())) throw Stop{Status::not_finite, "the state is not finite after the step"};
    // A tiny first step that grows is not a breakdown; many tiny steps in a row are.
    const bool tiny = solver_.step_size() < 4 * std::numeric_limits<double>::epsilon() * std::abs(solver_.t());
    tiny_steps_ = tiny && solver_.t() != stop_time ? tiny_steps_ + 1 : 0;
    if (tiny_steps_ > most_tiny_steps) {
      throw creeping(run_, solver_.step_size(), solver_.t(), solver_.y());
    }
    return made;
  }

  /// Returns the crossing in the last step that ends the run, or `std::nullopt`. The state at the crossing is left in
  /// inside_.
  std::optional<Sample> crossing() {
    if (!events_.watching()) return std::nullopt;
    const auto state_at = [&](double t, Sample& sample) {
      const double* y = t == t_ ? y_.data() : solver_.within(t_, y_, t);
      take_inside(t, y);
      emit_.fill(t, inside_.data(), sample);
    };
    emit_.fill(solver_.t(), solver_.y(), at_end_);
    const auto stop = events_.step(at_end_, state_at);
    if (stop) state_at(stop->t, at_end_);
    return stop;
  }
  void take_inside(double t, const double* y) {
    inside_.assign(y, y + y_.size());
    if (t != t_ && !right_side_.project(t, inside_.data())) throw right_side_.stop();
  }

  /// Emits the samples that are due up to t_.
  void samples() {
    const double direction = run_.settings.t_end < run_.t0 ? -1 : 1;
    while (!times_.only_end_left() && direction * (times_.next() - t_) <= 0) {
      const double due = times_.next();
      if (direction * (due - since_) >= 0) {
        emit_(due, y_.data());
      } else {
        const double* y = solver_.between(due);
        inside_.assign(y, y + y_.size());
        if (!right_side_.project(due, inside_.data())) throw right_side_.stop();
        emit_(due, inside_.data());
      }
      times_.pass();
    }
  }

  const Run& run_;
  RightSide& right_side_;
  AdaptiveSolver& solver_;
  SampleTimes times_;
  Breaks breaks_;
  Emitter emit_;
  EventFinder events_;
  Outcome outcome_;
  std::size_t asked_ = 0;  // the number of steps when the caller was asked last
  Pace pace_;
  int tiny_steps_ = 0;
  double t_;
  double since_ = 0;  // the state y_ is that of all times from here to t_; they differ at a break alone
  std::vector<double> y_;
  std::vector<double> inside_;
  Sample at_end_;
};

}  // namespace

Stop creeping(const Run& run, double h, double t, const double* y) {
  const std::span<const double> state(y, run.dynamics.dimension());
  Stop known = singularity(run.dynamics, run.parameters, t, state);
  if (known.status != Status::success) return known;
  const std::string what =
      growth_or(run, state, "the motion is not smooth there, or its round-off exceeds the tolerance");
  return {Status::step_too_small, fmt::format("the step fell to {:.2g}, below the resolution of t ({}),", h, what)};
}

Outcome follow(const Run& run, RightSide& right_side, const std::vector<double>& y0, AdaptiveSolver& solver) {
  return AdaptiveRun(run, right_side, y0, solver)();
}

}  // namespace herglotz::integrate
