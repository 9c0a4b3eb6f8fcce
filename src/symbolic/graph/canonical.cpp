#include "graph/canonical.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory_resource>
#include <optional>

namespace herglotz::symbolic {

namespace {

/// The largest number of operands of a sum or product that is merged into the sum or product around it.
constexpr std::size_t kLargestOpened = 8;

/// Scratch memory on the stack for the common short operand lists.
class Scratch {
 public:
  std::pmr::memory_resource* get() { return &pool_; }

 private:
  std::array<std::byte, 2048> buffer_;
  std::pmr::monotonic_buffer_resource pool_{buffer_.data(), buffer_.size()};
};

/// coefficient * product(tail); key is the hash of product(tail).
struct Term {
  std::uint64_t key = 0;
  std::span<const NodeId> tail;
  NodeId whole = 0;
  bool merged = false;
  Number coefficient{Rational(1)};
};

struct Power {
  NodeId base = 0;
  NodeId whole = 0;
  bool merged = false;
  Rational exponent{1};
};

std::uint64_t product_hash(const NodeStore& store, std::span<const NodeId> factors) {
  if (factors.size() == 1) return store.hash(factors.front());
  auto hash = static_cast<std::uint64_t>(Op::mul);
  for (const NodeId factor : factors) hash = mix(hash, store.hash(factor));
  return hash;
}

bool before(const NodeStore& store, const Term& a, const Term& b) {
  if (a.key != b.key) return a.key < b.key;
  const std::size_t common = std::min(a.tail.size(), b.tail.size());
  for (std::size_t i = 0; i < common; ++i) {
    if (a.tail[i] != b.tail[i]) return store.compare(a.tail[i], b.tail[i]) < 0;
  }
  return a.tail.size() < b.tail.size();
}

}  // namespace

NodeId Canonical::number(const Number& n) {
  return n.exact ? store_.rational(n.q) : store_.real(n.r);
}

Number Canonical::number_of(NodeId id) const {
  if (store_.op(id) == Op::rational) return store_.rational_value(id);
  Number n;
  n.exact = false;
  n.r = store_.value(id);
  return n;
}

bool Canonical::is_integer(NodeId id, std::int64_t n) const {
  return store_.op(id) == Op::rational && store_.rational_value(id) == Rational(n);
}

bool Canonical::small_unshared(NodeId id) const {
  return store_.children(id).size() <= kLargestOpened && !store_.used(id);
}

bool Canonical::has_coefficient(NodeId product) const {
  return store_.op(product) == Op::mul && store_.is_number(store_.child(product, 0));
}

NodeId Canonical::scaled(const Number& coefficient, std::span<const NodeId> tail) {
  const NodeId product = tail.size() == 1 ? tail.front() : store_.compound(Op::mul, tail);
  if (coefficient.is(1)) return product;
  return mul(std::array{number(coefficient), product});
}

NodeId Canonical::without_coefficient(NodeId product) {
  const auto tail = store_.children(product).subspan(1);
  return tail.size() == 1 ? tail.front() : store_.compound(Op::mul, tail);
}

NodeId Canonical::add(std::span<const NodeId> given) {
  Scratch scratch;
  std::pmr::vector<NodeId> ids(scratch.get());
  ids.reserve(given.size() + kLargestOpened);
  Number constant;
  const auto take = [&](NodeId id) {
    if (store_.is_number(id)) {
      constant = constant + number_of(id);
    } else {
      ids.push_back(id);
    }
  };
  for (const NodeId id : given) {
    if (store_.op(id) == Op::add && small_unshared(id)) {
      for (const NodeId child : store_.children(id)) take(child);
    } else {
      take(id);
    }
  }

  std::pmr::vector<Term> terms(scratch.get());
  terms.reserve(ids.size());
  Number once;  // the coefficient of one operand of the last term
  for (const NodeId& id : ids) {
    // A derivative of a sum of hundreds of terms may be one term hundreds of times. Exact coefficients have the same
    // sum in any order.
    if (!terms.empty() && terms.back().whole == id && once.exact) {
      terms.back().coefficient = terms.back().coefficient + once;
      terms.back().merged = true;
      continue;
    }
    Term term;
    term.whole = id;
    term.tail = {&id, 1};
    if (store_.op(id) == Op::mul) {
      term.tail = store_.children(id);
      if (has_coefficient(id)) {
        term.coefficient = number_of(term.tail.front());
        term.tail = term.tail.subspan(1);
        const bool nested = term.tail.size() == 1 && store_.op(term.tail.front()) == Op::mul;
        if (nested) term.tail = store_.children(term.tail.front());
      }
    }
    once = term.coefficient;
    term.key = product_hash(store_, term.tail);
    terms.push_back(term);
  }
  std::sort(terms.begin(), terms.end(), [&](const Term& a, const Term& b) { return before(store_, a, b); });

  std::size_t kept = 0;
  for (std::size_t i = 0; i < terms.size(); ++i) {
    const bool like =
        kept > 0 && terms[kept - 1].key == terms[i].key && std::ranges::equal(terms[kept - 1].tail, terms[i].tail);
    if (like) {
      Term& term = terms[kept - 1];
      term.coefficient = term.coefficient + terms[i].coefficient;
      term.merged = true;
    } else {
      terms[kept++] = terms[i];
    }
  }

  std::pmr::vector<NodeId> operands(scratch.get());
  operands.reserve(kept + 1);
  if (!constant.is_zero()) operands.push_back(number(constant));
  for (std::size_t i = 0; i < kept; ++i) {
    const Term& term = terms[i];
    if (!term.merged) {
      operands.push_back(term.whole);
    } else if (!term.coefficient.is_zero()) {
      operands.push_back(scaled(term.coefficient, term.tail));
    }
  }
  if (operands.empty()) return number(Rational(0));
  return operands.size() == 1 ? operands.front() : store_.compound(Op::add, operands);
}

void Canonical::open_factor(NodeId factor, bool alone, std::vector<NodeId>& into) const {
  // A coefficient may always leave a two-operand product, or any product that is multiplied by numbers only.
  const bool coefficient = has_coefficient(factor) && (alone || store_.children(factor).size() == 2);
  if (store_.op(factor) == Op::mul && (coefficient || small_unshared(factor))) {
    const auto children = store_.children(factor);
    into.insert(into.end(), children.begin(), children.end());
  } else {
    into.push_back(factor);
  }
}

NodeId Canonical::mul(std::span<const NodeId> given) {
  const auto others = std::ranges::count_if(given, [&](NodeId id) { return !store_.is_number(id); });
  std::vector<NodeId> ids;
  ids.reserve(given.size() + kLargestOpened);
  for (const NodeId id : given) open_factor(id, others == 1, ids);

  Scratch scratch;
  std::pmr::vector<Power> powers(scratch.get());
  powers.reserve(ids.size());
  Number coefficient{Rational(1)};
  for (const NodeId id : ids) {
    if (store_.is_number(id)) {
      coefficient = coefficient * number_of(id);
    } else if (store_.op(id) == Op::pow && store_.op(store_.child(id, 1)) == Op::rational) {
      powers.push_back({store_.child(id, 0), id, false, store_.rational_value(store_.child(id, 1))});
    } else {
      powers.push_back({id, id, false, Rational(1)});
    }
  }
  if (coefficient.is_zero()) return number(Rational(0));

  std::sort(powers.begin(), powers.end(), [&](const Power& a, const Power& b) {
    if (a.base != b.base) {
      const auto x = store_.hash(a.base);
      const auto y = store_.hash(b.base);
      return x != y ? x < y : store_.compare(a.base, b.base) < 0;
    }
    return compare(a.exponent, b.exponent) < 0;
  });
  std::size_t kept = 0;
  for (std::size_t i = 0; i < powers.size(); ++i) {
    std::optional<Rational> exponent;
    if (kept > 0 && powers[kept - 1].base == powers[i].base) {
      exponent = symbolic::add(powers[kept - 1].exponent, powers[i].exponent);
    }
    if (exponent) {
      powers[kept - 1].exponent = *exponent;
      powers[kept - 1].merged = true;
    } else {
      powers[kept++] = powers[i];
    }
  }

  std::pmr::vector<NodeId> operands(scratch.get());
  operands.reserve(kept + 1);
  if (!coefficient.is(1)) operands.push_back(number(coefficient));
  bool again = false;
  for (std::size_t i = 0; i < kept; ++i) {
    if (!powers[i].merged) {
      operands.push_back(powers[i].whole);
      continue;
    }
    const NodeId power = pow(powers[i].base, powers[i].exponent);
    if (is_integer(power, 1)) continue;
    again = again || store_.is_number(power) || (store_.op(power) == Op::mul && small_unshared(power));
    operands.push_back(power);
  }
  if (operands.empty()) return number(Rational(1));
  if (operands.size() == 1) return operands.front();
  return again ? mul(operands) : store_.compound(Op::mul, operands);
}

NodeId Canonical::pow(NodeId base, const Rational& exponent) {
  return pow(base, store_.rational(exponent));
}

}  // namespace herglotz::symbolic
