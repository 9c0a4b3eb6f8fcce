#pragma once
/// Printers: text (the grammar of model files), LaTeX, C and SymPy.

#include <functional>
#include <map>
#include <string>

#include "herglotz/symbolic/program.hpp"

namespace herglotz::symbolic {

enum class Format { text, latex, c, sympy };

/// Names are printed as given unless `rename` has an entry for them. In LaTeX, Greek names and trailing digits are
/// typeset (`theta_1`, `omega2`), longer names are set upright. Terms stand in textbook order.
struct PrintOptions {
  std::map<std::string, std::string, std::less<>> rename;
  bool open_lets = false;  ///< print the value of a let instead of its name
};

std::string print(Expr f, Format format = Format::text, const PrintOptions& options = {});
/// A complete C99 function `void name(const double* u, const double* p, double* out)` with shared subexpressions in
/// local variables, for the program's inputs and outputs.
std::string print_c_function(const Program& program);

}  // namespace herglotz::symbolic
