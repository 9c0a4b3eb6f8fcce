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

/// All equations with long repeated parts named, as the format prints them.
Shared share(const Presentation& presentation, symbolic::Format format);

}  // namespace herglotz::mechanics
