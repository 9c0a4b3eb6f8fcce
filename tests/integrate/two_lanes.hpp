#pragma once
/// Packs of two numbers, for registers that every machine has: code for more lanes is compiled for machines that have
/// those.

#include "numerics/pack.hpp"

namespace herglotz::integrate {

template <>
struct Registers<2> {
  using Numbers [[gnu::vector_size(16)]] = double;
  using Integers [[gnu::vector_size(16)]] = std::int64_t;
};

}  // namespace herglotz::integrate
