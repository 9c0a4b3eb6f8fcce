#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>

#include "herglotz/compile/compile.hpp"
#include "tape/tape.hpp"
#include "tape/tape_builder.hpp"

namespace herglotz::compile {

namespace {

using symbolic::Graph;
using symbolic::NodeId;
using symbolic::Op;

/// The largest exponent for repeated squaring; beyond it squaring loses more digits than the pow function.
constexpr std::int64_t largest_chain_power = 32;

/// The value +-numerator/denominator, not divided yet. The sign is kept apart, since negation is exact in every product
/// and quotient.
struct Value {
  std::optional<Index> numerator;  ///< `std::nullopt`: 1
  std::optional<Index> denominator;
  bool negative = false;
};

class Lowering {
 public:
  Lowering(const symbolic::Program& program, Tape& tape)
      : program_(program), graph_(*program.graph), build_(tape), tables_(tape.tables) {
    bind(program.variables, Code::variable);
    bind(program.parameters, Code::parameter);
  }

  void run(Tape& tape) {
    for (const auto output : program_.outputs) visit(output.id());
    for (const auto output : program_.outputs) tape.outputs.push_back(plain(output.id()));
  }

 private:
  struct State {
    bool seen = false;
    bool done = false;
    Value value;
  };
  struct Input {
    Code code;
    Index index;
  };

  void bind(std::span<const symbolic::Expr> symbols, Code code) {
    for (std::size_t i = 0; i < symbols.size(); ++i) {
      grow(symbols[i].id());
      const auto fresh = inputs_.try_emplace(symbols[i].id(), Input{code, static_cast<Index>(i)}).second;
      if (!fresh) {
        throw CompileError(fmt::format("program '{}' has the input '{}' twice; name each variable and parameter once",
                                       program_.name, graph_.name(symbols[i].id())));
      }
    }
  }

  void grow(NodeId id) {
    if (id >= states_.size()) states_.resize(graph_.size());
  }

  /// Visits children first, with a stack of its own: input depth must not become call depth.
  void visit(NodeId root) {
    grow(root);
    stack_.push_back(root);
    while (!stack_.empty()) {
      const auto id = stack_.back();
      auto& state = states_[id];
      if (state.done) {
        stack_.pop_back();
      } else if (!state.seen) {
        state.seen = true;
        push_children(id);
      } else {
        state.value = lower(id);
        state.done = true;
        stack_.pop_back();
      }
    }
  }

  void push_children(NodeId id) {
    const auto op = graph_.op(id);
    if (op == Op::rational || op == Op::real || op == Op::symbol) return;
    // The number of a table and the order of its derivative are not operands.
    const auto children = op == Op::table ? graph_.children(id).first(1) : graph_.children(id);
    for (std::size_t i = children.size(); i-- > 0;) {
      if (!states_[children[i]].done) stack_.push_back(children[i]);
    }
  }

  Value lower(NodeId id) {
    const auto children = graph_.children(id);
    switch (graph_.op(id)) {
      case Op::rational:
      case Op::real:
        return number(graph_.value(id));
      case Op::symbol:
        return input(id);
      case Op::let:
        return states_[children[0]].value;
      case Op::add:
        return sum(children);
      case Op::mul:
        return product(children);
      case Op::pow:
        return power(children[0], children[1]);
      case Op::table:
        return table(id);
      case Op::abs:
        return {build_.emit(Code::absolute, magnitude(children[0])), std::nullopt, false};
      case Op::select:
        return {
            build_.emit(Code::select, plain(children[0]), plain(children[1]), plain(children[2]), plain(children[3])),
            std::nullopt, false};
      case Op::atan2:
        return {build_.emit(Code::atan2, plain(children[0]), plain(children[1])), std::nullopt, false};
      default:
        return {build_.emit(function(graph_.op(id)), plain(children[0])), std::nullopt, false};
    }
  }

