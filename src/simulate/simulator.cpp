#include <fmt/format.h>

#include <chrono>
#include <cmath>

#include "herglotz/simulate/regularity.hpp"
#include "herglotz/simulate/simulate.hpp"
#include "recorder.hpp"
#include "settings.hpp"

namespace herglotz::simulate {
namespace {

kernel::Pattern pattern(const mechanics::SparseProgram& sparse) {
  return {sparse.rows, sparse.cols, sparse.row, sparse.col};
}

void refuse_constraints(const mechanics::System& system) {
  if (system.constraints.rule == mechanics::Rule::none) return;
  throw std::invalid_argument(fmt::format(
      "model '{}' has {} constraints, which this version cannot honour; remove [constraints] to study the free motion",
      system.name, system.constraints.rule == mechanics::Rule::nonholonomic ? "nonholonomic" : "vakonomic"));
}

std::string describe(const std::vector<std::string>& names, std::span<const double> state) {
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < names.size(); ++i) parts.push_back(fmt::format("{} = {:.6g}", names[i], state[i]));
  return fmt::format("{}", fmt::join(parts, ", "));
}

}  // namespace

struct Simulator::Impl {
  mechanics::System system;
  mechanics::Equations equations;
  std::vector<mechanics::BalanceLaw> laws;
  integrate::Dynamics dynamics;
  kernel::Kernel hessian;
  kernel::Kernel observables;

  Impl(mechanics::System given, const std::optional<mechanics::Equations>& supplied, const compile::Options& options)
      : system(std::move(given)) {
    refuse_constraints(system);
    const auto derived = mechanics::derive(system);
    equations = supplied.value_or(derived);
    laws = mechanics::balance_laws(system, derived);
    compile_all(options);
  }

  void compile_all(const compile::Options& options) {
    const bool straight = mechanics::eliminates_inside(system, equations);
    const auto jacobian = straight ? mechanics::flow_jacobian_program(system, equations)
                                   : mechanics::mass_jacobian_program(system, equations);
    const auto stage_jacobian = mechanics::stage_jacobian_program(system, equations);
    const std::vector<symbolic::Program> programs{
        straight ? mechanics::flow_program(system, equations) : mechanics::mass_program(system, equations),
        jacobian.program,
        mechanics::stage_program(system, equations),
        stage_jacobian.program,
        mechanics::balance_program(system, equations, laws),
        mechanics::hessian_program(system, equations),
        mechanics::observables_program(system, equations)};
    auto kernels = compile::compile(programs, options);
    dynamics.n = system.n();
    dynamics.r = system.r();
    dynamics.laws = laws.size();
    dynamics.names = state_names(system);
    (straight ? dynamics.flow : dynamics.mass) = std::move(kernels[0]);
    (straight ? dynamics.flow_jacobian : dynamics.mass_jacobian) = std::move(kernels[1]);
    (straight ? dynamics.flow_pattern : dynamics.mass_pattern) = pattern(jacobian);
    dynamics.stage = std::move(kernels[2]);
    dynamics.stage_jacobian = std::move(kernels[3]);
    dynamics.stage_pattern = pattern(stage_jacobian);
    dynamics.balance = std::move(kernels[4]);
    hessian = std::move(kernels[5]);
    observables = std::move(kernels[6]);
  }

  /// Nothing when L is regular at the start, else the sentence that says why it is not.
  [[nodiscard]] std::string irregularity(const Start& start, const std::vector<double>& parameters) const {
    std::vector<double> u = start.state;
    u.push_back(start.t0);
    std::vector<double> work(hessian.work_size());
    std::vector<double> w(system.r() * system.r());
    hessian(u.data(), parameters.data(), w.data(), work.data());
    const Regularity regularity = regularity_of(w, system.r());
    const std::string where = fmt::format("t = {:.6g}, {}", start.t0, describe(state_names(system), start.state));
    if (!regularity.finite) return fmt::format("the velocity Hessian is not a finite number at {}", where);
    if (regularity.regular) return {};
    return fmt::format(
        "singular velocity Hessian (rank {} of {}) at {}; the Lagrangian must be regular in every fibre coordinate",
        regularity.rank, system.r(), where);
  }
};

