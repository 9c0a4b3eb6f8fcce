#include <nanobind/ndarray.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cmath>
#include <optional>
#include <stdexcept>

#include "bindings.hpp"
#include "calculus/texts.hpp"
#include "herglotz/simulate/path.hpp"
#include "herglotz/symbolic/derivative.hpp"
#include "herglotz/symbolic/simplify.hpp"
#include "model.hpp"
#include "nodes.hpp"
#include "trajectory.hpp"

namespace herglotz::python {
namespace {

namespace nb = nanobind;
using symbolic::Expr;
using Numbers = std::vector<double>;
using Texts = std::map<std::string, std::string>;
using Values = std::map<std::string, double>;

std::vector<Expr> simplified(std::vector<Expr> list) {
  for (Expr& f : list) f = symbolic::simplify(f);
  return list;
}

/// A path of a model with the section of a variation: given by expressions in time, or by the rows of a run.
class Path {
 public:
  Path(const Model& model, const Texts& given, const std::vector<std::string>& section, const Values& parameters)
      : problem_(model.read_again()) {
    const auto& system = problem_.system;
    const auto scope = scope_with({system.t});
    std::vector<Expr> x;
    std::vector<std::optional<Expr>> y;
    for (const Expr& symbol : system.algebroid.x) {
      const auto text = given.find(std::string(symbol.name()));
      if (text == given.end())
        throw std::invalid_argument("the path lacks the base coordinate '" + std::string(symbol.name()) +
                                    "'; give an expression in " + std::string(system.t.name()));
      x.push_back(read_text(system.graph(), text->second, scope));
    }
    for (const Expr& symbol : system.algebroid.y) {
      const auto text = given.find(std::string(symbol.name()));
      y.push_back(text == given.end() ? std::optional<Expr>() : read_text(system.graph(), text->second, scope));
    }
    path_ = mechanics::complete_path(system, x, y);
    read_section(section);
    const auto values = values_of(parameters);
    functional_.emplace(system, simulate::jet_of(system, *path_, values), values, section_);
  }

  Path(const Model& model, Numbers times, Numbers rows, const std::vector<std::string>& section,
       const Values& parameters)
      : problem_(model.read_again()) {
    read_section(section);
    functional_.emplace(problem_.system, simulate::jet_of({std::move(times), std::move(rows)}), values_of(parameters),
                        section_);
  }

  /// (nodes, places of x and y as expressions in time).
  [[nodiscard]] nb::tuple expressions() const {
    auto all = path_.value().x;
    all.insert(all.end(), path_->y.begin(), path_->y.end());
    return nodes_of(simplified(all));
  }
  /// (nodes, places of delta x and delta y as expressions in time).
  [[nodiscard]] nb::tuple variation_expressions() const {
    const auto& system = problem_.system;
    std::vector<Expr> s = along(section_);
    const std::vector<Expr> one{system.graph().number(std::int64_t{1})};
    const auto s_dot = symbolic::directional_derivative(s, std::vector<Expr>{system.t}, one);
    auto variation = mechanics::variation(system, section_, s_dot);
    variation.x.insert(variation.x.end(), variation.y.begin(), variation.y.end());
    return nodes_of(simplified(along(variation.x)));
  }
  /// (nodes, places of the components of the section) as functions of the base and of time.
  [[nodiscard]] nb::tuple section_expressions() const {
    std::vector<Expr> opened;
    for (const Expr& component : section_) opened.push_back(symbolic::expand_lets(component));
    return nodes_of(opened);
  }
  /// (nodes, places of Phi_y . xi of each constraint, then of its derivatives by x and y) as functions of (x, y, z, t).
  [[nodiscard]] nb::tuple constraint_expressions() const {
    const auto& system = problem_.system;
    auto coordinates = system.algebroid.x;
    coordinates.insert(coordinates.end(), system.algebroid.y.begin(), system.algebroid.y.end());
    std::vector<Expr> rows;
    std::vector<Expr> slopes;
    for (const Expr& equation : system.constraints.equations) {
      const auto by = symbolic::gradient(symbolic::expand_lets(equation), coordinates);
      Expr along_section = system.graph().number(std::int64_t{0});
      for (std::size_t a = 0; a < system.r(); ++a)
        along_section += by[system.n() + a] * symbolic::expand_lets(section_[a]);
      rows.push_back(along_section);
      slopes.insert(slopes.end(), by.begin(), by.end());
    }
    rows.insert(rows.end(), slopes.begin(), slopes.end());
    return nodes_of(rows);
  }
  /// Returns whether dx/dt = rho y, by simplification or, if that does not end in zeros, at times in (0, 10).
  [[nodiscard]] bool holds_everywhere() const {
    const auto& system = problem_.system;
    const std::vector<Expr> one{system.graph().number(std::int64_t{1})};
    const auto x_dot = symbolic::directional_derivative(path_.value().x, std::vector<Expr>{system.t}, one);
    bool zero = true;
    for (const Expr& defect : along(mechanics::admissibility_defects(system, x_dot)))
      zero = zero && symbolic::simplify(defect).is_zero();
    if (zero) return true;
    constexpr int count = 37;
    int finite = 0;
    for (int k = 1; k <= count; ++k) {
      const double t = 10 * std::fmod(k * 0.6180339887498949, 1.0);
      const double defect = functional_->admissibility_defect(std::vector<double>{t});
      if (!std::isfinite(defect)) continue;
      if (defect > 1e-9) return false;
      ++finite;
    }
    if (finite == 0) throw std::invalid_argument("the path is not finite at any time tried in (0, 10)");
    return true;
  }
  [[nodiscard]] double defect(const Numbers& times) const { return functional_->admissibility_defect(times); }
  /// (z, delta z) at the times.
  [[nodiscard]] nb::tuple follow(double z0, const Numbers& times) const {
    std::vector<simulate::PathFunctional::Action> actions;
    {
      const nb::gil_scoped_release released;
      actions = functional_->follow(z0, times);
    }
    Numbers z;
    Numbers variation;
    for (const auto& action : actions) {
      z.push_back(action.z);
      variation.push_back(action.variation);
    }
    return nb::make_tuple(array(std::move(z), {times.size()}), array(std::move(variation), {times.size()}));
  }
  [[nodiscard]] Array forces(double z0, const Numbers& times) const {
    return array(functional_->forces(z0, times), {times.size(), problem_.system.r()});
  }
  [[nodiscard]] Array variation(const Numbers& times) const {
    return array(functional_->variation(times), {times.size(), problem_.system.n() + problem_.system.r()});
  }

