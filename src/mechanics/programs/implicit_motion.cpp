#include "herglotz/mechanics/tangent.hpp"
#include "herglotz/symbolic/derivative.hpp"
#include "programs/rates.hpp"

namespace herglotz::mechanics {
namespace {

/// Completes a motion whose program has the variables u and the functions m and g, with m before g.
void complete(const System& system, const Equations& q, ImplicitMotion& motion) {
  symbolic::Program& program = motion.program;
  program.graph = system.algebroid.graph;
  for (const Parameter& parameter : system.parameters) program.parameters.push_back(parameter.symbol);
  motion.size = program.variables.size();
  std::vector<Expr> by = program.variables;
  by.insert(by.end(), program.parameters.begin(), program.parameters.end());
  by.push_back(q.u.back());
  const auto slopes = symbolic::jacobian(program.outputs, by);
  for (const auto& entry : slopes.entries) {
    motion.row.push_back(entry.row);
    motion.col.push_back(entry.col);
    program.outputs.push_back(entry.value);
  }
  program.variables.push_back(q.u.back());
}

}  // namespace

ImplicitMotion lifted_motion(const System& system, const Equations& q) {
  const Expr R = system.graph().symbol("R()");  // no model can use this name
  ImplicitMotion motion;
  motion.program.name = "lifted motion";
  motion.program.variables.assign(q.u.begin(), q.u.end() - 1);
  motion.states = motion.program.variables.size();
  motion.program.variables.push_back(R);
  motion.start = {1};
  auto& outputs = motion.program.outputs;
  const auto list = [&](const std::vector<Expr>& of_x, const std::vector<Expr>& of_p, const Expr& of_z,
                        const Expr& of_R) {
    outputs.insert(outputs.end(), of_x.begin(), of_x.end());
    for (const Expr& entry : of_p) outputs.push_back(R * entry);
    outputs.push_back(of_z);
    outputs.push_back(of_R);
  };
  list(system.algebroid.x, q.p, system.z, R);
  list(q.x_dot, q.f, q.L, -R * q.L_z);
  motion.of_second_table.assign(motion.states + 1, false);
  for (std::size_t a = 0; a < q.p.size(); ++a) motion.of_second_table[q.x_dot.size() + a] = true;
  motion.of_second_table.back() = true;
  complete(system, q, motion);
  return motion;
}

ImplicitMotion direct_motion(const System& system, const Equations& q) {
  ImplicitMotion motion;
  motion.program.name = "direct motion";
  motion.program.variables.assign(q.u.begin(), q.u.end() - 1);
  motion.states = motion.program.variables.size();
  motion.program.outputs = motion.program.variables;
  const auto rates = rates_of(system, q, EliminationOrder::exchanging).rates;
  motion.program.outputs.insert(motion.program.outputs.end(), rates.begin(), rates.end());
  motion.of_second_table.assign(motion.states, false);
  complete(system, q, motion);
  return motion;
}

}  // namespace herglotz::mechanics
