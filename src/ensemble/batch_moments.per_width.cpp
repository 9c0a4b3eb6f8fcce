// This file is compiled once for each width of registers, which CMake defines.
// It holds the moments of batches in registers of W numbers.

#include "batch_moments.hpp"

#include <bit>

#include "herglotz/kernel/numbers.hpp"

namespace herglotz::ensemble {
namespace {

constexpr auto sum = [](const auto& a, const auto& b) { return a + b; };
constexpr auto smaller = [](const auto& a, const auto& b) { return kernel::choose(b < a, b, a); };
constexpr auto larger = [](const auto& a, const auto& b) { return kernel::choose(a < b, b, a); };

template <class Join>
[[gnu::always_inline]] inline double folded(double number, const Join& /*join*/) {
  return number;
}
template <class Join>
[[gnu::always_inline]] inline double folded(const kernel::NumbersOf<4>& v, const Join& join) {
  const kernel::NumbersOf<2> pairs = join(__builtin_shufflevector(v, v, 0, 1), __builtin_shufflevector(v, v, 2, 3));
  return join(pairs[0], pairs[1]);
}
template <class Join>
[[gnu::always_inline]] inline double folded(const kernel::NumbersOf<8>& v, const Join& join) {
  const kernel::NumbersOf<4> low = __builtin_shufflevector(v, v, 0, 1, 2, 3);
  const kernel::NumbersOf<4> high = __builtin_shufflevector(v, v, 4, 5, 6, 7);
  return folded(join(low, high), join);
}

/// Returns join(..) of all numbers of a batch, in pairs.
template <int W, class Join>
[[gnu::always_inline]] inline double joined(const kernel::NumbersOf<W>* packs, const Join& join) {
  constexpr std::size_t count = batch_members / W;
  kernel::NumbersOf<W> left[count];
  for (std::size_t i = 0; i < count; ++i) left[i] = packs[i];
  for (std::size_t held = count / 2; held > 0; held /= 2)
    for (std::size_t i = 0; i < held; ++i) left[i] = join(left[i], left[i + held]);
  return folded(left[0], join);
}

/// Returns whether a number is neither infinite nor NaN.
[[gnu::always_inline]] inline bool finite(double number) {
  return number * 0 == 0;
}

/// Returns the moments of the finite numbers among the members that are present.
Moments reduce_some(const double* values, unsigned present) {
  double numbers[batch_members];
  unsigned counted = 0;
  for (std::size_t m = 0; m < batch_members; ++m) {
    const bool counts = (present >> m & 1U) != 0 && finite(values[m]);
    counted |= (counts ? 1U : 0U) << m;
    numbers[m] = counts ? values[m] / batch_members : 0;  // exact, and the sum cannot overflow
  }
  Moments moments;
  moments.count = std::popcount(counted);
  if (counted == 0) return moments;
  moments.mean = joined<1>(numbers, sum) * (batch_members / moments.count);
  bool first = true;
  for (std::size_t m = 0; m < batch_members; ++m) {
    if ((counted >> m & 1U) == 0) continue;
    moments.least = first ? values[m] : smaller(moments.least, values[m]);
    moments.largest = first ? values[m] : larger(moments.largest, values[m]);
    first = false;
    numbers[m] = (values[m] - moments.mean) * (values[m] - moments.mean);
  }
  moments.squares = joined<1>(numbers, sum);
  return moments;
}

}  // namespace

template <int W>
void reduce(const double* values, std::size_t batches, unsigned present, Moments* moments) {
  constexpr std::size_t count = batch_members / W;
  constexpr unsigned everyone = (1U << batch_members) - 1;
  for (std::size_t e = 0; e < batches; ++e, values += batch_members) {
    kernel::NumbersOf<W> packs[count];
    for (std::size_t i = 0; i < count; ++i) packs[i] = kernel::load<kernel::NumbersOf<W>>(values + i * W);
    const double total = joined<W>(packs, sum);
    if (present != everyone || !finite(total)) {
      moments[e] = reduce_some(values, present);
      continue;
    }
    Moments& to = moments[e];
    to.count = batch_members;
    to.mean = total / batch_members;
    to.least = joined<W>(packs, smaller);
    to.largest = joined<W>(packs, larger);
    for (auto& pack : packs) pack = (pack - to.mean) * (pack - to.mean);
    to.squares = joined<W>(packs, sum);
  }
}

template void reduce<HERGLOTZ_WIDTH>(const double* values, std::size_t batches, unsigned present, Moments* moments);

}  // namespace herglotz::ensemble
