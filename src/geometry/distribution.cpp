#include "herglotz/geometry/distribution.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "herglotz/error.hpp"
#include "herglotz/symbolic/evaluate.hpp"
#include "herglotz/symbolic/magnitude.hpp"

namespace herglotz::geometry {
namespace {

constexpr double tolerance = 1e-9;

using Vector = Subspace::Vector;

template <typename Tensors>
std::vector<Vector> values_of(const Tensors& tensors, std::span<const Expr> symbols, std::span<const double> values) {
  std::vector<Vector> rows;
  for (const auto& tensor : tensors) rows.push_back(symbolic::evaluate(tensor.components, symbols, values));
  return rows;
}

double length(const Vector& v) {
  double total = 0;
  for (const double entry : v) total += entry * entry;
  return std::sqrt(total);
}

/// Returns a bound on the rounding of computed components, as a length: 16 operations in a row err by at most 16 eps/2
/// of their terms.
double rounding_of(const std::vector<Expr>& components, std::span<const Expr> symbols, std::span<const double> values) {
  constexpr double of_terms = 16 * (std::numeric_limits<double>::epsilon() / 2);
  std::vector<Expr> terms;
  for (const Expr& component : components) terms.push_back(symbolic::magnitude(component));
  return of_terms * length(symbolic::evaluate(terms, symbols, values));
}

/// Returns omega_AB X^B, the form w -> omega(w, X).
OneForm contract_right(const VectorField& X, const TwoForm& omega) {
  return {X.u, multiply(omega.components, X.components)};
}

/// Returns the v with omega(w, v) = alpha(w) for every w.
VectorField sharp_right(const OneForm& alpha, const ContactStructure& contact) {
  const VectorField& reeb = contact.reeb();
  return VectorField{alpha.u, multiply(contact.jacobi().Lambda.components, alpha.components)} +
         pair(alpha, reeb) * reeb;
}

}  // namespace

std::string_view name(DistributionKind kind) {
  switch (kind) {
    case DistributionKind::horizontal:
      return "horizontal";
    case DistributionKind::vertical:
      return "vertical";
    case DistributionKind::oblique:
      break;
  }
  return "oblique";
}

Distribution Distribution::spanned_by(std::vector<VectorField> fields) {
  if (fields.empty()) throw Refused("distribution: expected at least one field, got none");
  Distribution result;
  result.u_ = fields.front().u;
  result.fields_ = std::move(fields);
  return result;
}

Distribution Distribution::annihilated_by(std::vector<OneForm> forms) {
  if (forms.empty()) throw Refused("distribution: expected at least one 1-form, got none");
  Distribution result;
  result.u_ = forms.front().u;
  result.forms_ = std::move(forms);
  return result;
}

Subspace Distribution::at(std::span<const Expr> symbols, std::span<const double> values) const {
  return fields_.empty() ? Subspace::annihilated_by(values_of(forms_, symbols, values), u_.size())
                         : Subspace::spanned_by(values_of(fields_, symbols, values), u_.size());
}

Subspace Distribution::annihilator_at(std::span<const Expr> symbols, std::span<const double> values) const {
  return at(symbols, values).annihilator();
}

double Distribution::involutivity_defect(std::span<const Expr> symbols, std::span<const double> values) const {
  const Subspace here = at(symbols, values);
  double worst = 0;
  for (std::size_t i = 0; i < fields_.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      const std::vector<Expr> components = lie_bracket(fields_[i], fields_[j]).components;
      const Vector bracket = symbolic::evaluate(components, symbols, values);
      const double size = length(bracket);
      const double outside = here.distance(bracket) * size - rounding_of(components, symbols, values);
      if (outside > 0) worst = std::max(worst, outside / size);
    }
  for (const OneForm& alpha : forms_) {
    const Vector d = symbolic::evaluate(differential(alpha).components.entries, symbols, values);
    const std::size_t N = u_.size();
    for (const Vector& X : here.basis())
      for (const Vector& Y : here.basis()) {
        double total = 0;
        for (std::size_t A = 0; A < N; ++A)
          for (std::size_t B = 0; B < N; ++B) total += d[A * N + B] * X[A] * Y[B];
        worst = std::max(worst, std::abs(total));
      }
  }
  return worst;
}

DistributionKind kind_at(const Distribution& distribution, const ContactStructure& contact,
                         std::span<const Expr> symbols, std::span<const double> values) {
  const Subspace here = distribution.at(symbols, values);
  if (here.distance(symbolic::evaluate(contact.reeb().components, symbols, values)) <= tolerance)
    return DistributionKind::vertical;
  const Subspace kernel =
      Subspace::annihilated_by({symbolic::evaluate(contact.eta().components, symbols, values)}, here.ambient());
  return kernel.contains(here, tolerance) ? DistributionKind::horizontal : DistributionKind::oblique;
}

Distribution right_complement(const Distribution& distribution, const ContactStructure& contact) {
  std::vector<OneForm> forms;
  for (const VectorField& w : distribution.fields()) forms.push_back(contact.flat(w));
  std::vector<VectorField> fields;
  for (const OneForm& alpha : distribution.forms()) fields.push_back(sharp_right(alpha, contact));
  return fields.empty() ? Distribution::annihilated_by(std::move(forms)) : Distribution::spanned_by(std::move(fields));
}

Distribution left_complement(const Distribution& distribution, const ContactStructure& contact) {
  std::vector<OneForm> forms;
  for (const VectorField& w : distribution.fields()) forms.push_back(contract_right(w, contact.omega()));
  std::vector<VectorField> fields;
  for (const OneForm& alpha : distribution.forms()) fields.push_back(contact.sharp(alpha));
  return fields.empty() ? Distribution::annihilated_by(std::move(forms)) : Distribution::spanned_by(std::move(fields));
}

}  // namespace herglotz::geometry
