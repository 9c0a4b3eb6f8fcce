#pragma once
/// Sobol's sequence with the direction numbers of Joe and Kuo, computed at any index.

#include <cstddef>
#include <cstdint>
#include <vector>

namespace herglotz::ensemble {

constexpr std::size_t most_sobol_dimensions = 1024;

/// Sobol points in the order of the Gray code: Antonov and Saleev (1979); Joe and Kuo, "Constructing Sobol sequences
/// with better two-dimensional projections" (2008).
class Sobol {
 public:
  explicit Sobol(std::size_t dimensions);

  /// Returns 52 bits of a coordinate of the point `index` < 2^52; the point 0 is the origin.
  [[nodiscard]] std::uint64_t bits(std::size_t dimension, std::uint64_t index) const;
  /// Returns the bits in which the point `index` > 0 differs from the point before it.
  [[nodiscard]] std::uint64_t change(std::size_t dimension, std::uint64_t index) const;

 private:
  std::vector<std::uint64_t> directions_;  ///< dimensions x 52
};

}  // namespace herglotz::ensemble
