#pragma once
/// Passes over the sites made of expressions in the elements of families.

#include <map>
#include <span>
#include <string>
#include <vector>

#include "herglotz/compile/sites.hpp"
#include "herglotz/families/equations.hpp"
#include "herglotz/families/site_values.hpp"
#include "loops/links/links.hpp"

namespace herglotz::families {

/// Builder of one pass. Arrays are the changing ones of the tiles, then the extra ones, then the fixed ones.
class PassBuilder {
 public:
  /// `first_fixed` is the number of the arrays before the fixed ones. `fixed` is the list of families that have an
  /// array, which all passes of a motion share and extend.
  PassBuilder(Model& model, std::string name, std::size_t first_fixed, std::vector<std::size_t>& fixed);

  /// Says which array holds a family, or a symbol that is not an element.
  void place(std::size_t family, std::size_t array) { arrays_[family] = array; }
  Expr value_of(const std::string& name, std::size_t array);
  /// Returns the symbol of a scalar; scalars are numbered in the order of these calls, and the parameters of the model
  /// follow them.
  Expr scalar(const std::string& name);

  void store(Expr value, std::size_t array);
  void accumulate(Expr value, std::size_t array, std::size_t lost);
  /// Returns the number of the sum.
  std::size_t sum(Expr value);
  /// Ends a phase.
  void end_phase(std::size_t ahead);

  [[nodiscard]] std::size_t radius() const { return radius_; }
  kernel::SiteLoop compile();

 private:
  /// Place in memory of an element: its distance in sites from the present one.
  struct Read {
    std::size_t family = 0;
    std::int64_t offset = 0;
  };

  void output(Expr value, compile::SiteWrite write);
  /// Returns the value of an element of a grid in symbols of places in memory, and notes these in `reads`. Rows lie one
  /// after the other, so that a neighbour along the second index may lie in another row than its place in memory.
  Expr in_memory(const Element& element, std::map<symbolic::NodeId, Read>& reads);

  Model& model_;
  compile::SiteProgram pass_;
  std::size_t first_fixed_;
  std::vector<std::size_t>& fixed_;
  std::map<std::size_t, std::size_t> arrays_;
  std::map<symbolic::NodeId, std::size_t> symbols_;
  std::size_t ended_ = 0;  // outputs of phases that have ended
  std::size_t radius_ = 0;
};

/// Returns the number of blocks of sites that the largest offset of an element in the expressions covers, in the order
/// of the sites in memory, or `least` if that is larger.
std::size_t blocks_ahead(const Model& model, std::span<const Expr> values, std::size_t least);

/// Returns the densities of the sums of the observables and of the events, in order.
std::vector<Expr> watched_densities(const Model& model);

/// Adds the sums of balance laws at a row to a pass: for each law quantity, size and |terms of its rate|.
void sum_laws(const std::vector<Law>& laws, PassBuilder& build);

/// Adds the sums of the observables and of the events to a pass, in order. Returns those over edges and pairs, which
/// are added to sums of their own.
std::vector<LinkSum> sum_watched(Model& model, PassBuilder& build);

/// Says that the forces of edges and pairs lie in the arrays from `first` on.
void place_links(Model& model, PassBuilder& build, std::size_t first);

/// Returns the values of the families in `fixed` at every site.
std::vector<std::vector<double>> fixed_values(Model& model, const SiteValues& values,
                                              const std::vector<std::size_t>& fixed);

}  // namespace herglotz::families
