#include "calculus/tape_sweep.hpp"

#include <algorithm>
#include <array>

namespace herglotz::symbolic {

namespace {

/// The least number of factors for which the products of all others are built from partial products.
constexpr std::size_t kManyFactors = 9;

/// Returns for every i the product of all factors but the i-th, in O(n) nodes.
std::vector<Expr> products_of_others(Expr f) {
  const std::size_t n = f.arity();
  std::vector<Expr> others(n);
  Expr below = f.graph().number(1);
  for (std::size_t i = 0; i < n; ++i) {
    others[i] = below;
    below *= f.child(i);
  }
  Expr above = f.graph().number(1);
  for (std::size_t i = n; i-- > 0;) {
    others[i] *= above;
    above *= f.child(i);
  }
  return others;
}

}  // namespace

void ForwardSweep::run(std::span<const Expr> variables, std::span<const Expr> tangents) {
  std::fill(tangents_.begin(), tangents_.end(), Expr());
  for (std::size_t i = 0; i < variables.size(); ++i) {
    const auto p = tape_.position(variables[i]);
    if (p != DependencyTape::kConstant && tangents[i].valid() && !tangents[i].is_zero()) tangents_[p] = tangents[i];
  }
  for (DependencyTape::Position p = 0; p < tape_.size(); ++p) {
    if (tape_.is_variable(p)) continue;
    const Expr tangent = tangent_of(p);
    if (tangent.valid() && !tangent.is_zero()) tangents_[p] = tangent;
  }
}

Expr ForwardSweep::tangent(Expr f) const {
  const auto p = tape_.position(f);
  return p == DependencyTape::kConstant ? Expr() : tangents_[p];
}

Expr ForwardSweep::tangent_of(DependencyTape::Position p) {
  const auto operands = tape_.operands(p);
  const auto moves = [&](DependencyTape::Position q) { return q != DependencyTape::kConstant && tangents_[q].valid(); };
  if (std::none_of(operands.begin(), operands.end(), moves)) return {};
  terms_.clear();
  switch (tape_.op(p)) {
    case Op::let:
      return tangents_[operands[0]];
    case Op::add:
      for (const auto q : operands) {
        if (moves(q)) terms_.push_back(tangents_[q]);
      }
      break;
    case Op::mul:
      product_rule(p);
      break;
    case Op::select: {
      const Expr f = tape_.node(p);
      const Expr zero = tape_.graph().number(0);
      const Expr x = moves(operands[2]) ? tangents_[operands[2]] : zero;
      const Expr y = moves(operands[3]) ? tangents_[operands[3]] : zero;
      return select(f.child(0), f.child(1), x, y);
    }
    default:
      for (std::size_t i = 0; i < operands.size(); ++i) {
        if (moves(operands[i])) terms_.push_back(tape_.partial(p, i) * tangents_[operands[i]]);
      }
  }
  return sum(terms_);
}

void ForwardSweep::product_rule(DependencyTape::Position p) {
  const Expr f = tape_.node(p);
  const auto operands = tape_.operands(p);
  const bool many = operands.size() >= kManyFactors;
  const std::vector<Expr> others = many ? products_of_others(f) : std::vector<Expr>();
  for (std::size_t i = 0; i < operands.size(); ++i) {
    if (operands[i] == DependencyTape::kConstant || !tangents_[operands[i]].valid()) continue;
    factors_.clear();
    factors_.push_back(tangents_[operands[i]]);
    if (many) {
      factors_.push_back(others[i]);
    } else {
      for (std::size_t k = 0; k < operands.size(); ++k) {
        if (k != i) factors_.push_back(f.child(k));
      }
    }
    terms_.push_back(product(factors_));
  }
}

void ReverseSweep::run(Expr f, std::uint32_t first) {
  first_ = first;
  contributions_.clear();
  std::fill(adjoints_.begin(), adjoints_.end(), Expr());
  const auto top = tape_.position(f);
  if (!wanted(top)) return;
  contribute(top, f.graph().number(1));
  for (DependencyTape::Position p = top + 1; p-- > 0;) {
    if (head_[p] == kNone) continue;
    const Expr adjoint = collect(p);
    if (adjoint.is_zero()) continue;
    if (tape_.is_variable(p)) {
      adjoints_[p] = adjoint;
    } else {
      propagate(p, adjoint);
    }
  }
}

Expr ReverseSweep::adjoint(Expr x) const {
  const auto p = tape_.position(x);
  return p == DependencyTape::kConstant ? Expr() : adjoints_[p];
}

void ReverseSweep::contribute(DependencyTape::Position p, Expr value) {
  contributions_.push_back({value, head_[p]});
  head_[p] = static_cast<std::uint32_t>(contributions_.size() - 1);
}

Expr ReverseSweep::collect(DependencyTape::Position p) {
  scratch_.clear();
  for (std::uint32_t i = head_[p]; i != kNone; i = contributions_[i].next) scratch_.push_back(contributions_[i].value);
  head_[p] = kNone;
  return scratch_.size() == 1 ? scratch_.front() : sum(scratch_);
}

void ReverseSweep::propagate(DependencyTape::Position p, Expr adjoint) {
  const auto operands = tape_.operands(p);
  switch (tape_.op(p)) {
    case Op::let:
    case Op::add:
      for (const auto q : operands) {
        if (wanted(q)) contribute(q, adjoint);
      }
      break;
    case Op::mul:
      propagate_product(p, adjoint);
      break;
    case Op::select:
      propagate_select(p, adjoint);
      break;
    default:
      for (std::size_t i = 0; i < operands.size(); ++i) {
        if (wanted(operands[i])) contribute(operands[i], adjoint * tape_.partial(p, i));
      }
  }
}

void ReverseSweep::propagate_product(DependencyTape::Position p, Expr adjoint) {
  const Expr f = tape_.node(p);
  const auto operands = tape_.operands(p);
  const bool many = operands.size() >= kManyFactors;
  const std::vector<Expr> others = many ? products_of_others(f) : std::vector<Expr>();
  for (std::size_t i = 0; i < operands.size(); ++i) {
    if (!wanted(operands[i])) continue;
    scratch_.clear();
    scratch_.push_back(adjoint);
    if (many) {
      scratch_.push_back(others[i]);
    } else {
      for (std::size_t k = 0; k < operands.size(); ++k) {
        if (k != i) scratch_.push_back(f.child(k));
      }
    }
    contribute(operands[i], product(scratch_));
  }
}

void ReverseSweep::propagate_select(DependencyTape::Position p, Expr adjoint) {
  const Expr f = tape_.node(p);
  const Expr zero = f.graph().number(0);
  const auto operands = tape_.operands(p);
  if (wanted(operands[2])) contribute(operands[2], select(f.child(0), f.child(1), adjoint, zero));
  if (wanted(operands[3])) contribute(operands[3], select(f.child(0), f.child(1), zero, adjoint));
}

}  // namespace herglotz::symbolic
