#pragma once
/// Maps tau from a Lie algebra to its group, in the parts that steps need: differential, adjoint action, logarithm.

#include <array>
#include <cstddef>
#include <numbers>
#include <span>
#include <vector>

#include "herglotz/integrate/groupoid_kernels.hpp"
#include "numerics/small_matrix.hpp"

namespace herglotz::integrate {

enum class RetractionKind {
  exponential,  ///< tau = exp, for every Lie algebra
  cayley        ///< tau(v) = (1 - v/2)^-1 (1 + v/2) in the matrices of a named group
};

/// Numbers of a group that retractions need, for the parameters of one run.
struct GroupStructure {
  enum class Kind { so3_like, sl2_like, se3, nilpotent };
  struct Factor {
    Kind kind = Kind::nilpotent;
    std::size_t first = 0;
    std::size_t size = 0;
    double turn = 0;  ///< -turn K(v, v) is the square of the angle of v
    double along = 0;
    double across = 0;            ///< v w v = along K(v, w) v + across K(v, v) w
    std::vector<double> killing;  ///< K (size x size) row by row
  };
  RetractionKind retraction = RetractionKind::exponential;
  std::size_t r = 0;
  std::vector<double> constants;  ///< c^k_ij at [(k r + i) r + j]
  std::vector<Factor> factors;    ///< empty for the exponential

  /// Returns whether all brackets vanish.
  [[nodiscard]] bool trivial() const;
};

/// Returns the structure of a group. Throws Refused if kind is cayley and the factors do not cover the
/// algebra, name an unknown group, or have other brackets than that group.
GroupStructure group_structure(RetractionKind kind, std::size_t r, std::span<const double> constants,
                               const std::vector<GroupoidKernels::Factor>& factors);

namespace retraction {

/// Returns whether a matrix ad (r x r) has an eigenvalue at or beyond the first poles +-2 pi i of (A/2) coth(A/2).
bool reaches_pole(const double* ad, std::size_t r);
/// Returns 2 atan(a/2)/a as a function of a^2, which is negative for hyperbolic elements, away from 0.
double far_arc(double square);

inline constexpr int most_terms = 14;
/// Returns B_2k/(2k)! for k = 0 .. most_terms.
const std::array<double, most_terms + 1>& bernoulli();

/// Size of a^2 up to which series replace formulas that lose digits.
inline constexpr double small_square = 1e-2;

/// Returns 2 atan(a/2)/a as a function of a^2.
template <class P>
P arc(P square) {
  P sum(0.0);
  for (int k = 8; k >= 0; --k) sum = P(1.0 / (2 * k + 1)) - square * P(0.25) * sum;
  const MaskOf<P> far = magnitude(square) > P(small_square);
  if (!any(far)) return sum;
  for (int lane = 0; lane < LanesOf<P>::width; ++lane)
    if (lane_of(far, lane)) set_lane(sum, lane, far_arc(lane_of(square, lane)));
  return sum;
}

/// Returns (1 - arc)/a^2.
template <class P>
P arc_defect(P square, P arc) {
  P sum(0.0);
  for (int k = 8; k >= 1; --k) sum = P(1.0 / (2 * k + 1)) - square * P(0.25) * sum;
  return select(magnitude(square) > P(small_square), (P(1.0) - arc) / square, sum * P(0.25));
}

}  // namespace retraction

/// Retraction tau of one kind. Both kinds are symmetric, tau(-v) = tau(v)^-1, and have the inverse of the
/// right-trivialised differential
///   D(v) = dtau^-1_v,  D(-v) - D(v) = ad_v,  so that  Ad_tau(v) = D(v)^-1 D(-v) = 1 + D(v)^-1 ad_v:
///   exponential  D = sum_k B_k/k! ad_v^k with B_1 = -1/2 [HLW06, III.4.1],
///   Cayley       D w = (1 - v/2) w (1 + v/2) = w - [v, w]/2 - v w v/4 [HLW06, IV.8.3].
/// With the Killing form K, v w v is K(v, w) v/2 on so3 and se2, K(v, w) v/4 - K(v, v) w/8 on su2 and sl2, 0 on
/// heisenberg and abelian groups, and K(v, w) v/4 + (0, (v_0 . v_1) w_0) on se3 with v = (v_0 rotation, v_1
/// translation). Every lane has the group of its own parameters. No memory is allocated after take() while |ad_v| stays
/// below 6.
template <class P>
class Retraction {
 public:
  using M = MaskOf<P>;

