#pragma once
/// The tableau of Gauss collocation with six stages.

#include <array>
#include <cstddef>

namespace herglotz::simulate {

struct GaussNodes {
  static constexpr std::size_t count = 6;
  std::array<double, count> c{};
  std::array<double, count> b{};
  std::array<std::array<double, count>, count> a{};
};

GaussNodes gauss_nodes();

}  // namespace herglotz::simulate
