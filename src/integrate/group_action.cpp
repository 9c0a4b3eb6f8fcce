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
  for (Eigen::VectorXd* vector : {&x_, &field_, &rounded_}) vector->setZero(n_);
  for (LongVector* vector : {&point_, &moved_, &term_, &product_, &previous_, &current_, &next_, &piece_})
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

bool GroupAction::displace(const double* x, const double* rest, const double* psi, Eigen::VectorXd& displacement) {
  std::copy_n(psi, r_, psi_.data());
  for (Eigen::Index i = 0; i < n_; ++i) point_(i) = static_cast<long double>(x[i]) + rest[i];
  moved_.setZero();
  if (n_ > 0 && !(map_->affine_action ? move_affinely() : move_otherwise())) return false;
  displacement = moved_.cast<double>();
  rounded_ = (moved_ - displacement.cast<long double>()).cast<double>();
  return displacement.allFinite();
}

bool GroupAction::move_affinely() {
  field_.noalias() = constant_ * psi_;
  if (linear_.empty()) {
    moved_ = field_.cast<long double>();
    return true;
  }
  A_.setZero();
  for (const Entry& entry : linear_) A_(entry.i, entry.j) += entry.value * psi_(entry.a);
  const double norm = A_.cwiseAbs().rowwise().sum().maxCoeff();
  if (!(norm < 1e4)) return false;
  const int pieces = std::max(1, static_cast<int>(std::ceil(norm)));
  for (int k = 0; k < pieces; ++k) add_series(pieces);
  return true;
}

/// moved += phi_1(A/pieces)(A/pieces (point + moved) + b/pieces).
void GroupAction::add_series(int pieces) {
  term_ = point_ + moved_;
  for (int order = 1; order < 30; ++order) {
    for (Eigen::Index i = 0; i < n_; ++i) {
      long double sum = order == 1 ? field_(i) : 0;
      for (Eigen::Index j = 0; j < n_; ++j) sum += A_(i, j) * term_(j);
      product_(i) = sum / (static_cast<long double>(order) * pieces);
    }
    term_.swap(product_);
    moved_ += term_;
    const long double negligible = std::numeric_limits<long double>::epsilon() * moved_.cwiseAbs().maxCoeff();
    if (term_.cwiseAbs().maxCoeff() <= negligible) return;
  }
}

bool GroupAction::move_otherwise() {
  for (int pieces = 1; pieces <= 64; pieces *= 2) {
    moved_.setZero();
    int k = 0;
    while (k < pieces && extrapolate(1.0 / pieces)) {
      moved_ += piece_;
      ++k;
    }
    if (k == pieces) return true;
  }
  return false;
}

/// field = rho psi at point + moved + displacement.
void GroupAction::take_field(const LongVector& displacement) {
  x_ = (point_ + moved_ + displacement).cast<double>();
  field_.noalias() = generators(x_.data()) * psi_;
}

/// The displacement of the next piece: modified midpoint rule with 2, 4, 6, .. steps, extrapolated to zero step, errors
/// being even in the step [HNW93, II.9].
bool GroupAction::extrapolate(double fraction) {
  long double previous_change = std::numeric_limits<long double>::infinity();
  for (int column = 0; column < columns; ++column) {
    const int steps = 2 * (column + 1);
    const long double h = static_cast<long double>(fraction) / steps;
    previous_.setZero();
    take_field(previous_);
    current_ = h * field_.cast<long double>();
    for (int k = 1; k < steps; ++k) {
      take_field(current_);
      next_ = previous_ + 2 * h * field_.cast<long double>();
      previous_.swap(current_);
      current_.swap(next_);
    }
    for (int k = 1; k <= column; ++k) {
      const long double ratio = static_cast<long double>(steps) / (steps - 2 * k);
      term_ = (current_ - table_.col(k - 1)) / (ratio * ratio - 1);
      table_.col(k - 1) = current_;
      current_ += term_;
    }
    table_.col(column) = current_;
    if (!current_.allFinite()) return false;
    const long double size = current_.cwiseAbs().maxCoeff();
    const long double change = column == 0 ? size : (current_ - piece_).cwiseAbs().maxCoeff();
    piece_ = current_;
    // The error is that of the column before times another power of the step.
    if (size == 0 || (column > 1 && change <= 16 * epsilon * size)) return true;
    // Where terms of the field cancel, its round-off is that of the point.
    const long double whole = std::max(size, (point_ + moved_).cwiseAbs().maxCoeff());
    if (change >= previous_change && change <= 16 * epsilon * whole) return true;
    previous_change = change;
  }
  return false;
}

}  // namespace herglotz::integrate
