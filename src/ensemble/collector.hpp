#pragma once
/// Collection of the rows of members into the results of a block.

#include <array>
#include <cstddef>
#include <limits>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "batch_moments.hpp"
#include "herglotz/ensemble/ensemble.hpp"
#include "herglotz/simulate/members.hpp"

namespace herglotz::ensemble {

/// Kept values of the rows of a member.
struct KeptParts {
  static constexpr std::size_t nowhere = std::numeric_limits<std::size_t>::max();

  std::vector<std::size_t> columns;  ///< indices of the columns of a row
  std::vector<std::size_t> rows;     ///< place of each row among the kept rows, or nowhere; empty: only the last row
  std::vector<double> times;         ///< times of the kept rows
  std::vector<std::size_t> laws;     ///< indices of the laws whose columns of residuals are kept

  /// Returns the place of a row, or nowhere.
  [[nodiscard]] std::size_t place(std::size_t index, double t) const;
  /// Returns the number of kept rows among the first `rows` rows of a member.
  [[nodiscard]] std::size_t reached(std::size_t rows) const;
};

/// Collector of the rows of one block. Members are counted from its first one.
class Collector {
 public:
  virtual ~Collector() = default;
  /// Receives row `index` of a member. Rows come in order, but a member may begin again.
  virtual void row(std::size_t member, std::size_t index, std::span<const double> row) = 0;
  /// Receives rows of members that follow one another, member m in lane m - first.
  virtual void rows(std::size_t first, const simulate::Members::Rows& rows) = 0;
  /// Ends a member that had `rows` rows.
  virtual void done(std::size_t member, std::size_t rows, bool failed) = 0;
};

/// Returns a collector that writes the columns of the block.
std::unique_ptr<Collector> collect_rows(Block& block, const KeptParts& kept);
/// Returns a collector that writes the moments of the block, with code for registers of `lanes` numbers.
std::unique_ptr<Collector> collect_moments(Block& block, const KeptParts& kept, int lanes);

}  // namespace herglotz::ensemble
