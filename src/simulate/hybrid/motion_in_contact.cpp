#include <tuple>

#include "herglotz/mechanics/events/contact_forces.hpp"
#include "herglotz/mechanics/events/friction.hpp"
#include "simulator_impl.hpp"

namespace herglotz::simulate {
namespace {

/// Puts the friction of an impact on its slip, proportional to the force of the contact.
void add_friction_of(const mechanics::Event& event, const symbolic::Expr& force, mechanics::System& system) {
  const mechanics::Impact& impact = *event.impact;
  if (impact.friction.is_zero() || impact.slip.empty()) return;
  mechanics::Friction friction;
  friction.name = event.name;
  friction.on = impact.slip.front();
  friction.normal = force;
  friction.held = impact.friction * force;
  friction.slid = friction.held;
  if (impact.slip.size() == 1)
    mechanics::add_friction(system, std::move(friction));
  else
    mechanics::add_friction(system, std::move(friction), impact.slip.back());
}

/// Returns the system with the gaps of impacts as constraints, and with friction. The events of these impacts watch the
/// contact forces.
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
  for (const std::size_t k : contacts) add_friction_of(system.events[k], result.events[k].value, result);
  if (contacts.size() < 2) return result;
  // Where gaps depend on each other a contact may carry no load for long, which rounding must not make a pull.
  symbolic::Expr squares = system.graph().number(0);
  for (const std::size_t k : contacts) squares += symbolic::pow(result.events[k].value, 2);
  for (const std::size_t k : contacts)
    result.events[k].value = result.events[k].value + pull_by_rounding * symbolic::sqrt(squares);
  return result;
}

}  // namespace

ForcedMotion Simulator::Impl::forced_motion(const integrate::MethodInfo& method, std::vector<double> parameters) const {
  {
    const std::scoped_lock lock(mutex);
    if (!under_contact_forces)
      under_contact_forces = std::make_unique<const Impl>(mechanics::with_contact_forces(system), std::nullopt, options,
                                                          near, std::nullopt);
  }
  const Impl& forced = *under_contact_forces;
  parameters.resize(forced.system.parameters.size(), 0.0);
  return {contacts_of(forced.system, forced.events, forced.hessian), &forced.dynamics_for(method),
          std::move(parameters)};
}

Motion Simulator::Impl::motion_in_contact(const std::vector<std::size_t>& contacts, const integrate::MethodInfo& method,
                                          const std::vector<double>& parameters,
                                          const std::vector<std::string>& columns,
                                          std::vector<Passage>& passages) const {
  const std::scoped_lock lock(mutex);
  auto& known = in_contact[contacts];
  if (!known) known = std::make_unique<const Simulator>(with_contacts(system, contacts), options, near);
  const Impl& with = *known->impl_;
  const bool switched = with.locates_switches(method);
  const SwitchedMotion::Laws pieces = [this, &with, &method](const mechanics::Holds& holds,
                                                             integrate::Reason& why_not) {
    const std::scoped_lock own(mutex);  // all simulators of contacts have one graph
    PieceLaw law = with.law_between_switches(holds, method, why_not);
    law.contacts = true;
    law.only_contacts = system.constraints.equations.empty();
    return law;
  };
  // Steps see the laws between switches, and the method need not follow comparisons. The first of these laws is refused
  // here if the method does not follow it.
  if (switched) {
    integrate::Reason none;
    std::ignore = with.law_between_switches({}, method, none);
  }
  const integrate::Dynamics& followed = switched ? with.dynamics : with.dynamics_for(method);
  return {
      &with.system,
      &with.equations,
      &with.independent,
      contacts,
      &followed,
      with.events,
      with.hessian,
      with.sections,
      with.row_maker(parameters, columns),
      [&followed, &passages, parameters, switched, pieces](const Start& start, const integrate::Settings& settings,
                                                           const integrate::Sink& sink, const integrate::Watch& watch) {
        if (switched) return follow_between_switches(pieces, parameters, start, settings, sink, watch, passages);
        return integrate::integrate(followed, parameters, start.t0, start.state, settings, sink, watch);
      },
      [&followed, parameters, switched, pieces](const Start& start, double t_end) {
        if (switched) return SwitchedMotion::project(pieces, parameters, start, t_end);
        return integrate::project(followed, parameters, start.t0, start.state);
      }};
}

}  // namespace herglotz::simulate
