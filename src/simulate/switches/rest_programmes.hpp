#pragma once
/// Programmes of the forces with which frictions at rest hold a motion together, or let it slip.

#include <Eigen/Core>
#include <vector>

#include "switches/cone_programme.hpp"

namespace herglotz::simulate {

/// Discs of forces: of a friction on one velocity an interval, of one on two velocities a circle. The entries of all
/// forces follow each other disc by disc.
struct Discs {
  std::vector<Eigen::Index> first{0};  ///< place of the first entry of each disc, and the number of all entries
  Eigen::VectorXd radii{};

  void append(Eigen::Index entries) { first.push_back(first.back() + entries); }
  [[nodiscard]] Eigen::Index count() const { return static_cast<Eigen::Index>(first.size()) - 1; }
  [[nodiscard]] Eigen::Index entries() const { return first.back(); }
  [[nodiscard]] Eigen::Index at(Eigen::Index disc) const { return first[static_cast<std::size_t>(disc)]; }
  [[nodiscard]] Eigen::Index size(Eigen::Index disc) const { return at(disc + 1) - at(disc); }
  /// Returns the entries of a disc.
  [[nodiscard]] auto part(const Eigen::VectorXd& entries, Eigen::Index disc) const {
    return entries.segment(at(disc), size(disc));
  }
};

/// Response of a velocity, relative to its own force, that is left when others are held, below which it depends on
/// them.
constexpr double dependent = 1e-10;

/// Radius of a disc, relative to the largest one, of a friction without a force.
constexpr double least_radius = 1e-12;

/// Returns the rows of a symmetric positive semidefinite matrix that are independent, by the pivots of Cholesky's
/// factors: the largest one that is left, relative to its own entry, and of equal ones the first. Rows that are not
/// preferred come last.
std::vector<bool> independent_rows(const Eigen::MatrixXd& D, const std::vector<bool>& preferred);

/// Returns (s, xi) with the least s for which all forces F + N xi are within the discs, with s times their radii. The
/// value of the programme is s.
ConeSolution least_load(const Eigen::VectorXd& F, const Discs& discs, const Eigen::MatrixXd& N);
/// Returns (tau, xi) with the largest tau up to 1 for which all forces F + tau G + N xi are within the discs, as the
/// forces F + N xi0 are. The radii change by tau times `change`. The forces are within at the solution, however it was
/// found.
Eigen::VectorXd longest_hold(const Eigen::VectorXd& F, const Eigen::VectorXd& G, const Discs& discs,
                             const Eigen::VectorXd& change, const Eigen::MatrixXd& N, const Eigen::VectorXd& xi0);
/// Returns the forces F within the discs with the least F.D F/2 + b.F: those of maximal dissipation, against the rates
/// D F + b of what slips [AB08].
ConeSolution most_dissipation(const Eigen::MatrixXd& D, const Eigen::VectorXd& b, const Discs& discs);

}  // namespace herglotz::simulate
