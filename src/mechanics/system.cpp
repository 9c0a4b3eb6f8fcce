#include "herglotz/mechanics/system.hpp"

#include <map>
#include <stdexcept>
#include <string>

#include "herglotz/symbolic/graph.hpp"

namespace herglotz::mechanics {
namespace {

/// The role of every name that is in use.
class Names {
 public:
  Expr take(symbolic::Graph& graph, const std::string& name, const std::string& role) {
    claim(name, role);
    return graph.symbol(name);
  }
  void claim(const std::string& name, const std::string& role) {
    const auto [at, fresh] = roles_.emplace(name, role);
    if (!fresh)
      throw std::invalid_argument("name '" + name + "': expected a name of its own for " + role +
                                  ", got one that is already " + at->second);
  }

 private:
  std::map<std::string, std::string> roles_;
};

}  // namespace

System make_system(geometry::Algebroid algebroid, std::string_view action, std::string_view time) {
  System system;
  symbolic::Graph& graph = *algebroid.graph;
  Names names;
  for (const Expr& x : algebroid.x) names.claim(std::string(x.name()), "a base coordinate");
  for (const Expr& y : algebroid.y) names.claim(std::string(y.name()), "a fibre coordinate");
  system.z = names.take(graph, std::string(action), "the action");
  system.t = names.take(graph, std::string(time), "time");
  for (const Expr& y : algebroid.y) {
    const std::string fibre(y.name());
    system.p.push_back(names.take(graph, "p_" + fibre, "the momentum of " + fibre));
  }
  system.energy = names.take(graph, "energy", "the energy");
  system.generator = graph.number(std::int64_t{0});
  system.forces.assign(algebroid.r(), graph.number(std::int64_t{0}));
  system.algebroid = std::move(algebroid);
  return system;
}

}  // namespace herglotz::mechanics
