#include "simulator_impl.hpp"

namespace herglotz::simulate {
namespace {

/// Returns the system with the gaps of impacts as constraints. The events of these impacts watch the contact forces.
mechanics::System with_contacts(const mechanics::System& system, const std::vector<std::size_t>& contacts) {
  mechanics::System result = system;
  result.constraints.rule = mechanics::Rule::nonholonomic;
  for (const std::size_t k : contacts) {
    mechanics::Event& event = result.events[k];  // its value is the gap
    const symbolic::Expr force = system.graph().symbol("contact." + event.name);
    result.constraints.equations.push_back(event.value);
    result.constraints.multipliers.push_back(force);
    event.value = force;
  }
  return result;
}

}  // namespace

Motion Simulator::Impl::motion_in_contact(const std::vector<std::size_t>& contacts, const integrate::MethodInfo& method,
                                          const std::vector<double>& parameters,
                                          const std::vector<std::string>& columns) const {
  const std::scoped_lock lock(mutex);
  auto& known = in_contact[contacts];
  if (!known) known = std::make_unique<const Simulator>(with_contacts(system, contacts), options, near);
  const Impl& with = *known->impl_;
  const integrate::Dynamics& followed = with.dynamics_for(method);
  return {&with.system,
          &with.equations,
          &with.independent,
          contacts,
          &followed,
          with.events,
          with.hessian,
          with.row_maker(parameters, columns),
          [&followed, parameters](const Start& start, const integrate::Settings& settings, const integrate::Sink& sink,
                                  const integrate::Watch& watch) {
            return integrate::integrate(followed, parameters, start.t0, start.state, settings, sink, watch);
          }};
}

}  // namespace herglotz::simulate
