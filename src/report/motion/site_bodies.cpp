#include "motion/site_bodies.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "herglotz/error.hpp"
#include "herglotz/families/equations.hpp"
#include "herglotz/families/pictures.hpp"
#include "herglotz/families/site_values.hpp"
#include "herglotz/symbolic/evaluate.hpp"
#include "page/markup.hpp"

namespace herglotz::report {
namespace {

using families::Element;
using families::Field;
using families::FieldRun;
using families::Owner;
using io::ViewBody;
using nlohmann::json;
using symbolic::Expr;
using Each = ViewBody::Each;
using Places = std::vector<std::size_t>;

constexpr std::size_t most_numbers = 500'000;  // that vary in time
constexpr std::size_t most_moments = 2000;
constexpr std::size_t most_on_a_line = 400;  // bodies along the one index
constexpr std::size_t most_on_a_grid = 40;   // along each of two
constexpr std::size_t most_of_a_surface = 64;
constexpr std::size_t most_edges = 2000;
constexpr std::size_t most_paths = 60;

/// A name of the view that the run has no value for.
struct MissingName {
  std::string name;
};

/// Source of the value of a symbol for one body: a number, or a column of values that a run has at its rows.
struct Source {
  double value = 0;
  const double* rows = nullptr;  ///< the value at the first row, or nullptr for a number
  std::size_t stride = 1;        ///< from one row to the next
};

/// One component of an array of bodies.
struct Component {
  std::size_t moments = 1;
  std::vector<double> values;
};

json written(const Component& component, std::size_t bodies) {
  constexpr double levels = 65534;
  double low = std::numeric_limits<double>::infinity();
  double high = -low;
  for (const double value : component.values)
    if (std::isfinite(value)) {
      low = std::min(low, value);
      high = std::max(high, value);
    }
  if (low > high) low = high = 0;
  const double step = (high - low) / levels;
  std::string bytes;
  bytes.reserve(2 * component.values.size());
  for (const double value : component.values) {
    const double level = step > 0 ? std::round((value - low) / step) : 0;
    const unsigned code = std::isfinite(value) ? static_cast<unsigned>(std::clamp(level, 0.0, levels)) : 65535U;
    bytes.push_back(static_cast<char>(code & 0xffU));
    bytes.push_back(static_cast<char>(code >> 8U));
  }
  return {{"bodies", bodies},
          {"moments", component.moments},
          {"low", number(low)},
          {"step", number(step)},
          {"data", base64(bytes)}};
}

class SiteWriter {
 public:
  SiteWriter(const FieldRun& run, io::FamilyView& stated)
      : run_(run), stated_(stated), model_(stated.model), constants_(families::site_values(model_).parameters) {}

  json write() {
    std::vector<Planned> plan;
    std::size_t varying = 0;
    for (const ViewBody& body : stated_.view->bodies) {
      if (body.shape == "ground") {
        add_ground(body);
        continue;
      }
      plan.push_back(planned(body));
      varying += plan.back().varying.size() * plan.back().sources.size();
    }
    const std::size_t rows = run_.trajectory.rows();
    moments_ = families::spread(
        rows, std::clamp<std::size_t>(most_numbers / std::max<std::size_t>(1, varying), 2, most_moments));
    json arrays = json::array();
    for (const Planned& one : plan) arrays.push_back(array(one));
    json at = json::array();
    for (const std::size_t row : moments_) at.push_back(number(run_.trajectory.columns.front().values[row]));
    json result{{"bodies", std::move(grounds_)}, {"operations", std::move(operations_)}, {"columns", json::array()},
                {"arrays", std::move(arrays)},   {"components", std::move(components_)}, {"moments", std::move(at)}};
    if (const auto& camera = stated_.view->camera)
      result["camera"] = {{"from", camera->from}, {"at", camera->at}, {"up", camera->up}};
    if (!note_.empty()) result["note"] = note_;
    return result;
  }

 private:
  /// A body with the sites or edges for which it is drawn, and the sources of its symbols for each of them.
  struct Planned {
    const ViewBody& body;
    std::vector<Expr> symbols;
    std::vector<Expr> fixed;    ///< components that do not vary in time
    std::vector<Expr> varying;  ///< those that do
    Places places;              ///< sites or edges
    std::vector<std::vector<Source>> sources;
    std::size_t width = 0;  ///< places along the second index of a grid
  };

