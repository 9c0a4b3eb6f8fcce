#pragma once
/// Discrete Lagrangians of several kinds, and their flow by plain Newton iterations.

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "herglotz/discrete/herglotz_equations.hpp"
#include "herglotz/geometry/builders.hpp"
#include "herglotz/symbolic/evaluate.hpp"
#include "herglotz/symbolic/parser.hpp"

namespace herglotz::discrete::samples {

using mechanics::System;

inline Expr parsed(const std::shared_ptr<symbolic::Graph>& graph, const std::string& text) {
  symbolic::Scope scope;
  for (const char* name :
       {"q", "vq", "x", "y", "vx", "vy", "z", "t", "h", "q0", "q1", "x0", "x1", "y0", "y1", "z0", "z1", "t0", "k"})
    scope[name] = graph->symbol(name);
  return symbolic::parse(*graph, text, scope);
}

/// A system on the tangent bundle of coordinates `base`, with velocities v<base>.
inline System system(const std::vector<std::string>& base, const std::string& lagrangian,
                     const std::vector<std::vector<std::string>>& symmetries = {}) {
  auto graph = std::make_shared<symbolic::Graph>();
  geometry::Coordinates coordinates;
  for (const auto& name : base) {
    coordinates.x.push_back(graph->symbol(name));
    coordinates.y.push_back(graph->symbol("v" + name));
  }
  System made = mechanics::make_system(geometry::tangent(graph, coordinates));
  made.name = "sample";
  made.generator = parsed(graph, lagrangian);
  for (std::size_t k = 0; k < symmetries.size(); ++k) {
    mechanics::Symmetry symmetry{"s" + std::to_string(k + 1), {}};
    for (const auto& component : symmetries[k]) symmetry.section.push_back(parsed(graph, component));
    made.symmetries.push_back(symmetry);
  }
  return made;
}

inline DiscreteLagrangian given(const System& of, const std::string& ell) {
  DiscreteLagrangian made = discrete_symbols(of);
  made.ell = parsed(of.algebroid.graph, ell);
  return made;
}

/// A system, a discrete Lagrangian of it, and the step it is taken with.
struct Sample {
  std::string name;
  System of;
  DiscreteLagrangian step;
  double h;
};

/// On Q x Q x R: [ASMLL20, Eqs. 77, 79], one that is nonlinear in the action and depends on time, and one with
/// rotations.
inline std::vector<Sample> on_Q_Q_R() {
  const System free = system({"q"}, "vq^2/2 - z/20", {{"1"}});
  const System oscillator = system({"q"}, "vq^2/2 - q^2/2 - z/20");
  const System nonlinear = system({"q"}, "(1 + z^2/10)*vq^2/2 - cos(q) - z/5 - z^2*sin(t)/20");
  const System central =
      system({"x", "y"}, "(vx^2 + vy^2)/2 - (x^2 + y^2)/2 - (x^2 + y^2)^2/10 - z/10 - z^2/20", {{"-y", "x"}});
  return {{"free", free, given(free, "(q1 - q0)^2/(2*h) - h*z0/20"), 0.5},
          {"oscillator", oscillator, given(oscillator, "(q1 - q0)^2/(2*h) - h*(q0 + q1)^2/8 - h*z0/20"), 0.5},
          {"nonlinear", nonlinear,
           given(nonlinear, "(1 + z0^2/10)*(q1 - q0)^2/(2*h) - h*cos((q0 + q1)/2) - h*z0/5 - h*z0^2*sin(t0 + h/2)/20"),
           0.3},
          {"central", central, discretise(central, PositionRule::midpoint, ActionRule::left), 0.2}};
}

/// On Q x Q x R^2 [VBS19].
inline std::vector<Sample> on_Q_Q_R2() {
  const System nonlinear = system({"q"}, "(1 + z^2/10)*vq^2/2 - cos(q) - z/5 - z^2*sin(t)/20");
  const System central =
      system({"x", "y"}, "(vx^2 + vy^2)/2 - (x^2 + y^2)/2 - (x^2 + y^2)^2/10 - z/10 - z^2/20", {{"-y", "x"}});
  return {{"nonlinear midpoint", nonlinear, discretise(nonlinear, PositionRule::midpoint, ActionRule::implicit), 0.3},
          {"nonlinear trapezoid", nonlinear, discretise(nonlinear, PositionRule::trapezoid, ActionRule::implicit), 0.3},
          {"central midpoint", central, discretise(central, PositionRule::midpoint, ActionRule::implicit), 0.2},
          {"central trapezoid", central, discretise(central, PositionRule::trapezoid, ActionRule::implicit), 0.2}};
}

inline std::vector<Sample> all() {
  auto list = on_Q_Q_R();
  for (auto& sample : on_Q_Q_R2()) list.push_back(std::move(sample));
  return list;
}

using Vector = Eigen::VectorXd;

/// Numbers of one step: derivatives of ell with z1 solved for.
struct Step {
  double z1 = 0;
  double sigma = 0;
  Vector D1, D2;  ///< of L_d(q0, q1, z0)
  Vector p0, p1;
};

class Flow {
 public:
  explicit Flow(const Sample& sample)
      : h(sample.h),
        n(static_cast<Eigen::Index>(sample.step.q0.size())),
        map_(discrete_map_program(sample.of, sample.step)),
        jacobian_(discrete_map_jacobian_program(sample.of, sample.step)) {}

