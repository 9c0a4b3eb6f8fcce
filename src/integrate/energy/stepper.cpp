#include "energy/stepper.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "herglotz/error.hpp"
#include "herglotz/integrate/kernel_outputs.hpp"
#include "motion/fill_sample.hpp"
#include "motion/saddle_point.hpp"

namespace herglotz::integrate {

Stop start_energy(const Dynamics& dynamics, std::span<const double> parameters, double t0,
                  std::span<const double> state, double* carried) {
  const std::size_t base = state.size();
  std::vector<double> v(state.begin(), state.end());
  v.push_back(t0);
  const auto values = [&](const kernel::Kernel& kernel) {
    std::vector<double> out(kernel.outputs());
    std::vector<double> work(kernel.work_size());
    kernel(v.data(), parameters.data(), out.data(), work.data());
    return out;
  };
  const auto finite = [](const std::vector<double>& numbers) {
    return std::all_of(numbers.begin(), numbers.end(), [](double number) { return std::isfinite(number); });
  };
  const auto stage = values(dynamics.stage);
  const auto energy = values(dynamics.energy.energy);
  if (!finite(stage) || !finite(energy)) return {Status::not_finite, "the momentum or the energy is not finite"};
  if (Stop stop = singularity(dynamics, parameters, t0, state); stop.status != Status::success) return stop;
  std::copy(state.begin(), state.end(), carried);
  for (std::size_t a = dynamics.n; a < dynamics.n + dynamics.r; ++a) carried[a] = stage[a];
  carried[base] = 0;
  if (dynamics.laws > 0) {
    const auto balance = values(dynamics.balance);
    for (std::size_t k = 0; k < dynamics.laws; ++k) carried[base + 1 + k] = balance[BalanceOutputs::quantity(k)];
  }
  carried[base + 1 + dynamics.laws] = energy[0];
  return {};
}

double metric_mass(const Dynamics& dynamics, std::span<const double> parameters, double t0,
                   std::span<const double> state) {
  std::vector<double> v(state.size() + 1, 0.0);
  std::vector<double> slopes(dynamics.stage_jacobian.outputs());
  std::vector<double> work(dynamics.stage_jacobian.work_size());
  const auto is_fibre = [&](std::size_t entry) { return entry >= dynamics.n && entry < dynamics.n + dynamics.r; };
  // If the fibre coordinates are momenta, dp/dw is 1, and the mass is the inverse of dx_dot/dp.
  const auto is_counted = [&](std::size_t row) { return dynamics.lagrangian ? is_fibre(row) : row < dynamics.n; };
  const auto mass = [&] {
    dynamics.stage_jacobian(v.data(), parameters.data(), slopes.data(), work.data());
    double sum = 0;
    for (std::size_t e = 0; e < slopes.size(); ++e)
      if (is_counted(dynamics.stage_pattern.row[e]) && is_fibre(dynamics.stage_pattern.col[e]))
        sum += std::abs(slopes[e]);
    const auto r = static_cast<double>(dynamics.r);
    return dynamics.lagrangian ? sum / r : r / sum;
  };
  if (!dynamics.lagrangian && dynamics.n == 0) return 1;
  if (const double at_origin = mass(); at_origin > 0 && std::isfinite(at_origin)) return at_origin;
  std::copy(state.begin(), state.end(), v.begin());
  v.back() = t0;
  const double at_start = mass();
  return at_start > 0 && std::isfinite(at_start) ? at_start : 1;
}

ContactEnergy::ContactEnergy(const Run& run, std::span<const double> fractions)
    : run_(run), step_(run.dynamics, run.parameters.data(), fractions) {
  step_.last_state().assign(run.state.begin(), run.state.end());
}

Status ContactEnergy::start() {
  std::vector<double> carried(step_.state_size());
  if (const Stop stop = start_energy(run_.dynamics, run_.parameters, run_.t0, run_.state, carried.data());
      stop.status != Status::success) {
    reason_ = stop.reason;
    return stop.status;
  }
  for (std::size_t i = 0; i < carried.size(); ++i) step_.state().set(i, carried[i]);
  step_.set_mass(true, metric_mass(run_.dynamics, run_.parameters, run_.t0, run_.state));
  return Status::success;
}

Status ContactEnergy::step(double t, double h) {
  before_ = step_.state();
  last_before_ = step_.last_state();
  if (step_.step(t, h, true)) return Status::success;
  const Status status = explain();
  step_.state() = before_;
  step_.last_state() = last_before_;
  return status;
}

Status ContactEnergy::step_by(const EnergyRules& rules, double t, double h) {
  step_.set_rules(rules);
  const Status status = step(t, h);
  step_.set_rules({});
  return status;
}

Status ContactEnergy::sample(double t, Sample& sample) {
  fill_sample(sample, t, step_.last_state(), step_.state().data() + step_.last_state().size());
  return Status::success;
}

Status ContactEnergy::refuse_factor(double rate) {
  reason_ = {fmt::format(
                 "the step {:.3g} is too large for the dissipation: the integrating factor of one step is not positive",
                 std::abs(step_.whole())),
             take_a_step_below(std::abs(step_.whole() / (step_.h() * rate)))};
  return Status::not_converged;
}

/// Sets the reason why the last part of a step failed. The state is the one before that part.
Status ContactEnergy::explain() {
  const Dynamics& d = run_.dynamics;
  const double size = std::abs(step_.h());
  if (step_.refused()) return refuse_factor(step_.equations().middle()[StageOutputs{d.n, d.r}.L_z()]);
  if (step_.unsettled()) {
    reason_ = {fmt::format("no correction of a step of {:.3g} restores the energy law (defect {:.2g})", size,
                           step_.equations().energy_defect()),
               "take a smaller step"};
    return Status::not_converged;
  }
  if (step_.not_finite()) {
    reason_ = "the equations of motion are not finite in the step";
    return Status::not_finite;
  }
  if (const Stop stop = singularity(d, run_.parameters, step_.t(), step_.last_state());
      stop.status != Status::success) {
    reason_ = {stop.reason.problem + " in the step", stop.reason.remedy};
    return stop.status;
  }
  std::vector<double> v(step_.last_state());
  v.push_back(step_.t());
  std::vector<double> out(d.stage.outputs());
  std::vector<double> work(d.stage.work_size());
  d.stage(v.data(), run_.parameters.data(), out.data(), work.data());
  if (const double rate = out.back(); std::abs(step_.h() * rate) > 1) return refuse_factor(rate);
  reason_ = iteration_not_converged(size, step_.last_update());
  return Status::not_converged;
}

Outcome run_contact_energy(const Run& run, std::span<const double> fractions) {
  if (!run.dynamics.stage || !run.dynamics.stage_jacobian || !run.dynamics.energy) {
    throw Refused("contact energy methods need the stage kernel with its Jacobian and the energy kernels",
                  "give a dynamics that has them");
  }
  ContactEnergy stepper(run, fractions);
  return drive_fixed_steps(run, stepper);
}

}  // namespace herglotz::integrate
