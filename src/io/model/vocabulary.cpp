#include "model/vocabulary.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "herglotz/error.hpp"
#include "herglotz/symbolic/evaluate.hpp"
#include "herglotz/symbolic/names.hpp"
#include "herglotz/symbolic/parser.hpp"
#include "quote.hpp"

namespace herglotz::io {

using symbolic::Expr;

namespace {

struct Word {
  std::string text;  ///< with plain Greek letters
  std::size_t line = 1;
  std::size_t column = 1;
};

/// Returns the identifiers of an expression with their places. The exponent letter of a number is not an identifier.
std::vector<Word> words(std::string_view written) {
  const std::string text = symbolic::with_plain_greek(written);
  std::vector<Word> found;
  std::size_t line = 1;
  std::size_t column = 1;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t start = i;
    std::size_t characters = 0;
    while (const std::size_t part = symbolic::name_part_length(std::string_view(text).substr(i))) {
      i += part;
      ++characters;
    }
    if (characters > 0) {
      const std::string word = text.substr(start, i - start);
      if (symbolic::is_identifier(word)) found.push_back({word, line, column});
      column += characters;
      continue;
    }
    const bool continuation = (static_cast<unsigned char>(text[i]) & 0xC0U) == 0x80U;
    if (text[i] == '\n') {
      ++line;
      column = 1;
    } else if (!continuation) {
      ++column;
    }
    ++i;
  }
  return found;
}

/// Returns advice on the first character that a name cannot contain, or `std::nullopt` if there is no advice.
std::optional<std::string> refused_letter(std::string_view name) {
  while (const std::size_t part = symbolic::name_part_length(name)) name.remove_prefix(part);
  for (std::size_t length = 2; length <= std::min<std::size_t>(name.size(), 3); ++length)
    if (std::string advice = symbolic::advice_on_letter(name.substr(0, length)); !advice.empty())
      return in_quotes(name.substr(0, length)) + ": " + advice;
  return std::nullopt;
}

std::string with_article(std::string_view what) {
  const bool vowel = std::string_view("aeiou").find(what.front()) != std::string_view::npos;
  return (vowel ? "an " : "a ") + std::string(what);
}

}  // namespace

void Vocabulary::check_name(const std::string& name, std::string_view what, Place place) const {
  if (!symbolic::is_identifier(name)) {
    source_.fail(place, in_quotes(name) + " cannot name " + with_article(what),
                 refused_letter(name).value_or("names start with a letter and go on with letters, digits and _"));
  }
  if (symbolic::is_reserved(name)) {
    source_.fail(place,
                 in_quotes(name) + " is a " + (symbolic::spelled_out(name) == "pi" ? "constant" : "function") +
                     " of expressions",
                 "give the " + std::string(what) + " another name");
  }
  if (const auto taken = entries_.find(name); taken != entries_.end()) {
    source_.fail(place, "the name " + in_quotes(name) + " is taken: it is " + with_article(taken->second.what),
                 "give the " + std::string(what) + " another name");
  }
  if (const auto same = spellings_.find(symbolic::spelled_out(name)); same != spellings_.end()) {
    source_.fail(
        place, "the name " + in_quotes(name) + " reads like " + in_quotes(same->second) + ", which is taken",
        "equations print Greek letters and their names alike; give the " + std::string(what) + " another name");
  }
}

void Vocabulary::enter(const std::string& name, Entry entry) {
  spellings_.emplace(symbolic::spelled_out(name), name);
  entries_.emplace(name, std::move(entry));
}

Expr Vocabulary::claim(const std::string& name, std::string_view what, Uses uses, Place place) {
  check_name(name, what, place);
  const Expr symbol = graph_->symbol(name);
  enter(name, Entry{symbol, uses, std::string(what), place});
  return symbol;
}

