#pragma once
/// Lists of expressions to be evaluated together, which derivation makes and compilation takes.

#include <memory>
#include <string>
#include <vector>

#include "herglotz/symbolic/graph.hpp"

namespace herglotz::symbolic {

/// Program outputs = f(variables, parameters). Every free symbol of the outputs is a variable or a parameter.
struct Program {
  std::string name;
  std::shared_ptr<Graph> graph;
  std::vector<Expr> variables;   ///< symbols; vary from call to call
  std::vector<Expr> parameters;  ///< symbols; constant along a run
  std::vector<Expr> outputs;
};

}  // namespace herglotz::symbolic
