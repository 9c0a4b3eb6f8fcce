#pragma once
/// Forces and sums over the edges and pairs of a model, in loops whose cost is linear in their number.

#include <cstddef>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "herglotz/families/site_values.hpp"

namespace herglotz::families {

/// A sum over edges or pairs, and the number of the sum of a pass that it is added to.
struct LinkSum {
  GraphSum of;
  std::size_t sum = 0;
};

/// Returns the sums over edges and pairs of the Lagrangian, multiplied by a number, to be added to one sum of a pass.
std::vector<LinkSum> sums_of_lagrangian(Model& model, double factor, std::size_t sum);
/// Returns the derivatives of these sums by time, without derivatives that vanish.
std::vector<LinkSum> sums_of_rates(Model& model, double factor, std::size_t sum);

/// The forces that loops over edges and pairs find: the derivatives dU/dq_f at every site, where U is the sum of the
/// densities over all edges and pairs.
struct LinkForces {
  std::vector<GraphSum> potential;
  std::vector<std::size_t> moving;  ///< families whose values are given at each call
};

/// Returns the forces of the Lagrangian, at given coordinates.
LinkForces forces_of_lagrangian(const Model& model);
/// Returns their derivatives by the coordinates along a direction w, for pairs alone: dU/dq_f with U = sum over g of
/// w_g dl/dq_g. The coordinates are given, then w.
LinkForces slopes_of_pairs(Model& model);

/// Loops over edges and over pairs. Lanes are edges, or the second sites of pairs with one first site; each edge and
/// each pair is visited once, in an order that depends on their number alone. The code is the same for any number.
class Links {
 public:
  Links(Model& model, const LinkForces& forces, std::span<const LinkSum> sums);
  ~Links();
  Links(const Links&) = delete;
  Links& operator=(const Links&) = delete;

  /// Takes the values of the parameters, and of the families that do not change. Comes before `find`.
  void set(const Model& model, const SiteValues& values);
  /// Writes the forces on the base family f to force[f], from the values moving[k] of every site. Returns the values of
  /// the sums with their numbers.
  std::vector<std::pair<std::size_t, double>> find(const double* const* moving, double* const* force, double t);

 private:
  class Edges;
  class Pairs;

  std::size_t families_;
  std::size_t sites_;
  std::unique_ptr<Edges> edges_;
  std::unique_ptr<Pairs> pairs_;
};

}  // namespace herglotz::families
