#pragma once
/// Equations as a Python program.

#include <string>

#include "herglotz/mechanics/presentation.hpp"

namespace herglotz::mechanics {

/// Returns a program for SymPy that defines every symbol, and `equations` as {title: [(left, right), ...]}. Names that
/// have a meaning in such a program get an underscore. The title is in a comment, with its control characters escaped.
std::string sympy_text(const Presentation& presentation, const NamedParts& parts);

}  // namespace herglotz::mechanics
