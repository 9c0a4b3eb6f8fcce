#pragma once
/// One algebroid of every kind, for laws that hold on all of them.

#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "herglotz/geometry/builders.hpp"
#include "herglotz/symbolic/parser.hpp"

namespace herglotz::geometry::samples {

inline std::vector<Expr> symbols(Graph& graph, const std::vector<std::string>& names) {
  std::vector<Expr> list;
  for (const auto& name : names) list.push_back(graph.symbol(name));
  return list;
}

inline Expr read(Graph& graph, std::string_view text, const std::vector<Expr>& names) {
  symbolic::Scope scope;
  for (const Expr& name : names) scope.emplace(name.name(), name);
  return symbolic::parse(graph, text, scope);
}

inline Matrix read_matrix(Graph& graph, const std::vector<std::vector<std::string>>& rows,
                          const std::vector<Expr>& names) {
  Matrix m(rows.size(), rows.empty() ? 0 : rows.front().size(), graph.number(std::int64_t{0}));
  for (std::size_t i = 0; i < m.rows; ++i)
    for (std::size_t j = 0; j < m.cols; ++j) m(i, j) = read(graph, rows[i][j], names);
  return m;
}

struct Kind {
  std::string name;
  Algebroid algebroid;
  friend std::ostream& operator<<(std::ostream& out, const Kind& kind) { return out << kind.name; }
};

/// An algebroid of every kind, each in a graph of its own.
inline std::vector<Kind> every_algebroid() {
  std::vector<Kind> list;
  const auto graph = [] { return std::make_shared<Graph>(); };
  {
    auto g = graph();
    list.push_back({"tangent", tangent(g, {symbols(*g, {"x1", "x2"}), symbols(*g, {"y1", "y2"})})});
  }
  {
    auto g = graph();
    const auto x = symbols(*g, {"x1", "x2", "x3"});
    list.push_back(
        {"hamel", hamel(g, {x, symbols(*g, {"y1", "y2", "y3"})},
                        read_matrix(*g, {{"1", "x2", "0"}, {"0", "2 + cos(x1)", "x3"}, {"x2", "0", "3"}}, x))});
  }
  for (const auto name : group_names()) {
    auto g = graph();
    const std::size_t r = *group_dimension(name, 2);
    std::vector<std::string> fibre;
    for (std::size_t a = 0; a < r; ++a) fibre.push_back("y" + std::to_string(a + 1));
    list.push_back({std::string(name), lie_algebra(g, {{}, symbols(*g, fibre)}, group_structure(*g, name, r))});
  }
  {
    auto g = graph();
    const auto x = symbols(*g, {"x1", "x2", "x3"});
    list.push_back(
        {"action", action(g, {x, symbols(*g, {"y1", "y2", "y3"})}, group_structure(*g, "so3", 3),
                          read_matrix(*g, {{"0", "x3", "-x2"}, {"-x3", "0", "x1"}, {"x2", "-x1", "0"}}, x))});
  }
  {
    auto g = graph();
    const auto x = symbols(*g, {"x1", "x2"});
    list.push_back(
        {"atiyah", atiyah(g, {x, symbols(*g, {"y1", "y2", "y3", "y4", "y5"})}, group_structure(*g, "so3", 3),
                          read_matrix(*g, {{"3*x2/10", "1/5", "x1/10"}, {"-3*x1/10", "x1/10", "x2^2/5"}}, x))});
  }
  {
    auto g = graph();
    const auto first = tangent(g, {symbols(*g, {"x1"}), symbols(*g, {"y1"})});
    const auto second = lie_algebra(g, {{}, symbols(*g, {"y2", "y3", "y4"})}, group_structure(*g, "se2", 3));
    list.push_back({"product", product({first, second})});
  }
  {
    // Not even skew: tests/reference/general_algebroid_nonlie.json.
    auto g = graph();
    const auto x = symbols(*g, {"x1", "x2"});
    StructureFunctions c(2, g->number(std::int64_t{0}));
    c.set(0, 0, 0, read(*g, "1/5", x));
    c.set(0, 0, 1, read(*g, "1/2", x));
    c.set(1, 0, 1, read(*g, "x1/10", x));
    c.set(0, 1, 0, read(*g, "-3/10", x));
    c.set(1, 1, 0, read(*g, "2/5", x));
    c.set(0, 1, 1, read(*g, "x2/10", x));
    c.set(1, 1, 1, read(*g, "-1/10", x));
    const Matrix anchor = read_matrix(*g, {{"1", "-x1/10"}, {"x2/5", "x1^2/10 + 1"}}, x);
    const Matrix right = read_matrix(*g, {{"4/5", "x1/5"}, {"3/10", "6/5"}}, x);
    list.push_back({"general", custom(g, {x, symbols(*g, {"y1", "y2"})}, anchor, c, right)});
  }
  {
    auto g = graph();
    const auto x = symbols(*g, {"x1", "x2", "x3"});
    const auto ambient = tangent(g, {x, symbols(*g, {"v1", "v2", "v3"})});
    const Matrix span = read_matrix(*g, {{"cos(x3)", "sin(x3)", "0"}, {"0", "0", "1"}}, x);
    const Matrix metric = read_matrix(*g, {{"2", "0", "0"}, {"0", "2", "0"}, {"0", "0", "1 + x1^2"}}, x);
    list.push_back({"constrained", constrained(ambient, symbols(*g, {"y1", "y2"}), span, metric)});
  }
  return list;
}

}  // namespace herglotz::geometry::samples
