#pragma once
/// Admissible variations along a motion and the variation of the action that they cause. [GG08, Eqs. 2.9-2.10].

#include "motion.hpp"

namespace herglotz::mechanics::samples {

/// delta x = sigma s, delta y = s_dot + c(y, s) for a section s with rate s_dot.
struct Variation {
  std::vector<Expr> x;
  std::vector<Expr> y;
};

inline Variation variation(const System& system, const std::vector<Expr>& s, const std::vector<Expr>& s_dot) {
  const auto& e = system.algebroid;
  Variation v;
  if (e.n() > 0) v.x = multiply(e.sigma, s);
  v.y = s_dot;
  for (std::size_t k = 0; k < e.r(); ++k)
    for (std::size_t i = 0; i < e.r(); ++i)
      for (std::size_t j = 0; j < e.r(); ++j)
        if (!e.c(k, i, j).is_zero()) v.y[k] += e.c(k, i, j) * e.y[i] * s[j];
  return v;
}

/// f_x delta x + f_y delta y.
inline Expr varied(const System& system, const Expr& f, const Variation& v) {
  return symbolic::directional_derivative(std::vector<Expr>{f}, joined(system.algebroid.x, system.algebroid.y),
                                          joined(v.x, v.y))
      .front();
}

}  // namespace herglotz::mechanics::samples
