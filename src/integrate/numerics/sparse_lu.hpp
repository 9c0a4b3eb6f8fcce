#pragma once
/// LU factors of large sparse matrices, of one system or of one in every lane.

#include <cstddef>
#include <memory>
#include <vector>

#include "numerics/pack.hpp"

namespace herglotz::integrate {

/// Place of an entry of a matrix.
struct Place {
  int row;
  int col;
};

/// Sparse LU factors of one system of plain numbers, with partial pivoting and columns ordered for little fill-in. The
/// cost of a matrix whose unknowns form a chain or a tree is proportional to its size. Copies share their factors.
class SparseLU {
 public:
  /// Returns true if a matrix of this size and this number of entries is eliminated faster as a sparse one.
  static bool pays(std::size_t size, std::size_t entries);
  /// Returns that for a matrix whose entries have the same places at every step. The order of its elimination is found
  /// only once, and the limits are therefore lower than those of pays().
  static constexpr bool pays_at_fixed_places(std::size_t size, std::size_t entries) {
    constexpr std::size_t smallest = 64;
    constexpr std::size_t density = 4;
    return size >= smallest && entries * density <= size * size;
  }

  /// Factorises the matrix with the entries values[k * stride] at places[k]; entries at one place are added.
  void compute(std::size_t size, const std::vector<Place>& places, const double* values, std::size_t stride);
  /// Factorises a matrix that is given column by column, if most of its entries are zero. Returns whether it did.
  bool compute_if_sparse(std::size_t size, const double* matrix);
  /// Computes x = A^-1 b for entries b[k * stride] and x[k * stride]. The entries are NaN if A is singular.
  void solve(const double* b, double* x, std::size_t stride) const;

 private:
  struct Factors;
  std::shared_ptr<Factors> factors_;
};

/// Matrices of all lanes, with entries at the same places. Every lane has the bits of a system alone.
template <class P>
class LaneSparseLU {
 public:
  using M = MaskOf<P>;

  void resize(std::size_t size) {
    size_ = size;
    lanes_.resize(LanesOf<P>::width);
  }
  [[nodiscard]] std::size_t size() const { return size_; }

  /// Removes all entries.
  void clear() {
    places_.clear();
    values_.clear();
  }
  void add(std::size_t i, std::size_t j, const P& value) {
    places_.push_back({static_cast<int>(i), static_cast<int>(j)});
    values_.push_back(value);
  }

  /// Factorises the matrix; the lanes of `keep` keep their former factors. Returns the lanes in which the matrix is
  /// finite.
  M compute(M keep) {
    const M finite = finite_numbers(values_.data(), values_.size());
    for (int lane = 0; lane < LanesOf<P>::width; ++lane)
      if (!lane_of(keep, lane) && lane_of(finite, lane))
        lanes_[static_cast<std::size_t>(lane)].compute(size_, places_, plain(values_.data()) + lane, width);
    return finite;
  }
  /// Computes x = A^-1 b.
  void solve(const P* b, P* x) const {
    for (std::size_t lane = 0; lane < width; ++lane) lanes_[lane].solve(plain(b) + lane, plain(x) + lane, width);
  }

 private:
  static constexpr std::size_t width = LanesOf<P>::width;

  std::size_t size_ = 0;
  std::vector<Place> places_;
  std::vector<P> values_;
  std::vector<SparseLU> lanes_;
};

}  // namespace herglotz::integrate
