#pragma once
/// Rates of the state and their derivatives from the kernels, for one run or for several in lanes.

#include <cstddef>
#include <optional>
#include <vector>

#include "herglotz/integrate/dynamics.hpp"
#include "herglotz/integrate/kernel_outputs.hpp"
#include "motion/saddle_system.hpp"
#include "numerics/pack.hpp"
#include "radau/iteration_matrices.hpp"

namespace herglotz::integrate {

/// Right side of u' = f(t, u) for the state u = (x, w, z, and nu if it is differential), with L_z and the sources of
/// the laws. The rates come from the flow, or from the mass form, which is solved with exchanges of rows.
template <class P>
class RadauMotion {
 public:
  using M = MaskOf<P>;

  /// The dynamics must have `flow` or `mass`, its Jacobian, and `balance`.
  RadauMotion(const Dynamics& dynamics, const double* parameters)
      : dynamics_(&dynamics),
        parameters_(parameters),
        base_(dynamics.n + dynamics.r + 1),
        dimension_(dynamics.dimension()),
        v_(dynamics.variables()),
        with_rates_(v_.size() + dynamics.r + dynamics.m),
        rates_(base_ + dynamics.m),
        right_(dynamics.r + dynamics.m),
        balance_(dynamics.balance.outputs()),
        scales_(dynamics.laws + 1),
        matrices_(dynamics) {
    if (!matrices_.in_mass_form()) rows_.resize(rates_.size() * rates_.size());
    std::size_t outputs = 0;
    std::size_t work = dynamics.balance.work_size();
    for (const auto* kernel : {&dynamics.flow, &dynamics.flow_jacobian, &dynamics.mass, &dynamics.mass_jacobian}) {
      if (!*kernel) continue;
      outputs = outputs < kernel->outputs() ? kernel->outputs() : outputs;
      work = work < kernel->work_size() ? kernel->work_size() : work;
    }
    out_.resize(outputs);
    work_.resize(work / LanesOf<P>::width + 1);
    if (!dynamics.flow) saddle_.emplace(dynamics);
  }

  [[nodiscard]] std::size_t dimension() const { return dimension_; }
  [[nodiscard]] std::size_t laws() const { return dynamics_->laws; }

  /// Writes u' (dimension) and returns the lanes in which it is finite.
  M rates(P t, const P* u, P* u_dot) {
    load(t, u);
    const M solved = evaluate();
    for (std::size_t i = 0; i < dimension_; ++i) u_dot[i] = rates_[i];
    return solved & finite_numbers(u_dot, dimension_);
  }
  /// Returns L_z, then the source of each law, at the point of the last call of rates().
  const P* dissipation_and_sources() {
    evaluate_balance();
    scales_[0] = balance_[BalanceOutputs::L_z];
    for (std::size_t k = 0; k < laws(); ++k) scales_[1 + k] = balance_[BalanceOutputs::source(k)];
    return scales_.data();
  }
  /// Returns the largest term of each law's quantity at the point of the last call of rates().
  const P* law_scales() {
    evaluate_balance();
    for (std::size_t k = 0; k < laws(); ++k) scales_[k] = magnitude(balance_[BalanceOutputs::scale(k)]);
    return scales_.data();
  }

  /// The matrices of Newton's iteration, at the point of the last call of linearise().
  IterationMatrices<P>& matrices() { return matrices_; }
  /// Computes df/du, or what the mass form has in place of it, for these lanes. Returns the lanes in which it is
  /// finite.
  M linearise(P t, const P* u, M lanes) {
    load(t, u);
    const M solved = evaluate();
    for (std::size_t i = 0; i < v_.size(); ++i) with_rates_[i] = v_[i];
    if (saddle_)
      for (std::size_t k = 0; k < right_.size(); ++k) with_rates_[v_.size() + k] = rates_[row_of(k)];
    const kernel::Kernel& kernel = saddle_ ? dynamics_->mass_jacobian : dynamics_->flow_jacobian;
    call(kernel, with_rates_, out_);
    std::vector<P>& fresh = matrices_.fresh();
    if (matrices_.in_mass_form()) {
      write_values(saddle_->values(), out_, fresh);
    } else {
      fill_columns(kernel.outputs(), fresh);
    }
    matrices_.take(lanes);
    return solved & finite_numbers(fresh.data(), fresh.size());
  }

