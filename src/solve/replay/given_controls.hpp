#pragma once
/// Controls of a guess as functions of time.

#include <optional>

#include "collocation.hpp"
#include "path.hpp"
#include "setup.hpp"
#include "start/warm_start.hpp"

namespace herglotz::solve {

/// The guess on meshes as fine as one likes: its controls are polynomials between the nodes of a solution, or else
/// follow the expressions or columns of the guess.
class GivenControls {
 public:
  explicit GivenControls(const Setup& setup);

  /// Returns the guessed path for a method of collocation on the own mesh with each interval cut into `parts` parts.
  [[nodiscard]] Path on(const Collocation& method, std::size_t parts) const;

 private:
  const Setup& setup_;
  std::optional<WarmStart> solution_;
  Mesh mesh_;
};

}  // namespace herglotz::solve
