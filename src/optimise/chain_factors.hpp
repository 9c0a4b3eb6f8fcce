#pragma once
/// Factors of symmetric indefinite matrices whose unknowns form a chain of blocks.

#include <cstddef>
#include <span>
#include <vector>

#include "herglotz/optimise/nlp.hpp"

namespace herglotz::optimise {

/// Factorisation P A P^T = L D L^T of a symmetric matrix, with D of 1 x 1 and 2 x 2 blocks, by elimination along a
/// chain [DR83]. Every unknown has a place in the chain, or is on its border. Entries couple unknowns of one place, of
/// neighbouring places, and those of the border with all. One dense front goes along the chain: an unknown whose pivot
/// would be too small beside the rest of its column waits in the front for a later place. The cost is linear in the
/// length of the chain, and the result does not depend on the machine.
class ChainFactors {
 public:
  /// `place` of each unknown is its block, or -1 on the border; `entries` are those of one triangle, and entries at one
  /// place add up. Throws Refused if an entry couples places that are not neighbours.
  ChainFactors(const std::vector<int>& place, const Places& entries);

  /// Factors the matrix with these entries; a pivot is taken if it is `threshold` times the largest entry beside it.
  void factor(std::span<const double> values, double threshold = 0.01);

  [[nodiscard]] std::size_t size() const { return place_.size(); }
  /// Returns whether a pivot vanishes to rounding.
  [[nodiscard]] bool is_singular() const { return singular_; }
  /// Returns the number of negative eigenvalues.
  [[nodiscard]] std::size_t negative() const { return negative_; }
  /// Replaces the right side by the solution.
  void solve(std::span<double> right) const;

 private:
  using Index = std::size_t;
  /// An entry of the matrix at a place of a front.
  struct Entry {
    Index row;
    Index col;
    Index source;
  };
  /// Unknowns of a block, then those of the next one that they are coupled to, and their entries.
  struct Block {
    std::vector<Index> own;
    std::vector<Index> reach;
    std::vector<Entry> entries;
  };
  /// Pivots of a block, and the columns of L beside and below them.
  struct Pivots {
    std::vector<Index> unknowns;  ///< in the order of the front when it was left; pivots come first
    Index count = 0;              ///< of pivots
    std::vector<double> L;        ///< column by column, from the diagonal on
    std::vector<double> D;        ///< diagonal, then the entry below it for each pivot
  };

  /// Order in which a block eliminated unknowns, from which the next one begins: blocks are alike, so that pivots are
  /// mostly found where they stand.
  struct Order {
    Index delayed = 0;          ///< unknowns that came from the block before
    std::vector<Index> places;  ///< among those, then the block's own ones
  };

  void scale(std::span<const double> values);
  void eliminate(Pivots& pivots, Index summed, double threshold);

  std::vector<int> place_;
  Places entries_;
  std::vector<Block> blocks_;  ///< the border is the last one
  std::vector<double> scale_;  ///< powers of two
  bool is_scaled_ = false;     ///< by a matrix that was factored before
  Order order_;
  std::vector<Pivots> pivots_;
  std::vector<double> front_;  ///< lower triangle, column by column
  bool singular_ = false;
  std::size_t negative_ = 0;
};

/// Returns whether a multiplier is so large that constraints may depend on each other; pivots should then be chosen
/// among all unknowns.
bool are_large(std::span<const double> multipliers);

}  // namespace herglotz::optimise
