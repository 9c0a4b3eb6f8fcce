#include <algorithm>
#include <string>

#include "definitions_used.hpp"
#include "herglotz/discrete/groupoid_lagrangian.hpp"
#include "herglotz/discrete/herglotz_equations.hpp"
#include "herglotz/geometry/inverse.hpp"
#include "herglotz/symbolic/derivative.hpp"
#include "herglotz/symbolic/print.hpp"
#include "herglotz/symbolic/simplify.hpp"

namespace herglotz::discrete {
namespace {

using mechanics::PrintedEquation;

/// The steps from k-1 to k and from k to k+1, in symbols that no model can write.
class Steps {
 public:
  Steps(const mechanics::System& system, const DiscreteLagrangian& lagrangian, mechanics::Presentation& presentation)
      : system_(system), presentation_(presentation) {
    presentation_.notation = mechanics::names_in_latex(system);
    from_ = lagrangian.q0;
    from_.insert(from_.end(), lagrangian.q1.begin(), lagrangian.q1.end());
    from_.insert(from_.end(), {lagrangian.z0, lagrangian.z1, lagrangian.t0});
    before_ = along("k-1", "previous", "k", "present");
    after_ = along("k", "present", "k+1", "next");
  }

  Expr before(Expr f) const { return symbolic::substitute(f, from_, before_); }
  Expr after(Expr f) const { return symbolic::substitute(f, from_, after_); }

  std::string latex_of(Expr name) const {
    for (const auto& known : presentation_.notation)
      if (known.symbol == name) return known.latex;
    return symbolic::print(name, symbolic::Format::latex);
  }
  /// Returns a symbol with its form in each format.
  Expr symbol(const std::string& name, std::string latex, std::string sympy) {
    const Expr made = system_.graph().symbol(name);
    for (const auto& known : presentation_.notation)
      if (known.symbol == made) return made;
    presentation_.notation.push_back({made, std::move(latex), std::move(sympy)});
    return made;
  }

 private:
  Expr at(Expr coordinate, const std::string& index, const std::string& word) {
    const std::string name(coordinate.name());
    return symbol(name + "[" + index + "]", "{" + latex_of(coordinate) + "}_{" + index + "}", name + "_" + word);
  }
  std::vector<Expr> along(const std::string& start, const std::string& start_word, const std::string& end,
                          const std::string& end_word) {
    std::vector<Expr> to;
    for (const Expr& x : system_.algebroid.x) to.push_back(at(x, start, start_word));
    for (const Expr& x : system_.algebroid.x) to.push_back(at(x, end, end_word));
    to.insert(to.end(),
              {at(system_.z, start, start_word), at(system_.z, end, end_word), at(system_.t, start, start_word)});
    return to;
  }

