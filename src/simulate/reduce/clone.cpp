#include "herglotz/simulate/clone.hpp"

#include <utility>

#include "herglotz/symbolic/copy.hpp"

namespace herglotz::simulate {
namespace {

using symbolic::Expr;

/// Returns values with a function applied to each of their expressions. The structures are taken apart by structured
/// bindings, so that a member that is added later does not compile before it is thought of here.
template <class Function>
class Mapped {
 public:
  explicit Mapped(Function function) : function_(std::move(function)) {}

  Expr operator()(Expr f) const { return f.valid() ? function_(f) : f; }

  template <class T>
  std::vector<T> operator()(const std::vector<T>& list) const {
    std::vector<T> result;
    result.reserve(list.size());
    for (const T& each : list) result.push_back((*this)(each));
    return result;
  }
  template <class T>
  std::optional<T> operator()(const std::optional<T>& value) const {
    if (!value) return std::nullopt;
    return (*this)(*value);
  }
  symbolic::Matrix operator()(symbolic::Matrix value) const {
    auto& [rows, cols, entries] = value;
    apply(entries);
    return value;
  }
  geometry::StructureFunctions operator()(const geometry::StructureFunctions& c) const {
    // An entry that does not exist has the function that stands for zero.
    constexpr auto none = static_cast<std::size_t>(-1);
    geometry::StructureFunctions result(c.rank(), (*this)(c(none, none, none)));
    for (const auto& [place, value] : c.nonzero()) result.set(place[0], place[1], place[2], (*this)(value));
    return result;
  }
  geometry::Integration operator()(geometry::Integration value) const {
    auto& [frame, c, rho, factors] = value;
    apply(frame, c, rho);
    return value;
  }
  geometry::Algebroid operator()(geometry::Algebroid value) const {
    auto& [kind, graph, x, y, rho, sigma, c, integration, promises] = value;
    apply(x, y, rho, sigma, c, integration);
    return value;
  }
  mechanics::Parameter operator()(mechanics::Parameter value) const {
    auto& [symbol, number] = value;
    apply(symbol);
    return value;
  }
  mechanics::Symmetry operator()(mechanics::Symmetry value) const {
    auto& [name, section] = value;
    apply(section);
    return value;
  }
  mechanics::Dissipated operator()(mechanics::Dissipated value) const { return with_value(std::move(value)); }
  mechanics::Observable operator()(mechanics::Observable value) const { return with_value(std::move(value)); }
  mechanics::Invariant operator()(mechanics::Invariant value) const { return with_value(std::move(value)); }
  mechanics::Reset operator()(mechanics::Reset value) const { return with_value(std::move(value)); }
  mechanics::Impact operator()(mechanics::Impact value) const {
    auto& [restitution, friction, slip, gap_by_time, gap_by_velocity, slip_by_velocity] = value;
    apply(restitution, friction, slip, gap_by_time, gap_by_velocity, slip_by_velocity);
    return value;
  }
  mechanics::Event operator()(mechanics::Event value) const {
    auto& [name, function, direction, stop, resets, impact] = value;
    apply(function, resets, impact);
    return value;
  }
  mechanics::Friction operator()(mechanics::Friction value) const {
    auto& [name, on, normal, held, slid, direction, force, followed] = value;
    apply(on, normal, held, slid, direction, force);
    return value;
  }
  mechanics::Constraints operator()(mechanics::Constraints value) const {
    auto& [rule, equations, multipliers] = value;
    apply(equations, multipliers);
    return value;
  }
  mechanics::Gauge operator()(mechanics::Gauge value) const {
    auto& [conditions, refuse] = value;
    apply(conditions);
    return value;
  }
  mechanics::System operator()(mechanics::System value) const {
    auto& [name, title, reference, algebroid, z, t, p, energy, formulation, generator, forces, parameters, definitions,
           symmetries, dissipated, observables, invariants, events, frictions, smooth_forces, constraints, latex,
           gauge] = value;
    apply(algebroid, z, t, p, energy, generator, forces, parameters, definitions, symmetries, dissipated, observables,
          invariants, events, frictions, smooth_forces, constraints, gauge);
    return value;
  }
  discrete::DiscreteLagrangian operator()(discrete::DiscreteLagrangian value) const {
    auto& [q0, q1, z0, z1, t0, h, ell, minus, plus, rule] = value;
    apply(q0, q1, z0, z1, t0, h, ell, minus, plus);
    return value;
  }
  Settings operator()(Settings value) const {
    auto& [method, project, fixed, t_end, step, tolerance, output_every, output_step, output_times, time_scale, columns,
           galerkin] = value;
    apply(time_scale);
    return value;
  }
  StartExpression operator()(StartExpression value) const { return with_value(std::move(value)); }
  /// The expressions of the start are left out, since they are compiled.
  Problem operator()(const Problem& given) const {
    const auto& [system, initial, settings, text, discrete, next, expressions] = given;
    return {(*this)(system), initial, (*this)(settings), text, (*this)(discrete), next, {}};
  }

 private:
  template <class... T>
  void apply(T&... members) const {
    ((members = (*this)(std::as_const(members))), ...);
  }
  template <class T>
  T with_value(T value) const {
    auto& [name, function] = value;
    apply(function);
    return value;
  }

  Function function_;
};

}  // namespace

Problem clone(const Problem& problem) {
  std::vector<Expr> found;
  const Mapped find([&](Expr f) {
    found.push_back(f);
    return f;
  });
  find(problem);
  find(problem.expressions.list());

  auto graph = std::make_shared<symbolic::Graph>();
  const Mapped copy(symbolic::Copies(found, *graph));
  Problem result = copy(problem);
  result.system.algebroid.graph = graph;
  if (!problem.expressions.empty())
    result.expressions = StartExpressions(result.system, copy(problem.expressions.list()));
  return result;
}

mechanics::System clone(const mechanics::System& system) {
  Problem problem;
  problem.system = system;
  return clone(problem).system;
}

}  // namespace herglotz::simulate
