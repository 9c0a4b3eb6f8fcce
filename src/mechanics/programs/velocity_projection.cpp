#include "herglotz/error.hpp"
#include "herglotz/mechanics/tangent.hpp"
#include "herglotz/symbolic/derivative.hpp"

namespace herglotz::mechanics {

VelocityProjection velocity_projection(const System& system, const Equations& q) {
  if (q.rule != Rule::nonholonomic || !q.phi.empty())
    throw Refused("only projections onto constraints on velocities are differentiated");
  VelocityProjection projection;
  projection.states = q.u.size() - 1;
  projection.first = q.x_dot.size();
  projection.velocities = q.p.size();
  projection.constraints = q.m();
  symbolic::Graph& graph = system.graph();
  const std::vector<Expr> w(q.u.begin() + static_cast<std::ptrdiff_t>(projection.first), q.u.end() - 2);
  std::vector<Expr> unknowns;
  for (const Expr& symbol : w) unknowns.push_back(graph.symbol("projected(" + std::string(symbol.name()) + ")"));
  const std::vector<Expr> there = unknowns;
  for (std::size_t A = 0; A < q.m(); ++A) unknowns.push_back(graph.symbol("impulse(" + std::to_string(A) + ")"));
  const auto moved = [&](const std::vector<Expr>& functions) { return symbolic::substitute(functions, w, there); };
  const std::vector<Expr> p = moved(q.p);
  const std::vector<Expr> directions = moved(q.Phi_y.entries);
  symbolic::Program& program = projection.program;
  for (std::size_t a = 0; a < p.size(); ++a) {
    Expr change = p[a] - q.p[a];
    for (std::size_t A = 0; A < q.m(); ++A) change -= unknowns[p.size() + A] * directions[A * q.Phi_y.cols + a];
    program.outputs.push_back(change);
  }
  for (const Expr& constraint : moved(q.Phi)) program.outputs.push_back(constraint);
  program.name = "velocity projection";
  program.graph = system.algebroid.graph;
  for (const Parameter& parameter : system.parameters) program.parameters.push_back(parameter.symbol);
  std::vector<Expr> by = unknowns;
  by.insert(by.end(), q.u.begin(), q.u.end() - 1);
  by.insert(by.end(), program.parameters.begin(), program.parameters.end());
  by.push_back(q.u.back());
  program.variables = unknowns;
  program.variables.insert(program.variables.end(), q.u.begin(), q.u.end());
  for (const auto& entry : symbolic::jacobian(program.outputs, by).entries) {
    projection.row.push_back(entry.row);
    projection.col.push_back(entry.col);
    program.outputs.push_back(entry.value);
  }
  return projection;
}

}  // namespace herglotz::mechanics
