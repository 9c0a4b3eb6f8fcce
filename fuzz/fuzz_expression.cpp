#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "herglotz/symbolic/parser.hpp"
#include "herglotz/symbolic/print.hpp"
#include "herglotz/symbolic/simplify.hpp"

/// Any text is a value or a ParseError, and what is printed parses again.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace herglotz::symbolic;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  Graph graph;
  Scope scope;
  for (const char* name : {"x", "y", "theta", "m"}) scope[name] = graph.symbol(name);
  Expr f;
  try {
    f = parse(graph, text, scope, {.length = 4000});
  } catch (const ParseError& e) {
    if (e.line == 0 || e.column == 0 || e.remedy().empty()) std::abort();
    return 0;
  }
  if (printed_size(f) > 100'000) return 0;
  try {
    const Expr back = parse(graph, print(f), scope);
    parse(graph, print(back), scope);
  } catch (const ParseError& e) {
    // Printing regroups products: constants at the ends of the range may then overflow.
    if (std::string_view(e.what()).find("not a finite number") == std::string_view::npos) throw;
  }
  for (const Format format : {Format::latex, Format::c, Format::sympy}) print(f, format);
  simplify(f);
  return 0;
}
