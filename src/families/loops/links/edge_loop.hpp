#pragma once
/// A loop over the edges of a model.

#include <cstdint>
#include <span>
#include <vector>

#include "loops/links/gather_loop.hpp"

namespace herglotz::families {

/// Visits the edges; see GatherLoop, whose rows they are.
class EdgeLoop {
 public:
  /// `moving` are the families whose values are given at each visit.
  EdgeLoop(const Model& model, LinkLoop code, const std::vector<std::size_t>& moving);

  void set(const Model& model, const SiteValues& values) { rows_.set(model, values); }
  std::vector<double> visit(const double* const* moving, double t, std::span<double* const> written) {
    return rows_.visit(moving, t, written);
  }

  [[nodiscard]] std::size_t count() const { return rows_.count(); }
  [[nodiscard]] std::size_t length() const { return rows_.length(); }
  [[nodiscard]] const std::vector<std::uint32_t>& from() const { return *from_; }
  [[nodiscard]] const std::vector<std::uint32_t>& to() const { return *to_; }

 private:
  Places from_;
  Places to_;
  GatherLoop rows_;
};

/// Returns sites as places.
Places places_of(const std::vector<std::size_t>& sites);

}  // namespace herglotz::families
