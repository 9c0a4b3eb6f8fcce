#pragma once
/// Forward and reverse sweeps over a tape.

#include <span>
#include <vector>

#include "calculus/tape.hpp"

namespace herglotz::symbolic {

/// Sweep that carries derivatives from the variables to the nodes.
class ForwardSweep {
 public:
  explicit ForwardSweep(DependencyTape& tape) : tape_(tape), tangents_(tape.size()) {}

  /// Computes the derivatives of every node along the given tangents of the variables; an invalid tangent is zero.
  void run(std::span<const Expr> variables, std::span<const Expr> tangents);
  /// Returns the derivative of f computed by `run`, invalid if it is structurally zero.
  [[nodiscard]] Expr tangent(Expr f) const;

 private:
  Expr tangent_of(DependencyTape::Position p);
  void product_rule(DependencyTape::Position p);

  DependencyTape& tape_;
  std::vector<Expr> tangents_;
  std::vector<Expr> terms_;
  std::vector<Expr> factors_;
};

/// Sweep that carries adjoints from one output to the variables; all contributions to a node meet in one sum.
class ReverseSweep {
 public:
  explicit ReverseSweep(DependencyTape& tape) : tape_(tape), head_(tape.size(), kNone), adjoints_(tape.size()) {}

  /// Computes df/dx for the variables with index >= first.
  void run(Expr f, std::uint32_t first);
  /// Returns df/dx computed by `run`, invalid if it is structurally zero.
  [[nodiscard]] Expr adjoint(Expr x) const;

 private:
  static constexpr std::uint32_t kNone = 0xffffffff;
  struct Contribution {
    Expr value;
    std::uint32_t next;
  };

  void contribute(DependencyTape::Position p, Expr value);
  Expr collect(DependencyTape::Position p);
  void propagate(DependencyTape::Position p, Expr adjoint);
  void propagate_product(DependencyTape::Position p, Expr adjoint);
  void propagate_select(DependencyTape::Position p, Expr adjoint);
  [[nodiscard]] bool wanted(DependencyTape::Position p) const {
    return p != DependencyTape::kConstant && tape_.last_variable(p) >= first_;
  }

  DependencyTape& tape_;
  std::uint32_t first_ = 0;
  std::vector<std::uint32_t> head_;
  std::vector<Expr> adjoints_;
  std::vector<Contribution> contributions_;
  std::vector<Expr> scratch_;
};

}  // namespace herglotz::symbolic
