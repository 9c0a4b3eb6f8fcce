#include "herglotz/mechanics/geometry/algebroid_presentation.hpp"

#include "herglotz/error.hpp"
#include "herglotz/geometry/sections.hpp"
#include "herglotz/mechanics/coordinate_free.hpp"
#include "herglotz/mechanics/geometry/tulczyjew.hpp"
#include "present/notation.hpp"
#include "shorten/readable.hpp"

namespace herglotz::mechanics {
namespace {

/// A presentation of a system that grows by sections of simplified equations.
class Pages {
 public:
  explicit Pages(const System& system) : notation(system), read_(system) {
    result_.title = system.title.empty() ? system.name : system.title;
    for (const Expr& definition : system.definitions) result_.definitions.push_back({definition, definition.child(0)});
  }

  /// Adds a section unless it has no rows. Rows whose right sides vanish stay.
  void add(std::string title, const std::vector<Expr>& left, const std::vector<Expr>& right) {
    PrintedSection section{std::move(title), {}, {}};
    for (std::size_t k = 0; k < left.size(); ++k)
      section.equations.push_back({left[k], with_plain_signs(read_(right[k]))});
    if (!section.equations.empty()) result_.sections.push_back(std::move(section));
  }
  void constraints(const System& system) {
    const auto& equations = system.constraints.equations;
    add("Constraints", equations, std::vector<Expr>(equations.size(), system.graph().number(std::int64_t{0})));
  }
  [[nodiscard]] Expr read(const Expr& f) const { return read_(f); }
  std::vector<Expr> rates(const std::vector<Expr>& symbols) {
    std::vector<Expr> named;
    for (const Expr& symbol : symbols) named.push_back(notation.rate(symbol));
    return named;
  }
  /// Returns symbols such as alpha(q), one for each name.
  std::vector<Expr> components(const std::string& text, const std::string& latex, const std::vector<Expr>& symbols,
                               const std::string& sympy = {}) {
    std::vector<Expr> named;
    for (const Expr& symbol : symbols) {
      const std::string name(symbol.name());
      named.push_back(notation.add(text + "(" + name + ")", latex + "_{" + notation.latex_of(symbol) + "}",
                                   (sympy.empty() ? text : sympy) + "_" + notation.sympy_of(symbol)));
    }
    return named;
  }
  Presentation done() {
    result_.notation = notation.entries();
    return std::move(result_);
  }

  NotationTable notation;

