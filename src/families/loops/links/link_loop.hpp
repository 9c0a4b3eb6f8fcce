#pragma once
/// Loops whose lanes are edges or pairs, made of expressions in the elements at their ends.

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "herglotz/compile/sites.hpp"
#include "herglotz/ensemble/in_parallel.hpp"
#include "herglotz/families/site_values.hpp"

namespace herglotz::families {

/// Values that a loop may read beyond the last one.
inline constexpr std::size_t padding = 4 * kernel::SiteLoop::block;

/// Values that a loop reads and writes besides its sums. The arrays that it writes come first.
struct LinkLoop {
  kernel::SiteLoop loop;
  std::vector<Element> arrays;   ///< elements that lie in arrays
  std::vector<Element> scalars;  ///< elements of the first site of a pair
};

/// Builder of a loop: elements become variables and scalars as they appear in its outputs.
class LinkBuilder {
 public:
  LinkBuilder(Model& model, const char* name) : model_(model) { pass_.values = {name, model.graph, {}, {}, {}}; }

  void store(Expr value, std::size_t array) { output(value, {compile::SiteWrite::How::store, array, 0}); }
  void sum(Expr value) { output(value, {compile::SiteWrite::How::sum, pass_.sums++, 0}); }
  /// Returns the symbol of an array that the loop changes.
  Expr changed(const std::string& name, std::size_t array);

  /// Compiles a loop whose first arrays, `written` of them, are those that it writes. Elements of `first` are scalars.
  LinkLoop compile(std::size_t written, std::optional<Owner> first);

 private:
  void output(Expr value, compile::SiteWrite write);

  Model& model_;
  compile::SiteProgram pass_;
};

/// Returns the sum of those densities that are sums over pairs, or of the others.
Expr link_density(const Model& model, const std::vector<GraphSum>& sums, bool pairs);

/// Returns the place of a family in a list, or `std::nullopt`.
std::optional<std::size_t> place_among(const std::vector<std::size_t>& families, std::size_t family);

/// Returns the values of a family that does not change, at every site or edge.
std::vector<double> constants(const Model& model, const SiteValues& values, std::size_t family);

/// Returns the scalars that end every list, time and parameters, behind those of `before` elements.
std::vector<double> scalars_of(double t, const std::vector<double>& parameters, std::size_t before);

/// Calls `visit` for 0, .., count - 1, on all cores if there are many links.
template <class Visit>
void for_each_part(std::size_t count, std::size_t links, const Visit& visit) {
  // Below this number the threads would wait for each other longer than they work.
  constexpr std::size_t few_links = 20'000;
  if (links < few_links)
    for (std::size_t k = 0; k < count; ++k) visit(k);
  else
    ensemble::each_in_parallel(count, visit);
}

}  // namespace herglotz::families
