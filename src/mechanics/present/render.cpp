#include <algorithm>
#include <set>

#include "herglotz/mechanics/presentation.hpp"
#include "present/long_rows.hpp"

namespace herglotz::mechanics {
namespace {

using symbolic::Format;
using symbolic::print;

/// All equations with long repeated parts named.
struct Shared {
  std::vector<std::pair<std::string, Expr>> where;
  std::vector<PrintedEquation> definitions;
  std::vector<Section> sections;
};

Shared share(const Presentation& presentation, Format format) {
  Shared shared{{}, presentation.definitions, {}};
  for (const Section& section : presentation.sections) {
    const bool typeset = format == Format::latex && !section.typeset.empty();
    shared.sections.push_back({section.title, typeset ? section.typeset : section.equations, {}});
  }
  std::vector<Expr> all;
  const auto each = [&](auto&& visit) {
    for (Section& section : shared.sections)
      for (PrintedEquation& equation : section.equations) {
        visit(equation.left);
        visit(equation.right);
      }
  };
  each([&](Expr e) { all.push_back(e); });
  if (all.empty()) return shared;
  auto named = symbolic::common_subexpressions(all);
  shared.where = std::move(named.where);
  std::size_t next = 0;
  each([&](Expr& e) { e = named.expressions[next++]; });
  return shared;
}

symbolic::PrintOptions options_for(const Presentation& presentation, Format format) {
  symbolic::PrintOptions options;
  for (const Notation& n : presentation.notation)
    if (format != Format::text)
      options.rename[std::string(n.symbol.name())] = format == Format::latex ? n.latex : n.sympy;
  return options;
}

std::string underlined(const std::string& title) {
  return title + "\n" + std::string(title.size(), '-') + "\n";
}

std::string text(const Presentation& presentation, const Shared& shared, const symbolic::PrintOptions& options) {
  std::string out = presentation.title.empty() ? "" : presentation.title + "\n\n";
  const auto line = [&](const std::string& left, Expr right) {
    out += "  " + left + " = " + print(right, Format::text, options) + "\n";
  };
  if (!shared.definitions.empty()) {
    out += underlined("Definitions");
    for (const PrintedEquation& d : shared.definitions) line(std::string(d.left.name()), d.right);
    out += "\n";
  }
  for (const Section& section : shared.sections) {
    out += underlined(section.title);
    for (const PrintedEquation& e : section.equations) line(print(e.left, Format::text, options), e.right);
    out += "\n";
  }
  if (!shared.where.empty()) {
    out += underlined("Where");
    for (const auto& [name, value] : shared.where) line(name, value);
    out += "\n";
  }
  out.pop_back();
  return out;
}

std::string latex(const Shared& shared, const symbolic::PrintOptions& options) {
  std::vector<std::string> rows;
  const auto heading = [&](const std::string& title) { rows.push_back("&\\textbf{" + title + "}"); };
  const auto line = [&](Expr left, Expr right) {
    for (std::string& row : broken(print(left, Format::latex, options), print(right, Format::latex, options)))
      rows.push_back(std::move(row));
  };
  if (!shared.definitions.empty()) heading("Definitions");
  for (const PrintedEquation& d : shared.definitions) line(d.left, d.right);
  for (const Section& section : shared.sections) {
    heading(section.title);
    for (const PrintedEquation& e : section.equations) line(e.left, e.right);
  }
  if (!shared.where.empty()) heading("Where");
  for (const auto& [name, value] : shared.where) line(value.graph().symbol(name), value);
  std::string out = "\\begin{align*}\n";
  for (std::size_t i = 0; i < rows.size(); ++i) out += rows[i] + (i + 1 < rows.size() ? " \\\\\n" : "\n");
  return out + "\\end{align*}\n";
}

/// Every symbol of the equations that Python must know, in order of creation.
std::vector<Expr> symbols_of(const Shared& shared) {
  std::vector<Expr> all;
  std::set<std::string> named;
  for (const auto& [name, value] : shared.where) {
    all.push_back(value);
    named.insert(name);
  }
  for (const PrintedEquation& d : shared.definitions) all.push_back(d.right);
  for (const Section& section : shared.sections)
    for (const PrintedEquation& e : section.equations) all.insert(all.end(), {e.left, e.right});
  auto symbols = symbolic::free_symbols(all);
  std::erase_if(symbols, [&](Expr s) { return named.count(std::string(s.name())) > 0; });
  return symbols;
}

std::string sympy(const Presentation& presentation, const Shared& shared, const symbolic::PrintOptions& options) {
  const auto shown = [&](Expr e) { return print(e, Format::sympy, options); };
  std::string out =
      "# " + presentation.title +
      "\nfrom sympy import (Abs, Piecewise, Rational, Symbol, acos, asin, atan, atan2, cos, cosh, exp, log, "
      "pi, sign,\n                   sin, sinh, sqrt, tan, tanh)\n\n";
  for (const Expr& symbol : symbols_of(shared)) {
    const std::string name = shown(symbol);
    // What is no free name in Python is printed as Symbol('...') wherever it occurs and cannot be assigned to.
    if (name.find('(') == std::string::npos) out += name + " = Symbol('" + name + "')\n";
  }
  for (const PrintedEquation& d : shared.definitions) out += shown(d.left) + " = " + shown(d.right) + "\n";
  for (const auto& [name, value] : shared.where) out += name + " = " + shown(value) + "\n";
  out += "\nequations = {\n";
  for (const Section& section : shared.sections) {
    out += "    \"" + section.title + "\": {\n";
    for (const PrintedEquation& e : section.equations)
      out += "        " + shown(e.left) + ": " + shown(e.right) + ",\n";
    out += "    },\n";
  }
  return out + "}\n";
}

std::string c_source(const Presentation& presentation) {
  const bool mass = presentation.program.name == "mass";
  const std::string outputs = mass ? "dx/dt, dz/dt, W row by row, b" : "dx/dt, dw/dt, dz/dt";
  return "/* out = (" + outputs + ") at u, with parameters p */\n" + symbolic::print_c_function(presentation.program);
}

}  // namespace

std::string render(const Presentation& presentation, Format format) {
  if (format == Format::c) return c_source(presentation);
  const Shared shared = share(presentation, format);
  const auto options = options_for(presentation, format);
  if (format == Format::latex) return latex(shared, options);
  if (format == Format::sympy) return sympy(presentation, shared, options);
  return text(presentation, shared, options);
}

}  // namespace herglotz::mechanics
