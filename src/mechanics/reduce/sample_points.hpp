#pragma once
/// Random points of the space of a system, at which identities are tried.

#include <map>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "herglotz/mechanics/system.hpp"

namespace herglotz::mechanics {

/// Values of (x, y, p, z, t, parameters) around given values of the base coordinates; the same for every run.
class SamplePoints {
 public:
  /// With `on_constraints` the velocities of every point satisfy nonholonomic constraints.
  SamplePoints(const System& system, const std::map<std::string, double, std::less<>>& near, unsigned seed,
               bool on_constraints = false);

  /// Returns the values of expressions at the next point at which all of them are finite, or an empty vector if
  /// many points were tried in vain.
  std::vector<double> next(std::span<const Expr> outputs);

 private:
  /// Moves the velocities onto the constraints by Newton's method; returns false if it does not converge.
  bool project(std::vector<double>& point) const;

  std::vector<Expr> symbols_;
  std::size_t first_y_ = 0;  // the place of y in the symbols
  std::size_t r_ = 0;
  std::vector<Expr> constraints_;  // Phi (m), then Phi_y (m x r)
  std::vector<double> centre_;
  std::vector<double> width_;
  std::mt19937_64 random_;
};

/// Returns whether f vanishes up to the round-off of its terms at points around `near`.
bool vanishes(const System& system, const std::map<std::string, double, std::less<>>& near, const Expr& f);

}  // namespace herglotz::mechanics
