#pragma once
/// Drawing of a motion on the page: its view as bodies whose expressions the page evaluates from the columns of the
/// run.

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "herglotz/analyse/trajectory.hpp"
#include "herglotz/io/view.hpp"

namespace herglotz::report {

/// Returns the view that a model states, or why it has none that can be read.
struct StatedView {
  std::optional<io::View> view{};
  std::string note{};
};
StatedView stated_view(const std::string& model_text);

/// Returns the bodies, the camera, the operations of all expressions with parameters as constants, and the columns that
/// only the picture needs, at the given rows. A body with `spin` or `drift` carries its attitude and place as such
/// columns. Without [view] the picture is that of `default_view`; null if there is nothing to draw. If a view cannot be
/// drawn, `note` says why.
nlohmann::json motion_of(const analyse::Trajectory& trajectory, const std::vector<std::size_t>& rows,
                         const StatedView& stated);
/// Returns the same for a page that follows the motion itself: parameters are columns, and a body with `spin` or
/// `drift` keeps their expressions, `attitude` and `at` at the start, and whether the rates are along the axes of
/// `space`; null if there is nothing to draw.
nlohmann::json live_motion_of(const analyse::Trajectory& trajectory);

}  // namespace herglotz::report
