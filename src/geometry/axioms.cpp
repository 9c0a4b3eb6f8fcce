#include "herglotz/geometry/axioms.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <random>
#include <string>

#include "herglotz/error.hpp"
#include "herglotz/symbolic/derivative.hpp"
#include "herglotz/symbolic/evaluate.hpp"
#include "shapes.hpp"

namespace herglotz::geometry {
namespace {

constexpr std::size_t wanted_points = 12;
constexpr std::size_t most_draws = 240;

/// A structure function that is not identically zero, and the places of its value and derivatives in the sample.
struct StructureEntry {
  std::size_t k, i, j;
  std::size_t value;
  std::vector<std::pair<std::size_t, std::size_t>> slopes;  ///< (base index, place)
};

struct AnchorSlope {
  std::size_t i, a, along, place;
};

/// rho, sigma, c and the first derivatives of rho and c in one list of expressions.
struct Sample {
  std::vector<Expr> outputs;
  std::vector<StructureEntry> structure;
  std::vector<AnchorSlope> anchor_slopes;
  std::size_t n = 0;
  std::size_t r = 0;

  explicit Sample(const Algebroid& e) : n(e.n()), r(e.r()) {
    outputs = e.rho.entries;
    outputs.insert(outputs.end(), e.sigma.entries.begin(), e.sigma.entries.end());
    std::vector<Expr> values;
    for (const auto& [place, value] : e.c.nonzero()) {
      const auto& [k, i, j] = place;
      structure.push_back({k, i, j, outputs.size(), {}});
      outputs.push_back(value);
      values.push_back(value);
    }
    for (const auto& entry : symbolic::jacobian(values, e.x).entries) {
      structure[entry.row].slopes.emplace_back(entry.col, outputs.size());
      outputs.push_back(entry.value);
    }
    for (const auto& entry : symbolic::jacobian(e.rho.entries, e.x).entries) {
      anchor_slopes.push_back({entry.row / r, entry.row % r, entry.col, outputs.size()});
      outputs.push_back(entry.value);
    }
  }

  [[nodiscard]] std::size_t rho(std::size_t i, std::size_t a) const { return i * r + a; }
  [[nodiscard]] std::size_t sigma(std::size_t i, std::size_t a) const { return (n + i) * r + a; }
};

/// Sums that should vanish, by index, with the largest of their terms.
class Defect {
 public:
  using Index = std::array<std::size_t, 4>;
  void add(const Index& index, double term) {
    if (term == 0) return;
    sums_[index] += term;
    size_ = std::max(size_, std::abs(term));
  }
  [[nodiscard]] double relative() const {
    double largest = 0;
    for (const auto& [index, sum] : sums_) largest = std::max(largest, std::abs(sum));
    return size_ > 0 ? largest / size_ : 0;
  }

