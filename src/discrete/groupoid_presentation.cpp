#include <string>

#include "definitions_used.hpp"
#include "herglotz/discrete/groupoid_lagrangian.hpp"
#include "herglotz/symbolic/print.hpp"
#include "herglotz/symbolic/simplify.hpp"

namespace herglotz::discrete {
namespace {

using mechanics::PrintedEquation;

/// Symbols that no model can write, with their forms in each format.
class Names {
 public:
  Names(const mechanics::System& system, mechanics::Presentation& presentation)
      : system_(system), presentation_(presentation) {
    presentation_.notation = mechanics::names_in_latex(system);
  }

  Expr operator()(const std::string& name, std::string latex, std::string sympy) {
    const Expr made = system_.graph().symbol(name);
    for (const auto& known : presentation_.notation)
      if (known.symbol == made) return made;
    presentation_.notation.push_back({made, std::move(latex), std::move(sympy)});
    return made;
  }
  /// Returns `letter(<fibre>)` with an index after it, such as `[k]`.
  Expr along(const std::string& letter, const std::string& latex, std::size_t a, const std::string& index = "",
             const std::string& word = "") {
    const Expr y = system_.algebroid.y[a];
    const std::string name(y.name());
    return (*this)(letter + "(" + name + ")" + (index.empty() ? "" : "[" + index + "]"),
                   "{" + latex + "_{" + latex_of(y) + "}}" + (index.empty() ? "" : "^{(" + index + ")}"),
                   letter + "_" + name + (word.empty() ? "" : "_" + word));
  }
  /// Returns an entry of a matrix.
  Expr entry(const std::string& letter, std::size_t a, std::size_t b) {
    const std::string places = std::to_string(a + 1) + "," + std::to_string(b + 1);
    const std::string latex = letter.size() > 1 ? "\\mathrm{" + letter + "}" : letter;
    return (*this)(letter + "(" + places + ")", latex + "_{" + places + "}",
                   letter + "_" + std::to_string(a + 1) + "_" + std::to_string(b + 1));
  }
  std::string latex_of(Expr name) const {
    for (const auto& known : presentation_.notation)
      if (known.symbol == name) return known.latex;
    return symbolic::print(name, symbolic::Format::latex);
  }

 private:
  const mechanics::System& system_;
  mechanics::Presentation& presentation_;
};

}  // namespace

mechanics::Presentation groupoid_equations(const mechanics::System& system, const DiscreteLagrangian& lagrangian) {
  const GroupoidHerglotz derived = groupoid_herglotz(system, lagrangian);
  const auto& c = system.algebroid.integration->c;
  const std::size_t r = system.r();
  const std::vector<Expr> eta = arrow_of(lagrangian);
  mechanics::Presentation presentation;
  presentation.title = (system.title.empty() ? system.name : system.title) + ": discrete Lagrangian on a groupoid (" +
                       lagrangian.rule + ")";
  presentation.definitions = definitions_used(system, lagrangian);
  Names names(system, presentation);
  const auto section = [&](std::string title, std::vector<PrintedEquation> equations) {
    if (!equations.empty()) presentation.sections.push_back({std::move(title), std::move(equations), {}});
  };
  const Expr zero = system.graph().number(0);
  const Expr one = system.graph().number(1);
  const bool implicit = symbolic::depends_on(lagrangian.ell, lagrangian.z1);
  section(implicit ? "Action, which defines " + std::string(lagrangian.z1.name()) : "Action",
          {{lagrangian.z1, lagrangian.z0 + lagrangian.ell}});
  section("Conformal factor", {{names("sigma_d", "\\sigma_d", "sigma_d"), symbolic::simplify(derived.sigma)}});

  std::vector<PrintedEquation> slopes;
  for (std::size_t a = 0; a < r; ++a)
    slopes.push_back({names.along("l", "\\ell", a), symbolic::simplify(derived.by_eta[a])});
  section("Derivatives by the arrow exp(eta)", slopes);

  std::vector<PrintedEquation> adjoint;
  symbolic::Matrix ad(r, r, zero);
  for (std::size_t k = 0; k < r; ++k) {
    for (std::size_t j = 0; j < r; ++j) {
      for (std::size_t i = 0; i < r; ++i) ad(k, j) += c(k, i, j) * eta[i];
      ad(k, j) = symbolic::simplify(ad(k, j));
      if (!ad(k, j).is_zero()) adjoint.push_back({names.entry("ad", k, j), ad(k, j)});
    }
  }
  const bool abelian = adjoint.empty();
  if (!abelian) {
    const Expr whole = names("ad", "\\mathrm{ad}", "ad");
    adjoint.push_back({names("D", "D", "D"), whole / (symbolic::exp(whole) - one)});
  }
  section("Inverse differential of exp; entries of ad that do not vanish", adjoint);

  std::vector<PrintedEquation> legendre;
  for (const bool end : {false, true}) {
    for (std::size_t a = 0; a < r; ++a) {
      Expr sum = abelian ? names.along("l", "\\ell", a) : zero;
      for (std::size_t b = 0; b < r && !abelian; ++b) {
        Expr weight = names.entry("D", b, a);
        if (end && !ad(b, a).is_zero()) weight += names.entry("ad", b, a);
        sum += weight * names.along("l", "\\ell", b);
      }
      const Expr factor = end ? one - derived.D_z1 : one + derived.D_z0;
      const Expr pull = symbolic::simplify(end ? derived.pull1[a] : -derived.pull0[a]);
      legendre.push_back(
          {names.along("mu", "\\mu", a, end ? "1" : "0", end ? "1" : "0"), (sum + pull) / symbolic::simplify(factor)});
    }
  }
  section("Discrete Legendre transforms", legendre);

  std::vector<PrintedEquation> herglotz;
  for (std::size_t a = 0; a < r; ++a) {
    const Expr after = names("mu(" + std::string(system.algebroid.y[a].name()) + ")[1] of step k-1",
                             "\\left.{\\mu_{" + names.latex_of(system.algebroid.y[a]) + "}}^{(1)}\\right|_{k-1}",
                             "mu_" + std::string(system.algebroid.y[a].name()) + "_1_previous");
    const Expr before = names("mu(" + std::string(system.algebroid.y[a].name()) + ")[0] of step k",
                              "\\left.{\\mu_{" + names.latex_of(system.algebroid.y[a]) + "}}^{(0)}\\right|_{k}",
                              "mu_" + std::string(system.algebroid.y[a].name()) + "_0_present");
    herglotz.push_back({after, before});
  }
  section("Discrete Herglotz equations", herglotz);
  return presentation;
}

}  // namespace herglotz::discrete
