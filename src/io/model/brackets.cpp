#include "model/brackets.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "herglotz/symbolic/evaluate.hpp"
#include "model/option_value.hpp"
#include "quote.hpp"

namespace herglotz::io {
namespace {

using symbolic::Expr;

/// Returns whether f is zero by its canonical form, or else by its values at a few points: two ways to write one
/// function are not a contradiction.
bool is_zero(Expr f) {
  if (f.is_zero()) return true;
  if (f.is_number()) return std::abs(f.value()) < 1e-14;
  const std::vector<Expr> symbols = symbolic::free_symbols(std::vector<Expr>{f});
  for (int point = 1; point <= 4; ++point) {
    std::vector<double> values;
    for (std::size_t i = 0; i < symbols.size(); ++i) {
      values.push_back(0.5 + std::fmod(0.618 * static_cast<double>(i + 1) * point, 1.0));
    }
    if (!(std::abs(symbolic::evaluate(f, symbols, values)) < 1e-9)) return false;
  }
  return true;
}

std::size_t index_of(std::string_view name, const Member& at, const std::vector<std::string>& fibre,
                     const Source& source) {
  const auto it = std::find(fibre.begin(), fibre.end(), name);
  if (it == fibre.end()) source.unknown(at.place, "fibre coordinate", name, fibre);
  return static_cast<std::size_t>(it - fibre.begin());
}

std::pair<std::size_t, std::size_t> read_pair(const Member& member, const std::vector<std::string>& fibre,
                                              const Source& source) {
  const std::string_view key = member.key;
  const std::size_t comma = key.find(',');
  if (comma == std::string_view::npos || key.find(',', comma + 1) != std::string_view::npos) {
    source.fail(member.place, in_quotes(key) + " is not a pair of fibre coordinates",
                R"(brackets are written "a,b" = { c = "1" })");
  }
  return {index_of(trimmed(key.substr(0, comma)), member, fibre, source),
          index_of(trimmed(key.substr(comma + 1)), member, fibre, source)};
}

}  // namespace

geometry::StructureFunctions read_brackets(const Value& brackets, const std::vector<std::string>& fibre, bool skew,
                                           const ExpressionRole& role, const Vocabulary& vocabulary) {
  const Source& source = vocabulary.source();
  const Expr zero = vocabulary.graph().number(std::int64_t{0});
  const std::size_t r = fibre.size();
  source.expect(brackets, Kind::table, "'brackets'");
  geometry::StructureFunctions c(r, zero);
  std::map<std::pair<std::size_t, std::size_t>, const Member*> given;
  for (const Member& member : brackets.members) {
    const auto [i, j] = read_pair(member, fibre, source);
    if (!given.emplace(std::pair{i, j}, &member).second) {
      source.fail(member.place, "the bracket " + in_quotes(member.key) + " is given twice", "keep one of them");
    }
    source.expect(member.value, Kind::table, "a bracket");
    for (std::size_t k = 0; k < r; ++k) c.set(k, i, j, zero);
    for (const Member& component : member.value.members) {
      const std::size_t k = index_of(component.key, component, fibre, source);
      c.set(k, i, j, vocabulary.expression(component.value, role));
    }
    if (!skew) continue;
    const auto opposite = given.find({j, i});
    for (std::size_t k = 0; k < r; ++k) {
      if (i == j && !is_zero(c(k, i, j))) {
        source.fail(member.place, "the bracket of " + in_quotes(fibre[i]) + " with itself is not zero",
                    "a skew bracket vanishes there; for a bracket that is not skew say skew = false");
      }
      if (i != j && opposite != given.end() && !is_zero(c(k, i, j) + c(k, j, i))) {
        source.fail(member.place,
                    in_quotes(member.key) + " and " + in_quotes(opposite->second->key) +
                        " are not opposite in the component " + in_quotes(fibre[k]),
                    "leave one of them out: skew brackets imply the opposite entry");
      }
      if (i != j && opposite == given.end()) c.set(k, j, i, -c(k, i, j));
    }
  }
  return c;
}

}  // namespace herglotz::io
