#include <nanobind/stl/map.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "bindings.hpp"
#include "herglotz/analyse/exact_discrete_lagrangian.hpp"
#include "herglotz/discrete/discrete_motion.hpp"
#include "herglotz/geometry/null_space.hpp"
#include "herglotz/simulate/arrows.hpp"
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

nb::dict exact_on_group(const Model& model, const Values& parameters, const Numbers& eta, const Numbers& x0, double z0,
                        double h, double t0) {
  const auto problem = model.read_again();
  const simulate::MotionOnGroupoid on(problem, values_of(problem.system, parameters));
  analyse::ExactOnGroupoid exact;
  {
    const nb::gil_scoped_release released;
    exact = on.exact(x0, eta, z0, t0, h);
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
  const auto problem = model.read_again();
  const simulate::MotionOnGroupoid on(problem, values_of(problem.system, parameters));
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
    motion = on.arrow(x0, geometry::solve(frame, y0), z0, t0, h);
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
  auto step = simulate::step_along_arrow(problem, values_of(problem.system, parameters), x0, eta, z0, t0, h);
  nb::dict result;
  result["p0"] = array(std::move(step.legendre.p0), {eta.size()});
  result["p1"] = array(std::move(step.legendre.p1), {eta.size()});
  result["x1"] = array(std::move(step.x1), {x0.size()});
  result["z1"] = step.legendre.z1;
  result["sigma"] = step.legendre.sigma;
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
