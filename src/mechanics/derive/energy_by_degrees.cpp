#include <algorithm>
#include <optional>
#include <unordered_map>

#include "herglotz/symbolic/derivative.hpp"
#include "herglotz/symbolic/graph.hpp"
#include "shorten/readable.hpp"

namespace herglotz::mechanics {
namespace {

using symbolic::Op;
using symbolic::Rational;

/// The degree of every node in the fibre coordinates, if it has one.
class Degrees {
 public:
  explicit Degrees(const std::vector<Expr>& y) : y_(y) {}

  std::optional<Rational> of(Expr f) {
    const auto known = degrees_.find(f.id());
    if (known != degrees_.end()) return known->second;
    return degrees_.emplace(f.id(), find(f)).first->second;
  }

 private:
  std::optional<Rational> find(Expr f) {
    switch (f.op()) {
      case Op::rational:
      case Op::real:
        return Rational(0);
      case Op::symbol:
        return Rational(std::find(y_.begin(), y_.end(), f) == y_.end() ? 0 : 1);
      case Op::let:
        return of(f.child(0));
      case Op::add:
        return common(f);
      case Op::mul: {
        std::optional<Rational> total = Rational(0);
        for (std::size_t i = 0; total && i < f.arity(); ++i) {
          const auto part = of(f.child(i));
          total = part ? symbolic::add(*total, *part) : std::nullopt;
        }
        return total;
      }
      case Op::pow: {
        const auto base = of(f.child(0));
        const bool plain = base && f.child(1).op() == Op::rational;
        return plain ? symbolic::multiply(*base, f.child(1).rational()) : free(f);
      }
      default:
        return free(f);
    }
  }

  /// Returns the degree that all operands share, or `std::nullopt` if their degrees differ.
  std::optional<Rational> common(Expr f) {
    const auto first = of(f.child(0));
    for (std::size_t i = 1; i < f.arity(); ++i)
      if (of(f.child(i)) != first) return std::nullopt;
    return first;
  }

  /// Returns 0 if f does not depend on y, else `std::nullopt`.
  std::optional<Rational> free(Expr f) const {
    for (const Expr y : y_)
      if (symbolic::depends_on(f, y)) return std::nullopt;
    return Rational(0);
  }

  const std::vector<Expr>& y_;
  std::unordered_map<symbolic::NodeId, std::optional<Rational>> degrees_;
};

class EnergyTerms {
 public:
  explicit EnergyTerms(const System& system) : y_(system.algebroid.y), degrees_(y_) {}

  void add(Expr L) {
    if (const auto degree = degrees_.of(L)) {
      terms.push_back(L.graph().number(*symbolic::add(*degree, Rational(-1))) * L);
    } else if (L.op() == Op::add) {
      for (std::size_t i = 0; i < L.arity(); ++i) add(L.child(i));
    } else if (L.op() == Op::let) {
      add(L.child(0));
    } else {
      const auto p = symbolic::gradient(L, y_);
      for (std::size_t a = 0; a < p.size(); ++a) terms.push_back(p[a] * y_[a]);
      terms.push_back(-L);
    }
  }

  std::vector<Expr> terms;

 private:
  const std::vector<Expr>& y_;
  Degrees degrees_;
};

}  // namespace

Expr energy_by_degrees(const System& system) {
  EnergyTerms energy(system);
  energy.add(system.generator);
  return system.graph().add(energy.terms);
}

}  // namespace herglotz::mechanics
