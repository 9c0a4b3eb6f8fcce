#include "runge_kutta/packed_state.hpp"

#include <algorithm>
#include <limits>

#include "herglotz/kernel/exponential.hpp"

namespace herglotz::integrate {

void PackedState::start(double t0, std::span<const double> y, double L_z) {
  t0_ = t0;
  L_z_ = L_z;
  std::copy_n(y.begin() + static_cast<std::ptrdiff_t>(dynamics_->dimension()) + 1, start_.size(), start_.begin());
}

void PackedState::pack(const double* y, double* entries, std::size_t stride) const {
  const CompiledLoops& motion = *motion_;
  const std::size_t d = dynamics_->dimension();
  std::size_t e = 0;
  for (const std::size_t i : motion.kept) entries[e++ * stride] = y[i];
  if (e > 0) return;
  for (; e < d; ++e) entries[e * stride] = y[e];
  if (motion.entries.factor) entries[e++ * stride] = y[d];
  // If the run follows fewer laws than the motion has, the entries of the other laws are 0.
  for (const std::size_t k : motion.laws) entries[e++ * stride] = k < start_.size() ? y[d + 1 + k] : 0.0;
}

void PackedState::unpack_state(const double* entries, std::size_t stride, double* y) const {
  std::size_t e = 0;
  for (const std::size_t i : motion_->kept) y[i] = entries[e++ * stride];
  if (e > 0) return;
  for (; e < dynamics_->dimension(); ++e) y[e] = entries[e * stride];
}

void PackedState::unpack(double t, const double* entries, std::size_t stride, double* y) const {
  const CompiledLoops& motion = *motion_;
  const std::size_t d = dynamics_->dimension();
  if (others_unknown_) std::fill_n(y, d + 1 + start_.size(), std::numeric_limits<double>::quiet_NaN());
  unpack_state(entries, stride, y);
  if (!motion.kept.empty()) return;
  std::size_t e = d;
  y[d] = motion.entries.factor ? entries[e++ * stride] : -L_z_ * (t - t0_);
  const double decay = motion.laws.size() < start_.size() ? kernel::exponential(-y[d]) : 0;
  for (std::size_t k = 0; k < start_.size(); ++k) y[d + 1 + k] = start_[k] * decay;
  for (const std::size_t k : motion.laws) {
    if (k < start_.size()) y[d + 1 + k] = entries[e * stride];
    ++e;
  }
}

}  // namespace herglotz::integrate