  const mechanics::System& system_;
  mechanics::Presentation& presentation_;
  std::vector<Expr> from_, before_, after_;
};

/// Returns the positions q[k+1] as functions of the steps before, if the equations, all rows but the first, are affine
/// in them and do not contain z[k+1]; otherwise no rows.
std::vector<PrintedEquation> solved_for_next(const Steps& steps, const DiscreteLagrangian& lagrangian,
                                             const std::vector<PrintedEquation>& equations) {
  const std::size_t n = lagrangian.q1.size();
  std::vector<Expr> unknown;
  for (const Expr& q1 : lagrangian.q1) unknown.push_back(steps.after(q1));
  std::vector<Expr> defects;
  for (std::size_t i = 1; i < equations.size(); ++i)
    defects.push_back(symbolic::expand_lets(equations[i].left - equations[i].right));
  symbolic::Matrix slopes(n, n, lagrangian.ell.graph().number(std::int64_t{0}));
  for (std::size_t i = 0; i < n; ++i) {
    const auto row = symbolic::gradient(defects[i], unknown);
    for (std::size_t j = 0; j < n; ++j) {
      slopes(i, j) = symbolic::simplify(row[j]);
      for (const Expr& q : unknown)
        if (symbolic::depends_on(slopes(i, j), q)) return {};
    }
    if (symbolic::depends_on(defects[i], steps.after(lagrangian.z1))) return {};
  }
  const auto inverse = geometry::inverse_if_regular(slopes);
  if (!inverse) return {};
  const std::vector<Expr> zeros(n, lagrangian.ell.graph().number(std::int64_t{0}));
  const auto step = multiply(*inverse, symbolic::substitute(defects, unknown, zeros));
  std::vector<PrintedEquation> rows;
  for (std::size_t i = 0; i < n; ++i) rows.push_back({unknown[i], symbolic::simplify(symbolic::expand(-step[i]))});
  return rows;
}

}  // namespace

std::vector<PrintedEquation> definitions_used(const mechanics::System& system, const DiscreteLagrangian& lagrangian) {
  std::vector<Expr> terms{lagrangian.ell};
  terms.insert(terms.end(), lagrangian.minus.begin(), lagrangian.minus.end());
  terms.insert(terms.end(), lagrangian.plus.begin(), lagrangian.plus.end());
  const auto used = system.graph().reachable(terms);
  std::vector<PrintedEquation> definitions;
  for (const Expr& definition : system.definitions)
    if (std::find(used.begin(), used.end(), definition.id()) != used.end())
      definitions.push_back({definition, definition.child(0)});
  return definitions;
}

mechanics::Presentation discrete_equations(const mechanics::System& system, const DiscreteLagrangian& lagrangian) {
  if (on_groupoid(lagrangian)) return groupoid_equations(system, lagrangian);
  const DiscreteHerglotz derived = discrete_herglotz(lagrangian);
  mechanics::Presentation presentation;
  presentation.title =
      (system.title.empty() ? system.name : system.title) + ": discrete Lagrangian (" + lagrangian.rule + ")";
  presentation.definitions = definitions_used(system, lagrangian);
  Steps steps(system, lagrangian, presentation);
  const Expr one = system.graph().number(1);
  const bool implicit = symbolic::depends_on(lagrangian.ell, lagrangian.z1);
  const bool forced = has_forces(lagrangian);
  const auto section = [&](std::string title, std::vector<PrintedEquation> equations) {
    if (!equations.empty()) presentation.sections.push_back({std::move(title), std::move(equations), {}});
  };

  section(implicit ? "Action, which defines " + std::string(lagrangian.z1.name()) : "Action",
          {{lagrangian.z1, lagrangian.z0 + lagrangian.ell}});
  if (forced) {
    std::vector<PrintedEquation> forces;
    for (std::size_t i = 0; i < lagrangian.minus.size(); ++i) {
      const std::string name(system.algebroid.y[i].name());
      const std::string latex = steps.latex_of(system.algebroid.y[i]);
      for (const bool end : {false, true}) {
        const std::string sign = end ? "+" : "-";
        forces.push_back({steps.symbol("f" + sign + "(" + name + ")", "f^{" + sign + "}_{" + latex + "}",
                                       std::string(end ? "f_plus_" : "f_minus_") + name),
                          symbolic::simplify((end ? lagrangian.plus : lagrangian.minus)[i])});
      }
    }
    section("Discrete forces", std::move(forces));
  }
  const Expr sigma = steps.symbol("sigma_d", "\\sigma_d", "sigma_d");
  section("Conformal factor", {{sigma, symbolic::simplify(derived.sigma)}});

  std::vector<PrintedEquation> legendre;
  const auto momentum_at = [&](std::size_t i, const std::string& end) {
    const std::string name(system.algebroid.y[i].name());
    const std::string latex = steps.latex_of(system.algebroid.y[i]);
    return steps.symbol("p_" + name + "[" + end + "]", "{p_{" + latex + "}}_{" + end + "}", "p_" + name + "_" + end);
  };
  for (std::size_t i = 0; i < derived.p0.size(); ++i)
    legendre.push_back(
        {momentum_at(i, "0"), symbolic::simplify(-derived.pull0[i]) / symbolic::simplify(one + derived.D_z0)});
  for (std::size_t i = 0; i < derived.p1.size(); ++i)
    legendre.push_back({momentum_at(i, "1"), symbolic::simplify(derived.p1[i])});
  section("Discrete Legendre transforms", std::move(legendre));

  if (!implicit && !forced) {
    std::vector<PrintedEquation> forms;
    const auto coefficients = [&](const DiscreteForm& eta, const std::string& sign, const std::string& word) {
      const auto along = [&](Expr of, Expr coefficient) {
        if (coefficient.is_zero()) return;
        const std::string name(of.name());
        forms.push_back({steps.symbol("eta" + sign + "(d" + name + ")",
                                      "\\eta^{" + sign + "}_{" + steps.latex_of(of) + "}", "eta_" + word + "_" + name),
                         coefficient});
      };
      for (std::size_t i = 0; i < eta.q0.size(); ++i) along(lagrangian.q0[i], symbolic::simplify(eta.q0[i]));
      along(lagrangian.z0, symbolic::simplify(eta.z0));
    };
    coefficients(eta_minus(lagrangian), "-", "minus");
    coefficients(eta_plus(lagrangian), "+", "plus");
    section("Contact forms, by their coefficients", std::move(forms));
  }

  std::vector<PrintedEquation> herglotz;
  const Expr end = lagrangian.z0 + lagrangian.ell;
  herglotz.push_back({steps.before(lagrangian.z1), steps.before(end)});
  for (std::size_t i = 0; i < derived.D1.size(); ++i) {
    const Expr momentum =
        symbolic::simplify(steps.before(derived.pull1[i])) / symbolic::simplify(one - steps.before(derived.D_z1));
    herglotz.push_back({symbolic::simplify(one + steps.after(derived.D_z0)) * momentum,
                        symbolic::simplify(-steps.after(derived.pull0[i]))});
  }
  const auto next = solved_for_next(steps, lagrangian, herglotz);
  section("Discrete Herglotz equations", std::move(herglotz));
  section("Solved for the next position", next);

  std::vector<PrintedEquation> momenta;
  for (const auto& symmetry : system.symmetries) {
    const std::string index = symbolic::print(system.graph().symbol(symmetry.name), symbolic::Format::latex);
    const Expr J = steps.symbol("J(" + symmetry.name + ")", "J_{" + index + "}", "J_" + symmetry.name);
    const Expr defect = steps.symbol("invariance_defect(" + symmetry.name + ")", "\\delta_{" + index + "} L_d",
                                     "invariance_defect_" + symmetry.name);
    momenta.push_back({J, symbolic::simplify(discrete_momentum(system, lagrangian, symmetry))});
    momenta.push_back({defect, symbolic::simplify(invariance_defect(system, lagrangian, symmetry))});
  }
  section("Discrete momentum maps", std::move(momenta));
  return presentation;
}

}  // namespace herglotz::discrete
