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
  momentum,    ///< p_<fibre>
  parameter,   ///< a number for each site
  edge,        ///< a number for each edge
  link,        ///< the force of edges and pairs on a base family, which loops over them find
  multiplier,  ///< of a constraint at each site or edge, in printed equations
  number,      ///< the number of the site along an index, which gives its name
  within       ///< 1 at the sites over which a sum runs, else 0
};

struct Family {
  std::string name;
  Kind kind = Kind::base;
  std::optional<std::size_t> along{};  ///< the index that alone a family of a grid depends on
};

/// Way from one site to another: sites along the first index, and along the second index of a grid.
struct Offset {
  std::int64_t first = 0;
  std::int64_t second = 0;
  friend auto operator<=>(const Offset&, const Offset&) = default;
  friend Offset operator-(const Offset& a) { return {-a.first, -a.second}; }
  friend Offset operator+(const Offset& a, const Offset& b) { return {a.first + b.first, a.second + b.second}; }
};

/// Returns the name of an index with an offset, such as i+1.
std::string with_offset(const std::string& index, std::int64_t offset);
/// Returns the subscript of an element, such as i+1 or i,j-2.
std::string subscript_of(const std::vector<std::string>& indices, const Offset& offset);

/// Owner of an element in a sum over sites, edges or pairs.
enum class Owner : std::uint8_t {
  site,   ///< the site of the indices; in a sum over pairs the first of the two
  from,   ///< the site where an edge begins
  to,     ///< the site where it ends
  edge,   ///< the edge itself
  second  ///< the second site of a pair
};

/// Element of a family at an offset from the present site, or of what a sum over edges or pairs runs over.
struct Element {
  std::size_t family = 0;
  Offset offset{};
  Owner owner = Owner::site;
  friend auto operator<=>(const Element&, const Element&) = default;
};

/// Table of the families of a model, and of the symbols of their elements. One symbol stands for the elements of all
/// sites with the same offset.
class Sites {
 public:
  /// `indices` are the names of one index, or of the two of a grid.
  Sites(std::shared_ptr<symbolic::Graph> graph, std::vector<std::string> indices)
      : graph_(std::move(graph)), indices_(std::move(indices)) {}

  /// Adds a family and returns its number. On a grid `along` is the index of a family that depends on one alone.
  std::size_t add(std::string name, Kind kind, std::optional<std::size_t> along = std::nullopt);
  [[nodiscard]] const std::vector<Family>& families() const { return families_; }
  [[nodiscard]] std::optional<std::size_t> find(std::string_view name) const;

  /// Names the index of edges, or the second site of pairs.
  void set_edges(std::string name) { edges_ = std::move(name); }
  void set_second(std::string name) { second_ = std::move(name); }
  [[nodiscard]] const std::string& second() const { return second_; }
  /// Returns what stands in the brackets of an element.
  [[nodiscard]] std::string subscript(const Element& element) const;
  /// Returns the symbol of an element that is not at a site of the indices.
  Expr of(std::size_t family, Owner owner) { return symbol_of({family, {}, owner}); }
  /// Returns the symbol of an element. A family that depends on one index depends on the offset along it alone.
  Expr at(std::size_t family, Offset offset = {});
  /// Returns the elements in f with their symbols, in order.
  [[nodiscard]] std::vector<std::pair<Element, Expr>> elements(Expr f) const;
  /// Returns f with every element moved by `by` sites.
  Expr moved(Expr f, Offset by);
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
  Expr symbol_of(const Element& element);

  std::shared_ptr<symbolic::Graph> graph_;
  std::vector<std::string> indices_;
  std::string edges_;
  std::string second_;
  std::vector<Family> families_;
  std::map<Element, Expr> symbols_;
  std::map<symbolic::NodeId, Element> of_symbol_;
};

}  // namespace herglotz::families
