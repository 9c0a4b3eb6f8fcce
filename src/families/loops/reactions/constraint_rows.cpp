#include "loops/reactions/constraint_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "herglotz/error.hpp"
#include "herglotz/families/flat.hpp"
#include "herglotz/symbolic/derivative.hpp"
#include "herglotz/symbolic/simplify.hpp"
#include "loops/links/edge_loop.hpp"

namespace herglotz::families {
namespace {

using symbolic::derivative;
using symbolic::simplify;

/// An equation of the whole in loops is one of at most this number of sites.
constexpr std::size_t most_sites_of_whole = 64;

/// The equation at a row, in elements at its site or edge.
struct RowEquation {
  Expr value;
  std::vector<std::size_t> sites;  ///< of the rows, or the numbers of the edges
  std::string of_row;
};

std::size_t sites_of_whole(const Model& model, const Observable& whole) {
  std::size_t count = 0;
  for (const auto& [symbol, sum] : whole.sums) count += sites_of(model, sum).size();
  return count;
}

/// Returns an equation of the whole as one at the site 0, whose elements lie at offsets that are their sites.
RowEquation written_at_start(Model& model, const Observable& whole) {
  std::vector<Expr> symbols;
  std::vector<Expr> sums;
  for (const auto& [symbol, sum] : whole.sums) {
    std::vector<Expr> terms;
    for (const std::size_t site : sites_of(model, sum))
      terms.push_back(model.sites.moved(sum.density, {static_cast<std::int64_t>(site), 0}));
    symbols.push_back(symbol);
    sums.push_back(symbolic::sum(terms));
  }
  return {symbols.empty() ? whole.value : symbolic::substitute(whole.value, symbols, sums), {0}, {}};
}

RowEquation equation_of(Model& model, const Constraint& constraint) {
  if (const auto* of_sites = std::get_if<Sum>(&constraint))
    return {of_sites->density, sites_of(model, *of_sites), model.indices.front().name};
  if (const auto* of_edges = std::get_if<GraphSum>(&constraint)) {
    std::vector<std::size_t> numbers(model.edges->from.size());
    std::iota(numbers.begin(), numbers.end(), 0);
    return {of_edges->density, std::move(numbers), model.edges->name};
  }
  return written_at_start(model, std::get<Observable>(constraint));
}

/// Returns the families of the accelerations, one for each base family.
std::vector<std::size_t> acceleration_families(Model& model) {
  std::vector<std::size_t> families;
  for (const std::size_t v : model.fibre) {
    const std::string name = "acceleration:" + model.sites.families()[v].name;
    const auto known = model.sites.find(name);
    families.push_back(known ? *known : model.sites.add(name, Kind::momentum));
  }
  return families;
}

/// Derivatives of an equation by the elements of a row.
class Slopes {
 public:
  explicit Slopes(Model& model) : model_(model), acceleration_(acceleration_families(model)) {}

  [[nodiscard]] const std::vector<std::size_t>& accelerations() const { return acceleration_; }

  /// Returns whether a function depends on velocities.
  [[nodiscard]] bool moves(Expr f) const {
    const auto elements = model_.sites.elements(f);
    return std::any_of(elements.begin(), elements.end(),
                       [&](const auto& one) { return place_among(model_.fibre, one.first.family).has_value(); });
  }

  /// Returns the derivative by time along velocities and accelerations.
  Expr along_motion(Expr f) {
    Expr rate = derivative(f, model_.t);
    for (const auto& [element, symbol] : model_.sites.elements(f)) {
      if (const auto q = place_among(model_.base, element.family))
        rate += derivative(f, symbol) * at(model_.fibre[*q], element);
      if (const auto v = place_among(model_.fibre, element.family))
        rate += derivative(f, symbol) * at(acceleration_[*v], element);
    }
    return simplify(rate);
  }

  /// Calls `visit` with the element of a velocity, its place among the base families, and the slope by it.
  template <class Visit>
  void each(Expr f, bool of_coordinates, const Visit& visit) {
    for (const auto& [element, symbol] : model_.sites.elements(f)) {
      const auto place = place_among(of_coordinates ? model_.base : model_.fibre, element.family);
      if (!place) continue;
      const Expr slope = simplify(derivative(f, symbol));
      if (!slope.is_zero()) visit(element, *place, slope);
    }
  }

  /// Returns the work of a reaction of 1 on the energy, where the constraint holds.
  Expr power(Expr f, bool of_coordinates) {
    if (of_coordinates) return simplify(-derivative(f, model_.t));
    Expr total = -f;
    each(f, false, [&](const Element& element, std::size_t place, Expr slope) {
      total += slope * at(model_.fibre[place], element);
    });
    return simplify(symbolic::expand(total));
  }

  /// Returns its work along a symmetry.
  Expr work(Expr f, bool of_coordinates, const Symmetry& symmetry) {
    Expr total = model_.graph->number(0);
    each(f, of_coordinates, [&](const Element& element, std::size_t place, Expr slope) {
      total += slope * placed(symmetry.section[place], element);
    });
    return simplify(symbolic::expand(total));
  }

 private:
  /// Returns the element of another family at the same place.
  Expr at(std::size_t family, const Element& element) {
    return element.owner == Owner::site ? model_.sites.at(family, element.offset)
                                        : model_.sites.of(family, element.owner);
  }
  Expr placed(Expr f, const Element& element) {
    if (element.owner == Owner::site) return model_.sites.moved(f, element.offset);
    return model_.sites.replaced(f, [&](const Element& own) { return model_.sites.of(own.family, element.owner); });
  }

