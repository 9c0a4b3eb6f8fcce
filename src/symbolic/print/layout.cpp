#include "print/layout.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <numbers>

#include "print/latex_name.hpp"

namespace herglotz::symbolic {

namespace {

const Rational kOne{1};

Rational half() {
  return *Rational::make(1, 2);
}

/// Returns true for a word that is not a free name in a Python program with SymPy: a keyword, or a name that such a
/// program imports.
bool taken_in_python(std::string_view name) {
  constexpr std::array<std::string_view, 43> kWords{
      "False", "None",     "True",      "and",      "as",     "assert", "async",  "await",    "break",
      "class", "continue", "def",       "del",      "elif",   "else",   "except", "finally",  "for",
      "from",  "global",   "if",        "import",   "in",     "is",     "lambda", "nonlocal", "not",
      "or",    "pass",     "raise",     "return",   "try",    "while",  "with",   "yield",    "Abs",
      "Max",   "Min",      "Piecewise", "Rational", "Symbol", "floor",  "sign"};
  return std::find(kWords.begin(), kWords.end(), name) != kWords.end();
}

bool exact_in_double(std::int64_t n) {
  return n < (std::int64_t{1} << 53U) && n > -(std::int64_t{1} << 53U);
}

}  // namespace

std::string decimal(double value) {
  std::array<char, 32> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
  return {text.data(), end};
}

std::string Layout::name(std::string_view name) const {
  const auto renamed = options_.rename.find(name);
  if (renamed != options_.rename.end()) return renamed->second;
  if (latex()) return latex_name(name);
  if (format_ == Format::sympy && taken_in_python(name)) return "Symbol('" + std::string(name) + "')";
  return std::string(name);
}

void Layout::add(Expr f) {
  if (f.op() == Op::symbol || f.op() == Op::let)
    has_connectives_ = has_connectives_ || f.name() == "and" || f.name() == "or" || f.name() == "not";
  const auto given = named.find(f.id());
  forms_.insert_or_assign(f.id(), given == named.end() ? value(f) : atom(given->second));
}

Form Layout::value(Expr f) const {
  switch (f.op()) {
    case Op::rational:
    case Op::real:
      return number(quotient_of(f));
    case Op::symbol:
      return symbol(f.name());
    case Op::let:
      return options_.open_lets ? form(f.child(0)) : symbol(f.name());
    case Op::add:
      return sum(f);
    case Op::mul:
      return product(f);
    case Op::pow:
      return f.child(1).op() == Op::rational ? product(f) : general_power(f);
    default:
      return function(f);
  }
}

Form Layout::symbol(std::string_view name) const {
  Form form = atom(this->name(name));
  form.upright = latex() && form.body.front().text.starts_with("\\mathrm");
  return form;
}

Form Layout::real(double magnitude) const {
  if (magnitude == std::numbers::pi) {
    return atom(latex() ? "\\pi" : format_ == Format::c ? "3.141592653589793" : "pi");
  }
  std::string text = decimal(magnitude);
  const std::size_t exponent = text.find('e');
  const bool integer = text.find_first_of(".e") == std::string::npos;
  if (integer && format_ != Format::text && !latex()) text += ".0";
  Form form = atom(text);
  if (latex() && exponent != std::string::npos) {
    const std::string power = text.substr(exponent + (text[exponent + 1] == '+' ? 2 : 1));
    const std::size_t digits = power.find_first_not_of("-0");
    form = atom(text.substr(0, exponent) + " \\times 10^{" + (power.front() == '-' ? "-" : "") + power.substr(digits) +
                "}");
    form.binding = Binding::product;
  }
  form.digit_first = true;
  return form;
}

Form Layout::rational(const Rational& q) const {
  const std::string num = std::to_string(q.num());
  const std::string den = std::to_string(q.den());
  Form form;
  form.digit_first = true;
  if (format_ == Format::c) {
    const bool short_binary = q.den() <= 1024 && (q.den() & (q.den() - 1)) == 0 && exact_in_double(q.num());
    if (short_binary || !exact_in_double(q.num()) || !exact_in_double(q.den())) return real(q.to_double());
    form.text(num + ".0/" + den + ".0");
    form.binding = Binding::product;
  } else if (q.is_integer()) {
    form.text(num);
  } else if (format_ == Format::sympy) {
    form.text("Rational(" + num + ", " + den + ")");
  } else if (latex()) {
    form.text("\\frac{" + num + "}{" + den + "}");
    form.tall = true;
    form.binding = Binding::product;
    form.digit_first = false;
  } else {
    form.text(num + "/" + den);
    form.binding = Binding::product;
  }
  return form;
}

Form Layout::number(const Quotient& q) const {
  Form form = q.real == 1.0 ? rational(q.coefficient) : real(q.real * q.coefficient.to_double());
  form.negative = q.negative;
  return form;
}

void Layout::parenthesised(Form& into, const Form& inner) const {
  const bool growing = latex() && inner.tall;
  into.text(growing ? "\\left(" : "(");
  if (inner.negative) into.text("-");
  into.append(inner);
  into.text(growing ? "\\right)" : ")");
  into.tall = into.tall || inner.tall;
}

/// Appends a child with its sign, in parentheses if it binds less tightly than its place needs.
void Layout::operand(Form& into, Expr child, Binding needed) const {
  const Form& inner = form(child);
  const bool wrap = inner.binding < needed || (inner.negative && needed > Binding::sum);
  if (wrap) {
    Form reference;
    reference.negative = inner.negative;
    reference.tall = inner.tall;
    reference.child(child.id());
    parenthesised(into, reference);
    return;
  }
  if (inner.negative) into.text("-");
  into.child(child.id());
  into.tall = into.tall || inner.tall;
}

Form Layout::sum(Expr f) const {
  Form form;
  form.binding = Binding::sum;
  for (const Expr term : sorted_terms(f)) {
    const Form& inner = this->form(term);
    const bool first = form.body.empty();
    if (first) {
      if (inner.negative) form.text("-");
    } else {
      form.text(inner.negative ? " - " : " + ");
    }
    const bool leading_minus = !inner.body.empty() && inner.body.front().text == "-";
    const bool nested = inner.binding == Binding::sum && (inner.negative || (!first && leading_minus));
    if (nested) {
      Form reference;
      reference.tall = inner.tall;
      reference.child(term.id());
      parenthesised(form, reference);
    } else {
      form.child(term.id());
    }
    form.tall = form.tall || inner.tall;
  }
  return form;
}

/// Returns the factors of f. Factors of nested products are factors of the outer one, except in products with a name of
/// their own and beyond a number of factors that bounds the work.
Quotient Layout::flat_quotient(Expr f) const {
  if (f.op() != Op::mul) return quotient_of(f);
  constexpr std::size_t kMost = 64;
  std::vector<Expr> factors;
  std::vector<Expr> open{f};
  while (!open.empty()) {
    const Expr factor = open.back();
    open.pop_back();
    const bool few = factors.size() + open.size() < kMost;
    const bool nested = factor == f || (few && factor.op() == Op::mul && !named.contains(factor.id()));
    for (std::size_t k = factor.arity(); nested && k-- > 0;) open.push_back(factor.child(k));
    if (!nested) factors.push_back(factor);
  }
  return quotient_of(factors);
}

/// Writes equal factors with whole exponents as one power: x x as x^2. Roots stay, since sqrt(x) sqrt(x) is not x
/// for x < 0.
void collect_powers(std::vector<Factor>& factors) {
  std::vector<Factor> collected;
  for (const Factor& factor : factors) {
    const auto same = std::find_if(collected.begin(), collected.end(), [&](const Factor& earlier) {
      return earlier.base == factor.base && earlier.exponent.is_integer() && factor.exponent.is_integer();
    });
    const auto sum = same == collected.end() ? std::nullopt : add(same->exponent, factor.exponent);
    if (sum) {
      same->exponent = *sum;
    } else {
      collected.push_back(factor);
    }
  }
  factors = std::move(collected);
}

Form Layout::product(Expr f) const {
  Quotient q = flat_quotient(f);
  // A nested product carries its own sign; the outer product takes it.
  for (const auto* list : {&q.numerator, &q.denominator}) {
    for (const Factor& factor : *list) {
      const bool product = factor.exponent == kOne && factor.base.op() == Op::mul;
      if (product && form(factor.base).negative) q.negative = !q.negative;
    }
  }
  for (auto* list : {&q.numerator, &q.denominator}) {
    if (format_ != Format::c) collect_powers(*list);
    sort_factors(*list);
  }
  Form form = latex() ? fraction(q) : inline_quotient(q);
  if (q.negative && form.binding == Binding::sum) {
    Form whole;  // the minus sign applies to the whole sum, wherever it is written
    parenthesised(whole, form);
    form = whole;
  }
  form.negative = q.negative;
  return form;
}

void Layout::multiply_by(Form& into, const Form& factor) const {
  if (into.body.empty()) {
    into = factor;
    return;
  }
  if (!latex()) {
    into.text("*");
  } else if (factor.digit_first) {
    into.text(" \\cdot ");
  } else {
    into.text(into.upright || factor.upright ? " \\, " : " ");
  }
  into.append(factor);
  into.upright = factor.upright;
  into.function = factor.function;
  into.tall = into.tall || factor.tall;
  into.binding = Binding::product;
}

/// Returns the product of the factors alone, functions last: x \cos \theta, since \cos \theta x reads as the cosine of
/// a product. A single factor keeps its binding.
Form Layout::factors(const std::vector<Factor>& factors) const {
  std::vector<Form> parts;
  for (const Factor& factor : factors) {
    Form part = power(factor);
    const bool open = part.binding == Binding::sum || (part.function && factor.base.op() == Op::mul);
    if (factors.size() > 1 && open) {
      Form inner;
      parenthesised(inner, part);
      part = inner;
    }
    parts.push_back(std::move(part));
  }
  std::stable_partition(parts.begin(), parts.end(), [](const Form& part) { return !part.function; });
  Form form;
  for (const Form& part : parts) multiply_by(form, part);
  return form;
}

/// Returns \frac{numerator}{denominator}, or a plain product with its coefficient in front if it has no denominator.
Form Layout::fraction(const Quotient& q) const {
  Form numerator = factors(q.numerator);
  Form denominator = factors(q.denominator);
  const bool lone_sum = q.numerator.size() == 1 && numerator.binding == Binding::sum;
  const bool under_sum = lone_sum && q.coefficient.num() == 1 && q.real == 1.0;
  const bool bar = !q.denominator.empty() || (under_sum && !q.coefficient.is_integer());
  const Rational above = bar ? Rational(q.coefficient.num()) : q.coefficient;
  const auto wrapped = [&](Form part) {
    if (part.binding != Binding::sum) return part;
    Form inner;
    parenthesised(inner, part);
    return inner;
  };
  const auto scaled = [&](const Form& coefficient, const Form& part) {
    Form product = coefficient;
    if (!part.body.empty()) multiply_by(product, wrapped(part));
    return product;
  };
  if (above != kOne) numerator = scaled(rational(above), numerator);
  if (q.real != 1.0) numerator = scaled(real(q.real), numerator);
  if (numerator.body.empty()) numerator = rational(kOne);
  if (!bar) return numerator;
  if (q.coefficient.den() != 1) denominator = scaled(rational(Rational(q.coefficient.den())), denominator);
  Form form;
  form.text("\\frac{");
  form.append(numerator);
  form.text("}{");
  form.append(denominator);
  form.text("}");
  form.binding = Binding::product;
  form.tall = true;
  return form;
}

/// Returns a*b/(c*d). In C a rational coefficient is one constant in front; elsewhere its denominator joins the
/// denominator.
Form Layout::inline_quotient(const Quotient& q) const {
  const bool whole = format_ == Format::c;
  const Rational above = whole ? q.coefficient : Rational(q.coefficient.num());
  Form form;
  if (above != kOne) multiply_by(form, rational(above));
  if (q.real != 1.0) multiply_by(form, real(q.real));
  for (const Factor& factor : q.numerator) {
    const Form part = power(factor);
    const bool only =
        form.body.empty() && q.numerator.size() == 1 && q.denominator.empty() && (whole || q.coefficient.den() == 1);
    const bool wrap = part.binding == Binding::sum && !only;
    Form inner;
    if (wrap) parenthesised(inner, part);
    multiply_by(form, wrap ? inner : part);
  }
  if (form.body.empty()) form = rational(kOne);
  Form below;
  const bool denominator = !whole && q.coefficient.den() != 1;
  if (denominator) multiply_by(below, rational(Rational(q.coefficient.den())));
  const std::size_t count = q.denominator.size() + (denominator ? 1 : 0);
  if (count == 0) return form;
  for (const Factor& factor : q.denominator) {
    const Form part = power(factor);
    Form inner;
    const bool wrap = count > 1 && part.binding == Binding::sum;
    if (wrap) parenthesised(inner, part);
    multiply_by(below, wrap ? inner : part);
  }
  form.text("/");
  if (below.binding < Binding::power) {
    parenthesised(form, below);
  } else {
    form.append(below);
  }
  form.binding = Binding::product;
  return form;
}

/// Returns base^exponent. The sign of a nested product is left to the product around it.
Form Layout::power(const Factor& factor) const {
  if (factor.exponent == half()) return square_root(factor.base);
  if (factor.exponent != kOne) return raised(factor.base, factor.exponent);
  const Form& inner = form(factor.base);
  Form reference = inner;
  reference.body.clear();
  reference.negative = false;
  reference.child(factor.base.id());
  if (!inner.negative || factor.base.op() == Op::mul) return reference;
  Form wrapped;
  operand(wrapped, factor.base, Binding::atom);
  return wrapped;
}

}  // namespace herglotz::symbolic