  Planned planned(const ViewBody& body) {
    Planned plan{body, {}, {}, {}, {}, {}};
    std::vector<Expr> all;
    for (const auto& [key, list] : body.properties) all.insert(all.end(), list.begin(), list.end());
    plan.symbols = symbolic::free_symbols(all);
    std::map<symbolic::NodeId, Element> elements;
    for (const Expr& f : all)
      for (const auto& [element, symbol] : model_.sites.elements(f)) elements.emplace(symbol.id(), element);
    const Places wanted = places_of(body, plan);
    for (const std::size_t place : wanted) {
      std::vector<Source> sources;
      for (const Expr& symbol : plan.symbols) {
        const auto element = elements.find(symbol.id());
        const auto source = element == elements.end() ? of_whole(symbol) : of_element(element->second, place);
        if (!source) break;
        sources.push_back(*source);
      }
      if (sources.size() < plan.symbols.size()) continue;
      plan.places.push_back(place);
      plan.sources.push_back(std::move(sources));
    }
    if (plan.places.empty() || (body.shape == "surface" && plan.places.size() < wanted.size()))
      throw MissingName{"the sites of " + body.name};
    std::set<symbolic::NodeId> known;
    for (const Expr& f : all)
      if (known.insert(f.id()).second) (varies(f, plan) ? plan.varying : plan.fixed).push_back(f);
    return plan;
  }

  static bool varies(const Expr& f, const Planned& plan) {
    const auto used = symbolic::free_symbols({&f, 1});
    for (std::size_t k = 0; k < plan.symbols.size(); ++k)
      if (std::find(used.begin(), used.end(), plan.symbols[k]) != used.end())
        for (const auto& sources : plan.sources)
          if (sources[k].rows != nullptr) return true;
    return false;
  }

  /// Returns the sites or edges for which a body is wanted.
  Places places_of(const ViewBody& body, Planned& plan) {
    if (body.each == Each::whole) return {0};
    const bool path = body.shape == "path";
    if (body.each == Each::edge) {
      const std::size_t count = model_.edges->from.size();
      return noted(families::spread(count, path ? most_paths : most_edges), count, body);
    }
    if (run_.fields.empty()) throw MissingName{"families"};
    const auto along = families::places_of(run_.fields.front(), run_.indices);
    if (along.empty()) return noted(run_.fields.front().sites, model_.count(), body);
    if (along.size() == 1) {
      Places places;
      for (const std::size_t k : families::spread(along[0].size(), path ? most_paths : most_on_a_line))
        places.push_back(along[0][k]);
      return body.shape == "curve" ? places : noted(std::move(places), model_.count(), body);
    }
    const bool surface = body.shape == "surface";
    const std::size_t most = surface ? most_of_a_surface : path ? 8 : most_on_a_grid;
    Places places;
    const auto columns = families::spread(along[1].size(), most);
    for (const std::size_t row : families::spread(along[0].size(), most))
      for (const std::size_t column : columns) places.push_back(along[0][row] * model_.width() + along[1][column]);
    plan.width = columns.size();
    return surface ? places : noted(std::move(places), model_.count(), body);
  }

  Places noted(Places places, std::size_t all, const ViewBody& body) {
    if (places.size() < all)
      note_ +=
          fmt::format("{}The picture has {} of {} for '{}'.", note_.empty() ? "" : " ", places.size(), all, body.name);
    return places;
  }

  /// Returns the source of the action, time, a parameter, or a site by its number.
  std::optional<Source> of_whole(const Expr& symbol) const {
    const std::string name(symbol.name());
    for (const auto& single : stated_.singles)
      if (single.symbol == symbol) return at_site(single.family, single.site);
    if (const auto* column = run_.trajectory.find(name)) return Source{0, column->values.data()};
    for (const auto& [parameter, value] : run_.trajectory.facts.parameters)
      if (parameter == name) return Source{value};
    throw MissingName{name};
  }

  std::optional<Source> of_element(const Element& element, std::size_t place) const {
    const auto& family = model_.sites.families()[element.family];
    if (element.owner == Owner::edge) return constant(element.family, place);
    if (element.owner == Owner::from) return at_site(element.family, model_.edges->from[place]);
    if (element.owner == Owner::to) return at_site(element.family, model_.edges->to[place]);
    if (family.kind == families::Kind::number) {
      const bool second = *family.along == 1;
      const auto by = second ? element.offset.second : element.offset.first;
      return Source{static_cast<double>(model_.along(*family.along, place)) + static_cast<double>(by)};
    }
    for (std::size_t k = 0; k < model_.indices.size(); ++k) {
      const auto& index = model_.indices[k];
      const auto by = k == 0 ? element.offset.first : element.offset.second;
      if (families::place_of(index, model_.along(k, place), by) < index.count) continue;
      if (index.ends == families::Ends::free) return std::nullopt;
      return Source{};
    }
    return at_site(element.family, families::place_of(model_, place, element.offset));
  }

