#pragma once
/// Conversion between the state of a run and the entries of a compiled motion.

#include <span>

#include "herglotz/integrate/dynamics.hpp"
#include "numerics/short_array.hpp"

namespace herglotz::integrate {

/// Entries of a compiled motion. Full states are y = (x, w, z, nu, log lambda, g_1, ..), as in RightSide.
class PackedState {
 public:
  /// Leaves numbers that the motion does not carry as they are.
  explicit PackedState(const Dynamics& dynamics)
      : dynamics_(&dynamics), motion_(&dynamics.motion), start_(dynamics.laws) {}
  /// Uses the motion of other lanes. Numbers that it does not carry are NaN.
  PackedState(const Dynamics& dynamics, const CompiledLoops& motion)
      : dynamics_(&dynamics), motion_(&motion), others_unknown_(!motion.kept.empty()), start_(dynamics.laws) {}

  /// Sets the start (t0, y) of a run, at which dL/dz is L_z.
  void start(double t0, std::span<const double> y, double L_z);
  /// Writes the entries into rows that lie `stride` apart.
  void pack(const double* y, double* entries, std::size_t stride) const;
  void unpack(double t, const double* entries, std::size_t stride, double* y) const;
  /// Writes the entries of (x, w, z, nu) only.
  void unpack_state(const double* entries, std::size_t stride, double* y) const;

 private:
  const Dynamics* dynamics_;
  const CompiledLoops* motion_;
  bool others_unknown_ = false;  // numbers that are not carried become NaN
  double t0_ = 0;
  double L_z_ = 0;
  ShortArray start_;  // the budgets at the start
};

}  // namespace herglotz::integrate
