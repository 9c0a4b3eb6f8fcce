#include "herglotz/families/presentation.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "herglotz/families/site_values.hpp"
#include "herglotz/symbolic/derivative.hpp"
#include "herglotz/symbolic/print.hpp"
#include "herglotz/symbolic/simplify.hpp"

namespace herglotz::families {
namespace {

using mechanics::PrintedEquation;
using symbolic::Format;

/// Returns the name as LaTeX sets a name of a model.
std::string latex_name(Model& model, const std::string& name) {
  return symbolic::print(model.graph->symbol(name), Format::latex);
}

class Printer {
 public:
  explicit Printer(Model& model) : model_(model), q_(derive(model, Borders::ignored)) {}

  mechanics::Presentation present() {
    mechanics::Presentation shown;
    shown.title = model_.title.empty() ? model_.name : model_.name + ": " + model_.title;
    shown.sections.push_back({sites(), {}, {}});
    auto& kinematics = add(shown, "Kinematics");
    for (std::size_t f = 0; f < model_.base.size(); ++f)
      kinematics.push_back({rate(model_.base[f]), model_.sites.at(model_.fibre[f])});
    auto& momenta = add(shown, "Momenta");
    for (std::size_t f = 0; f < model_.base.size(); ++f)
      momenta.push_back({model_.sites.at(momentum_family(model_, f)), q_.momentum[f]});
    auto& motion = add(shown, "Equations of motion");
    for (std::size_t f = 0; f < model_.base.size(); ++f)
      motion.push_back({rate(model_.fibre[f]), q_.acceleration[f] + of_links(f) / q_.inertia[f]});
    site_forces(shown);
    auto& action = add(shown, "Action");
    const std::string z(model_.z.name());
    action.push_back({named("d" + z + "/dt", "\\dot{" + latex_name(model_, z) + "}"),
                      sum_of(q_.lagrangian) + over_links() + model_.rest});
    auto& energy = add(shown, "Energy");
    energy.push_back({energy_symbol(), sum_of(q_.energy) - over_links() - model_.rest});
    laws(shown);
    observables(shown);
    auto& jacobian = add(shown, "Jacobian of the equations of motion, by its stencil");
    for (std::size_t f = 0; f < model_.base.size(); ++f)
      for (const auto& [element, symbol] : model_.sites.elements(q_.acceleration[f])) {
        const Kind kind = model_.sites.families()[element.family].kind;
        if (kind != Kind::base && kind != Kind::fibre) continue;
        const Expr entry = symbolic::simplify(symbolic::derivative(q_.acceleration[f], symbol));
        if (!entry.is_zero()) jacobian.push_back({slope(model_.fibre[f], symbol), entry});
      }
    names(shown);
    shown.notation.insert(shown.notation.end(), notation_.begin(), notation_.end());
    return shown;
  }

 private:
  static std::vector<PrintedEquation>& add(mechanics::Presentation& shown, const std::string& title) {
    shown.sections.push_back({title, {}, {}});
    return shown.sections.back().equations;
  }

  [[nodiscard]] std::string sites() const {
    std::string text;
    for (const Index& index : model_.indices) {
      const char* ends = index.ends == Ends::periodic ? "a ring"
                         : index.ends == Ends::fixed  ? "fixed ends: coordinates are 0 outside"
                                                      : "free ends: every sum runs where all in it lies inside";
      text +=
          (text.empty() ? "Sites " : "; ") + index.name + " = 0 .. " + std::to_string(index.count - 1) + ", " + ends;
    }
    return text;
  }

  Expr named(const std::string& name, std::string latex) {
    const Expr symbol = model_.graph->symbol(name);
    const bool known =
        std::any_of(notation_.begin(), notation_.end(), [&](const auto& entry) { return entry.symbol == symbol; });
    if (!known) notation_.push_back({symbol, std::move(latex), name});
    return symbol;
  }

  [[nodiscard]] std::string latex_of(Expr symbol) {
    const auto found =
        std::find_if(notation_.begin(), notation_.end(), [&](const auto& entry) { return entry.symbol == symbol; });
    if (found != notation_.end()) return found->latex;
    const auto elements = model_.sites.elements(symbol);
    return elements.empty() ? symbolic::print(symbol, Format::latex) : latex_of(elements.front().first);
  }

