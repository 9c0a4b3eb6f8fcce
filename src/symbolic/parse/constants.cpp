#include "parse/constants.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "herglotz/symbolic/evaluate.hpp"
#include "herglotz/symbolic/graph.hpp"

namespace herglotz::symbolic {
namespace {

void check_finite(const Lexer& lexer, std::size_t offset, double value) {
  if (!std::isfinite(value)) not_finite(lexer, offset);
}

}  // namespace

void not_finite(const Lexer& lexer, std::size_t offset) {
  lexer.fail(offset, "a constant part of the expression is not a finite number",
             "constants must stay between 1e-308 and 1e308 in magnitude");
}

void check_constant_parts(const Lexer& lexer, Expr f) {
  Graph& graph = f.graph();
  std::vector<Expr> constants;
  std::vector<bool> constant;
  for (const NodeId id : graph.reachable(std::span<const Expr>(&f, 1))) {
    const auto children = graph.children(id);
    const bool here = graph.op(id) != Op::symbol &&
                      std::all_of(children.begin(), children.end(), [&](NodeId child) { return constant[child]; });
    if (constant.size() <= id) constant.resize(id + 1, false);
    constant[id] = here;
    if (here && !children.empty()) constants.emplace_back(graph, id);
  }
  if (constants.empty()) return;
  std::vector<Expr> bases;
  for (const Expr& g : constants) bases.push_back(g.op() == Op::pow ? g.child(0) : g);
  const std::vector<double> values = evaluate(constants, {}, {});
  const std::vector<double> base_values = evaluate(bases, {}, {});
  for (std::size_t i = 0; i < values.size(); ++i) {
    check_finite(lexer, 0, values[i]);
    if (constants[i].op() == Op::pow) check_power(lexer, 0, base_values[i], values[i]);
  }
}

void check_power(const Lexer& lexer, std::size_t offset, double base, double value) {
  check_finite(lexer, offset, value);
  if (base != 0) check_finite(lexer, offset, 1 / value);
}

void check_domain(const Lexer& lexer, std::size_t offset, const Function& function, Expr argument) {
  if (!argument.is_number()) return;
  const double x = argument.value();
  const Op op = function.op;
  const bool outside =
      (op == Op::pow && x < 0) || (op == Op::log && x <= 0) || ((op == Op::asin || op == Op::acos) && std::abs(x) > 1);
  if (op == Op::exp || op == Op::sinh || op == Op::cosh)
    check_finite(lexer, offset, op == Op::exp ? std::exp(x) : std::cosh(x));
  if (!outside) return;
  const std::string_view domain = op == Op::pow ? "at least 0" : op == Op::log ? "greater than 0" : "between -1 and 1";
  lexer.fail(offset, std::string(function.name) + " of this constant is not a real number",
             "its argument must be " + std::string(domain));
}

}  // namespace herglotz::symbolic
