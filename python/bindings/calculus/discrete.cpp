#include <nanobind/stl/map.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cmath>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "bindings.hpp"
#include "herglotz/analyse/exact_discrete_lagrangian.hpp"
#include "herglotz/discrete/herglotz_equations.hpp"
#include "herglotz/symbolic/evaluate.hpp"
#include "model.hpp"
#include "trajectory.hpp"

namespace herglotz::python {
namespace {

using symbolic::Expr;
using Numbers = std::vector<double>;
using Values = std::map<std::string, double>;

/// One step of a discrete Lagrangian with given ends.
class Step {
 public:
  Step(const discrete::DiscreteLagrangian& lagrangian, const mechanics::System& system, const Values& parameters,
       const Numbers& q0, const Numbers& q1, double z0, double t0, double h)
      : symbols_(lagrangian.q0), values_(q0), z1_(q0.size() + q1.size()) {
    symbols_.insert(symbols_.end(), lagrangian.q1.begin(), lagrangian.q1.end());
    values_.insert(values_.end(), q1.begin(), q1.end());
    symbols_.insert(symbols_.end(), {lagrangian.z1, lagrangian.z0, lagrangian.t0, lagrangian.h});
    values_.insert(values_.end(), {z0, z0, t0, h});
    for (const auto& parameter : system.parameters) {
      symbols_.push_back(parameter.symbol);
      values_.push_back(parameters.at(std::string(parameter.symbol.name())));
    }
  }

  [[nodiscard]] Numbers operator()(const std::vector<Expr>& f) const {
    return symbolic::evaluate(f, symbols_, values_);
  }
  [[nodiscard]] double z1() const { return values_[z1_]; }

  /// z1 = z0 + ell(.., z1) by Newton's method from z0; exact after one iteration where ell has no z1.
  void solve_action(Expr ell, Expr D_z1, double z0) {
    constexpr int most = 50;
    constexpr double tolerance = 1e-15;
    for (int k = 0; k < most; ++k) {
      const Numbers v = (*this)({ell, D_z1});
      const double change = (z0 + v[0] - values_[z1_]) / (1 - v[1]);
      if (!std::isfinite(change)) break;
      values_[z1_] += change;
      if (std::abs(change) <= tolerance * (1 + std::abs(values_[z1_]))) return;
    }
    throw std::runtime_error("no action z1 solves z1 = z0 + L_d at these positions; take a smaller step");
  }

 private:
  std::vector<Expr> symbols_;
  Numbers values_;
  std::size_t z1_;
};

nb::dict discrete_legendre(const Model& model, const Values& parameters, const Numbers& q0, const Numbers& q1,
                           double z0, double h, double t0) {
  const auto problem = io::parse_model(model.problem().text);
  if (!problem.discrete)
    throw std::invalid_argument(
        "this system has no discrete Lagrangian; give discrete={\"rule\": \"midpoint\"} or a lagrangian");
  const auto derived = discrete::discrete_herglotz(*problem.discrete);
  Step step(*problem.discrete, problem.system, parameters, q0, q1, z0, t0, h);
  step.solve_action(problem.discrete->ell, derived.D_z1, z0);
  const std::size_t n = q0.size();
  nb::dict result;
  result["p0"] = array(step(derived.p0), {n});
  result["p1"] = array(step(derived.p1), {n});
  result["z1"] = step.z1();
  result["sigma"] = step({derived.sigma}).front();
  return result;
}

nb::dict exact_discrete_lagrangian(Model& model, const Values& parameters, const Numbers& q0, const Numbers& q1,
                                   double z0, double h, double t0) {
  Numbers values;
  for (const auto& parameter : model.problem().system.parameters)
    values.push_back(parameters.at(std::string(parameter.symbol.name())));
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
  return result;
}

}  // namespace

void bind_discrete(nb::module_& module) {
  module.def("discrete_legendre", &discrete_legendre, nb::arg("model"), nb::arg("parameters"), nb::arg("q0"),
             nb::arg("q1"), nb::arg("z0"), nb::arg("h"), nb::arg("t0"), "p0, p1, z1 and sigma_d of one step.");
  module.def("exact_discrete_lagrangian", &exact_discrete_lagrangian, nb::arg("model"), nb::arg("parameters"),
             nb::arg("q0"), nb::arg("q1"), nb::arg("z0"), nb::arg("h"), nb::arg("t0"),
             "The action of the motion between two positions, with derivatives.");
}

}  // namespace herglotz::python
