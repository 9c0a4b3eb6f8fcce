#include "sensitivity/step_record.hpp"

#include <algorithm>
#include <cmath>

#include "sensitivity/repetition.hpp"

namespace herglotz::simulate {
namespace {

constexpr double rounding = 1e-9;  // of a step, as the run itself takes it
/// Number of states that are kept whatever the number of steps.
constexpr std::size_t least_kept = 16;

}  // namespace

StepRecord::StepRecord(const DifferentiatedRun& of) {
  for (const auto& [name, value] : of.run.facts.initial) start_.push_back(value);
  t0_ = start_.back();
  start_.pop_back();
  t_last_ = of.run.columns.front().values.back();
  const integrate::Settings settings = settings_of_repetition(of, t0_);
  if (of.method.adaptive)
    record_adaptive_steps(of, settings);
  else
    record_equal_steps(of, settings);
}

void StepRecord::repeat(const DifferentiatedRun& of, const integrate::Settings& settings,
                        const integrate::Sink& sink) const {
  std::vector<double> theta;
  for (const auto& [name, value] : of.run.facts.parameters) theta.push_back(value);
  const auto outcome = integrate::integrate(of.simulator.dynamics_for(of.method), theta, t0_, start_, settings, sink);
  if (outcome.status != integrate::Status::success && outcome.status != integrate::Status::cancelled)
    throw RunFailed(outcome.message, "", {});
}

void StepRecord::record_equal_steps(const DifferentiatedRun& of, integrate::Settings settings) {
  h_ = std::copysign(settings.step, t_last_ - t0_);
  last_ = static_cast<std::size_t>(std::floor((t_last_ - t0_) / h_ + rounding));
  stride_ = std::max(least_kept, static_cast<std::size_t>(std::ceil(std::sqrt(static_cast<double>(last_)))));
  settings.schedule = {.every = stride_};
  std::size_t next = 0;
  repeat(of, settings, [&](const integrate::Sample& sample) {
    if (std::abs(sample.t - time(next)) <= rounding * std::abs(h_)) {
      kept_.push_back(
          {next, {sample.state.begin(), sample.state.begin() + static_cast<std::ptrdiff_t>(start_.size())}});
      next += stride_;
    }
    return next <= last_;
  });
}

void StepRecord::record_adaptive_steps(const DifferentiatedRun& of, const integrate::Settings& settings) {
  const bool backwards = settings.t_end < t0_;
  repeat(of, settings, [&](const integrate::Sample& sample) {
    if (backwards ? sample.t < t_last_ : sample.t > t_last_) return false;
    if (times_.size() % stride_ == 0)
      kept_.push_back(
          {times_.size(), {sample.state.begin(), sample.state.begin() + static_cast<std::ptrdiff_t>(start_.size())}});
    times_.push_back(sample.t);
    if (kept_.size() > 2 * least_kept && kept_.size() * kept_.size() > 4 * times_.size()) keep_less();
    return sample.t != t_last_;
  });
  last_ = times_.size() - 1;
}

/// Forgets every other state.
void StepRecord::keep_less() {
  stride_ *= 2;
  std::erase_if(kept_, [&](const Kept& kept) { return kept.boundary % stride_ != 0; });
}

StepRecord::Place StepRecord::place(double t, bool moves) const {
  std::size_t boundary = 0;
  if (times_.empty()) {
    boundary = std::min(last_, static_cast<std::size_t>(std::max(0.0, std::floor((t - t0_) / h_ + rounding))));
    if (std::abs(t - time(boundary)) <= rounding * std::abs(h_)) {
      if (!moves || boundary == 0) return {boundary, 0};
      --boundary;
    }
  } else {
    const bool backwards = times_.back() < times_.front();
    const auto after = std::upper_bound(times_.begin(), times_.end(), t,
                                        [&](double a, double b) { return backwards ? a > b : a < b; });
    boundary = static_cast<std::size_t>(after - times_.begin()) - 1;
    if (moves && times_[boundary] == t && boundary > 0) --boundary;
  }
  return {boundary, t - time(boundary)};
}

}  // namespace herglotz::simulate
