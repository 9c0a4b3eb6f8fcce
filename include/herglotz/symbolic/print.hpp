#pragma once
/// Printers: text (the grammar of model files), LaTeX, C and SymPy.

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "herglotz/symbolic/program.hpp"

namespace herglotz::symbolic {

enum class Format { text, latex, c, sympy };

/// Options of the printers. Names are printed as given unless `rename` has an entry for them. In LaTeX, Greek names and
/// trailing digits are typeset (`theta_1`, `omega2`), `thetadot` gets its dot, `vx` and `wpsi` an index, longer names
/// are set upright.
struct PrintOptions {
  std::map<std::string, std::string, std::less<>> rename;
  bool open_lets = false;  ///< print the value of a let instead of its name
};

/// Prints an expression with minimal parentheses, and with terms and factors in textbook order. Text can be read back
/// with parse(). LaTeX needs amsmath. A shared subexpression is printed wherever it occurs: an expression of more than
/// ten million symbols throws std::length_error (see common_subexpressions).
std::string print(Expr f, Format format = Format::text, const PrintOptions& options = {});
/// Returns a complete C99 function `void name(const double* u, const double* p, double* out)` with shared
/// subexpressions in local variables, for the program's inputs and outputs.
std::string print_c_function(const Program& program);

/// Expressions with their repeated parts named: `expressions` and each part use the names of earlier parts.
struct Named {
  std::vector<std::pair<std::string, Expr>> where;  ///< t1 = ..., t2 = ..., in order of use
  std::vector<Expr> expressions;
};

/// Returns the expressions with repeated subexpressions named t1, t2, ... (or s1, r1, ... if the outputs use such
/// names), so that the time to print is bounded by the size of the graph. Outputs of at most `largest` symbols together
/// stay whole.
Named common_subexpressions(std::span<const Expr> outputs, std::size_t largest = 2000);

}  // namespace herglotz::symbolic
