#pragma once
/// Units of measurement: a scale and exponents of the base units of the SI.

#include <array>
#include <string>
#include <string_view>

namespace herglotz::io {

struct Unit {
  double scale = 1;                   ///< in base units
  std::array<double, 7> exponents{};  ///< of kg, m, s, A, K, mol, cd

  friend Unit operator*(const Unit& a, const Unit& b);
  /// Returns whether two units are equal but for round-off.
  friend bool operator==(const Unit& a, const Unit& b);
};

Unit power(const Unit& unit, double exponent);
/// Returns a text such as "kg*m/s^2", with the scale if it is not 1; "a pure number" for the unit 1.
std::string text_of(const Unit& unit);

/// Reads products, quotients and powers of units, such as "kg*m^2/s^2", "mN" or "1"; `rad` is 1 and `deg` pi/180.
/// Throws Refused with what is wrong.
Unit parse_unit(std::string_view text);

}  // namespace herglotz::io
