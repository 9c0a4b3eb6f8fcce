#include "simplify/factors.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <string>
#include <tuple>

#include "herglotz/symbolic/graph.hpp"
#include "simplify/polynomial.hpp"

namespace herglotz::symbolic {

namespace {

bool negatable(const Rational& q) {
  return multiply(q, Rational(-1)).has_value();
}

void add_factor(Quotient& q, Expr f) {
  if (f.op() == Op::rational) {
    const Rational value = f.rational();
    const auto scaled = negatable(value) ? multiply(q.coefficient, value) : std::nullopt;
    if (!scaled) {
      q.real *= std::abs(f.value());
      q.negative = q.negative != (f.value() < 0);
    } else {
      const bool minus = compare(*scaled, Rational(0)) < 0;
      q.coefficient = minus ? negated(*scaled) : *scaled;
      q.negative = q.negative != minus;
    }
  } else if (f.op() == Op::real) {
    q.real *= std::abs(f.value());
    q.negative = q.negative != std::signbit(f.value());
  } else if (f.op() == Op::pow && f.child(1).op() == Op::rational && negatable(f.child(1).rational())) {
    const Rational exponent = f.child(1).rational();
    if (compare(exponent, Rational(0)) < 0) {
      q.denominator.push_back({f.child(0), negated(exponent)});
    } else {
      q.numerator.push_back({f.child(0), exponent});
    }
  } else {
    q.numerator.push_back({f, Rational(1)});
  }
}

std::string lower(std::string_view name) {
  std::string text(name);
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

bool is_number_name(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c == '_' || (c >= '0' && c <= '9'); });
}

/// Returns true for v, v1, vx, vtheta, u2, w3, xdot.
bool is_velocity(std::string_view name) {
  constexpr std::array<std::string_view, 9> kDirections{"x", "y", "z", "r", "th", "ph", "theta", "phi", "psi"};
  const std::string_view rest = name.substr(1);
  const bool numbered = std::string_view("uvw").find(name.front()) != std::string_view::npos && is_number_name(rest);
  const bool directed =
      name.front() == 'v' && std::find(kDirections.begin(), kDirections.end(), rest) != kDirections.end();
  return numbered || directed || name.find("dot") != std::string_view::npos;
}

/// Returns true for rates, momenta of sections and the energy, in the names of the printed equations: d(v)/dt, J(turn).
/// dot(x) is a velocity, so the result is false.
bool is_derived(std::string_view name) {
  return name == "energy" || (name.find('(') != std::string_view::npos && !name.starts_with("dot("));
}

/// Ranks symbols: coefficients and masses come first, velocities last: gamma*m*l, m*g*l, m*l*thetadot^2.
int symbol_rank(std::string_view name) {
  constexpr std::array<std::string_view, 11> kCoefficients{"alpha",  "beta", "gamma", "delta", "epsilon", "kappa",
                                                           "lambda", "mu",   "nu",    "rho",   "sigma"};
  if (std::find(kCoefficients.begin(), kCoefficients.end(), name) != kCoefficients.end()) return -1;
  if (is_number_name(name.substr(1)) && std::string_view("mMIJ").find(name.front()) != std::string_view::npos) return 0;
  return is_velocity(name) ? 2 : 1;
}

int function_rank(Op op) {
  switch (op) {
    case Op::exp:
      return 0;
    case Op::sin:
      return 1;
    case Op::cos:
      return 2;
    default:
      return 3 + static_cast<int>(op);
  }
}

/// Returns true for m1 + m2, which takes the place of a mass, or I1 - I2, which takes the place of a moment of inertia.
bool is_total_mass(Expr sum) {
  constexpr std::size_t kFew = 4;
  if (sum.arity() > kFew) return false;
  for (std::size_t i = 0; i < sum.arity(); ++i) {
    const Expr operand = sum.child(i);
    const bool minus = operand.op() == Op::mul && operand.arity() == 2 && operand.child(0).is_integer(-1);
    const Expr term = minus ? operand.child(1) : operand;
    if (term.op() != Op::symbol || term.name().empty() || symbol_rank(term.name()) != 0) return false;
  }
  return true;
}

std::tuple<int, int> rank(Expr base) {
  switch (base.op()) {
    case Op::rational:
    case Op::real:
      return {0, 0};
    case Op::symbol:
    case Op::let:
      if (base.name().empty()) return {1, 1};
      if (base.name().starts_with("p_")) return {4, 0};
      return is_derived(base.name()) ? std::tuple{4, 1} : std::tuple{1, symbol_rank(base.name())};
    case Op::add:
      return is_total_mass(base) ? std::tuple{1, 0} : std::tuple{2, static_cast<int>(base.op())};
    case Op::mul:
    case Op::pow:
      return {2, static_cast<int>(base.op())};
    default:
      return {3, function_rank(base.op())};
  }
}

/// Compares names, m2 before m10.
int order_of_names(const std::string& a, const std::string& b) {
  const std::size_t stem = a.find_last_not_of("0123456789") + 1;
  const bool numbered = stem == b.find_last_not_of("0123456789") + 1 && a.compare(0, stem, b, 0, stem) == 0;
  if (numbered && a.size() != b.size()) return a.size() < b.size() ? -1 : 1;
  return a.compare(b);
}

bool is_named(Expr f) {
  return f.op() == Op::symbol || f.op() == Op::let;
}

/// Compares factors. Functions of one kind are in the order of their arguments, compared a few levels deep.
int order(Expr a, Expr b, int levels = 3) {
  if (a == b) return 0;
  const auto ranks = rank(a) <=> rank(b);
  if (ranks != 0) return ranks < 0 ? -1 : 1;
  if (is_named(a) && is_named(b)) {
    const int names = order_of_names(lower(a.name()), lower(b.name()));
    if (names != 0) return names;
  }
  const bool functions = levels > 0 && a.op() == b.op() && a.arity() == 1 && b.arity() == 1;
  if (functions) {
    const int arguments = order(a.child(0), b.child(0), levels - 1);
    if (arguments != 0) return arguments;
  }
  return compare(a, b);
}

/// The number of levels that enter the degree of a term.
constexpr int kLevels = 6;

/// Returns the degree in the symbols of a node whose parts have few levels; functions count 0. The depth is limited,
/// since the degree serves as an order, not for algebra.
double degree(Expr f, int levels) {
  if (levels == 0) return 0.0;
  switch (f.op()) {
    case Op::symbol:
    case Op::let:
      return 1.0;
    case Op::pow:
      return f.child(1).is_number() ? f.child(1).value() * degree(f.child(0), levels - 1) : 0.0;
    case Op::mul: {
      double total = 0.0;
      for (std::size_t i = 0; i < f.arity(); ++i) total += degree(f.child(i), levels - 1);
      return total;
    }
    case Op::add: {
      double largest = 0.0;
      for (std::size_t i = 0; i < std::min<std::size_t>(f.arity(), 8); ++i) {
        largest = std::max(largest, degree(f.child(i), levels - 1));
      }
      return largest;
    }
    default:
      return 0.0;
  }
}

/// Returns the text in parentheses: d(v2)/dt -> v2.
std::string argument_of(std::string_view name) {
  const std::size_t open = name.find('(');
  const std::size_t close = name.rfind(')');
  const bool bracketed = open != std::string_view::npos && close != std::string_view::npos && open < close;
  return std::string(bracketed ? name.substr(open + 1, close - open - 1) : name);
}

struct Term {
  Expr value;
  bool negative = false;
  bool definition = false;   ///< a let, with at most a number as factor: it comes first
  std::string_view derived;  ///< the rate, momentum or energy in the term: terms that have one are sorted by it
  double degree = 0.0;
  std::vector<Factor> factors;
};

bool before(const Term& a, const Term& b) {
  if (a.definition != b.definition) return a.definition;
  if (a.derived != b.derived && !a.derived.empty() && !b.derived.empty())
    return order_of_names(argument_of(a.derived), argument_of(b.derived)) < 0;
  if (a.degree != b.degree) return a.degree > b.degree;
  const std::size_t n = std::min(a.factors.size(), b.factors.size());
  for (std::size_t i = 0; i < n; ++i) {
    const int bases = order(a.factors[i].base, b.factors[i].base);
    if (bases != 0) return bases < 0;
    const int exponents = compare(a.factors[i].exponent, b.factors[i].exponent);
    if (exponents != 0) return exponents > 0;
  }
  if (a.factors.size() != b.factors.size()) return a.factors.size() < b.factors.size();
  return compare(a.value, b.value) < 0;
}

}  // namespace