  [[nodiscard]] std::string latex_of(const Element& element) {
    const Family& of = model_.sites.families()[element.family];
    const Offset& by = element.offset;
    if (of.kind == Kind::number && element.owner == Owner::site) {
      const std::string number = with_offset(of.name, by.first + by.second);
      return by == Offset{} ? number : "(" + number + ")";
    }
    const std::string place = model_.sites.subscript(element);
    const std::string stem = of.kind == Kind::momentum ? "p^{" + latex_name(model_, of.name.substr(2)) + "}"
                                                       : "{" + latex_name(model_, of.name) + "}";
    return stem + "_{" + place + "}";
  }

  Expr rate(std::size_t family) {
    const Expr of = model_.sites.at(family);
    const std::string name(of.name());
    return named("d" + name + "/dt", "\\dot{" + latex_of(Element{family, {}}) + "}");
  }

  Expr energy_symbol() { return named("E", "E"); }

  Expr slope(std::size_t family, Expr by) {
    const std::string of(model_.sites.at(family).name());
    const Element element = model_.sites.elements(by).front().first;
    return named("d(d" + of + "/dt)/d" + std::string(by.name()),
                 "\\frac{\\partial \\dot{" + latex_of(Element{family, {}}) + "}}{\\partial " + latex_of(element) + "}");
  }

  /// Returns the sum of a density as one symbol.
  Expr sum_of(Expr density) {
    if (density.is_zero()) return density;
    const std::string i = fmt::format("{}", fmt::join(model_.index_names(), ", "));
    symbolic::PrintOptions options;
    for (const auto& [element, symbol] : model_.sites.elements(density))
      options.rename[std::string(symbol.name())] = latex_of(element);
    return named("sum(" + i + ", " + symbolic::print(density) + ")",
                 "\\sum_{" + i + "} \\left(" + symbolic::print(density, Format::latex, options) + "\\right)");
  }

  /// Adds the forces that act at single sites, beside the equations of a site far from them.
  void site_forces(mechanics::Presentation& shown) {
    if (model_.site_forces.empty()) return;
    auto& forces = add(shown, "Forces at single sites");
    for (const SiteForce& force : model_.site_forces) {
      const std::string at = site_label(model_.indices, force.site);
      const std::string fibre = model_.sites.families()[model_.fibre[force.base]].name;
      const Expr value = model_.sites.replaced(force.value, [&](const Element& element) {
        const std::size_t place = place_of(model_, force.site, element.offset);
        if (place == model_.count()) return model_.graph->number(0);
        return at_site(element, place);
      });
      const std::string latex = "{F^{" + latex_name(model_, fibre) + "}}_{" + at + "}";
      forces.push_back({named("F_" + fibre + "[" + at + "]", latex), value});
    }
  }

  /// Returns a sum over some edges or pairs as one symbol.
  Expr sum_over(const std::string& range, Expr density) {
    if (density.is_zero()) return density;
    symbolic::PrintOptions options;
    for (const auto& [element, symbol] : model_.sites.elements(density))
      options.rename[std::string(symbol.name())] = latex_of(element);
    return named("sum(" + range + ", " + symbolic::print(density) + ")",
                 "\\sum_{" + range + "} \\left(" + symbolic::print(density, Format::latex, options) + "\\right)");
  }

  Expr over(const GraphSum& sum) {
    const std::string& i = model_.indices.front().name;
    return sum_over(sum.pairs ? i + ", " + model_.sites.second() + " < " + i : model_.edges->name, sum.density);
  }

  /// Returns all sums over edges and pairs of the Lagrangian.
  Expr over_links() {
    Expr total = model_.graph->number(0);
    for (const GraphSum& sum : model_.graph_sums) total += over(sum);
    return total;
  }

  /// Returns the force on a family by the edges and pairs at the site i.
  Expr of_links(std::size_t f) {
    const std::string& i = model_.indices.front().name;
    Expr total = model_.graph->number(0);
    for (const GraphSum& sum : model_.graph_sums)
      for (const auto& [element, symbol] : model_.sites.elements(sum.density)) {
        if (element.family != model_.base[f]) continue;
        Expr force = symbolic::simplify(symbolic::derivative(sum.density, symbol));
        const std::string other = sum.pairs ? model_.sites.second() : model_.edges->name;
        if (element.owner == Owner::second)
          // The site i is the second one of the pair: both change names.
          force = model_.sites.replaced(force, [&](const Element& own) {
            return own.owner == Owner::second ? model_.sites.at(own.family)
                                              : model_.sites.of(own.family, Owner::second);
          });
        total += sum_over(element.owner == Owner::site     ? other + " < " + i
                          : element.owner == Owner::second ? other + " > " + i
                          : element.owner == Owner::from   ? other + ".from = " + i
                                                           : other + ".to = " + i,
                          force);
      }
    return total;
  }

