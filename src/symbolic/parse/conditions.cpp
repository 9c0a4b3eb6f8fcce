#include "parse/conditions.hpp"

#include <utility>

namespace herglotz::symbolic {
namespace {

/// Exits of a condition, in place of the number of a choice.
constexpr std::size_t to_first = static_cast<std::size_t>(-1);
constexpr std::size_t to_second = static_cast<std::size_t>(-2);

void append(std::vector<std::size_t>& to, const std::vector<std::size_t>& more) {
  to.insert(to.end(), more.begin(), more.end());
}

}  // namespace

bool is_comparison(TokenKind kind) {
  return kind == TokenKind::less || kind == TokenKind::less_or_equal || kind == TokenKind::greater ||
         kind == TokenKind::greater_or_equal;
}

bool is_connective(const Token& token) {
  return token.kind == TokenKind::name && (token.text == "and" || token.text == "or" || token.text == "not");
}

bool Conditions::empty() const {
  const Open& open = open_.back();
  return !open.begun && !open.left.valid() && !open.has_all && !open.has_any;
}

void Conditions::compare(TokenKind kind, Expr left) {
  open_.back().kind = kind;
  open_.back().left = left;
}

void Conditions::complete(Expr right) {
  Open& open = open_.back();
  const Expr left = std::exchange(open.left, Expr{});
  // a < b is b > a; a <= b holds unless a > b, and a >= b unless b > a.
  const bool turned = open.kind == TokenKind::less || open.kind == TokenKind::greater_or_equal;
  const bool strict = open.kind == TokenKind::less || open.kind == TokenKind::greater;
  const std::size_t k = choices_.size();
  choices_.push_back({turned ? right : left, turned ? left : right, {to_first, to_second}});
  Part part{k, {2 * k}, {2 * k + 1}};
  if (!strict) std::swap(part.holds, part.fails);
  add(std::move(part));
}

void Conditions::add(Part part) {
  Open& open = open_.back();
  if (std::exchange(open.negated, false)) std::swap(part.holds, part.fails);
  open.begun = false;
  open.all = open.has_all ? both(std::move(open.all), std::move(part)) : std::move(part);
  open.has_all = true;
}

void Conditions::join(bool conjunction) {
  Open& open = open_.back();
  open.begun = true;
  if (conjunction) return;
  open.any = open.has_any ? either(std::move(open.any), std::move(open.all)) : std::move(open.all);
  open.has_any = true;
  open.has_all = false;
}

void Conditions::lead(const std::vector<std::size_t>& exits, std::size_t to) {
  for (const std::size_t exit : exits) choices_[exit / 2].next[exit % 2] = to;
}

Conditions::Part Conditions::both(Part a, Part b) {
  lead(a.holds, b.first);
  append(a.fails, b.fails);
  a.holds = std::move(b.holds);
  return a;
}

Conditions::Part Conditions::either(Part a, Part b) {
  lead(a.fails, b.first);
  append(a.holds, b.holds);
  a.fails = std::move(b.fails);
  return a;
}

Conditions::Part Conditions::finish() {
  Open open = std::move(open_.back());
  open_.pop_back();
  return open.has_any ? either(std::move(open.any), std::move(open.all)) : std::move(open.all);
}

void Conditions::close_part() {
  add(finish());
}

void Conditions::close() {
  closed_.push_back(finish());
}

Expr Conditions::choose(Expr x, Expr y) {
  const Part part = std::move(closed_.back());
  closed_.pop_back();
  lead(part.holds, to_first);
  lead(part.fails, to_second);
  std::vector<Expr> values(choices_.size() - part.first);
  const auto value = [&](std::size_t next) {
    return next == to_first ? x : next == to_second ? y : values[next - part.first];
  };
  for (std::size_t k = choices_.size(); k-- > part.first;) {
    const Choice& choice = choices_[k];
    values[k - part.first] = select(choice.a, choice.b, value(choice.next[0]), value(choice.next[1]));
  }
  choices_.resize(part.first);
  return values.front();
}

}  // namespace herglotz::symbolic
