#include "herglotz/integrate/vector_field.hpp"

#include <algorithm>
#include <limits>

#include "motion/rates.hpp"

namespace herglotz::integrate {

struct CompiledVectorField::Impl {
  Dynamics dynamics;
  std::vector<double> parameters;
  std::vector<double> v;
  Eigen::MatrixXd matrix;
  Rates rates;

  Impl(const Dynamics& of, std::span<const double> values)
      : dynamics(of), parameters(values.begin(), values.end()), v(dynamics.variables()), rates(dynamics, parameters) {}
  Impl(const Impl& other) : Impl(other.dynamics, other.parameters) {}

  void load(double t, std::span<const double> u) {
    const std::size_t base = dynamics.n + dynamics.r + 1;
    std::copy_n(u.begin(), base, v.begin());
    v[base] = t;
    std::fill(v.begin() + static_cast<std::ptrdiff_t>(base) + 1, v.end(), 0.0);
    if (dynamics.differential())
      std::copy(u.begin() + static_cast<std::ptrdiff_t>(base), u.end(),
                v.begin() + static_cast<std::ptrdiff_t>(base) + 1);
  }
};

namespace {
constexpr double nan = std::numeric_limits<double>::quiet_NaN();
}

CompiledVectorField::CompiledVectorField(const Dynamics& dynamics, std::span<const double> parameters)
    : impl_(std::make_unique<Impl>(dynamics, parameters)) {}
CompiledVectorField::~CompiledVectorField() = default;
CompiledVectorField::CompiledVectorField(const CompiledVectorField& other)
    : impl_(std::make_unique<Impl>(*other.impl_)) {}
CompiledVectorField& CompiledVectorField::operator=(const CompiledVectorField& other) {
  if (this != &other) impl_ = std::make_unique<Impl>(*other.impl_);
  return *this;
}

std::size_t CompiledVectorField::dimension() const {
  return impl_->dynamics.dimension();
}
std::size_t CompiledVectorField::multipliers() const {
  return impl_->dynamics.m;
}

void CompiledVectorField::operator()(double t, std::span<const double> u, std::span<double> u_dot) {
  impl_->load(t, u);
  if (!impl_->rates(impl_->v.data())) {
    std::fill(u_dot.begin(), u_dot.end(), nan);
    return;
  }
  std::copy_n(impl_->rates.data(), dimension(), u_dot.begin());
}

void CompiledVectorField::jacobian(double t, std::span<const double> u, std::span<double> matrix) {
  impl_->rates.require_jacobian();
  impl_->load(t, u);
  const auto size = static_cast<Eigen::Index>(impl_->rates.size());
  impl_->matrix.setZero(size, size);
  if (!impl_->rates.jacobian(impl_->v.data(), impl_->matrix)) {
    std::fill(matrix.begin(), matrix.end(), nan);
    return;
  }
  const auto d = static_cast<Eigen::Index>(dimension());
  Eigen::Map<Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>(matrix.data(), d, d) =
      impl_->matrix.topLeftCorner(d, d);
}

void CompiledVectorField::multipliers(double t, std::span<const double> u, std::span<double> l) {
  impl_->load(t, u);
  if (impl_->dynamics.differential()) {
    std::copy_n(impl_->v.end() - static_cast<std::ptrdiff_t>(impl_->dynamics.m), impl_->dynamics.m, l.begin());
  } else if (impl_->rates(impl_->v.data())) {
    std::copy_n(impl_->rates.ell(), impl_->dynamics.m, l.begin());
  } else {
    std::fill(l.begin(), l.end(), nan);
  }
}

}  // namespace herglotz::integrate
