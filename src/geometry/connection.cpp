#include "herglotz/geometry/connection.hpp"

#include <string>

#include "herglotz/error.hpp"
#include "herglotz/symbolic/derivative.hpp"

namespace herglotz::geometry {

std::vector<Expr> curvature(const Connection& gamma, const std::vector<Expr>& x, std::size_t r) {
  const std::size_t n = x.size();
  std::vector<Expr> entries;
  for (std::size_t b = 0; b < r; ++b)
    for (std::size_t a = 0; a < r; ++a)
      for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j) {
          Expr entry = symbolic::derivative(gamma(b, j, a), x[i]) - symbolic::derivative(gamma(b, i, a), x[j]);
          for (std::size_t c = 0; c < r; ++c)
            entry += gamma(b, i, c) * gamma(c, j, a) - gamma(b, j, c) * gamma(c, i, a);
          entries.push_back(entry);
        }
  return entries;
}

Section nabla(const Algebroid& algebroid, const Connection& gamma, const std::vector<Expr>& X, const Section& s) {
  if (X.size() != algebroid.n() || s.size() != algebroid.r())
    throw Refused(
        "nabla_X s got " + std::to_string(X.size()) + " components of X and " + std::to_string(s.size()) + " of s",
        "give " + std::to_string(algebroid.n()) + " and " + std::to_string(algebroid.r()));
  Section moved = X.empty() ? Section(s.size(), algebroid.graph->number(std::int64_t{0}))
                            : symbolic::directional_derivative(s, algebroid.x, X);
  for (std::size_t b = 0; b < s.size(); ++b)
    for (std::size_t i = 0; i < X.size(); ++i)
      for (std::size_t a = 0; a < s.size(); ++a) moved[b] += X[i] * gamma(b, i, a) * s[a];
  return moved;
}

Section nabla_bar(const Algebroid& algebroid, const Connection& gamma, const Section& s, const Section& u) {
  Section result = section_bracket(algebroid, s, u);
  const Section moved = nabla(algebroid, gamma, symbolic::multiply(algebroid.sigma, u), s);
  for (std::size_t b = 0; b < result.size(); ++b) result[b] += moved[b];
  return result;
}

}  // namespace herglotz::geometry
