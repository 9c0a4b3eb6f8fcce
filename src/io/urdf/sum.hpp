#pragma once
/// Sums of products of names with numbers, as the text of model files has them.

#include <string>
#include <vector>

namespace herglotz::io {

/// A number times names, such as -0.5*m*cos(q); no names stand for 1.
struct Product {
  double factor;
  std::string names;
};

/// A sum of products in different names. Products whose factor is 0 are left out, so 0 is the empty sum.
class Sum {
 public:
  Sum() = default;
  Sum(double number);             // NOLINT(*-explicit-*): a number is a sum
  Sum(const std::string& names);  // NOLINT(*-explicit-*): so is a name
  Sum(double factor, const std::string& names);

  [[nodiscard]] const std::vector<Product>& products() const { return products_; }
  [[nodiscard]] bool is_zero() const { return products_.empty(); }
  /// Returns true for 0, a number, and a number times a single name.
  [[nodiscard]] bool is_short() const;
  /// Returns the sum as an expression, "0" if it is empty.
  [[nodiscard]] std::string text() const;

  Sum& operator+=(const Sum& other);

 private:
  void add(const Product& product);

  std::vector<Product> products_;
};

Sum operator+(Sum a, const Sum& b);
Sum operator-(Sum a, const Sum& b);
/// Multiplies out.
Sum operator*(const Sum& a, const Sum& b);

}  // namespace herglotz::io
