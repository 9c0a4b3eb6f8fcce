#include "herglotz/discrete/discrete_motion.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "herglotz/discrete/exact.hpp"
#include "herglotz/discrete/groupoid_lagrangian.hpp"
#include "herglotz/discrete/herglotz_equations.hpp"
#include "herglotz/discrete/sequences.hpp"
#include "herglotz/error.hpp"
#include "herglotz/linear/partial_lu.hpp"
#include "herglotz/symbolic/evaluate.hpp"

namespace herglotz::discrete {
namespace {

using Numbers = std::vector<double>;

constexpr int most_iterations = 50;

/// Steps of one discrete Lagrangian with the derivatives that Newton's method needs.
class Stepping {
 public:
  Stepping(const mechanics::System& system, const DiscreteLagrangian& lagrangian, std::span<const double> parameters,
           double h)
      : system_(system),
        lagrangian_(lagrangian),
        derived_(discrete_herglotz(lagrangian)),
        parameters_(parameters),
        h_(h) {}

  [[nodiscard]] LegendreTransforms at(std::span<const double> q0, std::span<const double> q1, double z0,
                                      double t0) const {
    const StepValues step = between(q0, q1, z0, t0);
    return {step(derived_.p0), step(derived_.p1), step.z1(), step(std::span(&derived_.sigma, 1)).front()};
  }

  /// Returns the q1 with p0 = p, found from a guess to the rounding of numbers of these sizes; empty if there is none.
  [[nodiscard]] Numbers end(std::span<const double> q0, std::span<const double> p, double z0, double t0, Numbers q1,
                            std::span<const double> sizes) const {
    constexpr double converged = 1e-15;
    constexpr double nearly = 1e-9;  // from here on updates that no longer become much smaller are rounding
    double size = std::numeric_limits<double>::infinity();
    for (int k = 0; k < most_iterations; ++k) {
      const Eigen::VectorXd change = correction(q0, p, z0, t0, q1, sizes);
      const double before = size;
      size = 0;
      for (std::size_t i = 0; i < q1.size(); ++i) {
        const double relative = std::abs(change(static_cast<Eigen::Index>(i))) / sizes[i];
        if (!std::isfinite(relative)) return {};
        size = std::max(size, relative);
        q1[i] -= change(static_cast<Eigen::Index>(i));
      }
      if (size < converged || (before < nearly && size >= before / 4)) return q1;
    }
    return {};
  }

 private:
  [[nodiscard]] StepValues between(std::span<const double> q0, std::span<const double> q1, double z0, double t0) const {
    StepValues step(system_, lagrangian_, parameters_, q0, q1, z0, t0, h_);
    step.solve_action(lagrangian_.ell, derived_.D_z1);
    return step;
  }
  [[nodiscard]] Eigen::VectorXd p0_at(std::span<const double> q0, std::span<const double> q1, double z0,
                                      double t0) const {
    const Numbers p0 = between(q0, q1, z0, t0)(derived_.p0);
    return Eigen::Map<const Eigen::VectorXd>(p0.data(), static_cast<Eigen::Index>(p0.size()));
  }
  /// Returns (dp0/dq1)^-1 (p0 - p). The derivatives are differences, which are finite wherever p0 is: powers in
  /// formulas of derivatives underflow where the unit of length is far from the positions.
  [[nodiscard]] Eigen::VectorXd correction(std::span<const double> q0, std::span<const double> p, double z0, double t0,
                                           const Numbers& q1, std::span<const double> sizes) const {
    constexpr double distance = 1e-6;
    const auto n = static_cast<Eigen::Index>(q1.size());
    Eigen::MatrixXd jacobian(n, n);
    for (std::size_t i = 0; i < q1.size(); ++i) {
      Numbers ahead = q1;
      Numbers behind = q1;
      ahead[i] += distance * sizes[i];
      behind[i] -= distance * sizes[i];
      jacobian.col(static_cast<Eigen::Index>(i)) =
          (p0_at(q0, ahead, z0, t0) - p0_at(q0, behind, z0, t0)) / (2 * distance * sizes[i]);
    }
    return linear::PartialLu(jacobian).solve(p0_at(q0, q1, z0, t0) - Eigen::Map<const Eigen::VectorXd>(p.data(), n));
  }

