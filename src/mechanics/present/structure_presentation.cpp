#include "herglotz/mechanics/geometry/structure_presentation.hpp"

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
    const Expr symbol = graph_->symbol(name.text);
    result_.notation.push_back({symbol, name.latex, name.sympy});
    return symbol;
  }
  Expr read(const Expr& f) override {
    if (on_constraint_) return (*on_constraint_)(f);
    return symbolic::simplify(symbolic::expand(f));
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
  symbolic::Effort effort_{most_effort};
  std::optional<OnConstraint> on_constraint_;
};

}  // namespace

Presentation structure_presentation(const NamedStructure& structure) {
  return Writer().present(structure);
}

}  // namespace herglotz::mechanics
