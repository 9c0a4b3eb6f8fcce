#include <algorithm>
#include <optional>
#include <string>

#include "herglotz/discrete/action_groupoid.hpp"
#include "herglotz/discrete/discrete_lagrangian.hpp"
#include "herglotz/discrete/groupoid_lagrangian.hpp"
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

/// L and the forces at points of one step, in the frame in which its velocity is (q1 - q0)/h or eta/h.
class Sampled {
 public:
  Sampled(const mechanics::System& system, const DiscreteLagrangian& step) {
    std::optional<ActionGroupoid> groupoid;
    if (on_groupoid(step)) groupoid = on_action_groupoid(system);
    const mechanics::System& framed = groupoid ? groupoid->system : system;
    values_ = {symbolic::expand_lets(framed.generator)};
    for (const Expr& force : framed.forces) values_.push_back(symbolic::expand_lets(force));
    from_ = framed.algebroid.x;
    from_.insert(from_.end(), framed.algebroid.y.begin(), framed.algebroid.y.end());
    from_.insert(from_.end(), {framed.z, framed.t});
    const std::vector<Expr> arrow = arrow_of(step);
    for (std::size_t a = 0; a < framed.r(); ++a)
      velocity_.push_back((groupoid ? arrow[a] : step.q1[a] - step.q0[a]) / step.h);
  }

  /// Returns (L, F (r)) at (x, the velocity of the step, z, t).
  std::vector<Expr> operator()(const std::vector<Expr>& x, Expr z, Expr t) const {
    std::vector<Expr> to = x;
    to.insert(to.end(), velocity_.begin(), velocity_.end());
    to.insert(to.end(), {z, t});
    return symbolic::substitute(values_, from_, to);
  }

 private:
  std::vector<Expr> values_;
  std::vector<Expr> from_;
  std::vector<Expr> velocity_;
};

/// Throws Refused if the middle of a step is not (x0 + x1)/2.
void require_middle(const mechanics::System& system, const DiscreteLagrangian& step) {
  if (!on_groupoid(step)) return;
  const auto& generators = system.algebroid.integration->rho.entries;
  const bool constant = std::all_of(generators.begin(), generators.end(), [&](const Expr& entry) {
    return std::none_of(system.algebroid.x.begin(), system.algebroid.x.end(),
                        [&](const Expr& x) { return symbolic::depends_on(entry, x); });
  });
  if (!constant)
    throw Refused("the middle of a step is not a formula where the group turns the base",
                  "choose rule = \"trapezoid\", of the same order");
}

}  // namespace

DiscreteLagrangian discretise(const mechanics::System& system, PositionRule position, ActionRule action) {
  require_free_lagrangian(system);
  DiscreteLagrangian step = discrete_symbols(system);
  step.rule = name_of(position, action);
  const Sampled at(system, step);
  const bool implicit = action == ActionRule::implicit;
  const Expr mean = implicit ? (step.z0 + step.z1) / 2.0 : step.z0;
  const std::size_t r = step.minus.size();
  // Adds a point of the step with its weight; at this point dx = (1 - share) dq0 + share dq1.
  const auto add = [&](const std::vector<Expr>& point, Expr weight, double share) {
    step.ell += weight * point[0];
    for (std::size_t i = 0; i < r; ++i) {
      step.minus[i] += (1 - share) * weight * point[1 + i];
      step.plus[i] += share * weight * point[1 + i];
    }
  };
  switch (position) {
    case PositionRule::left:
      add(at(step.q0, mean, step.t0), step.h, 0);
      break;
    case PositionRule::midpoint: {
      require_middle(system, step);
      std::vector<Expr> middle;
      for (std::size_t i = 0; i < step.q0.size(); ++i) middle.push_back((step.q0[i] + step.q1[i]) / 2.0);
      add(at(middle, mean, step.t0 + step.h / 2.0), step.h, 0.5);
      break;
    }
    case PositionRule::trapezoid:
      add(at(step.q0, step.z0, step.t0), step.h / 2.0, 0);
      add(at(target_of(step), implicit ? step.z1 : step.z0, step.t0 + step.h), step.h / 2.0, 1);
      break;
  }
  return step;
}

}  // namespace herglotz::discrete
