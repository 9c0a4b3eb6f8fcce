#include <nanobind/stl/map.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "bindings.hpp"
#include "herglotz/analyse/exact_discrete_lagrangian.hpp"
#include "herglotz/analyse/exact_on_groupoid.hpp"
#include "herglotz/discrete/action_groupoid.hpp"
#include "herglotz/discrete/discrete_motion.hpp"
#include "herglotz/discrete/exact.hpp"
#include "herglotz/discrete/groupoid_lagrangian.hpp"
#include "herglotz/discrete/herglotz_equations.hpp"
#include "herglotz/geometry/null_space.hpp"
#include "herglotz/integrate/exponential.hpp"
#include "herglotz/integrate/integrate.hpp"
#include "herglotz/symbolic/evaluate.hpp"
#include "model.hpp"
#include "trajectory.hpp"

namespace herglotz::python {
namespace {

using symbolic::Expr;
using Numbers = std::vector<double>;
using Values = std::map<std::string, double>;

Numbers values_of(const mechanics::System& system, const Values& parameters) {
  Numbers values;
  for (const auto& parameter : system.parameters) values.push_back(parameters.at(std::string(parameter.symbol.name())));
  return values;
}

const discrete::DiscreteLagrangian& lagrangian_of(const simulate::Problem& problem) {
  if (!problem.discrete && problem.settings.galerkin)
    throw std::invalid_argument(
        "the discrete Lagrangian of rule = \"galerkin\" has no formula; give method=\"discrete-galerkin\"");
  if (!problem.discrete)
    throw std::invalid_argument(
        "this system has no discrete Lagrangian; give discrete={\"rule\": \"midpoint\"} or a lagrangian");
  return *problem.discrete;
}

nb::dict discrete_legendre(const Model& model, const Values& parameters, const Numbers& q0, const Numbers& q1,
                           double z0, double h, double t0) {
  const auto problem = model.read_again();
  auto step = discrete::legendre_transforms(problem.system, lagrangian_of(problem),
                                            values_of(problem.system, parameters), q0, q1, z0, t0, h);
  const std::size_t n = q0.size();
  nb::dict result;
  result["p0"] = array(std::move(step.p0), {n});
  result["p1"] = array(std::move(step.p1), {n});
  result["z1"] = step.z1;
  result["sigma"] = step.sigma;
  return result;
}

nb::dict discrete_motion(const Model& model, const Values& parameters, const Numbers& q0, const Numbers& q1, double z0,
                         double h, double t0, std::size_t steps) {
  const auto problem = model.read_again();
  auto motion = discrete::discrete_motion(problem.system, lagrangian_of(problem), values_of(problem.system, parameters),
                                          q0, q1, z0, t0, h, steps);
  const auto rows = [&](const std::vector<Numbers>& list) {
    Numbers all;
    for (const Numbers& one : list) all.insert(all.end(), one.begin(), one.end());
    return array(std::move(all), {list.size(), q0.size()});
  };
  nb::dict result;
  result["q"] = rows(motion.q);
  result["p"] = rows(motion.p);
  result["z"] = array(std::move(motion.z), {steps + 1});
  result["sigma"] = array(std::move(motion.sigma), {steps});
  return result;
}

nb::dict exact_discrete_lagrangian(Model& model, const Values& parameters, const Numbers& q0, const Numbers& q1,
                                   double z0, double h, double t0) {
  const Numbers values = values_of(model.problem().system, parameters);
  analyse::ExactDiscreteLagrangian exact;
  {
    const nb::gil_scoped_release released;
    exact = analyse::exact_discrete_lagrangian(model.simulator().dynamics(), values, t0, q0, q1, z0, h);
  }
  const std::size_t n = q0.size();
  nb::dict result;
  result["value"] = exact.value;
  result["v0"] = array(std::move(exact.y0), {n});
  result["v1"] = array(std::move(exact.y1), {n});
  result["D1"] = array(std::move(exact.D1), {n});
  result["D2"] = array(std::move(exact.D2), {n});
  result["Dz"] = exact.D_z;
  result["sigma"] = exact.sigma;
  result["p0"] = array(std::move(exact.p0), {n});
  result["p1"] = array(std::move(exact.p1), {n});
  result["minus"] = array(std::move(exact.minus), {n});
  result["plus"] = array(std::move(exact.plus), {n});
  return result;
}

/// Structure constants of the frame of a groupoid at [(k r + i) r + j].
Numbers constants_of(const mechanics::System& system, const geometry::Integration& groupoid, const Numbers& values) {
  std::vector<Expr> symbols;
  for (const auto& parameter : system.parameters) symbols.push_back(parameter.symbol);
  std::vector<Expr> entries;
  for (std::size_t k = 0; k < system.r(); ++k)
    for (std::size_t i = 0; i < system.r(); ++i)
      for (std::size_t j = 0; j < system.r(); ++j) entries.push_back(symbolic::expand_lets(groupoid.c(k, i, j)));
  return symbolic::evaluate(entries, symbols, values);
}

/// Matrix (rows x columns) of functions of x, times a vector.
Numbers applied(const mechanics::System& system, const symbolic::Matrix& matrix, const Numbers& values,
                const Numbers& x, const Numbers& v) {
  auto symbols = system.algebroid.x;
  Numbers at = x;
  for (std::size_t k = 0; k < values.size(); ++k) {
    symbols.push_back(system.parameters[k].symbol);
    at.push_back(values[k]);
  }
  std::vector<Expr> opened;
  for (const Expr& entry : matrix.entries) opened.push_back(symbolic::expand_lets(entry));
  const Numbers entries = symbolic::evaluate(opened, symbols, at);
  Numbers product(entries.size() / v.size());
  for (std::size_t k = 0; k < entries.size(); ++k) product[k / v.size()] += entries[k] * v[k % v.size()];
  return product;
}

/// x . e^eta, by the flow of the generators rho eta over the time 1.
Numbers moved(const mechanics::System& system, const geometry::Integration& groupoid, const Numbers& values,
              const Numbers& x, const Numbers& eta) {
  const std::size_t n = x.size();
  if (n == 0) return {};
  integrate::Dynamics flow;
  flow.n = n;
  flow.r = 1;  // a velocity that is 0, as motions have one
  flow.flow = kernel::from_function("generator", n + 3, values.size(), n + 2,
                                    [&](std::span<const double> u, std::span<const double>, std::span<double> out) {
                                      const auto rates =
                                          applied(system, groupoid.rho, values,
                                                  {u.begin(), u.begin() + static_cast<std::ptrdiff_t>(n)}, eta);
                                      std::copy(rates.begin(), rates.end(), out.begin());
                                      std::fill(out.begin() + static_cast<std::ptrdiff_t>(n), out.end(), 0.0);
                                    });
  flow.balance =
      kernel::from_function("0", n + 3, values.size(), 1, [](auto, auto, std::span<double> out) { out[0] = 0; });
  Numbers state = x;
  state.resize(n + 2);
  integrate::Settings settings;
  settings.t_end = 1;
  settings.tolerance = 1e-14;
  auto end = integrate::integrate(flow, values, 0, state, settings, [](const integrate::Sample&) { return true; });
  if (end.status != integrate::Status::success)
    throw std::runtime_error("the arrow does not reach from x0: " + end.reason.text());
  end.state.resize(n);
  return end.state;
}

/// A model without constraints in the frame of its groupoid, with values of its parameters.
struct OnGroupoid {
  OnGroupoid(const Model& model, const Values& parameters)
      : problem(model.read_again()),
        groupoid((require_free(problem.system), discrete::on_action_groupoid(problem.system))),
        values(values_of(problem.system, parameters)),
        constants(constants_of(problem.system, *problem.system.algebroid.integration, values)) {}

