#include "constraints/integrability.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "herglotz/symbolic/derivative.hpp"
#include "herglotz/symbolic/evaluate.hpp"

namespace herglotz::mechanics {
namespace {

constexpr double rounding = 1e-9;

void append(std::vector<Expr>& outputs, const std::vector<Expr>& more) {
  outputs.insert(outputs.end(), more.begin(), more.end());
}

std::vector<Expr> slopes(const System& system, const std::vector<Expr>& f, const std::vector<Expr>& x) {
  return symbolic::to_dense(system.graph(), symbolic::jacobian(f, x)).entries;
}

}  // namespace

/// Values over E x T R x T R: fibre indices are 0..r-1, r for d/dt and r + 1 for d/dz; base indices are 0..n-1,
/// then t and z.
struct Involutivity::Values {
  std::size_t n;
  std::size_t r;
  Row Phi;      ///< (m x (r + 1)): Phi_j, then Phi_0
  Row Phi_w;    ///< d Phi_j/dw (m r x r)
  Row dPhi;     ///< (m (r + 1) x (n + 2))
  Row phi_x;    ///< for the velocity-free rows (k x n)
  Row anchors;  ///< rho, then sigma (n x r each)
  Row c;        ///< (r x r x r), or empty if all are zero

  [[nodiscard]] double covector(std::size_t A, std::size_t i) const { return i > r ? 0 : Phi[A * (r + 1) + i]; }
  [[nodiscard]] double slope(std::size_t A, std::size_t i, std::size_t a) const {
    return i > r ? 0 : dPhi[(A * (r + 1) + i) * (n + 2) + a];
  }
  [[nodiscard]] double anchor(std::size_t which, std::size_t a, std::size_t i) const {
    if (a >= n || i >= r) return a >= n && a - n + r == i ? 1 : 0;
    return anchors[(which * n + a) * r + i];
  }
  [[nodiscard]] double structure(std::size_t k, std::size_t i, std::size_t j) const {
    return i < r && j < r ? c[(k * r + i) * r + j] : 0;
  }
  /// Returns the base indices a at which an anchor of e_i is not zero, for every i.
  [[nodiscard]] std::vector<std::vector<std::size_t>> places(std::size_t which) const {
    std::vector<std::vector<std::size_t>> places(r + 2);
    for (std::size_t i = 0; i < r + 2; ++i)
      for (std::size_t a = 0; a < n + 2; ++a)
        if (anchor(which, a, i) != 0) places[i].push_back(a);
    return places;
  }
};

/// Entries (dPhi)_ij of one constraint, and the largest term of each entry; (r + 2) x (r + 2).
struct Involutivity::Differential {
  std::size_t size;
  Row value;
  Row largest;

  /// Returns (dPhi)_ij X^j, and the largest term of each component.
  [[nodiscard]] std::pair<Row, Row> contracted(const Row& X) const {
    Row sum(size, 0.0);
    Row terms(size, 0.0);
    for (std::size_t i = 0; i < size; ++i)
      for (std::size_t j = 0; j < size; ++j) {
        sum[i] += value[i * size + j] * X[j];
        terms[i] = std::max(terms[i], largest[i * size + j] * std::abs(X[j]));
      }
    return {sum, terms};
  }
};

Involutivity::Differential Involutivity::differential(const Values& v, std::size_t A) const {
  const std::size_t size = r_ + 2;
  Differential d{size, Row(size * size, 0.0), Row(size * size, 0.0)};
  const auto rho = v.places(0);
  const auto sigma = v.places(1);
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < size; ++i)
    for (std::size_t j = 0; j < size; ++j) {
      double& sum = d.value[i * size + j];
      double& largest = d.largest[i * size + j];
      const auto add = [&](double term) {
        sum += term;
        largest = std::max(largest, std::abs(term));
      };
      places.clear();
      std::set_union(rho[i].begin(), rho[i].end(), sigma[j].begin(), sigma[j].end(), std::back_inserter(places));
      for (const std::size_t a : places) {
        add(v.anchor(0, a, i) * v.slope(A, j, a));
        add(-v.anchor(1, a, j) * v.slope(A, i, a));
      }
      if (v.c.empty()) continue;
      for (std::size_t k = 0; k < r_; ++k) add(-v.structure(k, i, j) * v.covector(A, k));
    }
  return d;
}

