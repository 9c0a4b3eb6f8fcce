#include "stiff/mass_form_solver.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "herglotz/integrate/kernel_outputs.hpp"

namespace herglotz::integrate {
namespace {

SUNMatrix_ID custom_matrix(SUNMatrix) {
  return SUNMATRIX_CUSTOM;
}
SUNLinearSolver_Type direct_solver(SUNLinearSolver) {
  return SUNLINEARSOLVER_DIRECT;
}

}  // namespace

MassFormSolver::MassFormSolver(const IterationForm& form, const Dynamics& dynamics, std::span<const double> parameters,
                               SUNContext context)
    : form_(form),
      dynamics_(&dynamics),
      parameters_(parameters),
      rates_(dynamics, parameters),
      matrix_(form_),
      values_(form_.values),
      v_(dynamics.variables()),
      budgets_(dynamics.laws),
      here_(dynamics.balance.outputs()),
      moved_(v_.size()),
      there_(here_.size()),
      right_(form_.dimension),
      slopes_(1 + dynamics.laws),
      work_(dynamics.balance.work_size()),
      sun_matrix_(SUNMatNewEmpty(context)),
      sun_solver_(SUNLinSolNewEmpty(context)) {
  if (sun_matrix_.get() == nullptr || sun_solver_.get() == nullptr) throw std::bad_alloc();
  sun_matrix_.get()->ops->getid = custom_matrix;
  SUNLinearSolver_Ops operations = sun_solver_.get()->ops;
  operations->gettype = direct_solver;
  operations->setup = [](SUNLinearSolver solver, SUNMatrix) {
    return static_cast<MassFormSolver*>(solver->content)->factorise() ? SUNLS_SUCCESS : SUNLS_LUFACT_FAIL;
  };
  operations->solve = [](SUNLinearSolver solver, SUNMatrix, N_Vector x, N_Vector r, realtype) {
    auto* const self = static_cast<MassFormSolver*>(solver->content);
    return self->solve(sundials::data(r), sundials::data(x)) ? SUNLS_SUCCESS : SUNLS_PACKAGE_FAIL_REC;
  };
  sun_solver_.get()->content = this;
}

bool MassFormSolver::linearise(double t, const double* y) {
  const std::size_t base = dynamics_->n + dynamics_->r + 1;
  std::copy_n(y, base, v_.begin());
  v_[base] = t;
  double* const l = v_.data() + base + 1;
  if (dynamics_->differential()) std::copy_n(y + base, dynamics_->m, l);
  if (!rates_.mass_form(v_.data(), values_)) return false;
  if (!dynamics_->differential()) std::copy_n(rates_.ell(), dynamics_->m, l);
  std::copy_n(y + form_.dimension + 1, dynamics_->laws, budgets_.begin());
  dynamics_->balance(v_.data(), parameters_.data(), here_.data(), work_.data());
  return std::all_of(values_.begin(), values_.end(), [](double value) { return std::isfinite(value); });
}

bool MassFormSolver::solve(const double* r, double* x) {
  const std::size_t d = form_.dimension;
  for (std::size_t i = 0; i < d; ++i) right_[i] = r[i] / gamma_;
  matrix_.solve(values_.data(), right_.data(), x);
  differentiate_laws(x);
  x[d] = r[d] - gamma_ * slopes_[0];
  const double pivot = 1 - gamma_ * here_[BalanceOutputs::L_z];
  for (std::size_t k = 0; k < budgets_.size(); ++k)
    x[d + 1 + k] = (r[d + 1 + k] + gamma_ * (slopes_[0] * budgets_[k] + slopes_[1 + k])) / pivot;
  return std::all_of(x, x + d + 1 + budgets_.size(), [](double value) { return std::isfinite(value); });
}

void MassFormSolver::differentiate_laws(const double* x) {
  const std::size_t base = dynamics_->n + dynamics_->r + 1;
  const std::size_t m = dynamics_->m;
  const auto& unknowns = matrix_.unknowns();
  const double* const l = dynamics_->differential() ? x + base : unknowns.data() + (unknowns.size() - m);
  double largest = 0;
  const auto slope = [&](std::size_t i) { return i < base ? x[i] : i > base ? l[i - base - 1] : 0.0; };
  for (std::size_t i = 0; i < v_.size(); ++i)
    largest = std::max(largest, std::abs(slope(i)) / std::max(1.0, std::abs(v_[i])));
  std::fill(slopes_.begin(), slopes_.end(), 0.0);
  if (largest == 0) return;
  const double shift = std::sqrt(std::numeric_limits<double>::epsilon()) / largest;
  for (std::size_t i = 0; i < v_.size(); ++i) moved_[i] = v_[i] + shift * slope(i);
  dynamics_->balance(moved_.data(), parameters_.data(), there_.data(), work_.data());
  const auto along = [&](std::size_t output) { return (there_[output] - here_[output]) / shift; };
  slopes_[0] = along(BalanceOutputs::L_z);
  for (std::size_t k = 0; k < budgets_.size(); ++k) slopes_[1 + k] = along(BalanceOutputs::source(k));
}

}  // namespace herglotz::integrate