  [[nodiscard]] Step at(const Vector& q0, const Vector& q1, double z0, double t0 = 0) const {
    Step step;
    step.z1 = z0;
    Vector out;
    for (int k = 0; k < 60; ++k) {
      out = values(map_, q0, q1, z0, step.z1, t0);
      const double next = step.z1 - (step.z1 - z0 - out(0)) / (1 - out(out.size() - 1));
      const bool done = std::abs(next - step.z1) <= 1e-16 * (1 + std::abs(next));
      step.z1 = next;
      if (done) break;
    }
    const double D_z0 = out(out.size() - 2);
    const double D_z1 = out(out.size() - 1);
    step.sigma = (1 + D_z0) / (1 - D_z1);
    step.D1 = out.segment(1, n) / (1 - D_z1);
    step.D2 = out.segment(1 + n, n) / (1 - D_z1);
    step.p0 = -step.D1 / step.sigma;
    step.p1 = step.D2;
    return step;
  }

  /// q1 with F-(q0, q1, z0) = (q0, p0, z0).
  [[nodiscard]] Vector end(const Vector& q0, const Vector& p0, double z0, Vector q1, double t0 = 0) const {
    for (int k = 0; k < 60; ++k) {
      const Step step = at(q0, q1, z0, t0);
      const Vector out = values(map_, q0, q1, z0, step.z1, t0);
      Eigen::MatrixXd J = Eigen::MatrixXd::Zero(3 + 2 * n, n + 1);
      const Vector entries = values(jacobian_.program, q0, q1, z0, step.z1, t0);
      for (std::size_t e = 0; e < jacobian_.row.size(); ++e)
        J(static_cast<Eigen::Index>(jacobian_.row[e]), static_cast<Eigen::Index>(jacobian_.col[e])) +=
            entries(static_cast<Eigen::Index>(e));
      // Along z1(q1): dz1/dq1 = D2/(1 - D_z1).
      Eigen::MatrixXd slope(n, n);
      for (Eigen::Index i = 0; i < n; ++i)
        for (Eigen::Index j = 0; j < n; ++j) {
          const double dz = step.D2(j);
          slope(i, j) = -(J(1 + i, j) + J(1 + i, n) * dz) - p0(i) * (J(1 + 2 * n, j) + J(1 + 2 * n, n) * dz);
        }
      const Vector residual = -out.segment(1, n) - (1 + out(1 + 2 * n)) * p0;
      const Vector update = slope.partialPivLu().solve(residual);
      q1 -= update;
      if (update.norm() <= 1e-15 * (1 + q1.norm())) break;
    }
    return q1;
  }

  double h;
  Eigen::Index n;

 private:
  Vector values(const symbolic::Program& program, const Vector& q0, const Vector& q1, double z0, double z1,
                double t0) const {
    std::vector<double> inputs(q0.begin(), q0.end());
    inputs.insert(inputs.end(), q1.begin(), q1.end());
    inputs.insert(inputs.end(), {z0, z1, t0, h});
    const auto out = symbolic::evaluate(program.outputs, program.variables, inputs);
    return Eigen::Map<const Vector>(out.data(), static_cast<Eigen::Index>(out.size()));
  }

  symbolic::Program map_;
  mechanics::SparseProgram jacobian_;
};

inline Vector random_vector(Eigen::Index n, std::mt19937_64& engine, double lower = -1, double upper = 1) {
  std::uniform_real_distribution<double> uniform(lower, upper);
  Vector v(n);
  for (double& entry : v) entry = uniform(engine);
  return v;
}

/// Derivatives by central differences of order 4.
template <class F>
Vector differences(F f, const Vector& at, double step = 1e-3) {
  Vector slopes(at.size());
  for (Eigen::Index j = 0; j < at.size(); ++j) {
    const auto shifted = [&](double by) {
      Vector moved = at;
      moved(j) += by;
      return f(moved);
    };
    slopes(j) = (8 * (shifted(step) - shifted(-step)) - (shifted(2 * step) - shifted(-2 * step))) / (12 * step);
  }
  return slopes;
}

}  // namespace herglotz::discrete::samples
