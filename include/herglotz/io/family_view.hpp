#pragma once
/// Views of models with an index.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "herglotz/families/model.hpp"
#include "herglotz/families/site_values.hpp"
#include "herglotz/io/view.hpp"

namespace herglotz::io {

/// The view of a model with an index, with the model whose symbols its expressions have: elements at the present site
/// or edge, sites by number, the action, time and parameters.
struct FamilyView {
  /// Element at a site that is given by its number, such as q[0].
  struct Single {
    symbolic::Expr symbol;
    std::size_t family = 0;
    std::size_t site = 0;
  };

  families::Model model;
  families::SiteFormulas formulas{};  ///< of its families of parameters, compiled once for all values
  std::optional<View> view{};
  std::vector<Single> singles{};
};

/// Reads the view, in a graph of its own. Throws InputError as `parse_family_model` does.
FamilyView parse_family_view(std::string_view text, const std::string& file,
                             const std::vector<std::string>& assignments = {});

}  // namespace herglotz::io