  /// Returns the value of a family at a site, or nothing if the run did not keep it.
  std::optional<Source> at_site(std::size_t family, std::size_t site) const {
    const auto& of = model_.sites.families()[family];
    if (of.kind == families::Kind::parameter) return constant(family, site);
    const auto field =
        std::find_if(run_.fields.begin(), run_.fields.end(), [&](const Field& one) { return one.name == of.name; });
    if (field == run_.fields.end()) throw MissingName{of.name};
    const auto stored = std::lower_bound(field->sites.begin(), field->sites.end(), site);
    if (stored == field->sites.end() || *stored != site) return std::nullopt;
    return Source{0, field->values.data() + (stored - field->sites.begin()), field->sites.size()};
  }

  /// Returns a value of a family of parameters.
  [[nodiscard]] Source constant(std::size_t family, std::size_t place) const {
    return {constants_.at(family).at(place)};
  }

  /// Adds a ground, whose width is that of the first row.
  void add_ground(const ViewBody& body) {
    json result{{"name", body.name}, {"shape", body.shape}};
    const auto size = body.properties.find("size");
    if (size != body.properties.end()) {
      const Planned plan = planned(body);
      std::vector<Component> values = evaluated(plan, size->second, {0});
      result["size"] = {operations_.size()};
      operations_.push_back({"number", number(values.front().values.front())});
    }
    grounds_.push_back(std::move(result));
  }

  json array(const Planned& plan) {
    const ViewBody& body = plan.body;
    const auto numbers = components_of(plan);
    json result{{"name", body.name}, {"shape", body.shape}, {"bodies", plan.places.size()}};
    result["along"] = plan.width == 0 ? plan.places.size() : plan.width;
    if (!body.color.empty()) result["color"] = body.color;
    if (!body.of.empty()) result["of"] = body.of;
    if (plan.width != 0 && body.shape == "surface") result["columns"] = plan.width;
    for (const auto& [key, list] : body.properties)
      for (const Expr& one : list) result[key].push_back(numbers.at(one.id()));
    return result;
  }

  /// Returns the numbers of the components of a body, which are evaluated once for all bodies with the same places.
  std::map<symbolic::NodeId, std::size_t> components_of(const Planned& plan) {
    std::map<symbolic::NodeId, std::size_t> numbers;
    const auto key = std::pair{plan.body.each, plan.places};
    for (const bool moving : {false, true}) {
      std::vector<Expr> open;
      for (const Expr& f : moving ? plan.varying : plan.fixed) {
        const auto known = known_.find({key, f.id()});
        if (known != known_.end())
          numbers[f.id()] = known->second;
        else
          open.push_back(f);
      }
      if (open.empty()) continue;
      const auto values = evaluated(plan, open, moving ? moments_ : Places{0});
      for (std::size_t k = 0; k < open.size(); ++k) {
        numbers[open[k].id()] = known_[{key, open[k].id()}] = components_.size();
        components_.push_back(written(values[k], plan.places.size()));
      }
    }
    return numbers;
  }

  static std::vector<Component> evaluated(const Planned& plan, const std::vector<Expr>& list, const Places& rows) {
    symbolic::Evaluation evaluate(list, plan.symbols);
    std::vector<Component> components(list.size(), Component{rows.size(), {}});
    std::vector<double> at(plan.symbols.size());
    for (const std::size_t row : rows)
      for (const auto& sources : plan.sources) {
        for (std::size_t k = 0; k < at.size(); ++k)
          at[k] = sources[k].rows == nullptr ? sources[k].value : sources[k].rows[row * sources[k].stride];
        const auto values = evaluate(at);
        for (std::size_t k = 0; k < values.size(); ++k) components[k].values.push_back(values[k]);
      }
    return components;
  }

  const FieldRun& run_;
  io::FamilyView& stated_;
  families::Model& model_;
  std::map<std::size_t, std::vector<double>> constants_;
  Places moments_;
  json components_ = json::array();
  json grounds_ = json::array();
  json operations_ = json::array();
  std::map<std::pair<std::pair<Each, Places>, symbolic::NodeId>, std::size_t> known_;
  std::string note_;
};

}  // namespace

json site_motion_of(const FieldRun& run, io::FamilyView& stated) {
  if (!stated.view || run.trajectory.rows() < 2) return nullptr;
  try {
    return SiteWriter(run, stated).write();
  } catch (const MissingName& missing) {
    return {{"bodies", json::array()},
            {"note", "The motion cannot be drawn: the run did not keep " + missing.name + "."}};
  }
}

}  // namespace herglotz::report
