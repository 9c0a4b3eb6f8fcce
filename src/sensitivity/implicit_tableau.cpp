#include <cmath>

#include "herglotz/kernel/quadrature.hpp"
#include "herglotz/sensitivity/implicit_steps.hpp"

namespace herglotz::sensitivity {
namespace {

ImplicitTableau partitioned(const kernel::Quadrature& quadrature) {
  const auto rounded = [](const std::vector<long double>& numbers) {
    std::vector<double> result;
    for (const long double number : numbers) result.push_back(static_cast<double>(number));
    return result;
  };
  ImplicitTableau made{rounded(quadrature.c), rounded(quadrature.b), {}, {}};
  for (std::size_t i = 0; i < quadrature.c.size(); ++i) {
    made.A.push_back(rounded(quadrature.A[i]));
    made.A_hat.emplace_back();
    for (std::size_t j = 0; j < quadrature.c.size(); ++j)
      made.A_hat.back().push_back(static_cast<double>(quadrature.b[j] * (1 - quadrature.A[j][i] / quadrature.b[i])));
  }
  return made;
}

}  // namespace

ImplicitTableau gauss_tableau(int stages) {
  return partitioned(kernel::gauss_quadrature(stages));
}

ImplicitTableau lobatto_tableau(int stages) {
  return partitioned(kernel::lobatto_quadrature(stages));
}

ImplicitTableau radau_tableau() {
  const double q = std::sqrt(6.0);
  const std::vector<std::vector<double>> A{{(88 - 7 * q) / 360, (296 - 169 * q) / 1800, (-2 + 3 * q) / 225},
                                           {(296 + 169 * q) / 1800, (88 + 7 * q) / 360, (-2 - 3 * q) / 225},
                                           {(16 - q) / 36, (16 + q) / 36, 1.0 / 9}};
  return {{(4 - q) / 10, (4 + q) / 10, 1}, A.back(), A, A, true};
}

}  // namespace herglotz::sensitivity
