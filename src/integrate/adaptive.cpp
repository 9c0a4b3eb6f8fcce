#include "adaptive.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "schedule.hpp"

namespace herglotz::integrate {
namespace {

constexpr double local_share = 0.1;
constexpr double least_local = 2e-15;
constexpr double group_share = 1e-3;
constexpr double state_share = 1e-6;
constexpr int most_tiny_steps = 20;

/// Hands samples to the sink, each time once.
class Emitter {
 public:
  Emitter(const Run& run, RightSide& right_side) : run_(&run), right_side_(&right_side) {
    sample_.state.resize(run.dynamics.dimension());
    sample_.budget.resize(run.dynamics.laws);
  }
  void operator()(double t, const double* y) {
    if (emitted_ && sample_.t == t) return;
    emitted_ = true;
    sample_.t = t;
    const std::size_t d = sample_.state.size();
    std::copy_n(y, d, sample_.state.begin());
    sample_.log_factor = y[d];
    std::copy_n(y + d + 1, sample_.budget.size(), sample_.budget.begin());
    if (!right_side_->multipliers(t, y, sample_.multipliers)) throw right_side_->stop();
    if (!run_->sink(sample_)) throw Stop{Status::cancelled, {}};
  }

 private:
  const Run* run_;
  RightSide* right_side_;
  Sample sample_;
  bool emitted_ = false;
};

bool finite(const double* y, std::size_t size) {
  return std::all_of(y, y + size, [](double v) { return std::isfinite(v); });
}

}  // namespace

ErrorWeights::ErrorWeights(const Dynamics& dynamics, RightSide& right_side, double tolerance)
    : dynamics_(&dynamics),
      right_side_(&right_side),
      local_(std::max(local_share * tolerance, least_local)),
      law_(dynamics.laws, 0.0) {}

void ErrorWeights::operator()(double t, const double* y, double* weights) {
  const std::size_t z = dynamics_->n + dynamics_->r;
  const std::size_t bounds[5] = {0, dynamics_->n, z, z + 1, dynamics_->dimension()};
  double largest = 0;
  for (int g = 0; g < 4; ++g) {
    for (std::size_t i = bounds[g]; i < bounds[g + 1]; ++i) group_[g] = std::max(group_[g], std::abs(y[i]));
    largest = std::max(largest, group_[g]);
  }
  const double whole = largest > 0 ? largest : 1.0;
  for (int g = 0; g < 4; ++g) {
    const double floor = largest > 0 ? std::max(group_share * group_[g], state_share * whole) : 1.0;
    for (std::size_t i = bounds[g]; i < bounds[g + 1]; ++i) weights[i] = 1 / (local_ * (std::abs(y[i]) + floor));
  }
  const std::size_t d = dynamics_->dimension();
  weights[d] = 1 / (local_ * (std::abs(y[d]) + 1));
  const auto scales = right_side_->law_scales(t, y);
  for (std::size_t k = 0; k < scales.size(); ++k) {
    if (std::isfinite(scales[k])) law_[k] = std::max(law_[k], scales[k]);
    const double floor = std::max(law_[k] > 0 ? group_share * law_[k] : 1.0, state_share * whole);
    weights[d + 1 + k] = 1 / (local_ * (std::abs(y[d + 1 + k]) + floor));
  }
}

Outcome follow(const Run& run, RightSide& right_side, const std::vector<double>& y0, AdaptiveSolver& solver) {
  const Settings& settings = run.settings;
  const std::size_t d = run.dynamics.dimension();
  const double direction = settings.t_end < run.t0 ? -1 : 1;
  SampleTimes times(run.t0, settings.t_end, settings.schedule.interval);
  Emitter emit(run, right_side);
  Outcome outcome;
  Stop end;
  int tiny_steps = 0;
  double t = run.t0;
  std::vector<double> y = y0;
  std::vector<double> inside;
  try {
    emit(t, y.data());
    while (t != settings.t_end) {
      if (outcome.steps == settings.max_steps) {
        throw Stop{Status::too_many_steps,
                   fmt::format("{} steps did not reach t_end = {}; allow more steps or loosen the tolerance",
                               settings.max_steps, settings.t_end)};
      }
      const double stop_time = solver.dense() ? settings.t_end : times.next();
      solver.step(stop_time);
      if (!finite(solver.y(), y.size())) throw Stop{Status::not_finite, "the motion left the finite numbers after"};
      // A tiny first step that grows is no breakdown; a row of them is.
      const bool tiny = solver.step_size() < 4 * std::numeric_limits<double>::epsilon() * std::abs(solver.t());
      tiny_steps = tiny && solver.t() != stop_time ? tiny_steps + 1 : 0;
      if (tiny_steps > most_tiny_steps) {
        throw Stop{Status::step_too_small,
                   fmt::format("the step fell to {:.2g}, below the resolution of t (a finite-time blow-up?),",
                               solver.step_size())};
      }
      ++outcome.steps;
      t = solver.t();
      std::copy_n(solver.y(), y.size(), y.begin());
      while (!times.only_end_left() && direction * (times.next() - t) <= 0) {
        const double due = times.next();
        if (due == t) {
          emit(due, y.data());
        } else {
          inside.assign(solver.between(due), solver.between(due) + y.size());
          if (!right_side.project(due, inside.data())) throw right_side.stop();
          emit(due, inside.data());
        }
        times.pass();
      }
      const bool counted = settings.schedule.every != 0 && outcome.steps % settings.schedule.every == 0;
      if (counted || t == settings.t_end) emit(t, y.data());
    }
  } catch (const Stop& stop) {
    end = stop;
  }
  solver.count(outcome);
  conclude(outcome, run.dynamics, end, t, std::span(y).first(d));
  return outcome;
}

}  // namespace herglotz::integrate
