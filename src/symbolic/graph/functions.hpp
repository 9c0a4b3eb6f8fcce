#pragma once
/// The functions of the grammar: one table for the parser and the printers.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "herglotz/symbolic/expr.hpp"

namespace herglotz::symbolic {

/// `sqrt` has Op::pow: the graph knows it as the power 1/2. `max` and `min` have Op::select, with two arguments.
struct Function {
  std::string_view name;
  Op op;
  std::size_t arity;
};

/// Null for a name that is no function.
const Function* find_function(std::string_view name);
/// Empty for an Op that is not written as a call.
std::string_view function_name(Op op);
/// max(a, b) = select(a, b, a, b) and min(a, b) = select(a, b, b, a): the name of such a node, or nothing.
std::string_view extremum_name(Expr f);
/// The functions a model may write.
std::vector<std::string> function_names();

}  // namespace herglotz::symbolic
