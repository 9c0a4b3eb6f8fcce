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
    std::vector<Expr> others;  // forces that are no part of the accelerations
    for (std::size_t f = 0; f < model_.base.size(); ++f) others.push_back(of_links(f) + reaction(f));
    for (std::size_t f = 0; f < model_.base.size(); ++f)
      motion.push_back({rate(model_.fibre[f]), q_.acceleration[f] + by_inertia(q_, f, others)});
    constraints(shown);
    site_forces(shown);
    auto& action = add(shown, "Action");
    const std::string z(model_.z.name());
    action.push_back({named("d" + z + "/dt", "\\dot{" + latex_name(model_, z) + "}"),
                      sum_of(q_.lagrangian) + over_links() + model_.rest});
    auto& energy = add(shown, "Energy");
    energy.push_back({energy_symbol(), sum_of(q_.energy) - over_links() - model_.rest});
    laws(shown);
    observables(shown);
    auto& jacobian =
        add(shown, model_.constraints.empty() ? "Jacobian of the equations of motion, by its stencil"
                                              : "Jacobian of the accelerations without constraints, by its stencil");
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

  /// Returns whether an equation has velocities.
  [[nodiscard]] bool has_velocities(Expr equation) const {
    const auto elements = model_.sites.elements(equation);
    return std::any_of(elements.begin(), elements.end(),
                       [&](const auto& one) { return model_.sites.families()[one.first.family].kind == Kind::fibre; });
  }

  /// Returns the factor of Phi_y in the reaction of the constraint k at a site or edge: lambda, or under the vakonomic
  /// rule, which lengthens the momenta by -nu Phi_y, the rate of nu less L_z nu.
  Expr multiplier(std::size_t k, Offset by, Owner owner) {
    const bool vakonomic = model_.rule == mechanics::Rule::vakonomic;
    const std::string stem = (vakonomic ? "nu" : "lambda") + std::to_string(k + 1);
    const auto known = model_.sites.find(stem);
    const std::size_t family = known ? *known : model_.sites.add(stem, Kind::multiplier);
    const Element element{family, by, owner};
    const Expr symbol = owner == Owner::site ? model_.sites.at(family, by) : model_.sites.of(family, owner);
    if (!vakonomic) return symbol;
    const std::string name(symbol.name());
    return named("d" + name + "/dt", "\\dot{" + latex_of(element) + "}") - q_.L_z * symbol;
  }
  Expr whole_multiplier(std::size_t k) {
    const bool vakonomic = model_.rule == mechanics::Rule::vakonomic;
    const std::string name = (vakonomic ? "nu" : "lambda") + std::to_string(k + 1);
    const std::string latex = std::string(vakonomic ? "\\nu" : "\\lambda") + "_{" + std::to_string(k + 1) + "}";
    const Expr symbol = named(name, latex);
    return vakonomic ? named("d" + name + "/dt", "\\dot{" + latex + "}") - q_.L_z * symbol : symbol;
  }

  /// Calls `visit` with the elements of an equation by which its velocity constraint depends on velocities of the
  /// family f, and with Phi_y there.
  template <class Visit>
  void each_slope(Expr equation, std::size_t f, const Visit& visit) {
    const bool velocities = has_velocities(equation);
    if (velocities && model_.rule == mechanics::Rule::vakonomic)
      throw Refused("the equations of a site are not printed for velocities under the vakonomic rule",
                    "'herglotz simulate' runs them");
    for (const auto& [element, symbol] : model_.sites.elements(equation)) {
      if (element.family != (velocities ? model_.fibre[f] : model_.base[f])) continue;
      const Expr slope = symbolic::simplify(symbolic::derivative(equation, symbol));
      if (!slope.is_zero()) visit(element, slope);
    }
  }

  /// Returns the force of the constraints on a family at the site i.
  Expr reaction(std::size_t f) {
    Expr total = model_.graph->number(0);
    for (std::size_t k = 0; k < model_.constraints.size(); ++k) {
      if (const auto* of_sites = std::get_if<Sum>(&model_.constraints[k]))
        each_slope(of_sites->density, f, [&](const Element& element, Expr slope) {
          const Offset back{-element.offset.first, -element.offset.second};
          total += multiplier(k, back, Owner::site) * model_.sites.moved(slope, back);
        });
      if (const auto* of_edges = std::get_if<GraphSum>(&model_.constraints[k]))
        each_slope(of_edges->density, f, [&](const Element& element, Expr slope) {
          const std::string end = element.owner == Owner::from ? ".from = " : ".to = ";
          total +=
              sum_over(model_.edges->name + end + model_.indices.front().name, multiplier(k, {}, Owner::edge) * slope);
        });
    }
    return total;
  }

  /// Adds the equations, and the forces of those of the whole.
  void constraints(mechanics::Presentation& shown) {
    if (model_.constraints.empty()) return;
    const bool vakonomic = model_.rule == mechanics::Rule::vakonomic;
    shown.sections.push_back({std::string("Constraints (") + (vakonomic ? "vakonomic" : "nonholonomic") +
                                  " rule); multipliers are 0 where a site has no equation",
                              {},
                              {}});
    std::vector<PrintedEquation> forces;
    const Expr zero = model_.graph->number(0);
    for (std::size_t k = 0; k < model_.constraints.size(); ++k) {
      Expr equation = zero;
      if (const auto* of_sites = std::get_if<Sum>(&model_.constraints[k])) equation = of_sites->density;
      if (const auto* of_edges = std::get_if<GraphSum>(&model_.constraints[k])) equation = of_edges->density;
      if (const auto* of_whole = std::get_if<Observable>(&model_.constraints[k])) {
        equation = value_of(*of_whole);
        add_whole_reaction(*of_whole, k, forces);
      }
      shown.sections.back().equations.push_back({equation, zero});
    }
    if (!forces.empty()) shown.sections.push_back({"Forces of the constraints of single sites and sums", forces, {}});
  }

  /// Adds what an equation of the whole adds to the rates of momenta, at single sites or at every site of its sums.
  void add_whole_reaction(const Observable& whole, std::size_t k, std::vector<PrintedEquation>& forces) {
    bool velocities = false;
    for (const auto& [symbol, sum] : whole.sums) velocities = velocities || has_velocities(sum.density);
    if (velocities && model_.rule == mechanics::Rule::vakonomic)
      throw Refused("the equations of a site are not printed for velocities under the vakonomic rule",
                    "'herglotz simulate' runs them");
    const auto& families = velocities ? model_.fibre : model_.base;
    for (const auto& [symbol, sum] : whole.sums) {
      const Expr by_sum = with_sums(whole, symbolic::simplify(symbolic::derivative(whole.value, symbol)));
      for (std::size_t f = 0; f < families.size(); ++f) {
        Expr slope = model_.graph->number(0);
        for (const auto& [element, own] : model_.sites.elements(sum.density))
          if (element.family == families[f])
            slope += model_.sites.moved(symbolic::derivative(sum.density, own),
                                        {-element.offset.first, -element.offset.second});
        slope = symbolic::simplify(slope);
        if (slope.is_zero()) continue;
        const bool single = is_single(sum);
        const std::string at = single ? site_label(model_.indices, sites_of(model_, sum).front()) : model_.subscript();
        const std::string fibre = model_.sites.families()[model_.fibre[f]].name;
        forces.push_back({named("R" + std::to_string(k + 1) + "_" + fibre + "[" + at + "]",
                                "{R_{" + std::to_string(k + 1) + "}^{" + latex_name(model_, fibre) + "}}_{" + at + "}"),
                          whole_multiplier(k) * by_sum * slope});
      }
    }
  }

  /// Adds the forces that act at single sites, beside the equations of a site far from them.
  void site_forces(mechanics::Presentation& shown) {
    if (model_.site_forces.empty()) return;
    auto& forces = add(shown, "Forces at single sites");
    for (const SiteForce& force : model_.site_forces) {
      const std::string at = site_label(model_.indices, force.site);
      const std::string fibre = model_.sites.families()[model_.fibre[force.base]].name;
      const Expr value = at_one(force.value, force.site);
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

  /// Returns whether a sum is the element at one site.
  [[nodiscard]] bool is_single(const Sum& sum) const {
    const auto elements = model_.sites.elements(sum.density);
    return elements.size() == 1 && elements.front().second == sum.density && !is_everywhere(model_, sum);
  }

  /// Returns an expression in the sums of a function of the whole, with these as one symbol each.
  Expr with_sums(const Observable& whole, Expr f) {
    std::vector<Expr> from;
    std::vector<Expr> to;
    for (const auto& [symbol, sum] : whole.sums) {
      from.push_back(symbol);
      to.push_back(is_single(sum)
                       ? at_site(model_.sites.elements(sum.density).front().first, sites_of(model_, sum).front())
                       : sum_of(sum.density));
    }
    for (const auto& [symbol, sum] : whole.graph_sums) {
      from.push_back(symbol);
      to.push_back(over(sum));
    }
    return from.empty() ? f : symbolic::substitute(f, from, to);
  }
  Expr value_of(const Observable& whole) { return with_sums(whole, whole.value); }

  void observables(mechanics::Presentation& shown) {
    if (model_.observables.empty()) return;
    auto& list = add(shown, "Observables");
    for (const Observable& observable : model_.observables)
      list.push_back({named(observable.name, latex_name(model_, observable.name)), value_of(observable)});
  }

  /// Returns the power of the reactions as one sum, or, given a section of base families, their work along it. A
  /// constraint without time whose velocities enter linearly and without a constant has no power.
  Expr work_of_reactions(const Symmetry* along) {
    Expr total = model_.graph->number(0);
    for (std::size_t k = 0; k < model_.constraints.size(); ++k) {
      const auto* const of_sites = std::get_if<Sum>(&model_.constraints[k]);
      const auto* const of_edges = std::get_if<GraphSum>(&model_.constraints[k]);
      if (of_sites == nullptr && of_edges == nullptr) {
        const Expr work = work_of_whole(std::get<Observable>(model_.constraints[k]), along);
        if (!work.is_zero()) total += whole_multiplier(k) * work;
        continue;
      }
      const Expr equation = of_sites != nullptr ? of_sites->density : of_edges->density;
      Expr work = model_.graph->number(0);
      for (std::size_t f = 0; f < model_.base.size(); ++f)
        each_slope(equation, f, [&](const Element& element, Expr slope) {
          const Expr way = along == nullptr ? model_.sites.at(model_.fibre[f]) : along->section[f];
          work += slope * placed(way, element);
        });
      // On the constraint Phi_y v = -Phi_0: what depends on time, and velocities of other degrees.
      if (along == nullptr)
        work = has_velocities(equation) ? work - equation : -symbolic::derivative(equation, model_.t);
      work = symbolic::simplify(symbolic::expand(work));
      if (work.is_zero()) continue;
      const Expr term = multiplier(k, {}, of_edges != nullptr ? Owner::edge : Owner::site) * work;
      total += of_edges != nullptr ? sum_over(model_.edges->name, term) : sum_of(term);
    }
    return total;
  }
  /// Returns the same of an equation of the whole, over its multiplier.
  Expr work_of_whole(const Observable& whole, const Symmetry* along) {
    bool velocities = false;
    for (const auto& [symbol, sum] : whole.sums) velocities = velocities || has_velocities(sum.density);
    Expr work = model_.graph->number(0);
    for (const auto& [symbol, sum] : whole.sums) {
      Expr of_site = model_.graph->number(0);
      for (std::size_t f = 0; f < model_.base.size(); ++f)
        each_slope(sum.density, f, [&](const Element& element, Expr slope) {
          if (has_velocities(sum.density) != velocities) return;
          of_site += slope * placed(along == nullptr ? model_.sites.at(model_.fibre[f]) : along->section[f], element);
        });
      if (along == nullptr && !velocities) of_site = -symbolic::derivative(sum.density, model_.t);
      of_site = symbolic::simplify(of_site);
      if (of_site.is_zero()) continue;
      const Expr by_sum = with_sums(whole, symbolic::simplify(symbolic::derivative(whole.value, symbol)));
      work += by_sum * (is_single(sum) ? at_one(of_site, sites_of(model_, sum).front()) : sum_of(of_site));
    }
    if (along != nullptr) return work;
    return velocities ? symbolic::simplify(work - value_of(whole)) : work - symbolic::derivative(whole.value, model_.t);
  }

  /// Returns an expression at one site.
  Expr at_one(Expr f, std::size_t site) {
    return model_.sites.replaced(f, [&](const Element& element) {
      const std::size_t place = place_of(model_, site, element.offset);
      return place == model_.count() ? model_.graph->number(0) : at_site(element, place);
    });
  }

  /// Returns an expression of a site at the place of an element.
  Expr placed(Expr f, const Element& element) {
    if (element.owner == Owner::site) return model_.sites.moved(f, element.offset);
    return model_.sites.replaced(f, [&](const Element& own) { return model_.sites.of(own.family, element.owner); });
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
    balance.push_back({rate, q_.L_z * energy_symbol() + source - symbolic::derivative(model_.rest, model_.t) +
                                 work_of_reactions(nullptr)});
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
      balance.push_back({J_rate, q_.L_z * J + (change.is_zero() ? change : sum_of(change)) + by_links +
                                     work_of_reactions(&symmetry)});
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
