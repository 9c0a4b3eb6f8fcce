#include "outputs/view_table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "quote.hpp"

namespace herglotz::io {
namespace {

using Names = std::vector<std::string>;

/// Keys of each shape besides `shape`, `color` and `on`; a body must have those in `needed`.
struct Shape {
  std::string name;
  Names needed;
  Names optional;
};

const std::vector<Shape>& shapes() {
  static const std::vector<Shape> all{
      {"sphere", {}, {"at", "attitude", "radius", "spin", "drift", "axes"}},
      {"box", {"size"}, {"at", "attitude", "spin", "drift", "axes"}},
      {"rod", {"from", "to"}, {"radius"}},
      {"wheel", {"radius"}, {"at", "attitude", "width", "spin", "drift", "axes"}},
      {"frame", {}, {"at", "attitude", "size", "spin", "drift", "axes"}},
      {"path", {}, {"at", "of"}},
      {"ground", {}, {"at", "attitude", "size"}},
  };
  return all;
}

const Names kColors{"blue", "orange", "green", "pink", "yellow", "sky", "grey", "dark"};

bool is_hex_color(std::string_view text) {
  return text.size() == 7 && text.front() == '#' &&
         std::all_of(text.begin() + 1, text.end(), [](unsigned char c) { return std::isxdigit(c) != 0; });
}

/// Shapes of the bodies of sites and edges: they are not carried by rates or by one another, and have colours by value.
const std::vector<Shape>& family_shapes() {
  static const std::vector<Shape> all{
      {"sphere", {"at"}, {"attitude", "radius", "tint"}},
      {"box", {"size"}, {"at", "attitude", "tint"}},
      {"rod", {"from", "to"}, {"radius", "tint"}},
      {"wheel", {"radius"}, {"at", "attitude", "width"}},
      {"frame", {}, {"at", "attitude", "size"}},
      {"path", {}, {"at", "of"}},
      {"ground", {}, {"size"}},
      {"curve", {"at"}, {}},
      {"surface", {"at"}, {"tint"}},
  };
  return all;
}

Names names_of(const std::vector<Shape>& shapes) {
  Names names;
  for (const Shape& one : shapes) names.push_back(one.name);
  return names;
}

using ReadComponent = std::function<symbolic::Expr(const Value&)>;

class ViewReader {
 public:
  ViewReader(const Vocabulary& vocabulary, const std::vector<Shape>& shapes, ReadComponent component)
      : vocabulary_(vocabulary), source_(vocabulary.source()), shapes_(shapes), component_(std::move(component)) {}

  View read(const Value& table) {
    View view{vocabulary_.shared_graph(), std::nullopt, {}};
    for (const Member& member : table.members) {
      source_.expect(member.value, Kind::table, in_quotes(member.key));
      if (member.key == "camera")
        view.camera = camera(member.value);
      else if (member.key == "bodies")
        for (const Member& one : member.value.members) view.bodies.push_back(body(one));
      else
        source_.unknown(member.place, "key", member.key, {"camera", "bodies"});
    }
    if (view.bodies.empty())
      source_.fail(table.place, "[view] has no bodies",
                   R"(name them, e.g. bodies.bob = { shape = "sphere", at = ["q", "0", "0"] })");
    if (const Member* bodies = table.find("bodies")) check_others(*bodies, view);
    return view;
  }

 private:
  Camera camera(const Value& table) const {
    Camera result{{0, 0, 0}, {0, 0, 0}, {0, 0, 1}};
    if (table.find("from") == nullptr)
      source_.fail(table.place, "'camera' has no 'from'", "say where it stands: from = [4, 2, 2]");
    for (const Member& member : table.members) {
      if (member.key == "from")
        result.from = point(member);
      else if (member.key == "at")
        result.at = point(member);
      else if (member.key == "up")
        result.up = point(member);
      else
        source_.unknown(member.place, "key", member.key, {"from", "at", "up"});
    }
    std::array<double, 3> along{};
    for (std::size_t k = 0; k < 3; ++k) along[k] = result.at[k] - result.from[k];
    const auto& up = result.up;
    const std::array<double, 3> across{along[1] * up[2] - along[2] * up[1], along[2] * up[0] - along[0] * up[2],
                                       along[0] * up[1] - along[1] * up[0]};
    if (std::hypot(across[0], across[1], across[2]) == 0)
      source_.fail(table.place, "the camera looks along 'up', or stands where it looks at",
                   "move 'from', or give another 'up'");
    return result;
  }

  [[nodiscard]] std::array<double, 3> point(const Member& member) const {
    require_items(member, {3});
    std::array<double, 3> result{};
    for (std::size_t k = 0; k < 3; ++k) result[k] = vocabulary_.constant(member.value.items[k], in_quotes(member.key));
    return result;
  }

  void require_items(const Member& member, const std::vector<std::size_t>& counts) const {
    source_.expect(member.value, Kind::array, in_quotes(member.key));
    const std::size_t count = member.value.items.size();
    if (std::find(counts.begin(), counts.end(), count) != counts.end()) return;
    source_.fail(member.value.place, fmt::format("'{}' has {} component{}", member.key, count, count == 1 ? "" : "s"),
                 member.key == "attitude" ? "give a quaternion [q0, q1, q2, q3] or a matrix of three rows of three"
                                          : fmt::format("give {}", fmt::join(counts, " or ")));
  }

