#include "units/unit.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <map>
#include <numbers>
#include <optional>

#include "herglotz/error.hpp"

namespace herglotz::io {
namespace {

constexpr std::array<std::string_view, 7> kBase{"kg", "m", "s", "A", "K", "mol", "cd"};

struct Named {
  Unit unit;
  bool prefixes = true;
};

const std::map<std::string, Named, std::less<>>& named_units() {
  static const std::map<std::string, Named, std::less<>> table{{"1", {{}, false}},
                                                               {"rad", {{}, false}},
                                                               {"deg", {{std::numbers::pi / 180, {}}, false}},
                                                               {"kg", {{1, {1}}, false}},
                                                               {"g", {{1e-3, {1}}}},
                                                               {"m", {{1, {0, 1}}}},
                                                               {"s", {{1, {0, 0, 1}}}},
                                                               {"A", {{1, {0, 0, 0, 1}}}},
                                                               {"K", {{1, {0, 0, 0, 0, 1}}}},
                                                               {"mol", {{1, {0, 0, 0, 0, 0, 1}}}},
                                                               {"cd", {{1, {0, 0, 0, 0, 0, 0, 1}}, false}},
                                                               {"min", {{60, {0, 0, 1}}, false}},
                                                               {"h", {{3600, {0, 0, 1}}, false}},
                                                               {"Hz", {{1, {0, 0, -1}}}},
                                                               {"N", {{1, {1, 1, -2}}}},
                                                               {"Pa", {{1, {1, -1, -2}}}},
                                                               {"J", {{1, {1, 2, -2}}}},
                                                               {"W", {{1, {1, 2, -3}}}},
                                                               {"C", {{1, {0, 0, 1, 1}}}},
                                                               {"V", {{1, {1, 2, -3, -1}}}},
                                                               {"F", {{1, {-1, -2, 4, 2}}}},
                                                               {"ohm", {{1, {1, 2, -3, -2}}}},
                                                               {"S", {{1, {-1, -2, 3, 2}}}},
                                                               {"Wb", {{1, {1, 2, -2, -1}}}},
                                                               {"T", {{1, {1, 0, -2, -1}}}},
                                                               {"H", {{1, {1, 2, -2, -2}}}}};
  return table;
}

std::optional<double> prefix(char letter) {
  switch (letter) {
    case 'n':
      return 1e-9;
    case 'u':
      return 1e-6;
    case 'm':
      return 1e-3;
    case 'c':
      return 1e-2;
    case 'd':
      return 1e-1;
    case 'k':
      return 1e3;
    case 'M':
      return 1e6;
    case 'G':
      return 1e9;
    default:
      return std::nullopt;
  }
}

Unit named(std::string_view name) {
  const auto& table = named_units();
  if (const auto it = table.find(name); it != table.end()) return it->second.unit;
  if (name.size() > 1) {
    const auto it = table.find(name.substr(1));
    const auto factor = prefix(name.front());
    if (factor && it != table.end() && it->second.prefixes) return Unit{*factor, {}} * it->second.unit;
  }
  throw Refused(
      "unknown unit '" + std::string(name) + "'",
      "write products of kg, g, m, s, min, h, A, K, mol, cd, rad, deg, Hz, N, Pa, J, W, C, V, F, ohm, S, Wb, T, H");
}

/// Reader of a unit from left to right.
class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  Unit read() {
    Unit unit = factor();
    for (; at_ < text_.size();) {
      const char sign = text_[at_++];
      if (sign != '*' && sign != '/') fail();
      unit = unit * power(factor(), sign == '*' ? 1 : -1);
    }
    return unit;
  }

 private:
  [[noreturn]] void fail() const {
    throw Refused("'" + std::string(text_) + "' is not a unit", "write a product such as kg*m^2/s^2");
  }

  Unit factor() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && std::string_view("*/^").find(text_[at_]) == std::string_view::npos) ++at_;
    if (at_ == begin) fail();
    const Unit unit = named(text_.substr(begin, at_ - begin));
    if (at_ == text_.size() || text_[at_] != '^') return unit;
    double exponent = 0;
    const char* end = text_.data() + text_.size();
    const auto [rest, error] = std::from_chars(text_.data() + at_ + 1, end, exponent);
    if (error != std::errc() || !std::isfinite(exponent)) fail();
    at_ = static_cast<std::size_t>(rest - text_.data());
    return power(unit, exponent);
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

Unit operator*(const Unit& a, const Unit& b) {
  Unit product{a.scale * b.scale, a.exponents};
  for (std::size_t i = 0; i < product.exponents.size(); ++i) product.exponents[i] += b.exponents[i];
  return product;
}

bool operator==(const Unit& a, const Unit& b) {
  constexpr double round_off = 1e-9;
  if (std::abs(a.scale - b.scale) > round_off * std::abs(a.scale)) return false;
  for (std::size_t i = 0; i < a.exponents.size(); ++i)
    if (std::abs(a.exponents[i] - b.exponents[i]) > round_off) return false;
  return true;
}

Unit power(const Unit& unit, double exponent) {
  Unit result{std::pow(unit.scale, exponent), unit.exponents};
  for (double& e : result.exponents) e *= exponent;
  return result;
}

std::string text_of(const Unit& unit) {
  if (unit == Unit{}) return "a pure number";
  std::string above;
  std::string below;
  for (std::size_t i = 0; i < kBase.size(); ++i) {
    const double e = unit.exponents[i];
    if (e == 0) continue;
    std::string& side = e > 0 ? above : below;
    side += (e > 0 ? (above.empty() ? "" : "*") : "/") + std::string(kBase[i]);
    if (std::abs(e) != 1) side += fmt::format("^{:.6g}", std::abs(e));
  }
  const std::string text = (above.empty() ? "1" : above) + below;
  return unit.scale == 1 ? text : fmt::format("{:.6g} {}", unit.scale, text);
}

Unit parse_unit(std::string_view text) {
  return Reader(text).read();
}

}  // namespace herglotz::io