 private:
  std::map<Index, double> sums_;
  double size_ = 0;
};

Defect anchors_agree(const Sample& s, const std::vector<double>& v) {
  Defect d;
  for (std::size_t i = 0; i < s.n; ++i)
    for (std::size_t a = 0; a < s.r; ++a) {
      d.add({i, a, 0, 0}, v[s.rho(i, a)]);
      d.add({i, a, 0, 0}, -v[s.sigma(i, a)]);
    }
  return d;
}

Defect skewness(const Sample& s, const std::vector<double>& v) {
  Defect d;
  for (const auto& c : s.structure) {
    d.add({c.k, c.i, c.j, 0}, v[c.value]);
    d.add({c.k, c.j, c.i, 0}, v[c.value]);
  }
  return d;
}

/// Returns the defect of rho^m_k c^k_ab - (rho^j_a d_j rho^m_b - rho^j_b d_j rho^m_a).
Defect anchor_homomorphism(const Sample& s, const std::vector<double>& v) {
  Defect d;
  for (const auto& c : s.structure)
    for (std::size_t m = 0; m < s.n; ++m) d.add({m, c.i, c.j, 0}, v[s.rho(m, c.k)] * v[c.value]);
  for (const auto& slope : s.anchor_slopes)
    for (std::size_t a = 0; a < s.r; ++a) {
      const double term = v[s.rho(slope.along, a)] * v[slope.place];
      d.add({slope.i, a, slope.a, 0}, -term);
      d.add({slope.i, slope.a, a, 0}, term);
    }
  return d;
}

/// Returns the smallest of the rotations of (i, j, k), so that the three terms of a cyclic sum share one index.
Defect::Index cyclic(std::size_t l, std::size_t i, std::size_t j, std::size_t k) {
  return std::min({Defect::Index{l, i, j, k}, Defect::Index{l, j, k, i}, Defect::Index{l, k, i, j}});
}

/// Returns the defect of the cyclic sum of [e_i, [e_j, e_k]]^l = c^m_jk c^l_im + rho^a_i dc^l_jk/dx^a.
Defect jacobi(const Sample& s, const std::vector<double>& v) {
  Defect d;
  std::vector<std::vector<const StructureEntry*>> by_second(s.r);
  for (const auto& c : s.structure) by_second[c.j].push_back(&c);
  for (const auto& c : s.structure) {
    for (const StructureEntry* outer : by_second[c.k])
      d.add(cyclic(outer->k, outer->i, c.i, c.j), v[c.value] * v[outer->value]);
    for (const auto& [along, place] : c.slopes)
      for (std::size_t i = 0; i < s.r; ++i) d.add(cyclic(c.k, i, c.i, c.j), v[s.rho(along, i)] * v[place]);
  }
  return d;
}

}  // namespace

std::string_view name(AlgebroidClass c) {
  switch (c) {
    case AlgebroidClass::skew:
      return "skew";
    case AlgebroidClass::almost_lie:
      return "almost Lie";
    case AlgebroidClass::lie:
      return "Lie";
    case AlgebroidClass::general:
      break;
  }
  return "general";
}

AxiomDefects check_axioms(const Algebroid& algebroid, std::span<const Expr> symbols, std::span<const double> values,
                          std::span<const double> centre, std::uint64_t seed, double tolerance) {
  expect_count("values of the algebroid's parameters", symbols.size(), values.size());
  expect_count("coordinates of the centre", algebroid.n(), centre.size());
  const Sample sample(algebroid);
  std::vector<Expr> names(symbols.begin(), symbols.end());
  names.insert(names.end(), algebroid.x.begin(), algebroid.x.end());
  std::vector<double> point(values.begin(), values.end());
  point.resize(names.size());

  AxiomDefects result;
  std::mt19937_64 engine(seed);
  std::uniform_real_distribution<double> uniform(-0.5, 0.5);
  const std::size_t wanted = algebroid.n() == 0 ? 1 : wanted_points;
  for (std::size_t draw = 0; draw < most_draws && result.points < wanted; ++draw) {
    for (std::size_t i = 0; i < centre.size(); ++i)
      point[values.size() + i] = centre[i] + uniform(engine) * std::max(1.0, std::abs(centre[i]));
    const auto v = symbolic::evaluate(sample.outputs, names, point);
    if (!std::all_of(v.begin(), v.end(), [](double value) { return std::isfinite(value); })) continue;
    ++result.points;
    result.anchors = std::max(result.anchors, anchors_agree(sample, v).relative());
    result.skewness = std::max(result.skewness, skewness(sample, v).relative());
    result.anchor = std::max(result.anchor, anchor_homomorphism(sample, v).relative());
    result.jacobi = std::max(result.jacobi, jacobi(sample, v).relative());
  }
  if (result.points == 0)
    throw Failed("axioms of the " + algebroid.kind + " algebroid: its anchor or brackets are not finite at any of " +
                 std::to_string(most_draws) + " points around the given centre");
  if (result.anchors <= tolerance && result.skewness <= tolerance) {
    result.algebroid_class = AlgebroidClass::skew;
    if (result.anchor <= tolerance)
      result.algebroid_class = result.jacobi <= tolerance ? AlgebroidClass::lie : AlgebroidClass::almost_lie;
  }
  return result;
}

}  // namespace herglotz::geometry