  ViewBody body(const Member& member) {
    source_.expect(member.value, Kind::table, "the body " + in_quotes(member.key));
    const Value& table = member.value;
    const Value& named =
        source_.required(table, "shape", "the body " + in_quotes(member.key), "choose " + listing(names_of(shapes_)));
    source_.expect(named, Kind::string, "'shape'");
    const auto shape =
        std::find_if(shapes_.begin(), shapes_.end(), [&](const Shape& s) { return s.name == named.text; });
    if (shape == shapes_.end()) source_.unknown(named.place, "shape", named.text, names_of(shapes_));
    ViewBody result{member.key, shape->name};
    Names known{"shape", "color"};
    if (&shapes_ == &shapes()) known.emplace_back("on");
    known.insert(known.end(), shape->needed.begin(), shape->needed.end());
    known.insert(known.end(), shape->optional.begin(), shape->optional.end());
    for (const Member& entry : table.members) read_entry(entry, known, result);
    for (const std::string& key : shape->needed)
      if (table.find(key) == nullptr)
        source_.fail(table.place, fmt::format("the {} '{}' has no '{}'", shape->name, member.key, key),
                     "say it with an expression for each component");
    require_place(member, result);
    return result;
  }

  void read_entry(const Member& entry, const Names& known, ViewBody& result) {
    if (std::find(known.begin(), known.end(), entry.key) == known.end())
      source_.unknown(entry.place, "key of a " + result.shape, entry.key, known);
    if (entry.key == "shape") return;
    if (entry.key == "color" || entry.key == "of" || entry.key == "on" || entry.key == "axes")
      return read_word(entry, result);
    const bool single = entry.key == "radius" || entry.key == "width" || entry.key == "tint" ||
                        (entry.key == "size" && result.shape != "box");
    auto& list = result.properties[entry.key];
    if (single) {
      list.push_back(component_(entry.value));
      return;
    }
    if (entry.key != "attitude") {
      require_items(entry, {3});
    } else {
      require_items(entry, {3, 4});
      if (entry.value.items.size() == 3) return read_matrix(entry, list);
    }
    for (const Value& item : entry.value.items) list.push_back(component_(item));
  }

  void read_word(const Member& entry, ViewBody& result) const {
    source_.expect(entry.value, Kind::string, in_quotes(entry.key));
    const std::string& word = entry.value.text;
    if (entry.key == "of") result.of = word;
    if (entry.key == "on") result.on = word;
    if (entry.key == "color") {
      result.color = word;
      if (!is_hex_color(word) && std::find(kColors.begin(), kColors.end(), word) == kColors.end())
        source_.unknown(entry.value.place, "color", word, kColors);
    }
    if (entry.key == "axes") {
      result.space_axes = word == "space";
      if (word != "space" && word != "body") source_.unknown(entry.value.place, "axes", word, {"body", "space"});
    }
  }

  void read_matrix(const Member& entry, std::vector<symbolic::Expr>& list) const {
    for (const Value& row : entry.value.items) {
      source_.expect(row, Kind::array, "a row of 'attitude'");
      if (row.items.size() != 3)
        source_.fail(row.place, fmt::format("a row of 'attitude' has {} components", row.items.size()),
                     "a rotation matrix has three rows of three");
      for (const Value& item : row.items) list.push_back(component_(item));
    }
  }

  /// Throws InputError if a body has no place.
  void require_place(const Member& member, const ViewBody& body) const {
    const bool placed = body.properties.contains("at");
    if (body.shape == "path" && placed == !body.of.empty())
      source_.fail(member.value.place, fmt::format("the path '{}' needs either 'at' or 'of'", body.name),
                   "give the point that draws it, or the body whose middle does");
    if (body.shape == "sphere" && !placed && !body.properties.contains("drift"))
      source_.fail(member.value.place, fmt::format("the sphere '{}' has no 'at'", body.name),
                   "give its middle: at = [\"x\", \"y\", \"z\"]");
  }

  /// Throws InputError unless `of` and `on` name bodies that have a place; `on` an earlier one, so that no two bodies
  /// are on each other.
  void check_others(const Member& bodies, const View& view) const {
    Names placed;
    for (const ViewBody& one : view.bodies) {
      const Value& table = bodies.value.find(one.name)->value;
      for (const auto& [key, name] : {std::pair{"of", one.of}, std::pair{"on", one.on}})
        if (!name.empty() && std::find(placed.begin(), placed.end(), name) == placed.end())
          source_.unknown(table.find(key)->value.place, "body above this one", name, placed);
      if (one.shape != "path" && one.shape != "rod") placed.push_back(one.name);
    }
  }

  const Vocabulary& vocabulary_;
  const Source& source_;
  const std::vector<Shape>& shapes_;
  ReadComponent component_;
};

}  // namespace

View read_view_table(const Vocabulary& vocabulary, const Value& table, const ExpressionRole& role) {
  // The page can evaluate what holds columns of the run but no tables.
  const auto component = [&](const Value& value) {
    const symbolic::Expr f = vocabulary.expression(value, role);
    for (const symbolic::NodeId id : f.graph().reachable({&f, 1}))
      if (f.graph().op(id) == symbolic::Op::table)
        vocabulary.source().fail(value.place, "a view does not show the input " + in_quotes(f.graph().name(id)),
                                 "use coordinates, momenta, time and parameters");
    return f;
  };
  return ViewReader(vocabulary, shapes(), component).read(table);
}

View read_family_view_table(const Vocabulary& vocabulary, const Value& table, const ReadComponent& component) {
  return ViewReader(vocabulary, family_shapes(), component).read(table);
}

}  // namespace herglotz::io
