#include "herglotz/mechanics/presentation.hpp"
#include "herglotz/symbolic/printable.hpp"
#include "present/c_text.hpp"
#include "present/long_rows.hpp"
#include "present/notation.hpp"
#include "present/sympy_text.hpp"

namespace herglotz::mechanics {
namespace {

using symbolic::Format;
using symbolic::print;

symbolic::PrintOptions latex_options(const Presentation& presentation) {
  symbolic::PrintOptions options;
  for (const Notation& n : presentation.notation) options.rename[std::string(n.symbol.name())] = n.latex;
  return options;
}

std::string underlined(const std::string& title) {
  return title + "\n" + std::string(title.size(), '-') + "\n";
}

std::string text(const Presentation& presentation, const NamedParts& parts) {
  std::string out = presentation.title.empty() ? "" : symbolic::one_line(presentation.title) + "\n\n";
  const auto line = [&](const std::string& left, Expr right) {
    out += "  " + symbolic::one_line(left) + " = " + symbolic::one_line(print(right)) + "\n";
  };
  if (!parts.definitions.empty()) {
    out += underlined("Definitions");
    for (const PrintedEquation& d : parts.definitions) line(std::string(d.left.name()), d.right);
    out += "\n";
  }
  for (const PrintedSection& section : parts.sections) {
    out += underlined(section.title);
    for (const PrintedEquation& e : section.equations) line(print(e.left), e.right);
    out += "\n";
  }
  if (!parts.where.empty()) {
    out += underlined("Where");
    for (const auto& [name, value] : parts.where) line(name, value);
    out += "\n";
  }
  out.pop_back();
  return out;
}

std::string latex(const NamedParts& parts, const symbolic::PrintOptions& options) {
  std::vector<std::string> rows;
  const auto heading = [&](const std::string& title) { rows.push_back("&" + bold_words(symbolic::one_line(title))); };
  const auto line = [&](Expr left, Expr right) {
    for (std::string& row : broken(print(left, Format::latex, options), print(right, Format::latex, options)))
      rows.push_back(std::move(row));
  };
  if (!parts.definitions.empty()) heading("Definitions");
  for (const PrintedEquation& d : parts.definitions) line(d.left, d.right);
  for (const PrintedSection& section : parts.sections) {
    heading(section.title);
    for (const PrintedEquation& e : section.equations) line(e.left, e.right);
  }
  if (!parts.where.empty()) heading("Where");
  for (const auto& [name, value] : parts.where) line(value.graph().symbol(name), value);
  std::string out = "\\begin{align*}\n";
  for (std::size_t i = 0; i < rows.size(); ++i) out += rows[i] + (i + 1 < rows.size() ? " \\\\\n" : "\n");
  return out + "\\end{align*}\n";
}

}  // namespace

std::string render(const Presentation& presentation, Format format) {
  if (format == Format::c) return c_text(presentation);
  const NamedParts parts = name_parts(presentation, format);
  if (format == Format::latex) return latex(parts, latex_options(presentation));
  if (format == Format::sympy) return sympy_text(presentation, parts);
  return text(presentation, parts);
}

}  // namespace herglotz::mechanics
