#pragma once
/// Expressions with a symbolic index: names with subscripts, and sums over the range of an index.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "herglotz/symbolic/parser.hpp"

namespace herglotz::symbolic {

/// One subscript of a name: `i`, `i + 2`, `0` or `count - 1`.
struct Subscript {
  std::string index;          ///< the name of an index; empty for an absolute site
  std::int64_t offset = 0;    ///< what is added, or the absolute site
  bool from_the_end = false;  ///< the site is count + offset
  std::string end;            ///< the end of an edge: `from` of e.from; empty for a site and for an edge itself
};

/// One index of a sum: `i`, or `j < i`.
struct SumIndex {
  std::string name;
  std::string below;  ///< the index that it stays below; empty if it runs over all sites
};

/// Meaning of subscripts and sums, for `parse_indexed`. Its errors are Refused with a remedy;
/// the parser adds the place.
class Elements {
 public:
  virtual ~Elements() = default;
  /// Returns the element of the family of that name.
  virtual Expr element(std::string_view name, std::span<const Subscript> subscripts) = 0;
  /// Begins a sum over some indices; its density is read next.
  virtual void open_sum(std::span<const SumIndex> indices) = 0;
  /// Ends it, and returns what stands for the sum.
  virtual Expr close_sum(Expr density) = 0;
};

/// Parses as `parse` does, and in addition `name[subscript]` and `sum(index, ..., expression)`.
Expr parse_indexed(Graph& graph, std::string_view text, const Scope& scope, Elements& elements,
                   const ParseLimits& limits = {});

}  // namespace herglotz::symbolic
