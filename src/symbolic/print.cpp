#include "herglotz/symbolic/print.hpp"

#include <array>
#include <stdexcept>

#include "herglotz/symbolic/simplify.hpp"
#include "layout.hpp"

namespace herglotz::symbolic {

std::string print(Expr f, Format format, const PrintOptions& options) {
  constexpr std::size_t kLargest = 10'000'000;
  const Expr outputs[] = {f};
  if (printed_size(options.open_lets ? expand_lets(f) : f) > kLargest) {
    throw std::length_error("an expression of more than 10000000 printed symbols; name its common subexpressions");
  }
  Layout layout(format, options);
  for (const NodeId id : f.graph().reachable(outputs)) layout.add({f.graph(), id});
  return layout.text(f);
}

}  // namespace herglotz::symbolic
