#include "derivative_program.hpp"

#include <utility>

#include "herglotz/symbolic/derivative.hpp"

namespace herglotz::discrete {

symbolic::Program program_without_outputs(const mechanics::System& system, std::string name,
                                          std::vector<symbolic::Expr> variables) {
  symbolic::Program program;
  program.name = std::move(name);
  program.graph = system.algebroid.graph;
  program.variables = std::move(variables);
  for (const auto& parameter : system.parameters) program.parameters.push_back(parameter.symbol);
  return program;
}

mechanics::SparseProgram derivative_program(symbolic::Program program, const std::vector<symbolic::Expr>& outputs,
                                            const std::vector<symbolic::Expr>& by) {
  const auto jacobian = symbolic::jacobian(outputs, by);
  mechanics::SparseProgram sparse;
  sparse.program = std::move(program);
  sparse.rows = jacobian.rows;
  sparse.cols = jacobian.cols;
  for (const symbolic::Entry& entry : jacobian.entries) {
    if (entry.value.is_zero()) continue;
    sparse.row.push_back(entry.row);
    sparse.col.push_back(entry.col);
    sparse.program.outputs.push_back(entry.value);
  }
  return sparse;
}

}  // namespace herglotz::discrete
