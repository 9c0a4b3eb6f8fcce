#include "herglotz/simulate/arrows.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <span>

#include "herglotz/discrete/exact.hpp"
#include "herglotz/discrete/groupoid_lagrangian.hpp"
#include "herglotz/discrete/herglotz_equations.hpp"
#include "herglotz/error.hpp"
#include "herglotz/integrate/exponential.hpp"
#include "herglotz/integrate/integrate.hpp"
#include "herglotz/symbolic/evaluate.hpp"
#include "path/sequence_facts.hpp"

namespace herglotz::simulate {
namespace {

using mechanics::System;
using symbolic::Expr;
using Numbers = std::vector<double>;

/// Returns the structure constants of the frame of a groupoid at [(k r + i) r + j].
Numbers structure_of(const System& system, const Numbers& parameters) {
  const geometry::Integration& groupoid = *system.algebroid.integration;
  std::vector<Expr> symbols;
  for (const auto& parameter : system.parameters) symbols.push_back(parameter.symbol);
  std::vector<Expr> entries;
  for (std::size_t k = 0; k < system.r(); ++k)
    for (std::size_t i = 0; i < system.r(); ++i)
      for (std::size_t j = 0; j < system.r(); ++j) entries.push_back(symbolic::expand_lets(groupoid.c(k, i, j)));
  return symbolic::evaluate(entries, symbols, parameters);
}

/// Returns a matrix (rows x columns) of functions of x, times a vector.
Numbers applied(const System& system, const symbolic::Matrix& matrix, const Numbers& parameters, const Numbers& x,
                const Numbers& v) {
  auto symbols = system.algebroid.x;
  Numbers at = x;
  for (std::size_t k = 0; k < parameters.size(); ++k) {
    symbols.push_back(system.parameters[k].symbol);
    at.push_back(parameters[k]);
  }
  std::vector<Expr> opened;
  for (const Expr& entry : matrix.entries) opened.push_back(symbolic::expand_lets(entry));
  const Numbers entries = symbolic::evaluate(opened, symbols, at);
  Numbers product(entries.size() / v.size());
  for (std::size_t k = 0; k < entries.size(); ++k) product[k / v.size()] += entries[k] * v[k % v.size()];
  return product;
}

/// Returns x . e^eta, by the flow of the generators rho eta over the time 1.
Numbers moved(const System& system, const Numbers& parameters, const Numbers& x, const Numbers& eta) {
  const std::size_t n = x.size();
  if (n == 0) return {};
  const geometry::Integration& groupoid = *system.algebroid.integration;
  integrate::Dynamics flow;
  flow.n = n;
  flow.r = 1;  // a velocity that is 0, as motions have one
  flow.flow = kernel::from_function("generator", n + 3, parameters.size(), n + 2,
                                    [&](std::span<const double> u, std::span<const double>, std::span<double> out) {
                                      const auto rates =
                                          applied(system, groupoid.rho, parameters,
                                                  {u.begin(), u.begin() + static_cast<std::ptrdiff_t>(n)}, eta);
                                      std::copy(rates.begin(), rates.end(), out.begin());
                                      std::fill(out.begin() + static_cast<std::ptrdiff_t>(n), out.end(), 0.0);
                                    });
  flow.balance =
      kernel::from_function("0", n + 3, parameters.size(), 1, [](auto, auto, std::span<double> out) { out[0] = 0; });
  Numbers state = x;
  state.resize(n + 2);
  integrate::Settings settings;
  settings.t_end = 1;
  settings.tolerance = 1e-14;
  auto end = integrate::integrate(flow, parameters, 0, state, settings, [](const integrate::Sample&) { return true; });
  if (end.status != integrate::Status::success) throw Failed("the arrow does not reach from x0: " + end.reason.text());
  end.state.resize(n);
  return end.state;
}

discrete::ActionGroupoid free_groupoid(const System& system) {
  if (!system.constraints.equations.empty())
    throw Refused("the exact discrete Lagrangian on a groupoid is one without constraints");
  return discrete::on_action_groupoid(system);
}

}  // namespace

ArrowStep step_along_arrow(const Problem& problem, const Numbers& parameters, const Numbers& x0, const Numbers& eta,
                           double z0, double t0, double h) {
  const System& system = problem.system;
  if (!problem.discrete || discrete::is_followed(*problem.discrete) || !discrete::on_groupoid(*problem.discrete))
    throw Refused("this system has no discrete Lagrangian of arrows",
                  "off tangent bundles give discrete a rule such as \"left\" or \"trapezoid\", or a lagrangian in "
                  "eta_<fibre>");
  const auto derived = discrete::groupoid_herglotz(system, *problem.discrete);
  const auto slopes = integrate::logarithm_slopes(structure_of(system, parameters), eta);
  if (!slopes) throw Failed("the arrow e^eta is beyond the reach of exp; take a smaller eta");
  Numbers x1 = moved(system, parameters, x0, eta);
  Numbers arrow = x1;
  arrow.insert(arrow.end(), eta.begin(), eta.end());
  discrete::StepValues step(system, *problem.discrete, parameters, x0, arrow, z0, t0, h);
  step.solve_action(problem.discrete->ell, derived.D_z1);
  const Numbers by_eta = step(derived.by_eta);
  const Numbers factors = step(std::vector<Expr>{derived.D_z0, derived.D_z1});
  Numbers p0 = step(derived.pull0);
  Numbers p1 = step(derived.pull1);
  const std::size_t r = eta.size();
  for (std::size_t a = 0; a < r; ++a) {
    for (std::size_t b = 0; b < r; ++b) {
      p0[a] -= slopes->left[b * r + a] * by_eta[b];
      p1[a] += slopes->right[b * r + a] * by_eta[b];
    }
    p0[a] /= -(1 + factors[0]);
    p1[a] /= 1 - factors[1];
  }
  return {{std::move(p0), std::move(p1), step.z1(), (1 + factors[0]) / (1 - factors[1])}, std::move(x1)};
}

MotionOnGroupoid::MotionOnGroupoid(const Problem& problem, Numbers parameters)
    : problem_(problem),
      groupoid_(free_groupoid(problem.system)),
      parameters_(std::move(parameters)),
      constants_(structure_of(problem.system, parameters_)) {}

integrate::Dynamics MotionOnGroupoid::dynamics() const {
  return Simulator(groupoid_.system).dynamics_for(*integrate::find_method("radau-5"));
}

analyse::ExactOnGroupoid MotionOnGroupoid::exact(const Numbers& x0, const Numbers& eta, double z0, double t0,
                                                 double h) const {
  return analyse::exact_on_groupoid(dynamics(), constants_, parameters_, t0, x0, eta, z0, h);
}

analyse::ArrowOfMotion MotionOnGroupoid::arrow(const Numbers& x0, const Numbers& xi0, double z0, double t0,
                                               double h) const {
  return analyse::arrow_of_motion(dynamics(), constants_, parameters_, t0, x0, xi0, z0, h);
}

Numbers MotionOnGroupoid::velocity(const Numbers& x, const Numbers& xi) const {
  return applied(problem_.system, groupoid_.frame, parameters_, x, xi);
}

SequenceFacts facts_of_arrows(const Problem& problem, const ArrowSequence& of, const discrete::Components& zeta,
                              bool exact) {
  if (of.eta.empty()) throw Refused("a sequence without arrows has no steps", "give one or more");
  const System& system = problem.system;
  Numbers parameters;
  for (const auto& parameter : system.parameters) parameters.push_back(parameter.value);
  std::optional<MotionOnGroupoid> motion;
  if (exact) motion.emplace(problem, parameters);
  std::vector<discrete::LegendreTransforms> steps;
  discrete::Components x{of.x0};
  for (std::size_t k = 0; k < of.eta.size(); ++k) {
    const double z = steps.empty() ? of.z0 : steps.back().z1;
    const double t = of.t0 + static_cast<double>(k) * of.h;
    if (exact) {
      auto found = motion->exact(x.back(), of.eta[k], z, t, of.h);
      steps.push_back({std::move(found.p0), std::move(found.p1), z + found.value, found.sigma});
      x.push_back(std::move(found.x1));
    } else {
      auto found = step_along_arrow(problem, parameters, x.back(), of.eta[k], z, t, of.h);
      steps.push_back(std::move(found.legendre));
      x.push_back(std::move(found.x1));
    }
  }
  SequenceFacts facts = facts_of_steps(system, steps, zeta, {x, of.z0, of.t0, of.h});
  for (std::size_t a = 0; a < system.r(); ++a) {
    analyse::Column column{"arrow." + std::string(system.algebroid.y[a].name()), analyse::Role::observable, {}};
    for (std::size_t k = 0; k <= steps.size(); ++k)
      column.values.push_back(k < steps.size() ? of.eta[k][a] : std::numeric_limits<double>::quiet_NaN());
    facts.along.columns.push_back(std::move(column));
  }
  return facts;
}

}  // namespace herglotz::simulate