Quotient quotient_of(Expr f) {
  Quotient q;
  if (f.op() == Op::mul) {
    for (std::size_t i = 0; i < f.arity(); ++i) add_factor(q, f.child(i));
  } else {
    add_factor(q, f);
  }
  return q;
}

Quotient quotient_of(std::span<const Expr> factors) {
  Quotient q;
  for (const Expr factor : factors) add_factor(q, factor);
  return q;
}

void sort_factors(std::vector<Factor>& factors) {
  std::stable_sort(factors.begin(), factors.end(),
                   [](const Factor& a, const Factor& b) { return order(a.base, b.base) < 0; });
}

bool is_homogeneous(Expr sum) {
  const double first = degree(sum.child(0), kLevels);
  for (std::size_t i = 1; i < sum.arity(); ++i) {
    if (degree(sum.child(i), kLevels) != first) return false;
  }
  return true;
}

std::vector<Expr> sorted_terms(Expr sum) {
  std::vector<Term> terms;
  terms.reserve(sum.arity());
  for (std::size_t i = 0; i < sum.arity(); ++i) {
    const Expr value = sum.child(i);
    Quotient q = quotient_of(value);
    sort_factors(q.numerator);
    const bool definition = q.denominator.empty() && q.numerator.size() == 1 &&
                            q.numerator[0].exponent == Rational(1) && q.numerator[0].base.op() == Op::let;
    std::string_view derived;
    if (!q.numerator.empty() && is_named(q.numerator.back().base)) derived = q.numerator.back().base.name();
    if (!is_derived(derived)) derived = {};
    terms.push_back({value, q.negative, definition, derived, degree(value, kLevels), std::move(q.numerator)});
  }
  std::stable_sort(terms.begin(), terms.end(), before);
  const auto positive = std::find_if(terms.begin(), terms.end(), [](const Term& t) { return !t.negative; });
  if (positive != terms.end()) std::rotate(terms.begin(), positive, positive + 1);
  std::vector<Expr> sorted;
  sorted.reserve(terms.size());
  for (const Term& term : terms) sorted.push_back(term.value);
  return sorted;
}

}  // namespace herglotz::symbolic
