#include "sample_runs.hpp"

#include <algorithm>
#include <cmath>

namespace herglotz::report::samples {

namespace {

using analyse::Role;
using analyse::Trajectory;

double time_at(std::size_t row, std::size_t rows, double t_end) {
  return t_end * static_cast<double>(row) / static_cast<double>(std::max<std::size_t>(rows, 2) - 1);
}

/// Round-off of a size that a good run shows: deterministic, never the same twice in a row.
double jitter(std::size_t row, double size) {
  return size * std::sin(12.9898 * static_cast<double>(row)) * std::cos(78.233 * static_cast<double>(row) + 1.3);
}

double largest(const std::vector<double>& values) {
  double result = 0;
  for (const double value : values) result = std::max(result, std::abs(value));
  return result;
}

}  // namespace

Trajectory damped_oscillator(std::size_t rows, double t_end) {
  const double gamma = 0.15;
  const double omega = std::sqrt(1 - gamma * gamma / 4);
  Trajectory run;
  run.columns = {{"t", Role::time, {}},
                 {"x", Role::base, {}},
                 {"vx", Role::fibre, {}},
                 {"z", Role::action, {}},
                 {"energy", Role::energy, {}},
                 {"integrating_factor", Role::factor, {}},
                 {"energy_invariant", Role::invariant, {}},
                 {"energy_residual", Role::residual, {}},
                 {"momentum.boost", Role::momentum, {}},
                 {"momentum_invariant.boost", Role::invariant, {}},
                 {"momentum_residual.boost", Role::residual, {}},
                 {"amplitude", Role::observable, {}},
                 {"phase", Role::observable, {}}};
  // With x(0) = 1 and x'(0) = 0, z = (x v)/2 + exp(-gamma t) (z(0) - x(0) v(0)/2): d/dt (x v/2) = (v^2 - x^2)/2 - gamma
  // x v/2.
  for (std::size_t row = 0; row < rows; ++row) {
    const double t = time_at(row, rows, t_end);
    const double decay = std::exp(-gamma * t / 2);
    const double x = decay * (std::cos(omega * t) + gamma / (2 * omega) * std::sin(omega * t));
    const double v = -decay / omega * std::sin(omega * t);
    const double z = x * v / 2;
    const double energy = v * v / 2 + x * x / 2 + gamma * z;
    const double factor = std::exp(gamma * t);
    const double values[] = {t,
                             x,
                             v,
                             z,
                             energy,
                             factor,
                             factor * energy,
                             row == 0 ? 0 : jitter(row, 3e-14) * (1 + t / 10),
                             v,
                             factor * v,
                             row == 0 ? 0 : jitter(row + 7, 8e-13),
                             std::hypot(x, v),
                             std::atan2(-v, x)};
    for (std::size_t i = 0; i < run.columns.size(); ++i) run.columns[i].values.push_back(values[i]);
  }
  auto& facts = run.facts;
  facts.model_name = "damped-oscillator";
  facts.title = "Damped harmonic oscillator";
  facts.reference = "ASMLL20, Sec. 6";
  facts.model_text =
      "[model]\nname = \"damped-oscillator\"\ntitle = \"Damped harmonic oscillator\"\n\n[algebroid]\nkind  = "
      "\"tangent\"\n"
      "base  = [\"x\"]\nfibre = [\"vx\"]\n\n[parameters]\ngamma = 0.15\n\n[dynamics]\n"
      "lagrangian = \"vx^2/2 - x^2/2 - gamma*z\"\n\n[symmetries]\nboost = [\"1\"]\n\n[initial]\nx = 1.0\n";
  facts.parameters = {{"gamma", gamma}};
  facts.initial = {{"x", 1}, {"vx", 0}, {"z", 0}};
  facts.method = "reference";
  facts.method_reason = "the model is smooth and not stiff, and no fixed step was asked for";
  facts.order = 8;
  facts.tolerance = 1e-12;
  facts.t_end = t_end;
  facts.version = "0.1.0";
  facts.wall_seconds = 0.0123;
  facts.steps = 1432;
  facts.rejected_steps = 3;
  facts.largest_energy_residual = largest(run["energy_residual"]);
  facts.largest_momentum_residuals = {{"boost", largest(run["momentum_residual.boost"])}};
  facts.equations_latex =
      "\\begin{aligned}\n\\dot{x} &= v_x \\\\\n\\dot{v}_x &= -\\gamma\\, v_x - x \\\\\n"
      "\\dot{z} &= \\tfrac{1}{2} v_x^{2} - \\tfrac{1}{2} x^{2} - \\gamma\\, z\n\\end{aligned}";
  return run;
}

Trajectory precessing_body(std::size_t rows) {
  const double rate = 0.8, gamma = 0.05, t_end = 60;
  Trajectory run;
  run.columns = {{"t", Role::time, {}},
                 {"w1", Role::fibre, {}},
                 {"w2", Role::fibre, {}},
                 {"w3", Role::fibre, {}},
                 {"z", Role::action, {}},
                 {"energy", Role::energy, {}},
                 {"integrating_factor", Role::factor, {}},
                 {"energy_invariant", Role::invariant, {}},
                 {"energy_residual", Role::residual, {}}};
  for (std::size_t row = 0; row < rows; ++row) {
    const double t = time_at(row, rows, t_end);
    const double decay = std::exp(-gamma * t);
    const double angle = rate * (1 - decay) / gamma;
    const double energy = 0.5 * decay;
    const double values[] = {t,
                             decay * std::cos(angle),
                             decay * std::sin(angle),
                             0.6 * decay,
                             t * decay,
                             energy,
                             std::exp(gamma * t),
                             0.5,
                             row == 0 ? 0 : jitter(row, 2e-9)};
    for (std::size_t i = 0; i < run.columns.size(); ++i) run.columns[i].values.push_back(values[i]);
  }
  auto& facts = run.facts;
  facts.model_name = "precessing-body";
  facts.title = "Axisymmetric rigid body with damping";
  facts.reference = "ASC25, Ex. 4.6";
  facts.method = "contact-gauss-4";
  facts.order = 4;
  facts.step = 0.05;
  facts.t_end = t_end;
  facts.version = "0.1.0";
  facts.wall_seconds = 0.42;
  facts.steps = 1200;
  facts.newton_iterations = 3641;
  facts.largest_energy_residual = largest(run["energy_residual"]);
  facts.equations_latex =
      "\\begin{aligned}I_1\\,\\dot\\omega_1 &= (I_1 - I_3)\\,\\omega_2\\omega_3 - \\gamma I_1\\omega_1\\\\"
      "I_1\\,\\dot\\omega_2 &= (I_3 - I_1)\\,\\omega_3\\omega_1 - \\gamma I_1\\omega_2\\\\"
      "I_3\\,\\dot\\omega_3 &= -\\gamma I_3\\omega_3\\end{aligned}";
  return run;
}

Trajectory rolling_in_the_plane(std::size_t rows) {
  const double t_reached = 6.25;
  Trajectory run;
  run.columns = {{"t", Role::time, {}},
                 {"x", Role::base, {}},
                 {"y", Role::base, {}},
                 {"vx", Role::fibre, {}},
                 {"vy", Role::fibre, {}},
                 {"z", Role::action, {}},
                 {"lambda1", Role::multiplier, {}},
                 {"energy", Role::energy, {}},
                 {"energy_residual", Role::residual, {}},
                 {"constraint.1", Role::constraint, {}}};
  for (std::size_t row = 0; row < rows; ++row) {
    const double t = time_at(row, rows, t_reached);
    const double values[] = {t,     std::cos(t),      std::sin(t), -std::sin(t), std::cos(t),
                             t / 2, -std::cos(2 * t), 0.5,         0.02 * t * t, jitter(row, 1e-15)};
    for (std::size_t i = 0; i < run.columns.size(); ++i) run.columns[i].values.push_back(values[i]);
  }
  auto& facts = run.facts;
  facts.model_name = "rolling-in-the-plane";
  facts.title = "Circular path that ended too soon";
  facts.method = "contact-gauss-2";
  facts.order = 2;
  facts.step = 0.5;
  facts.t_end = 10;
  facts.complete = false;
  facts.status =
      "Newton's iteration did not converge at t = 6.25 (residual 3.1e-2 after 20 iterations); try a smaller step";
  facts.version = "0.1.0";
  facts.steps = 13;
  facts.newton_iterations = 91;
  facts.largest_energy_residual = largest(run["energy_residual"]);
  return run;
}

Trajectory knife_edge(std::size_t rows) {
  const double g = 0.9, rate = 0.8, t_end = 12;
  Trajectory run;
  run.columns = {{"t", Role::time, {}},
                 {"x", Role::base, {}},
                 {"y", Role::base, {}},
                 {"theta", Role::base, {}},
                 {"phi", Role::base, {}},
                 {"vx", Role::fibre, {}},
                 {"vy", Role::fibre, {}},
                 {"wtheta", Role::fibre, {}},
                 {"w", Role::fibre, {}},
                 {"z", Role::action, {}},
                 {"lambda1", Role::multiplier, {}},
                 {"lambda2", Role::multiplier, {}},
                 {"energy", Role::energy, {}},
                 {"integrating_factor", Role::factor, {}},
                 {"energy_invariant", Role::invariant, {}},
                 {"energy_residual", Role::residual, {}},
                 {"constraint.1", Role::constraint, {}},
                 {"constraint.2", Role::constraint, {}}};
  for (std::size_t row = 0; row < rows; ++row) {
    const double t = time_at(row, rows, t_end);
    const double phi = rate * t;
    const double u = g / rate * std::sin(phi);
    const double x = u * u / (2 * g);
    const double y = g / (2 * rate * rate) * (phi - std::sin(2 * phi) / 2);
    const double theta = 1.7 * t;
    const double kinetic = (u * u + rate * rate) / 2;
    // L = u^2 + rate^2/2 on this motion, as g x = u^2/2.
    const double z = g * g / (rate * rate) * (t / 2 - std::sin(2 * phi) / (4 * rate)) + rate * rate * t / 2;
    const double defect = row % 3 == 0 ? 0 : jitter(row, 2e-16);
    const double values[] = {t,
                             x,
                             y,
                             theta,
                             phi,
                             u * std::cos(phi),
                             u * std::sin(phi),
                             1.7,
                             rate,
                             z,
                             -2 * g * std::sin(phi),
                             0,
                             kinetic - g * x,
                             1,
                             kinetic - g * x,
                             row == 0 ? 0 : jitter(row, 4e-15),
                             defect,
                             2 * defect};
    for (std::size_t i = 0; i < run.columns.size(); ++i) run.columns[i].values.push_back(values[i]);
  }
  auto& facts = run.facts;
  facts.model_name = "knife-edge";
  facts.title = "Knife edge on an incline";
  facts.notes = {"start moved onto the constraints (constraint 1 is 0.02, not 0, at the start): vx 0.1 -> 0",
                 "constraint 2 follows from the others and is not counted again; its multiplier is 0"};
  facts.method = "contact-gauss-4";
  facts.order = 4;
  facts.step = 0.01;
  facts.t_end = t_end;
  facts.version = "0.1.0";
  facts.wall_seconds = 0.21;
  facts.steps = 3000;
  facts.newton_iterations = 6100;
  facts.largest_energy_residual = largest(run["energy_residual"]);
  facts.largest_constraint_residual = 3e-15;
  return run;
}

}  // namespace herglotz::report::samples
