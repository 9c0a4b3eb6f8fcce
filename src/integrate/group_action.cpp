#include "group_action.hpp"

#include <cmath>
#include <limits>

namespace herglotz::integrate {
namespace {

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
constexpr double epsilon = std::numeric_limits<double>::epsilon();

}  // namespace

GroupAction::GroupAction(const GroupoidMap& map, std::size_t n, std::size_t r, std::span<const double> parameters)
    : map_(&map), parameters_(parameters), n_(static_cast<Eigen::Index>(n)), r_(static_cast<Eigen::Index>(r)) {
  out_.resize(n * r);
  if (map.generators) work_.resize(map.generators.work_size());
  rho_.setZero(n_, r_);
  constant_.setZero(n_, r_);
  A_.setZero(n_, n_);
  psi_.setZero(r_);
  for (Eigen::VectorXd* vector : {&term_, &product_, &x_, &previous_, &current_, &next_, &lost_, &moved_, &field_})
    vector->setZero(n_);
  table_.setZero(n_, columns);
  if (map.affine_action && n > 0) find_generators();
}

void GroupAction::find_generators() {
  Eigen::VectorXd x = Eigen::VectorXd::Zero(n_);
  constant_ = generators(x.data());
  for (Eigen::Index j = 0; j < n_; ++j) {
    x(j) = 1;
    const Eigen::MatrixXd& rho = generators(x.data());
    x(j) = 0;
    for (Eigen::Index a = 0; a < r_; ++a) {
      for (Eigen::Index i = 0; i < n_; ++i) {
        const double value = rho(i, a) - constant_(i, a);
        if (value != 0) linear_.push_back({a, i, j, value});
      }
    }
  }
}

const Eigen::MatrixXd& GroupAction::generators(const double* x) {
  if (n_ == 0) return rho_;
  map_->generators(x, parameters_.data(), out_.data(), work_.data());
  rho_ = Eigen::Map<const RowMajor>(out_.data(), n_, r_);
  return rho_;
}

bool GroupAction::displace(const double* x, const double* psi, Eigen::VectorXd& displacement) {
  displacement.setZero();
  if (n_ == 0) return true;
  if (map_->affine_action) return displace_affinely(x, psi, displacement);
  std::copy_n(psi, r_, psi_.data());
  for (int pieces = 1; pieces <= 64; pieces *= 2) {
    std::copy_n(x, n_, x_.data());
    displacement.setZero();
    lost_.setZero();
    bool reached = true;
    for (int k = 0; k < pieces && reached; ++k) {
      for (Eigen::Index i = 0; i < n_; ++i) x_(i) = x[i] + displacement(i);
      reached = extrapolate(x_, 1.0 / pieces, moved_);
      // Kahan's sum of the pieces.
      for (Eigen::Index i = 0; i < n_; ++i) {
        const double corrected = moved_(i) - lost_(i);
        const double sum = displacement(i) + corrected;
        lost_(i) = (sum - displacement(i)) - corrected;
        displacement(i) = sum;
      }
    }
    if (reached) return true;
  }
  return false;
}

bool GroupAction::displace_affinely(const double* x, const double* psi, Eigen::VectorXd& displacement) {
  const Eigen::Map<const Eigen::VectorXd> at(x, n_);
  const Eigen::Map<const Eigen::VectorXd> element(psi, r_);
  field_.noalias() = constant_ * element;
  if (linear_.empty()) {
    displacement = field_;
    return displacement.allFinite();
  }
  A_.setZero();
  for (const Entry& entry : linear_) A_(entry.i, entry.j) += entry.value * element(entry.a);
  const double norm = A_.cwiseAbs().rowwise().sum().maxCoeff();
  if (!(norm < 1e4)) return false;
  const int pieces = std::max(1, static_cast<int>(std::ceil(norm)));
  A_ /= pieces;
  field_ /= pieces;
  for (int k = 0; k < pieces; ++k) {
    x_ = at + displacement;
    term_ = field_;
    term_.noalias() += A_ * x_;
    moved_ = term_;
    for (int order = 2; order < 25; ++order) {
      product_.noalias() = A_ * term_;
      term_ = product_ / order;
      moved_ += term_;
      if (term_.cwiseAbs().maxCoeff() <= epsilon / 16 * moved_.cwiseAbs().maxCoeff()) break;
    }
    displacement += moved_;
  }
  return displacement.allFinite();
}

const Eigen::VectorXd& GroupAction::field(const Eigen::VectorXd& x) {
  field_.noalias() = generators(x.data()) * psi_;
  return field_;
}

/// Modified midpoint rule with 2, 4, 6, .. steps, extrapolated to zero step: errors are even in the step [HNW93, II.9].
bool GroupAction::extrapolate(Eigen::VectorXd& x, double fraction, Eigen::VectorXd& displacement) {
  double previous_change = std::numeric_limits<double>::infinity();
  for (int column = 0; column < columns; ++column) {
    const int steps = 2 * (column + 1);
    const double h = fraction / steps;
    previous_.setZero();  // displacements from x
    current_ = h * field(x);
    for (int k = 1; k < steps; ++k) {
      next_ = x + current_;
      field(next_);
      next_ = previous_ + 2 * h * field_;
      previous_.swap(current_);
      current_.swap(next_);
    }
    next_ = current_;
    for (int k = 1; k <= column; ++k) {
      const double ratio = static_cast<double>(steps) / (steps - 2 * k);
      term_ = (next_ - table_.col(k - 1)) / (ratio * ratio - 1);
      table_.col(k - 1) = next_;
      next_ += term_;
    }
    table_.col(column) = next_;
    if (!next_.allFinite()) return false;
    const double size = next_.cwiseAbs().maxCoeff();
    const double change = column == 0 ? size : (next_ - displacement).cwiseAbs().maxCoeff();
    displacement = next_;
    if (size == 0 || change <= 2 * epsilon * size) return true;
    // The differences stop falling at round-off.
    if (change >= previous_change && change <= 64 * epsilon * size) return true;
    previous_change = change;
  }
  return false;
}

}  // namespace herglotz::integrate