  static Code function(Op op) {
    switch (op) {
      case Op::exp:
        return Code::exp;
      case Op::log:
        return Code::log;
      case Op::sin:
        return Code::sin;
      case Op::cos:
        return Code::cos;
      case Op::tan:
        return Code::tan;
      case Op::asin:
        return Code::asin;
      case Op::acos:
        return Code::acos;
      case Op::atan:
        return Code::atan;
      case Op::sinh:
        return Code::sinh;
      case Op::cosh:
        return Code::cosh;
      case Op::tanh:
        return Code::tanh;
      case Op::sign:
        return Code::sign;
      case Op::floor:
        return Code::floor;
      default:
        throw CompileError("an expression holds an operation that is not a unary function");
    }
  }

  /// Returns the polynomial of a piece of a table by Horner's rule, or a derivative of it.
  Value table(NodeId id) {
    const auto& given = graph_.table(id);
    const auto known = std::find(tables_.begin(), tables_.end(), given);
    const auto place = static_cast<Index>(known - tables_.begin());
    if (known == tables_.end()) tables_.push_back(given);
    const int order = static_cast<int>(graph_.value(graph_.children(id)[2]));
    const Index x = plain(graph_.children(id)[0]);
    const Index piece = build_.emit(Code::piece, x, place);
    const auto coefficient = [&](int k) {
      const Index c = build_.emit(Code::entry, piece, place, static_cast<Index>(1 + k));
      double factor = 1;
      for (int j = 0; j < order; ++j) factor *= k - j;
      return factor == 1 ? c : build_.emit(Code::multiply, build_.constant(factor), c);
    };
    const int degree = given->degree();
    Index value = coefficient(degree);
    if (degree == order) return {value, std::nullopt, false};
    const Index s = build_.emit(Code::subtract, x, build_.emit(Code::entry, piece, place, 0));
    for (int k = degree - 1; k >= order; --k)
      value = build_.emit(Code::add, build_.emit(Code::multiply, value, s), coefficient(k));
    return {value, std::nullopt, false};
  }

  Value number(double value) { return {build_.constant(std::abs(value)), std::nullopt, std::signbit(value)}; }

  Value input(NodeId id) {
    const auto found = inputs_.find(id);
    if (found == inputs_.end()) {
      throw CompileError(
          fmt::format("program '{}' uses the symbol '{}', which is neither a variable nor a parameter of it",
                      program_.name, graph_.name(id)));
    }
    return {build_.emit(found->second.code, found->second.index), std::nullopt, false};
  }

  /// Returns the value without the sign that Value::negative holds.
  Index magnitude(NodeId id) {
    auto& value = states_[id].value;
    if (!value.numerator) value.numerator = build_.constant(1.0);
    if (value.denominator) {
      value.numerator = build_.emit(Code::divide, *value.numerator, *value.denominator);
      value.denominator.reset();
    }
    return *value.numerator;
  }

  Index plain(NodeId id) {
    const auto index = magnitude(id);
    if (!states_[id].value.negative) return index;
    const auto op = graph_.op(id);
    if (op == Op::rational || op == Op::real) return build_.constant(graph_.value(id));
    return build_.emit(Code::negate, index);
  }

  /// Returns the sum. It starts with the first term that is not negated; negated terms before it are subtracted right
  /// after.
  Value sum(std::span<const NodeId> terms) {
    std::size_t first = 0;
    while (first < terms.size() && states_[terms[first]].value.negative) ++first;
    const bool all_negative = first == terms.size();
    if (all_negative) first = 0;
    auto total = magnitude(terms[first]);
    for (std::size_t i = 0; i < terms.size(); ++i) {
      if (i == first) continue;
      const bool subtract = states_[terms[i]].value.negative != all_negative;
      total = build_.emit(subtract ? Code::subtract : Code::add, total, magnitude(terms[i]));
    }
    return {total, std::nullopt, all_negative};
  }

  struct Fraction {
    std::optional<Index> numerator;
    std::optional<Index> denominator;
  };

