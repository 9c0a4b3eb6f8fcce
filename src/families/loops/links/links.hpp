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

/// Loops over edges and over pairs. Lanes are edges, or the second sites of pairs with one first site; each edge and
/// each pair is visited once, in an order that depends on their number alone. The code is the same for any number.
class Links {
 public:
  Links(Model& model, std::span<const LinkSum> sums);
  ~Links();
  Links(const Links&) = delete;
  Links& operator=(const Links&) = delete;

  /// Takes the values of the parameters, and of the families that do not change. Comes before `find`.
  void set(const Model& model, const SiteValues& values);
  /// Writes the force on the coordinates base[f] of every site to force[f]. Returns the values of the sums with their
  /// numbers.
  std::vector<std::pair<std::size_t, double>> find(const double* const* base, double* const* force, double t);

 private:
  class Edges;
  class Pairs;

  std::size_t families_;
  std::size_t sites_;
  std::unique_ptr<Edges> edges_;
  std::unique_ptr<Pairs> pairs_;
};

}  // namespace herglotz::families
