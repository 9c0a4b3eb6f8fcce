#include <algorithm>
#include <string>

#include "herglotz/error.hpp"
#include "herglotz/geometry/builders.hpp"

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
    c(bracket.k, bracket.a, bracket.b) = graph.number(std::int64_t{bracket.value});
    c(bracket.k, bracket.b, bracket.a) = graph.number(std::int64_t{-bracket.value});
  }
  return c;
}

}  // namespace herglotz::geometry
