#include "herglotz/geometry/contact.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <stdexcept>

#include "bindings.hpp"
#include "calculus/texts.hpp"
#include "herglotz/geometry/constrained_structure.hpp"
#include "herglotz/geometry/distribution.hpp"
#include "herglotz/geometry/sampling.hpp"
#include "herglotz/symbolic/simplify.hpp"
#include "nodes.hpp"

namespace herglotz::python {
namespace {

namespace nb = nanobind;
using geometry::Bivector;
using geometry::ContactStructure;
using geometry::Distribution;
using geometry::JacobiStructure;
using geometry::OneForm;
using geometry::VectorField;
using symbolic::Expr;
using Texts = std::vector<std::string>;

/// Returns a form of f that reads well. Of curved forms on many coordinates the products are too many to be multiplied
/// out; such expressions stay as they were derived.
Expr simplified(const Expr& f) {
  constexpr std::int64_t most_effort = 50'000;
  symbolic::Effort effort{most_effort};
  const Expr opened = symbolic::expand(f, effort);
  return effort.is_spent() ? f : symbolic::simplify(opened);
}

std::vector<Expr> simplified(std::vector<Expr> list) {
  for (Expr& f : list) f = simplified(f);
  return list;
}

/// Returns the sides of identities in a form that reads well. Those that could not be multiplied out and vanish at
/// random points are 0, so that an identity is not denied for its length.
std::vector<Expr> identities(std::vector<Expr> list) {
  for (Expr& f : list) {
    f = simplified(f);
    if (!f.is_zero() && geometry::vanishes(symbolic::expand_lets(f))) f = f.graph().number(std::int64_t{0});
  }
  return list;
}

/// A contact form or a Jacobi structure (Lambda, E) in one chart. Other names are parameters.
class Structure {
 public:
  /// One list of components for a contact form; Lambda row by row, then E for a Jacobi structure.
  Structure(const Texts& coordinates, const Texts& parameters, const Texts& components, bool contact) {
    add_parameters(coordinates);
    u_ = symbols_;
    add_parameters(parameters);
    const auto all = read(components);
    const std::size_t size = u_.size();
    if (contact) {
      contact_.emplace(OneForm{u_, all});
      return;
    }
    geometry::Matrix Lambda(size, size, graph_->number(std::int64_t{0}));
    std::copy_n(all.begin(), size * size, Lambda.entries.begin());
    jacobi_ = JacobiStructure{Bivector{u_, Lambda},
                              VectorField{u_, {all.end() - static_cast<std::ptrdiff_t>(size), all.end()}}};
  }