  /// Returns the symbol of an element by the number of its site.
  Expr at_site(const Element& element, std::size_t site) {
    const std::string place = site_label(model_.indices, site);
    const std::string name = model_.sites.families()[element.family].name;
    return named(name + "[" + place + "]", "{" + latex_name(model_, name) + "}_{" + place + "}");
  }

  void observables(mechanics::Presentation& shown) {
    if (model_.observables.empty()) return;
    auto& list = add(shown, "Observables");
    for (const Observable& observable : model_.observables) {
      std::vector<Expr> from;
      std::vector<Expr> to;
      for (const auto& [symbol, sum] : observable.sums) {
        const auto elements = model_.sites.elements(sum.density);
        const bool single =
            elements.size() == 1 && elements.front().second == sum.density && !is_everywhere(model_, sum);
        from.push_back(symbol);
        to.push_back(single ? at_site(elements.front().first, sites_of(model_, sum).front()) : sum_of(sum.density));
      }
      for (const auto& [symbol, sum] : observable.graph_sums) {
        from.push_back(symbol);
        to.push_back(over(sum));
      }
      const Expr value = from.empty() ? observable.value : symbolic::substitute(observable.value, from, to);
      list.push_back({named(observable.name, latex_name(model_, observable.name)), value});
    }
  }

  void laws(mechanics::Presentation& shown) {
    auto& dissipation = add(shown, "Dissipation rate");
    dissipation.push_back(
        {named("dL/d" + std::string(model_.z.name()),
               "\\frac{\\partial L}{\\partial " + latex_name(model_, std::string(model_.z.name())) + "}"),
         q_.L_z});
    auto& balance = add(shown, "Balance laws");
    const Expr rate = named("dE/dt", "\\dot{E}");
    Expr source = -symbolic::derivative(q_.lagrangian, model_.t);
    for (std::size_t f = 0; f < model_.base.size(); ++f) source += q_.external[f] * model_.sites.at(model_.fibre[f]);
    source = sum_of(symbolic::simplify(source));
    balance.push_back({rate, q_.L_z * energy_symbol() + source - symbolic::derivative(model_.rest, model_.t)});
    for (const Symmetry& symmetry : model_.symmetries) {
      Expr density = model_.graph->number(0);
      for (std::size_t f = 0; f < model_.base.size(); ++f) density += q_.momentum[f] * symmetry.section[f];
      const Expr J = named("J(" + symmetry.name + ")", "J_{\\mathrm{" + symmetry.name + "}}");
      const Expr J_rate = named("dJ(" + symmetry.name + ")/dt", "\\dot{J}_{\\mathrm{" + symmetry.name + "}}");
      Expr change = lifted(model_, symmetry);
      for (std::size_t f = 0; f < model_.base.size(); ++f) change += q_.external[f] * symmetry.section[f];
      change = symbolic::simplify(change);
      balance.push_back({J, sum_of(symbolic::simplify(density))});
      Expr by_links = model_.graph->number(0);
      for (const GraphSum& sum : model_.graph_sums) by_links += over({lifted(model_, symmetry, sum), sum.pairs});
      balance.push_back({J_rate, q_.L_z * J + (change.is_zero() ? change : sum_of(change)) + by_links});
    }
  }

  /// Adds how elements are typeset.
  void names(mechanics::Presentation& shown) {
    for (const auto& section : shown.sections)
      for (const auto& equation : section.equations)
        for (const Expr& side : {equation.left, equation.right})
          for (const auto& [element, symbol] : model_.sites.elements(side))
            named(std::string(symbol.name()), latex_of(element));
  }

  Model& model_;
  Equations q_;
  std::vector<mechanics::Notation> notation_;
};

}  // namespace

mechanics::Presentation presentation(Model& model) {
  return Printer(model).present();
}

}  // namespace herglotz::families