 private:
  Presentation result_;
  Reader read_;
};

/// lambda Phi_y, the forces of nonholonomic constraints (r).
std::vector<Expr> reactions(const System& system) {
  const Equations q = derive(system);
  std::vector<Expr> result(system.algebroid.r(), system.graph().number(std::int64_t{0}));
  for (std::size_t k = 0; k < q.m(); ++k)
    for (std::size_t j = 0; j < result.size(); ++j) result[j] += q.l[k] * q.Phi_y(k, j);
  return result;
}

}  // namespace

Presentation tulczyjew_picture(const System& system) {
  const DualVector differential = tulczyjew_differential(system);
  Pages pages(system);
  const auto& e = system.algebroid;
  const auto alpha = pages.components("alpha", "\\alpha", e.x);
  const DualVector map = algebroid_map(system, alpha, system.p);
  const auto x_dot = pages.rates(e.x);
  const auto p_dot = pages.rates(system.p);
  pages.add("The map from T*E to TE*, base", x_dot, map.x_dot);
  pages.add("The map from T*E to TE*, fibre", p_dot, map.p_dot);
  pages.add("Legendre map", system.p, differential.p);
  pages.add("Tulczyjew differential, base", x_dot, differential.x_dot);
  pages.add("Tulczyjew differential, fibre", p_dot, differential.p_dot);
  pages.constraints(system);
  return pages.done();
}

Presentation sections_of_algebroid(const System& system) {
  Pages pages(system);
  const auto& e = system.algebroid;
  std::vector<Expr> left;
  std::vector<Expr> right;
  bool skew = true;
  for (std::size_t i = 0; i < e.r(); ++i)
    for (std::size_t j = i; j < e.r(); ++j)
      for (std::size_t k = 0; k < e.r(); ++k) skew = skew && pages.read(e.c(k, i, j) + e.c(k, j, i)).is_zero();
  for (std::size_t i = 0; i < e.r(); ++i)
    for (std::size_t j = skew ? i + 1 : 0; j < e.r(); ++j)
      for (std::size_t k = 0; k < e.r(); ++k) {
        if (e.c(k, i, j).is_zero()) continue;
        const std::string pair = std::string(e.y[i].name()) + ", " + std::string(e.y[j].name());
        left.push_back(
            pages
                .components("[" + pair + "]",
                            "[" + pages.notation.latex_of(e.y[i]) + ", " + pages.notation.latex_of(e.y[j]) + "]",
                            {e.y[k]},
                            "bracket_" + pages.notation.sympy_of(e.y[i]) + "_" + pages.notation.sympy_of(e.y[j]))
                .front());
        right.push_back(e.c(k, i, j));
      }
  pages.add("Brackets of the frame", left, right);
  for (std::size_t s = 0; s < system.symmetries.size(); ++s) {
    const auto& [name, section] = system.symmetries[s];
    const std::string latex = upright_name(name);
    const std::string variable = variable_name(name);
    pages.add("Section " + name, pages.components(name, latex, e.y, variable), section);
    const auto lift = geometry::complete_lift(e, section);
    pages.add("Complete lift of " + name, pages.components(name + "^C", latex + "^{C}", lift.u, variable + "_lift"),
              lift.components);
    if (system.formulation == Formulation::lagrangian)
      pages.add("Change of L along the complete lift of " + name,
                {pages.notation.add(name + "^C(L)", latex + "^{C} L", variable + "_L")},
                {geometry::apply(lift, symbolic::expand_lets(system.generator))});
    for (std::size_t u = s + 1; u < system.symmetries.size(); ++u) {
      const std::string& other = system.symmetries[u].name;
      pages.add("Bracket of " + name + " and " + other,
                pages.components("[" + name + ", " + other + "]", "[" + latex + ", " + upright_name(other) + "]", e.y,
                                 "bracket_" + variable + "_" + variable_name(other)),
                geometry::section_bracket(e, section, system.symmetries[u].section));
    }
  }
  if (left.empty() && system.symmetries.empty())
    throw Refused("the frame has no brackets, and the model states no sections", "add [symmetries] with sections",
                  "[algebroid]");
  return pages.done();
}

Presentation equations_with_connection(const System& system, const geometry::Connection& connection) {
  Pages pages(system);
  const auto& e = system.algebroid;
  const auto& constraints = system.constraints;
  const bool vakonomic = constraints.rule == Rule::vakonomic;
  const auto y_dot = pages.rates(e.y);
  const auto terms = connection_terms(system, connection, y_dot,
                                      vakonomic ? pages.rates(constraints.multipliers) : std::vector<Expr>());
  pages.add("Vertical part of dL", system.p, terms.vertical);
  pages.add("Horizontal part of dL", pages.components("dL_hor", "dL^{\\mathrm{hor}}", e.x), terms.horizontal);
  pages.add("Dual derivative of the momentum", pages.components("dual", "(\\bar\\nabla^*_y p)", e.y), terms.dual);
  pages.add("Horizontal part along the anchor", pages.components("horizontal", "(\\sigma^* dL^{\\mathrm{hor}})", e.y),
            terms.pulled_back);
  pages.add("Action", pages.components("action", "(L_z\\, p)", e.y), terms.action);
  pages.add("Forces", pages.components("force", "F", e.y), terms.forces);
  if (constraints.rule == Rule::nonholonomic && !constraints.equations.empty())
    pages.add("Reactions", pages.components("reaction", "(\\lambda\\, \\Phi_y)", e.y), reactions(system));
  pages.constraints(system);
  const auto curvature = geometry::curvature(connection, e.x, e.r());
  std::vector<Expr> left;
  std::vector<Expr> right;
  for (std::size_t k = 0; k < curvature.size(); ++k) {
    const Expr value = pages.read(curvature[k]);
    if (value.is_zero()) continue;
    const std::size_t j = k % e.n();
    const std::size_t i = k / e.n() % e.n();
    const std::size_t a = k / (e.n() * e.n()) % e.r();
    const std::size_t b = k / (e.n() * e.n() * e.r());
    std::string text = "R(";
    std::string sympy = "R";
    std::string latex = "R^{" + pages.notation.latex_of(e.y[b]) + "}_{";
    for (const Expr& index : {e.y[b], e.y[a], e.x[i], e.x[j]}) {
      text += (text.size() > 2 ? ", " : "") + std::string(index.name());
      sympy += "_" + pages.notation.sympy_of(index);
    }
    for (const Expr& index : {e.y[a], e.x[i], e.x[j]}) latex += pages.notation.latex_of(index) + " ";
    left.push_back(pages.notation.add(text + ")", latex + "}", sympy));
    right.push_back(value);
  }
  pages.add("Curvature", left, right);
  return pages.done();
}

}  // namespace herglotz::mechanics