  /// Makes further names parameters.
  void add_parameters(const Texts& names) {
    for (const auto& name : names) {
      if (!symbolic::is_identifier(name) || symbolic::is_reserved(name))
        throw std::invalid_argument("'" + name + "' cannot name a coordinate or a parameter: " +
                                    (symbolic::is_reserved(name)
                                         ? "it is a function or a constant of expressions"
                                         : "names start with a letter and go on with letters, digits and _"));
      symbols_.push_back(graph_->symbol(name));
      scope_.emplace(name, symbols_.back());
    }
  }
  [[nodiscard]] nb::tuple bracket(const std::string& f, const std::string& g) const {
    return nodes_of(simplified(jacobi().bracket(read(f), read(g))));
  }
  [[nodiscard]] nb::tuple jacobiator(const std::string& f, const std::string& g, const std::string& h) const {
    return nodes_of(identities({jacobi().jacobiator(read(f), read(g), read(h))}).front());
  }
  [[nodiscard]] nb::tuple hamiltonian_field(const std::string& H) const {
    return listed(jacobi().hamiltonian_field(read(H)).components);
  }
  [[nodiscard]] nb::tuple reeb_field() const {
    std::vector<Expr> components = jacobi().E.components;
    for (Expr& component : components) component = -component;
    return listed(components);
  }
  [[nodiscard]] nb::tuple tensor() const { return listed(jacobi().Lambda.components.entries); }
  [[nodiscard]] nb::tuple sharp(const Texts& alpha) const {
    const OneForm form{u_, read(alpha)};
    return listed(contact_ ? contact_->sharp(form).components : jacobi().sharp(form).components);
  }
  [[nodiscard]] nb::tuple flat(const Texts& X) const { return listed(contact().flat({u_, read(X)}).components); }
  [[nodiscard]] nb::tuple form() const { return listed(contact().eta().components); }
  [[nodiscard]] nb::tuple d_form() const { return listed(contact().d_eta().components.entries); }
  [[nodiscard]] nb::tuple volume() const { return nodes_of(simplified(contact().volume())); }
  [[nodiscard]] nb::tuple dissipation(const std::string& H) const {
    return nodes_of(simplified(contact().dissipation(read(H))));
  }
  [[nodiscard]] nb::tuple divergence(const Texts& X) const {
    return nodes_of(simplified(contact().divergence({u_, read(X)})));
  }
  [[nodiscard]] nb::tuple lie_bracket(const Texts& X, const Texts& Y) const {
    return listed(geometry::lie_bracket({u_, read(X)}, {u_, read(Y)}).components);
  }
  [[nodiscard]] nb::tuple lie_derivative(const Texts& X, const Texts& alpha) const {
    return listed(geometry::lie_derivative({u_, read(X)}, OneForm{u_, read(alpha)}).components);
  }
  /// The components of eta of the contact structure whose Jacobi structure this is.
  [[nodiscard]] nb::tuple contact_form() const {
    return listed(geometry::contact_structure_of(jacobi()).eta().components);
  }
  /// The components of the Schouten and invariance identities that do not vanish.
  [[nodiscard]] nb::tuple defects() const {
    auto all = jacobi().skewness_defects();
    for (const Expr& defect : identities(all))
      if (!defect.is_zero()) throw std::invalid_argument("Lambda is not skew, so that it has no Schouten bracket");
    all = jacobi().schouten_defects();
    for (const Expr& defect : jacobi().invariance_defects()) all.push_back(defect);
    std::vector<Expr> found;
    for (const Expr& defect : identities(all))
      if (!defect.is_zero()) found.push_back(defect);
    return nodes_of(found);
  }
  /// ((nodes, places) of Phi, of Z_a field by field, C, P and Lambda row by row, then E) along constraints with
  /// reactions.
  [[nodiscard]] nb::tuple constrained(const Texts& constraints, const std::vector<Texts>& reactions) const {
    std::vector<OneForm> forms;
    for (const auto& row : reactions) forms.push_back({u_, read(row)});
    const auto made = geometry::constrained_structure(jacobi(), read(constraints), forms,
                                                      [](const Expr& f) { return simplified(f); });
    std::vector<Expr> all = made.Phi;
    for (const auto& Z : made.Z) all.insert(all.end(), Z.components.begin(), Z.components.end());
    for (const auto* matrix : {&made.C, &made.P, &made.jacobi.Lambda.components})
      all.insert(all.end(), matrix->entries.begin(), matrix->entries.end());
    all.insert(all.end(), made.jacobi.E.components.begin(), made.jacobi.E.components.end());
    return nodes_of(all);
  }
  /// Fields (or forms, row by row) of a distribution: horizontal, vertical or oblique at a point.
  [[nodiscard]] std::string kind(const std::vector<Texts>& rows, bool forms, const std::vector<double>& at) const {
    return std::string(geometry::name(geometry::kind_at(distribution(rows, forms), contact(), symbols_, at)));
  }
  /// Rows of the complement: forms where fields are given, and conversely.
  [[nodiscard]] nb::tuple complement(const std::vector<Texts>& rows, bool forms, bool right) const {
    const auto given = distribution(rows, forms);
    const auto found =
        right ? geometry::right_complement(given, contact()) : geometry::left_complement(given, contact());
    std::vector<Expr> all;
    for (const auto& field : found.fields()) all.insert(all.end(), field.components.begin(), field.components.end());
    for (const auto& one : found.forms()) all.insert(all.end(), one.components.begin(), one.components.end());
    return listed(all);
  }

