#include "motion/rates.hpp"

#include <algorithm>
#include <cmath>

#include "herglotz/error.hpp"
#include "herglotz/linear/eigen_views.hpp"
#include "motion/iteration_form.hpp"

namespace herglotz::integrate {
using linear::index;

Rates::Rates(const Dynamics& dynamics, std::span<const double> parameters)
    : dynamics_(&dynamics), parameters_(parameters), rates_(dynamics.n + dynamics.r + 1 + dynamics.m) {
  if (!dynamics.flow && !dynamics.mass)
    throw Refused("the motion needs a flow kernel or a mass kernel", "the dynamics has neither");
  std::size_t outputs = 0;
  std::size_t work = 0;
  for (const auto* kernel : {&dynamics.flow, &dynamics.flow_jacobian, &dynamics.mass, &dynamics.mass_jacobian}) {
    if (!*kernel) continue;
    outputs = std::max(outputs, kernel->outputs());
    work = std::max(work, kernel->work_size());
  }
  out_.resize(outputs);
  work_.resize(work);
  if (dynamics.flow) return;
  saddle_.emplace(dynamics);
  right_.resize(saddle_->size());
}

bool Rates::has_jacobian() const {
  return dynamics_->flow ? bool(dynamics_->flow_jacobian) : bool(dynamics_->mass_jacobian);
}

void Rates::require_jacobian() const {
  if (has_jacobian()) return;
  throw Refused("implicit adaptive methods need the Jacobian kernel of the flow", "the dynamics has none");
}

bool Rates::operator()(const double* v) {
  singular_ = false;
  if (!dynamics_->flow) return solve(v);
  dynamics_->flow(v, parameters_.data(), out_.data(), work_.data());
  std::copy_n(out_.begin(), rates_.size(), rates_.begin());
  return true;
}

bool Rates::solve(const double* v) {
  const std::size_t n = dynamics_->n;
  const std::size_t rank = dynamics_->r;
  dynamics_->mass(v, parameters_.data(), out_.data(), work_.data());
  const bool finite = std::all_of(out_.begin(), out_.begin() + dynamics_->mass.outputs(),
                                  [](double value) { return std::isfinite(value); });
  std::copy_n(out_.begin(), n, rates_.begin());
  rates_[n + rank] = out_[n];
  if (rank == 0) return true;
  if (!finite) return false;
  saddle_->load(out_.data());
  singular_ = !saddle_->eliminate();
  if (singular_) return false;
  saddle_->solve(saddle_->right(), right_.data());
  std::copy_n(right_.begin(), rank, rates_.begin() + n);
  std::copy_n(right_.begin() + static_cast<std::ptrdiff_t>(rank), dynamics_->m, rates_.begin() + n + rank + 1);
  return true;
}

/// Computes the entries of the Jacobian of the flow, or of that of the mass kernel at the rates at v.
bool Rates::differentiate(const double* v) {
  const std::size_t n = dynamics_->n;
  const std::size_t rank = dynamics_->r;
  const std::size_t variables = dynamics_->variables();
  const bool by_mass = !dynamics_->flow;
  with_rates_.resize(variables + rank + dynamics_->m);
  std::copy_n(v, variables, with_rates_.begin());
  if (by_mass) {
    if (!(*this)(v)) return false;
    std::copy_n(rates_.begin() + n, rank, with_rates_.begin() + static_cast<std::ptrdiff_t>(variables));
    std::copy_n(ell(), dynamics_->m, with_rates_.begin() + static_cast<std::ptrdiff_t>(variables + rank));
  }
  const kernel::Kernel& kernel = by_mass ? dynamics_->mass_jacobian : dynamics_->flow_jacobian;
  kernel(with_rates_.data(), parameters_.data(), out_.data(), work_.data());
  return true;
}

bool Rates::mass_form(const double* v, std::vector<double>& values) {
  if (!differentiate(v)) return false;
  write_values(saddle_->values(), out_, values);
  return true;
}

bool Rates::jacobian(const double* v, Eigen::MatrixXd& matrix) {
  const std::size_t n = dynamics_->n;
  const std::size_t rank = dynamics_->r;
  const bool by_mass = !dynamics_->flow;
  if (!differentiate(v)) return false;
  const kernel::Kernel& kernel = by_mass ? dynamics_->mass_jacobian : dynamics_->flow_jacobian;
  const kernel::Pattern& pattern = by_mass ? dynamics_->mass_pattern : dynamics_->flow_pattern;
  for (std::size_t k = 0; k < kernel.outputs(); ++k) matrix(index(pattern.row[k]), index(pattern.col[k])) += out_[k];
  if (!by_mass || rank == 0) return true;
  // right_ holds w_dot, then ell. Their rows follow the rows of x_dot, and the row of z_dot lies between them.
  const auto row = [&](std::size_t k) { return index(k < rank ? n + k : n + 1 + k); };
  for (Eigen::Index column = 0; column < matrix.cols(); ++column) {
    for (std::size_t k = 0; k < right_.size(); ++k) right_[k] = matrix(row(k), column);
    saddle_->solve(right_.data(), right_.data());
    for (std::size_t k = 0; k < right_.size(); ++k) matrix(row(k), column) = right_[k];
  }
  return true;
}

}  // namespace herglotz::integrate
