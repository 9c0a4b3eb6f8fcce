#pragma once
/// Digest of an ensemble for a page: maps, fans and histograms of all members, and some members themselves.

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "herglotz/io/sweep_file.hpp"
#include "sweep/sweep_cells.hpp"

namespace herglotz::report {

/// Limits for the data of an ensemble on a page.
struct SweepLimits {
  std::size_t members = 10000;          ///< members that are points of the scatter plot
  std::size_t quantile_members = 4000;  ///< members from which quantiles are computed
  std::size_t rows = 400;               ///< rows of a fan
  std::size_t map_values = 250000;      ///< cells of all columns together
  std::size_t curve_cells = 2000;       ///< cells of a map with one axis only
  std::size_t histogram_bars = 60;
  std::size_t fans = 9;  ///< fans of single values of a swept quantity
};

/// Swept quantity.
struct SweptQuantity {
  std::string name;      ///< "parameters.gamma", "initial.q"
  std::size_t axis = 0;  ///< axis of the grid
  bool random = false;   ///< true if drawn from a distribution
};

/// Distribution of the values of a column over the members, against time. Quantiles are computed from finite values.
struct Fan {
  std::vector<ensemble::Moments> moments;
  std::vector<std::vector<double>> quantiles;  ///< at `fan_levels`; empty if the file has moments only
};

inline constexpr double fan_levels[] = {0.05, 0.25, 0.5, 0.75, 0.95};

struct Histogram {
  double from = 0;
  double to = 0;
  std::vector<std::size_t> counts;
};

struct ColumnDigest {
  ensemble::Moments last;         ///< moments in the last row
  Fan fan;                        ///< fan of all members; empty if there is one row only
  std::vector<Fan> fans;          ///< fans of the members of each cell in SweepDigest::fan_cells
  Histogram histogram;            ///< histogram of the last row; empty without finite values
  std::vector<double> cells;      ///< means over the members of each cell, in the last row
  std::vector<double> deviation;  ///< deviations within cells; empty if a cell is one member
  std::vector<double> points;     ///< values of the members on the page, in the last row
};

/// Group of members that failed for reasons that differ in numbers only.
struct FailureGroup {
  std::string reason;  ///< reason of the first of these members
  std::size_t members = 0;
  std::vector<std::size_t> first;  ///< first members of the group, at most eight
};

struct SweepDigest {
  std::vector<SweptQuantity> quantities;
  Cells cells;
  std::vector<std::vector<std::vector<double>>> axis_values;  ///< per axis of the map, per quantity of it, per cell
  std::vector<std::vector<std::size_t>> axis_quantities;      ///< indices of these quantities
  std::vector<std::size_t> members;                           ///< members on the page
  std::vector<std::vector<double>> points;                    ///< values per quantity, of the members on the page
  std::vector<double> times;                                  ///< times of the rows of fans
  /// Cells that have fans of their own: some or all cells of a map with one axis, in order; empty for other maps.
  std::vector<std::size_t> fan_cells;
  std::size_t quantile_members = 0;
  std::vector<ColumnDigest> columns;
  std::vector<FailureGroup> failures;
};

/// Returns the standard deviation, or NaN for fewer than two values.
double deviation(const ensemble::Moments& moments);

/// Returns ascending numbers: 0, ..., count - 1 if `count` is at most `limit`, else one number from each of `limit`
/// equal stretches, at a place that follows no period of a grid.
std::vector<std::size_t> spread(std::size_t count, std::size_t limit);

/// Returns the failures grouped by reason, the most frequent reason first.
std::vector<FailureGroup> grouped(const std::vector<ensemble::Failure>& failures);

/// Returns the digest of a sweep. It reads the whole file, each column at most twice, in bounded memory.
SweepDigest digest(const io::SweepReader& sweep, const SweepLimits& limits = {});

}  // namespace herglotz::report
