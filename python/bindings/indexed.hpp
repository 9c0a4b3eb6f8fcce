#pragma once
/// Models with an index, as Python has them.

#include <string>
#include <vector>

#include "herglotz/families/model.hpp"
#include "herglotz/io/family_file.hpp"

namespace herglotz::python {

/// Text of a model with an index. It is parsed for every run, since a run derives in the graph of its model.
struct IndexedModel {
  std::string text;
  std::string file;

  [[nodiscard]] families::Model parsed(const std::vector<std::string>& assignments = {}) const {
    return io::parse_family_model(text, file, assignments);
  }
};

}  // namespace herglotz::python
