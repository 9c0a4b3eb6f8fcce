#include "herglotz/symbolic/parser.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numbers>
#include <optional>
#include <span>
#include <system_error>
#include <utility>

#include "graph/functions.hpp"
#include "herglotz/error.hpp"
#include "herglotz/symbolic/evaluate.hpp"
#include "herglotz/symbolic/indexed.hpp"
#include "herglotz/symbolic/names.hpp"
#include "herglotz/symbolic/table.hpp"
#include "parse/conditions.hpp"
#include "parse/constants.hpp"
#include "parse/group.hpp"
#include "parse/indexed_reader.hpp"
#include "parse/literal.hpp"
#include "parse/unknown_name.hpp"

namespace herglotz::symbolic {

namespace {

/// Operator-precedence parser with its own stacks: nesting costs heap, never call depth, and a sum or product of any
/// length becomes one node.
class Parser {
 public:
  Parser(Graph& graph, std::string_view text, const Scope& scope, const ParseLimits& limits, Elements* elements)
      : graph_(graph),
        scope_(scope),
        limits_(limits),
        elements_(elements),
        lexer_(text, limits, elements != nullptr),
        length_(text.size()) {}

  Expr run() {
    if (length_ > limits_.length) {
      lexer_.fail(0, "an expression of " + std::to_string(length_) + " characters",
                  "write at most " + std::to_string(limits_.length) + "; split it into definitions");
    }
    groups_.push_back({});
    advance();
    for (;;) {
      const std::optional<Expr> value = operand();
      if (value && after_operand(*value)) break;
    }
    check_constant_parts(lexer_, terms_.back());
    return terms_.back();
  }

 private:
  void advance() {
    previous_ = token_;
    token_ = lexer_.next();
  }

  void check_depth() const {
    if (groups_.size() + prefixes_.size() > limits_.depth) {
      lexer_.fail(token_.offset, "nested deeper than " + std::to_string(limits_.depth) + " levels",
                  "name parts of it in [definitions]");
    }
  }

  /// Reads up to the next complete operand. Returns `std::nullopt` if it opened a group or read a sign instead.
  std::optional<Expr> operand() {
    check_depth();
    switch (token_.kind) {
      case TokenKind::plus:
      case TokenKind::minus:
        prefixes_.push_back({token_.kind, {}, token_.offset});
        advance();
        return std::nullopt;
      case TokenKind::open:
        open_group(token_, nullptr);
        return std::nullopt;
      case TokenKind::number: {
        const Expr value = literal(graph_, lexer_, token_);
        advance();
        return value;
      }
      case TokenKind::name:
        if (groups_.back().condition && is_connective(token_)) {
          if (token_.text != "not" || !at_condition_part()) missing_operand();
          conditions_.negate();
          advance();
          return std::nullopt;
        }
        return name();
      default:
        missing_operand();
    }
  }

  void open_group(const Token& open, const Function* function) {
    const bool condition = function == nullptr ? at_condition_part() : function->name == "if";
    groups_.push_back({open, function, arguments_.size(), terms_.size(), factors_.size(), prefixes_.size()});
    groups_.back().condition = condition;
    if (condition) conditions_.open();
    advance();
    const bool empty_call = function != nullptr && token_.kind == TokenKind::close;
    if (empty_call) wrong_argument_count(groups_.back(), 0);
  }

  /// Returns whether a condition or a part of one may begin here.
  [[nodiscard]] bool at_condition_part() const {
    const Group& group = groups_.back();
    return group.condition && !conditions_.comparing() && prefixes_.size() == group.prefixes &&
           factors_.size() == group.factors && terms_.size() == group.terms;
  }

  /// Handles the number behind which a comparison or a condition may end. Returns whether it belongs to a condition.
  bool in_condition(const Group& group, Expr total) {
    if (token_.kind == TokenKind::equality)
      lexer_.fail(token_.offset, quoted(token_.text) + " asks whether numbers are equal, which rounded ones never are",
                  "compare them by <, <=, > or >= in the condition of an if");
    if (is_comparison(token_.kind)) {
      if (!group.condition)
        lexer_.fail(token_.offset, quoted(token_.text) + " stands outside a condition",
                    "comparisons choose between two values: write if(a " + std::string(token_.text) + " b, x, y)");
      if (conditions_.comparing())
        lexer_.fail(token_.offset, "a second comparison follows the first one", "join them: a < b and b < c");
      conditions_.compare(token_.kind, total);
      advance();
      return true;
    }
    if (!group.condition || token_.kind == TokenKind::end) return false;
    if (conditions_.comparing()) {
      conditions_.complete(total);
      after_condition();
      return true;
    }
    if (!conditions_.empty() || group.function != nullptr || is_connective(token_))
      lexer_.fail(token_.offset, "a condition compares two numbers, and here is one",
                  "write a comparison in front of this place, such as x > 0");
    if (token_.kind == TokenKind::close) conditions_.discard();
    return false;
  }

