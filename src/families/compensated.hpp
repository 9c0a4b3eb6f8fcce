#pragma once
/// Sums of many terms without accumulated round-off.

namespace herglotz::families {

/// Sum of many terms with the low-order part that its additions lose.
struct Compensated {
  double value = 0;
  double lost = 0;

  void add(double term) {
    const double corrected = term - lost;
    const double after = value + corrected;
    lost = (after - value) - corrected;
    value = after;
  }
};

}  // namespace herglotz::families
