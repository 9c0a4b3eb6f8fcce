#pragma once
/// Matrix of the stages of all sites, whose unknowns are those of a site one after the other.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "herglotz/families/model.hpp"

namespace herglotz::families {

/// Blocks of a matrix, size x size and row after row: for each offset in the order given, at every site the rows of
/// that site and the columns of the site at that offset; and for each edge those of its two ends, which are added.
struct SiteBlocks {
  std::size_t size = 0;         ///< unknowns of a site
  std::vector<Offset> offsets;  ///< without repetition
  /// Writes the block of a site and a place among the offsets.
  std::function<void(std::size_t site, std::size_t offset, double* block)> put;
  std::span<const std::uint32_t> from{};  ///< the sites at which edges begin
  std::span<const std::uint32_t> to{};
  /// Writes the blocks of an edge: rows of its beginning with columns of its beginning, then of its end; rows of its
  /// end with the same columns.
  std::function<void(std::size_t edge, double* blocks)> put_edge{};
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

/// Way to solve a system with the blocks of all sites, which depends on how these are joined.
enum class Elimination : std::uint8_t {
  bands,    ///< chains and rings: block by block, at a cost proportional to the number of sites
  sparse,   ///< sites joined by edges nearly as in a tree: by SparseLU in an order of few new entries
  iterated  ///< others: by BiCGSTAB with an incomplete LU decomposition
};

/// The way of elimination and its order. They follow from which blocks there are, so that they serve for all values.
struct Structure {
  Elimination elimination = Elimination::iterated;
  std::size_t sites = 1;               ///< in a group of `bands`
  std::vector<std::uint32_t> place{};  ///< of each site in the order of `sparse`
};

Structure structure_of(const Model& model, const SiteBlocks& blocks);

/// Returns the factors, or a null pointer if the matrix is singular or not finite.
std::shared_ptr<const StageMatrix> factorised(const Model& model, const SiteBlocks& blocks, const Structure& structure);

}  // namespace herglotz::families
