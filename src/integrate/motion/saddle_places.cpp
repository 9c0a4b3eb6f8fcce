#include "motion/saddle_places.hpp"

#include "herglotz/integrate/kernel_outputs.hpp"

namespace herglotz::integrate {

std::vector<SaddlePlace> saddle_places(const Dynamics& dynamics) {
  const std::size_t n = dynamics.n;
  const std::size_t r = dynamics.r;
  const std::size_t m = dynamics.m;
  const std::size_t size = r + m;
  std::vector<char> is_entry(size * size, dynamics.stage_pattern.row.empty() ? 1 : 0);
  const StageOutputs stage{n, r};
  for (std::size_t k = 0; k < dynamics.stage_pattern.row.size(); ++k) {
    const std::size_t output = dynamics.stage_pattern.row[k];
    const std::size_t by = dynamics.stage_pattern.col[k];
    const bool by_w = by >= n && by < n + r;
    const bool by_l = by > n + r;
    if (!by_w && !by_l) continue;
    const std::size_t col = by_w ? by - n : by - n - 1;
    if (output >= stage.Phi(0) && by_w) is_entry[(r + output - stage.Phi(0)) * size + col] = 1;
    if (output >= stage.p(0) && output < stage.F(0) && (by_w || dynamics.differential()))
      is_entry[(output - stage.p(0)) * size + col] = 1;
    if (output >= stage.F(0) && output < stage.L() && by_l && !dynamics.differential())
      is_entry[(output - stage.F(0)) * size + col] = 1;
  }
  const std::size_t Phi_y = r * r + r;
  const std::size_t Phi_w = Phi_y + m * r;
  std::vector<SaddlePlace> places;
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t j = 0; j < (i < r ? size : r); ++j) {
      if (is_entry[i * size + j] == 0) continue;
      const std::size_t from = i >= r ? Phi_w + (i - r) * r + j : j >= r ? Phi_y + (j - r) * r + i : i * r + j;
      places.push_back({i, j, from, i < r && j >= r});
    }
  }
  return places;
}

}  // namespace herglotz::integrate