void Vocabulary::claim_fixed(const std::string& name, const std::string& what, Uses uses, std::string_view coordinate,
                             Place place) {
  const auto taken = entries_.find(name);
  if (taken == entries_.end()) {
    claim(name, what, uses, place);
    return;
  }
  const Entry& entry = taken->second;
  const bool chosen = entry.place.line > 0 && (entry.uses & (uses::momentum | uses::multiplier)) == 0;
  const std::string other = chosen ? "the " + entry.what : "the coordinate " + in_quotes(coordinate);
  source_.fail(chosen ? entry.place : place,
               in_quotes(name) + " is both " + with_article(entry.what) + " and the " + what + " of [discrete]",
               "give " + other + " another name");
}

Expr Vocabulary::define(const Member& member, const ExpressionRole& role) {
  check_name(member.key, "definition", member.place);
  const Expr value = expression(member.value, role);
  const Uses depends = member.value.kind == Kind::string ? check_uses(member.value, role) : 0;
  const Expr node = graph_->let(member.key, value);
  enter(member.key, Entry{node, depends, "definition", member.place});
  return node;
}

void Vocabulary::tabulate(const Member& member, symbolic::Table table, Expr time) {
  check_name(member.key, "input", member.place);
  const Expr value = graph_->tabulated(std::move(table), time);
  enter(member.key, Entry{value, uses::time, "input", member.place});
}

Uses Vocabulary::check_uses(const Value& value, const ExpressionRole& role, const symbolic::Scope& own) const {
  Uses all = 0;
  for (const Word& word : words(value.text)) {
    const auto entry = entries_.find(word.text);
    if (entry == entries_.end() && announced_.contains(word.text))
      source_.fail(place_inside(source_.text(), value, word.line, word.column),
                   in_quotes(word.text) + " is used above the line that gives it",
                   "move that line up, or give it another name");
    if (entry == entries_.end() || own.find(word.text) != own.end()) continue;
    const Uses depends = entry->second.uses;
    if ((depends & ~role.allowed) != 0) {
      source_.fail(place_inside(source_.text(), value, word.line, word.column),
                   std::string(role.of) + " may not depend on the " + entry->second.what + " " + in_quotes(word.text),
                   std::string(role.rule));
    }
    all |= depends;
  }
  return all;
}

Expr Vocabulary::expression(const Value& value, const ExpressionRole& role) const {
  return expression(value, role, {});
}

Expr Vocabulary::expression(const Value& value, const ExpressionRole& role, const symbolic::Scope& own) const {
  if (value.is_number()) return graph_->number(source_.number(value, role.of));
  if (value.kind != Kind::string) {
    source_.fail(value.place, "expected an expression, got " + std::string(kind_name(value.kind)),
                 std::string(role.of) + " is a number or an expression in quotes");
  }
  check_uses(value, role, own);
  symbolic::Scope scope = own;
  for (const auto& [name, entry] : entries_) {
    if ((entry.uses & ~role.allowed) == 0) scope.emplace(name, entry.value);
  }
  try {
    return symbolic::parse(*graph_, value.text, scope);
  } catch (const symbolic::ParseError& error) {
    source_.fail(place_inside(source_.text(), value, error.line, error.column), error.problem(), error.remedy());
  } catch (const Refused& error) {
    source_.fail(value.place, error.what(), "write a finite expression");
  }
}

double Vocabulary::constant(const Value& value, std::string_view of) const {
  if (value.is_number()) return source_.number(value, of);
  if (value.kind != Kind::string) {
    source_.fail(value.place, "expected a number, got " + std::string(kind_name(value.kind)),
                 std::string(of) + R"( is a number, or a constant in quotes such as "pi/3")");
  }
  const Expr expression = this->expression(value, {of, 0, "write a number, or a constant such as pi/3"});
  const double result = symbolic::evaluate(expression, {}, {});
  if (!std::isfinite(result)) source_.fail(value.place, std::string(of) + " is not finite", "give a finite number");
  return result;
}

}  // namespace herglotz::io
