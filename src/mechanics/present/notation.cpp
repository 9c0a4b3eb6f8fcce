#include "present/notation.hpp"

#include <algorithm>
#include <cctype>
#include <map>

#include "herglotz/symbolic/graph.hpp"
#include "herglotz/symbolic/matrix.hpp"
#include "herglotz/symbolic/names.hpp"
#include "herglotz/symbolic/printable.hpp"

namespace herglotz::mechanics {
namespace {

/// Puts \dot on the letter itself: q_{1} -> \dot{q}_{1}. A letter that has a dot gets a second one.
std::string dotted(const std::string& latex, int order) {
  const std::string accent = order == 1 ? "\\dot{" : "\\ddot{";
  const std::string dot = "\\dot{";
  if (order == 1 && latex.rfind(dot, 0) == 0) return "\\ddot{" + latex.substr(dot.size());
  const std::size_t index = latex.find("_{");
  const bool plain = index != std::string::npos && index > 0 && latex.find('{') == index + 1;
  return plain ? accent + latex.substr(0, index) + "}" + latex.substr(index) : accent + latex + "}";
}

bool in_use(const System& system, std::string_view name) {
  const auto named = [&](Expr e) { return e.name() == name; };
  const auto& e = system.algebroid;
  return std::any_of(e.x.begin(), e.x.end(), named) || std::any_of(e.y.begin(), e.y.end(), named) ||
         std::any_of(system.parameters.begin(), system.parameters.end(),
                     [&](const Parameter& p) { return p.symbol.name() == name; }) ||
         std::any_of(system.definitions.begin(), system.definitions.end(), named) || system.z.name() == name ||
         system.t.name() == name;
}

/// Returns a user's name in \mathrm. Every character that has a meaning in TeX is escaped.
std::string upright(std::string_view name) {
  std::string text;
  for (std::size_t at = 0; at < name.size(); ++at) {
    if (const symbolic::GreekLetter* greek = symbolic::greek_letter_at(name.substr(at))) {
      text += "\\" + std::string(greek->name) + " ";
      at += greek->letter.size() - 1;
      continue;
    }
    const char c = name[at];
    switch (c) {
      case '_':
      case '&':
      case '%':
      case '#':
      case '$':
      case '{':
      case '}':
      case ' ':
        text += '\\';
        text += c;
        break;
      case '\\':
        text += "\\backslash ";
        break;
      case '^':
        text += "\\wedge ";
        break;
      case '~':
        text += "\\sim ";
        break;
      default:
        text += c;
    }
  }
  return text;
}

}  // namespace

bool anchor_is_identity(const geometry::Algebroid& e) {
  return e.n() == e.r() && e.rho.entries == symbolic::identity(*e.graph, e.n()).entries;
}

std::string upright_name(const std::string& name) {
  return "\\mathrm{" + upright(symbolic::one_line(name)) + "}";
}

std::string bold_words(const std::string& title) {
  std::string text;
  for (std::size_t at = 0; at < title.size(); ++at) {
    if (const symbolic::GreekLetter* greek = symbolic::greek_letter_at(std::string_view(title).substr(at))) {
      text += "$\\" + std::string(greek->name) + "$";
      at += greek->letter.size() - 1;
      continue;
    }
    const char c = title[at];
    if (c == '\\')
      text += "\\textbackslash{}";
    else if (c == '^')
      text += "\\textasciicircum{}";
    else if (c == '~')
      text += "\\textasciitilde{}";
    else if (std::string_view("_&%#${}").find(c) != std::string_view::npos)
      text += {'\\', c};
    else
      text += c;
  }
  return "\\textbf{" + text + "}";
}

std::string variable_name(const std::string& name) {
  std::string variable;
  for (const char c : symbolic::spelled_out(name))
    variable += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  return variable;
}

std::vector<Notation> names_in_latex(const System& system) {
  const auto& e = system.algebroid;
  std::vector<Expr> names;
  for (const auto* group : {&e.x, &e.y, &system.p, &system.definitions, &system.constraints.multipliers})
    names.insert(names.end(), group->begin(), group->end());
  for (const Parameter& parameter : system.parameters) names.push_back(parameter.symbol);
  names.insert(names.end(), {system.z, system.t});
  const auto chosen = [&](std::string_view name) {
    const auto own = system.latex.find(name);
    return own == system.latex.end() ? std::string() : own->second;
  };
  std::vector<std::string> texts;
  std::map<std::string, std::size_t> uses;
  for (const Expr& name : names) {
    std::string text = chosen(name.name());
    const auto at = std::find(system.p.begin(), system.p.end(), name);
    if (text.empty() && at != system.p.end()) {
      const std::string velocity = chosen(e.y[static_cast<std::size_t>(at - system.p.begin())].name());
      if (!velocity.empty()) text = "p_{" + velocity + "}";
    }
    if (text.empty()) text = symbolic::print(name, symbolic::Format::latex);
    ++uses[text];
    texts.push_back(std::move(text));
  }
  std::vector<Notation> entries;
  for (std::size_t k = 0; k < names.size(); ++k) {
    const std::string_view name = names[k].name();
    const bool plain =
        std::all_of(name.begin(), name.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80U; });
    const bool alike = uses[texts[k]] > 1 && plain && chosen(name).empty();
    const std::string text = alike ? "\\mathrm{" + upright(name) + "}" : texts[k];
    if (text != symbolic::print(names[k], symbolic::Format::latex))
      entries.push_back({names[k], text, std::string(name)});
  }
  return entries;
}