  /// Handles the text after a part of a condition, up to the place of the next operand.
  void after_condition() {
    while (true) {
      Group& group = groups_.back();
      if (is_connective(token_) && token_.text != "not") {
        conditions_.join(token_.text == "and");
        return advance();
      }
      if (group.function != nullptr && token_.kind == TokenKind::comma) {
        conditions_.close();
        group.condition = false;
        arguments_.push_back(graph_.number(std::int64_t{1}));  // the place of the condition
        return advance();
      }
      if (token_.kind == TokenKind::end) unclosed(group);
      if (group.function != nullptr && token_.kind == TokenKind::close) wrong_argument_count(group, 1);
      if (is_comparison(token_.kind))
        lexer_.fail(token_.offset, "a second comparison follows the first one", "join them: a < b and b < c");
      if (group.function != nullptr || token_.kind != TokenKind::close)
        lexer_.fail(token_.offset, quoted(token_.text) + " stands behind a condition, which is not a number",
                    "go on with 'and' or 'or', or close it");
      groups_.pop_back();
      conditions_.close_part();
      advance();
    }
  }

  std::optional<Expr> name() {
    const Token word = token_;
    if (const auto table = scope_.find(word.text); table != scope_.end() && table->second.op() == Op::table)
      return tabulated(word, table->second);
    advance();
    const bool call = token_.kind == TokenKind::open;
    if (token_.kind == TokenKind::open_bracket) return indexed().element(word);
    if (elements_ != nullptr && call && word.text == "sum") {
      open_sum(word);
      return std::nullopt;
    }
    const auto known = scope_.find(word.text);
    const bool shadowed = known != scope_.end() && !call && !is_reserved(word.text);
    if (const Function* function = shadowed ? nullptr : find_function(word.text)) {
      if (!call) {
        lexer_.fail(word.offset, quoted(word.text) + " is a function",
                    "write its argument in parentheses: " + std::string(word.text) + "(x)");
      }
      open_group(word, function);
      return std::nullopt;
    }
    if (word.text == "pi" || word.text == "\u03c0") return graph_.number(std::numbers::pi);
    if (word.text == "deg" && known == scope_.end() && !call) return graph_.number(std::numbers::pi / 180);
    if (known == scope_.end()) unknown_name(word, call);
    return known->second;
  }

  /// Refuses a derivative that is 0 inside every piece and has impulses at the knots, where the function or its rate
  /// jumps: the number 0 would leave them out.
  void require_rate(const Token& word, const Table& table, int order) const {
    if (table.interpolation == Interpolation::spline || order <= table.degree()) return;
    const bool held = table.degree() == 0;
    const std::string name = quoted(word.text);
    const std::string rate = std::string(word.text) + "'";
    lexer_.fail(word.offset,
                held ? "the input " + name + " is held: it jumps at its points, and has no derivative there"
                     : "the input " + name + " is linear between its points: " + rate +
                           " jumps at them, and has no derivative there",
                held ? R"(set interpolation = "linear" or "spline")" : R"(set interpolation = "spline")");
  }

  /// Reads u, u', u(t) or u'(t) for a function of time that a table gives.
  std::optional<Expr> tabulated(const Token& word, Expr table) {
    const int order = lexer_.primes();
    if (order > 2)
      lexer_.fail(word.offset, "the third derivative of the input " + quoted(word.text) + " jumps",
                  "write " + std::string(word.text) + "' or " + std::string(word.text) + "''");
    require_rate(word, *graph_.table(table.id()), order);
    for (int k = 0; k < order; ++k) table = table.op() == Op::table ? table_rate(table) : table;
    advance();
    if (token_.kind != TokenKind::open) return table;
    open_group(word, nullptr);
    if (std::exchange(groups_.back().condition, false)) conditions_.discard();
    groups_.back().table = table;
    groups_.back().argument = scope_.find(word.text)->second.child(0);
    return std::nullopt;
  }

  IndexedReader indexed() { return {lexer_, token_, previous_, *elements_}; }

  void open_sum(const Token& word) {
    indexed().open_sum();
    groups_.push_back({word, nullptr, arguments_.size(), terms_.size(), factors_.size(), prefixes_.size()});
    groups_.back().sum = true;
  }

