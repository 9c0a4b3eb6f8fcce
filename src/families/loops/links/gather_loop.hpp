#pragma once
/// A loop over rows, such as edges or equations, whose elements lie at any sites.

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "loops/links/link_loop.hpp"

namespace herglotz::families {

/// The site of an element for each row, or `nowhere`, where its value is 0.
using Places = std::shared_ptr<const std::vector<std::uint32_t>>;
inline constexpr std::uint32_t nowhere = std::numeric_limits<std::uint32_t>::max();

/// Visits the rows in chunks, whose elements are gathered at once. The order depends on the number of rows alone,
/// whatever the number of threads.
class GatherLoop {
 public:
  /// `moving` are the families whose values are given at each visit. `places` gives the places of an element; it gives
  /// none for an element of the rows themselves.
  GatherLoop(LinkLoop code, const std::vector<std::size_t>& moving, std::size_t count,
             const std::function<Places(const Element&)>& places);

  /// Takes the values of the parameters, and of the families that do not change. Comes before `visit`.
  void set(const Model& model, const SiteValues& values);
  /// Writes the arrays of the loop, which have `length` elements, from the values moving[k] of every site. Returns the
  /// sums.
  std::vector<double> visit(const double* const* moving, double t, std::span<double* const> written);

  [[nodiscard]] std::size_t count() const { return count_; }
  [[nodiscard]] std::size_t length() const;

 private:
  /// An array that the loop reads: moving values, or values that do not change.
  struct Column {
    Element element;
    Places places;
    std::optional<std::size_t> moving{};
    std::vector<double> values{};
  };

  void visit_chunk(const double* const* moving, const std::vector<double>& scalars, std::size_t k,
                   std::span<double* const> written, double* sums);

  LinkLoop code_;
  std::vector<double> parameters_;
  std::size_t count_;
  std::vector<Column> columns_;
};

}  // namespace herglotz::families
