#pragma once
/// Reduction of a problem with its start and its settings.

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "herglotz/mechanics/reduction.hpp"
#include "herglotz/mechanics/symmetry_reduction.hpp"
#include "herglotz/simulate/simulate.hpp"

namespace herglotz::simulate {

struct ReducedProblem {
  Problem problem;
  std::vector<std::string> left_out;  ///< sentences: what the reduced problem does not have, and why
};

/// Reduces a problem by its linear constraints (see mechanics::reduce_by_constraints). A start keeps the velocities
/// that remain; they are found from momenta, and after `project`, as a run finds them. Settings stay, except for
/// columns. Throws Refused as that function does, for [discrete], and RunFailed for a start that cannot
/// be found.
ReducedProblem reduce_by_constraints(const Problem& problem, const std::vector<std::string>& fibre = {});

struct SymmetryOptions {
  std::vector<std::string> group{};  ///< names of symmetries; empty: the largest group that acts freely at the start
  bool group_coordinates = false;    ///< keep coordinates of the group, by which the motion is reconstructed
};

struct SymmetryReducedProblem {
  Problem problem;
  mechanics::SymmetryReduction reduction;  ///< its system is in `problem`
  std::string group;                       ///< text such as "x, symmetry2 on y = 0": the group and the section
};

/// Reduces a problem by its point symmetries (see mechanics::point_symmetries and mechanics::reduce_by_symmetry). The
/// section has the fixed coordinates at 0 or pi/2 if the orbit of the start meets it there, else at the start. The
/// start is moved onto it by G. Settings stay, except for columns and a time scale. Throws Refused as
/// those functions do, and for [discrete], and RunFailed for a start that cannot be found.
SymmetryReducedProblem reduce_by_symmetry(const Problem& problem, const SymmetryOptions& options = {});

/// Motions of a system from those of its reduction with group coordinates: x = g s, x_dot = g_* (s_dot + eta^A X_A(s)).
class Reconstruction {
 public:
  Reconstruction(const mechanics::System& given, const SymmetryReducedProblem& reduced);
  ~Reconstruction();
  Reconstruction(Reconstruction&&) noexcept;
  Reconstruction& operator=(Reconstruction&&) noexcept;

  /// Returns (x, y) of the given system (n + r) at (x', y') of the reduced one, where x' = (s, g). Throws
  /// Failed if a flow cannot be followed.
  [[nodiscard]] std::vector<double> operator()(std::span<const double> reduced) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace herglotz::simulate