Simulator::Simulator(mechanics::System system, const compile::Options& options)
    : impl_(std::make_unique<Impl>(std::move(system), std::nullopt, options)) {}
Simulator::Simulator(mechanics::System system, mechanics::Equations equations, const compile::Options& options)
    : impl_(std::make_unique<Impl>(std::move(system), std::move(equations), options)) {}
Simulator::~Simulator() = default;
Simulator::Simulator(Simulator&&) noexcept = default;
Simulator& Simulator::operator=(Simulator&&) noexcept = default;

const mechanics::System& Simulator::system() const {
  return impl_->system;
}
const mechanics::Equations& Simulator::equations() const {
  return impl_->equations;
}
const std::vector<mechanics::BalanceLaw>& Simulator::laws() const {
  return impl_->laws;
}
const integrate::Dynamics& Simulator::dynamics() const {
  return impl_->dynamics;
}
std::vector<double> Simulator::parameter_values() const {
  return resolve_parameters(impl_->system, {});
}

analyse::Trajectory Simulator::run(const InitialState& initial, const Settings& settings,
                                   const InitialState& parameters, const Progress& progress) const {
  const mechanics::System& system = impl_->system;
  const Start start = resolve_start(system, initial);
  const std::vector<double> values = resolve_parameters(system, parameters);
  analyse::RunFacts facts;
  const integrate::Settings resolved = resolve_settings(system, settings, start.t0, facts.method_reason);
  const integrate::MethodInfo& method = *integrate::find_method(resolved.method);

  facts.model_name = system.name;
  facts.title = system.title;
  facts.reference = system.reference;
  for (std::size_t i = 0; i < values.size(); ++i)
    facts.parameters.emplace_back(system.parameters[i].symbol.name(), values[i]);
  const auto names = state_names(system);
  for (std::size_t i = 0; i < names.size(); ++i) facts.initial.emplace_back(names[i], start.state[i]);
  facts.initial.emplace_back(system.t.name(), start.t0);
  facts.method = method.name;
  facts.order = method.order;
  facts.step = method.adaptive ? 0 : std::abs(resolved.step);
  facts.tolerance = method.adaptive ? resolved.tolerance : 0;
  facts.t_end = settings.t_end;
  facts.version = HERGLOTZ_VERSION;

  Recorder recorder(system, impl_->laws, impl_->dynamics.balance, impl_->observables, values);
  if (const std::string why = impl_->irregularity(start, values); !why.empty()) {
    facts.complete = false;
    facts.status = why;
    throw RunFailed(why, std::move(recorder).finish(std::move(facts)));
  }
  const double duration = settings.t_end - start.t0;
  const auto began = std::chrono::steady_clock::now();
  const integrate::Outcome outcome = integrate::integrate(
      impl_->dynamics, values, start.t0, start.state, resolved, [&](const integrate::Sample& sample) {
        recorder.record(sample);
        return !progress || progress(duration == 0 ? 1.0 : (sample.t - start.t0) / duration);
      });
  facts.wall_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  facts.steps = outcome.steps;
  facts.rejected_steps = outcome.rejected_steps;
  facts.newton_iterations = outcome.newton_iterations;
  facts.complete = outcome.status == integrate::Status::success;
  if (outcome.status == integrate::Status::cancelled) {
    facts.status = fmt::format("stopped by the user at t = {:.6g}", outcome.t);
  } else if (!facts.complete) {
    facts.status = outcome.message;
    const std::string why = facts.status;
    throw RunFailed(why, std::move(recorder).finish(std::move(facts)));
  }
  return std::move(recorder).finish(std::move(facts));
}

analyse::Trajectory simulate(const Problem& problem, const Simulator::Progress& progress) {
  auto trajectory = Simulator(problem.system).run(problem.initial, problem.settings, {}, progress);
  trajectory.facts.model_text = problem.text;
  return trajectory;
}

}  // namespace herglotz::simulate
