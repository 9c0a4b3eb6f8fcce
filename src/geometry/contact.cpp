#include "herglotz/geometry/contact.hpp"

#include <bit>
#include <cstdint>
#include <map>
#include <string>

#include "herglotz/error.hpp"
#include "herglotz/geometry/inverse.hpp"
#include "herglotz/geometry/sampling.hpp"
#include "herglotz/symbolic/derivative.hpp"
#include "herglotz/symbolic/graph.hpp"
#include "herglotz/symbolic/simplify.hpp"

namespace herglotz::geometry {
namespace {

/// Expressions longer than this are kept as they are: no one reads them, and simplifying them takes long.
constexpr std::size_t largest_simplified = 60;

Expr readable(Expr f) {
  return symbolic::printed_size(f) > largest_simplified ? f : simplify(f);
}

/// The Pfaffian of the skew matrix of the given indices (a bit set), expanded by the partners of the first index.
class Pfaffian {
 public:
  explicit Pfaffian(const Matrix& a) : a_(a) {}

  Expr operator()(std::uint32_t indices) {
    symbolic::Graph& graph = a_.entries.front().graph();
    if (indices == 0) return graph.number(1);
    const auto known = known_.find(indices);
    if (known != known_.end()) return known->second;
    const auto first = static_cast<std::size_t>(std::countr_zero(indices));
    const std::uint32_t rest = indices & (indices - 1);
    std::vector<Expr> terms;
    bool negative = false;
    for (std::size_t j = first + 1; j < a_.cols; ++j) {
      const std::uint32_t bit = 1U << j;
      if ((rest & bit) == 0) continue;
      const Expr entry = a_(first, j);
      if (!entry.is_zero()) {
        const Expr term = entry * (*this)(rest & ~bit);
        terms.push_back(negative ? -term : term);
      }
      negative = !negative;
    }
    const Expr value = graph.add(terms);
    known_.emplace(indices, value);
    return value;
  }

