#include "retraction.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <numbers>
#include <stdexcept>
#include <unsupported/Eigen/MatrixFunctions>

namespace herglotz::integrate {
namespace {

constexpr int most_terms = 14;

/// B_2k/(2k)! for k = 0 .. most_terms, from B_2k/(2k)! = 2 (-1)^(k+1) zeta(2k)/(2 pi)^2k.
const std::array<double, most_terms + 1>& bernoulli() {
  static const std::array<double, most_terms + 1> numbers = [] {
    std::array<double, most_terms + 1> b{1, 1.0 / 12, -1.0 / 720, 1.0 / 30240, -1.0 / 1209600, 1.0 / 47900160};
    for (int k = 6; k <= most_terms; ++k) {
      double zeta = 1;
      for (int n = 12; n > 1; --n) zeta += std::pow(n, -2 * k);
      b[static_cast<std::size_t>(k)] = (k % 2 == 1 ? 2 : -2) * zeta * std::pow(2 * std::numbers::pi, -2 * k);
    }
    return b;
  }();
  return numbers;
}

/// 2 atan(a/2)/a as a function of a^2, which is negative for hyperbolic elements.
double arc(double square) {
  if (square > 1e-2) return 2 * std::atan(std::sqrt(square) / 2) / std::sqrt(square);
  if (square < -1e-2) return 2 * std::atanh(std::sqrt(-square) / 2) / std::sqrt(-square);
  double sum = 0;
  for (int k = 8; k >= 0; --k) sum = 1.0 / (2 * k + 1) - square / 4 * sum;
  return sum;
}

/// (1 - arc)/a^2.
double arc_defect(double square) {
  if (std::abs(square) > 1e-2) return (1 - arc(square)) / square;
  double sum = 0;
  for (int k = 8; k >= 1; --k) sum = 1.0 / (2 * k + 1) - square / 4 * sum;
  return sum / 4;
}

}  // namespace

Retraction::Retraction(RetractionKind kind, std::size_t r, std::span<const double> structure,
                       const std::vector<GroupoidMap::Factor>& factors)
    : kind_(kind), r_(static_cast<Eigen::Index>(r)), v_(r_), turned_(r_), psi_(r) {
  for (Eigen::Index k = 0; k < r_; ++k) {
    for (Eigen::Index i = 0; i < r_; ++i) {
      for (Eigen::Index j = 0; j < r_; ++j) {
        const double value = structure[static_cast<std::size_t>((k * r_ + i) * r_ + j)];
        if (value != 0) brackets_.push_back({k, i, j, value});
      }
    }
  }
  ad_.setZero(r_, r_);
  D_.setIdentity(r_, r_);
  square_.setZero(r_, r_);
  product_.setZero(r_, r_);
  if (kind_ == RetractionKind::exponential || trivial()) return;
  std::vector<bool> covered(r, false);
  for (const auto& factor : factors) {
    if (factor.first + factor.size > r)
      throw std::invalid_argument(fmt::format("factor {} of the group reaches beyond rank {}", factor.group, r));
    for (std::size_t a = factor.first; a < factor.first + factor.size; ++a) covered[a] = true;
    add_factor(factor);
  }
  if (std::find(covered.begin(), covered.end(), false) != covered.end())
    throw std::invalid_argument(
        "the Cayley map needs a product of the groups so3, se2, se3, su2, sl2, heisenberg and abelian ones; use the "
        "exponential map, lie-hph-2 or lie-hph-4");
  for (const Factor& factor : factors_) check(factor);
}

Retraction::Factor Retraction::known(const GroupoidMap::Factor& factor) {
  const auto first = static_cast<Eigen::Index>(factor.first);
  const auto size = static_cast<Eigen::Index>(factor.size);
  if (factor.group == "so3" || factor.group == "se2")
    return {factor.group, Kind::so3_like, first, size, 0.5, 0.5, 0, {}};
  if (factor.group == "su2" || factor.group == "sl2")
    return {factor.group, Kind::sl2_like, first, size, 0.125, 0.25, -0.125, {}};
  if (factor.group == "se3") return {factor.group, Kind::se3, first, size, 0.25, 0.25, 0, {}};
  if (factor.group == "heisenberg" || factor.group == "abelian")
    return {factor.group, Kind::nilpotent, first, size, 0, 0, 0, {}};
  throw std::invalid_argument(
      fmt::format("the Cayley map of a group '{}' is not known; known are so3, se2, se3, su2, sl2, heisenberg, abelian",
                  factor.group));
}

void Retraction::add_factor(const GroupoidMap::Factor& factor) {
  Factor added = known(factor);
  added.killing.setZero(added.size, added.size);
  for (const Bracket& a : brackets_) {
    for (const Bracket& b : brackets_) {
      const Eigen::Index i = a.i - added.first;
      const Eigen::Index j = b.i - added.first;
      if (a.k == b.j && a.j == b.k && i >= 0 && i < added.size && j >= 0 && j < added.size)
        added.killing(i, j) += a.value * b.value;
    }
  }
  factors_.push_back(std::move(added));
}

/// The Cayley map depends on more than its name promises: Ad must be what the brackets say.
void Retraction::check(const Factor& factor) {
  std::vector<double> v(static_cast<std::size_t>(r_), 0.0);
  for (Eigen::Index a = 0; a < factor.size; ++a)
    v[static_cast<std::size_t>(factor.first + a)] = 0.3 - 0.17 * static_cast<double>(a % 4);
  bool fits = at(v.data());
  const Eigen::MatrixXd expected = adjoint();
  Eigen::MatrixXd generator = Eigen::MatrixXd::Zero(r_, r_);
  for (const Bracket& b : brackets_) generator(b.k, b.j) += b.value * psi_[static_cast<std::size_t>(b.i)];
  fits = fits && (expected - generator.exp()).cwiseAbs().maxCoeff() < 1e-12;
  if (!fits)
    throw std::invalid_argument(
        fmt::format("the structure constants of factor {} are not those of the group {} in its basis; use the "
                    "exponential map, lie-hph-2 or lie-hph-4",
                    factor.first, factor.group));
}

bool Retraction::at(const double* v) {
  std::copy_n(v, r_, psi_.begin());
  if (trivial()) return true;
  std::copy_n(v, r_, v_.data());
  ad_.setZero();
  for (const Bracket& b : brackets_) ad_(b.k, b.j) += b.value * v_(b.i);
  return kind_ == RetractionKind::exponential ? exponential() : cayley();
}

/// D = E(ad) - ad/2, E(A) = (A/2) coth(A/2), by its series for small A and E(2A) = E(A) + (A^2/4) E(A)^-1.
bool Retraction::exponential() {
  double norm = ad_.cwiseAbs().rowwise().sum().maxCoeff();
  if (!std::isfinite(norm)) return false;
  if (norm >= 6) {
    const double pole = 2 * std::numbers::pi;
    const Eigen::VectorXcd eigenvalues = ad_.eigenvalues();
    if ((eigenvalues.imag().array().abs() >= 0.999 * pole).any()) return false;
  }
  int halvings = 0;
  for (; norm > 1; norm /= 2) ++halvings;
  square_.noalias() = ad_ * ad_;
  square_ *= std::ldexp(1.0, -2 * halvings);
  const double ratio = norm * norm / (4 * std::numbers::pi * std::numbers::pi);
  int terms = 1;
  for (double size = 2 * ratio * ratio; terms < most_terms && size > 1e-18; size *= ratio) ++terms;
  const auto& b = bernoulli();
  D_ = b[static_cast<std::size_t>(terms)] * square_;
  for (int k = terms - 1; k >= 0; --k) {
    D_.diagonal().array() += b[static_cast<std::size_t>(k)];
    if (k == 0) break;
    product_.noalias() = D_ * square_;
    D_.swap(product_);
  }
  for (; halvings > 0; --halvings) {
    D_ += (square_ / 4 * D_.inverse()).eval();
    square_ *= 4;
  }
  D_ -= ad_ / 2;
  return D_.allFinite();
}

bool Retraction::cayley() {
  D_.setIdentity();
  D_ -= ad_ / 2;
  for (const Factor& f : factors_) {
    if (f.kind == Kind::nilpotent) continue;
    const auto v = v_.segment(f.first, f.size);
    auto Kv = turned_.head(f.size);
    Kv.noalias() = f.killing * v;
    const double square = v.dot(Kv);
    auto block = D_.block(f.first, f.first, f.size, f.size);
    block.noalias() -= (f.along / 4 * v) * Kv.transpose();
    if (f.across != 0) block.diagonal().array() -= f.across / 4 * square;
    if (f.kind == Kind::se3) block.bottomLeftCorner<3, 3>().diagonal().array() -= v.head<3>().dot(v.tail<3>()) / 4;
    if (!take_logarithm(f, -f.turn * square)) return false;
  }
  return true;
}

bool Retraction::take_logarithm(const Factor& f, double square) {
  if (!(square > -4)) return false;
  const auto v = v_.segment(f.first, f.size);
  Eigen::Map<Eigen::VectorXd> psi(psi_.data() + f.first, f.size);
  const double scale = arc(square);
  if (f.kind != Kind::se3) {
    psi = scale * v;
    return true;
  }
  const Eigen::Vector3d rotation = v.head<3>();
  const Eigen::Vector3d translation = v.tail<3>();
  psi.head<3>() = scale * rotation;
  psi.tail<3>() = translation + arc_defect(square) * rotation.cross(rotation.cross(translation));
  return true;
}

void Retraction::coadjoint(const Eigen::VectorXd& m, Eigen::MatrixXd& C) const {
  C.setZero();
  for (const Bracket& b : brackets_) C(b.j, b.i) += b.value * m(b.k);
}

void Retraction::differentiate(const Eigen::VectorXd& m, Eigen::MatrixXd& derivative) {
  coadjoint(m, derivative);
  if (trivial()) return;
  if (kind_ == RetractionKind::exponential) {
    turned_.noalias() = ad_.transpose() * m;
    coadjoint(turned_, product_);
    product_.noalias() += ad_.transpose() * derivative;
    derivative *= -0.5;
    derivative += product_ / 12;
    return;
  }
  derivative *= -0.5;
  for (const Factor& f : factors_) {
    if (f.kind == Kind::nilpotent) continue;
    const auto v = v_.segment(f.first, f.size);
    const auto mu = m.segment(f.first, f.size);
    auto Kv = turned_.head(f.size);
    Kv.noalias() = f.killing * v;
    auto block = derivative.block(f.first, f.first, f.size, f.size);
    block -= f.along / 4 * v.dot(mu) * f.killing;
    block.noalias() -= (f.along / 4 * Kv) * mu.transpose();
    if (f.across != 0) block.noalias() -= (f.across / 2 * mu) * Kv.transpose();
    if (f.kind == Kind::se3) {
      block.topRightCorner<3, 3>().noalias() -= (mu.tail<3>() / 4) * v.head<3>().transpose();
      block.topLeftCorner<3, 3>().noalias() -= (mu.tail<3>() / 4) * v.tail<3>().transpose();
    }
  }
}

Eigen::MatrixXd Retraction::adjoint() const {
  const Eigen::MatrixXd identity = Eigen::MatrixXd::Identity(r_, r_);
  return trivial() ? identity : Eigen::MatrixXd(identity + D_.partialPivLu().solve(ad_));
}

}  // namespace herglotz::integrate
