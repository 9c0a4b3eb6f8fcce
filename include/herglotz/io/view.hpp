#pragma once
/// Views: pictures of a motion, made of bodies whose places and attitudes are expressions.

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "herglotz/symbolic/graph.hpp"

namespace herglotz::io {

/// One body of a view. `properties` has the expressions of each key, in the order of their components: `at`, `from`,
/// `to`, `spin` and `drift` have 3, `attitude` 4 (a quaternion, its scalar first) or 9 (a rotation matrix by rows),
/// `radius` and `width` 1, `size` 3 for a box and 1 otherwise. With `spin`, the angular velocity, `attitude` holds at
/// the start only; likewise `at` with `drift`, the velocity. In a model with an index `tint` has 1, the value that
/// colours a body.
struct ViewBody {
  /// In a model with an index, the sites or edges that have one such body each.
  enum class Each : std::uint8_t { whole, site, edge };

  std::string name;
  std::string shape{};      ///< sphere, box, rod, wheel, frame, path or ground; of families curve and surface, too
  std::string color{};      ///< a name or #rrggbb; empty if the page chooses it
  std::string of{};         ///< the body whose path this is, or empty
  std::string on{};         ///< the body in whose frame this one is placed, or empty
  bool space_axes = false;  ///< `spin` and `drift` have components along the axes of space, not of the body
  std::map<std::string, std::vector<symbolic::Expr>> properties{};
  Each each = Each::whole;
};

struct Camera {
  std::array<double, 3> from{};
  std::array<double, 3> at{};
  std::array<double, 3> up{0, 0, 1};
};

/// The [view] table. Its symbols have the names of columns and parameters.
struct View {
  std::shared_ptr<symbolic::Graph> graph;  ///< owns the expressions
  std::optional<Camera> camera;            ///< unset if the page chooses it
  std::vector<ViewBody> bodies;
};

/// Reads the view of a model or a problem; `std::nullopt` if it states none. Throws InputError as `parse_model` does.
std::optional<View> parse_view(std::string_view text, const std::string& file = "model.toml");

}  // namespace herglotz::io
