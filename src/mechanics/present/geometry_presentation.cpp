#include "herglotz/mechanics/geometry_presentation.hpp"

#include <algorithm>
#include <optional>

#include "herglotz/error.hpp"
#include "herglotz/mechanics/constrained_geometry.hpp"
#include "herglotz/mechanics/geometry/prolongation.hpp"
#include "herglotz/symbolic/derivative.hpp"
#include "herglotz/symbolic/simplify.hpp"
#include "present/notation.hpp"
#include "shorten/on_constraint.hpp"
#include "shorten/readable.hpp"
#include "shorten/shortest.hpp"

namespace herglotz::mechanics {
namespace {

using geometry::VectorField;

bool anchor_is_identity(const geometry::Algebroid& e) {
  return e.n() == e.r() && e.n() > 0 && e.rho.entries == symbolic::identity(*e.graph, e.n()).entries;
}

class Geometer {
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
  struct Name {
    std::string text;
    std::string latex;
    std::string sympy;
  };

  Name name_of(Expr coordinate) {
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

  Expr component(const Name& tensor, Expr coordinate, const char* place) {
    const Name u = name_of(coordinate);
    return notation_.add(tensor.text + "(" + u.text + ")", tensor.latex + place + ("{" + u.latex + "}"),
                         tensor.sympy + "_" + u.sympy);
  }

  Expr plain(const Name& name) { return notation_.add(name.text, name.latex, name.sympy); }

  /// Returns the shortest form of f, or zero if the effort is used up and f vanishes at random points.
  Expr shown(Expr f) {
    const Expr shorter = shortest(f, effort_);
    return effort_.is_spent() && is_zero(shorter, effort_) ? f.graph().number(std::int64_t{0}) : shorter;
  }

  /// Simplifies f. If there are constraints, the result equals f where they hold.
  Expr read(Expr f) { return read_(on_constraint_ ? (*on_constraint_)(f) : shown(f)); }

  void section(std::string title, std::vector<PrintedEquation> equations) {
    if (!equations.empty()) result_.sections.push_back({std::move(title), std::move(equations), {}});
  }

  /// Returns one row for each component that does not vanish.
  std::vector<PrintedEquation> rows(const Name& tensor, const geometry::Chart& u, const std::vector<Expr>& components,
                                    const char* place = "^") {
    std::vector<PrintedEquation> result;
    for (std::size_t A = 0; A < u.size(); ++A) {
      const Expr value = read(components[A]);
      if (!value.is_zero()) result.push_back({component(tensor, u[A], place), value});
    }
    return result;
  }
  std::vector<PrintedEquation> rows(const Name& field, const VectorField& X) { return rows(field, X.u, X.components); }

  Expr bracket_symbol(const std::string& f, const std::string& g, const Name& names, const std::string& index) {
    return notation_.add("{" + f + ", " + g + "}" + (index.empty() ? "" : "_" + index),
                         "\\{" + names.latex + "\\}" + (index.empty() ? "" : "_{\\Delta}"),
                         std::string(index.empty() ? "bracket_" : "nonholonomic_") + names.sympy);
  }

  /// Lists the brackets {1, u} and {u, u'} that do not vanish. `skew` brackets are listed once.
  void brackets(std::string title, const geometry::JacobiStructure& jacobi, bool on_constraint, bool skew) {
    const std::string index = on_constraint ? "D" : "";
    std::vector<PrintedEquation> rows;
    const auto& u = jacobi.u();
    const auto add = [&](const Name& f, const Name& g, Expr value) {
      value = read(value);
      if (value.is_zero()) return;
      rows.push_back(
          {bracket_symbol(f.text, g.text, {"", f.latex + ", " + g.latex, f.sympy + "_" + g.sympy}, index), value});
    };
    for (std::size_t A = 0; A < u.size(); ++A) add({"1", "1", "1"}, name_of(u[A]), jacobi.E.components[A]);
    for (std::size_t A = 0; A < u.size(); ++A)
      for (std::size_t B = skew ? A + 1 : 0; B < u.size(); ++B)
        add(name_of(u[A]), name_of(u[B]), jacobi.bracket(u[A], u[B]));
    section(std::move(title), rows);
  }

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
    std::vector<PrintedEquation> fields;
    std::vector<PrintedEquation> matrix;
    for (std::size_t a = 0; a < g.Z.size(); ++a) {
      const std::string i = std::to_string(a + 1);
      for (const PrintedEquation& row : rows({"Z" + i, "Z_{" + i + "}", "Z_" + i}, g.Z[a])) fields.push_back(row);
      for (std::size_t b = 0; b < g.Z.size(); ++b) {
        const std::string j = std::to_string(b + 1);
        matrix.push_back(
            {plain({"C(" + i + ", " + j + ")", "C_{" + i + j + "}", "C_" + i + "_" + j}), read(g.C(a, b))});
      }
    }
    section("Constraint fields", fields);
    section("Constraint matrix", matrix);
    projector(g);
    const VectorField reeb = system_.graph().number(-1) * g.jacobi.E;
    section("Projected Reeb field", rows({"R_D", "\\mathcal{R}_{\\Delta}", "Reeb_D"}, reeb));
    section("Constrained dynamics", rows({"Gamma_D", "\\Gamma_{\\Delta}", "Gamma_D"}, g.dynamics));
    brackets("Nonholonomic brackets", g.jacobi, true, true);
    jacobiators(g);
  }