  Model& model_;
  std::vector<std::size_t> acceleration_;
};

/// Returns the works on the laws that are not 0, by law. The source of a law of what is no symmetry has all forces.
std::map<std::size_t, Expr> works_of(Model& model, Slopes& slopes, Expr equation, bool of_coordinates) {
  std::map<std::size_t, Expr> works{{0, slopes.power(equation, of_coordinates)}};
  for (std::size_t k = 0; k < model.symmetries.size(); ++k)
    if (is_symmetry(model, model.symmetries[k]))
      works.emplace(1 + k, slopes.work(equation, of_coordinates, model.symmetries[k]));
  std::erase_if(works, [](const auto& one) { return one.second.is_zero(); });
  return works;
}

}  // namespace

void require_reactions(const Model& model) {
  if (model.constraints.empty()) return;
  const std::string remedy =
      fmt::format("with at most {} coordinates 'simulate' writes the model out and runs it", most_flat);
  if (model.rule == mechanics::Rule::vakonomic)
    throw Refused("in loops over the sites constraints follow the nonholonomic rule", remedy, "[constraints]");
  if (model.indices.size() > 1)
    throw Refused("in loops over the sites a model with constraints has one index", remedy, "[constraints]");
  for (std::size_t k = 0; k < model.constraints.size(); ++k) {
    const auto* const whole = std::get_if<Observable>(&model.constraints[k]);
    if (whole == nullptr || (whole->graph_sums.empty() && sites_of_whole(model, *whole) <= most_sites_of_whole))
      continue;
    throw Refused(fmt::format("constraint {} joins more sites than the {} that it may in loops over the sites", k + 1,
                              most_sites_of_whole),
                  remedy, "[constraints]");
  }
}

void require_reactions(const Model& model, const Equations& equations) {
  require_reactions(model);
  if (!model.constraints.empty() && !equations.inverse.empty())
    throw Refused("in loops over the sites constraints need a kinetic energy without products of two velocities",
                  fmt::format("with at most {} coordinates 'simulate' writes the model out and runs it", most_flat),
                  "[constraints]");
}

std::optional<std::size_t> constraint_on_velocities(Model& model) {
  const Slopes slopes(model);
  for (std::size_t k = 0; k < model.constraints.size(); ++k)
    if (slopes.moves(equation_of(model, model.constraints[k]).value)) return k;
  return std::nullopt;
}

std::vector<bool> worked_laws(Model& model) {
  std::vector<bool> worked(1 + model.symmetries.size());
  Slopes slopes(model);
  for (const Constraint& constraint : model.constraints) {
    const Expr equation = equation_of(model, constraint).value;
    for (const auto& [law, work] : works_of(model, slopes, equation, !slopes.moves(equation))) worked[law] = true;
  }
  return worked;
}

ConstraintRows::ConstraintRows(Model& model, std::size_t constraint)
    : name_(fmt::format("constraint {}", constraint + 1)) {
  const RowEquation row = equation_of(model, model.constraints[constraint]);
  of_row_ = row.of_row;
  sites_.assign(row.sites.begin(), row.sites.end());
  Slopes slopes(model);
  of_coordinates_ = !slopes.moves(row.value);
  const Expr velocity = of_coordinates_ ? slopes.along_motion(row.value) : row.value;

  // The places of elements at one offset, or at one end of the edges, are kept once.
  std::map<std::pair<Owner, Offset>, Places> known;
  const auto places = [&](const Element& element) -> Places {
    if (element.owner == Owner::edge) return nullptr;
    Places& own = known[{element.owner, element.offset}];
    if (own) return own;
    if (element.owner == Owner::site) {
      std::vector<std::uint32_t> all;
      for (const std::size_t site : row.sites) {
        const std::size_t place = place_of(model, site, element.offset);
        all.push_back(place == model.count() ? nowhere : static_cast<std::uint32_t>(place));
      }
      own = std::make_shared<const std::vector<std::uint32_t>>(std::move(all));
    } else {
      own = places_of(element.owner == Owner::from ? model.edges->from : model.edges->to);
    }
    return own;
  };

  LinkBuilder build(model, "constraint");
  std::size_t arrays = 0;
  for (const Expr& value : {simplify(row.value), velocity, slopes.along_motion(velocity)}) build.store(value, arrays++);
  slopes.each(row.value, of_coordinates_, [&](const Element& element, std::size_t f, Expr slope) {
    slopes_.push_back({f, places(element)});
    curved_ = curved_ || slopes.moves(slope);
    build.store(slope, arrays++);
  });
  for (const auto& [law, work] : works_of(model, slopes, row.value, of_coordinates_)) {
    laws_.push_back(law);
    build.store(work, arrays++);
  }
  std::vector<std::size_t> moving = model.base;
  moving.insert(moving.end(), model.fibre.begin(), model.fibre.end());
  moving.insert(moving.end(), slopes.accelerations().begin(), slopes.accelerations().end());
  loop_.emplace(build.compile(arrays, std::nullopt), moving, sites_.size(), places);
}

void ConstraintRows::find(const double* const* motion, double t, const Values& values) {
  std::vector<double*> written{values.equation, values.velocity, values.acceleration};
  written.insert(written.end(), values.slopes.begin(), values.slopes.end());
  written.insert(written.end(), values.works.begin(), values.works.end());
  loop_->visit(motion, t, written);
}

std::string ConstraintRows::name(std::size_t row) const {
  if (of_row_.empty()) return name_;
  return fmt::format("{} at {} = {}", name_, of_row_, sites_[row]);
}

}  // namespace herglotz::families
