#include "urdf/sum.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace herglotz::io {

Sum::Sum(double number) : Sum(number, {}) {}

Sum::Sum(const std::string& names) : Sum(1, names) {}

Sum::Sum(double factor, const std::string& names) {
  add({factor, names});
}

bool Sum::is_short() const {
  return products_.empty() || (products_.size() == 1 && products_[0].names.find_first_of("*(") == std::string::npos);
}

std::string Sum::text() const {
  if (products_.empty()) return "0";
  std::string text;
  for (const auto& [factor, names] : products_) {
    text += text.empty() ? (factor < 0 ? "-" : "") : (factor < 0 ? " - " : " + ");
    const double size = std::abs(factor);
    if (names.empty())
      text += fmt::format("{}", size);
    else if (size == 1)
      text += names;
    else
      text += fmt::format("{}*{}", size, names);
  }
  return text;
}

void Sum::add(const Product& product) {
  const auto same =
      std::find_if(products_.begin(), products_.end(), [&](const Product& one) { return one.names == product.names; });
  if (same == products_.end()) {
    if (product.factor != 0) products_.push_back(product);
    return;
  }
  same->factor += product.factor;
  if (same->factor == 0) products_.erase(same);
}

Sum& Sum::operator+=(const Sum& other) {
  for (const Product& product : other.products_) add(product);
  return *this;
}

Sum operator+(Sum a, const Sum& b) {
  a += b;
  return a;
}

Sum operator-(Sum a, const Sum& b) {
  a += b * Sum(-1.0);
  return a;
}

Sum operator*(const Sum& a, const Sum& b) {
  Sum total;
  for (const auto& [x, first] : a.products())
    for (const auto& [y, second] : b.products()) {
      const bool both = !first.empty() && !second.empty();
      total += Sum(x * y, first + (both ? "*" : "") + second);
    }
  return total;
}

}  // namespace herglotz::io