  void projector(const ConstrainedGeometry& g) {
    std::vector<PrintedEquation> rows;
    for (std::size_t A = 0; A < g.P.rows; ++A)
      for (std::size_t B = 0; B < g.P.cols; ++B) {
        const Expr entry = read(g.P(A, B));
        if (A == B ? entry.is_one() : entry.is_zero()) continue;
        const Name a = name_of(g.free.u()[A]);
        const Name b = name_of(g.free.u()[B]);
        rows.push_back({plain({"P(" + a.text + ", " + b.text + ")", "P^{" + a.latex + "}_{" + b.latex + "}",
                               "P_" + a.sympy + "_" + b.sympy}),
                        entry});
      }
    section("Projector, beside the identity", rows);
  }

  /// Lists {f, {g, h}} + cyclic. The brackets are shortened on Phi = 0 first; the change vanishes with the functions
  /// Phi, which are Casimirs.
  void jacobiators(const ConstrainedGeometry& g) {
    std::vector<PrintedEquation> rows;
    const auto& u = g.free.u();
    Matrix brackets(u.size(), u.size(), system_.graph().number(std::int64_t{0}));
    for (std::size_t A = 0; A < u.size(); ++A)
      for (std::size_t B = A + 1; B < u.size(); ++B) {
        brackets(A, B) = (*on_constraint_)(g.bracket(u[A], u[B]));
        brackets(B, A) = -brackets(A, B);
      }
    for (std::size_t A = 0; A < u.size(); ++A)
      for (std::size_t B = A + 1; B < u.size(); ++B)
        for (std::size_t D = B + 1; D < u.size(); ++D) {
          const Expr value =
              read(g.bracket(u[A], brackets(B, D)) + g.bracket(u[B], brackets(D, A)) + g.bracket(u[D], brackets(A, B)));
          if (value.is_zero()) continue;
          const Name a = name_of(u[A]);
          const Name b = name_of(u[B]);
          const Name d = name_of(u[D]);
          rows.push_back({plain({"{" + a.text + ", {" + b.text + ", " + d.text + "}}_D + cyclic",
                                 "J(" + a.latex + ", " + b.latex + ", " + d.latex + ")",
                                 "jacobiator_" + a.sympy + "_" + b.sympy + "_" + d.sympy}),
                          value});
        }
    section("Jacobiators of the nonholonomic bracket", rows);
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
    for (Section& s : result_.sections)
      for (const PrintedEquation& e : s.equations)
        s.typeset.push_back({e.left, symbolic::substitute(e.right, from, to)});
  }

  const System& system_;
  symbolic::Effort effort_{most_effort};
  NotationTable notation_;
  Reader read_;
  std::optional<OnConstraint> on_constraint_;
  Presentation result_;
};

}  // namespace

Presentation geometry_of(const System& system) {
  return Geometer(system).present();
}

}  // namespace herglotz::mechanics