  Retraction(RetractionKind kind, std::size_t r) : kind_(kind), r_(r) {
    constants_.assign(r * r * r, P(0.0));
    for (std::vector<P>* vector : {&v_, &psi_, &turned_}) vector->assign(r, P(0.0));
    for (SmallMatrix<P>* matrix : {&ad_, &D_, &square_, &product_, &inverse_}) matrix->resize(r, r);
    for (std::size_t a = 0; a < r; ++a) D_(a, a) = P(1.0);
    system_.resize(r);
  }

  /// Sets the group of a lane. All lanes must have the same factors, and all or none of them must be trivial.
  void take(int lane, const GroupStructure& group) {
    for (std::size_t e = 0; e < constants_.size(); ++e) set_lane(constants_[e], lane, group.constants[e]);
    brackets_.clear();
    for (std::size_t k = 0; k < r_; ++k)
      for (std::size_t i = 0; i < r_; ++i)
        for (std::size_t j = 0; j < r_; ++j)
          if (const P value = constants_[(k * r_ + i) * r_ + j]; any(magnitude(value) > P(0.0)))
            brackets_.push_back({k, i, j, value});
    factors_.resize(group.factors.size());
    for (std::size_t f = 0; f < factors_.size(); ++f) {
      const GroupStructure::Factor& given = group.factors[f];
      Factor& factor = factors_[f];
      factor.kind = given.kind;
      factor.first = given.first;
      factor.size = given.size;
      factor.turn = given.turn;
      factor.along = given.along;
      factor.across = given.across;
      factor.killing.resize(given.killing.size(), P(0.0));
      for (std::size_t e = 0; e < given.killing.size(); ++e) set_lane(factor.killing[e], lane, given.killing[e]);
    }
  }

  /// Returns whether all brackets vanish; then D = 1 and tau = exp.
  [[nodiscard]] bool trivial() const { return brackets_.empty(); }
  /// Computes all that follows below at v (r). Returns the lanes in which tau is a local diffeomorphism there. It is
  /// none beyond the first pole of D (exponential), or if tau is not defined (Cayley).
  M at(const P* v) {
    for (std::size_t a = 0; a < r_; ++a) psi_[a] = v[a];
    if (trivial()) return P(0.0) <= P(0.0);
    for (std::size_t a = 0; a < r_; ++a) v_[a] = v[a];
    ad_.fill(P(0.0));
    for (const Bracket& b : brackets_) ad_(b.k, b.j) += b.value * v_[b.i];
    return kind_ == RetractionKind::exponential ? exponential() : cayley();
  }
  /// Returns ad_v (r x r): (ad_v)^k_j = c^k_ij v^i.
  [[nodiscard]] const SmallMatrix<P>& ad() const { return ad_; }
  /// Returns D(v) (r x r).
  [[nodiscard]] const SmallMatrix<P>& inverse_differential() const { return D_; }
  /// Returns psi (r) with tau(v) = exp(psi).
  [[nodiscard]] const P* logarithm() const { return psi_.data(); }
  /// Computes d(D(v)^T m)/dv (r x r): exactly for Cayley, and without the terms |v|^3 and above for the exponential.
  void differentiate(const P* m, SmallMatrix<P>& derivative) {
    coadjoint(m, derivative);
    if (trivial()) return;
    if (kind_ == RetractionKind::cayley) {
      for (P& entry : derivative.entries()) entry *= P(-0.5);
      for (const Factor& factor : factors_) differentiate_factor(factor, m, derivative);
      return;
    }
    multiply_transposed(ad_, m, turned_.data());
    coadjoint(turned_.data(), product_);
    for (std::size_t i = 0; i < r_; ++i) {
      for (std::size_t j = 0; j < r_; ++j) {
        P sum = product_(i, j);
        for (std::size_t k = 0; k < r_; ++k) sum += ad_(k, i) * derivative(k, j);
        square_(i, j) = sum;
      }
    }
    for (std::size_t e = 0; e < square_.entries().size(); ++e)
      derivative.entries()[e] = P(-0.5) * derivative.entries()[e] + P(1.0 / 12) * square_.entries()[e];
  }

 private:
  struct Bracket {
    std::size_t k, i, j;
    P value;
  };
  struct Factor {
    GroupStructure::Kind kind = GroupStructure::Kind::nilpotent;
    std::size_t first = 0;
    std::size_t size = 0;
    double turn = 0;
    double along = 0;
    double across = 0;
    std::vector<P> killing;
  };

