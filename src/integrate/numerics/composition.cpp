#include "herglotz/integrate/numerics/composition.hpp"

#include <fmt/format.h>

#include <array>

#include "herglotz/error.hpp"

namespace herglotz::integrate {

namespace {

/// 1/(4 - 4^(1/3)).
constexpr double suzuki = 0.41449077179437573714;
constexpr std::array order_2{1.0};
constexpr std::array order_4{suzuki, suzuki, 1 - 4 * suzuki, suzuki, suzuki};
constexpr std::array order_6{0.39216144400731413928,  0.33259913678935943860, -0.70624617255763935981,
                             0.08221359629355080023,  0.79854399093482996340, 0.08221359629355080023,
                             -0.70624617255763935981, 0.33259913678935943860, 0.39216144400731413928};
constexpr std::array order_8{0.13020248308889008088,  0.56116298177510838456,  -0.38947496264484728641,
                             0.15884190655515560090,  -0.39590389413323757734, 0.18453964097831570709,
                             0.25837438768632204729,  0.29501172360931029887,  -0.60550853383003451170,
                             0.29501172360931029887,  0.25837438768632204729,  0.18453964097831570709,
                             -0.39590389413323757734, 0.15884190655515560090,  -0.38947496264484728641,
                             0.56116298177510838456,  0.13020248308889008088};

}  // namespace

std::span<const double> symmetric_composition(int order) {
  switch (order) {
    case 2:
      return order_2;
    case 4:
      return order_4;
    case 6:
      return order_6;
    case 8:
      return order_8;
    default:
      throw Refused(fmt::format("symmetric compositions are of order 2, 4, 6 or 8, not {}", order));
  }
}

}  // namespace herglotz::integrate
