#include "groupoid/group_action.hpp"

namespace herglotz::integrate {

ActionNumbers action_numbers(const GroupoidKernels& map, std::size_t n, std::size_t r,
                             std::span<const double> parameters) {
  ActionNumbers numbers;
  if (n == 0) return numbers;
  if (!map.affine_action) {
    numbers.flow.emplace(map.generators, n, r, parameters);
    return numbers;
  }
  std::vector<double> x(n, 0.0);
  std::vector<double> constant(n * r);
  std::vector<double> work(map.generators.work_size());
  map.generators(x.data(), parameters.data(), constant.data(), work.data());
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t a = 0; a < r; ++a)
      if (constant[i * r + a] != 0) numbers.shift.push_back({i, 0, a, constant[i * r + a]});
  std::vector<std::vector<double>> slopes(n, std::vector<double>(n * r));
  for (std::size_t j = 0; j < n; ++j) {
    x[j] = 1;
    map.generators(x.data(), parameters.data(), slopes[j].data(), work.data());
    x[j] = 0;
  }
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t a = 0; a < r; ++a)
        if (const double value = slopes[j][i * r + a] - constant[i * r + a]; value != 0)
          numbers.linear.push_back({i, j, a, value});
  return numbers;
}

}  // namespace herglotz::integrate
