#pragma once
/// Values and derivatives of an action groupoid's stage kernel at one point (x, xi, z, t), of one run or of one in
/// every lane.

#include <algorithm>
#include <cstddef>
#include <vector>

#include "herglotz/integrate/dynamics.hpp"
#include "numerics/pack.hpp"
#include "numerics/small_matrix.hpp"

namespace herglotz::integrate {

template <class P>
class GroupoidStage {
 public:
  using M = MaskOf<P>;

  GroupoidStage(const Dynamics& dynamics, const double* parameters)
      : map_(&dynamics.groupoid), parameters_(parameters), n_(dynamics.n), r_(dynamics.r), m_(dynamics.m) {
    v_.assign(n_ + r_ + 2 + m_, P(0.0));
    out_.assign(2 * r_ + 2 + m_ + m_ * r_, P(0.0));
    entries_.resize(map_->stage_jacobian.outputs());
    work_.resize(std::max(map_->stage.work_size(), map_->stage_jacobian.work_size()) / LanesOf<P>::width + 1);
    jacobian_.resize(out_.size(), n_ + r_ + 1);
  }

  P* x() { return v_.data(); }
  P* xi() { return v_.data() + n_; }
  [[nodiscard]] const P* x() const { return v_.data(); }
  [[nodiscard]] const P* xi() const { return v_.data() + n_; }
  [[nodiscard]] P z() const { return v_[n_ + r_]; }
  [[nodiscard]] double t() const { return lane_of(v_[n_ + r_ + 1], 0); }
  void set(P z, double t) {
    v_[n_ + r_] = z;
    v_[n_ + r_ + 1] = P(t);
  }

  /// Evaluates the stage kernel. Returns the lanes in which all values are finite.
  M evaluate() {
    map_->stage(plain(v_.data()), parameters_, plain(out_.data()), plain(work_.data()));
    return finite_numbers(out_.data(), out_.size());
  }
  [[nodiscard]] const P* mu() const { return out_.data(); }
  [[nodiscard]] const P* force() const { return out_.data() + r_; }
  [[nodiscard]] P L() const { return out_[2 * r_]; }
  [[nodiscard]] P L_z() const { return out_[2 * r_ + 1]; }
  [[nodiscard]] const P* Phi() const { return out_.data() + 2 * r_ + 2; }
  /// Returns d Phi_A/d xi (r).
  [[nodiscard]] const P* direction(std::size_t A) const { return out_.data() + 2 * r_ + 2 + m_ + A * r_; }

  void differentiate() {
    map_->stage_jacobian(plain(v_.data()), parameters_, plain(entries_.data()), plain(work_.data()));
    const kernel::Pattern& pattern = map_->stage_pattern;
    for (std::size_t e = 0; e < entries_.size(); ++e) jacobian_(pattern.row[e], pattern.col[e]) = entries_[e];
  }
  /// Returns d(output `row`)/dx (n), /dxi (r) and /dz.
  [[nodiscard]] const P* by_x(std::size_t row) const { return jacobian_.row(row); }
  [[nodiscard]] const P* by_xi(std::size_t row) const { return jacobian_.row(row) + n_; }
  [[nodiscard]] P by_z(std::size_t row) const { return jacobian_(row, n_ + r_); }

 private:
  const GroupoidKernels* map_;
  const double* parameters_;
  std::size_t n_;
  std::size_t r_;
  std::size_t m_;
  std::vector<P> v_;
  std::vector<P> out_;
  std::vector<P> entries_;
  std::vector<P> work_;
  SmallMatrix<P> jacobian_;
};

}  // namespace herglotz::integrate
