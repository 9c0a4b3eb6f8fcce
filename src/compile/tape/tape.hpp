#pragma once
/// A program as one list of scalar operations in a fixed order: every floating-point decision is taken here.

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "herglotz/symbolic/program.hpp"

namespace herglotz::compile {

enum class Code : std::uint8_t {
  constant,
  variable,
  parameter,
  add,
  subtract,
  multiply,
  divide,
  negate,
  square_root,
  absolute,
  sign,            ///< 1 where a > 0, -1 where a < 0, else a
  select,          ///< c where a > b, else d
  fused_add,       ///< a b + c, rounded once
  fused_subtract,  ///< a b - c, rounded once
  fused_from,      ///< c - a b, rounded once
  exp,
  log,
  sin,
  cos,
  tan,
  asin,
  acos,
  atan,
  atan2,
  sinh,
  cosh,
  tanh,
  pow,
};

/// Sine and cosine are always the two halves of one joint evaluation: half the cost where a program needs both, and the
/// same bits where it needs one.
[[nodiscard]] constexpr bool is_sine_or_cosine(Code code) {
  return code == Code::sin || code == Code::cos;
}
[[nodiscard]] constexpr bool is_function(Code code) {
  return code >= Code::exp;
}
[[nodiscard]] constexpr bool is_leaf(Code code) {
  return code <= Code::parameter;
}
/// The number of operands an operation of this code reads.
[[nodiscard]] int arity(Code code);

struct Operation {
  Code code = Code::constant;
  std::array<std::uint32_t, 4> operands{};  ///< indices of earlier operations; of a leaf, the input's index in [0]
  double value = 0.0;                       ///< of a constant

  friend bool operator==(const Operation&, const Operation&) = default;
};

struct Tape {
  std::string name;
  std::size_t variables = 0;
  std::size_t parameters = 0;
  std::vector<Operation> operations;   ///< operands before users; every operation occurs once
  std::vector<std::uint32_t> outputs;  ///< indices of operations
};

/// The tape of a program: sums as left-to-right chains with subtraction for negated terms, products as chains with the
/// denominators collected for one division, small integer powers by repeated squaring, half-integer ones through a
/// square root. Throws CompileError for a free symbol that is neither variable nor parameter.
Tape lower(const symbolic::Program& program);

/// Which operations its first outputs need.
std::vector<bool> needed(const Tape& tape, std::size_t outputs);
/// Which operations depend on variables.
std::vector<bool> varying(const Tape& tape);
/// How many operations are not inputs.
std::size_t work_of(const Tape& tape);
/// The tape with its first outputs only.
Tape with_outputs(const Tape& tape, std::size_t outputs);
/// The tape with fused multiply-adds: a product that varies, is no output and has one use, by a sum or difference,
/// becomes part of that. Of two such products the second one does. Results differ from those of the given tape by the
/// rounding of these products.
Tape contracted(const Tape& tape);

}  // namespace herglotz::compile
