#include "present/sympy_text.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <string_view>

#include "herglotz/symbolic/graph.hpp"
#include "herglotz/symbolic/printable.hpp"

namespace herglotz::mechanics {
namespace {

using symbolic::Format;

constexpr std::string_view imports =
    "from sympy import (Abs, Max, Min, Piecewise, Rational, Symbol, acos, asin, atan, atan2, cos, cosh, exp, floor, "
    "log,\n"
    "                   pi, sign, sin, sinh, sqrt, tan, tanh)\n";

/// Keywords of Python, and the names that the program imports or defines itself.
constexpr std::array<std::string_view, 58> taken{
    "False",    "None",   "True",  "and",  "as",     "assert",   "async",   "await",    "break",     "class",
    "continue", "def",    "del",   "elif", "else",   "except",   "finally", "for",      "from",      "global",
    "if",       "import", "in",    "is",   "lambda", "nonlocal", "not",     "or",       "pass",      "raise",
    "return",   "try",    "while", "with", "yield",  "Abs",      "Max",     "Min",      "Piecewise", "Rational",
    "Symbol",   "acos",   "asin",  "atan", "atan2",  "cos",      "cosh",    "exp",      "log",       "pi",
    "sign",     "sin",    "sinh",  "sqrt", "tan",    "tanh",     "floor",   "equations"};

/// Names that a program with tables imports or defines in addition.
constexpr std::array<std::string_view, 4> taken_by_tables{"Derivative", "Function", "Subs", "_u"};

/// The Python variables of all symbols and named subexpressions of the equations; each has a variable of its own.
class Variables {
 public:
  Variables(const Presentation& presentation, bool tables) {
    if (tables) used_.insert(taken_by_tables.begin(), taken_by_tables.end());
    for (const Notation& n : presentation.notation) preferred_.emplace(n.symbol.name(), n.sympy);
  }

  /// Gives a printed name a variable and returns the variable.
  const std::string& add(std::string_view name) {
    const auto known = options_.rename.find(name);
    if (known != options_.rename.end()) return known->second;
    const auto preferred = preferred_.find(name);
    std::string variable(preferred == preferred_.end() ? name : std::string_view(preferred->second));
    while (std::find(taken.begin(), taken.end(), variable) != taken.end() || !used_.insert(variable).second)
      variable += '_';
    return options_.rename.emplace(name, variable).first->second;
  }
  /// Returns the name of the symbol in SymPy: its own name, even if that is not a valid name of a variable.
  [[nodiscard]] std::string called(std::string_view name) const {
    const auto preferred = preferred_.find(name);
    return preferred == preferred_.end() ? std::string(name) : preferred->second;
  }
  [[nodiscard]] const symbolic::PrintOptions& options() const { return options_; }

 private:
  std::map<std::string, std::string, std::less<>> preferred_;
  std::set<std::string, std::less<>> used_;
  symbolic::PrintOptions options_;
};

/// Returns all expressions that the program writes.
std::vector<Expr> expressions_of(const NamedParts& parts) {
  std::vector<Expr> all;
  for (const auto& [name, value] : parts.where) all.push_back(value);
  for (const PrintedEquation& d : parts.definitions) all.push_back(d.right);
  for (const PrintedSection& section : parts.sections)
    for (const PrintedEquation& e : section.equations) all.insert(all.end(), {e.left, e.right});
  return all;
}

/// Returns the names of the tables in the expressions, in the order of the model.
std::vector<std::string> tables_in(const std::vector<Expr>& expressions) {
  if (expressions.empty()) return {};
  const symbolic::Graph& graph = expressions.front().graph();
  std::set<std::string_view> used;
  for (const auto id : graph.reachable(expressions))
    if (graph.op(id) == symbolic::Op::table) used.insert(graph.name(id));
  std::vector<std::string> names;
  for (const auto& table : graph.tables())
    if (used.contains(table->name)) names.push_back(table->name);
  return names;
}

/// Returns every symbol that the program must define, in order of creation.
std::vector<Expr> symbols_of(const NamedParts& parts) {
  std::set<std::string, std::less<>> named;
  for (const auto& [name, value] : parts.where) named.insert(name);
  auto symbols = symbolic::free_symbols(expressions_of(parts));
  std::erase_if(symbols, [&](Expr s) { return named.contains(s.name()); });
  return symbols;
}

}  // namespace

std::string sympy_text(const Presentation& presentation, const NamedParts& parts) {
  const auto tables = tables_in(expressions_of(parts));
  Variables variables(presentation, !tables.empty());
  const auto shown = [&](Expr e) { return symbolic::print(e, Format::sympy, variables.options()); };
  std::string out = "# " + symbolic::one_line(presentation.title) + "\n" + std::string(imports);
  out += tables.empty() ? "\n" : "from sympy import Derivative, Function, Subs\n\n_u = Symbol('_u')\n";
  for (const std::string& table : tables) {
    const std::string& variable = variables.add(table);
    out += variable + " = Function('" + table + "')\n";
  }
  for (const Expr& symbol : symbols_of(parts)) {
    const std::string& variable = variables.add(symbol.name());
    out += variable + " = Symbol('" + variables.called(symbol.name()) + "')\n";
  }
  for (const PrintedEquation& d : parts.definitions) {
    const std::string value = shown(d.right);
    out += variables.add(d.left.name()) + " = " + value + "\n";
  }
  for (const auto& [name, value] : parts.where) {
    const std::string text = shown(value);
    out += variables.add(name) + " = " + text + "\n";
  }
  out += "\nequations = {\n";
  for (const PrintedSection& section : parts.sections) {
    out += "    \"" + section.title + "\": [\n";
    for (const PrintedEquation& e : section.equations)
      out += "        (" + shown(e.left) + ", " + shown(e.right) + "),\n";
    out += "    ],\n";
  }
  return out + "}\n";
}

}  // namespace herglotz::mechanics