  /// Handles the text after an operand. Returns true if the text is complete; its value is then the last of terms_.
  bool after_operand(Expr value) {
    for (;;) {
      Group& group = groups_.back();
      if (token_.kind == TokenKind::power) {
        prefixes_.push_back({TokenKind::power, value, token_.offset});
        advance();
        return false;
      }
      close_factor(group, value);
      if (token_.kind == TokenKind::times || token_.kind == TokenKind::divide) {
        group.reciprocal = token_.kind == TokenKind::divide;
        group.divide_at = token_.offset;
        advance();
        return false;
      }
      close_term(group);
      if (token_.kind == TokenKind::plus || token_.kind == TokenKind::minus) {
        group.negative = token_.kind == TokenKind::minus;
        advance();
        return false;
      }
      const Expr total = close_sum(group);
      if (in_condition(group, total)) return false;
      if (token_.kind == TokenKind::end && groups_.size() == 1) {
        terms_.push_back(total);
        return true;
      }
      const std::optional<Expr> closed = end_of_group(total);
      if (!closed) return false;
      value = *closed;
    }
  }

  /// Applies pending powers and signs; a sign in front of the whole factor goes to the product.
  void close_factor(Group& group, Expr value) {
    while (prefixes_.size() > group.prefixes) {
      const Prefix prefix = prefixes_.back();
      prefixes_.pop_back();
      if (prefix.kind == TokenKind::power) {
        value = power(prefix, value);
      } else if (prefix.kind == TokenKind::minus) {
        const bool outermost = prefixes_.size() == group.prefixes;
        if (outermost) {
          group.negative = !group.negative;
        } else {
          value = -value;
        }
      }
    }
    if (group.reciprocal) {
      if (value.is_zero()) {
        lexer_.fail(group.divide_at, "division by zero", "write a divisor that is not exactly 0");
      }
      value = built(group.divide_at, [&] { return graph_.pow(value, graph_.number(std::int64_t{-1})); });
      group.reciprocal = false;
    }
    factors_.push_back(value);
  }

  Expr power(const Prefix& prefix, Expr exponent) const {
    if (prefix.base.is_zero() && exponent.is_number() && exponent.value() < 0) {
      lexer_.fail(prefix.offset, "division by zero: 0 to a negative power", "write a base that is not exactly 0");
    }
    if (prefix.base.is_number() && prefix.base.value() < 0 && exponent.is_number()) {
      const bool integer = std::floor(exponent.value()) == exponent.value();
      if (!integer) {
        lexer_.fail(prefix.offset, "a negative number to a fractional power is not real",
                    "use an integer exponent, or abs( ) of the base");
      }
    }
    const bool constant = prefix.base.is_number() && exponent.is_number();
    if (constant)
      check_power(lexer_, prefix.offset, prefix.base.value(), std::pow(prefix.base.value(), exponent.value()));
    return built(prefix.offset, [&] { return graph_.pow(prefix.base, exponent); });
  }

  void close_term(Group& group) {
    if (group.negative) factors_.push_back(graph_.number(std::int64_t{-1}));
    group.negative = false;
    terms_.push_back(collect(factors_, group.factors, [&](auto span) { return graph_.mul(span); }));
  }

  Expr close_sum(const Group& group) {
    return collect(terms_, group.terms, [&](auto span) { return graph_.add(span); });
  }

  /// Pops stack[from...] and returns the node over these operands.
  template <class Build>
  Expr collect(std::vector<Expr>& stack, std::size_t from, Build build) {
    const std::span<const Expr> operands(stack.data() + from, stack.size() - from);
    const Expr value = operands.size() == 1 ? operands.front() : built(token_.offset, [&] { return build(operands); });
    stack.resize(from);
    return value;
  }

  /// Builds a node and fails if it is a folded constant that is not a finite number.
  template <class Build>
  Expr built(std::size_t offset, Build build) const {
    try {
      const Expr value = build();
      if (!value.is_number() || std::isfinite(value.value())) return value;
    } catch (const Refused&) {
      // The graph rejects infinities and NaN; the place is known only here.
    }
    not_finite(lexer_, offset);
  }

  /// Returns the value of a closed group, or `std::nullopt` after a comma.
  std::optional<Expr> end_of_group(Expr total) {
    const Group group = groups_.back();
    if (token_.kind == TokenKind::comma) {
      if (group.sum) lexer_.fail(token_.offset, "a second comma in a sum", "a sum has one index: write sum(i, ...)");
      if (group.function == nullptr) {
        lexer_.fail(token_.offset, "a comma outside a call", "write one expression; decimals have a point: 0.5");
      }
      arguments_.push_back(total);
      if (arguments_.size() - group.arguments >= group.function->arity) {
        wrong_argument_count(group, arguments_.size() - group.arguments + 1);
      }
      advance();
      return std::nullopt;
    }
    if (token_.kind == TokenKind::end) unclosed(group);
    if (token_.kind != TokenKind::close) lexer_.juxtaposed(previous_, token_);
    if (groups_.size() == 1)
      lexer_.fail(token_.offset, "')' closes nothing", "remove it, or add the '(' it belongs to");
    groups_.pop_back();
    advance();
    if (group.sum) return indexed().placed(group.open.offset, [&] { return elements_->close_sum(total); });
    if (group.argument.valid() && total != group.argument)
      lexer_.fail(group.open.offset, quoted(group.open.text) + " is a function of time",
                  "write " + std::string(group.open.text) + "(" + std::string(group.argument.name()) + ")");
    if (group.argument.valid()) return group.table;
    if (group.function == nullptr) return total;
    arguments_.push_back(total);
    return call(group);
  }

