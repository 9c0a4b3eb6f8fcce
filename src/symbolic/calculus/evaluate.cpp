#include "herglotz/symbolic/evaluate.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <unordered_map>

#include "herglotz/error.hpp"
#include "herglotz/symbolic/graph.hpp"

namespace herglotz::symbolic {

namespace {

double power(double base, const Rational* exponent, double e) {
  if (exponent == nullptr) return std::pow(base, e);
  if (*exponent == Rational(2)) return base * base;
  if (*exponent == Rational(-1)) return 1.0 / base;
  if (exponent->num() == 1 && exponent->den() == 2) return std::sqrt(base);
  return std::pow(base, e);
}

double unary(Op op, double x) {
  switch (op) {
    case Op::let:
      return x;
    case Op::exp:
      return std::exp(x);
    case Op::log:
      return std::log(x);
    case Op::sin:
      return std::sin(x);
    case Op::cos:
      return std::cos(x);
    case Op::tan:
      return std::tan(x);
    case Op::asin:
      return std::asin(x);
    case Op::acos:
      return std::acos(x);
    case Op::atan:
      return std::atan(x);
    case Op::sinh:
      return std::sinh(x);
    case Op::cosh:
      return std::cosh(x);
    case Op::tanh:
      return std::tanh(x);
    case Op::abs:
      return std::abs(x);
    case Op::sign:
      return x > 0.0 ? 1.0 : (x < 0.0 ? -1.0 : x);
    case Op::floor:
      return std::floor(x);
    default:
      throw std::logic_error("an operation without an evaluation rule");
  }
}

double value_of(const Graph& graph, NodeId id, const std::vector<double>& values) {
  const auto children = graph.children(id);
  const Op op = graph.op(id);
  switch (op) {
    case Op::add: {
      double total = values[children[0]];
      for (const NodeId child : children.subspan(1)) total += values[child];
      return total;
    }
    case Op::mul: {
      double total = values[children[0]];
      for (const NodeId child : children.subspan(1)) total *= values[child];
      return total;
    }
    case Op::pow: {
      const bool exact = graph.op(children[1]) == Op::rational;
      const Rational exponent = exact ? graph.rational(children[1]) : Rational(0);
      return power(values[children[0]], exact ? &exponent : nullptr, values[children[1]]);
    }
    case Op::atan2:
      return std::atan2(values[children[0]], values[children[1]]);
    case Op::table:
      return (*graph.table(id))(values[children[0]], static_cast<int>(values[children[2]]));
    case Op::select:
      return values[children[0]] > values[children[1]] ? values[children[2]] : values[children[3]];
    default:
      return unary(op, values[children[0]]);
  }
}

}  // namespace

Evaluation::Evaluation(std::span<const Expr> outputs, std::span<const Expr> symbols) : count_(symbols.size()) {
  if (outputs.empty()) return;
  graph_ = &outputs.front().graph();
  for (const Expr output : outputs) outputs_.push_back(output.id());
  std::unordered_map<NodeId, std::size_t> given;
  for (std::size_t i = 0; i < symbols.size(); ++i) given[symbols[i].id()] = i;
  for (const NodeId id : graph_->reachable(outputs)) {
    at_.resize(std::max(at_.size(), std::size_t{id} + 1));
    const Op op = graph_->op(id);
    if (op == Op::rational || op == Op::real) {
      at_[id] = graph_->value(id);
      continue;
    }
    if (op != Op::symbol) {
      order_.push_back(id);
      continue;
    }
    const auto known = given.find(id);
    if (known == given.end())
      throw Refused("the symbol " + std::string(graph_->name(id)) + " has no value", "give it one");
    symbols_.emplace_back(id, known->second);
  }
}

std::vector<double> Evaluation::operator()(std::span<const double> values) {
  if (values.size() != count_) throw Refused("evaluation needs one value for every symbol");
  for (const auto& [id, place] : symbols_) at_[id] = values[place];
  for (const NodeId id : order_) at_[id] = value_of(*graph_, id, at_);
  std::vector<double> results;
  results.reserve(outputs_.size());
  for (const NodeId id : outputs_) results.push_back(at_[id]);
  return results;
}

std::vector<double> evaluate(std::span<const Expr> outputs, std::span<const Expr> symbols,
                             std::span<const double> values) {
  return Evaluation(outputs, symbols)(values);
}

double evaluate(Expr f, std::span<const Expr> symbols, std::span<const double> values) {
  return evaluate({&f, 1}, symbols, values).front();
}

}  // namespace herglotz::symbolic
