#pragma once
/// The volume of phase space along a run.

#include <span>
#include <string>
#include <vector>

#include "herglotz/analyse/trajectory.hpp"
#include "herglotz/compile/compile.hpp"
#include "herglotz/integrate/dynamics.hpp"
#include "herglotz/integrate/vector_field.hpp"
#include "herglotz/mechanics/equations.hpp"

namespace herglotz::simulate {

/// Columns that a single run has on demand.
inline constexpr const char* volume_column = "volume";
inline constexpr const char* volume_residual_column = "volume_residual";

/// States u = (x, w, z) at times, one after the other.
struct StateRows {
  std::vector<double> times;
  std::vector<double> states;
};

/// Returns the states in columns of a trajectory.
StateRows state_rows(const std::vector<analyse::Column>& columns);

/// The volume dx dp dz that a motion carries along, relative to that at the first row of a run.
struct Volumes {
  std::vector<double> volume;  ///< exp(int rate), with mechanics::volume_rate
  /// log(volume) - log(det W / det W_0) - int tr(df/du), with the compiled motion f: zero but for the errors of both
  /// quadratures, and for the errors of the rows where det W is not constant.
  std::vector<double> residual;
};

/// The compiled functions of a system that VolumeAlong evaluates. Runs of the system may share them.
struct VolumeKernels {
  kernel::Kernel rate;        ///< mechanics::volume_rate of (x, w, z, t, l)
  kernel::Kernel hessian;     ///< W of (x, w, z, t, l)
  std::vector<double> knots;  ///< of the inputs, ascending
};

/// Compiles the kernels of the volume law. `equations` are those of the system. Throws Refused as
/// mechanics::volume_rate does.
VolumeKernels volume_kernels(const mechanics::System& system, const mechanics::Equations& equations,
                             const compile::Options& options);

/// Throws Refused if the motion from the start (x, w, z, t) has no volume law that holds along whole runs: with
/// vakonomic constraints, a singular Lagrangian, jumps, switches, friction, or inputs that are held.
void require_volume_law(const mechanics::System& system, const mechanics::Equations& equations,
                        std::span<const double> parameters, std::span<const double> start);

/// Computes the volume along the rows of one run with its law [LJL21, Props 5, 12]. From each row the motion is
/// followed to the next one by the method `reference`, and the integrals are sums over its states at Gauss's nodes: the
/// rate has five nodes in each part of an interval, and the trace four others, so that the residual shows their errors.
/// Parts are halved until both rules agree on the rate. Volumes are NaN behind a row from which the motion cannot be
/// followed.
class VolumeAlong {
 public:
  /// `kernels` are those of the system, for which require_volume_law holds, `dynamics` has the kernels of the method
  /// `reference`, `with_jacobian` those of `radau-5`, and `parameters` has one value for each parameter of the
  /// system.
  VolumeAlong(const mechanics::System& system, VolumeKernels kernels, const integrate::Dynamics& dynamics,
              const integrate::Dynamics& with_jacobian, std::vector<double> parameters, StateRows rows);
  /// Returns the volume at the rows of the run.
  [[nodiscard]] const Volumes& at_rows() const { return at_rows_; }
  /// Returns the volume at states of the same run between its rows.
  [[nodiscard]] Volumes at(const StateRows& between);

 private:
  /// Integrals over time.
  struct Growth {
    double rate = 0;
    double trace = 0;
  };
  /// Returns the integrals from row k to a time before the next row.
  [[nodiscard]] Growth growth(std::size_t k, double t);
  /// Returns the integrals over a time in which the motion is smooth, and moves the state to its end.
  [[nodiscard]] Growth over_smooth(double from, double to, std::vector<double>& u);
  [[nodiscard]] double rate_at(double t, std::span<const double> u);
  [[nodiscard]] double trace_at(double t, std::span<const double> u);
  [[nodiscard]] double log_det_at(double t, std::span<const double> u);  ///< log |det W|
  [[nodiscard]] std::span<const double> state(const StateRows& of, std::size_t k) const;

  integrate::Dynamics dynamics_;
  integrate::CompiledVectorField field_;
  std::vector<double> parameters_;
  std::size_t r_;
  bool hamiltonian_;
  VolumeKernels kernels_;
  StateRows rows_;
  std::vector<Growth> totals_;  ///< from the first row to each row
  double first_log_det_ = 0;
  Volumes at_rows_;
};

/// Returns columns with those of the volume that `names` asks for, and that are not among them, behind the others. The
/// latter have no values.
std::vector<analyse::Column> with_volume(std::vector<analyse::Column> columns, const std::vector<std::string>& names);

/// Adds those columns of the volume that `names` asks for, and that the run does not have, to a run and to its events,
/// behind the others.
void add_volume(VolumeAlong& law, const std::vector<std::string>& names, analyse::Trajectory& run);

}  // namespace herglotz::simulate