  Expr call(const Group& group) {
    const std::span<const Expr> given(arguments_.data() + group.arguments, arguments_.size() - group.arguments);
    if (given.size() != group.function->arity) wrong_argument_count(group, given.size());
    check_domain(lexer_, group.open.offset, *group.function, given.front());
    const Expr value = built(group.open.offset, [&] { return applied(*group.function, given); });
    arguments_.resize(group.arguments);
    return value;
  }

  [[nodiscard]] Expr applied(const Function& function, std::span<const Expr> given) {
    if (function.name == "if") return conditions_.choose(given[1], given[2]);
    if (function.op == Op::pow) return sqrt(given.front());
    if (function.name == "max") return select(given[0], given[1], given[0], given[1]);
    if (function.name == "min") return select(given[0], given[1], given[1], given[0]);
    return graph_.function(function.op, given);
  }

  [[noreturn]] void wrong_argument_count(const Group& group, std::size_t given) const {
    const std::size_t arity = group.function->arity;
    const auto count = [](std::size_t n) { return std::to_string(n) + (n == 1 ? " argument" : " arguments"); };
    const std::string name(group.function->name);
    const std::string had = given == 0 ? "none" : given > arity ? "more" : std::to_string(given);
    const std::string form = arity == 1        ? "(x)"
                             : arity == 3      ? "(condition, a, b)"
                             : arity == 4      ? "(a, b, x, y)"
                             : name == "atan2" ? "(y, x)"
                                               : "(a, b)";
    lexer_.fail(group.open.offset, name + " takes " + count(arity) + " but is given " + had, "write " + name + form);
  }

  [[noreturn]] void unclosed(const Group& group) const {
    const bool call = group.function != nullptr;
    const std::size_t offset = call ? group.open.offset + group.open.text.size() : group.open.offset;
    lexer_.fail(offset,
                call ? "the '(' of " + std::string(group.function->name) + " is never closed"
                     : std::string("this '(' is never closed"),
                "add the missing ')'");
  }

  [[noreturn]] void missing_operand() const {
    const bool start = prefixes_.empty() && factors_.empty() && terms_.empty() && groups_.size() == 1;
    if (token_.kind == TokenKind::end && start) {
      lexer_.fail(token_.offset, "the expression is empty", "write a number, a name or a formula");
    }
    if (token_.kind == TokenKind::end) {
      lexer_.fail(token_.offset, "the expression ends where a value is expected", "complete it, or drop the operator");
    }
    if (token_.kind == TokenKind::close && groups_.size() == 1 && start) {
      lexer_.fail(token_.offset, "')' closes nothing", "remove it, or add the '(' it belongs to");
    }
    lexer_.fail(token_.offset, quoted(token_.text) + " stands where a value is expected",
                "write a number, a name or a parenthesis here");
  }

  [[noreturn]] void unknown_name(const Token& word, bool call) const {
    lexer_.fail(word.offset, std::string(call ? "unknown function " : "unknown name ") + quoted(word.text),
                advice_on_unknown(word.text, call, scope_));
  }

  Graph& graph_;
  const Scope& scope_;
  const ParseLimits& limits_;
  Elements* elements_;  // nullptr: no subscripts and no sums
  Lexer lexer_;
  std::size_t length_;
  Token token_;
  Token previous_;
  std::vector<Group> groups_;
  std::vector<Prefix> prefixes_;
  std::vector<Expr> factors_;
  std::vector<Expr> terms_;
  std::vector<Expr> arguments_;
  Conditions conditions_;
};

}  // namespace

Expr parse(Graph& graph, std::string_view text, const Scope& scope, const ParseLimits& limits) {
  return Parser(graph, with_plain_greek(text), scope, limits, nullptr).run();
}

Expr parse_indexed(Graph& graph, std::string_view text, const Scope& scope, Elements& elements,
                   const ParseLimits& limits) {
  return Parser(graph, with_plain_greek(text), scope, limits, &elements).run();
}

}  // namespace herglotz::symbolic
