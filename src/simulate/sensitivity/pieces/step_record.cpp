#include "sensitivity/pieces/step_record.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace herglotz::simulate {
namespace {

constexpr double rounding = 1e-9;  // of a step, as the run itself takes it
/// Number of states that are kept whatever the number of steps.
constexpr std::size_t least_kept = 16;

void repeat(const DifferentiatedRun& of, const SmoothPiece& piece, const integrate::Settings& settings,
            const integrate::Sink& sink) {
  const auto outcome = integrate::integrate(of.law_of(piece.holds).dynamics_for(of.method), piece.parameters, piece.t0,
                                            piece.state, settings, sink);
  if (outcome.status != integrate::Status::success && outcome.status != integrate::Status::cancelled)
    throw RunFailed(outcome.reason.problem, outcome.reason.remedy, {});
}

}  // namespace

StepRecord::StepRecord(const DifferentiatedRun& of, const SmoothPiece& piece, const std::vector<double>& moving,
                       std::size_t most_numbers)
    : t0_(piece.t0),
      t_last_(piece.end ? piece.end->t : of.run.columns.front().values.back()),
      polynomial_(has_polynomial(of)) {
  const integrate::Settings settings = settings_of_repetition(of, t0_, moving);
  if (of.method.adaptive)
    record_adaptive_steps(of, piece, settings);
  else
    record_equal_steps(of, piece, settings, most_numbers);
}

void StepRecord::record_equal_steps(const DifferentiatedRun& of, const SmoothPiece& piece, integrate::Settings settings,
                                    std::size_t most_numbers) {
  h_ = settings.step;
  const double steps = (t_last_ - t0_) / h_;
  last_ = static_cast<std::size_t>(
      std::max(0.0, piece.end ? std::ceil(steps - rounding) - 1 : std::floor(steps + rounding)));
  stride_ = std::max(least_kept, static_cast<std::size_t>(std::ceil(std::sqrt(static_cast<double>(last_)))));
  const std::size_t size = piece.state.size();
  const bool keep_all = last_ < most_numbers / std::max<std::size_t>(size, 1);
  const std::size_t every = keep_all ? 1 : stride_;
  settings.schedule = {.every = every};
  std::size_t next = 0;
  repeat(of, piece, settings, [&](const integrate::Sample& sample) {
    if (std::abs(sample.t - time(next)) <= rounding * std::abs(h_)) {
      const auto state = std::span<const double>(sample.state).first(size);
      if (next % stride_ == 0) kept_.push_back({next, {state.begin(), state.end()}});
      if (keep_all) states_.insert(states_.end(), state.begin(), state.end());
      next += every;
    }
    return next <= last_;
  });
  if (next <= last_) states_.clear();
}

void StepRecord::record_adaptive_steps(const DifferentiatedRun& of, const SmoothPiece& piece,
                                       const integrate::Settings& settings) {
  const bool backwards = settings.t_end < t0_;
  step_times_ = StepTimes(settings, t0_);
  const auto add = [&](double t) {
    if (!times_.empty()) sizes_.push_back(step_times_.arrival(times_.back(), t) - times_.back());
    times_.push_back(step_times_.departure(t));
  };
  repeat(of, piece, settings, [&](const integrate::Sample& sample) {
    if (polynomial_ && !times_.empty() && (backwards ? sample.t <= t_last_ : sample.t >= t_last_)) {
      add(sample.t);  // only the end of the last step
      return false;
    }
    if (backwards ? sample.t < t_last_ : sample.t > t_last_) return false;
    if (piece.end && sample.t == t_last_) return false;
    // There is no step between the two sides of a point of an input.
    if (!times_.empty() && step_times_.arrival(times_.back(), sample.t) == times_.back()) return sample.t != t_last_;
    if (times_.size() % stride_ == 0)
      kept_.push_back({times_.size(),
                       {sample.state.begin(), sample.state.begin() + static_cast<std::ptrdiff_t>(piece.state.size())}});
    add(sample.t);
    if (kept_.size() > 2 * least_kept && kept_.size() * kept_.size() > 4 * times_.size()) keep_less();
    return sample.t != t_last_;
  });
  last_ = times_.size() - (polynomial_ && times_.size() > 1 ? 2 : 1);
}

/// Forgets every other state.
void StepRecord::keep_less() {
  stride_ *= 2;
  std::erase_if(kept_, [&](const Kept& kept) { return kept.boundary % stride_ != 0; });
}

std::unique_ptr<sensitivity::MappedPath> StepRecord::mapped(sensitivity::StepMaps& maps,
                                                            std::span<const double> parameters) const {
  if (states_.empty()) return nullptr;
  std::vector<double> times(last_);
  std::vector<double> sizes(last_);
  for (std::size_t k = 0; k < last_; ++k) {
    times[k] = time(k);
    sizes[k] = size(k);
  }
  return std::make_unique<sensitivity::MappedPath>(maps, std::move(times), std::move(sizes), states_, parameters);
}

StepRecord::Place StepRecord::place(double t) const {
  std::size_t boundary = 0;
  if (times_.empty()) {
    boundary = std::min(last_, static_cast<std::size_t>(std::max(0.0, std::floor((t - t0_) / h_ + rounding))));
    if (std::abs(t - time(boundary)) <= rounding * std::abs(h_)) return {boundary, 0, time(boundary)};
  } else {
    const bool backwards = t_last_ < t0_;
    const auto is_before = [&](double a, double b) { return backwards ? a > b : a < b; };
    const auto after = polynomial_ ? std::lower_bound(times_.begin() + 1, times_.end(), t, is_before)
                                   : std::upper_bound(times_.begin(), times_.end(), t, is_before);
    boundary = static_cast<std::size_t>(after - times_.begin()) - 1;
    if (!polynomial_ && after != times_.end() && step_times_.meet(*after, t)) return {boundary + 1, 0, t};
    if (step_times_.meet(time(boundary), t)) return {boundary, 0, t};
  }
  return {boundary, t - time(boundary), t};
}

}  // namespace herglotz::simulate