const Notation* NotationTable::find(Expr symbol) const {
  const auto at = std::find_if(entries_.begin(), entries_.end(), [&](const Notation& n) { return n.symbol == symbol; });
  return at == entries_.end() ? nullptr : &*at;
}

std::string NotationTable::latex_of(Expr symbol) const {
  const Notation* known = find(symbol);
  return known != nullptr ? known->latex : symbolic::print(symbol, symbolic::Format::latex);
}

std::string NotationTable::sympy_of(Expr symbol) const {
  const Notation* known = find(symbol);
  return known != nullptr ? known->sympy : std::string(symbol.name());
}

Expr NotationTable::add(const std::string& name, std::string latex, std::string sympy) {
  const Expr symbol = system_.graph().symbol(name);
  if (find(symbol) != nullptr) return symbol;
  const auto taken = [&] {
    return in_use(system_, sympy) ||
           std::any_of(entries_.begin(), entries_.end(), [&](const Notation& n) { return n.sympy == sympy; });
  };
  while (taken()) sympy += "_";
  entries_.push_back({symbol, std::move(latex), std::move(sympy)});
  return symbol;
}

Expr NotationTable::rate(Expr of, int order) {
  const std::string name(of.name());
  if (order == 1) return add("d(" + name + ")/dt", dotted(latex_of(of), 1), sympy_of(of) + "_dot");
  return add("d2(" + name + ")/dt2", dotted(latex_of(of), 2), sympy_of(of) + "_ddot");
}

Expr NotationTable::velocity(Expr of) {
  return add("dot(" + std::string(of.name()) + ")", dotted(latex_of(of), 1), sympy_of(of) + "_dot");
}

Expr NotationTable::dissipation_rate() {
  const std::string z(system_.z.name());
  return add("dL/d" + z, "\\frac{\\partial L}{\\partial " + latex_of(system_.z) + "}", "L_" + z);
}

Expr NotationTable::momentum(const std::string& name) {
  return named("J", name);
}

Expr NotationTable::dissipated(const std::string& name) {
  return named("f", name);
}

Expr NotationTable::named(const std::string& letter, const std::string& name) {
  return add(letter + "(" + name + ")", letter + "_{" + upright_name(name) + "}", letter + "_" + variable_name(name));
}

Expr NotationTable::energy() {
  const auto chosen = system_.latex.find("energy");
  const std::string letter = chosen != system_.latex.end() ? chosen->second
                             : in_use(system_, "E")        ? "\\mathrm{energy}"
                                                           : "E";
  return add("energy", letter, "energy");
}

}  // namespace herglotz::mechanics