  /// Computes D = E(ad) - ad/2 with E(A) = (A/2) coth(A/2), by the series of E for small A and E(2A) = E(A) + (A^2/4)
  /// E(A)^-1.
  M exponential() {
    M good = finite_numbers(ad_.data(), r_ * r_);
    P norm(0.0);
    for (std::size_t i = 0; i < r_; ++i) {
      P sum(0.0);
      for (std::size_t j = 0; j < r_; ++j) sum += magnitude(ad_(i, j));
      norm = larger(sum, norm);
    }
    norm = select(good, norm, P(0.0));
    good = good & !poles(norm >= P(6.0));
    norm = select(good, norm, P(0.0));
    P halvings(0.0);
    P scale(1.0);
    for (M large = norm > P(1.0); any(large); large = norm > P(1.0)) {
      norm = select(large, norm * P(0.5), norm);
      scale = select(large, scale * P(0.25), scale);
      halvings = select(large, halvings + P(1.0), halvings);
    }
    multiply(ad_, ad_, square_);
    for (P& entry : square_.entries()) entry *= scale;
    sum_series(norm);
    for (M more = halvings > P(0.0); any(more); more = halvings > P(0.0)) {
      double_argument(more);
      halvings = select(more, halvings - P(1.0), halvings);
    }
    for (std::size_t e = 0; e < r_ * r_; ++e) D_.entries()[e] -= ad_.entries()[e] * P(0.5);
    return good & finite_numbers(D_.data(), r_ * r_);
  }
  /// Returns the lanes, among these, whose v is beyond a pole of D.
  M poles(M lanes) {
    M beyond = P(0.0) > P(0.0);
    if (!any(lanes)) return beyond;
    std::vector<double> ad(r_ * r_);
    for (int lane = 0; lane < LanesOf<P>::width; ++lane) {
      if (!lane_of(lanes, lane)) continue;
      for (std::size_t e = 0; e < ad.size(); ++e) ad[e] = lane_of(ad_.entries()[e], lane);
      set_lane(beyond, lane, retraction::reaches_pole(ad.data(), r_));
    }
    return beyond;
  }
  /// Computes D = E of an argument whose square is square_ and whose norm is at most 1. Every lane has its own number
  /// of terms.
  void sum_series(P norm) {
    const P ratio = norm * norm * P(1 / (4 * std::numbers::pi * std::numbers::pi));
    P terms(1.0);
    int highest = 1;
    P size = P(2.0) * ratio * ratio;
    for (M more = size > P(1e-18); highest < retraction::most_terms && any(more); more = size > P(1e-18), ++highest) {
      terms = select(more, terms + P(1.0), terms);
      size *= ratio;
    }
    const auto& b = retraction::bernoulli();
    for (int k = highest; k > 0; --k) {
      const P coefficient(b[static_cast<std::size_t>(k)]);
      const M begins = terms <= P(static_cast<double>(k));  // lanes whose series begins at this term or below
      if (k < highest) {
        for (std::size_t a = 0; a < r_; ++a) D_(a, a) += coefficient;
        multiply(D_, square_, product_);
        std::swap(D_, product_);
        if (!any(begins)) continue;
      }
      for (std::size_t e = 0; e < r_ * r_; ++e) put(begins, D_.entries()[e], coefficient * square_.entries()[e]);
    }
    for (std::size_t a = 0; a < r_; ++a) D_(a, a) += P(b[0]);
  }
  void double_argument(M lanes) {
    for (std::size_t i = 0; i < r_; ++i)
      for (std::size_t j = 0; j < r_; ++j) system_.at(i, j) = D_(i, j);
    system_.invert(inverse_);
    multiply(square_, inverse_, product_);
    for (std::size_t e = 0; e < r_ * r_; ++e) {
      put(lanes, D_.entries()[e], D_.entries()[e] + P(0.25) * product_.entries()[e]);
      put(lanes, square_.entries()[e], P(4.0) * square_.entries()[e]);
    }
  }

