#pragma once
/// Moments of many rows at a time.

#include <cstddef>
#include <vector>

#include "herglotz/ensemble/ensemble.hpp"

namespace herglotz::ensemble {

/// Moments of rows to which members are added one after the other, four rows in one instruction. The bits are those of
/// Moments::add for each row.
class MomentRows {
 public:
  explicit MomentRows(std::size_t rows) : rows_(rows), packs_((rows + width - 1) / width) {}

  void clear();
  /// Adds a member with one value for each row; values that are not finite are left out.
  void add(const double* values);
  [[nodiscard]] Moments at(std::size_t row) const;

 private:
  static constexpr std::size_t width = 4;
  using Numbers [[gnu::vector_size(32)]] = double;

  struct Pack {
    Numbers count, mean, squares, least, largest;
    void add(const Numbers& value);
  };

  std::size_t rows_;
  std::vector<Pack> packs_;
};

}  // namespace herglotz::ensemble
