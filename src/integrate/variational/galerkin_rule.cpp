#include "herglotz/integrate/galerkin_rule.hpp"

#include <fmt/format.h>

#include <charconv>
#include <string>

#include "herglotz/error.hpp"
#include "herglotz/kernel/quadrature.hpp"

namespace herglotz::integrate {
namespace {

constexpr int most_nodes = 16;

/// Returns the number after `prefix`, or 0 if the name has another form.
int nodes_of(std::string_view name, std::string_view prefix) {
  if (!name.starts_with(prefix)) return 0;
  name.remove_prefix(prefix.size());
  int nodes = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), nodes);
  return error == std::errc{} && end == name.data() + name.size() ? nodes : 0;
}

kernel::Quadrature quadrature_of(std::string_view name) {
  if (const int nodes = nodes_of(name, "gauss-"); nodes >= 1 && nodes <= most_nodes)
    return kernel::gauss_quadrature(nodes);
  if (const int nodes = nodes_of(name, "lobatto-"); nodes >= 2 && nodes <= most_nodes)
    return kernel::lobatto_quadrature(nodes);
  throw Refused(fmt::format("unknown quadrature '{}'", name),
                fmt::format("choose gauss-1 to gauss-{} or lobatto-2 to lobatto-{}", most_nodes, most_nodes));
}

}  // namespace

GalerkinRule galerkin_rule(std::size_t degree, std::string_view quadrature) {
  const kernel::Quadrature exact = quadrature_of(quadrature);
  if (degree < 1) throw Refused("polynomials of degree 0 do not move", "choose a degree of at least 1");
  if (exact.c.size() < degree)
    throw Refused(fmt::format("quadrature {} has {} nodes, too few to determine polynomials of degree {}", quadrature,
                              exact.c.size(), degree),
                  fmt::format("choose at least {} nodes", degree));
  GalerkinRule rule;
  rule.degree = degree;
  rule.c.assign(exact.c.begin(), exact.c.end());
  rule.b.assign(exact.b.begin(), exact.b.end());
  for (const auto& row : exact.A) rule.A.emplace_back(row.begin(), row.end());
  return rule;
}

}  // namespace herglotz::integrate
