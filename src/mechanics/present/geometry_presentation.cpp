#include "herglotz/mechanics/geometry_presentation.hpp"

#include <algorithm>
#include <optional>

#include "herglotz/error.hpp"
#include "herglotz/mechanics/constrained_geometry.hpp"
#include "herglotz/mechanics/geometry/prolongation.hpp"
#include "herglotz/symbolic/derivative.hpp"
#include "herglotz/symbolic/simplify.hpp"
#include "present/notation.hpp"
#include "present/tensor_sections.hpp"
#include "shorten/readable.hpp"
#include "shorten/shortest.hpp"

namespace herglotz::mechanics {
namespace {

using geometry::VectorField;

class Geometer : public TensorSections {
 public:
  explicit Geometer(const System& system) : system_(system), notation_(system), read_(system) {}

  Presentation present() {
    result_.title = system_.title.empty() ? system_.name : system_.title;
    for (const Expr& definition : system_.definitions) result_.definitions.push_back({definition, definition.child(0)});
    if (system_.constraints.rule == Rule::vakonomic)
      throw Refused("geometry: expected no constraints or the nonholonomic rule, got the vakonomic rule");
    if (system_.constraints.rule == Rule::nonholonomic) {
      const ConstrainedGeometry g = constrained_geometry(system_);
      free(g.free);
      constrained(g);
    } else {
      free(phase_geometry(system_));
    }
    typeset();
    result_.notation = notation_.entries();
    return std::move(result_);
  }

 private:
  Name name_of(const Expr& coordinate) override {
    const auto& e = system_.algebroid;
    Name name{std::string(coordinate.name()), notation_.latex_of(coordinate), notation_.sympy_of(coordinate)};
    const auto at = std::find(e.y.begin(), e.y.end(), coordinate);
    if (at != e.y.end() && second_order())
      name.latex = notation_.latex_of(notation_.velocity(e.x[static_cast<std::size_t>(at - e.y.begin())]));
    return name;
  }

  /// Returns true if LaTeX prints velocities as the rates of coordinates.
  bool second_order() const {
    return system_.formulation == Formulation::lagrangian && anchor_is_identity(system_.algebroid);
  }

  Expr plain(const Name& name) override { return notation_.add(name.text, name.latex, name.sympy); }

  /// Returns the shortest form of f, or zero if the effort is used up and f vanishes at random points.
  Expr shown(Expr f) {
    const Expr shorter = shortest(f, effort_);
    return effort_.is_spent() && is_zero(shorter, effort_) ? f.graph().number(std::int64_t{0}) : shorter;
  }

  /// Simplifies f. If there are constraints, the result equals f where they hold.
  Expr read(const Expr& f) override { return read_(on_constraint_ ? (*on_constraint_)(f) : shown(f)); }

  void free(const PhaseGeometry& g) {
    const bool hamiltonian = system_.formulation == Formulation::hamiltonian;
    if (g.contact) section("Contact form", rows({"eta", "\\eta", "eta"}, g.u(), g.contact->eta().components, "_"));
    const VectorField reeb = system_.graph().number(-1) * g.jacobi.E;
    section(g.contact ? "Reeb field" : "Reeb field, -E", rows({"R", "\\mathcal{R}", "Reeb"}, reeb));
    section("Contact Hamiltonian field of the energy",
            rows(hamiltonian ? Name{"X_H", "X_{H}", "X_H"} : Name{"X_E", "X_{E}", "X_E"}, g.energy_field));
    bool skew = true;
    for (const Expr& defect : g.jacobi.skewness_defects()) skew = skew && is_zero(defect, effort_);
    brackets(g.contact ? "Jacobi brackets"
             : skew    ? "Linear Jacobi brackets"
                       : "Linear brackets, not skew",
             g.jacobi, false, skew);
    if (!g.contact && !hamiltonian && skew) prolonged();
  }

  /// Lists the components of a section or of a 1-form on the prolongation, in the frame T_a, V_a, Z.
  std::vector<PrintedEquation> prolonged_rows(const Name& tensor, const std::vector<Expr>& components,
                                              const char* place) {
    const std::size_t r = system_.r();
    std::vector<PrintedEquation> result;
    for (std::size_t A = 0; A < components.size(); ++A) {
      const Expr value = read(components[A]);
      if (value.is_zero()) continue;
      const std::string letter = A < r ? "T" : A < 2 * r ? "V" : "Z";
      Name frame{letter, letter, letter};
      if (A < 2 * r) {
        const Name y = name_of(system_.algebroid.y[A % r]);
        frame = {letter + "_" + y.text, letter + "_{" + y.latex + "}", letter + "_" + y.sympy};
      }
      result.push_back({plain({tensor.text + "(" + frame.text + ")", tensor.latex + place + ("{" + frame.latex + "}"),
                               tensor.sympy + "_" + frame.sympy}),
                        value});
    }
    return result;
  }

  /// Lists the contact structure of [ASC25, Rem. 3.3], which every skew algebroid has on its prolongation.
  void prolonged() {
    const Prolongation g = prolongation(system_);
    section("Contact form on the prolongation", prolonged_rows({"eta", "\\eta", "eta"}, g.contact_form, "_"));
    section("Reeb section", prolonged_rows({"R", "\\mathcal{R}", "Reeb"}, g.reeb_section, "^"));
    section("Motion on the prolongation", prolonged_rows({"Gamma", "\\Gamma", "Gamma"}, g.dynamics, "^"));
  }

  void constrained(const ConstrainedGeometry& g) {
    on_constraint_.emplace(g.Phi, system_.w(), effort_);
    reactions(g);
    projector(g);
    const VectorField reeb = system_.graph().number(-1) * g.jacobi.E;
    section("Projected Reeb field", rows({"R_D", "\\mathcal{R}_{\\Delta}", "Reeb_D"}, reeb));
    section("Constrained dynamics", rows({"Gamma_D", "\\Gamma_{\\Delta}", "Gamma_D"}, g.dynamics));
    brackets("Nonholonomic brackets", g.jacobi, true, true);
    jacobiators(g, *on_constraint_);
  }

  /// Replaces velocities by the rates of their coordinates, for LaTeX.
  void typeset() {
    if (!second_order()) return;
    std::vector<Expr> from = system_.algebroid.y;
    std::vector<Expr> to;
    for (const Expr& x : system_.algebroid.x) to.push_back(notation_.velocity(x));
    for (const Expr& definition : system_.definitions) {
      from.push_back(definition);
      to.push_back(definition);
    }
    for (PrintedSection& s : result_.sections)
      for (const PrintedEquation& e : s.equations)
        s.typeset.push_back({e.left, symbolic::substitute(e.right, from, to)});
  }

  const System& system_;
  symbolic::Effort effort_{most_effort};
  NotationTable notation_;
  Reader read_;
  std::optional<OnConstraint> on_constraint_;
};

}  // namespace

Presentation geometry_of(const System& system) {
  return Geometer(system).present();
}

}  // namespace herglotz::mechanics
