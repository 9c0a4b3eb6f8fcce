#include "lifted_action.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "herglotz/compile/compile.hpp"
#include "herglotz/geometry/null_space.hpp"
#include "herglotz/kernel/quadrature.hpp"
#include "herglotz/symbolic/derivative.hpp"

namespace herglotz::simulate {
namespace {

using Vector = LiftedAction::Vector;
using symbolic::Expr;

constexpr double epsilon = std::numeric_limits<double>::epsilon();

double size_of(const Vector& v) {
  double size = 1;
  for (const double entry : v) size = std::max(size, std::abs(entry));
  return size;
}

}  // namespace

LiftedAction::LiftedAction(const mechanics::System& system, const mechanics::SymmetryGroup& group) : n_(system.n()) {
  const auto& x = system.algebroid.x;
  std::vector<Expr> x_dot;
  for (const Expr& one : x) x_dot.push_back(system.graph().symbol(std::string(one.name()) + " dot"));
  std::vector<symbolic::Program> programs;
  for (const auto& field : group.fields) {
    symbolic::Program program{"symmetry", system.algebroid.graph, x, {}, field};
    program.variables.insert(program.variables.end(), x_dot.begin(), x_dot.end());
    const auto moved = symbolic::directional_derivative(field, x, x_dot);
    program.outputs.insert(program.outputs.end(), moved.begin(), moved.end());
    programs.push_back(std::move(program));
  }
  fields_ = compile::compile(programs, {.backend = compile::Backend::interpreter});
  for (const auto& field : fields_) work_.resize(std::max(work_.size(), field.work_size()));
}

Vector LiftedAction::step(std::size_t A, double h, const Vector& state) const {
  constexpr std::size_t s = 6;
  static const auto gauss = kernel::rounded<s>(kernel::gauss_quadrature(s));
  const std::size_t size = state.size();
  std::vector<Vector> rates(s, Vector(size));
  for (Vector& rate : rates) fields_[A](state.data(), nullptr, rate.data(), work_.data());
  Vector stage(size);
  Vector rate(size);
  for (int iteration = 0; iteration < 60; ++iteration) {
    double change = 0;
    for (std::size_t i = 0; i < s; ++i) {
      for (std::size_t k = 0; k < size; ++k) {
        stage[k] = state[k];
        for (std::size_t j = 0; j < s; ++j) stage[k] += h * gauss.A[i][j] * rates[j][k];
      }
      fields_[A](stage.data(), nullptr, rate.data(), work_.data());
      for (std::size_t k = 0; k < size; ++k) {
        if (!std::isfinite(rate[k])) return {};
        change = std::max(change, std::abs(h * (rate[k] - rates[i][k])));
      }
      rates[i] = rate;
    }
    if (change > 2 * epsilon * size_of(state)) continue;
    Vector to = state;
    for (std::size_t k = 0; k < size; ++k)
      for (std::size_t i = 0; i < s; ++i) to[k] += h * gauss.b[i] * rates[i][k];
    return to;
  }
  return {};
}

Vector LiftedAction::over(std::size_t A, double h, const Vector& state, int halvings) const {
  const Vector whole = step(A, h, state);
  const Vector middle = step(A, h / 2, state);
  Vector halves = middle.empty() ? middle : step(A, h / 2, middle);
  if (!whole.empty() && !halves.empty()) {
    double error = 0;
    for (std::size_t k = 0; k < whole.size(); ++k) error = std::max(error, std::abs(whole[k] - halves[k]));
    if (error <= 16 * epsilon * size_of(halves)) return halves;
  }
  if (halvings == 0) return {};
  const Vector first = over(A, h / 2, state, halvings - 1);
  return first.empty() ? first : over(A, h / 2, first, halvings - 1);
}

Vector LiftedAction::flow(std::size_t A, double time, Vector state) const {
  constexpr double longest = 0.5;
  constexpr int most_halvings = 12;
  const double pieces = std::ceil(std::abs(time) / longest);
  for (double k = 0; k < pieces && !state.empty(); ++k) state = over(A, time / pieces, state, most_halvings);
  return state;
}

Vector LiftedAction::apply(const Vector& g, Vector state) const {
  for (std::size_t A = g.size(); A-- > 0 && !state.empty();) state = flow(A, g[A], std::move(state));
  return state;
}

Vector LiftedAction::apply_inverse(const Vector& g, Vector state) const {
  for (std::size_t A = 0; A < g.size() && !state.empty(); ++A) state = flow(A, -g[A], std::move(state));
  return state;
}

std::optional<Vector> LiftedAction::to_section(const Vector& x, const std::vector<std::size_t>& fixed,
                                               const mechanics::OrbitSection& section) const {
  const std::size_t q = fixed.size();
  const auto off = [&](const Vector& g) {
    Vector state = x;
    state.resize(2 * n_, 0.0);
    state = apply_inverse(g, std::move(state));
    Vector defect;
    for (std::size_t A = 0; A < q && !state.empty(); ++A) defect.push_back(state[fixed[A]] - section.values[A]);
    return defect;
  };
  Vector g(fields_.size(), 0.0);
  Vector defect = off(g);
  constexpr double difference = 1e-6;
  for (int iteration = 0; iteration < 40; ++iteration) {
    if (defect.empty()) return std::nullopt;
    const bool there = std::all_of(defect.begin(), defect.end(),
                                   [&](double one) { return std::abs(one) <= 16 * epsilon * size_of(x); });
    if (there) return g;
    Vector slopes(q * q);
    for (std::size_t b = 0; b < q; ++b) {
      Vector plus = g;
      Vector minus = g;
      plus[section.moving[b]] += difference;
      minus[section.moving[b]] -= difference;
      const Vector above = off(plus);
      const Vector below = off(minus);
      if (above.empty() || below.empty()) return std::nullopt;
      for (std::size_t A = 0; A < q; ++A) slopes[A * q + b] = (above[A] - below[A]) / (2 * difference);
    }
    const Vector move = geometry::solve(std::move(slopes), defect);
    for (std::size_t b = 0; b < q; ++b) {
      constexpr double farthest = 20;
      double& one = g[section.moving[b]];
      one -= move[b];
      if (!(std::abs(one) < farthest * size_of(x))) return std::nullopt;
    }
    defect = off(g);
  }
  return std::nullopt;
}

}  // namespace herglotz::simulate
