#pragma once
/// A loop over the edges of a model.

#include <cstdint>
#include <span>
#include <vector>

#include "loops/links/link_loop.hpp"

namespace herglotz::families {

/// Visits the edges in chunks, whose coordinates at both ends are gathered at once. The order depends on the number of
/// edges alone, whatever the number of threads.
class EdgeLoop {
 public:
  /// `moving` are the families whose values are given at each visit.
  EdgeLoop(const Model& model, LinkLoop code, std::vector<std::size_t> moving);

  /// Takes the values of the parameters, and of the families that do not change. Comes before `visit`.
  void set(const Model& model, const SiteValues& values);
  /// Writes the arrays of the loop, which have `length` elements, from the values moving[k] of every site. Returns the
  /// sums.
  std::vector<double> visit(const double* const* moving, double t, std::span<double* const> written);

  [[nodiscard]] std::size_t count() const { return from_.size(); }
  [[nodiscard]] std::size_t length() const;
  [[nodiscard]] const std::vector<std::uint32_t>& from() const { return from_; }
  [[nodiscard]] const std::vector<std::uint32_t>& to() const { return to_; }

 private:
  /// An array that the loop reads: moving values at one end of each edge, or values that do not change.
  struct Column {
    std::optional<std::size_t> moving{};
    const std::vector<std::uint32_t>* ends = nullptr;
    std::vector<double> values{};
  };

  void visit_chunk(const double* const* moving, const std::vector<double>& scalars, std::size_t k,
                   std::span<double* const> written, double* sums);

  LinkLoop code_;
  std::vector<std::size_t> moving_;
  std::vector<double> parameters_;
  std::vector<std::uint32_t> from_;
  std::vector<std::uint32_t> to_;
  std::vector<Column> columns_;
};

}  // namespace herglotz::families