  void multiply_into(std::optional<Index>& product, std::optional<Index> factor) {
    if (!factor) return;
    product = product ? build_.emit(Code::multiply, *product, *factor) : *factor;
  }

  Index quotient(const Fraction& fraction) {
    const auto numerator = fraction.numerator ? *fraction.numerator : build_.constant(1.0);
    return fraction.denominator ? build_.emit(Code::divide, numerator, *fraction.denominator) : numerator;
  }

  [[nodiscard]] bool is_unit(NodeId id) const {
    return graph_.op(id) == Op::rational && std::abs(graph_.value(id)) == 1.0;
  }

  /// Returns the product. Factors of parameters alone come first, divided on their own if no other division is needed:
  /// terms share this division, and it waits for no variable.
  Value product(std::span<const NodeId> factors) {
    Fraction result;
    std::optional<Index> varying_denominator;
    bool negative = false;
    for (const auto id : factors) {
      negative ^= states_[id].value.negative;
      if (is_unit(id)) continue;
      // Only a bare reciprocal power is merged: the quotient of another product stays one shared value.
      const auto divisor = graph_.op(id) == Op::pow ? reciprocal(id) : std::nullopt;
      const auto factor = divisor ? *divisor : magnitude(id);
      if (divisor) {
        multiply_into(build_.varies(factor) ? varying_denominator : result.denominator, factor);
      } else if (build_.varies(factor)) {
        varying_factors_.push_back(factor);
      } else {
        multiply_into(result.numerator, factor);
      }
    }
    if (result.denominator && !varying_denominator) result = {quotient(result), std::nullopt};
    for (const auto factor : varying_factors_) multiply_into(result.numerator, factor);
    varying_factors_.clear();
    multiply_into(result.denominator, varying_denominator);
    return {quotient(result), std::nullopt, negative};
  }

  /// Returns the divisor of a pow node with a negative exponent, or `std::nullopt` for other nodes.
  [[nodiscard]] std::optional<Index> reciprocal(NodeId id) const {
    const auto found = reciprocals_.find(id);
    return found == reciprocals_.end() ? std::nullopt : std::optional(found->second);
  }

  Value power(NodeId base, NodeId exponent) {
    if (graph_.op(exponent) == Op::rational) {
      const auto q = graph_.rational(exponent);
      const bool chain = q.den() <= 2 && std::abs(q.to_double()) <= static_cast<double>(largest_chain_power);
      if (chain && q.num() != 0) return chain_power(base, q);
    }
    return {build_.emit(Code::pow, plain(base), plain(exponent)), std::nullopt, false};
  }

  Value chain_power(NodeId base, const symbolic::Rational& q) {
    Value result;
    const auto n = std::abs(q.num());
    Index value = 0;
    if (q.den() == 1) {
      value = build_.power(magnitude(base), n);
      result.negative = states_[base].value.negative && (n & 1) != 0;
    } else {
      const auto x = plain(base);
      value = build_.emit(Code::square_root, x);
      if (n > 1) value = build_.emit(Code::multiply, build_.power(x, n / 2), value);
    }
    if (q.num() > 0) {
      result.numerator = value;
    } else {
      result.denominator = value;
      reciprocals_.emplace(stack_.back(), value);
    }
    return result;
  }

  const symbolic::Program& program_;
  const Graph& graph_;
  TapeBuilder build_;
  std::vector<std::shared_ptr<const symbolic::Table>>& tables_;
  std::vector<State> states_;
  std::vector<NodeId> stack_;
  std::vector<Index> varying_factors_;
  std::unordered_map<NodeId, Input> inputs_;
  std::unordered_map<NodeId, Index> reciprocals_;
};

}  // namespace

Tape lower(const symbolic::Program& program) {
  if (!program.graph) throw CompileError(fmt::format("program '{}' has no graph", program.name));
  Tape tape{program.name, program.variables.size(), program.parameters.size(), {}, {}};
  Lowering(program, tape).run(tape);
  return tape;
}

}  // namespace herglotz::compile
