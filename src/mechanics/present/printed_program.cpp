#include "present/printed_program.hpp"

#include <algorithm>
#include <numeric>
#include <string>

namespace herglotz::mechanics {
namespace {

/// Returns the row of the derived constraints for each constraint of the model, in the model's order.
std::vector<std::size_t> order_of_the_model(const Equations& q) {
  std::vector<std::size_t> order(q.m());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return q.equation[a] < q.equation[b]; });
  return order;
}

/// Returns the equations with their constraints in the order of the model.
Equations in_order_of_the_model(const Equations& q) {
  Equations sorted = q;
  const auto order = order_of_the_model(q);
  for (std::size_t k = 0; k < order.size(); ++k) {
    const std::size_t row = order[k];
    sorted.l[k] = q.l[row];
    sorted.Phi[k] = q.Phi[row];
    sorted.beta[k] = q.beta[row];
    sorted.equation[k] = q.equation[row];
    for (std::size_t a = 0; a < q.Phi_y.cols; ++a) sorted.Phi_y(k, a) = q.Phi_y(row, a);
    for (std::size_t a = 0; a < q.Phi_w.cols; ++a) sorted.Phi_w(k, a) = q.Phi_w(row, a);
  }
  return sorted;
}

std::string rate_of(Expr symbol) {
  return "d(" + std::string(symbol.name()) + ")/dt";
}

class Outputs {
 public:
  void rate(Expr symbol) { list.push_back({rate_of(symbol), 1}); }
  void rates(const std::vector<Expr>& symbols) {
    for (const Expr& symbol : symbols) rate(symbol);
  }
  void multipliers(const Equations& q) {
    for (const Expr& l : q.l)
      list.push_back({q.rule == Rule::vakonomic ? rate_of(l) : "multiplier " + std::string(l.name()), 1});
  }
  void block(const std::string& what, std::size_t rows, std::size_t cols) {
    if (rows * cols == 0) return;
    const std::string shape = std::to_string(rows) + " x " + std::to_string(cols);
    list.push_back({what + (cols == 1 ? "" : ", " + shape + ", row by row"), rows * cols});
  }

  std::vector<ProgramOutput> list;
};

}  // namespace

PrintedProgram program_to_print(const System& system, const Equations& equations) {
  const Equations q = in_order_of_the_model(equations);
  Outputs outputs;
  outputs.rates(system.algebroid.x);
  if (eliminates_inside(system, equations)) {
    outputs.rates(system.w());
    outputs.rate(system.z);
    outputs.multipliers(q);
    // The elimination has the order of the derivation, as in every run; only its inputs and outputs are sorted.
    symbolic::Program flow = flow_program(system, equations);
    const std::size_t first = flow.outputs.size() - q.m();
    const std::vector<Expr> ell(flow.outputs.begin() + static_cast<std::ptrdiff_t>(first), flow.outputs.end());
    const auto order = order_of_the_model(equations);
    for (std::size_t k = 0; k < order.size(); ++k) flow.outputs[first + k] = ell[order[k]];
    std::copy(q.l.begin(), q.l.end(), flow.variables.end() - static_cast<std::ptrdiff_t>(q.m()));
    return {std::move(flow), std::move(outputs.list)};
  }
  const std::size_t r = q.b.size();
  const bool constrained = q.m() > 0;
  const std::string ell = q.rule == Rule::vakonomic ? "d(multipliers)/dt" : "multipliers";
  outputs.rate(system.z);
  outputs.block(std::string("W of W dw/dt = b") + (constrained ? " + Phi_y^T ell, ell = " + ell : ""), r, r);
  outputs.block("b", r, 1);
  outputs.block("Phi_y", q.m(), r);
  outputs.block("Phi_w of Phi_w dw/dt = -beta", q.m(), r);
  outputs.block("beta", q.m(), 1);
  return {mass_program(system, q), std::move(outputs.list)};
}

}  // namespace herglotz::mechanics
