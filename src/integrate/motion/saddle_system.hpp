#pragma once
/// The saddle-point system of the accelerations and the multipliers, from the blocks that a mass kernel computes.

#include <cstddef>
#include <vector>

#include "herglotz/integrate/dynamics.hpp"
#include "numerics/lane_lu.hpp"
#include "numerics/sparse_lu.hpp"

namespace herglotz::integrate {

/// System [W, -Phi_y^T; Phi_w, 0] (w_dot, ell) = (b, -beta) of one run, or of one in every lane, eliminated with
/// exchanges of rows. Large matrices with few entries are eliminated as sparse ones, whose order follows from their
/// places alone.
template <class P>
class SaddleSystem {
 public:
  using M = MaskOf<P>;

  /// The dynamics must have a mass kernel.
  explicit SaddleSystem(const Dynamics& dynamics)
      : first_(dynamics.n + 1),
        size_(dynamics.r + dynamics.m),
        pattern_(dynamics.saddle_pattern),
        is_sparse_(SparseLU::pays_at_fixed_places(size_, pattern_.row.size())),
        values_(pattern_.row.size()),
        right_(size_) {
    dense_.resize(size_);
    if (!is_sparse_) return;
    sparse_.resize(size_);
    probe_.resize(size_);
    other_.resize(size_);
  }

  [[nodiscard]] std::size_t size() const { return size_; }
  /// Returns the entries that were loaded, in the order of the pattern.
  [[nodiscard]] const std::vector<P>& values() const { return values_; }
  /// Returns (b, -beta).
  [[nodiscard]] const P* right() const { return right_.data(); }

  /// Takes the matrix and (b, -beta) from the outputs of the mass kernel.
  void load(const P* outputs) {
    const P* const right = outputs + first_;
    const P* const entries = right + size_;
    for (std::size_t i = 0; i < size_; ++i) right_[i] = right[i];
    for (std::size_t k = 0; k < values_.size(); ++k) values_[k] = entries[k];
  }
  /// Eliminates the matrix. Returns the lanes in which it is not singular: no pivot is round-off.
  M eliminate() {
    sound_ = is_sparse_ ? eliminate_sparse() : nobody();
    if (!any(!sound_)) return sound_;
    dense_.clear();
    for (std::size_t k = 0; k < values_.size(); ++k) dense_.at(pattern_.row[k], pattern_.col[k]) = values_[k];
    return dense_.compute_regular() | sound_;
  }
  /// Computes x = A^-1 b, where b may be x itself.
  void solve(const P* b, P* x) {
    if (!any(sound_)) return dense_.solve(b, x);
    if (!any(!sound_)) return sparse_.solve(b, x);
    sparse_.solve(b, other_.data());
    dense_.solve(b, x);
    for (std::size_t i = 0; i < size_; ++i) x[i] = select(sound_, other_[i], x[i]);
  }

 private:
  static M nobody() { return P(0.0) > P(0.0); }

  /// Returns the lanes in which the sparse factors are sound: those in which a right-hand side without a pattern grows
  /// by less than 1e9. The others are eliminated as dense matrices, whose pivots decide what is singular.
  M eliminate_sparse() {
    constexpr double least_growth = 1e9;
    constexpr double golden = 0.61803398874989484820;
    sparse_.clear();
    P largest(0.0);
    for (std::size_t k = 0; k < values_.size(); ++k) {
      sparse_.add(pattern_.row[k], pattern_.col[k], values_[k]);
      largest = larger(magnitude(values_[k]), largest);
    }
    M sound = sparse_.compute(nobody());
    double place = 0;
    for (P& entry : probe_) {
      entry = P(1 + place);
      place += golden;
      if (place >= 1) place -= 1;
    }
    sparse_.solve(probe_.data(), probe_.data());
    for (const P& entry : probe_) sound = sound & (magnitude(entry) * largest < P(least_growth));
    return sound;
  }

  std::size_t first_;  // of the right-hand side among the outputs of the mass kernel
  std::size_t size_;
  kernel::Pattern pattern_;
  bool is_sparse_;
  M sound_{};  // the lanes whose sparse factors are used
  std::vector<P> values_;
  std::vector<P> right_;
  std::vector<P> probe_;
  std::vector<P> other_;
  LaneLU<P, 0> dense_;
  LaneSparseLU<P> sparse_;
};

}  // namespace herglotz::integrate
