#include "constraints/integrability.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "herglotz/symbolic/derivative.hpp"
#include "herglotz/symbolic/evaluate.hpp"

namespace herglotz::mechanics {
namespace {

constexpr double curvature_rounding = 1e-9;

void append(std::vector<Expr>& outputs, const std::vector<Expr>& more) {
  outputs.insert(outputs.end(), more.begin(), more.end());
}

}  // namespace

/// A derivative at a point: of component i by base index a, or of Phi_i by w_a.
struct Involutivity::Slope {
  std::size_t i;
  std::size_t a;
  double value;
};

/// Values over E x T R x T R: fibre indices are 0..r-1, r for d/dt and r + 1 for d/dz; base indices are 0..n-1,
/// then t and z. Derivatives that are identically zero are left out.
struct Involutivity::Values {
  std::size_t n;
  std::size_t r;
  Row Phi;                                ///< (m x (r + 1)): Phi_j, then Phi_0
  std::vector<std::vector<Slope>> Phi_w;  ///< d Phi_j/dw, for every row
  std::vector<std::vector<Slope>> dPhi;   ///< by the base, for every row
  Row phi_x;                              ///< for the velocity-free rows (k x n)
  Row anchors;                            ///< rho, then sigma (n x r each)
  Row c;                                  ///< the structure functions that are not zero

  [[nodiscard]] double covector(std::size_t A, std::size_t i) const { return i > r ? 0 : Phi[A * (r + 1) + i]; }
  [[nodiscard]] double anchor(std::size_t which, std::size_t a, std::size_t i) const {
    if (a >= n || i >= r) return a >= n && a - n + r == i ? 1 : 0;
    return anchors[(which * n + a) * r + i];
  }
  /// Returns the fibre indices i for which component a of an anchor of e_i is not zero, for every base index a.
  [[nodiscard]] std::vector<std::vector<std::size_t>> sections(std::size_t which) const {
    std::vector<std::vector<std::size_t>> sections(n + 2);
    for (std::size_t a = 0; a < n + 2; ++a)
      for (std::size_t i = 0; i < r + 2; ++i)
        if (anchor(which, a, i) != 0) sections[a].push_back(i);
    return sections;
  }
};

/// Entries (dPhi)_ij of one constraint that have terms, row by row, and the largest term of each entry.
struct Involutivity::Differential {
  struct Entry {
    std::size_t i;
    std::size_t j;
    double value;
    double largest;
  };
  std::vector<Entry> entries;