Involutivity::Involutivity(const System& system, const Generator& generator, const std::vector<std::size_t>& rows,
                           const std::vector<Expr>& names)
    : n_(system.n()),
      r_(system.r()),
      m_(rows.size()),
      lagrangian_(system.formulation == Formulation::lagrangian),
      names_(names) {
  const auto& e = system.algebroid;
  std::vector<Expr> Phi;
  std::vector<Expr> Phi_y;
  std::vector<Expr> phi;
  for (const std::size_t A : rows) {
    Expr at_rest = generator.Phi[A];
    for (std::size_t j = 0; j < r_; ++j) {
      Phi.push_back(generator.Phi_y(A, j));
      Phi_y.push_back(generator.Phi_y(A, j));
      at_rest -= generator.Phi_y(A, j) * generator.y[j];
    }
    Phi.push_back(at_rest);
    if (A < generator.phi.size()) phi.push_back(generator.phi[A]);
  }
  k_ = phi.size();
  std::vector<Expr> base = e.x;
  base.insert(base.end(), {system.t, system.z});
  outputs_ = Phi;
  append(outputs_, slopes(system, Phi_y, system.w()));
  append(outputs_, slopes(system, Phi, base));
  append(outputs_, slopes(system, phi, e.x));
  append(outputs_, e.rho.entries);
  append(outputs_, e.sigma.entries);
  std::vector<Expr> brackets;
  for (std::size_t k = 0; k < r_; ++k)
    for (std::size_t i = 0; i < r_; ++i)
      for (std::size_t j = 0; j < r_; ++j) brackets.push_back(e.c(k, i, j));
  if (std::any_of(brackets.begin(), brackets.end(), [](const Expr& c) { return !c.is_zero(); })) {
    brackets_ = brackets.size();
    append(outputs_, brackets);
  }
}

std::optional<Involutivity::Values> Involutivity::values(const Row& point) const {
  const auto all = symbolic::evaluate(outputs_, names_, point);
  if (!std::all_of(all.begin(), all.end(), [](double v) { return std::isfinite(v); })) return std::nullopt;
  auto next = all.begin();
  const auto take = [&](std::size_t count) {
    const auto first = next;
    next += static_cast<std::ptrdiff_t>(count);
    return Row(first, next);
  };
  return Values{n_,
                r_,
                take(m_ * (r_ + 1)),
                take(m_ * r_ * r_),
                take(m_ * (r_ + 1) * (n_ + 2)),
                take(k_ * n_),
                take(2 * n_ * r_),
                take(brackets_)};
}

std::optional<double> Involutivity::defect(const Row& point, bool& affine) const {
  const auto v = values(point);
  if (!v) return std::nullopt;
  if (norm(v->Phi_w) > rounding * norm(v->Phi)) {
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
    const double* hessian = v->Phi_w.data() + A * r_ * r_;
    const double size = norm(std::span(hessian, r_ * r_));
    if (size <= rounding * norm(v->Phi)) continue;
    for (const Row& X : directions)
      for (const Row& other : directions) {
        double sum = 0;
        for (std::size_t i = 0; i < r_; ++i)
          for (std::size_t j = 0; j < r_; ++j) sum += other[i] * hessian[i * r_ + j] * X[j];
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
  for (std::size_t A = 0; A < m_; ++A) {
    const Differential d = differential(v, A);
    for (const Row& second : variations) {
      const auto [along, terms] = d.contracted(second);
      for (const Row& first : motions) {
        double sum = 0;
        double size = norm(covectors[A]) * norm(first);
        for (std::size_t i = 0; i < first.size(); ++i) {
          sum += first[i] * along[i];
          size = std::max(size, std::abs(first[i]) * terms[i]);
        }
        largest = std::max(largest, std::abs(sum) / size);
      }
    }
  }
  return largest;
}

/// Measures how far sigma X leaves the velocity-free equations; if it does, so does the bracket. [GG08, Sec. 5.6].
double Involutivity::tangency_defect(const Values& v) const {
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
