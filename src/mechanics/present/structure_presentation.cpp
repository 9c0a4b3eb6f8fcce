#include "herglotz/mechanics/geometry/structure_presentation.hpp"

#include <set>
#include <string>
#include <vector>

#include "herglotz/symbolic/graph.hpp"
#include "herglotz/symbolic/simplify.hpp"
#include "present/tensor_sections.hpp"
#include "shorten/shortest.hpp"

namespace herglotz::mechanics {
namespace {

class Writer : public TensorSections {
 public:
  Presentation present(const NamedStructure& structure) {
    result_.title = structure.title;
    const auto& jacobi = structure.free();
    const auto& u = jacobi.u();
    graph_ = &u.front().graph();
    collect(structure);
    if (structure.contact) {
      const auto& contact = *structure.contact;
      section("Contact form", rows({"eta", "\\eta", "eta"}, u, contact.eta().components, "_"));
      section("Volume density", {{plain({"volume", "\\mathrm{volume}", "volume"}), read(contact.volume())}});
      section("Reeb field", rows({"R", "\\mathcal{R}", "R"}, contact.reeb()));
    } else {
      section("Field E", rows({"E", "E", "E"}, jacobi.E));
    }
    brackets("Jacobi brackets", jacobi, false, true);
    defects(jacobi);
    if (structure.constrained) constrained(*structure.constrained, structure.contact.has_value());
    return std::move(result_);
  }

 private:
  Name name_of(const Expr& coordinate) override {
    return {std::string(coordinate.name()), symbolic::print(coordinate, symbolic::Format::latex),
            std::string(coordinate.name())};
  }
  Expr plain(const Name& name) override {
    std::string text = name.text;
    while (given_.contains(text)) text += '_';
    std::string sympy = name.sympy;
    while (!variables_.insert(sympy).second) sympy += '_';
    const Expr symbol = graph_->symbol(text);
    result_.notation.push_back({symbol, name.latex, sympy});
    return symbol;
  }
  /// Collects the names of the coordinates and parameters, which nothing else may have.
  void collect(const NamedStructure& structure) {
    const auto& jacobi = structure.free();
    std::vector<Expr> used = jacobi.Lambda.components.entries;
    used.insert(used.end(), jacobi.E.components.begin(), jacobi.E.components.end());
    if (structure.contact) {
      const auto& eta = structure.contact->eta().components;
      used.insert(used.end(), eta.begin(), eta.end());
    }
    if (structure.constrained) {
      const auto& s = *structure.constrained;
      used.insert(used.end(), s.Phi.begin(), s.Phi.end());
      for (const auto& Z : s.Z) used.insert(used.end(), Z.components.begin(), Z.components.end());
    }
    for (const Expr& symbol : symbolic::free_symbols(used)) given_.emplace(symbol.name());
    for (const Expr& coordinate : jacobi.u()) given_.emplace(coordinate.name());
    variables_ = given_;
  }
  Expr read(const Expr& f) override {
    if (on_constraint_) return (*on_constraint_)(f);
    const Expr shorter = symbolic::simplify(symbolic::expand(f, effort_), effort_);
    return effort_.is_spent() && is_zero(shorter, effort_) ? graph_->number(std::int64_t{0}) : shorter;
  }
  void defects(const geometry::JacobiStructure& jacobi) {
    std::vector<PrintedEquation> found;
    auto all = jacobi.schouten_defects();
    for (const Expr& defect : jacobi.invariance_defects()) all.push_back(defect);
    for (std::size_t k = 0; k < all.size(); ++k) {
      const Expr value = read(all[k]);
      const std::string name = "defect_" + std::to_string(k + 1);
      if (!value.is_zero())
        found.push_back({plain({name, "\\mathrm{defect}_{" + std::to_string(k + 1) + "}", name}), value});
    }
    section("Defects of the Jacobi identity", found);
  }
  void constrained(const geometry::ConstrainedStructure& s, bool contact) {
    std::vector<PrintedEquation> equations;
    for (std::size_t a = 0; a < s.Phi.size(); ++a) {
      const std::string i = std::to_string(a + 1);
      equations.push_back({plain({"Phi(" + i + ")", "\\Phi^{" + i + "}", "Phi_" + i}), read(s.Phi[a])});
    }
    section("Constraints", equations);
    on_constraint_.emplace(s.Phi, s.jacobi.u(), effort_);
    reactions(s);
    projector(s);
    if (contact)
      section("Projected Reeb field",
              rows({"R_D", "\\mathcal{R}_{\\Delta}", "Reeb_D"}, graph_->number(-1) * s.jacobi.E));
    else
      section("Projected field E", rows({"E_D", "E_{\\Delta}", "E_D"}, s.jacobi.E));
    brackets("Nonholonomic brackets", s.jacobi, true, true);
    jacobiators(s, *on_constraint_);
  }

  symbolic::Graph* graph_ = nullptr;
  std::set<std::string, std::less<>> given_;      // the names of coordinates and parameters
  std::set<std::string, std::less<>> variables_;  // these and the variables of SymPy so far
  symbolic::Effort effort_{most_effort};
  std::optional<OnConstraint> on_constraint_;
};

}  // namespace

Presentation structure_presentation(const NamedStructure& structure) {
  return Writer().present(structure);
}

}  // namespace herglotz::mechanics
