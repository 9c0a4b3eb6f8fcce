#pragma once
/// Rounding errors of sums and products, of one run or of one in every lane.

namespace herglotz::integrate {

/// Returns a + b - sum exactly, where sum is a + b rounded [Knuth].
template <class P>
P lost_by_sum(P a, P b, P sum) {
  const P of_b = sum - a;
  return (a - (sum - of_b)) + (b - of_b);
}

/// Number in two halves whose products with halves are exact [Dekker].
template <class P>
struct Halves {
  explicit Halves(P a) {
    const P scaled = P(134217729.0) * a;
    high = scaled - (scaled - a);
    low = a - high;
  }
  P high;
  P low;
};

/// Returns a b - product exactly, where product is a b rounded.
template <class P>
P lost_by_product(const Halves<P>& a, const Halves<P>& b, P product) {
  return ((a.high * b.high - product) + a.high * b.low + a.low * b.high) + a.low * b.low;
}

}  // namespace herglotz::integrate
