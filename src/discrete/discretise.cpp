#include <stdexcept>
#include <string>

#include "herglotz/discrete/discrete_lagrangian.hpp"

namespace herglotz::discrete {
namespace {

std::string name_of(PositionRule position, ActionRule action) {
  const std::string place = position == PositionRule::left       ? "left"
                            : position == PositionRule::midpoint ? "midpoint"
                                                                 : "trapezoid";
  return place + ", " + (action == ActionRule::left ? "left" : "implicit") + " action";
}

void require_bare_lagrangian(const mechanics::System& system) {
  if (system.formulation == mechanics::Formulation::hamiltonian)
    throw std::invalid_argument("rules discretise a Lagrangian; this model gives a Hamiltonian");
  if (!system.constraints.equations.empty())
    throw std::invalid_argument("constraints have no place in a discrete Lagrangian");
  for (std::size_t a = 0; a < system.forces.size(); ++a) {
    if (!system.forces[a].is_zero())
      throw std::invalid_argument("the force on " + std::string(system.algebroid.y[a].name()) +
                                  " has no place in a discrete Lagrangian");
  }
}

/// L at points of one step.
class Sampled {
 public:
  Sampled(const mechanics::System& system, const DiscreteLagrangian& step)
      : lagrangian_(symbolic::expand_lets(system.generator)), step_(step) {
    from_ = system.algebroid.x;
    from_.insert(from_.end(), system.algebroid.y.begin(), system.algebroid.y.end());
    from_.insert(from_.end(), {system.z, system.t});
  }

  Expr operator()(const std::vector<Expr>& x, Expr z, Expr t) const {
    std::vector<Expr> to = x;
    for (std::size_t i = 0; i < x.size(); ++i) to.push_back((step_.q1[i] - step_.q0[i]) / step_.h);
    to.insert(to.end(), {z, t});
    return symbolic::substitute(lagrangian_, from_, to);
  }

 private:
  Expr lagrangian_;
  const DiscreteLagrangian& step_;
  std::vector<Expr> from_;
};

}  // namespace

DiscreteLagrangian discretise(const mechanics::System& system, PositionRule position, ActionRule action) {
  require_bare_lagrangian(system);
  DiscreteLagrangian step = discrete_symbols(system);
  step.rule = name_of(position, action);
  const Sampled L(system, step);
  const bool implicit = action == ActionRule::implicit;
  const Expr mean = implicit ? (step.z0 + step.z1) / 2.0 : step.z0;
  switch (position) {
    case PositionRule::left:
      step.ell = step.h * L(step.q0, mean, step.t0);
      break;
    case PositionRule::midpoint: {
      std::vector<Expr> middle;
      for (std::size_t i = 0; i < step.q0.size(); ++i) middle.push_back((step.q0[i] + step.q1[i]) / 2.0);
      step.ell = step.h * L(middle, mean, step.t0 + step.h / 2.0);
      break;
    }
    case PositionRule::trapezoid:
      step.ell =
          step.h / 2.0 * (L(step.q0, step.z0, step.t0) + L(step.q1, implicit ? step.z1 : step.z0, step.t0 + step.h));
      break;
  }
  return step;
}

}  // namespace herglotz::discrete
