#pragma once
/// What a page shows of an ensemble: maps, fans and histograms of all members, and some members themselves.

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "herglotz/io/sweep_file.hpp"
#include "sweep/sweep_cells.hpp"

namespace herglotz::report {

/// How much of an ensemble a page holds.
struct SweepLimits {
  std::size_t members = 10000;          ///< that are points of the scatter plot
  std::size_t quantile_members = 4000;  ///< of which quantiles are taken
  std::size_t rows = 400;               ///< of a fan
  std::size_t map_values = 250000;      ///< cells of all columns together
  std::size_t curve_cells = 2000;       ///< where the map has one axis only
  std::size_t histogram_bars = 60;
};

/// One swept quantity.
struct SweptQuantity {
  std::string name;      ///< "parameters.gamma", "initial.q"
  std::size_t axis = 0;  ///< of the grid
  bool random = false;   ///< drawn from a distribution
};

/// The values of a column over the members, against time. Quantiles are those of finite values.
struct Fan {
  std::vector<ensemble::Moments> moments;
  std::vector<std::vector<double>> quantiles;  ///< at `fan_levels`; empty where the file has moments only
};

inline constexpr double fan_levels[] = {0.05, 0.25, 0.5, 0.75, 0.95};

struct Histogram {
  double from = 0;
  double to = 0;
  std::vector<std::size_t> counts;
};

struct ColumnDigest {
  ensemble::Moments last;         ///< in the last row
  Fan fan;                        ///< empty where there is one row only
  Histogram histogram;            ///< of the last row; empty without finite values
  std::vector<double> cells;      ///< means over the members of each cell, in the last row
  std::vector<double> deviation;  ///< within cells; empty where a cell is one member
  std::vector<double> points;     ///< of the members on the page, in the last row
};

/// A reason for failures, without the numbers in it, and who failed for it.
struct FailureGroup {
  std::string reason;  ///< of the first of them
  std::size_t members = 0;
  std::vector<std::size_t> first;  ///< at most eight
};

struct SweepDigest {
  std::vector<SweptQuantity> quantities;
  Cells cells;
  std::vector<std::vector<std::vector<double>>> axis_values;  ///< per axis of the map, per quantity of it, per cell
  std::vector<std::vector<std::size_t>> axis_quantities;      ///< which they are
  std::vector<std::size_t> members;                           ///< on the page
  std::vector<std::vector<double>> points;                    ///< per quantity, of those members
  std::vector<double> times;                                  ///< of the rows of fans
  std::size_t quantile_members = 0;
  std::vector<ColumnDigest> columns;
  std::vector<FailureGroup> failures;
  /// Over all rows and members; none where the column is not in the file, or no member reached the end.
  std::optional<double> largest_energy_residual;
};

/// The standard deviation; not a number for fewer than two values.
double deviation(const ensemble::Moments& moments);

/// Ascending numbers: all of 0, ..., count - 1 up to `limit`, beyond it one from each of `limit` equal stretches, at a
/// place that follows no period of a grid.
std::vector<std::size_t> spread(std::size_t count, std::size_t limit);

/// By reason, the most frequent first.
std::vector<FailureGroup> grouped(const std::vector<ensemble::Failure>& failures);

/// Reads all of the file, each column at most twice, in bounded memory.
SweepDigest digest(const io::SweepReader& sweep, const SweepLimits& limits = {});

}  // namespace herglotz::report