  static void require_free(const mechanics::System& system) {
    if (!system.constraints.equations.empty())
      throw std::invalid_argument("the exact discrete Lagrangian on a groupoid is one without constraints");
  }
  [[nodiscard]] integrate::Dynamics dynamics() const {
    return simulate::Simulator(groupoid.system).dynamics_for(*integrate::find_method("radau-5"));
  }
  /// y = B(x) xi.
  [[nodiscard]] Numbers velocity(const Numbers& x, const Numbers& xi) const {
    return applied(problem.system, groupoid.frame, values, x, xi);
  }

  simulate::Problem problem;
  discrete::ActionGroupoid groupoid;
  Numbers values;
  Numbers constants;
};

nb::dict exact_on_group(const Model& model, const Values& parameters, const Numbers& eta, const Numbers& x0, double z0,
                        double h, double t0) {
  const OnGroupoid on(model, parameters);
  analyse::ExactOnGroupoid exact;
  {
    const nb::gil_scoped_release released;
    exact = analyse::exact_on_groupoid(on.dynamics(), on.constants, on.values, t0, x0, eta, z0, h);
  }
  const std::size_t r = eta.size();
  nb::dict result;
  result["value"] = exact.value;
  result["y0"] = array(on.velocity(x0, exact.xi0), {r});
  result["y1"] = array(on.velocity(exact.x1, exact.xi1), {r});
  result["p0"] = array(std::move(exact.p0), {r});
  result["p1"] = array(std::move(exact.p1), {r});
  result["D1"] = array(std::move(exact.D1), {r});
  result["D2"] = array(std::move(exact.D2), {r});
  result["x1"] = array(std::move(exact.x1), {x0.size()});
  result["sigma"] = exact.sigma;
  return result;
}

nb::dict contact_exponential_on_group(const Model& model, const Values& parameters, const Numbers& y0,
                                      const Numbers& x0, double z0, double h, double t0) {
  const OnGroupoid on(model, parameters);
  const std::size_t r = y0.size();
  // y = B xi, with a column of B for each e_b.
  Numbers frame(r * r);
  Numbers transposed(r * r);
  for (std::size_t b = 0; b < r; ++b) {
    Numbers e(r, 0.0);
    e[b] = 1;
    const Numbers column = on.velocity(x0, e);
    for (std::size_t a = 0; a < r; ++a) frame[a * r + b] = transposed[b * r + a] = column[a];
  }
  analyse::ArrowOfMotion motion;
  {
    const nb::gil_scoped_release released;
    motion =
        analyse::arrow_of_motion(on.dynamics(), on.constants, on.values, t0, x0, geometry::solve(frame, y0), z0, h);
  }
  // Rows of d eta/d y0 = (d eta/d xi0) B^-1 solve B^T row = row of d eta/d xi0.
  Numbers jacobian;
  for (std::size_t a = 0; a < r; ++a) {
    const auto row = motion.by_start.begin() + static_cast<std::ptrdiff_t>(a * r);
    for (const double entry : geometry::solve(transposed, Numbers(row, row + static_cast<std::ptrdiff_t>(r))))
      jacobian.push_back(entry);
  }
  nb::dict result;
  result["y1"] = array(on.velocity(motion.x1, motion.xi1), {r});
  result["eta"] = array(std::move(motion.eta), {r});
  result["x1"] = array(std::move(motion.x1), {x0.size()});
  result["z1"] = motion.z1;
  result["sigma"] = motion.sigma;
  result["jacobian"] = array(std::move(jacobian), {r, r});
  return result;
}

nb::dict discrete_legendre_on_group(const Model& model, const Values& parameters, const Numbers& eta, const Numbers& x0,
                                    double z0, double h, double t0) {
  const auto problem = model.read_again();
  const auto& system = problem.system;
  if (!problem.discrete || discrete::is_followed(*problem.discrete) || !discrete::on_groupoid(*problem.discrete))
    throw std::invalid_argument(
        "this system has no discrete Lagrangian of arrows; off tangent bundles give discrete={\"rule\": \"left\"} or a "
        "lagrangian in eta_<fibre>");
  const auto& groupoid = *system.algebroid.integration;
  const auto derived = discrete::groupoid_herglotz(system, *problem.discrete);
  const Numbers values = values_of(system, parameters);
  const auto slopes = integrate::logarithm_slopes(constants_of(system, groupoid, values), eta);
  if (!slopes) throw std::runtime_error("the arrow e^eta is beyond the reach of exp; take a smaller eta");
  const Numbers x1 = moved(system, groupoid, values, x0, eta);
  Numbers arrow = x1;
  arrow.insert(arrow.end(), eta.begin(), eta.end());
  discrete::StepValues step(system, *problem.discrete, values, x0, arrow, z0, t0, h);
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
  nb::dict result;
  result["p0"] = array(std::move(p0), {r});
  result["p1"] = array(std::move(p1), {r});
  result["x1"] = array(Numbers(x1), {x1.size()});
  result["z1"] = step.z1();
  result["sigma"] = (1 + factors[0]) / (1 - factors[1]);
  return result;
}

}  // namespace

void bind_discrete(nb::module_& module) {
  module.def("discrete_legendre", &discrete_legendre, nb::arg("model"), nb::arg("parameters"), nb::arg("q0"),
             nb::arg("q1"), nb::arg("z0"), nb::arg("h"), nb::arg("t0"), "p0, p1, z1 and sigma_d of one step.");
  module.def("discrete_motion", &discrete_motion, nb::arg("model"), nb::arg("parameters"), nb::arg("q0"), nb::arg("q1"),
             nb::arg("z0"), nb::arg("h"), nb::arg("t0"), nb::arg("steps"),
             "Positions, momenta, actions and factors of a discrete motion.");
  module.def("exact_discrete_lagrangian", &exact_discrete_lagrangian, nb::arg("model"), nb::arg("parameters"),
             nb::arg("q0"), nb::arg("q1"), nb::arg("z0"), nb::arg("h"), nb::arg("t0"),
             "The action of the motion between two positions, with derivatives.");
  module.def("exact_on_group", &exact_on_group, nb::arg("model"), nb::arg("parameters"), nb::arg("eta"), nb::arg("x0"),
             nb::arg("z0"), nb::arg("h"), nb::arg("t0"), "The action of the motion along an arrow, with its ends.");
  module.def("contact_exponential_on_group", &contact_exponential_on_group, nb::arg("model"), nb::arg("parameters"),
             nb::arg("y0"), nb::arg("x0"), nb::arg("z0"), nb::arg("h"), nb::arg("t0"),
             "The arrow of the motion from a state, with its end and d eta/d y0.");
  module.def("discrete_legendre_on_group", &discrete_legendre_on_group, nb::arg("model"), nb::arg("parameters"),
             nb::arg("eta"), nb::arg("x0"), nb::arg("z0"), nb::arg("h"), nb::arg("t0"),
             "p0, p1, x1, z1 and sigma_d of one arrow.");
}

}  // namespace herglotz::python
