#pragma once
/// State from which a motion goes on by another method.

#include <vector>

#include "loops/error_scales.hpp"

namespace herglotz::families {

struct MotionState {
  double t = 0;
  std::vector<std::vector<double>> q;  ///< of each family at all sites
  std::vector<std::vector<double>> v;
  std::vector<Compensated> whole;  ///< as Whole::now() gives them
  ErrorScales scales;
};

}  // namespace herglotz::families
