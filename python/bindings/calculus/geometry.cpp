#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <stdexcept>

#include "bindings.hpp"
#include "calculus/texts.hpp"
#include "herglotz/mechanics/constrained_geometry.hpp"
#include "herglotz/mechanics/legendre.hpp"
#include "herglotz/symbolic/simplify.hpp"
#include "model.hpp"
#include "nodes.hpp"

namespace herglotz::python {
namespace {

namespace nb = nanobind;
using symbolic::Expr;

nb::tuple simplified(Expr f) {
  return nodes_of(symbolic::simplify(f));
}

nb::tuple simplified(std::vector<Expr> list) {
  for (Expr& f : list) f = symbolic::simplify(f);
  return nodes_of(list);
}

mechanics::System unconstrained(mechanics::System system) {
  system.constraints = {};
  return system;
}

/// Returns the names that functions of (x, y|p, z) may use: the other fibre variables stand for their Legendre image,
/// `energy` for E.
symbolic::Scope scope_of(const mechanics::System& system, const mechanics::PhaseGeometry& g) {
  symbolic::Scope scope;
  const auto add = [&](Expr symbol, Expr value) { scope.emplace(std::string(symbol.name()), value); };
  const bool lagrangian = system.formulation == mechanics::Formulation::lagrangian;
  const auto& other = lagrangian ? system.p : system.algebroid.y;
  const auto& image = lagrangian ? g.equations.p : g.equations.y;
  for (const Expr& u : g.u()) add(u, u);
  for (std::size_t a = 0; a < other.size(); ++a) add(other[a], image[a]);
  for (const auto& parameter : system.parameters) add(parameter.symbol, parameter.symbol);
  for (const Expr& definition : system.definitions) add(definition, symbolic::expand_lets(definition));
  add(system.t, system.t);
  add(system.energy, g.energy);
  return scope;
}

/// The contact or Jacobi geometry of a model's phase space, free or with its nonholonomic constraints.
class Geometry {
 public:
  Geometry(const Model& model, bool constrained) : problem_(model.read_again()), system_(problem_.system) {
    if (constrained && system_.constraints.rule != mechanics::Rule::nonholonomic)
      throw std::invalid_argument(
          "this system has no nonholonomic constraints, of which projections and constrained brackets are");
    if (constrained)
      constrained_ = mechanics::constrained_geometry(system_);
    else
      free_ = mechanics::phase_geometry(system_);
    scope_ = scope_of(system_, free());
  }

  [[nodiscard]] std::vector<std::string> coordinates() const {
    std::vector<std::string> names;
    for (const Expr& u : free().u()) names.emplace_back(u.name());
    return names;
  }
  [[nodiscard]] nb::tuple bracket(const std::string& f, const std::string& g) const {
    return simplified(jacobi().bracket(read(f), read(g)));
  }
  [[nodiscard]] nb::tuple hamiltonian_field(const std::string& f) const {
    return simplified(jacobi().hamiltonian_field(read(f)).components);
  }
  [[nodiscard]] nb::tuple contact_form() const {
    if (!free().contact)
      throw std::invalid_argument("the anchor of this algebroid, of kind " + system_.algebroid.kind +
                                  ", is not invertible: there is no contact form; jacobi_tensor() and "
                                  "reeb_field() give its linear Jacobi structure");
    return simplified(free().contact->eta().components);
  }
  [[nodiscard]] nb::tuple reeb_field() const {
    std::vector<Expr> components = jacobi().E.components;
    for (Expr& component : components) component = -component;
    return simplified(components);
  }
  [[nodiscard]] nb::tuple jacobi_tensor() const { return simplified(jacobi().Lambda.components.entries); }
  [[nodiscard]] nb::tuple projector() const { return simplified(constrained_.value().P.entries); }
  [[nodiscard]] nb::tuple dynamics() const {
    return simplified((constrained_ ? constrained_->dynamics : free().free_dynamics).components);
  }

 private:
  [[nodiscard]] const mechanics::PhaseGeometry& free() const { return constrained_ ? constrained_->free : *free_; }
  [[nodiscard]] const geometry::JacobiStructure& jacobi() const {
    return constrained_ ? constrained_->jacobi : free().jacobi;
  }
  [[nodiscard]] Expr read(const std::string& text) const { return read_text(system_.graph(), text, scope_); }

  simulate::Problem problem_;
  const mechanics::System& system_;
  std::optional<mechanics::PhaseGeometry> free_;
  std::optional<mechanics::ConstrainedGeometry> constrained_;
  symbolic::Scope scope_;
};

/// (nodes, place) of a text in the grammar of model files, in which every name stands for a symbol.
nb::tuple read_expression(const std::string& text, const std::vector<std::string>& names) {
  symbolic::Graph graph;
  symbolic::Scope scope;
  for (const auto& name : names) scope.emplace(name, graph.symbol(name));
  return nodes_of(read_text(graph, text, scope));
}

/// The system in the other formulation; its own generator must be quadratic in the fibre variables.
mechanics::System transformed(const mechanics::System& system) {
  auto other = mechanics::legendre_transform(unconstrained(system));
  if (!other) {
    const bool lagrangian = system.formulation == mechanics::Formulation::lagrangian;
    throw std::invalid_argument(std::string("the Legendre map has no inverse in closed form: the ") +
                                (lagrangian ? "Lagrangian is not a regular quadratic function of the velocities"
                                            : "Hamiltonian is not a regular quadratic function of the momenta"));
  }
  return *std::move(other);
}

/// p as functions of (x, y, z), or for `inverse` y as functions of (x, p, z).
nb::tuple legendre(const Model& model, bool inverse) {
  const auto problem = model.read_again();
  const bool lagrangian = problem.system.formulation == mechanics::Formulation::lagrangian;
  const auto equations =
      mechanics::derive(lagrangian == inverse ? transformed(problem.system) : unconstrained(problem.system));
  return simplified(inverse ? equations.y : equations.p);
}

nb::tuple legendre_transform(const Model& model) {
  const auto problem = model.read_again();
  return simplified(transformed(problem.system).generator);
}

}  // namespace

void bind_geometry(nb::module_& module) {
  nb::class_<Geometry>(module, "Geometry",
                       "Contact or Jacobi geometry of a model; expressions come as (nodes, places).")
      .def(nb::init<const Model&, bool>(), nb::arg("model"), nb::arg("constrained"))
      .def_prop_ro("coordinates", &Geometry::coordinates, "Names of (x, y|p, z).")
      .def("bracket", &Geometry::bracket, nb::arg("f"), nb::arg("g"), "{f, g}.")
      .def("hamiltonian_field", &Geometry::hamiltonian_field, nb::arg("f"), "Components of X_f.")
      .def("contact_form", &Geometry::contact_form, "Components of eta.")
      .def("reeb_field", &Geometry::reeb_field, "Components of -E.")
      .def("jacobi_tensor", &Geometry::jacobi_tensor, "Lambda, row by row.")
      .def("projector", &Geometry::projector, "P, row by row.")
      .def("dynamics", &Geometry::dynamics, "Components of the motion.");
  module.def("read_expression", &read_expression, nb::arg("text"), nb::arg("names"), "(nodes, place) of a text.");
  module.def("legendre", &legendre, nb::arg("model"), nb::arg("inverse"), "The Legendre map, or its inverse.");
  module.def("legendre_transform", &legendre_transform, nb::arg("model"), "H of a Lagrangian, L of a Hamiltonian.");
}

}  // namespace herglotz::python
