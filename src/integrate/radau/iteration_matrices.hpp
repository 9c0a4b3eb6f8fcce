#pragma once
/// Both matrices of the simplified Newton iteration of Radau IIA, for one run or for one in every lane.

#include <cstddef>
#include <limits>
#include <optional>
#include <vector>

#include "motion/iteration_form.hpp"
#include "motion/iteration_matrix.hpp"
#include "numerics/lane_lu.hpp"

namespace herglotz::integrate {

/// Factors of g - f_u and of (a + i b) - f_u. Small systems have f_u as a dense matrix, and the complex factors in real
/// form; large ones have the mass form, without f_u (IterationForm::if_it_pays).
template <class P>
class IterationMatrices {
 public:
  using M = MaskOf<P>;

  explicit IterationMatrices(const Dynamics& dynamics)
      : dimension_(dynamics.dimension()), form_(IterationForm::if_it_pays(dynamics)) {
    if (form_) {
      real_form_.emplace(*form_);
      complex_form_.emplace(*form_);
    } else {
      real_.resize(dimension_);
      complex_.resize(2 * dimension_);
    }
    values_.resize(form_ ? form_->values : dimension_ * dimension_);
    fresh_.resize(values_.size());
  }
  IterationMatrices(const IterationMatrices&) = delete;
  IterationMatrices& operator=(const IterationMatrices&) = delete;

  [[nodiscard]] bool in_mass_form() const { return form_.has_value(); }
  /// Returns room for f_u column by column, or for the values of the mass form.
  std::vector<P>& fresh() { return fresh_; }
  /// Takes these numbers in some lanes.
  void take(M lanes) {
    for (std::size_t k = 0; k < values_.size(); ++k) values_[k] = select(lanes, fresh_[k], values_[k]);
  }

  /// Factorises both matrices. Returns the lanes in which they are finite.
  M factorise(P g, P a, P b) {
    if (form_) {
      const M real = real_form_->factorise(values_.data(), {g});
      return real & complex_form_->factorise(values_.data(), {a, b});
    }
    complex_.clear();
    for (std::size_t j = 0; j < dimension_; ++j) {
      for (std::size_t i = 0; i < dimension_; ++i) {
        const P entry = -values_[j * dimension_ + i];
        real_.at(i, j) = entry;
        complex_.at(i, j) = entry;
        complex_.at(dimension_ + i, dimension_ + j) = entry;
      }
      real_.at(j, j) += g;
      complex_.at(j, j) += a;
      complex_.at(dimension_ + j, dimension_ + j) += a;
      complex_.at(j, dimension_ + j) = -b;
      complex_.at(dimension_ + j, j) = b;
    }
    const M nobody = P(0.0) > P(0.0);
    const M real = real_.compute(nobody);
    return real & complex_.compute(nobody);
  }
  /// Computes x = (g - f_u)^-1 r.
  void solve(const P* r, P* x) {
    if (form_)
      real_form_->solve(values_.data(), r, x);
    else
      real_.solve(r, x);
  }
  /// Adds the sizes that rounding may give x = (g - f_u)^-1 f(u) to `sizes`: f_i is known to epsilon sum_j |f_u,ij
  /// u_j|. Adds nothing in the mass form, which has no f_u.
  void add_round_off(const P* u, P* sizes) {
    if (form_) return;
    unit_.resize(dimension_);
    solved_.resize(dimension_);
    for (std::size_t i = 0; i < dimension_; ++i) {
      P known(0.0);
      for (std::size_t j = 0; j < dimension_; ++j) known += magnitude(values_[j * dimension_ + i] * u[j]);
      for (P& entry : unit_) entry = P(0.0);
      unit_[i] = P(std::numeric_limits<double>::epsilon()) * known;
      real_.solve(unit_.data(), solved_.data());
      for (std::size_t e = 0; e < dimension_; ++e) sizes[e] += magnitude(solved_[e]);
    }
  }
  /// Computes x = (a + i b - f_u)^-1 r; vectors hold all real parts, then all imaginary ones.
  void solve_complex(const P* r, P* x) {
    if (form_)
      complex_form_->solve(values_.data(), r, x);
    else
      complex_.solve(r, x);
  }

 private:
  std::size_t dimension_;
  std::optional<IterationForm> form_;
  std::vector<P> values_;
  std::vector<P> fresh_;
  std::vector<P> unit_;
  std::vector<P> solved_;
  LaneLU<P, 0> real_;
  LaneLU<P, 0> complex_;
  std::optional<IterationMatrix<P, 1>> real_form_;
  std::optional<IterationMatrix<P, 2>> complex_form_;
};

}  // namespace herglotz::integrate