 private:
  [[nodiscard]] symbolic::Scope scope_with(const std::vector<Expr>& names) const {
    symbolic::Scope scope;
    for (const Expr& name : names) scope.emplace(std::string(name.name()), name);
    for (const auto& parameter : problem_.system.parameters)
      scope.emplace(std::string(parameter.symbol.name()), parameter.symbol);
    return scope;
  }
  void read_section(const std::vector<std::string>& texts) {
    auto names = problem_.system.algebroid.x;
    names.push_back(problem_.system.t);
    const auto scope = scope_with(names);
    for (const auto& text : texts) section_.push_back(read_text(problem_.system.graph(), text, scope));
    if (!texts.empty() && texts.size() != problem_.system.r())
      throw std::invalid_argument("the section has " + std::to_string(texts.size()) + " components; one for each of " +
                                  std::to_string(problem_.system.r()) + " fibre coordinates is needed");
  }
  [[nodiscard]] Numbers values_of(const Values& changes) const {
    Numbers values;
    for (const auto& parameter : problem_.system.parameters)
      values.push_back(changes.at(std::string(parameter.symbol.name())));
    return values;
  }
  [[nodiscard]] std::vector<Expr> along(const std::vector<Expr>& f) const {
    const auto& e = problem_.system.algebroid;
    auto from = e.x;
    from.insert(from.end(), e.y.begin(), e.y.end());
    auto to = path_->x;
    to.insert(to.end(), path_->y.begin(), path_->y.end());
    std::vector<Expr> opened;
    for (const Expr& g : f) opened.push_back(symbolic::expand_lets(g));
    return symbolic::substitute(opened, from, to);
  }

  simulate::Problem problem_;
  std::vector<Expr> section_;
  std::optional<mechanics::AlgebroidPath> path_;
  std::optional<simulate::PathFunctional> functional_;
};

/// (nodes, places of the rows).
nb::tuple euler_lagrange(const Model& model) {
  const auto problem = model.read_again();
  return nodes_of(simplified(mechanics::euler_lagrange(problem.system).rows));
}

}  // namespace

void bind_paths(nb::module_& module) {
  nb::class_<Path>(module, "Path", "A path of a model, with its action, variations and forces.")
      .def(nb::init<const Model&, const Texts&, const std::vector<std::string>&, const Values&>(), nb::arg("model"),
           nb::arg("given"), nb::arg("section"), nb::arg("parameters"), "From expressions in time.")
      .def(nb::init<const Model&, Numbers, Numbers, const std::vector<std::string>&, const Values&>(), nb::arg("model"),
           nb::arg("times"), nb::arg("rows"), nb::arg("section"), nb::arg("parameters"),
           "From rows of base and fibre coordinates.")
      .def("expressions", &Path::expressions, "(nodes, places of x and y).")
      .def("variation_expressions", &Path::variation_expressions, "(nodes, places of delta x and delta y).")
      .def("section_expressions", &Path::section_expressions, "(nodes, places of the section).")
      .def("constraint_expressions", &Path::constraint_expressions,
           "(nodes, places of Phi_y . xi, then of the derivatives of each Phi by x and y).")
      .def("holds_everywhere", &Path::holds_everywhere, "Whether dx/dt = rho y at all times.")
      .def("defect", &Path::defect, nb::arg("times"), "The largest |dx/dt - rho y|, relative to the velocities.")
      .def("follow", &Path::follow, nb::arg("z0"), nb::arg("times"), "(z, delta z) at the times.")
      .def("forces", &Path::forces, nb::arg("z0"), nb::arg("times"), "Rows of the Euler-Lagrange operator.")
      .def("variation", &Path::variation, nb::arg("times"), "(delta x, delta y) at the times.");
  module.def("euler_lagrange", &euler_lagrange, nb::arg("model"), "(nodes, rows of the Euler-Lagrange operator).");
}

}  // namespace herglotz::python
