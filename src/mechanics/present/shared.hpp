#pragma once
/// A presentation whose long repeated parts have names.

#include <string>
#include <utility>
#include <vector>

#include "herglotz/mechanics/presentation.hpp"

namespace herglotz::mechanics {

struct Shared {
  std::vector<std::pair<std::string, Expr>> where;  ///< t1 = ..., in order of use
  std::vector<PrintedEquation> definitions;
  std::vector<Section> sections;
};

/// Names the long repeated parts of all equations. For LaTeX, the typeset form of a section is used if it has one.
Shared share(const Presentation& presentation, symbolic::Format format);

}  // namespace herglotz::mechanics
