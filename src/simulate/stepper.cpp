#include "herglotz/simulate/stepper.hpp"

#include <algorithm>
#include <exception>
#include <mutex>
#include <optional>
#include <semaphore>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "fixed_projection.hpp"
#include "herglotz/error.hpp"
#include "herglotz/mechanics/events/friction.hpp"
#include "herglotz/mechanics/events/jumps.hpp"
#include "settings.hpp"
#include "simulator_impl.hpp"

namespace herglotz::simulate {
struct Stepper::Impl {
  std::optional<Simulator> elsewhere;  ///< for a start whose final set is not that of the simulator
  const Simulator& simulator;
  std::vector<double> parameters;
  integrate::Settings settings{};
  const integrate::Dynamics* dynamics = nullptr;
  Start start{};
  std::vector<double> lambda{};  ///< multipliers of the rule nonholonomic, on the final set of a singular Lagrangian
  integrate::Sample sample{};
  integrate::Outcome outcome{};
  std::exception_ptr thrown{};
  bool over = false;
  bool leaves = false;  ///< the caller wants no further step
  std::binary_semaphore goes_on{0};
  std::binary_semaphore arrived{0};
  std::thread run{};

  Impl(const Simulator& of, const InitialState& initial, const Settings& asked, const InitialState& overrides)
      : elsewhere(simulator_elsewhere(*of.impl_, initial, overrides)),
        simulator(elsewhere ? *elsewhere : of),
        parameters(resolve_parameters(simulator.system(), elsewhere ? InitialState{} : overrides)) {
    if (mechanics::has_jumps(of.system()))
      throw Refused("runs with events that change the state are not made step by step", "run the simulator",
                    "[events]");
    mechanics::require_no_friction(of.system(), "runs that are made step by step");
    if (asked.time_scale) throw Refused("runs with a time_scale are not made step by step");
    if (asked.project && !asked.fixed.empty())
      throw Refused("a start that is moved with fixed coordinates is not made step by step");
    const InitialState named = simulator.start(initial, asked, elsewhere ? InitialState{} : overrides);
    for (const std::string& name : impl().names) start.state.push_back(named.at(name));
    start.t0 = named.at(std::string(simulator.system().t.name()));
    Settings each = asked;
    each.output_every = 1;
    each.output_step.reset();
    each.output_times.clear();
    std::string reason;
    settings = resolve_settings(simulator.system(), each, std::nullopt, start.t0, 0, reason);
    const integrate::MethodInfo& method = *integrate::find_method(settings.method);
    impl().pulses.enter(settings, parameters, start.t0);
    dynamics = &simulator.dynamics_for(method);
    if (impl().singular)
      settle_on_final_set(asked);
    else if (asked.project)
      move_onto_constraints();
  }
  ~Impl() {
    if (!over) {
      leaves = true;
      goes_on.release();
    }
    if (run.joinable()) run.join();
  }

  void begin() {
    run = std::thread([this] { follow(); });
    advance();
  }
  void move_onto_constraints() {
    if (simulator.dynamics().m == 0) return;
    integrate::Projection found = integrate::project(simulator.dynamics(), parameters, start.t0, start.state);
    if (found.defect <= consistent) return;
    if (found.status != integrate::Status::success) throw RunFailed(found.reason.problem, found.reason.remedy, {});
    start.state = std::move(found.state);
  }
  void settle_on_final_set(const Settings& asked) {
    std::vector<std::string> notes;
    integrate::Reason why = impl().singular->why_not;
    if (why.empty()) why = impl().settle_on_final_set(start, lambda, parameters, asked, notes);
    if (!why.empty()) throw RunFailed(why.problem, why.remedy, {});
  }
  [[nodiscard]] const Simulator::Impl& impl() const { return *simulator.impl_; }

  /// Returns the simulator for a start on another final set than that near the start of the given one, if it is on
  /// another one.
  static std::optional<Simulator> simulator_elsewhere(const Simulator::Impl& of, const InitialState& initial,
                                                      const InitialState& overrides) {
    if (!of.singular || (initial == of.near && overrides.empty())) return std::nullopt;
    const std::scoped_lock alone(of.singular_runs);
    if (of.has_same_final_set(initial, overrides)) return std::nullopt;
    return of.elsewhere(initial, overrides);
  }

  void follow() {
    goes_on.acquire();
    const auto sink = [this](const integrate::Sample& reached) {
      sample = reached;
      arrived.release();
      goes_on.acquire();
      return !leaves;
    };
    try {
      if (!leaves) outcome = impl().follow(*dynamics, parameters, start, lambda, settings, sink, {});
    } catch (...) {
      thrown = std::current_exception();
    }
    over = true;
    arrived.release();
  }

  /// Lets the run go on to its next state, or to its end.
  void advance() {
    goes_on.release();
    arrived.acquire();
    if (!over) return;
    if (thrown) std::rethrow_exception(std::exchange(thrown, {}));
    if (outcome.status != integrate::Status::success)
      throw RunFailed(outcome.reason.problem, outcome.reason.remedy, {});
  }
};

Stepper::Stepper(const Simulator& simulator, const InitialState& initial, const Settings& settings,
                 const InitialState& parameters)
    : impl_(std::make_unique<Impl>(simulator, initial, settings, parameters)) {
  impl_->begin();
}
Stepper::~Stepper() = default;
Stepper::Stepper(Stepper&&) noexcept = default;
Stepper& Stepper::operator=(Stepper&&) noexcept = default;

bool Stepper::step() {
  if (impl_->over) return false;
  impl_->advance();
  return !impl_->over;
}

double Stepper::t() const {
  return impl_->sample.t;
}
std::span<const double> Stepper::state() const {
  return impl_->sample.state;
}
const integrate::Sample& Stepper::sample() const {
  return impl_->sample;
}

double Stepper::operator[](std::string_view name) const {
  const auto& names = impl_->impl().names;
  if (const auto at = std::find(names.begin(), names.end(), name); at != names.end())
    return impl_->sample.state[static_cast<std::size_t>(at - names.begin())];
  if (name == impl_->simulator.system().t.name()) return impl_->sample.t;
  unknown_name("state variable", name, names);
}

}  // namespace herglotz::simulate
