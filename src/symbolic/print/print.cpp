#include "herglotz/symbolic/print.hpp"

#include <array>
#include <stdexcept>

#include "graph/printed_nodes.hpp"
#include "print/layout.hpp"
#include "simplify/measure.hpp"

namespace herglotz::symbolic {

std::string print(Expr f, Format format, const PrintOptions& options) {
  constexpr std::size_t kLargest = 10'000'000;
  const std::array<Expr, 1> outputs{f};
  if (Measure(options.open_lets).of(f).size > kLargest) {
    throw std::length_error("an expression of more than 10000000 printed symbols; name its common subexpressions");
  }
  Layout layout(format, options);
  const auto nodes = options.open_lets ? f.graph().reachable(outputs) : visible_nodes(f.graph(), outputs);
  for (const NodeId id : nodes) layout.add({f.graph(), id});
  return layout.text(f);
}

}  // namespace herglotz::symbolic
