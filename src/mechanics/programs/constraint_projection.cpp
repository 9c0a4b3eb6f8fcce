#include "herglotz/error.hpp"
#include "herglotz/mechanics/tangent.hpp"
#include "herglotz/symbolic/derivative.hpp"

namespace herglotz::mechanics {
namespace {

std::vector<Expr> tagged_symbols(const System& system, const std::string& what, const std::vector<Expr>& of) {
  std::vector<Expr> list;
  for (const Expr& symbol : of) list.push_back(system.graph().symbol(what + "(" + std::string(symbol.name()) + ")"));
  return list;
}

std::vector<Expr> numbered(const System& system, const std::string& what, std::size_t count) {
  std::vector<Expr> list;
  for (std::size_t k = 0; k < count; ++k) list.push_back(system.graph().symbol(what + "(" + std::to_string(k) + ")"));
  return list;
}

void add_all(std::vector<Expr>& list, const std::vector<Expr>& more) {
  list.insert(list.end(), more.begin(), more.end());
}

/// Returns the sum of row A of a matrix times d, or of its column A times d.
Expr row_times(const System& system, const symbolic::Matrix& matrix, std::size_t A, const std::vector<Expr>& d) {
  Expr sum = system.graph().number(0);
  for (std::size_t a = 0; a < d.size(); ++a) sum += matrix.entries[A * matrix.cols + a] * d[a];
  return sum;
}
Expr column_times(const System& system, const std::vector<Expr>& entries, std::size_t a, const std::vector<Expr>& k) {
  Expr sum = system.graph().number(0);
  for (std::size_t A = 0; A < k.size(); ++A) sum += k[A] * entries[A * (entries.size() / k.size()) + a];
  return sum;
}

/// Appends to the outputs the derivatives by the unknowns and (x, w, z, theta, t) that do not vanish.
void add_derivatives(const System& system, const Equations& q, const std::vector<Expr>& unknowns,
                     ConstraintProjection& projection) {
  symbolic::Program& program = projection.program;
  program.graph = system.algebroid.graph;
  for (const Parameter& parameter : system.parameters) program.parameters.push_back(parameter.symbol);
  std::vector<Expr> by = unknowns;
  by.insert(by.end(), q.u.begin(), q.u.end() - 1);
  add_all(by, program.parameters);
  by.push_back(q.u.back());
  program.variables = unknowns;
  add_all(program.variables, q.u);
  for (const auto& entry : symbolic::jacobian(program.outputs, by).entries) {
    projection.row.push_back(entry.row);
    projection.col.push_back(entry.col);
    program.outputs.push_back(entry.value);
  }
}

}  // namespace

ConstraintProjection constraint_projection(const System& system, const Equations& q) {
  const bool holonomic = !q.phi.empty();
  if (q.rule != Rule::nonholonomic) throw Refused("only projections onto nonholonomic constraints are differentiated");
  for (const Expr& phi : q.phi)
    if (symbolic::depends_on(phi, system.z))
      throw Refused("projections onto constraints of positions that depend on the action are not differentiated");
  const std::size_t n = q.x_dot.size();
  const std::size_t r = q.p.size();
  const std::vector<Expr> x(q.u.begin(), q.u.begin() + static_cast<std::ptrdiff_t>(n));
  const std::vector<Expr> w(q.u.begin() + static_cast<std::ptrdiff_t>(n), q.u.end() - 2);
  ConstraintProjection projection;
  projection.states = q.u.size() - 1;
  projection.first = holonomic ? 0 : n;
  projection.program.name = "projection onto constraints";
  auto& outputs = projection.program.outputs;
  const std::vector<Expr> w_there = tagged_symbols(system, "projected", w);
  const std::vector<Expr> k = numbered(system, "impulse", q.m());
  std::vector<Expr> unknowns = w_there;
  std::vector<Expr> others = k;
  std::vector<Expr> before = q.p;  // momenta behind the projection of positions
  std::vector<Expr> from = w;
  std::vector<Expr> to = w_there;
  if (holonomic) {
    const std::vector<Expr> x_there = tagged_symbols(system, "projected", x);
    const std::vector<Expr> d = tagged_symbols(system, "displacement", w);
    const std::vector<Expr> push = numbered(system, "push", q.m());
    const symbolic::Matrix x_by_w = symbolic::to_dense(system.graph(), symbolic::jacobian(q.x_dot, w));
    for (std::size_t i = 0; i < n; ++i) outputs.push_back(x_there[i] - x[i] - row_times(system, x_by_w, i, d));
    for (std::size_t a = 0; a < r; ++a)
      outputs.push_back(row_times(system, q.W, a, d) - column_times(system, q.Phi_y.entries, a, push));
    add_all(outputs, symbolic::substitute(q.phi, x, x_there));
    for (std::size_t A = q.phi.size(); A < q.m(); ++A) outputs.push_back(row_times(system, q.Phi_w, A, d));
    before = symbolic::substitute(q.p, x, x_there);
    unknowns.insert(unknowns.begin(), x_there.begin(), x_there.end());
    add_all(others, d);
    add_all(others, push);
    from.insert(from.begin(), x.begin(), x.end());
    to.insert(to.begin(), x_there.begin(), x_there.end());
  }
  projection.replaced = unknowns.size();
  projection.others = others.size();
  add_all(unknowns, others);
  const std::vector<Expr> p = symbolic::substitute(q.p, from, to);
  const std::vector<Expr> directions = symbolic::substitute(q.Phi_y.entries, from, to);
  for (std::size_t a = 0; a < r; ++a) outputs.push_back(p[a] - before[a] - column_times(system, directions, a, k));
  add_all(outputs, symbolic::substitute(q.Phi, from, to));
  add_derivatives(system, q, unknowns, projection);
  return projection;
}

}  // namespace herglotz::mechanics
