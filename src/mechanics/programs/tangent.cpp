#include "herglotz/mechanics/tangent.hpp"

#include <algorithm>
#include <string>

#include "herglotz/error.hpp"
#include "herglotz/symbolic/derivative.hpp"
#include "programs/rates.hpp"

namespace herglotz::mechanics {
namespace {

/// Symbols of a direction of states and parameters; no model can use their names.
struct Direction {
  std::vector<Expr> states;
  std::vector<Expr> parameters;
};

std::vector<Expr> differentials(const System& system, const std::vector<Expr>& symbols) {
  std::vector<Expr> result;
  for (const Expr& symbol : symbols) result.push_back(system.graph().symbol("d(" + std::string(symbol.name()) + ")"));
  return result;
}

std::vector<Expr> states_of(const Equations& q) {
  return {q.u.begin(), q.u.end() - 1};
}

std::vector<Expr> parameters_of(const System& system) {
  std::vector<Expr> symbols;
  for (const Parameter& parameter : system.parameters) symbols.push_back(parameter.symbol);
  return symbols;
}

void append(std::vector<Expr>& list, const std::vector<Expr>& more) {
  list.insert(list.end(), more.begin(), more.end());
}

/// Returns the program with the variables (y, dy, t) and the parameters (theta, dtheta, dt), without outputs.
symbolic::Program along(const System& system, const Equations& q, std::string name) {
  symbolic::Program program;
  program.name = std::move(name);
  program.graph = system.algebroid.graph;
  program.variables = states_of(q);
  append(program.variables, differentials(system, program.variables));
  program.variables.push_back(q.u.back());
  program.parameters = parameters_of(system);
  append(program.parameters, differentials(system, program.parameters));
  append(program.parameters, differentials(system, {q.u.back()}));
  return program;
}

/// Returns the derivatives of functions of (y, t, theta) along (dy, dtheta, dt).
std::vector<Expr> derivatives(const System& system, const Equations& q, const std::vector<Expr>& functions) {
  std::vector<Expr> by = states_of(q);
  append(by, parameters_of(system));
  by.push_back(q.u.back());
  return symbolic::directional_derivative(functions, by, differentials(system, by));
}

/// Returns functions with the multipliers of nonholonomic constraints in them replaced by those of the motion.
std::vector<Expr> on_motion(const System& system, const Equations& q, const std::vector<Expr>& functions) {
  const auto has_multipliers = [&](const Expr& function) {
    return std::any_of(q.l.begin(), q.l.end(), [&](const Expr& l) { return symbolic::depends_on(function, l); });
  };
  if (q.rule != Rule::nonholonomic || std::none_of(functions.begin(), functions.end(), has_multipliers))
    return functions;
  if (!eliminates_inside(system, q))
    throw Refused("there is no straight-line code for the multipliers",
                  "a model whose accelerations and multipliers are at most " + std::to_string(straight_line_rank));
  const auto rates = flow_program(system, q).outputs;
  return symbolic::substitute(functions, q.l,
                              std::vector<Expr>(rates.end() - static_cast<std::ptrdiff_t>(q.m()), rates.end()));
}

/// Returns the program with the variables (y, c, t) and the parameters theta whose outputs are the derivatives of the
/// sum of c_i F_i by y, theta and t.
symbolic::Program pulled_back(const System& system, const Equations& q, const std::vector<Expr>& functions,
                              std::string name) {
  symbolic::Program program;
  program.name = std::move(name);
  program.graph = system.algebroid.graph;
  program.parameters = parameters_of(system);
  program.variables = states_of(q);
  std::vector<Expr> by = program.variables;
  append(by, program.parameters);
  by.push_back(q.u.back());
  Expr sum = system.graph().number(0);
  for (std::size_t i = 0; i < functions.size(); ++i) {
    program.variables.push_back(system.graph().symbol("c(" + std::to_string(i) + ")"));
    sum = sum + program.variables.back() * functions[i];
  }
  program.variables.push_back(q.u.back());
  program.outputs = symbolic::gradient(sum, by);
  return program;
}

}  // namespace

SolvedRates rates_of(const System& system, const Equations& q, EliminationOrder elimination) {
  if (q.rule == Rule::vakonomic && q.m() > 0)
    throw Refused("there are no variational equations of vakonomic constraints",
                  "take differences of runs, or the nonholonomic rule");
  const std::size_t states = q.u.size() - 1;
  SolvedRates motion;
  if (elimination == EliminationOrder::exchanging && eliminates_inside(system, q)) {
    motion.rates = flow_program(system, q).outputs;
    motion.rates.resize(states);
    return motion;
  }
  const MotionProgram in_order = motion_program(system, q, {});
  const auto& outputs = in_order.program.outputs;
  motion.rates.assign(outputs.begin(), outputs.begin() + static_cast<std::ptrdiff_t>(states));
  motion.checks.assign(outputs.end() - static_cast<std::ptrdiff_t>(in_order.checks), outputs.end());
  return motion;
}

TangentMotion tangent_motion(const System& system, const Equations& q, EliminationOrder elimination) {
  const SolvedRates motion = rates_of(system, q, elimination);
  TangentMotion tangent{along(system, q, "tangent motion"), motion.rates.size(), motion.checks.size()};
  tangent.program.outputs = motion.rates;
  append(tangent.program.outputs, derivatives(system, q, motion.rates));
  append(tangent.program.outputs, motion.checks);
  return tangent;
}

symbolic::Program tangent_functions(const System& system, const Equations& q, const std::vector<Expr>& functions) {
  symbolic::Program program = along(system, q, "tangent functions");
  const std::vector<Expr> values = on_motion(system, q, functions);
  program.outputs = derivatives(system, q, values);
  append(program.outputs, values);
  return program;
}

AdjointMotion adjoint_motion(const System& system, const Equations& q) {
  const SolvedRates motion = rates_of(system, q, EliminationOrder::exchanging);
  AdjointMotion adjoint{
      {}, pulled_back(system, q, motion.rates, "adjoint motion"), motion.rates.size(), motion.checks.size()};
  adjoint.motion = {"motion", system.algebroid.graph, q.u, parameters_of(system), motion.rates};
  append(adjoint.motion.outputs, motion.checks);
  return adjoint;
}

symbolic::Program adjoint_functions(const System& system, const Equations& q, const std::vector<Expr>& functions) {
  return pulled_back(system, q, on_motion(system, q, functions), "adjoint functions");
}

}  // namespace herglotz::mechanics