 private:
  static double* numbers(std::vector<P>& values) { return reinterpret_cast<double*>(values.data()); }
  void call(const kernel::Kernel& kernel, std::vector<P>& variables, std::vector<P>& out) {
    kernel(numbers(variables), parameters_, numbers(out), numbers(work_));
  }
  /// Returns the row of entry k of (w_dot, ell) among the rates.
  [[nodiscard]] std::size_t row_of(std::size_t k) const {
    return k < dynamics_->r ? dynamics_->n + k : dynamics_->n + 1 + k;
  }

  void load(P t, const P* u) {
    for (std::size_t i = 0; i < base_; ++i) v_[i] = u[i];
    v_[base_] = t;
    if (dynamics_->differential())
      for (std::size_t k = 0; k < dynamics_->m; ++k) v_[base_ + 1 + k] = u[base_ + k];
  }
  M evaluate() {
    M solved = P(0.0) <= P(0.0);
    if (dynamics_->flow) {
      call(dynamics_->flow, v_, out_);
      for (std::size_t i = 0; i < rates_.size(); ++i) rates_[i] = out_[i];
    } else {
      call(dynamics_->mass, v_, out_);
      for (std::size_t i = 0; i < dynamics_->n; ++i) rates_[i] = out_[i];
      rates_[base_ - 1] = out_[dynamics_->n];
      if (!right_.empty()) {
        saddle_->load(out_.data());
        solved = saddle_->eliminate();
        saddle_->solve(saddle_->right(), right_.data());
        for (std::size_t k = 0; k < right_.size(); ++k) rates_[row_of(k)] = right_[k];
      }
    }
    if (!dynamics_->differential())
      for (std::size_t k = 0; k < dynamics_->m; ++k) v_[base_ + 1 + k] = rates_[base_ + k];
    return solved;
  }
  /// Writes df/du column by column, from the derivatives in out_.
  void fill_columns(std::size_t outputs, std::vector<P>& columns) {
    const std::size_t all = rates_.size();
    const kernel::Pattern& pattern = saddle_ ? dynamics_->mass_pattern : dynamics_->flow_pattern;
    for (P& entry : rows_) entry = P(0.0);
    for (std::size_t k = 0; k < outputs; ++k) rows_[pattern.col[k] * all + pattern.row[k]] += out_[k];
    for (std::size_t j = 0; j < dimension_; ++j) {
      P* const column = rows_.data() + j * all;
      if (saddle_ && !right_.empty()) {
        for (std::size_t k = 0; k < right_.size(); ++k) right_[k] = column[row_of(k)];
        saddle_->solve(right_.data(), right_.data());
        for (std::size_t k = 0; k < right_.size(); ++k) column[row_of(k)] = right_[k];
      }
      for (std::size_t i = 0; i < dimension_; ++i) columns[j * dimension_ + i] = column[i];
    }
  }
  void evaluate_balance() { call(dynamics_->balance, v_, balance_); }

  const Dynamics* dynamics_;
  const double* parameters_;
  std::size_t base_;
  std::size_t dimension_;
  std::vector<P> v_;           // (x, w, z, t, l)
  std::vector<P> with_rates_;  // v, then w_dot and ell, for the mass Jacobian
  std::vector<P> rates_;
  std::vector<P> right_;
  std::vector<P> rows_;  // d(x_dot, w_dot, z_dot, ell)/d(x, w, z, l), column by column; empty in mass form
  std::vector<P> out_;
  std::vector<P> balance_;
  std::vector<P> scales_;
  std::vector<P> work_;
  std::optional<SaddleSystem<P>> saddle_;
  IterationMatrices<P> matrices_;
};

}  // namespace herglotz::integrate
