#pragma once
/// Functions of some controls, with everything else given, on boxes of these controls.

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "herglotz/symbolic/expr.hpp"
#include "maximum/jet.hpp"

namespace herglotz::solve {

/// What of a sum counts: all of its terms, or only those that depend on the controls.
enum class Terms { all, of_controls };

class ControlFunctions {
 public:
  /// Takes functions, of which the ones that depend on none of the controls are left out. There are at most
  /// `most_coupled` controls.
  ControlFunctions(std::span<const symbolic::Expr> functions, std::span<const symbolic::Expr> controls, Terms terms);

  /// Returns the places of the functions that depend on the controls.
  [[nodiscard]] const std::vector<std::size_t>& which() const { return which_; }
  /// Returns the parts of the functions that depend on none of the controls, whose values are given to `enclose`.
  [[nodiscard]] const std::vector<symbolic::Expr>& coefficients() const { return coefficients_; }
  /// Returns the number of operations.
  [[nodiscard]] std::size_t operations() const { return steps_.size(); }

  /// Returns the functions `which()` on a box. The jets are valid until the next call.
  std::span<const Jet> enclose(std::span<const double> coefficients, std::span<const Range> box);

 private:
  struct Operand {
    bool varies = false;
    std::size_t place = 0;  ///< among the steps, or among the coefficients
  };
  /// Operation on operands; a maximum is a choice of the larger one, and a minimum of the smaller one.
  struct Step {
    symbolic::Op op;
    std::vector<Operand> operands;
    std::optional<bool> largest{};
  };
  class Compiler;

  [[nodiscard]] Jet at(const Operand& operand, std::span<const double> coefficients) const;
  [[nodiscard]] Jet run(const Step& step, std::span<const double> coefficients, std::span<const Range> box) const;

  std::size_t n_;
  std::vector<std::size_t> which_;
  std::vector<symbolic::Expr> coefficients_;
  std::vector<Step> steps_;
  std::vector<std::size_t> outputs_;
  std::vector<Jet> jets_;  ///< of the steps
  std::vector<Jet> found_;
};

/// Returns groups of controls, by their places, such that the functions are sums of functions of one group each.
std::vector<std::vector<std::size_t>> coupled_controls(std::span<const symbolic::Expr> sums,
                                                       std::span<const symbolic::Expr> wholes,
                                                       std::span<const symbolic::Expr> controls);

/// Returns the common period of the functions in a control, or no value if they are not periodic in it by their form:
/// the control enters only sines and cosines of multiples of it. `value` gives the value of an expression of
/// parameters.
std::optional<double> period_of(std::span<const symbolic::Expr> functions, symbolic::Expr control,
                                std::span<const symbolic::Expr> parameters, std::span<const double> values);

}  // namespace herglotz::solve
