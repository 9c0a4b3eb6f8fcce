#pragma once
/// A program as one list of scalar operations in a fixed order: every floating-point decision is taken here.

#include <array>
#include <cstdint>
#include <memory>
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
  sign,            ///< 1 if a > 0, -1 if a < 0, else a
  floor,           ///< the largest integer that is not above a
  select,          ///< c if a > b, else d
  fused_add,       ///< a b + c, rounded once
  fused_subtract,  ///< a b - c, rounded once
  fused_from,      ///< c - a b, rounded once
  piece,           ///< the number of the piece of a table at a; operands[1] is the table
  entry,           ///< the entry a of a row of a table; operands[1] is the table, [2] the row
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

/// Returns true for sine and cosine. They are always the two halves of one joint evaluation: this halves the cost if a
/// program needs both, and gives equal bits if it needs one.
[[nodiscard]] constexpr bool is_sine_or_cosine(Code code) {
  return code == Code::sin || code == Code::cos;
}
[[nodiscard]] constexpr bool is_function(Code code) {
  return code >= Code::exp;
}
[[nodiscard]] constexpr bool is_leaf(Code code) {
  return code <= Code::parameter;
}
/// Returns the number of operands an operation of this code reads.
[[nodiscard]] int arity(Code code);

struct Operation {
  Code code = Code::constant;
  std::array<std::uint32_t, 4>
      operands{};      ///< indices of earlier operations; for a leaf, [0] is the index of the input; [1] and [2] of a
                       ///< piece or an entry are numbers of a table and of its row
  double value = 0.0;  ///< for a constant

  friend bool operator==(const Operation&, const Operation&) = default;
};

struct Tape {
  std::string name;
  std::size_t variables = 0;
  std::size_t parameters = 0;
  std::vector<Operation> operations;   ///< operands before users; every operation occurs once
  std::vector<std::uint32_t> outputs;  ///< indices of operations
  std::vector<std::shared_ptr<const symbolic::Table>> tables{};
};

/// Returns the tape of a program: sums as left-to-right chains with subtraction for negated terms, products as chains
/// with the denominators collected for one division, small integer powers by repeated squaring, half-integer powers
/// through a square root. Throws CompileError for a free symbol that is neither variable nor parameter.
Tape lower(const symbolic::Program& program);

/// Returns for each operation true if the first `outputs` outputs need it.
std::vector<bool> needed(const Tape& tape, std::size_t outputs);
/// Returns for each operation true if it depends on variables.
std::vector<bool> varying(const Tape& tape);
/// Returns the number of operations that are not inputs.
std::size_t work_of(const Tape& tape);
/// Returns the tape with its first `outputs` outputs only.
Tape with_outputs(const Tape& tape, std::size_t outputs);
/// Returns the tape with fused multiply-adds. A product is fused into a sum or difference if it varies, is not an
/// output and has no other use. If both operands are such products, the second one is fused. Results differ from the
/// given tape's by the rounding of the fused products.
Tape contracted(const Tape& tape);

}  // namespace herglotz::compile
