#pragma once
/// Between the state of a run and the entries of a compiled motion.

#include <span>
#include <vector>

#include "herglotz/integrate/dynamics.hpp"

namespace herglotz::integrate {

/// Full states are y = (x, w, z, nu, log lambda, g_1, ..), as RightSide has them.
class MotionEntries {
 public:
  explicit MotionEntries(const Dynamics& dynamics) : MotionEntries(dynamics, dynamics.motion) {}
  /// With the motion of other lanes. What it does not carry is not a number.
  MotionEntries(const Dynamics& dynamics, const CompiledMotion& motion)
      : dynamics_(&dynamics), motion_(&motion), start_(dynamics.laws) {}

  /// Of a run that starts at (t0, y), where dL/dz is L_z.
  void start(double t0, std::span<const double> y, double L_z);
  /// Entries into rows that lie `stride` apart.
  void pack(const double* y, double* entries, std::size_t stride) const;
  void unpack(double t, const double* entries, std::size_t stride, double* y) const;

 private:
  const Dynamics* dynamics_;
  const CompiledMotion* motion_;
  double t0_ = 0;
  double L_z_ = 0;
  std::vector<double> start_;  // the budgets at the start
};

}  // namespace herglotz::integrate
