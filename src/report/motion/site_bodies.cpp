#include "motion/site_bodies.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "herglotz/error.hpp"
#include "herglotz/families/equations.hpp"
#include "herglotz/families/pictures.hpp"
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

constexpr std::size_t most_moments = 2000;
constexpr std::size_t most_on_a_line = 400;  // bodies along the one index
constexpr std::size_t most_on_a_grid = 40;   // along each of two
constexpr std::size_t most_of_a_surface = 64;
constexpr std::size_t most_edges = 2000;
constexpr std::size_t most_paths = 60;
constexpr std::size_t most_paths_on_a_grid = 8;  // along each index

/// Why a body is not drawn: a half sentence.
struct NotDrawn {
  std::string reason;
};

NotDrawn not_kept(const std::string& what) {
  return {"the run did not keep " + what};
}

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

using Codes = std::vector<std::uint16_t>;

/// Codes are two bytes each, the least significant one first.
std::string bytes_of(const Codes& codes) {
  std::string bytes(2 * codes.size(), '\0');
  char* at = bytes.data();
  for (const unsigned code : codes) {
    *at++ = static_cast<char>(code & 0xffU);
    *at++ = static_cast<char>(code >> 8U);
  }
  return bytes;
}

/// Returns a component, whose values go behind those in `apart` if that is given.
json written(const Component& component, std::size_t bodies, Codes* apart) {
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
  Codes own;
  Codes& codes = apart != nullptr ? *apart : own;
  const std::size_t first = codes.size();
  codes.resize(first + component.values.size());
  for (std::size_t k = 0; k < component.values.size(); ++k) {
    const double value = component.values[k];
    const double level = step > 0 ? std::min((value - low) / step + 0.5, levels) : 0;
    codes[first + k] = std::isfinite(value) ? static_cast<std::uint16_t>(level) : std::uint16_t{65535};
  }
  json result{{"bodies", bodies}, {"moments", component.moments}, {"low", number(low)}, {"step", number(step)}};
  if (apart == nullptr) result["data"] = base64(bytes_of(own));
  return result;
}

class SiteWriter {
 public:
  /// `most_numbers` of the components vary in time.
  SiteWriter(const FieldRun& run, io::FamilyView& stated, std::size_t most_numbers, Codes* apart)
      : run_(run),
        stated_(stated),
        model_(stated.model),
        most_numbers_(most_numbers),
        apart_(apart),
        constants_(stated.formulas.parameters(model_)) {
    for (const auto& family : model_.sites.families()) {
      const auto field = std::find_if(run_.fields.begin(), run_.fields.end(),
                                      [&](const Field& one) { return one.name == family.name; });
      fields_.push_back(field == run_.fields.end() ? nullptr : &*field);
    }
  }

