#pragma once
/// Weighted sums over the stages of a step.

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "herglotz/kernel/explicit_tableau.hpp"

namespace herglotz::sensitivity {

/// A stage with a weight other than 0.
struct StageTerm {
  std::size_t stage = 0;
  double weight = 0;
};

/// The weights of a tableau that are not 0.
struct StageTerms {
  std::vector<std::vector<StageTerm>> rows{};     ///< a_ij of stage i, by j
  std::vector<std::vector<StageTerm>> columns{};  ///< a_ij of stage j, by i
  std::vector<StageTerm> end{};                   ///< b_i

  explicit StageTerms(const kernel::ExplicitTableau& tableau) : rows(tableau.stages()), columns(tableau.stages()) {
    for (std::size_t i = 0; i < tableau.stages(); ++i) {
      if (tableau.b[i] != 0) end.push_back({i, tableau.b[i]});
      for (std::size_t j = 0; j < i; ++j) {
        if (tableau.A[i][j] == 0) continue;
        rows[i].push_back({j, tableau.A[i][j]});
        columns[j].push_back({i, tableau.A[i][j]});
      }
    }
  }
};

/// Adds factor w_j x_j over the terms to `width` numbers; x_j begins at stages + j stride. Sums stay in registers, a
/// few entries at a time.
inline void add_stages(std::span<const StageTerm> terms, double factor, const double* stages, std::size_t stride,
                       std::size_t width, double* to) {
  const auto block = [&]<std::size_t N>(std::array<double, N> sum, std::size_t first) {
    for (std::size_t e = 0; e < N; ++e) sum[e] = to[first + e];
    for (const StageTerm& term : terms) {
      const double weight = factor * term.weight;
      const double* const x = stages + term.stage * stride + first;
      for (std::size_t e = 0; e < N; ++e) sum[e] += weight * x[e];
    }
    for (std::size_t e = 0; e < N; ++e) to[first + e] = sum[e];
  };
  std::size_t e = 0;
  for (; e + 8 <= width; e += 8) block(std::array<double, 8>{}, e);
  if (e + 4 <= width) {
    block(std::array<double, 4>{}, e);
    e += 4;
  }
  if (e + 2 <= width) {
    block(std::array<double, 2>{}, e);
    e += 2;
  }
  if (e < width) block(std::array<double, 1>{}, e);
}

}  // namespace herglotz::sensitivity
