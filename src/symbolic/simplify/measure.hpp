#pragma once
/// Measures of the length of an expression and of the effort to read it.

#include <cstddef>
#include <unordered_map>

#include "herglotz/symbolic/expr.hpp"

namespace herglotz::symbolic {

struct Reading {
  std::size_t size = 0;      ///< operators and operands printed; saturating
  std::size_t cost = 0;      ///< the cost that simplify minimises: the size, with a charge for hard parentheses
  bool parentheses = false;  ///< a factor somewhere outside functions is a sum
};

/// Readings of nodes, each computed once.
class Measure {
 public:
  /// If `open_lets`, the values of lets count instead of their names.
  explicit Measure(bool open_lets = false) : open_lets_(open_lets) {}

  const Reading& of(Expr f);

 private:
  Reading read(Expr f) const;

  bool open_lets_;
  std::unordered_map<NodeId, Reading> readings_;
};

}  // namespace herglotz::symbolic
