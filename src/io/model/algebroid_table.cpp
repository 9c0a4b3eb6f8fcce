#include "model/algebroid_table.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <string_view>

#include "herglotz/error.hpp"
#include "herglotz/geometry/attitude.hpp"
#include "herglotz/geometry/blocks.hpp"
#include "herglotz/symbolic/names.hpp"
#include "herglotz/symbolic/parser.hpp"
#include "model/brackets.hpp"
#include "quote.hpp"

namespace herglotz::io {
namespace {

using geometry::Algebroid;
using symbolic::Matrix;

/// Largest number of names of kinds whose brackets are few or are given: their dense matrices have a row and a column
/// for each name.
constexpr std::size_t kMostNames = 4096;
/// Largest number of names of the other kinds, whose brackets are found and examined for all triples of sections, and
/// of coordinates that a frame mixes.
constexpr std::size_t kMostBracketed = 128;
/// Kinds with up to kMostNames names.
constexpr std::array<std::string_view, 4> kLarge{"tangent", "product", "lie-algebra", "hamel"};

constexpr ExpressionRole kEntry{"an entry of the algebroid's matrices", uses::base | uses::parameter,
                                "use base coordinates, parameters and definitions of these"};

/// Returns the kinds and the keys that belong to each.
const std::map<std::string, std::vector<std::string>, std::less<>>& kinds() {
  static const std::map<std::string, std::vector<std::string>, std::less<>> table{
      {"tangent", {}},
      {"hamel", {"frame"}},
      {"lie-algebra", {"group", "brackets", "skew"}},
      {"action", {"group", "brackets", "skew", "generators"}},
      {"atiyah", {"group", "brackets", "skew", "connection"}},
      {"lie-group", {"group"}},
      {"product", {"factors"}},
      {"adjoint", {"of"}},
      {"opposite", {"of"}},
      {"custom", {"anchor", "brackets", "right_anchor", "skew"}}};
  return table;
}

void check_keys(const Source& source, const AlgebroidTable& read) {
  const auto& own = kinds().find(read.kind)->second;
  std::vector<std::string> known{"kind", "base", "fibre", "general"};
  known.insert(known.end(), own.begin(), own.end());
  for (const Member& member : read.table->members) {
    if (std::find(known.begin(), known.end(), member.key) != known.end()) continue;
    std::vector<std::string> owners;
    for (const auto& [kind, keys] : kinds()) {
      if (std::find(keys.begin(), keys.end(), member.key) != keys.end()) owners.push_back(kind);
    }
    if (owners.empty()) source.unknown(member.place, "key", member.key, known);
    source.fail(member.place,
                "the kind " + in_quotes(read.kind) + " has no key " + in_quotes(member.key) + ", which belongs to " +
                    listing(owners, " and "),
                own.empty() ? "remove it or choose that kind" : "its own keys are " + listing(own, " and "));
  }
}

/// Returns what to write for the coordinates of an attitude, or of a pose.
std::string attitude_names(bool pose) {
  return pose
             ? R"(write base = ["q0", "q1", "q2", "q3", "x1", "x2", "x3"], fibre = ["w1", "w2", "w3", "v1", "v2", "v3"])"
             : R"(write base = ["q0", "q1", "q2", "q3"], fibre = ["w1", "w2", "w3"])";
}

std::vector<AlgebroidTable::Name> read_names(const Source& source, const AlgebroidTable& read, std::string_view key,
                                             bool required) {
  std::vector<AlgebroidTable::Name> names;
  if (!required && read.table->find(key) == nullptr) return names;
  const Member* group = read.table->find("group");
  const std::string remedy = read.kind == "lie-group"
                                 ? attitude_names(group != nullptr && group->value.text == "se3")
                                 : "name the coordinates, e.g. " + std::string(key) + R"( = ["a", "b"])";
  const Value& value = source.required(*read.table, key, read.title, remedy);
  for (const Value* item : source.strings(value, "'" + std::string(key) + "'")) {
    names.push_back({symbolic::with_plain_greek(item->text), item->place});
  }
  const bool large = std::find(kLarge.begin(), kLarge.end(), read.kind) != kLarge.end();
  const std::size_t most = large ? kMostNames : kMostBracketed;
  if (names.size() > most)
    source.fail(value.place, in_quotes(key) + " has " + std::to_string(names.size()) + " names",
                "an algebroid of kind " + in_quotes(read.kind) + " has at most " + std::to_string(most));
  return names;
}

std::string counts(std::size_t n, std::size_t r) {
  return "base has " + std::to_string(n) + (n == 1 ? " name" : " names") + ", fibre has " + std::to_string(r);
}

/// Throws InputError unless a Lie group is one that has attitudes, with as many coordinates as these.
void check_attitude(const Source& source, const AlgebroidTable& read) {
  const Value& group = source.required(*read.table, "group", read.title, "choose so3 for attitudes, se3 for poses");
  source.expect(group, Kind::string, "'group'");
  if (!geometry::has_attitude(group.text)) source.unknown(group.place, "group", group.text, {"so3", "se3"});
  const bool pose = group.text == "se3";
  if (read.base.size() == (pose ? 7 : 4) && read.fibre.size() == (pose ? 6 : 3)) return;
  source.fail(
      read.table->place,
      pose ? "a pose has 7 base and 6 fibre coordinates, but " + counts(read.base.size(), read.fibre.size())
           : "an attitude has 4 base and 3 fibre coordinates, but " + counts(read.base.size(), read.fibre.size()),
      attitude_names(pose));
}

void check_dimensions(const Source& source, const AlgebroidTable& read) {
  const std::size_t n = read.base.size();
  const std::size_t r = read.fibre.size();
  const auto place = [&](std::string_view key) {
    const Member* member = read.table->find(key);
    return member == nullptr ? read.table->place : member->value.place;
  };
  if (r == 0) source.fail(place("fibre"), "'fibre' is empty", "name at least one fibre coordinate");
  if (read.kind == "lie-algebra" && n > 0) {
    source.fail(place("base"), "a lie-algebra has no base coordinates, got " + std::to_string(n),
                "write base = [], or choose the kind action");
  }
  if ((read.kind == "tangent" || read.kind == "hamel") && n != r) {
    source.fail(place("fibre"),
                "a " + read.kind + " algebroid has as many fibre as base coordinates, but " + counts(n, r),
                read.kind == "tangent" ? "name one velocity for each base coordinate"
                                       : "name one quasi-velocity for each base coordinate");
  }
  if (read.kind == "lie-group") check_attitude(source, read);
  if ((read.kind == "action" || read.kind == "atiyah") && n == 0) {
    source.fail(place("base"), "the kind " + read.kind + " needs base coordinates",
                "name them, or choose the kind lie-algebra");
  }
  if (read.kind == "atiyah" && r <= n) {
    source.fail(place("fibre"), "an atiyah algebroid has more fibre than base coordinates, but " + counts(n, r),
                "name the n base velocities, then the vertical ones");
  }
}

void read_product(const Source& source, AlgebroidTable& read) {
  const Value& factors = source.required(*read.table, "factors", read.title,
                                         "give them as [[algebroid.factors]] tables with kind, base and fibre");
  source.expect(factors, Kind::array, "'factors'");
  if (factors.items.empty()) source.fail(factors.place, "'factors' is empty", "a product has at least one factor");
  for (std::size_t k = 0; k < factors.items.size(); ++k) {
    const Value& table = factors.items[k];
    const std::string title = "factor " + std::to_string(k + 1) + " of " + read.title;
    source.expect(table, Kind::table, title);
    read.factors.push_back(read_algebroid_table(source, table, title));
    const AlgebroidTable& factor = read.factors.back();
    read.base.insert(read.base.end(), factor.base.begin(), factor.base.end());
    read.fibre.insert(read.fibre.end(), factor.fibre.begin(), factor.fibre.end());
  }
  for (const std::string_view key : {"base", "fibre"}) {
    if (read.table->find(key) == nullptr) continue;
    const auto given = read_names(source, read, key, true);
    const auto& derived = key == "base" ? read.base : read.fibre;
    const bool agree = std::equal(given.begin(), given.end(), derived.begin(), derived.end(),
                                  [](const auto& a, const auto& b) { return a.text == b.text; });
    std::vector<std::string> names;
    for (const auto& name : derived) names.push_back(name.text);
    if (!agree) {
      source.fail(read.table->find(key)->value.place, in_quotes(key) + " of the product differs from its factors'",
                  "leave it out, or write " + (names.empty() ? "[]" : listing(names)));
    }
  }
  if (read.base.size() > kMostNames || read.fibre.size() > kMostNames)
    source.fail(factors.place, "the product has too many coordinates", "at most " + std::to_string(kMostNames));
}

/// Reads the algebroid that an adjoint or opposite one belongs to, whose names it has.
void read_of(const Source& source, AlgebroidTable& read) {
  const Value& of = source.required(*read.table, "of", read.title, "give a table with kind, base and fibre");
  const std::string title = "'of' in " + read.title;
  source.expect(of, Kind::table, title);
  for (const std::string_view key : {"base", "fibre"})
    if (const Member* member = read.table->find(key))
      source.fail(member->place, in_quotes(key) + " is given beside 'of', which names the coordinates", "remove it");
  read.factors.push_back(read_algebroid_table(source, of, title));
  read.base = read.factors.front().base;
  read.fibre = read.factors.front().fibre;
}

std::size_t columns(const Value& matrix) {
  return matrix.items.empty() || matrix.items.front().kind != Kind::array ? 0 : matrix.items.front().items.size();
}

Matrix read_matrix(const AlgebroidTable& read, const Vocabulary& vocabulary, std::string_view key, std::size_t rows,
                   std::size_t cols, std::string_view meaning) {
  const Source& source = vocabulary.source();
  const std::string shape = std::to_string(rows) + " x " + std::to_string(cols);
  const std::string right = "'" + std::string(key) + "' is " + shape + ": " + std::string(meaning);
  const Value& value = source.required(*read.table, key, read.title, right);
  if (value.kind != Kind::array) {
    source.fail(value.place, "expected an array of rows, got " + std::string(kind_name(value.kind)), right);
  }
  for (const Value& row : value.items) {
    if (row.kind != Kind::array) {
      source.fail(row.place, "expected a row (an array), got " + std::string(kind_name(row.kind)), right);
    }
    if (row.items.size() != columns(value)) {
      source.fail(row.place, "the rows of " + in_quotes(key) + " differ in length", right);
    }
  }
  const bool empty = cols == 0 && value.items.empty();
  if (!empty && (value.items.size() != rows || columns(value) != cols)) {
    source.fail(
        value.place,
        "expected " + shape + ", got " + std::to_string(value.items.size()) + " x " + std::to_string(columns(value)),
        right);
  }
  Matrix matrix(rows, cols, vocabulary.graph().number(std::int64_t{0}));
  for (std::size_t i = 0; i < value.items.size(); ++i) {
    for (std::size_t j = 0; j < cols; ++j) matrix(i, j) = vocabulary.expression(value.items[i].items[j], kEntry);
  }
  return matrix;
}

/// Returns whether the opposite of each bracket is implied.
bool read_skew(const AlgebroidTable& read, const Source& source) {
  const Member* member = read.table->find("skew");
  if (member == nullptr) return true;
  source.expect(member->value, Kind::boolean, "'skew'");
  if (read.table->find("brackets") == nullptr) {
    source.fail(member->place, "'skew' is given without 'brackets'", "it says how to read brackets; remove it");
  }
  return member->value.flag;
}

/// Returns the name of the group, which read_lie_algebra has checked, or an empty string if there is no group.
std::string group_of(const AlgebroidTable& read) {
  const Member* group = read.table->find("group");
  return group == nullptr ? std::string() : group->value.text;
}

/// Returns the structure constants from `group` or `brackets` for the given coordinates of the Lie algebra.
geometry::StructureFunctions read_lie_algebra(const AlgebroidTable& read, const Vocabulary& vocabulary,
                                              const std::vector<AlgebroidTable::Name>& names) {
  const Source& source = vocabulary.source();
  const Member* group = read.table->find("group");
  const Member* brackets = read.table->find("brackets");
  if (group != nullptr && brackets != nullptr) {
    source.fail(brackets->place, "both 'group' and 'brackets' are given", "keep one of them");
  }
  std::vector<std::string> fibre;
  for (const auto& name : names) fibre.push_back(name.text);
  if (brackets != nullptr) {
    return read_brackets(brackets->value, fibre, read_skew(read, source),
                         {"a structure constant", uses::parameter, "use numbers and parameters"}, vocabulary);
  }
  if (group == nullptr) {
    source.fail(read.table->place, read.title + " has neither 'group' nor 'brackets'",
                "name a group such as group = \"so3\", or give brackets");
  }
  source.expect(group->value, Kind::string, "'group'");
  const std::string& name = group->value.text;
  const std::vector<std::string> known(geometry::group_names().begin(), geometry::group_names().end());
  if (std::find(known.begin(), known.end(), name) == known.end()) {
    source.unknown(group->value.place, "group", name, known);
  }
  const std::size_t dimension = geometry::group_dimension(name, fibre.size()).value_or(0);
  if (dimension != fibre.size()) {
    source.fail(group->value.place,
                name + " has dimension " + std::to_string(dimension) + ", " +
                    (read.kind == "atiyah" ? "the vertical fibre names " : "fibre names ") +
                    std::to_string(fibre.size()),
                "name " + std::to_string(dimension) +
                    (read.kind == "atiyah" ? " coordinates after the base velocities" : " coordinates"));
  }
  return geometry::group_structure(vocabulary.graph(), name, fibre.size());
}

Algebroid build_custom(const AlgebroidTable& read, const Vocabulary& vocabulary, geometry::Coordinates coordinates) {
  const Source& source = vocabulary.source();
  const std::size_t n = read.base.size();
  const std::size_t r = read.fibre.size();
  const Matrix anchor = read_matrix(read, vocabulary, "anchor", r, n, "row a is the anchor of e_a");
  std::optional<Matrix> right_anchor;
  if (read.table->find("right_anchor") != nullptr) {
    right_anchor = read_matrix(read, vocabulary, "right_anchor", r, n, "row a is the right anchor of e_a");
  }
  std::vector<std::string> fibre;
  for (const auto& name : read.fibre) fibre.push_back(name.text);
  const bool skew = read_skew(read, source);
  const Member* brackets = read.table->find("brackets");
  auto c = brackets == nullptr ? geometry::StructureFunctions(r, vocabulary.graph().number(std::int64_t{0}))
                               : read_brackets(brackets->value, fibre, skew, kEntry, vocabulary);
  return geometry::custom(vocabulary.shared_graph(), std::move(coordinates), anchor, std::move(c), right_anchor);
}

/// Throws InputError if a factor of a product depends on the base of another factor.
void check_independence(const AlgebroidTable& factor, const Algebroid& built,
                        const std::vector<AlgebroidTable::Name>& base, const Source& source) {
  std::vector<symbolic::Expr> entries = built.rho.entries;
  entries.insert(entries.end(), built.sigma.entries.begin(), built.sigma.entries.end());
  for (const auto& [place, value] : built.c.nonzero()) entries.push_back(value);
  for (const symbolic::Expr& symbol : symbolic::free_symbols(entries)) {
    const auto named = [&](const AlgebroidTable::Name& name) { return name.text == symbol.name(); };
    const bool own = std::any_of(factor.base.begin(), factor.base.end(), named);
    if (own || std::none_of(base.begin(), base.end(), named)) continue;
    source.fail(factor.table->place, factor.title + " depends on " + in_quotes(symbol.name()) + " of another factor",
                "a factor may use its own base coordinates and parameters");
  }
}

Algebroid build(const AlgebroidTable& read, const Vocabulary& vocabulary) {
  geometry::Coordinates coordinates;
  const auto graph = vocabulary.shared_graph();
  for (const auto& name : read.base) coordinates.x.push_back(graph->symbol(name.text));
  for (const auto& name : read.fibre) coordinates.y.push_back(graph->symbol(name.text));
  const std::size_t n = read.base.size();
  const std::size_t r = read.fibre.size();
  if (read.kind == "tangent") return geometry::tangent(graph, coordinates);
  if (read.kind == "hamel") {
    const Matrix frame = read_matrix(read, vocabulary, "frame", r, n, "row a has the components of e_a");
    for (const auto& block : geometry::blocks_of(frame))
      if (block.size() > kMostBracketed)
        vocabulary.source().fail(read.table->find("frame")->value.place,
                                 "the frame mixes " + std::to_string(block.size()) + " coordinates with each other",
                                 "a frame falls into blocks of at most " + std::to_string(kMostBracketed));
    return geometry::hamel(graph, coordinates, frame);
  }
  if (read.kind == "lie-algebra") {
    auto c = read_lie_algebra(read, vocabulary, read.fibre);
    return geometry::lie_algebra(graph, coordinates, std::move(c), group_of(read));
  }
  if (read.kind == "lie-group") return geometry::attitude_algebroid(graph, coordinates, group_of(read));
  if (read.kind == "action") {
    auto c = read_lie_algebra(read, vocabulary, read.fibre);
    const Matrix generators =
        read_matrix(read, vocabulary, "generators", r, n, "row a is the infinitesimal generator of e_a");
    return geometry::action(graph, coordinates, std::move(c), generators, group_of(read));
  }
  if (read.kind == "atiyah") {
    const std::vector<AlgebroidTable::Name> vertical(read.fibre.begin() + static_cast<std::ptrdiff_t>(n),
                                                     read.fibre.end());
    auto c = read_lie_algebra(read, vocabulary, vertical);
    const Matrix connection = read_matrix(read, vocabulary, "connection", n, r - n, "row i has the components A_i^B");
    return geometry::atiyah(graph, coordinates, c, connection, group_of(read));
  }
  if (read.kind == "sampled")  // coordinates that nothing moves
    return geometry::custom(graph, coordinates, Matrix(0, n, graph->number(0)),
                            geometry::StructureFunctions(0, graph->number(0)));
  if (read.kind == "custom") return build_custom(read, vocabulary, coordinates);
  if (read.kind == "adjoint") return geometry::adjoint(build_algebroid(read.factors.front(), vocabulary));
  if (read.kind == "opposite") return geometry::opposite(build_algebroid(read.factors.front(), vocabulary));
  std::vector<Algebroid> factors;
  for (const AlgebroidTable& factor : read.factors) {
    factors.push_back(build_algebroid(factor, vocabulary));
    check_independence(factor, factors.back(), read.base, vocabulary.source());
  }
  return geometry::product(factors);
}

}  // namespace

AlgebroidTable read_algebroid_table(const Source& source, const Value& table, const std::string& title) {
  AlgebroidTable read;
  read.title = title;
  read.table = &table;
  std::vector<std::string> known;
  for (const auto& [kind, keys] : kinds()) known.push_back(kind);
  known.emplace_back("constrained");
  std::sort(known.begin(), known.end());
  const Value& kind = source.required(table, "kind", title, "choose one of " + listing(known));
  source.expect(kind, Kind::string, "'kind'");
  if (kind.text == "constrained")
    source.fail(kind.place, "a constrained algebroid is given inside another one",
                "let [algebroid] have that kind, with the product in 'of'");
  if (kinds().find(kind.text) == kinds().end()) source.unknown(kind.place, "kind of algebroid", kind.text, known);
  read.kind = kind.text;
  check_keys(source, read);
  if (const Member* general = table.find("general")) {
    source.expect(general->value, Kind::boolean, "'general'");
    read.general = general->value.flag;
  }
  if (read.kind == "product" || read.kind == "adjoint" || read.kind == "opposite") {
    if (read.kind == "product")
      read_product(source, read);
    else
      read_of(source, read);
    return read;
  }
  read.base = read_names(source, read, "base", read.kind != "lie-algebra");
  read.fibre = read_names(source, read, "fibre", true);
  check_dimensions(source, read);
  return read;
}

geometry::Algebroid build_algebroid(const AlgebroidTable& table, const Vocabulary& vocabulary) {
  try {
    Algebroid built = build(table, vocabulary);
    if (table.general) built.promises.clear();
    return built;
  } catch (const Refused& error) {
    vocabulary.source().fail(table.table->place, error.what(), "correct the entries of " + table.title);
  }
}

std::vector<std::vector<std::string>> quaternions_of(const AlgebroidTable& table) {
  constexpr std::ptrdiff_t entries = 4;
  std::vector<std::vector<std::string>> found;
  if (table.kind == "lie-group") {
    found.emplace_back();
    std::for_each(table.base.begin(), table.base.begin() + entries,
                  [&](const auto& name) { found.back().push_back(name.text); });
  }
  for (const AlgebroidTable& factor : table.factors)
    for (auto& names : quaternions_of(factor)) found.push_back(std::move(names));
  return found;
}

void declare_unit_quaternions(const AlgebroidTable& table, mechanics::System& system) {
  for (const auto& names : quaternions_of(table)) {
    std::vector<symbolic::Expr> q;
    for (const auto& name : names) q.push_back(system.graph().symbol(name));
    system.invariants.push_back({"unit." + names.front(), geometry::unit_quaternion(q)});
  }
}

void start_at_identity(const AlgebroidTable& table, simulate::InitialState& initial) {
  for (const auto& names : quaternions_of(table))
    if (std::none_of(names.begin(), names.end(), [&](const auto& name) { return initial.contains(name); }))
      initial[names.front()] = 1;
}

}  // namespace herglotz::io
