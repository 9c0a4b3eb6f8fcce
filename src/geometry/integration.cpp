#include "integration.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "herglotz/geometry/inverse.hpp"
#include "herglotz/geometry/sampling.hpp"
#include "herglotz/symbolic/derivative.hpp"
#include "herglotz/symbolic/simplify.hpp"

namespace herglotz::geometry {
namespace {

/// Work that comparisons with zero for one algebroid may take, and that for all frames among which one is sought.
constexpr std::int64_t most_effort = 1'000'000;
constexpr std::int64_t most_effort_on_frames = 20 * most_effort;

/// Returns true if f is zero: once multiplied out or, if the effort is used up before, at random points, as other
/// functions of geometry are compared with zero.
bool is_zero(Expr f, symbolic::Effort& effort) {
  if (f.is_zero()) return true;
  const Expr open = symbolic::expand_lets(f);
  const Expr shorter = symbolic::simplify(symbolic::expand(open, effort), effort);
  return shorter.is_zero() || (effort.is_spent() && vanishes(open));
}

/// Returns true if rho = sigma and rho[e_i, e_j] = [rho e_i, rho e_j].
bool is_anchored(const Algebroid& e) {
  if (e.rho.entries != e.sigma.entries) return false;
  symbolic::Effort effort{most_effort};
  for (std::size_t i = 0; i < e.r(); ++i) {
    for (std::size_t j = 0; j < e.r(); ++j) {
      for (std::size_t a = 0; a < e.n(); ++a) {
        Expr defect = e.graph->number(0);
        if (i != j)  // a field commutes with itself
          for (std::size_t b = 0; b < e.n(); ++b)
            defect += e.rho(b, i) * derivative(e.rho(a, j), e.x[b]) - e.rho(b, j) * derivative(e.rho(a, i), e.x[b]);
        for (std::size_t k = 0; k < e.r(); ++k) defect -= e.c(k, i, j) * e.rho(a, k);
        if (!is_zero(defect, effort)) return false;
      }
    }
  }
  return true;
}

bool is_lie_algebra(const StructureFunctions& c, const std::vector<Expr>& x, symbolic::Effort& effort) {
  const std::size_t r = c.rank();
  // Most structure functions of a large algebra are 0, so that only those that are not are walked over.
  using Pair = std::pair<std::size_t, std::size_t>;
  std::map<Pair, std::vector<std::size_t>> present;   // the k with c^k_ij != 0, by i and j
  std::vector<std::vector<std::size_t>> partners(r);  // the k for which any c^l_mk is not 0, by m
  for (const auto& [place, value] : c.nonzero()) {
    const auto& [k, i, j] = place;
    for (const Expr& coordinate : x)
      if (symbolic::depends_on(value, coordinate)) return false;
    if (!is_zero(value + c(k, j, i), effort)) return false;
    auto& components = present[{i, j}];
    if (components.empty()) partners[i].push_back(j);
    components.push_back(k);
  }
  std::map<std::size_t, Expr> jacobi;  // the components of [[e_i, e_j], e_k] and of its cyclic permutations
  const auto add = [&](std::size_t i, std::size_t j, std::size_t k) {
    const auto inner = present.find({i, j});
    if (inner == present.end()) return;
    for (const std::size_t m : inner->second) {
      const auto outer = present.find({m, k});
      if (outer == present.end()) continue;
      for (const std::size_t l : outer->second) {
        const Expr term = c(m, i, j) * c(l, m, k);
        const auto [entry, is_first] = jacobi.try_emplace(l, term);
        if (!is_first) entry->second += term;
      }
    }
  };
  std::set<std::array<std::size_t, 3>> examined;
  for (const auto& [pair, components] : present)
    for (const std::size_t m : components)
      for (const std::size_t k : partners[m]) {
        const auto [i, j] = pair;
        if (!examined.insert(std::min({std::array{i, j, k}, std::array{j, k, i}, std::array{k, i, j}})).second)
          continue;
        jacobi.clear();
        add(i, j, k);
        add(j, k, i);
        add(k, i, j);
        for (const auto& [l, component] : jacobi)
          if (!is_zero(component, effort)) return false;
      }
  return true;
}

}  // namespace

bool is_lie_algebra(const StructureFunctions& c, const std::vector<Expr>& x) {
  symbolic::Effort effort{most_effort};
  return is_lie_algebra(c, x, effort);
}

std::vector<GroupFactor> single_factor(std::string_view group, std::size_t size) {
  if (group.empty()) return {};
  return {{std::string(group), 0, size}};
}

Integration as_it_stands(const Algebroid& algebroid, std::vector<GroupFactor> factors) {
  return {symbolic::identity(*algebroid.graph, algebroid.r()), algebroid.c, algebroid.rho, std::move(factors)};
}

namespace {

/// Returns the structure functions in the frame e'_a = scale_a e_a, or `std::nullopt` if one of them depends on x:
///   c'^k_ij = (scale_i scale_j c^k_ij + delta^k_j scale_i rho_i(scale_j) - delta^k_i scale_j rho_j(scale_i))/scale_k.
std::optional<StructureFunctions> rescaled(const Algebroid& e, const std::vector<Expr>& scale,
                                           symbolic::Effort& effort) {
  StructureFunctions c(e.r(), e.graph->number(std::int64_t{0}));
  const auto along = [&](std::size_t a, const Expr& f) {
    Expr total = e.graph->number(std::int64_t{0});
    for (std::size_t i = 0; i < e.n(); ++i) total += e.rho(i, a) * derivative(f, e.x[i]);
    return total;
  };
  for (std::size_t i = 0; i < e.r(); ++i)
    for (std::size_t j = 0; j < e.r(); ++j)
      for (std::size_t k = 0; k < e.r(); ++k) {
        Expr entry = scale[i] * scale[j] * e.c(k, i, j);
        if (k == j) entry += scale[i] * along(i, scale[j]);
        if (k == i) entry -= scale[j] * along(j, scale[i]);
        c.set(k, i, j, symbolic::simplify(symbolic::expand(symbolic::expand_lets(entry / scale[k]), effort), effort));
        for (const Expr& x : e.x)
          if (symbolic::depends_on(c(k, i, j), x)) return std::nullopt;
      }
  return c;
}

/// For each basis section the functions by which it may be multiplied.
using Scales = std::vector<std::vector<Expr>>;

/// Returns 1 and the reciprocals of the functions that the anchor of e_a and its brackets have.
std::vector<Expr> own_scales(const Algebroid& e, std::size_t a) {
  const Expr one = e.graph->number(std::int64_t{1});
  std::vector<Expr> scales{one};
  const auto add = [&](const Expr& f) {
    const bool varies = std::any_of(e.x.begin(), e.x.end(), [&](const Expr& x) { return symbolic::depends_on(f, x); });
    if (varies && std::find(scales.begin(), scales.end(), one / f) == scales.end()) scales.push_back(one / f);
  };
  for (std::size_t i = 0; i < e.n(); ++i) add(e.rho(i, a));
  for (const auto& [place, value] : e.c.nonzero())
    if (place[1] == a) add(value);
  return scales;
}

/// Returns the integration in the first frame of multiples of the basis sections in which it has constants.
std::optional<Integration> integrate_scaled(const Algebroid& algebroid, const Scales& scales) {
  constexpr std::size_t most_frames = 256;
  std::vector<std::size_t> choice(algebroid.r(), 0);
  symbolic::Effort effort{most_effort_on_frames};
  for (std::size_t tried = 0; tried < most_frames && !effort.is_spent(); ++tried) {
    std::size_t place = 0;
    while (place < choice.size() && ++choice[place] == scales[place].size()) choice[place++] = 0;
    if (place == choice.size()) return std::nullopt;
    std::vector<Expr> scale;
    for (std::size_t a = 0; a < choice.size(); ++a) scale.push_back(scales[a][choice[a]]);
    const auto c = rescaled(algebroid, scale, effort);
    if (!c || !is_lie_algebra(*c, algebroid.x, effort)) continue;
    Integration found{symbolic::identity(*algebroid.graph, algebroid.r()), *c, algebroid.rho, {}};
    for (std::size_t a = 0; a < algebroid.r(); ++a) {
      found.frame(a, a) = scale[a];
      for (std::size_t i = 0; i < algebroid.n(); ++i)
        found.rho(i, a) = symbolic::simplify(symbolic::expand(scale[a] * algebroid.rho(i, a)));
    }
    return found;
  }
  return std::nullopt;
}

}  // namespace

std::optional<Integration> integrate_rescaled(const Algebroid& algebroid) {
  if (!is_anchored(algebroid)) return std::nullopt;
  const Expr one = algebroid.graph->number(std::int64_t{1});
  std::vector<Expr> by_coordinates{one};
  for (const Expr& x : algebroid.x) by_coordinates.push_back(one / x);
  return integrate_scaled(algebroid, Scales(algebroid.r(), by_coordinates));
}

std::optional<Integration> integrate_by_own_functions(const Algebroid& algebroid) {
  if (!is_anchored(algebroid)) return std::nullopt;
  Scales scales(algebroid.r());
  for (std::size_t a = 0; a < algebroid.r(); ++a) scales[a] = own_scales(algebroid, a);
  return integrate_scaled(algebroid, scales);
}

std::optional<Integration> integrate_along_leaves(const Algebroid& algebroid) {
  constexpr int most_minors = 256;
  const std::size_t n = algebroid.n();
  const std::size_t r = algebroid.r();
  if (r == 0 || r > n || r > cofactor_size || !is_anchored(algebroid)) return std::nullopt;
  // An injective anchor carries the axioms over from vector fields.
  std::vector<bool> chosen(n, false);
  std::fill_n(chosen.begin(), r, true);
  for (int tried = 0; tried < most_minors; ++tried) {
    Matrix minor(r, r, algebroid.graph->number(std::int64_t{0}));
    std::size_t row = 0;
    for (std::size_t i = 0; i < n; ++i) {
      if (!chosen[i]) continue;
      for (std::size_t a = 0; a < r; ++a) minor(row, a) = algebroid.rho(i, a);
      ++row;
    }
    if (auto frame = inverse_if_regular(minor)) {
      Matrix rho = multiply(algebroid.rho, *frame);
      std::size_t unit = 0;
      for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t a = 0; a < r; ++a)
          rho(i, a) =
              chosen[i] ? algebroid.graph->number(std::int64_t{a == unit ? 1 : 0}) : symbolic::simplify(rho(i, a));
        unit += chosen[i] ? 1 : 0;
      }
      return Integration{std::move(*frame), StructureFunctions(r, algebroid.graph->number(std::int64_t{0})),
                         std::move(rho), single_factor("abelian", r)};
    }
    if (!std::prev_permutation(chosen.begin(), chosen.end())) break;
  }
  return std::nullopt;
}

std::optional<Integration> integrate_if_lie(const Algebroid& algebroid, std::vector<GroupFactor> factors) {
  if (!is_lie_algebra(algebroid.c, algebroid.x) || !is_anchored(algebroid)) return std::nullopt;
  return as_it_stands(algebroid, std::move(factors));
}

}  // namespace herglotz::geometry
