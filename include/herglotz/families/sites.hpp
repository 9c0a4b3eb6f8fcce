#pragma once
/// Elements of indexed families as symbols: q[i], q[i+1], m[i], i itself.

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "herglotz/symbolic/graph.hpp"

namespace herglotz::families {

using symbolic::Expr;

enum class Kind : std::uint8_t {
  base,
  fibre,
  momentum,   ///< p_<fibre>
  parameter,  ///< a number for each site
  number,     ///< the number of the site
  within      ///< 1 at the sites over which a sum runs, else 0
};

struct Family {
  std::string name;
  Kind kind = Kind::base;
};

/// Element of a family, `offset` sites after the present site.
struct Element {
  std::size_t family = 0;
  std::int64_t offset = 0;
  friend auto operator<=>(const Element&, const Element&) = default;
};

/// Table of the families of a model, and of the symbols of their elements. One symbol stands for the elements of all
/// sites with the same offset.
class Sites {
 public:
  Sites(std::shared_ptr<symbolic::Graph> graph, std::string index)
      : graph_(std::move(graph)), index_(std::move(index)) {}

  /// Adds a family and returns its number.
  std::size_t add(std::string name, Kind kind);
  [[nodiscard]] const std::vector<Family>& families() const { return families_; }
  [[nodiscard]] std::optional<std::size_t> find(std::string_view name) const;

  /// Returns the symbol of an element.
  Expr at(std::size_t family, std::int64_t offset = 0);
  /// Returns the elements in f with their symbols, in order.
  [[nodiscard]] std::vector<std::pair<Element, Expr>> elements(Expr f) const;
  /// Returns f with every element moved by `by` sites.
  Expr moved(Expr f, std::int64_t by);
  /// Returns f at a site: every element replaced by what `value` gives for it.
  template <class Value>
  Expr replaced(Expr f, const Value& value) {
    std::vector<Expr> from;
    std::vector<Expr> to;
    for (const auto& [element, symbol] : elements(f)) {
      from.push_back(symbol);
      to.push_back(value(element));
    }
    return from.empty() ? f : symbolic::substitute(f, from, to);
  }

 private:
  std::shared_ptr<symbolic::Graph> graph_;
  std::string index_;
  std::vector<Family> families_;
  std::map<Element, Expr> symbols_;
  std::map<symbolic::NodeId, Element> of_symbol_;
};

}  // namespace herglotz::families