  [[nodiscard]] bool vanishes() const {
    return std::all_of(entries.begin(), entries.end(), [](const Entry& entry) { return entry.value == 0; });
  }
  /// A component (dPhi)_ij X^j, and the largest of its terms.
  struct Component {
    std::size_t i;
    double sum;
    double largest;
  };
  [[nodiscard]] std::vector<Component> contracted(const Row& X) const {
    std::vector<Component> components;
    for (const auto& [i, j, value, largest] : entries) {
      if (components.empty() || components.back().i != i) components.push_back({i, 0, 0});
      components.back().sum += value * X[j];
      components.back().largest = std::max(components.back().largest, largest * std::abs(X[j]));
    }
    return components;
  }
};

std::vector<Involutivity::Differential> Involutivity::differentials(const Values& v) const {
  const auto rho = v.sections(0);
  const auto sigma = v.sections(1);
  std::vector<Differential> all(m_);
  for (std::size_t A = 0; A < m_; ++A) {
    std::map<std::pair<std::size_t, std::size_t>, Differential::Entry> entries;
    const auto add = [&](std::size_t i, std::size_t j, double term) {
      auto& entry = entries.try_emplace({i, j}, Differential::Entry{i, j, 0, 0}).first->second;
      entry.value += term;
      entry.largest = std::max(entry.largest, std::abs(term));
    };
    for (const auto& [component, a, slope] : v.dPhi[A]) {
      for (const std::size_t i : rho[a]) add(i, component, v.anchor(0, a, i) * slope);
      for (const std::size_t j : sigma[a]) add(component, j, -v.anchor(1, a, j) * slope);
    }
    for (std::size_t entry = 0; entry < brackets_.size(); ++entry) {
      const auto& [k, i, j] = brackets_[entry];
      add(i, j, -v.c[entry] * v.covector(A, k));
    }
    for (const auto& [place, entry] : entries) all[A].entries.push_back(entry);
  }
  return all;
}

Involutivity::Involutivity(const System& system, const Generator& generator, const std::vector<std::size_t>& rows,
                           const std::vector<Expr>& names)
    : n_(system.n()), r_(system.r()), m_(rows.size()), lagrangian_(system.formulation == Formulation::lagrangian) {
  const auto& e = system.algebroid;
  std::vector<Expr> Phi;
  std::vector<Expr> Phi_y;
  std::vector<Expr> phi;
  for (const std::size_t A : rows) {
    // The rate of a function of the base without the action is affine in the velocities: what is left at rest is exact.
    bool by_base = A < generator.phi.size() && !depends_on(generator.phi[A], system.z);
    for (std::size_t j = 0; j < r_; ++j) by_base = by_base && generator.Phi_y(A, j) == generator.Phi_w(A, j);
    Expr at_rest = by_base ? symbolic::derivative(generator.phi[A], system.t) : generator.Phi[A];
    for (std::size_t j = 0; j < r_; ++j) {
      Phi.push_back(generator.Phi_y(A, j));
      Phi_y.push_back(generator.Phi_y(A, j));
      if (!by_base) at_rest -= generator.Phi_y(A, j) * generator.y[j];
    }
    Phi.push_back(at_rest);
    if (A < generator.phi.size()) phi.push_back(generator.phi[A]);
  }
  k_ = phi.size();
  std::vector<Expr> base = e.x;
  base.insert(base.end(), {system.t, system.z});
  std::vector<Expr> outputs = Phi;
  Phi_w_ = symbolic::jacobian(Phi_y, system.w()).entries;
  dPhi_ = symbolic::jacobian(Phi, base).entries;
  for (const auto* slopes : {&Phi_w_, &dPhi_})
    for (const symbolic::Entry& slope : *slopes) outputs.push_back(slope.value);
  append(outputs, symbolic::to_dense(system.graph(), symbolic::jacobian(phi, e.x)).entries);
  append(outputs, e.rho.entries);
  append(outputs, e.sigma.entries);
  for (const auto& [place, value] : e.c.nonzero()) {
    brackets_.push_back(place);
    outputs.push_back(value);
  }
  two_anchors_ = e.rho.entries != e.sigma.entries;
  evaluation_.emplace(outputs, names);
}

/// Returns the square root of the sum of squares.
double Involutivity::size_of(const std::vector<Slope>& slopes) {
  double squares = 0;
  for (const Slope& slope : slopes) squares += slope.value * slope.value;
  return std::sqrt(squares);
}

std::optional<Involutivity::Values> Involutivity::values(const Row& point) const {
  const auto all = (*evaluation_)(point);
  if (!std::all_of(all.begin(), all.end(), [](double v) { return std::isfinite(v); })) return std::nullopt;
  auto next = all.begin();
  const auto take = [&](std::size_t count) {
    const auto first = next;
    next += static_cast<std::ptrdiff_t>(count);
    return Row(first, next);
  };
  const auto take_slopes = [&](std::size_t size, const std::vector<symbolic::Entry>& entries) {
    std::vector<std::vector<Slope>> slopes(m_);
    for (const symbolic::Entry& entry : entries)
      slopes[entry.row / size].push_back({entry.row % size, entry.col, *next++});
    return slopes;
  };
  return Values{n_,
                r_,
                take(m_ * (r_ + 1)),
                take_slopes(r_, Phi_w_),
                take_slopes(r_ + 1, dPhi_),
                take(k_ * n_),
                take(2 * n_ * r_),
                take(brackets_.size())};
}

std::optional<double> Involutivity::defect(const Row& point, bool& affine) const {
  const auto v = values(point);
  if (!v) return std::nullopt;
  Row bends;
  for (const auto& row : v->Phi_w) bends.push_back(size_of(row));
  if (norm(bends) > curvature_rounding * norm(v->Phi)) {
    affine = false;
    return std::nullopt;
  }
  return std::max(bracket_defect(*v), tangency_defect(*v));
}

std::optional<double> Involutivity::curvature(const Row& point) const {
  if (!lagrangian_) return std::nullopt;
  const auto v = values(point);
  if (!v) return std::nullopt;
  const auto directions = covectors_of(*v).second.complement();
  double largest = 0;
  for (std::size_t A = 0; A < m_; ++A) {
    const double size = size_of(v->Phi_w[A]);
    if (size <= curvature_rounding * norm(v->Phi)) continue;
    for (const Row& X : directions)
      for (const Row& other : directions) {
        double sum = 0;
        for (const auto& [i, j, value] : v->Phi_w[A]) sum += other[i] * value * X[j];
        largest = std::max(largest, std::abs(sum) / size);
      }
  }
  return largest;
}

/// Returns the rows Phi_y, and their span.
std::pair<std::vector<Row>, Span> Involutivity::covectors_of(const Values& v) const {
  std::pair<std::vector<Row>, Span> rows{{}, Span(r_)};
  for (std::size_t A = 0; A < m_; ++A) {
    Row row(r_);
    for (std::size_t j = 0; j < r_; ++j) row[j] = v.covector(A, j);
    rows.second.add(rows.second.rest(row));
    rows.first.push_back(std::move(row));
  }
  return rows;
}

double Involutivity::bracket_defect(const Values& v) const {
  const auto dPhi = differentials(v);
  if (std::all_of(dPhi.begin(), dPhi.end(), [](const Differential& d) { return d.vanishes(); })) return 0;
  const auto [covectors, rows] = covectors_of(v);
  Row minus_at_rest;
  for (std::size_t A = 0; A < m_; ++A) minus_at_rest.push_back(-v.covector(A, r_));
  std::vector<Row> variations = rows.complement();
  for (Row& X : variations) X.resize(r_ + 2, 0.0);
  Row action(r_ + 2, 0.0);
  action[r_ + 1] = 1;
  variations.push_back(action);
  std::vector<Row> motions = variations;
  Row V = shortest_solution(covectors, minus_at_rest, r_);
  V.insert(V.end(), {1.0, 0.0});
  motions.push_back(std::move(V));

  double largest = 0;
  Row lengths;
  for (const Row& motion : motions) lengths.push_back(norm(motion));
  for (std::size_t A = 0; A < m_; ++A) {
    if (dPhi[A].vanishes()) continue;
    const double length = norm(covectors[A]);
    for (const Row& second : variations) {
      const auto along = dPhi[A].contracted(second);
      for (std::size_t k = 0; k < motions.size(); ++k) {
        double sum = 0;
        double size = length * lengths[k];
        for (const auto& [i, component, terms] : along) {
          sum += motions[k][i] * component;
          size = std::max(size, std::abs(motions[k][i]) * terms);
        }
        largest = std::max(largest, std::abs(sum) / size);
      }
    }
  }
  return largest;
}

/// Measures how far sigma X leaves the velocity-free equations; if it does, so does the bracket. rho X never leaves
/// them. [GG08, Sec. 5.6].
double Involutivity::tangency_defect(const Values& v) const {
  if (!two_anchors_) return 0;
  double largest = 0;
  for (const Row& X : covectors_of(v).second.complement())
    for (std::size_t A = 0; A < k_; ++A) {
      double sum = 0;
      double size = 0;
      for (std::size_t a = 0; a < n_; ++a)
        for (std::size_t j = 0; j < r_; ++j) {
          const double term = v.phi_x[A * n_ + a] * v.anchor(1, a, j) * X[j];
          sum += term;
          size = std::max(size, std::abs(v.phi_x[A * n_ + a] * v.anchor(1, a, j)));
        }
      if (size > 0) largest = std::max(largest, std::abs(sum) / size);
    }
  return largest;
}

}  // namespace herglotz::mechanics
