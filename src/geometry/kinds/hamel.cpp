#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "herglotz/geometry/inverse.hpp"
#include "herglotz/symbolic/derivative.hpp"
#include "herglotz/symbolic/simplify.hpp"
#include "integration.hpp"
#include "shapes.hpp"

namespace herglotz::geometry {
namespace {

/// The effort for all brackets together; once it is used up, they are kept as they were computed.
constexpr std::int64_t most_effort = 100'000;

/// Derivatives of the components of a vector field by the coordinates, by component and coordinate; zeros are left out.
using Slopes = std::map<std::size_t, std::map<std::size_t, Expr>>;

std::vector<Slopes> slopes_of(const Matrix& frame, const std::vector<Expr>& x) {
  std::vector<Slopes> slopes(frame.rows);
  for (std::size_t a = 0; a < frame.rows; ++a)
    for (std::size_t i = 0; i < frame.cols; ++i) {
      if (frame(a, i).is_number()) continue;
      const auto symbols = symbolic::free_symbols(std::vector<Expr>{frame(a, i)});
      for (std::size_t j = 0; j < x.size(); ++j) {
        if (std::find(symbols.begin(), symbols.end(), x[j]) == symbols.end()) continue;
        const Expr slope = derivative(frame(a, i), x[j]);
        if (!slope.is_zero()) slopes[a][i].emplace(j, slope);
      }
    }
  return slopes;
}

/// Returns the components of the commutator of the vector fields in rows a and b that are not zero as they are written.
std::map<std::size_t, Expr> commutator(const Matrix& frame, const std::vector<Slopes>& slopes, std::size_t a,
                                       std::size_t b, symbolic::Effort& effort) {
  std::map<std::size_t, std::map<std::size_t, std::pair<Expr, Expr>>> terms;  // the two terms of a coordinate
  const Expr zero = frame.entries.front().graph().number(std::int64_t{0});
  const auto gather = [&](std::size_t along, std::size_t of, bool first) {
    for (const auto& [i, by_coordinate] : slopes[of])
      for (const auto& [j, slope] : by_coordinate) {
        if (frame(along, j).is_zero()) continue;
        auto& pair = terms[i].try_emplace(j, zero, zero).first->second;
        (first ? pair.first : pair.second) = frame(along, j) * slope;
      }
  };
  gather(a, b, true);
  gather(b, a, false);
  std::map<std::size_t, Expr> components;
  for (const auto& [i, by_coordinate] : terms) {
    Expr total = zero;
    for (const auto& [j, pair] : by_coordinate) {
      total += pair.first;
      total -= pair.second;
    }
    if (const Expr component = simplify(total, effort); !component.is_zero()) components.emplace(i, component);
  }
  return components;
}

}  // namespace

Algebroid hamel(std::shared_ptr<Graph> graph, Coordinates coordinates, const Matrix& frame) {
  expect_count("fibre coordinates of a Hamel frame (as many as base coordinates)", coordinates.x.size(),
               coordinates.y.size());
  expect_shape("frame of a hamel algebroid", frame, coordinates.y.size(), coordinates.x.size());
  Algebroid algebroid = empty_algebroid("hamel", std::move(graph), std::move(coordinates));
  promise_lie(algebroid);
  const std::size_t n = algebroid.n();
  if (n == 0) return algebroid;
  algebroid.rho = transpose(frame);
  algebroid.sigma = algebroid.rho;
  const Matrix coframe = inverse(frame, "frame of a hamel algebroid");
  // In the coordinate velocities the algebroid is TM: xi = frame^T y.
  const Matrix one = symbolic::identity(*algebroid.graph, n);
  algebroid.integration = Integration{transpose(coframe), StructureFunctions(n, algebroid.graph->number(0)), one,
                                      single_factor("abelian", n)};
  symbolic::Effort effort{most_effort};
  const auto slopes = slopes_of(frame, algebroid.x);
  for (std::size_t a = 0; a < n; ++a)
    for (std::size_t b = a + 1; b < n; ++b) {
      const auto bracket = commutator(frame, slopes, a, b, effort);
      for (std::size_t k = 0; k < n && !bracket.empty(); ++k) {
        Expr c = algebroid.graph->number(std::int64_t{0});
        for (const auto& [i, component] : bracket) c += component * coframe(i, k);
        algebroid.c.set(k, a, b, simplify(c, effort));
        algebroid.c.set(k, b, a, simplify(-algebroid.c(k, a, b), effort));
      }
    }
  return algebroid;
}

}  // namespace herglotz::geometry
