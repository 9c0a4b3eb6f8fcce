#pragma once
/// Families along a run, thinned for pictures.

#include <cstddef>
#include <string>
#include <vector>

#include "herglotz/analyse/trajectory.hpp"

namespace herglotz::analyse {

/// Values of a family at some moments and some of its sites.
struct FieldPicture {
  /// Sites along an index.
  struct Axis {
    std::string name;
    std::vector<std::size_t> places;
  };

  std::string name;
  Role role = Role::base;
  std::vector<Axis> axes;  ///< one, or the two of a grid
  std::vector<double> times;
  std::vector<double> values;  ///< moment after moment, and row after row of a grid
};

}  // namespace herglotz::analyse
