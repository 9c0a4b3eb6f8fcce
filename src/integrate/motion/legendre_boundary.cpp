#include "motion/legendre_boundary.hpp"

#include <algorithm>
#include <cmath>

#include "herglotz/integrate/kernel_outputs.hpp"

namespace herglotz::integrate {

LegendreBoundary::LegendreBoundary(const Dynamics& dynamics, std::span<const double> parameters)
    : dynamics_(&dynamics),
      parameters_(parameters),
      layout_(dynamics),
      saddle_(dynamics, parameters),
      v_(dynamics.variables()) {
  if (dynamics.m > 0 && !dynamics.differential()) rates_.emplace(dynamics, parameters);
  out_.resize(std::max(dynamics.stage.outputs(), dynamics.balance ? dynamics.balance.outputs() : 0));
  work_.resize(std::max(dynamics.stage.work_size(), dynamics.balance ? dynamics.balance.work_size() : 0));
}

Status LegendreBoundary::start(double t0, std::span<const double> state, double* last, double* carried) {
  const std::size_t n = layout_.n;
  const std::size_t r = layout_.r;
  const std::size_t base = layout_.base;
  std::fill_n(last, layout_.size, 0.0);
  std::copy(state.begin(), state.end(), last);
  std::copy_n(state.begin(), base, carried);
  std::fill_n(carried + base, 1 + dynamics_->laws, 0.0);
  load(t0, last);
  dynamics_->stage(v_.data(), parameters_.data(), out_.data(), work_.data());
  std::copy_n(out_.begin() + static_cast<std::ptrdiff_t>(n), r, carried + n);
  if (!std::all_of(carried + n, carried + n + r, [](double p) { return std::isfinite(p); })) {
    reason_ = "the momentum p(x, w, z, t) is not finite";
    return Status::not_finite;
  }
  saddle_.load(t0, state);
  if (r > 0 && std::all_of(state.begin(), state.end(), [](double value) { return std::isfinite(value); })) {
    if (const Stop stop = saddle_.singularity(); stop.status != Status::success) {
      reason_ = stop.reason;
      return stop.status;
    }
  }
  if (rates_) {
    (*rates_)(v_.data());
    std::copy_n(rates_->ell(), layout_.m, last + base);
  }
  if (dynamics_->laws > 0) {
    dynamics_->balance(v_.data(), parameters_.data(), out_.data(), work_.data());
    for (std::size_t k = 0; k < dynamics_->laws; ++k) carried[base + 1 + k] = out_[BalanceOutputs::quantity(k)];
  }
  return Status::success;
}

Status LegendreBoundary::recover(double t, double* last, const double* carried) {
  load(t, last);
  Status status = saddle_.factorise();
  if (status == Status::success) status = saddle_.recover(carried + layout_.n);
  return take_from_saddle(status, last);
}

Status LegendreBoundary::project(double t, double* last, const double* carried, double* moves) {
  const bool differential = dynamics_->differential();
  const double* const p = carried + layout_.n;
  load(t, last);
  Status status = saddle_.factorise();
  if (dynamics_->positions > 0) {
    if (status == Status::success && differential) status = saddle_.recover(p);
    if (status == Status::success) status = saddle_.project_positions();
    for (std::size_t i = 0; i < layout_.base; ++i)
      if (layout_.is_carried(i)) moves[i] = saddle_.v()[i] - carried[i];
  }
  if (status == Status::success) status = differential ? saddle_.recover(p) : saddle_.project_velocities(p);
  if (status == Status::success && !differential) {
    std::copy_n(saddle_.impulse_momentum().data(), layout_.r, moves + layout_.n);
    if (dynamics_->laws > 0 && dynamics_->laws_use_multipliers)
      impulse_work(*dynamics_, parameters_, saddle_, {moves + layout_.base + 1, dynamics_->laws});
  }
  return take_from_saddle(status, last);
}

Status LegendreBoundary::find_multipliers(double t, double* last) {
  if (!rates_) return Status::success;
  load(t, last);
  if (!(*rates_)(v_.data())) {
    reason_ = "the equations of motion are not finite in the step";
    return Status::not_finite;
  }
  std::copy_n(rates_->ell(), layout_.m, last + layout_.base);
  return Status::success;
}

/// Sets v from (x, w, z, l); an algebraic l becomes 0.
void LegendreBoundary::load(double t, const double* last) {
  std::copy_n(last, layout_.base, v_.begin());
  v_[layout_.base] = t;
  const auto l = v_.begin() + static_cast<std::ptrdiff_t>(layout_.base) + 1;
  if (dynamics_->differential())
    std::copy_n(last + layout_.base, layout_.m, l);
  else
    std::fill(l, v_.end(), 0.0);
  std::copy(v_.begin(), v_.end(), saddle_.v());
}

Status LegendreBoundary::take_from_saddle(Status status, double* last) {
  if (status != Status::success) {
    reason_ = saddle_.reason();
    return status;
  }
  const double* const v = saddle_.v();
  std::copy_n(v + layout_.n, layout_.r, last + layout_.n);
  if (dynamics_->differential()) std::copy_n(v + layout_.base + 1, layout_.m, last + layout_.base);
  return status;
}

}  // namespace herglotz::integrate
