#include "members/members_impl.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "herglotz/error.hpp"
#include "herglotz/mechanics/events/jumps.hpp"
#include "invariants.hpp"
#include "promises.hpp"
#include "record/on_demand.hpp"
#include "settings.hpp"

namespace herglotz::simulate {
namespace {

/// Returns the common data of the members with the initial values that expressions give.
Common evaluated(const mechanics::System& system, Common common, const std::vector<Varying>& varying) {
  for (const auto& quantity : varying)
    if (!quantity.parameter) common.expressions.erase(quantity.name);
  common.expressions.apply(system, common.parameters, common.initial, common.next);
  return common;
}

}  // namespace

std::vector<std::string> columns_asked_for(const Common& common) {
  std::vector<std::string> names = common.settings.columns;
  names.insert(names.end(), common.columns.begin(), common.columns.end());
  return names;
}

bool plainly_regular(std::span<double> W, std::size_t r) {
  constexpr double ample = 1e-6;
  double largest = 0;
  for (const double entry : W) largest = std::max(largest, std::abs(entry));
  for (std::size_t c = 0; c < r; ++c) {
    const double pivot = W[c * r + c];
    if (!(std::abs(pivot) > ample * largest)) return false;
    for (std::size_t i = c + 1; i < r; ++i) {
      const double factor = W[i * r + c] / pivot;
      for (std::size_t j = c + 1; j < r; ++j) W[i * r + j] -= factor * W[c * r + j];
    }
  }
  return std::isfinite(largest);
}

Members::Impl::Impl(const Simulator& given, const Simulator::Impl& inside, Common shared,
                    std::vector<Varying> quantities, int most_lanes, const compile::Device* device)
    : simulator(given),
      system(inside),
      common(evaluated(inside.system, std::move(shared), quantities)),
      varying(std::move(quantities)),
      start(resolve_start(system.system, system.equations, system.without_redundant(common.initial))),
      parameters(resolve_parameters(system.system, common.parameters)),
      settings(resolve_settings(system.system, common.settings, system.discrete, start.t0, system.columns(), reason)),
      method(integrate::find_method(settings.method)),
      dynamics(&system.dynamics_for(*method)),
      rows(system.row_maker(parameters, columns_asked_for(common))),
      columns(with_volume(rows.columns(), columns_asked_for(common))) {
  require_columns(system.system, rows.columns(), common.settings.columns);
  const bool volumes = columns.size() > rows.columns().size();
  if (volumes) {
    std::vector<double> at = start.state;
    at.push_back(start.t0);
    {
      const std::scoped_lock lock(system.mutex);
      require_volume_law(system.reduced, system.equations, parameters, at);
    }
    (void)system.volumes();  // throws if the system has none
  }
  plain = !volumes && !start.momenta && common.next.empty() && !common.settings.time_scale &&
          system.system.events.empty() && system.redundant().empty() && !system.switches && !system.singular;
  find_places();
  find_following();
  find_pulses();
  plain = plain && keeps_promises();
  const auto wanted = keep_columns();
  regular = plain && regular_everywhere();
  if (device != nullptr) {
    require_for_device(*device, *method, *dynamics, settings, plain);
    on_device = system.on_device(*device, *method, wanted);
    lanes = static_cast<int>(on_device->width());
    make_rows_in_lanes(most_lanes);
    return;
  }
  if (!plain || most_lanes == 1) return;
  integrate::Dynamics candidate = system.wide(*method, most_lanes, wanted);
  if (!integrate::runs_in_lanes(candidate, settings)) return;
  lanes = integrate::lanes_at_once(candidate, settings);
  wide = std::move(candidate);
  make_rows_in_lanes(most_lanes);
}

void Members::Impl::make_rows_in_lanes(int most_lanes) {
  if (most_lanes == 1 || lanes % most_lanes != 0) return;
  if (method->adaptive || dynamics->m > 0 || rows.has_constraints()) return;
  lane_rows.emplace(rows, system.wide_rows(rows, most_lanes, columns_asked_for(common)));
}

std::vector<bool> Members::Impl::keep_columns() {
  if (common.columns.empty()) return {};
  std::vector<std::size_t> kept;
  for (std::size_t c = 0; c < rows.columns().size(); ++c)
    if (std::find(common.columns.begin(), common.columns.end(), rows.columns()[c].name) != common.columns.end())
      kept.push_back(c);
  rows.keep(kept);
  starts = !common.end_only || rows.remembers();
  std::vector<bool> wanted(system.system.n() + system.system.r() + 1, false);
  for (const std::size_t c : kept) {
    using enum analyse::Role;
    const auto role = rows.columns()[c].role;
    if (role == time) continue;
    if ((role != base && role != fibre && role != action) || dynamics->m > 0) return {};
    wanted[c - 1] = true;
  }
  const bool some = std::find(wanted.begin(), wanted.end(), true) != wanted.end();
  return some ? wanted : std::vector<bool>{};
}

bool Members::Impl::keeps_promises() {
  if (!promises_are_identities()) return false;
  std::vector<std::string> names;
  for (const auto& invariant : system.system.invariants)
    for (const auto& symbol : symbolic::free_symbols(std::span(&invariant.value, 1))) names.emplace_back(symbol.name());
  std::vector<std::string> different;
  for (const auto& quantity : varying) different.push_back(quantity.name);
  for (const auto& name : common.expressions.followers(different)) different.push_back(name);
  for (const auto& name : different)
    if (std::find(names.begin(), names.end(), name) != names.end()) return false;
  if (common.settings.project && off_invariant(system.invariants, system.system, start, parameters)) return false;
  std::vector<std::string> unheard;
  system.require_truth(start, parameters, {}, unheard);
  return true;
}

bool Members::Impl::promises_are_identities() const {
  constexpr int values = 3;
  const auto promised = parameters_of_promises(system.system);
  std::vector<std::size_t> varied;
  for (std::size_t i = 0; i < varying.size(); ++i)
    if (varying[i].parameter && std::find(promised.begin(), promised.end(), place[i]) != promised.end())
      varied.push_back(place[i]);
  const std::span<const double> base(start.state.data(), system.system.n());
  std::vector<double> elsewhere = parameters;
  for (int k = 1; !varied.empty() && k <= values; ++k) {
    double shift = 0.0918 * k;
    for (const std::size_t at : varied) elsewhere[at] = parameters[at] * (1 + 0.137 * k) + (shift += 0.0573);
    if (broken_promise(system.system, elsewhere, base)) return false;
  }
  return true;
}

bool Members::Impl::regular_everywhere() const {
  std::vector<symbolic::Expr> symbols = system.equations.u;
  symbols.insert(symbols.end(), system.equations.l.begin(), system.equations.l.end());
  for (std::size_t i = 0; i < varying.size(); ++i)
    if (varying[i].parameter) symbols.push_back(system.system.parameters[place[i]].symbol);
  for (const auto& entry : system.equations.W.entries)
    for (const auto& symbol : symbols)
      if (symbolic::depends_on(entry, symbol)) return false;
  const kernel::Kernel& hessian = system.hessian;
  const std::vector<double> anywhere(hessian.variables());
  std::vector<double> blocks(hessian.outputs());
  std::vector<double> work(hessian.work_size());
  hessian(anywhere.data(), parameters.data(), blocks.data(), work.data());
  const std::size_t r = system.system.r();
  return plainly_regular(std::span(blocks).first(r * r), r);
}

void Members::Impl::find_places() {
  std::vector<std::string> parameter_names;
  for (const auto& parameter : system.system.parameters) parameter_names.emplace_back(parameter.symbol.name());
  const auto state = state_names(system.system, system.equations);
  for (const auto& quantity : varying) {
    const auto& names = quantity.parameter ? parameter_names : state;
    const auto it = std::find(names.begin(), names.end(), quantity.name);
    place.push_back(static_cast<std::size_t>(it - names.begin()));
    if (it != names.end()) continue;
    if (quantity.parameter) unknown_name("parameter", quantity.name, names);
    InitialState alone{{quantity.name, 0.0}};
    resolve_start(system.system, system.equations, alone);  // throws if there is no such initial value
    plain = false;
  }
}

void Members::Impl::find_pulses() {
  if (!plain || !method->adaptive || system.pulses.empty()) return;
  pulses = system.pulses.times(settings, parameters, start.t0);
  system.pulses.enter(settings, parameters, start.t0);
  for (std::size_t i = 0; i < varying.size(); ++i)
    pulses_vary = pulses_vary || (varying[i].parameter && system.pulses.depend_on(place[i]));
}

std::optional<Pulses::Peak> Members::Impl::pulse_between_steps(std::span<const double> values) const {
  std::vector<double> with = parameters;
  for (std::size_t i = 0; i < varying.size(); ++i)
    if (varying[i].parameter) with[place[i]] = values[i];
  return system.pulses.between_steps(settings, with, start.t0);
}

std::string Members::missed_pulse(std::size_t count, const Values& values) const {
  constexpr std::size_t looks = 64;
  const Impl& all = *impl_;
  if (count == 0 || all.system.pulses.empty() || all.common.settings.time_scale) return {};
  const auto matters = [&](std::size_t i) {
    return all.varying[i].parameter && all.system.pulses.depend_on(all.place[i]);
  };
  bool vary = false;
  for (std::size_t i = 0; i < all.varying.size(); ++i) vary = vary || matters(i);
  const std::size_t members = vary ? std::min(count, looks) : 1;
  std::optional<Pulses::Peak> narrowest;
  std::vector<double> given(all.varying.size());
  for (std::size_t j = 0; j < members; ++j) {
    values(members == 1 ? 0 : j * (count - 1) / (members - 1), given);
    const auto found = all.pulse_between_steps(given);
    if (found && (!narrowest || found->width < narrowest->width)) narrowest = found;
  }
  return narrowest ? Pulses::note(*narrowest, all.settings) : std::string{};
}

void Members::Impl::find_following() {
  const auto state = state_names(system.system, system.equations);
  const auto& expressions = common.expressions.list();
  for (std::size_t k = 0; k < expressions.size(); ++k) {
    if (!common.initial.contains(expressions[k].name)) continue;  // a value that is set has replaced the expression
    const auto it = std::find(state.begin(), state.end(), expressions[k].name);
    plain = plain && it != state.end();
    following.emplace_back(k, static_cast<std::size_t>(it - state.begin()));
  }
}

std::vector<std::size_t> Members::Impl::shared_rows(const analyse::Trajectory& run) const {
  std::vector<std::size_t> kept;
  if (run.rows() == 0 || !mechanics::has_jumps(system.system)) {
    kept.resize(run.rows());
    std::iota(kept.begin(), kept.end(), std::size_t{0});
    return kept;
  }
  const auto& times = run.columns.front().values;
  const auto shared = integrate::sample_times(settings, method->adaptive, times.front());
  const double rounding = 1e-9 * std::abs(shared.back() - shared.front());
  std::size_t row = 0;
  for (const double time : shared) {
    while (row < times.size() && times[row] < time - rounding) ++row;
    while (row + 1 < times.size() && times[row + 1] <= time + rounding) ++row;
    if (row < times.size() && std::abs(times[row] - time) <= rounding) kept.push_back(row);
  }
  if (kept.empty() || kept.back() + 1 != times.size()) kept.push_back(times.size() - 1);
  return kept;
}

}  // namespace herglotz::simulate
