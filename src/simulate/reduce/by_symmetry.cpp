#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

#include "carried.hpp"
#include "herglotz/compile/compile.hpp"
#include "herglotz/error.hpp"
#include "herglotz/geometry/inverse.hpp"
#include "herglotz/mechanics/events/friction.hpp"
#include "herglotz/simulate/reduce.hpp"
#include "herglotz/symbolic/evaluate.hpp"
#include "lifted_action.hpp"

namespace herglotz::simulate {
namespace {

using mechanics::System;
using symbolic::Expr;
using Vector = std::vector<double>;

double value_in(const InitialState& start, const Expr& symbol) {
  const auto given = start.find(symbol.name());
  return given == start.end() ? 0.0 : given->second;
}

Vector values_in(const InitialState& start, const std::vector<Expr>& symbols) {
  Vector values;
  for (const Expr& symbol : symbols) values.push_back(value_in(start, symbol));
  return values;
}

/// Returns the values of expressions in x and parameters.
Vector evaluate_at(const System& system, const std::vector<Expr>& outputs, const std::vector<Expr>& x, Vector point) {
  std::vector<Expr> symbols = x;
  for (const auto& parameter : system.parameters) {
    symbols.push_back(parameter.symbol);
    point.push_back(parameter.value);
  }
  return symbolic::evaluate(outputs, symbols, point);
}

Vector multiplied(const Vector& matrix, const Vector& v) {
  Vector result;
  for (std::size_t i = 0; i * v.size() < matrix.size(); ++i) {
    result.push_back(0);
    for (std::size_t j = 0; j < v.size(); ++j) result.back() += matrix[i * v.size() + j] * v[j];
  }
  return result;
}

/// A start that a group element moves from the section: x = g s.
struct StartOnSection {
  mechanics::OrbitSection orbits;
  Vector g;
};

StartOnSection place_of(const System& system, const mechanics::SymmetryGroup& group, const LiftedAction& action,
                        const InitialState& start) {
  const Vector x = values_in(start, system.algebroid.x);
  for (auto& section : mechanics::orbit_sections(system, group, start))
    if (auto g = action.to_section(x, group.fixed, section)) return {std::move(section), std::move(*g)};
  throw Refused(group.is_free()
                    ? "the start cannot be moved onto a section of the orbits of its symmetries"
                    : "no section of the orbits of these symmetries was found whose points have one isotropy group");
}

void set_start(const Problem& given, const InitialState& start, const StartOnSection& place, const LiftedAction& action,
               SymmetryReducedProblem& to) {
  if (start.empty()) return;
  const System& system = given.system;
  const auto& reduction = to.reduction;
  const System& reduced = to.problem.system;
  auto& initial = to.problem.initial;
  Vector state = values_in(start, system.algebroid.x);
  Vector y = values_in(start, system.algebroid.y);
  if (reduction.keeps_frame)
    state.resize(2 * system.n(), 0.0);
  else
    for (const double rate :
         multiplied(evaluate_at(system, system.algebroid.rho.entries, system.algebroid.x, state), y))
      state.push_back(rate);
  state = action.apply_inverse(place.g, std::move(state));
  if (state.empty()) throw Refused("the start cannot be moved onto the section");
  std::vector<Expr> s;
  Vector at;
  for (std::size_t i = 0; i < system.n(); ++i)
    if (!reduction.section[i].is_number()) {
      s.push_back(reduction.section[i]);
      at.push_back(state[i]);
      initial[std::string(s.back().name())] = state[i];
    }
  if (!reduction.keeps_frame) {
    // On the section x_dot = rho frame y'.
    const auto onto = geometry::inverse(reduction.frame, "the invariant frame");
    Vector x(state.begin(), state.begin() + static_cast<std::ptrdiff_t>(system.n()));
    for (std::size_t A = 0; A < place.orbits.values.size(); ++A) x[reduction.group.fixed[A]] = place.orbits.values[A];
    const auto inverse = geometry::inverse(system.algebroid.rho, "the anchor");
    y = multiplied(evaluate_at(system, inverse.entries, system.algebroid.x, x),
                   Vector(state.begin() + static_cast<std::ptrdiff_t>(system.n()), state.end()));
    y = multiplied(evaluate_at(system, onto.entries, s, at), y);
  }
  for (std::size_t a = 0; a < y.size(); ++a) initial[std::string(reduced.algebroid.y[a].name())] = y[a];
  for (std::size_t A = 0; A < reduction.coordinates.size(); ++A) initial[reduction.coordinates[A]] = place.g[A];
  for (const Expr& symbol : {reduced.z, reduced.t})
    if (start.contains(symbol.name())) initial[std::string(symbol.name())] = value_in(start, symbol);
  for (const Expr& multiplier : system.constraints.multipliers)
    if (start.contains(multiplier.name())) initial[std::string(multiplier.name())] = value_in(start, multiplier);
}

std::string description(const System& system, const mechanics::SymmetryGroup& group, const StartOnSection& place) {
  std::vector<std::string> fixed;
  for (std::size_t A = 0; A < group.fixed.size(); ++A)
    fixed.push_back(fmt::format("{} = {}", system.algebroid.x[group.fixed[A]].name(), place.orbits.values[A]));
  return fmt::format("{}, on {}", fmt::join(group.names, ", "), fmt::join(fixed, ", "));
}

}  // namespace

SymmetryReducedProblem reduce_by_symmetry(const Problem& problem, const SymmetryOptions& options) {
  if (problem.discrete) throw Refused("a model with [discrete] is not reduced by symmetry", "remove that table");
  const System& system = problem.system;
  mechanics::require_no_friction(system, "a reduction");
  const InitialState start = full_start(problem);
  const auto symmetries = mechanics::point_symmetries(system, start);
  auto group = mechanics::free_group(system, symmetries, start, options.group);
  const LiftedAction action(system, group);
  const StartOnSection place = place_of(system, group, action, start);
  SymmetryReducedProblem result;
  result.group = description(system, group, place);
  result.reduction =
      mechanics::reduce_by_symmetry(system, std::move(group), place.orbits, start, options.group_coordinates);
  auto& left_out = result.reduction.left_out;
  result.problem.system = std::move(result.reduction.system);
  result.problem.settings = carried(problem.settings);
  if (!problem.settings.columns.empty()) left_out.emplace_back(columns_are_new);
  if (problem.settings.time_scale) {
    left_out.emplace_back("the time scale belongs to the given coordinates");
    result.problem.settings.time_scale.reset();
  }
  if (symmetries.of_lagrangian_only > 0)
    left_out.push_back(fmt::format("{} more point {} of the Lagrangian, which forces or constraints do not have",
                                   symmetries.of_lagrangian_only,
                                   symmetries.of_lagrangian_only == 1 ? "symmetry" : "symmetries"));
  set_start(problem, start, place, action, result);
  return result;
}

struct Reconstruction::Impl {
  LiftedAction action;
  std::size_t n = 0;
  std::size_t q = 0;  // dimension of the orbits
  std::size_t d = 0;
  bool keeps_frame = true;
  Vector parameters;
  kernel::Kernel section;  // (x, x_dot) on the section, of (x', y')
  kernel::Kernel inverse;  // rho^-1 of x, if y is to be found from x_dot
  mutable Vector work{};
};

Reconstruction::Reconstruction(const System& given, const SymmetryReducedProblem& reduced)
    : impl_(std::make_unique<Impl>(Impl{LiftedAction(given, reduced.reduction.group),
                                        given.n(),
                                        reduced.reduction.group.fixed.size(),
                                        reduced.reduction.group.size(),
                                        reduced.reduction.keeps_frame,
                                        {},
                                        {},
                                        {}})) {
  constexpr compile::Options interpreted{.backend = compile::Backend::interpreter};
  const auto& reduction = reduced.reduction;
  const System& system = reduced.problem.system;
  if (reduction.coordinates.empty())
    throw Refused("a motion is reconstructed from a reduced system with group coordinates");
  symbolic::Program program{"section", system.algebroid.graph, system.algebroid.x, {}, reduction.section};
  program.variables.insert(program.variables.end(), system.algebroid.y.begin(), system.algebroid.y.end());
  for (const auto& parameter : given.parameters) {
    program.parameters.push_back(parameter.symbol);
    impl_->parameters.push_back(parameter.value);
  }
  std::vector<Expr> y = system.algebroid.y;
  if (!reduction.keeps_frame) {
    auto rho = given.algebroid.rho;
    for (Expr& entry : rho.entries) entry = symbolic::substitute(entry, given.algebroid.x, reduction.section);
    y = multiply(rho, multiply(reduction.frame, system.algebroid.y));
    symbolic::Program inverse{"frame", program.graph, given.algebroid.x, program.parameters,
                              geometry::inverse(given.algebroid.rho, "the anchor").entries};
    impl_->inverse = compile::compile(inverse, interpreted);
  }
  program.outputs.insert(program.outputs.end(), y.begin(), y.end());
  impl_->section = compile::compile(program, interpreted);
  impl_->work.resize(std::max(impl_->section.work_size(), impl_->inverse ? impl_->inverse.work_size() : 0));
}

Reconstruction::~Reconstruction() = default;
Reconstruction::Reconstruction(Reconstruction&&) noexcept = default;
Reconstruction& Reconstruction::operator=(Reconstruction&&) noexcept = default;

Vector Reconstruction::operator()(std::span<const double> reduced) const {
  const auto& to = *impl_;
  Vector values(to.section.outputs());
  to.section(reduced.data(), to.parameters.data(), values.data(), to.work.data());
  const auto g_at = reduced.begin() + static_cast<std::ptrdiff_t>(to.n - to.q);
  const Vector g(g_at, g_at + static_cast<std::ptrdiff_t>(to.d));
  Vector state(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(to.n));
  const Vector y(values.begin() + static_cast<std::ptrdiff_t>(to.n), values.end());
  if (to.keeps_frame)
    state.resize(2 * to.n, 0.0);
  else
    state.insert(state.end(), y.begin(), y.end());
  state = to.action.apply(g, std::move(state));
  if (state.empty()) throw Failed("the flow of a symmetry cannot be followed");
  Vector rates = y;
  if (!to.keeps_frame) {
    Vector inverse(to.n * to.n);
    to.inverse(state.data(), to.parameters.data(), inverse.data(), to.work.data());
    rates = multiplied(inverse, Vector(state.begin() + static_cast<std::ptrdiff_t>(to.n), state.end()));
  }
  state.resize(to.n);
  state.insert(state.end(), rates.begin(), rates.end());
  return state;
}

}  // namespace herglotz::simulate
