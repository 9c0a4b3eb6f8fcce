#pragma once
/// Matrix of the stages of all sites, whose unknowns are those of a site one after the other.

#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

#include "herglotz/families/model.hpp"

namespace herglotz::families {

/// Blocks of a matrix: for each offset in the order given, at every site the rows of that site and the columns of the
/// site at that offset.
struct SiteBlocks {
  std::size_t size = 0;         ///< unknowns of a site
  std::vector<Offset> offsets;  ///< without repetition
  /// Writes the block (size x size, row after row) of a site and a place among the offsets.
  std::function<void(std::size_t site, std::size_t offset, double* block)> put;
};

/// Factors of a matrix A.
class StageMatrix {
 public:
  StageMatrix() = default;
  StageMatrix(const StageMatrix&) = delete;
  StageMatrix& operator=(const StageMatrix&) = delete;
  virtual ~StageMatrix() = default;

  /// Replaces b by the solution x of A x = b. Returns false if none was found.
  virtual bool solve(std::vector<double>& b) const = 0;
};

/// Returns the factors, or a null pointer if the matrix is singular or not finite. Chains and rings are eliminated
/// block by block, at a cost proportional to the number of sites; on grids, and where a ring or its offsets do not
/// fit, the system is solved by BiCGSTAB with an incomplete LU decomposition.
std::shared_ptr<const StageMatrix> factorised(const Model& model, const SiteBlocks& blocks);

}  // namespace herglotz::families