 private:
  const Matrix& a_;
  std::map<std::uint32_t, Expr> known_;
};

/// The largest number of coordinates: contact forms on more do not occur, and their volume would take long.
constexpr std::size_t largest_dimension = 25;

/// Returns eta ^ (d eta)^n = n! Pf [0, eta; -eta^T, d eta].
Expr volume_of(const OneForm& eta, const TwoForm& d_eta) {
  const std::size_t N = eta.u.size();
  symbolic::Graph& graph = eta.u.front().graph();
  Matrix bordered(N + 1, N + 1, graph.number(std::int64_t{0}));
  for (std::size_t A = 0; A < N; ++A) {
    bordered(0, A + 1) = eta.components[A];
    bordered(A + 1, 0) = -eta.components[A];
    for (std::size_t B = 0; B < N; ++B) bordered(A + 1, B + 1) = d_eta.components(A, B);
  }
  double factorial = 1;
  for (std::size_t k = 2; k <= N / 2; ++k) factorial *= static_cast<double>(k);
  return graph.number(factorial) * Pfaffian(bordered)((std::uint32_t{1} << (N + 1)) - 1);
}

TwoForm omega_of(const OneForm& eta, const TwoForm& d_eta) {
  TwoForm omega = d_eta;
  for (std::size_t A = 0; A < eta.u.size(); ++A)
    for (std::size_t B = 0; B < eta.u.size(); ++B) omega.components(A, B) += eta.components[A] * eta.components[B];
  return omega;
}

/// Computes the inverse by Gauss-Jordan elimination with the shortest pivots, simplified at each step: contact forms
/// are sparse, and a person will read the inverse.
Matrix inverse_of(Matrix a) {
  const std::size_t N = a.rows;
  Matrix result = symbolic::identity(a.entries.front().graph(), N);
  std::vector<bool> used(N, false);
  std::vector<std::size_t> row_of(N);
  for (std::size_t step = 0; step < N; ++step) {
    std::size_t best = N * N;
    std::size_t size = 0;
    for (std::size_t k = 0; k < N * N; ++k) {
      if (used[k / N] || a.entries[k].is_zero()) continue;
      const std::size_t here = symbolic::printed_size(a.entries[k]);
      if (best < N * N && here >= size) continue;
      if (vanishes(a.entries[k])) continue;
      best = k;
      size = here;
    }
    if (best == N * N) throw Refused("contact form: d eta + eta (x) eta is singular everywhere");
    const std::size_t row = best / N;
    const std::size_t col = best % N;
    const Expr pivot = a(row, col);
    used[row] = true;
    row_of[col] = row;
    for (Matrix* m : {&a, &result})
      for (std::size_t j = 0; j < N; ++j) (*m)(row, j) = readable((*m)(row, j) / pivot);
    for (std::size_t i = 0; i < N; ++i) {
      const Expr factor = a(i, col);
      if (i == row || factor.is_zero()) continue;
      for (Matrix* m : {&a, &result})
        for (std::size_t j = 0; j < N; ++j)
          if (!(*m)(row, j).is_zero()) (*m)(i, j) = readable((*m)(i, j) - factor * (*m)(row, j));
    }
  }
  Matrix ordered = result;
  for (std::size_t col = 0; col < N; ++col)
    for (std::size_t j = 0; j < N; ++j) ordered(col, j) = result(row_of[col], j);
  return ordered;
}

TwoForm checked_differential(const OneForm& eta) {
  const std::size_t N = eta.u.size();
  if (N % 2 == 0 || N > largest_dimension || eta.components.size() != N)
    throw Refused("contact form: expected an odd number of coordinates up to " + std::to_string(largest_dimension) +
                  " with one component each, got " + std::to_string(N) + " with " +
                  std::to_string(eta.components.size()));
  TwoForm d_eta = differential(eta);
  if (vanishes(volume_of(eta, d_eta)))
    throw Refused("contact form: expected eta with a volume eta ^ (d eta)^" + std::to_string(N / 2) +
                  ", got one for which it vanishes everywhere");
  return d_eta;
}

}  // namespace

ContactStructure::ContactStructure(OneForm eta)
    : eta_(std::move(eta)), d_eta_(checked_differential(eta_)), omega_(omega_of(eta_, d_eta_)) {
  const Bivector sharp{eta_.u, inverse_of(omega_.components)};
  reeb_ = contract(eta_, sharp);
  for (Expr& component : reeb_.components) component = readable(component);
  jacobi_ = {sharp, eta_.u.front().graph().number(-1) * reeb_};
  for (std::size_t A = 0; A < u().size(); ++A)
    for (std::size_t B = 0; B < u().size(); ++B) {
      Expr& entry = jacobi_.Lambda.components(A, B);
      entry = readable(entry - reeb_.components[A] * reeb_.components[B]);
    }
}

ContactStructure::ContactStructure(OneForm eta, JacobiStructure jacobi)
    : eta_(std::move(eta)),
      d_eta_(checked_differential(eta_)),
      omega_(omega_of(eta_, d_eta_)),
      reeb_(eta_.u.front().graph().number(-1) * jacobi.E),
      jacobi_(std::move(jacobi)) {}

VectorField ContactStructure::sharp(const OneForm& alpha) const {
  return jacobi_.sharp(alpha) + pair(alpha, reeb_) * reeb_;
}

Expr ContactStructure::volume() const {
  return readable(volume_of(eta_, d_eta_));
}

Expr ContactStructure::divergence(const VectorField& X) const {
  // The square of the density is a constant times det omega, and d log det omega = tr(omega^-1 d omega).
  const auto moved = symbolic::directional_derivative(omega_.components.entries, u(), X.components);
  const std::size_t N = u().size();
  std::vector<Expr> terms;
  for (std::size_t A = 0; A < N; ++A) {
    terms.push_back(derivative(X.components[A], u()[A]));
    for (std::size_t B = 0; B < N; ++B) {
      const Expr inverse = jacobi_.Lambda.components(B, A) + reeb_.components[B] * reeb_.components[A];
      if (!inverse.is_zero() && !moved[A * N + B].is_zero()) terms.push_back(inverse * moved[A * N + B] / 2);
    }
  }
  return X.u.front().graph().add(terms);
}

OneForm canonical_contact_form(const std::vector<Expr>& x, const std::vector<Expr>& p, Expr z) {
  OneForm eta{x, {}};
  eta.u.insert(eta.u.end(), p.begin(), p.end());
  eta.u.push_back(z);
  eta.components.assign(eta.u.size(), z.graph().number(std::int64_t{0}));
  for (std::size_t i = 0; i < x.size(); ++i) eta.components[i] = -p.at(i);
  eta.components.back() = z.graph().number(std::int64_t{1});
  return eta;
}

ContactStructure contact_structure_of(const JacobiStructure& jacobi) {
  const Chart& u = jacobi.u();
  const std::size_t N = u.size();
  if (N % 2 == 0)
    throw Refused("a Jacobi structure on " + std::to_string(N) + " coordinates has no contact form",
                  "that needs an odd number of coordinates");
  Matrix sharp = jacobi.Lambda.components;
  for (std::size_t A = 0; A < N; ++A)
    for (std::size_t B = 0; B < N; ++B) sharp(A, B) += jacobi.E.components[A] * jacobi.E.components[B];
  const auto flat = inverse_if_regular(sharp);
  if (!flat)
    throw Refused("Lambda + E (x) E is singular everywhere, so that this Jacobi structure has no contact form",
                  "give one for which it is regular");
  OneForm eta{u, symbolic::multiply(symbolic::transpose(*flat), jacobi.E.components)};
  for (Expr& component : eta.components) component = readable(-component);
  ContactStructure made(std::move(eta));
  const Matrix unit = multiply(made.omega().components, sharp);
  for (std::size_t A = 0; A < N; ++A)
    for (std::size_t B = 0; B < N; ++B)
      if (!vanishes(unit(A, B) - (A == B ? 1.0 : 0.0)))
        throw Refused("(Lambda, E) is not the Jacobi structure of the form -E (Lambda + E (x) E)^-1",
                      "give a Jacobi structure: [Lambda, Lambda] = 2 E ^ Lambda and L_E Lambda = 0");
  return made;
}

}  // namespace herglotz::geometry
