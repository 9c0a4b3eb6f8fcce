#pragma once
/// Plain evaluation with the C library's functions, for checks and tests; the compiled kernels are the fast way.

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "herglotz/symbolic/expr.hpp"

namespace herglotz::symbolic {

/// Evaluation of the same outputs at many points: their operations are put in order once. The graph has to outlive it.
class Evaluation {
 public:
  /// Throws Refused for a free symbol that is not among `symbols`.
  Evaluation(std::span<const Expr> outputs, std::span<const Expr> symbols);

  /// Returns the values of all outputs with symbols[i] = values[i]. Throws Refused unless there is one value for every
  /// symbol.
  std::vector<double> operator()(std::span<const double> values);

 private:
  const Graph* graph_ = nullptr;
  std::vector<NodeId> outputs_;
  std::vector<NodeId> order_;                            // but for symbols
  std::vector<std::pair<NodeId, std::size_t>> symbols_;  // those in use, with their places among the values
  std::size_t count_;
  std::vector<double> at_;
};

/// Returns the values of all outputs with symbols[i] = values[i]. Throws Refused for a free symbol
/// without a value.
std::vector<double> evaluate(std::span<const Expr> outputs, std::span<const Expr> symbols,
                             std::span<const double> values);
double evaluate(Expr f, std::span<const Expr> symbols, std::span<const double> values);

}  // namespace herglotz::symbolic
