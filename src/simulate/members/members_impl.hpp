#pragma once
/// Data that the members of an ensemble share.

#include <optional>
#include <utility>

#include "herglotz/integrate/lanes.hpp"
#include "herglotz/simulate/members.hpp"
#include "record/lane_rows.hpp"
#include "simulator_impl.hpp"

namespace herglotz::simulate {

struct Members::Impl {
  const Simulator& simulator;
  const Simulator::Impl& system;
  Common common;
  std::vector<Varying> varying;
  Start start;                     ///< with the common initial values
  std::vector<double> parameters;  ///< common values
  std::string reason;
  integrate::Settings settings;  // resolve_settings also writes `reason`
  const integrate::MethodInfo* method = nullptr;
  const integrate::Dynamics* dynamics = nullptr;
  RowMaker rows;
  std::vector<analyse::Column> columns;  ///< those of `rows`, and of the volume behind them
  bool starts = true;                    ///< true if first rows are needed
  /// Place of each varying quantity among the parameters, or in the state.
  std::vector<std::size_t> place;
  /// Expressions of initial values, each with its place in the state.
  std::vector<std::pair<std::size_t, std::size_t>> following;
  /// True if a start is the state itself: there are no momenta to invert, no events to watch, no switches to locate, no
  /// time scale, and no final set that may be another for other parameters.
  bool plain = true;
  std::vector<double> pulses{};                      ///< times of pulses in the members
  bool pulses_vary = false;                          ///< true if members may have pulses at other times
  bool regular = false;                              ///< true if W is known to be invertible at all starts
  std::optional<integrate::Dynamics> wide;           ///< set if runs go in lanes
  std::optional<integrate::DeviceMotion> on_device;  ///< set if a device takes the steps
  int lanes = 1;                                     ///< runs at a time

  std::optional<LaneRows> lane_rows;  ///< set if rows are made in lanes

  Impl(const Simulator& given, const Simulator::Impl& inside, Common shared, std::vector<Varying> quantities,
       int most_lanes, const compile::Device* device);

  /// Returns the narrowest pulse between steps of a member with these varying values.
  [[nodiscard]] std::optional<Pulses::Peak> pulse_between_steps(std::span<const double> values) const;
  /// Compiles the rows of neighbouring lanes, if lanes have their samples at the same times.
  void make_rows_in_lanes(int most_lanes);
  /// Tells the row maker which columns are kept. Returns which entries of (x, w, z) are kept, or `{}` if all columns
  /// are kept or a kept column needs more than (x, w, z).
  std::vector<bool> keep_columns();
  /// Returns whether the promised axioms, and the invariants of the common start, hold for all members.
  [[nodiscard]] bool keeps_promises();
  /// Returns whether the promised axioms hold for all values of the varying parameters. The axioms are analytic in
  /// these parameters, so an axiom that holds at a few values in general position is an identity.
  [[nodiscard]] bool promises_are_identities() const;
  /// Returns whether W is the same invertible matrix for all members.
  [[nodiscard]] bool regular_everywhere() const;
  void find_places();
  void find_following();
  void find_pulses();
  [[nodiscard]] std::vector<std::size_t> shared_rows(const analyse::Trajectory& run) const;
};

/// Returns the names of the columns that a member has beside the usual ones.
std::vector<std::string> columns_asked_for(const Common& common);

/// Returns whether elimination of W (r x r, row by row) finds no small pivot. If so, W can be inverted.
bool plainly_regular(std::span<double> W, std::size_t r);

}  // namespace herglotz::simulate
