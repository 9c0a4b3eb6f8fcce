#pragma once
/// The volume of phase space along a run.

#include <span>
#include <vector>

#include "herglotz/analyse/trajectory.hpp"
#include "herglotz/compile/compile.hpp"
#include "herglotz/integrate/dynamics.hpp"
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
  /// log(volume) - log(det W / det W_0) - int tr(df/du), with the compiled motion f: zero but for the quadratures.
  std::vector<double> residual;
};

/// Computes the volume along the rows of one run with its law [LJL21, Prop. 5]. Integrals are those of polynomials
/// through seven rows, or through all if there are fewer.
class VolumeAlong {
 public:
  /// `equations` and `dynamics` are those of the system, `parameters` one value for each of its parameters. Throws
  /// Refused as mechanics::volume_rate does.
  VolumeAlong(const mechanics::System& system, const mechanics::Equations& equations,
              const integrate::Dynamics& dynamics, const compile::Options& options, std::vector<double> parameters,
              const StateRows& rows);
  /// Returns the volume at the rows of the run.
  [[nodiscard]] const Volumes& at_rows() const { return at_rows_; }
  /// Returns the volume at states of the same run between its rows.
  [[nodiscard]] Volumes at(const StateRows& between) const;

 private:
  /// Values at one state.
  struct Point {
    double rate = 0;
    double trace = 0;
    double log_det = 0;  ///< log |det W|
  };
  /// Integral of a function of time from the first row, piece by piece.
  class Integral {
   public:
    Integral() = default;
    Integral(const std::vector<double>& times, const std::vector<double>& values);
    [[nodiscard]] double operator()(double t) const;

   private:
    std::vector<double> times_;
    std::vector<double> totals_;  ///< at the rows
    std::vector<std::vector<double>> coefficients_;
    std::vector<double> widths_;
  };
  [[nodiscard]] std::vector<Point> points(const StateRows& rows) const;

  kernel::Kernel rate_;
  kernel::Kernel hessian_;
  integrate::Dynamics dynamics_;
  std::vector<double> parameters_;
  std::size_t r_;
  bool hamiltonian_;
  Integral rate_integral_;
  Integral trace_integral_;
  double first_log_det_ = 0;
  Volumes at_rows_;
};

/// Adds the columns of the volume to a run and to its events, behind the others.
void add_volume(const VolumeAlong& law, analyse::Trajectory& run);

}  // namespace herglotz::simulate