  M cayley() {
    for (std::size_t e = 0; e < r_ * r_; ++e) D_.entries()[e] = ad_.entries()[e] * P(-0.5);
    for (std::size_t a = 0; a < r_; ++a) D_(a, a) += P(1.0);
    M good = P(0.0) <= P(0.0);
    for (const Factor& f : factors_) {
      if (f.kind == GroupStructure::Kind::nilpotent) continue;
      const P* const v = v_.data() + f.first;
      const P square = by_killing(f);
      for (std::size_t i = 0; i < f.size; ++i)
        for (std::size_t j = 0; j < f.size; ++j) D_(f.first + i, f.first + j) -= P(f.along / 4) * v[i] * turned_[j];
      if (f.across != 0)
        for (std::size_t i = 0; i < f.size; ++i) D_(f.first + i, f.first + i) -= P(f.across / 4) * square;
      if (f.kind == GroupStructure::Kind::se3) {
        const P dot = v[0] * v[3] + v[1] * v[4] + v[2] * v[5];
        for (std::size_t i = 0; i < 3; ++i) D_(f.first + 3 + i, f.first + i) -= P(0.25) * dot;
      }
      good = good & take_logarithm(f, P(-f.turn) * square);
    }
    return good;
  }
  /// Writes K v into turned_ and returns K(v, v).
  P by_killing(const Factor& f) {
    const P* const v = v_.data() + f.first;
    P square(0.0);
    for (std::size_t i = 0; i < f.size; ++i) {
      P sum(0.0);
      for (std::size_t j = 0; j < f.size; ++j) sum += f.killing[i * f.size + j] * v[j];
      turned_[i] = sum;
      square += v[i] * sum;
    }
    return square;
  }
  M take_logarithm(const Factor& f, P square) {
    const P* const v = v_.data() + f.first;
    P* const psi = psi_.data() + f.first;
    const M defined = square > P(-4.0);
    square = select(defined, square, P(0.0));
    const P scale = retraction::arc(square);
    const std::size_t turning = f.kind == GroupStructure::Kind::se3 ? 3 : f.size;
    for (std::size_t i = 0; i < turning; ++i) psi[i] = scale * v[i];
    if (f.kind == GroupStructure::Kind::se3) {
      std::array<P, 3> once;
      std::array<P, 3> twice;
      cross(v, v + 3, once.data());
      cross(v, once.data(), twice.data());
      const P defect = retraction::arc_defect(square, scale);
      for (std::size_t i = 0; i < 3; ++i) psi[3 + i] = v[3 + i] + defect * twice[i];
    }
    return defined;
  }
  static void cross(const P* a, const P* b, P* product) {
    for (std::size_t i = 0; i < 3; ++i) {
      const std::size_t j = (i + 1) % 3;
      const std::size_t k = (i + 2) % 3;
      product[i] = a[j] * b[k] - a[k] * b[j];
    }
  }

  /// Computes C(m) = d(ad_v^T m)/dv: C_ij = c^k_ji m_k.
  void coadjoint(const P* m, SmallMatrix<P>& C) const {
    C.fill(P(0.0));
    for (const Bracket& b : brackets_) C(b.j, b.i) += b.value * m[b.k];
  }
  void differentiate_factor(const Factor& f, const P* m, SmallMatrix<P>& derivative) {
    if (f.kind == GroupStructure::Kind::nilpotent) return;
    const P* const v = v_.data() + f.first;
    const P* const mu = m + f.first;
    by_killing(f);
    P pairing(0.0);
    for (std::size_t i = 0; i < f.size; ++i) pairing += v[i] * mu[i];
    const auto block = [&](std::size_t i, std::size_t j) -> P& { return derivative(f.first + i, f.first + j); };
    for (std::size_t i = 0; i < f.size; ++i) {
      for (std::size_t j = 0; j < f.size; ++j) {
        block(i, j) -= P(f.along / 4) * (pairing * f.killing[i * f.size + j] + turned_[i] * mu[j]);
        if (f.across != 0) block(i, j) -= P(f.across / 2) * mu[i] * turned_[j];
      }
    }
    if (f.kind != GroupStructure::Kind::se3) return;
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t j = 0; j < 3; ++j) {
        block(i, 3 + j) -= P(0.25) * mu[3 + i] * v[j];
        block(i, j) -= P(0.25) * mu[3 + i] * v[3 + j];
      }
    }
  }

  RetractionKind kind_;
  std::size_t r_;
  std::vector<P> constants_;
  std::vector<Bracket> brackets_;  // the brackets that do not vanish in all lanes
  std::vector<Factor> factors_;
  std::vector<P> v_;
  std::vector<P> turned_;  // K v of a factor, or ad^T m
  std::vector<P> psi_;
  SmallMatrix<P> ad_;
  SmallMatrix<P> D_;
  SmallMatrix<P> square_;
  SmallMatrix<P> product_;
  SmallMatrix<P> inverse_;
  SquareSystem<P> system_;
};

}  // namespace herglotz::integrate
