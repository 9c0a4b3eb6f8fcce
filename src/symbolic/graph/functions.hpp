#pragma once
/// The functions of the grammar: one table for the parser and the printers.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "herglotz/symbolic/expr.hpp"

namespace herglotz::symbolic {

/// A function of the grammar. `sqrt` has Op::pow: the graph knows it as the power 1/2. `max` and `min` have Op::select,
/// with two arguments.
struct Function {
  std::string_view name;
  Op op;
  std::size_t arity;
};

/// Returns the function of that name, or `nullptr` if there is no such function.
const Function* find_function(std::string_view name);
/// Returns the name of the function, or "" for an Op that is not written as a call.
std::string_view function_name(Op op);
/// Returns "max" or "min" for max(a, b) = select(a, b, a, b) or min(a, b) = select(a, b, b, a), else "".
std::string_view extremum_name(Expr f);
/// Returns the names of the functions that a model may write.
std::vector<std::string> function_names();

}  // namespace herglotz::symbolic
