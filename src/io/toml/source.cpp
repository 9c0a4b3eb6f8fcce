#include "toml/source.hpp"

#include <array>
#include <cmath>
#include <utility>

#include "herglotz/io/model_file.hpp"
#include "herglotz/symbolic/parser.hpp"
#include "quote.hpp"

namespace herglotz::io {
namespace {

std::string_view written_form(Kind kind) {
  switch (kind) {
    case Kind::table:
      return "[name] with entries below, or as { key = value }";
    case Kind::array:
      return "[a, b, ...]";
    case Kind::string:
      return "text in double quotes";
    case Kind::boolean:
      return "true or false";
    default:
      return kind_name(kind);
  }
}

/// Keys that first models often have at the top level, and their tables.
constexpr std::array<std::pair<std::string_view, std::string_view>, 14> homes{{{"base", "algebroid"},
                                                                               {"brackets", "algebroid"},
                                                                               {"columns", "simulation"},
                                                                               {"equations", "constraints"},
                                                                               {"fibre", "algebroid"},
                                                                               {"forces", "dynamics"},
                                                                               {"hamiltonian", "dynamics"},
                                                                               {"kind", "algebroid"},
                                                                               {"lagrangian", "dynamics"},
                                                                               {"method", "simulation"},
                                                                               {"name", "model"},
                                                                               {"step", "simulation"},
                                                                               {"t_end", "simulation"},
                                                                               {"tolerance", "simulation"}}};

}  // namespace

void Source::fail(Place place, const std::string& what, const std::string& remedy) const {
  throw InputError(file_, place.line, place.column, what, remedy);
}

void Source::unknown(Place place, std::string_view what, std::string_view name,
                     const std::vector<std::string>& known) const {
  const auto nearest = symbolic::nearest_names(name, known);
  const std::string remedy = !nearest.empty() ? "did you mean " + listing(nearest, " or ") + "?"
                             : known.empty()  ? "there is none to choose from"
                                              : "known are " + listing(known);
  fail(place, "unknown " + std::string(what) + " " + in_quotes(name), remedy);
}

void Source::unknown_table(const Member& member, const std::vector<std::string>& known) const {
  const bool table = member.value.kind == Kind::table || member.value.kind == Kind::array;
  const std::string_view what = table ? "table" : "key";
  for (const auto& [key, home] : homes)
    if (member.key == key)
      fail(member.place, "unknown " + std::string(what) + " " + in_quotes(key),
           "it is a key of [" + std::string(home) + "]");
  unknown(member.place, what, member.key, known);
}

void Source::expect(const Value& value, Kind kind, std::string_view of) const {
  if (value.kind == kind) return;
  fail(value.place, "expected " + std::string(kind_name(kind)) + ", got " + std::string(kind_name(value.kind)),
       "write " + std::string(of) + " as " + std::string(written_form(kind)));
}

double Source::number(const Value& value, std::string_view of) const {
  if (!value.is_number()) {
    fail(value.place, "expected a number, got " + std::string(kind_name(value.kind)),
         std::string(of) + " is a number, written without quotes");
  }
  if (!std::isfinite(value.number)) {
    fail(value.place, std::string(of) + " is " + (std::isnan(value.number) ? "not a number" : "infinite"),
         "give a finite number");
  }
  return value.number;
}

std::vector<const Value*> Source::strings(const Value& value, std::string_view of) const {
  const std::string right = std::string(of) + R"( is an array of strings such as ["a", "b"])";
  if (value.kind != Kind::array) {
    fail(value.place, "expected an array, got " + std::string(kind_name(value.kind)), right);
  }
  std::vector<const Value*> strings;
  for (const Value& item : value.items) {
    if (item.kind != Kind::string) {
      fail(item.place, "expected a string, got " + std::string(kind_name(item.kind)), right);
    }
    strings.push_back(&item);
  }
  return strings;
}

const Value& Source::required(const Value& table, std::string_view key, std::string_view table_name,
                              std::string_view remedy) const {
  if (const Member* member = table.find(key)) return member->value;
  fail(table.place, std::string(table_name) + " has no " + in_quotes(key), std::string(remedy));
}

}  // namespace herglotz::io
