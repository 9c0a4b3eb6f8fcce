#include "herglotz/mechanics/legendre.hpp"

#include <algorithm>

#include "herglotz/geometry/inverse.hpp"
#include "herglotz/symbolic/derivative.hpp"
#include "herglotz/symbolic/simplify.hpp"

namespace herglotz::mechanics {
namespace {

using symbolic::Matrix;

/// Generators larger than this are kept as they are: no one reads them, and simplifying them takes long.
constexpr std::size_t largest_velocity = 1000;

/// Returns the second derivatives of G by w, or `std::nullopt` if they depend on w.
std::optional<Matrix> constant_hessian(const System& system, const std::vector<Expr>& w) {
  Matrix hessian = symbolic::to_dense(system.graph(), symbolic::hessian(system.generator, w));
  const auto varies = [&](Expr entry) {
    if (entry.is_number()) return false;  // most entries of a large matrix
    const auto symbols = symbolic::free_symbols(std::vector{entry});
    return std::any_of(symbols.begin(), symbols.end(),
                       [&](Expr symbol) { return std::find(w.begin(), w.end(), symbol) != w.end(); });
  };
  for (Expr& entry : hessian.entries) {
    if (varies(entry)) entry = simplify(entry);
    if (varies(entry)) return std::nullopt;
  }
  return hessian;
}

}  // namespace

std::optional<System> legendre_transform(const System& system) {
  const bool lagrangian = system.formulation == Formulation::lagrangian;
  const std::vector<Expr>& w = system.w();
  const std::vector<Expr>& dual = lagrangian ? system.p : system.algebroid.y;
  const auto hessian = constant_hessian(system, w);
  if (!hessian) return std::nullopt;
  const auto inverse = geometry::inverse_if_regular(*hessian);
  if (!inverse) return std::nullopt;

  // G = G_0 + g.w + w.W.w/2 has the transform (dual - g).W^-1.(dual - g)/2 - G_0.
  const std::vector<Expr> origin(w.size(), system.graph().number(std::int64_t{0}));
  auto difference = symbolic::substitute(symbolic::gradient(symbolic::expand_lets(system.generator), w), w, origin);
  for (std::size_t a = 0; a < w.size(); ++a) difference[a] = dual[a] - simplify(difference[a]);
  const auto velocity = w.empty() ? difference : multiply(*inverse, difference);
  Expr generator = -symbolic::substitute(symbolic::expand_lets(system.generator), w, origin);
  for (std::size_t a = 0; a < w.size(); ++a) generator += difference[a] * velocity[a] / 2;

  System result = system;
  result.formulation = lagrangian ? Formulation::hamiltonian : Formulation::lagrangian;
  result.generator = symbolic::printed_size(generator) > largest_velocity ? generator : simplify(generator);
  return result;
}

}  // namespace herglotz::mechanics