 private:
  [[nodiscard]] nb::tuple listed(const std::vector<Expr>& list) const { return nodes_of(simplified(list)); }
  [[nodiscard]] const ContactStructure& contact() const {
    if (!contact_) throw std::invalid_argument("a Jacobi structure (Lambda, E) has no contact form; use hz.contact");
    return *contact_;
  }
  [[nodiscard]] const JacobiStructure& jacobi() const { return contact_ ? contact_->jacobi() : *jacobi_; }
  [[nodiscard]] Expr read(const std::string& text) const { return read_text(*graph_, text, scope_); }
  [[nodiscard]] std::vector<Expr> read(const Texts& texts) const {
    std::vector<Expr> list;
    for (const auto& text : texts) list.push_back(read(text));
    return list;
  }
  [[nodiscard]] Distribution distribution(const std::vector<Texts>& rows, bool forms) const {
    std::vector<VectorField> fields;
    std::vector<OneForm> annihilators;
    for (const auto& row : rows) {
      if (forms)
        annihilators.push_back({u_, read(row)});
      else
        fields.push_back({u_, read(row)});
    }
    return forms ? Distribution::annihilated_by(annihilators) : Distribution::spanned_by(fields);
  }

  std::shared_ptr<symbolic::Graph> graph_ = std::make_shared<symbolic::Graph>();
  geometry::Chart u_;
  std::vector<Expr> symbols_;  ///< coordinates, then parameters
  symbolic::Scope scope_;
  std::optional<ContactStructure> contact_;
  std::optional<JacobiStructure> jacobi_;
};

}  // namespace

void bind_contact(nb::module_& module) {
  nb::class_<Structure>(module, "Structure",
                        "A contact form or a Jacobi structure; expressions come as (nodes, places).")
      .def(nb::init<const Texts&, const Texts&, const Texts&, bool>(), nb::arg("coordinates"), nb::arg("parameters"),
           nb::arg("components"), nb::arg("contact"))
      .def("add_parameters", &Structure::add_parameters, nb::arg("names"), "Makes further names parameters.")
      .def("bracket", &Structure::bracket, nb::arg("f"), nb::arg("g"), "{f, g}.")
      .def("jacobiator", &Structure::jacobiator, nb::arg("f"), nb::arg("g"), nb::arg("h"), "The Jacobiator.")
      .def("hamiltonian_field", &Structure::hamiltonian_field, nb::arg("H"), "Components of X_H.")
      .def("reeb_field", &Structure::reeb_field, "Components of -E.")
      .def("tensor", &Structure::tensor, "Lambda, row by row.")
      .def("sharp", &Structure::sharp, nb::arg("alpha"), "Components of sharp(alpha).")
      .def("flat", &Structure::flat, nb::arg("X"), "Components of flat(X).")
      .def("form", &Structure::form, "Components of eta.")
      .def("d_form", &Structure::d_form, "Components of d eta, row by row.")
      .def("volume", &Structure::volume, "The density of eta ^ (d eta)^n.")
      .def("divergence", &Structure::divergence, nb::arg("X"), "div X.")
      .def("dissipation", &Structure::dissipation, nb::arg("H"), "R(H).")
      .def("lie_bracket", &Structure::lie_bracket, nb::arg("X"), nb::arg("Y"), "Components of [X, Y].")
      .def("lie_derivative", &Structure::lie_derivative, nb::arg("X"), nb::arg("alpha"), "Components of L_X alpha.")
      .def("contact_form", &Structure::contact_form, "Components of eta of a Jacobi structure that has one.")
      .def("defects", &Structure::defects, "What does not vanish of the identities of a Jacobi structure.")
      .def("constrained", &Structure::constrained, nb::arg("constraints"), nb::arg("reactions"),
           "Phi, Z_a, C, P, Lambda and E along constraints.")
      .def("kind", &Structure::kind, nb::arg("rows"), nb::arg("forms"), nb::arg("at"),
           "horizontal, vertical or oblique.")
      .def("complement", &Structure::complement, nb::arg("rows"), nb::arg("forms"), nb::arg("right"),
           "Rows of the complement.");
}

}  // namespace herglotz::python
