#pragma once
/// The rules of the four output languages, one node at a time.

#include <string>
#include <string_view>
#include <unordered_map>

#include "herglotz/symbolic/print.hpp"
#include "print/print_form.hpp"
#include "simplify/factors.hpp"

namespace herglotz::symbolic {

/// Builder of the forms of nodes, children first.
class Layout {
 public:
  Layout(Format format, const PrintOptions& options) : format_(format), options_(options) {}

  /// Nodes in this map are written by name instead of by value.
  std::unordered_map<NodeId, std::string> named;

  /// Adds the form of f; the forms of its children must exist.
  void add(Expr f);
  /// Returns the form of f's own operation, even if f is named.
  Form value(Expr f) const;
  [[nodiscard]] std::string text(Expr f) const { return written(forms_.at(f.id()), forms_); }
  [[nodiscard]] std::string text(const Form& form) const { return written(form, forms_); }
  [[nodiscard]] std::string name(std::string_view name) const;

 private:
  Form symbol(std::string_view name) const;
  Form real(double magnitude) const;
  Form rational(const Rational& magnitude) const;
  Form number(const Quotient& q) const;
  Form sum(Expr f) const;
  Form product(Expr f) const;
  Quotient flat_quotient(Expr f) const;
  Form fraction(const Quotient& q) const;
  Form inline_quotient(const Quotient& q) const;
  Form factors(const std::vector<Factor>& factors) const;
  Form power(const Factor& factor) const;
  Form general_power(Expr f) const;
  Form square_root(Expr base) const;
  Form raised(Expr base, const Rational& exponent) const;
  Form raised_in_latex(Expr base, const Rational& exponent) const;
  Form raised_in_c(Expr base, const Rational& exponent) const;
  void latex_argument(Form& into, Expr x) const;
  Form call(std::string_view name, Expr f) const;
  Form function(Expr f) const;
  Form latex_function(Expr f) const;
  Form select(Expr f) const;
  Form extremum(Expr f) const;
  Form table(Expr f) const;
  void operand(Form& into, Expr child, Binding needed) const;
  void parenthesised(Form& into, const Form& inner) const;
  void multiply_by(Form& into, const Form& factor) const;
  [[nodiscard]] const Form& form(Expr f) const { return forms_.at(f.id()); }
  [[nodiscard]] bool latex() const { return format_ == Format::latex; }

  Format format_;
  const PrintOptions& options_;
  Forms forms_;
  bool has_connectives_ = false;  ///< whether a symbol is named like a word of conditions
};

/// Returns the name of the C function that computes an expression of Op::table at its argument.
std::string c_table_name(Expr f);

/// Returns the shortest decimal that reads back as the same double.
std::string decimal(double value);

}  // namespace herglotz::symbolic