  json write() {
    std::vector<Planned> plan;
    std::size_t varying = 0;
    for (const ViewBody& body : stated_.view->bodies) {
      try {
        if (body.shape == "ground") {
          add_ground(body);
          continue;
        }
        plan.push_back(planned(body));
        varying += plan.back().varying.size() * plan.back().sources.size();
      } catch (const NotDrawn& why) {
        say(fmt::format("'{}' is not drawn: {}.", body.name, why.reason));
      }
    }
    const std::size_t rows = run_.trajectory.rows();
    moments_ = families::spread(
        rows, std::clamp<std::size_t>(most_numbers_ / std::max<std::size_t>(1, varying), 2, most_moments));
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

  /// A symbol of a body, by its number, that has another value for each site or edge.
  struct Local {
    std::size_t symbol = 0;
    Element element{};
  };

  Planned planned(const ViewBody& body) {
    Planned plan{body, {}, {}, {}, {}, {}};
    std::vector<Expr> all;
    for (const auto& [key, list] : body.properties) all.insert(all.end(), list.begin(), list.end());
    plan.symbols = symbolic::free_symbols(all);
    std::map<symbolic::NodeId, Element> elements;
    for (const Expr& f : all)
      for (const auto& [element, symbol] : model_.sites.elements(f)) elements.emplace(symbol.id(), element);
    std::vector<Local> locals;
    std::vector<Source> sources(plan.symbols.size());
    for (std::size_t k = 0; k < sources.size(); ++k) {
      const auto element = elements.find(plan.symbols[k].id());
      if (element == elements.end())
        sources[k] = of_whole(plan.symbols[k]);
      else
        locals.push_back({k, element->second});
    }
    choose_places(plan, locals, sources);
    for (const std::size_t place : plan.places) {
      locate(locals, place, sources);
      plan.sources.push_back(sources);
    }
    std::set<symbolic::NodeId> known;
    for (const Expr& f : all)
      if (known.insert(f.id()).second) (varies(f, plan) ? plan.varying : plan.fixed).push_back(f);
    return plan;
  }

  /// Sets the sources of what has another value at each place. Returns whether the run kept all of it.
  bool locate(const std::vector<Local>& locals, std::size_t place, std::vector<Source>& sources) const {
    for (const Local& local : locals) {
      const auto source = of_element(local.element, place);
      if (!source) return false;
      sources[local.symbol] = *source;
    }
    return true;
  }

  /// Chooses the sites or edges for which a body is drawn from those where the run kept all in it, and says if these
  /// are not all.
  void choose_places(Planned& plan, const std::vector<Local>& locals, std::vector<Source>& sources) {
    const ViewBody& body = plan.body;
    const std::size_t count = body.each == Each::whole  ? 1
                              : body.each == Each::edge ? model_.edges->from.size()
                                                        : model_.count();
    std::size_t inside = 0;
    Places kept;
    for (std::size_t place = 0; place < count; ++place) {
      if (!std::all_of(locals.begin(), locals.end(), [&](const Local& one) { return is_inside(one.element, place); }))
        continue;
      ++inside;
      if (locate(locals, place, sources)) kept.push_back(place);
    }
    if (inside == 0) throw NotDrawn{"at every site something in it lies beyond the free ends"};
    if (kept.empty()) throw NotDrawn{"the run kept all that it uses at no place"};
    spread_over(plan, std::move(kept));
    if (body.shape == "curve" && plan.places.size() < 2) throw NotDrawn{"a curve needs two sites or more"};
    if (plan.places.size() < inside)
      say(fmt::format("The picture has {} of {} for '{}'.", plan.places.size(), inside, body.name));
  }

  /// Chooses as many of the places as a page holds, whole rows and columns of a grid where they form such.
  void spread_over(Planned& plan, Places kept) {
    const bool path = plan.body.shape == "path";
    const bool surface = plan.body.shape == "surface";
    const bool grid = plan.body.each == Each::site && model_.indices.size() > 1;
    std::vector<Places> along;
    if (grid) along = families::places_of(Field{{}, analyse::Role::base, kept, {}}, model_.indices);
    if (surface && (along.empty() || along[0].size() < 2 || along[1].size() < 2))
      throw NotDrawn{
          "the sites where the run kept all that it uses are not the crossings of two or more rows and columns"};
    if (along.empty()) {
      const std::size_t most = path                           ? most_paths
                               : plan.body.each == Each::edge ? most_edges
                               : grid                         ? most_on_a_grid * most_on_a_grid
                                                              : most_on_a_line;
      for (const std::size_t k : families::spread(kept.size(), most)) plan.places.push_back(kept[k]);
      return;
    }
    const std::size_t most = surface ? most_of_a_surface : path ? most_paths_on_a_grid : most_on_a_grid;
    const auto columns = families::spread(along[1].size(), most);
    for (const std::size_t row : families::spread(along[0].size(), most))
      for (const std::size_t column : columns) plan.places.push_back(along[0][row] * model_.width() + along[1][column]);
    plan.width = columns.size();
  }

  static bool varies(const Expr& f, const Planned& plan) {
    const auto used = symbolic::free_symbols({&f, 1});
    for (std::size_t k = 0; k < plan.symbols.size(); ++k)
      if (std::find(used.begin(), used.end(), plan.symbols[k]) != used.end())
        for (const auto& sources : plan.sources)
          if (sources[k].rows != nullptr) return true;
    return false;
  }

  /// Adds a sentence to the note.
  void say(const std::string& sentence) { note_ += (note_.empty() ? "" : " ") + sentence; }

  /// Returns the source of the action, time, a parameter, or a site by its number.
  Source of_whole(const Expr& symbol) const {
    const std::string name(symbol.name());
    for (const auto& single : stated_.singles)
      if (single.symbol == symbol) {
        if (const auto source = at_site(single.family, single.site)) return *source;
        throw not_kept(fmt::format("{}[{}]", model_.sites.families()[single.family].name,
                                   families::site_label(model_.indices, single.site)));
      }
    if (const auto* column = run_.trajectory.find(name)) return Source{0, column->values.data()};
    for (const auto& [parameter, value] : run_.trajectory.facts.parameters)
      if (parameter == name) return Source{value};
    throw not_kept(name);
  }

  /// Returns whether the site of an element exists, or is one beyond fixed ends, where coordinates are 0.
  [[nodiscard]] bool is_inside(const Element& element, std::size_t place) const {
    if (element.owner != Owner::site || model_.sites.families()[element.family].kind == families::Kind::number)
      return true;
    for (std::size_t k = 0; k < model_.indices.size(); ++k)
      if (model_.indices[k].ends == families::Ends::free && !exists(element, place, k)) return false;
    return true;
  }

  /// Returns whether the site of an element lies on the chain or grid, along one index.
  [[nodiscard]] bool exists(const Element& element, std::size_t place, std::size_t along) const {
    const auto by = along == 0 ? element.offset.first : element.offset.second;
    const families::Index& index = model_.indices[along];
    return families::place_of(index, model_.along(along, place), by) < index.count;
  }

  /// Returns the value of an element that is inside, or `std::nullopt` if the run did not keep it.
  [[nodiscard]] std::optional<Source> of_element(const Element& element, std::size_t place) const {
    const auto& family = model_.sites.families()[element.family];
    if (element.owner == Owner::edge) return constant(element.family, place);
    if (element.owner == Owner::from) return at_site(element.family, model_.edges->from[place]);
    if (element.owner == Owner::to) return at_site(element.family, model_.edges->to[place]);
    if (family.kind == families::Kind::number) {
      const bool second = *family.along == 1;
      const auto by = second ? element.offset.second : element.offset.first;
      return Source{static_cast<double>(model_.along(*family.along, place)) + static_cast<double>(by)};
    }
    for (std::size_t k = 0; k < model_.indices.size(); ++k)
      if (!exists(element, place, k)) return Source{};
    return at_site(element.family, families::place_of(model_, place, element.offset));
  }

  /// Returns the value of a family at a site, or `std::nullopt` if the run did not keep it.
  [[nodiscard]] std::optional<Source> at_site(std::size_t family, std::size_t site) const {
    const auto& of = model_.sites.families()[family];
    if (of.kind == families::Kind::parameter) return constant(family, site);
    if (of.kind == families::Kind::number) return Source{static_cast<double>(model_.along(*of.along, site))};
    const Field* const field = fields_[family];
    if (field == nullptr) throw not_kept(of.name);
    // Where all sites are stored, each has its own number.
    const bool all = site < field->sites.size() && field->sites[site] == site;
    const auto stored = all ? field->sites.begin() + static_cast<std::ptrdiff_t>(site)
                            : std::lower_bound(field->sites.begin(), field->sites.end(), site);
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
        components_.push_back(written(values[k], plan.places.size(), apart_));
      }
    }
    return numbers;
  }

  /// Returns the values of the expressions of a list, one after the other of each row.
  static std::vector<Component> evaluated(const Planned& plan, const std::vector<Expr>& list, const Places& rows) {
    std::vector<Component> components(list.size(), Component{rows.size(), {}});
    std::vector<Expr> computed;
    std::vector<Component*> places;
    for (std::size_t k = 0; k < list.size(); ++k) {
      const auto symbol = std::find(plan.symbols.begin(), plan.symbols.end(), list[k]);
      components[k].values.reserve(rows.size() * plan.sources.size());
      if (symbol != plan.symbols.end()) {
        copy(plan, static_cast<std::size_t>(symbol - plan.symbols.begin()), rows, components[k]);
      } else {
        computed.push_back(list[k]);
        places.push_back(&components[k]);
      }
    }
    if (computed.empty()) return components;
    symbolic::Evaluation evaluate(computed, plan.symbols);
    std::vector<double> at(plan.symbols.size());
    for (const std::size_t row : rows)
      for (const auto& sources : plan.sources) {
        for (std::size_t k = 0; k < at.size(); ++k) at[k] = value_at(sources[k], row);
        const auto values = evaluate(at);
        for (std::size_t k = 0; k < values.size(); ++k) places[k]->values.push_back(values[k]);
      }
    return components;
  }

  /// A component that is a symbol, as most are, has its values as they were stored.
  static void copy(const Planned& plan, std::size_t symbol, const Places& rows, Component& component) {
    for (const std::size_t row : rows)
      for (const auto& sources : plan.sources) component.values.push_back(value_at(sources[symbol], row));
  }

  static double value_at(const Source& source, std::size_t row) {
    return source.rows == nullptr ? source.value : source.rows[row * source.stride];
  }

  const FieldRun& run_;
  io::FamilyView& stated_;
  families::Model& model_;
  std::size_t most_numbers_;
  Codes* apart_;  ///< where values of components stand, or nullptr for each component by itself
  std::map<std::size_t, std::vector<double>> constants_;
  std::vector<const Field*> fields_;  ///< of each family, or null if the run did not keep it
  Places moments_;
  json components_ = json::array();
  json grounds_ = json::array();
  json operations_ = json::array();
  std::map<std::pair<std::pair<Each, Places>, symbolic::NodeId>, std::size_t> known_;
  std::string note_;
};

}  // namespace

json site_motion_of(const FieldRun& run, io::FamilyView& stated, std::size_t most_numbers, Codes* apart) {
  if (!stated.view || run.trajectory.rows() < 2) return nullptr;
  return SiteWriter(run, stated, most_numbers, apart).write();
}

}  // namespace herglotz::report
