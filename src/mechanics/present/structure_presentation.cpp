#include "herglotz/mechanics/geometry/structure_presentation.hpp"

#include "herglotz/symbolic/simplify.hpp"

namespace herglotz::mechanics {
namespace {

class Writer {
 public:
  Writer(Presentation& to, const geometry::Chart& u) : to_(to), u_(u) {}

  /// Adds a section with the rows whose right sides do not vanish, if there are such rows.
  void section(std::string title, const std::vector<PrintedEquation>& rows) {
    Section made{std::move(title), {}, {}};
    for (const auto& row : rows) {
      const Expr value = symbolic::simplify(symbolic::expand(row.right));
      if (!value.is_zero()) made.equations.push_back({row.left, value});
    }
    if (!made.equations.empty()) to_.sections.push_back(std::move(made));
  }
  Expr named(const std::string& text, std::string latex, std::string sympy) {
    const Expr symbol = u_.front().graph().symbol(text);
    to_.notation.push_back({symbol, std::move(latex), std::move(sympy)});
    return symbol;
  }
  /// Returns rows of components, such as R(z).
  std::vector<PrintedEquation> components(const std::string& text, const std::string& latex,
                                          const std::vector<Expr>& values, char place) {
    std::vector<PrintedEquation> rows;
    for (std::size_t A = 0; A < u_.size(); ++A)
      rows.push_back({named(text + "(" + std::string(u_[A].name()) + ")", latex + place + "{" + latex_of(u_[A]) + "}",
                            text + "_" + std::string(u_[A].name())),
                      values[A]});
    return rows;
  }
  PrintedEquation bracket(const std::string& f, const std::string& latex, const Expr& g, Expr value) {
    return {named("{" + f + ", " + std::string(g.name()) + "}", "\\{" + latex + ", " + latex_of(g) + "\\}",
                  "bracket_" + f + "_" + std::string(g.name())),
            value};
  }
  static std::string latex_of(const Expr& symbol) { return symbolic::print(symbol, symbolic::Format::latex); }

 private:
  Presentation& to_;
  const geometry::Chart& u_;
};

}  // namespace

Presentation structure_presentation(const NamedStructure& structure) {
  Presentation result;
  result.title = structure.title;
  const auto& jacobi = structure.contact ? structure.contact->jacobi() : structure.jacobi.value();
  const auto& u = jacobi.u();
  Writer writer(result, u);
  if (structure.contact) {
    writer.section("Contact form", writer.components("eta", "\\eta", structure.contact->eta().components, '_'));
    writer.section("Volume density",
                   {{writer.named("volume", "\\mathrm{volume}", "volume"), structure.contact->volume()}});
    writer.section("Reeb field", writer.components("R", "\\mathcal{R}", structure.contact->reeb().components, '^'));
  } else {
    writer.section("Field E", writer.components("E", "E", jacobi.E.components, '^'));
  }
  std::vector<PrintedEquation> brackets;
  for (std::size_t A = 0; A < u.size(); ++A) brackets.push_back(writer.bracket("1", "1", u[A], jacobi.E.components[A]));
  for (std::size_t A = 0; A < u.size(); ++A)
    for (std::size_t B = A + 1; B < u.size(); ++B)
      brackets.push_back(
          writer.bracket(std::string(u[A].name()), Writer::latex_of(u[A]), u[B], jacobi.bracket(u[A], u[B])));
  writer.section("Jacobi brackets", brackets);
  std::vector<PrintedEquation> defects;
  auto all = jacobi.schouten_defects();
  for (const Expr& defect : jacobi.invariance_defects()) all.push_back(defect);
  for (std::size_t k = 0; k < all.size(); ++k)
    defects.push_back(
        {writer.named("defect_" + std::to_string(k + 1), "\\mathrm{defect}_{" + std::to_string(k + 1) + "}",
                      "defect_" + std::to_string(k + 1)),
         all[k]});
  writer.section("Defects of the Jacobi identity", defects);
  return result;
}

}  // namespace herglotz::mechanics
