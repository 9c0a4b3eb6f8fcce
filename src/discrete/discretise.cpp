#include <string>

#include "herglotz/discrete/discrete_lagrangian.hpp"
#include "herglotz/error.hpp"

namespace herglotz::discrete {
namespace {

std::string name_of(PositionRule position, ActionRule action) {
  const std::string place = position == PositionRule::left       ? "left"
                            : position == PositionRule::midpoint ? "midpoint"
                                                                 : "trapezoid";
  return place + ", " + (action == ActionRule::left ? "left" : "implicit") + " action";
}

void require_free_lagrangian(const mechanics::System& system) {
  if (system.formulation == mechanics::Formulation::hamiltonian)
    throw Refused("rules discretise a Lagrangian", "this model gives a Hamiltonian");
  if (!system.constraints.equations.empty()) throw Refused("constraints have no place in a discrete Lagrangian");
}

/// L and the forces at points of one step.
class Sampled {
 public:
  Sampled(const mechanics::System& system, const DiscreteLagrangian& step)
      : values_{symbolic::expand_lets(system.generator)}, step_(step) {
    for (const Expr& force : system.forces) values_.push_back(symbolic::expand_lets(force));
    from_ = system.algebroid.x;
    from_.insert(from_.end(), system.algebroid.y.begin(), system.algebroid.y.end());
    from_.insert(from_.end(), {system.z, system.t});
  }

  /// Returns (L, F (n)) at (x, (q1 - q0)/h, z, t).
  std::vector<Expr> operator()(const std::vector<Expr>& x, Expr z, Expr t) const {
    std::vector<Expr> to = x;
    for (std::size_t i = 0; i < x.size(); ++i) to.push_back((step_.q1[i] - step_.q0[i]) / step_.h);
    to.insert(to.end(), {z, t});
    return symbolic::substitute(values_, from_, to);
  }

 private:
  std::vector<Expr> values_;
  const DiscreteLagrangian& step_;
  std::vector<Expr> from_;
};

}  // namespace

DiscreteLagrangian discretise(const mechanics::System& system, PositionRule position, ActionRule action) {
  require_free_lagrangian(system);
  DiscreteLagrangian step = discrete_symbols(system);
  step.rule = name_of(position, action);
  const Sampled at(system, step);
  const bool implicit = action == ActionRule::implicit;
  const Expr mean = implicit ? (step.z0 + step.z1) / 2.0 : step.z0;
  const std::size_t n = step.q0.size();
  // Adds a point of the step with its weight; at this point dx = (1 - share) dq0 + share dq1.
  const auto add = [&](const std::vector<Expr>& point, Expr weight, double share) {
    step.ell += weight * point[0];
    for (std::size_t i = 0; i < n; ++i) {
      step.minus[i] += (1 - share) * weight * point[1 + i];
      step.plus[i] += share * weight * point[1 + i];
    }
  };
  switch (position) {
    case PositionRule::left:
      add(at(step.q0, mean, step.t0), step.h, 0);
      break;
    case PositionRule::midpoint: {
      std::vector<Expr> middle;
      for (std::size_t i = 0; i < n; ++i) middle.push_back((step.q0[i] + step.q1[i]) / 2.0);
      add(at(middle, mean, step.t0 + step.h / 2.0), step.h, 0.5);
      break;
    }
    case PositionRule::trapezoid:
      add(at(step.q0, step.z0, step.t0), step.h / 2.0, 0);
      add(at(step.q1, implicit ? step.z1 : step.z0, step.t0 + step.h), step.h / 2.0, 1);
      break;
  }
  return step;
}

}  // namespace herglotz::discrete
