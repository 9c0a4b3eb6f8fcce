#pragma once
/// Expressions that users give as texts.

#include <stdexcept>
#include <string>

#include "herglotz/symbolic/parser.hpp"

namespace herglotz::python {

/// Reads a text in the grammar of model files. Throws Refused with the text, what is wrong and what would
/// be right.
inline symbolic::Expr read_text(symbolic::Graph& graph, const std::string& text, const symbolic::Scope& scope) {
  try {
    return symbolic::parse(graph, text, scope);
  } catch (const symbolic::ParseError& e) {
    throw std::invalid_argument("'" + text + "': " + e.what());
  }
}

}  // namespace herglotz::python
