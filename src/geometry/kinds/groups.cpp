#include <algorithm>
#include <string>

#include "herglotz/error.hpp"
#include "herglotz/geometry/attitude.hpp"

namespace herglotz::geometry {
namespace {

/// The bracket [e_a, e_b] = value e_k; [e_b, e_a] is its opposite.
struct Bracket {
  std::size_t a, b, k;
  int value;
};

struct Group {
  std::string_view name;
  std::size_t dimension;  ///< 0 for any dimension
  std::vector<Bracket> brackets;
};

const std::vector<Group>& groups() {
  static const std::vector<Group> table{{"so3", 3, {{0, 1, 2, 1}, {1, 2, 0, 1}, {2, 0, 1, 1}}},
                                        {"se2", 3, {{0, 1, 2, 1}, {0, 2, 1, -1}}},
                                        {"se3",
                                         6,
                                         {{0, 1, 2, 1},
                                          {1, 2, 0, 1},
                                          {2, 0, 1, 1},
                                          {0, 4, 5, 1},
                                          {1, 5, 3, 1},
                                          {2, 3, 4, 1},
                                          {0, 5, 4, -1},
                                          {1, 3, 5, -1},
                                          {2, 4, 3, -1}}},
                                        {"su2", 3, {{0, 1, 2, 1}, {1, 2, 0, 1}, {2, 0, 1, 1}}},
                                        {"sl2", 3, {{0, 1, 1, 2}, {0, 2, 2, -2}, {1, 2, 0, 1}}},
                                        {"heisenberg", 3, {{0, 1, 2, 1}}},
                                        {"abelian", 0, {}}};
  return table;
}

const Group* find(std::string_view name) {
  const auto at = std::find_if(groups().begin(), groups().end(), [&](const Group& g) { return g.name == name; });
  return at == groups().end() ? nullptr : &*at;
}

}  // namespace

const std::vector<std::string_view>& group_names() {
  static const std::vector<std::string_view> names = [] {
    std::vector<std::string_view> list;
    for (const Group& g : groups()) list.push_back(g.name);
    return list;
  }();
  return names;
}

std::optional<std::size_t> group_dimension(std::string_view group, std::size_t rank) {
  const Group* g = find(group);
  if (g == nullptr) return std::nullopt;
  return g->dimension == 0 ? rank : g->dimension;
}

StructureFunctions group_structure(Graph& graph, std::string_view group, std::size_t rank) {
  const Group* g = find(group);
  if (g == nullptr) {
    std::string known;
    for (const std::string_view name : group_names()) known += (known.empty() ? "" : " ") + std::string(name);
    throw Refused("group: expected one of " + known + ", got " + std::string(group));
  }
  if (g->dimension != 0 && g->dimension != rank)
    throw Refused("rank of the Lie algebra of " + std::string(group) + ": expected " + std::to_string(g->dimension) +
                  ", got " + std::to_string(rank));
  StructureFunctions c(rank, graph.number(std::int64_t{0}));
  for (const Bracket& bracket : g->brackets) {
    c.set(bracket.k, bracket.a, bracket.b, graph.number(std::int64_t{bracket.value}));
    c.set(bracket.k, bracket.b, bracket.a, graph.number(std::int64_t{-bracket.value}));
  }
  return c;
}

bool has_attitude(std::string_view group) {
  return group == "so3" || group == "se3";
}

Algebroid attitude_algebroid(std::shared_ptr<Graph> graph, Coordinates coordinates, std::string_view group) {
  const bool pose = group == "se3";
  const std::size_t n = pose ? 7 : 4;
  const std::size_t r = pose ? 6 : 3;
  const auto& x = coordinates.x;
  if (!has_attitude(group) || x.size() != n || coordinates.y.size() != r)
    throw Refused("attitudes of " + std::string(group) + " have other numbers of coordinates",
                  pose ? "give 7 base and 6 fibre coordinates" : "give 4 base and 3 fibre coordinates of so3");
  const Expr half = graph->number(1) / graph->number(2);
  Matrix generators(r, n, graph->number(0));
  // Row a has half of the product of q and the unit of the axis a.
  const std::vector<std::vector<Expr>> products{
      {-x[1], x[0], x[3], -x[2]}, {-x[2], -x[3], x[0], x[1]}, {-x[3], x[2], -x[1], x[0]}};
  for (std::size_t a = 0; a < 3; ++a)
    for (std::size_t i = 0; i < 4; ++i) generators(a, i) = half * products[a][i];
  if (pose) {
    // Column a of R(q): the axis a of the body in space.
    const auto product = [&](int i, int j) {
      return graph->number(2) * x[static_cast<std::size_t>(i)] * x[static_cast<std::size_t>(j)];
    };
    const auto square = [&](int i) { return x[static_cast<std::size_t>(i)] * x[static_cast<std::size_t>(i)]; };
    const std::vector<std::vector<Expr>> axes{
        {square(0) + square(1) - square(2) - square(3), product(1, 2) + product(0, 3), product(1, 3) - product(0, 2)},
        {product(1, 2) - product(0, 3), square(0) - square(1) + square(2) - square(3), product(2, 3) + product(0, 1)},
        {product(1, 3) + product(0, 2), product(2, 3) - product(0, 1), square(0) - square(1) - square(2) + square(3)}};
    for (std::size_t a = 0; a < 3; ++a)
      for (std::size_t i = 0; i < 3; ++i) generators(3 + a, 4 + i) = axes[a][i];
  }
  StructureFunctions c = group_structure(*graph, group, r);
  return action(std::move(graph), std::move(coordinates), std::move(c), generators, group);
}

Expr unit_quaternion(std::span<const Expr> q) {
  Expr norm = q[0] * q[0];
  for (const Expr& entry : q.subspan(1, 3)) norm = norm + entry * entry;
  return norm - q[0].graph().number(1);
}

}  // namespace herglotz::geometry
