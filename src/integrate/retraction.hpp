#pragma once
/// Maps tau from a Lie algebra to its group, by what steps need of them: differential, adjoint action, logarithm.

#include <Eigen/Dense>
#include <span>
#include <string>
#include <vector>

#include "herglotz/integrate/groupoid_map.hpp"

namespace herglotz::integrate {

enum class RetractionKind {
  exponential,  ///< tau = exp, for every Lie algebra
  cayley        ///< tau(v) = (1 - v/2)^-1 (1 + v/2) in the matrices of a named group
};

/// Both kinds are symmetric, tau(-v) = tau(v)^-1, and have the inverse of the right-trivialised differential
///   D(v) = dtau^-1_v,  D(-v) - D(v) = ad_v,  so that  Ad_tau(v) = D(v)^-1 D(-v) = 1 + D(v)^-1 ad_v:
///   exponential  D = sum_k B_k/k! ad_v^k with B_1 = -1/2 [HLW06, III.4.1],
///   Cayley       D w = (1 - v/2) w (1 + v/2) = w - [v, w]/2 - v w v/4 [HLW06, IV.8.3].
/// With the Killing form K, v w v is K(v, w) v/2 on so3 and se2, K(v, w) v/4 - K(v, v) w/8 on su2 and sl2, 0 on
/// heisenberg and abelian groups, and K(v, w) v/4 + (0, (v_0 . v_1) w_0) on se3 with v = (v_0 rotation, v_1
/// translation). No memory is taken after construction while |ad_v| stays below 6.
class Retraction {
 public:
  /// structure: c^k_ij at [(k r + i) r + j]. Throws std::invalid_argument where kind is cayley and the factors do not
  /// cover the algebra, name an unknown group, or have other brackets than that group.
  Retraction(RetractionKind kind, std::size_t r, std::span<const double> structure,
             const std::vector<GroupoidMap::Factor>& factors);

  /// Whether all brackets vanish: then D = 1 and tau = exp.
  [[nodiscard]] bool trivial() const { return brackets_.empty(); }
  /// Takes everything below at v (r). False where tau is no local diffeomorphism there: beyond the first pole of
  /// D (exponential), or where tau is not defined (Cayley).
  bool at(const double* v);
  /// ad_v (r x r): (ad_v)^k_j = c^k_ij v^i.
  [[nodiscard]] const Eigen::MatrixXd& ad() const { return ad_; }
  /// D(v) (r x r).
  [[nodiscard]] const Eigen::MatrixXd& inverse_differential() const { return D_; }
  /// psi (r) with tau(v) = exp(psi).
  [[nodiscard]] const std::vector<double>& logarithm() const { return psi_; }
  /// d(D(v)^T m)/dv (r x r): exact for Cayley, without the terms |v|^3 and above for the exponential.
  void differentiate(const Eigen::VectorXd& m, Eigen::MatrixXd& derivative);
  /// Ad_tau(v) (r x r).
  [[nodiscard]] Eigen::MatrixXd adjoint() const;

 private:
  struct Bracket {
    Eigen::Index k, i, j;
    double value;
  };
  enum class Kind { so3_like, sl2_like, se3, nilpotent };
  struct Factor {
    std::string group;
    Kind kind;
    Eigen::Index first;
    Eigen::Index size;
    double turn;  ///< -turn K(v, v) is the square of the angle of v
    double along;
    double across;  ///< v w v = along K(v, w) v + across K(v, v) w
    Eigen::MatrixXd killing;
  };

  static Factor known(const GroupoidMap::Factor& factor);
  void add_factor(const GroupoidMap::Factor& factor);
  void check(const Factor& factor);
  bool exponential();
  bool cayley();
  bool take_logarithm(const Factor& factor, double square);
  /// C(m) = d(ad_v^T m)/dv: C_ij = c^k_ji m_k.
  void coadjoint(const Eigen::VectorXd& m, Eigen::MatrixXd& C) const;

  RetractionKind kind_;
  Eigen::Index r_;
  std::vector<Bracket> brackets_;
  std::vector<Factor> factors_;
  Eigen::VectorXd v_;
  Eigen::VectorXd turned_;  // K v of a factor, or ad^T m
  std::vector<double> psi_;
  Eigen::MatrixXd ad_;
  Eigen::MatrixXd D_;
  Eigen::MatrixXd square_;
  Eigen::MatrixXd product_;
};

}  // namespace herglotz::integrate
