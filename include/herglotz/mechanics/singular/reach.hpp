#pragma once
/// Final constraint sets in words, and the states on them.

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "herglotz/mechanics/singular.hpp"

namespace herglotz::mechanics {

/// Returns a text such as "x*y = 0; another branch has y = 0", of the first branch x = 0.
std::string text_of(const LevelConstraint& constraint);
/// Returns a text such as "its equations have no solution: level 2 of its constraints demands e*g = 0, which is 0.1".
std::string text_of(const Contradiction& contradiction);

/// States of the final set at which some entries of (x, z) have given values: whether there is one, and what is in the
/// way.
struct Reach {
  std::optional<std::size_t> missed;  ///< the constraint that fails if there is no such state, else `std::nullopt`
  double value = 0;                   ///< value of that constraint at the nearest state found
  std::size_t independent = 0;        ///< number of the given entries that are independent on the final set
  std::vector<double> point;          ///< (v, w) at a state that was found, or empty
};

/// Looks for a state of the final set at time t with the given entries of (x, z), by Gauss-Newton's method from points
/// drawn with a fixed seed. The analysis must be consistent.
Reach reach_final_set(const System& system, const SingularAnalysis& analysis, std::span<const double> parameters,
                      const std::vector<std::optional<double>>& given, double t);

/// Returns those entries of (v, w) at `places` that are not functions of the ones before them on the final set near one
/// of its states `point` at time t.
std::vector<std::size_t> independent_entries(const System& system, const SingularAnalysis& analysis,
                                             std::span<const double> parameters, const std::vector<double>& point,
                                             double t, const std::vector<std::size_t>& places);

}  // namespace herglotz::mechanics