  const mechanics::System& system_;
  const DiscreteLagrangian& lagrangian_;
  DiscreteHerglotz derived_;
  std::span<const double> parameters_;
  double h_;
};

void require_positions(const DiscreteLagrangian& lagrangian, std::span<const double> q0, std::span<const double> q1) {
  if (on_groupoid(lagrangian))
    throw Refused("a discrete Lagrangian of arrows is not a function of two positions",
                  "follow its motions by the method discrete-herglotz");
  if (is_followed(lagrangian))
    throw Refused("rule = \"exact\" has no formula here, and its discrete motion is the motion itself",
                  "use the exact discrete Lagrangian by its motions");
  const std::size_t n = lagrangian.q0.size();
  if (q0.size() != n || q1.size() != n)
    throw Refused("positions of " + std::to_string(q0.size()) + " and " + std::to_string(q1.size()) + " coordinates",
                  "give " + std::to_string(n) + " for each");
}

/// Throws Refused for a step whose momenta at its start are not determined.
void require_factor(const LegendreTransforms& step, std::size_t number) {
  if (step.sigma == 0 || !std::isfinite(step.sigma))
    throw Refused("sigma_d is " + std::string(step.sigma == 0 ? "0" : "not finite") + " in step " +
                      std::to_string(number) + ", and no motion passes such a step",
                  "take another step");
}

/// Returns the larger of size and step of each coordinate; the largest of all for a coordinate that has neither.
Numbers sizes_of(std::span<const double> before, std::span<const double> now) {
  Numbers sizes;
  double largest = 0;
  for (std::size_t i = 0; i < now.size(); ++i) {
    sizes.push_back(std::max(std::abs(now[i]), std::abs(now[i] - before[i])));
    largest = std::max(largest, sizes.back());
  }
  for (double& size : sizes)
    if (!(size > 0)) size = largest > 0 ? largest : 1;
  return sizes;
}

}  // namespace

StepValues::StepValues(const mechanics::System& system, const DiscreteLagrangian& lagrangian,
                       std::span<const double> parameters, std::span<const double> q0, std::span<const double> q1,
                       double z0, double t0, double h)
    : symbols_(lagrangian.q0), values_(q0.begin(), q0.end()), z1_(q0.size() + q1.size()), z0_(z0) {
  symbols_.insert(symbols_.end(), lagrangian.q1.begin(), lagrangian.q1.end());
  values_.insert(values_.end(), q1.begin(), q1.end());
  symbols_.insert(symbols_.end(), {lagrangian.z1, lagrangian.z0, lagrangian.t0, lagrangian.h});
  values_.insert(values_.end(), {z0, z0, t0, h});
  for (const auto& parameter : system.parameters) symbols_.push_back(parameter.symbol);
  values_.insert(values_.end(), parameters.begin(), parameters.end());
}

Numbers StepValues::operator()(std::span<const Expr> f) const {
  return symbolic::evaluate(f, symbols_, values_);
}

void StepValues::solve_action(Expr ell, Expr D_z1) {
  constexpr double tolerance = 1e-15;
  const std::vector<Expr> functions{ell, D_z1};
  for (int k = 0; k < most_iterations; ++k) {
    const Numbers v = (*this)(functions);
    const double change = (z0_ + v[0] - values_[z1_]) / (1 - v[1]);
    if (!std::isfinite(change)) break;
    values_[z1_] += change;
    if (std::abs(change) <= tolerance * (1 + std::abs(values_[z1_]))) return;
  }
  throw Failed("no action z1 solves z1 = z0 + L_d at these positions", "take a smaller step");
}

LegendreTransforms legendre_transforms(const mechanics::System& system, const DiscreteLagrangian& lagrangian,
                                       std::span<const double> parameters, std::span<const double> q0,
                                       std::span<const double> q1, double z0, double t0, double h) {
  require_positions(lagrangian, q0, q1);
  return Stepping(system, lagrangian, parameters, h).at(q0, q1, z0, t0);
}

std::vector<LegendreTransforms> steps_along(const mechanics::System& system, const DiscreteLagrangian& lagrangian,
                                            std::span<const double> parameters, const Components& q, double z0,
                                            double t0, double h) {
  if (q.size() < 2)
    throw Refused("a sequence of " + std::to_string(q.size()) + " positions has no steps", "give two or more");
  for (const auto& position : q) require_positions(lagrangian, position, q.front());
  const Stepping stepping(system, lagrangian, parameters, h);
  std::vector<LegendreTransforms> steps;
  for (std::size_t k = 0; k + 1 < q.size(); ++k) {
    steps.push_back(stepping.at(q[k], q[k + 1], k == 0 ? z0 : steps.back().z1, t0 + static_cast<double>(k) * h));
    require_factor(steps.back(), k + 1);
  }
  return steps;
}

DiscreteMotion discrete_motion(const mechanics::System& system, const DiscreteLagrangian& lagrangian,
                               std::span<const double> parameters, std::span<const double> q0,
                               std::span<const double> q1, double z0, double t0, double h, std::size_t steps) {
  require_positions(lagrangian, q0, q1);
  if (steps == 0) throw Refused("a discrete motion of no steps", "give at least one");
  const Stepping stepping(system, lagrangian, parameters, h);
  DiscreteMotion motion;
  motion.q = {Numbers(q0.begin(), q0.end()), Numbers(q1.begin(), q1.end())};
  motion.z = {z0};
  for (std::size_t k = 0; k < steps; ++k) {
    const double t = t0 + static_cast<double>(k) * h;
    if (k > 0) {
      const Numbers& before = motion.q[k - 1];
      const Numbers& now = motion.q[k];
      Numbers even;
      for (std::size_t i = 0; i < now.size(); ++i) even.push_back(2 * now[i] - before[i]);
      Numbers next = stepping.end(now, motion.p[k], motion.z[k], t, std::move(even), sizes_of(before, now));
      if (next.empty())
        throw Failed("no position " + std::to_string(k + 1) +
                         " continues the discrete motion: its equations have no solution nearby",
                     "take a smaller step");
      motion.q.push_back(std::move(next));
    }
    LegendreTransforms step = stepping.at(motion.q[k], motion.q[k + 1], motion.z[k], t);
    require_factor(step, k + 1);
    if (k == 0) motion.p.push_back(std::move(step.p0));
    motion.p.push_back(std::move(step.p1));
    motion.z.push_back(step.z1);
    motion.sigma.push_back(step.sigma);
  }
  return motion;
}

}  // namespace herglotz::discrete
