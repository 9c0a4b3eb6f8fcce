#include "herglotz/simulate/members.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "herglotz/error.hpp"
#include "herglotz/integrate/lanes.hpp"
#include "herglotz/mechanics/events/jumps.hpp"
#include "invariants.hpp"
#include "promises.hpp"
#include "settings.hpp"
#include "simulator_impl.hpp"

namespace herglotz::simulate {
namespace {

/// Returns whether elimination of W (r x r, row by row) finds no small pivot. If so, W can be inverted.
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

/// Returns the common data of the members with the initial values that expressions give.
Common evaluated(const mechanics::System& system, Common common, const std::vector<Varying>& varying) {
  for (const auto& quantity : varying)
    if (!quantity.parameter) common.expressions.erase(quantity.name);
  common.expressions.apply(system, common.parameters, common.initial, common.next);
  return common;
}

std::vector<std::string> columns_asked_for(const Common& common) {
  std::vector<std::string> names = common.settings.columns;
  names.insert(names.end(), common.columns.begin(), common.columns.end());
  return names;
}

}  // namespace

struct Members::Impl {
  const Simulator& simulator;
  const Simulator::Impl& system;
  Common common;
  std::vector<Varying> varying;
  Start start;                     ///< with the common initial values
  std::vector<double> parameters;  ///< common values
  std::string reason;
  integrate::Settings settings;  // resolve_settings also writes `reason`
  const integrate::MethodInfo* method = nullptr;
  const integrate::Dynamics* dynamics = nullptr;
  RowMaker rows;
  bool starts = true;  ///< true if first rows are needed
  /// Place of each varying quantity among the parameters, or in the state.
  std::vector<std::size_t> place;
  /// Expressions of initial values, each with its place in the state.
  std::vector<std::pair<std::size_t, std::size_t>> following;
  /// True if a start is the state itself: there are no momenta to invert, no events to watch, no switches to locate, no
  /// time scale, and no final set that may be another for other parameters.
  bool plain = true;
  bool regular = false;                              ///< true if W is known to be invertible at all starts
  std::optional<integrate::Dynamics> wide;           ///< set if runs go in lanes
  std::optional<integrate::DeviceMotion> on_device;  ///< set if a device takes the steps
  int lanes = 1;                                     ///< runs at a time

  Impl(const Simulator& given, const Simulator::Impl& inside, Common shared, std::vector<Varying> quantities,
       int most_lanes, const compile::Device* device)
      : simulator(given),
        system(inside),
        common(evaluated(inside.system, std::move(shared), quantities)),
        varying(std::move(quantities)),
        start(resolve_start(system.system, system.equations, system.without_redundant(common.initial))),
        parameters(resolve_parameters(system.system, common.parameters)),
        settings(resolve_settings(system.system, common.settings, system.discrete, start.t0, system.columns(), reason)),
        method(integrate::find_method(settings.method)),
        dynamics(&system.dynamics_for(*method)),
        rows(system.row_maker(parameters, columns_asked_for(common))) {
    plain = !start.momenta && common.next.empty() && !common.settings.time_scale && system.system.events.empty() &&
            system.redundant().empty() && !system.switches && !system.singular;
    find_places();
    find_following();
    plain = plain && keeps_promises();
    const auto wanted = keep_columns();
    regular = plain && regular_everywhere();
    if (device != nullptr) {
      require_for_device(*device, *method, *dynamics, settings, plain);
      on_device = system.on_device(*device, method->order, wanted);
      lanes = static_cast<int>(on_device->loop.width());
      return;
    }
    if (!plain || most_lanes == 1) return;
    integrate::Dynamics candidate = system.wide(*method, most_lanes, wanted);
    if (!integrate::runs_in_lanes(candidate, settings)) return;
    lanes = integrate::lanes_at_once(candidate, settings);
    wide = std::move(candidate);
  }

  /// Tells the row maker which columns are kept. Returns which entries of (x, w, z) are kept, or `{}` if all columns
  /// are kept or a kept column needs more than (x, w, z).
  std::vector<bool> keep_columns() {
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

  /// Returns whether the promised axioms, and the invariants of the common start, hold for all members.
  [[nodiscard]] bool keeps_promises() {
    if (!promises_are_identities()) return false;
    std::vector<std::string> names;
    for (const auto& invariant : system.system.invariants)
      for (const auto& symbol : symbolic::free_symbols(std::span(&invariant.value, 1)))
        names.emplace_back(symbol.name());
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

  /// Returns whether the promised axioms hold for all values of the varying parameters. The axioms are analytic in
  /// these parameters, so an axiom that holds at a few values in general position is an identity.
  [[nodiscard]] bool promises_are_identities() const {
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

  /// Returns whether W is the same invertible matrix for all members.
  [[nodiscard]] bool regular_everywhere() const {
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

  void find_places() {
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

  void find_following() {
    const auto state = state_names(system.system, system.equations);
    const auto& expressions = common.expressions.list();
    for (std::size_t k = 0; k < expressions.size(); ++k) {
      if (!common.initial.contains(expressions[k].name)) continue;  // a value that is set has replaced the expression
      const auto it = std::find(state.begin(), state.end(), expressions[k].name);
      plain = plain && it != state.end();
      following.emplace_back(k, static_cast<std::size_t>(it - state.begin()));
    }
  }

  std::vector<std::size_t> shared_rows(const analyse::Trajectory& run) const {
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
};

/// Runs of members in one thread.
class Members::Run {
 public:
  Run(const Impl& members, const Values& values, const Results& results, const std::function<bool()>& proceed)
      : members_(members),
        values_(values),
        results_(results),
        proceed_(proceed),
        settings_(members.settings),
        rows_(members.rows),
        start_(members.start),
        parameters_(members.parameters),
        given_(members.varying.size()),
        point_(members.system.hessian.variables()),
        blocks_(members.system.hessian.outputs()),
        work_(members.system.hessian.work_size()) {
    settings_.proceed = proceed;
  }

  /// Runs all members that `next` names. Returns false if the runs were stopped.
  bool operator()(const Next& next) {
    if (members_.wide || members_.on_device) return in_lanes(next);
    for (std::size_t k = 0; next(k);)
      if (!alone(k)) return false;
    return true;
  }

 private:
  /// Run under way in a lane.
  struct Underway {
    RowMaker rows;
    std::size_t k = 0;
    std::size_t index = 0;
  };

  bool in_lanes(const Next& next) {
    // Runs are identified by their places in `underway`; free places are reused.
    std::vector<Underway> underway(static_cast<std::size_t>(members_.lanes), Underway{members_.rows});
    std::vector<std::size_t> free(underway.size());
    std::iota(free.begin(), free.end(), std::size_t{0});
    bool stopped = false;
    integrate::LaneRuns runs;
    runs.next = [&](std::size_t& place, std::span<double> parameters, double& t0, std::span<double> state) {
      for (std::size_t k = 0;;) {
        stopped = stopped || !those_left_over();
        if (stopped || !next(k)) return false;
        take(k);
        if (!startable() || !consistent()) {
          left_over_.push_back(k);
          continue;
        }
        t0 = start_.t0;
        std::copy(parameters_.begin(), parameters_.end(), parameters.begin());
        std::copy(start_.state.begin(), start_.state.end(), state.begin());
        place = free.back();
        free.pop_back();
        Underway& run = underway[place];
        run.rows.restart(parameters_);
        run.k = k;
        run.index = 0;
        return true;
      }
    };
    runs.sample = [&](std::size_t place, const integrate::Sample& sample) {
      Underway& run = underway[place];
      run.rows.make(sample);
      results_.row(run.k, run.index++, run.rows.row());
      return sample.t == start_.t0 || !proceed_ || proceed_();  // a start counts as no progress
    };
    runs.starts = members_.starts;
    runs.proceed = proceed_;
    runs.done = [&](std::size_t place, bool well, std::size_t steps) {
      const Underway& run = underway[place];
      free.push_back(place);
      if (well)
        results_.done(run.k, run.index, steps, {});
      else
        left_over_.push_back(run.k);
    };
    const bool followed =
        members_.on_device
            ? integrate::integrate_on_device(*members_.dynamics, *members_.on_device, members_.settings, runs)
            : integrate::integrate_lanes(*members_.dynamics, *members_.wide, members_.settings, runs);
    return followed && !stopped && those_left_over();
  }

  /// Runs each member that did not succeed in a lane alone. Returns false if the runs were stopped.
  bool those_left_over() {
    while (!left_over_.empty()) {
      const std::size_t k = left_over_.back();
      left_over_.pop_back();
      if (!alone(k)) return false;
    }
    return true;
  }

  bool alone(std::size_t k) {
    take(k);
    return members_.plain ? directly(k) : by_name(k);
  }

  void take(std::size_t k) {
    values_(k, given_);
    if (!members_.plain) return;
    start_.state = members_.start.state;
    for (std::size_t i = 0; i < given_.size(); ++i)
      (members_.varying[i].parameter ? parameters_ : start_.state)[members_.place[i]] = given_[i];
    if (members_.following.empty()) return;
    std::vector<double> point = start_.state;
    point.push_back(start_.t0);
    point.resize(members_.common.expressions.point_size(), 0.0);
    for (const auto& [expression, place] : members_.following)
      point[place] = start_.state[place] = members_.common.expressions.value(expression, point, parameters_);
  }

  /// Moves a start onto the constraints, as integrate() does. Returns false if that fails.
  bool consistent() {
    constexpr double rounded = 1e-10;
    if (members_.dynamics->m == 0) return true;
    auto projected = integrate::project(*members_.dynamics, parameters_, start_.t0, start_.state);
    if (projected.status != integrate::Status::success || !(projected.defect <= rounded)) return false;
    start_.state = std::move(projected.state);
    return true;
  }

  bool directly(std::size_t k) {
    if (!startable()) return by_name(k);
    rows_.restart(parameters_);
    std::size_t index = 0;
    const auto sink = [&](const integrate::Sample& sample) {
      if (!rows_.make(sample)) return false;
      results_.row(k, index++, rows_.row());
      return !proceed_ || proceed_();
    };
    const auto outcome =
        integrate::integrate(*members_.dynamics, parameters_, start_.t0, start_.state, settings_, sink);
    if (outcome.status == integrate::Status::cancelled && rows_.broken().empty()) return false;
    if (outcome.status != integrate::Status::success) return by_name(k);
    results_.done(k, index, outcome.steps, {});
    return true;
  }

  /// Returns whether quick checks of the start find nothing wrong: its values are finite and W is plainly regular.
  bool startable() {
    const auto finite = [](double value) { return std::isfinite(value); };
    if (!std::all_of(given_.begin(), given_.end(), finite)) return false;
    if (!members_.following.empty() && !std::all_of(start_.state.begin(), start_.state.end(), finite)) return false;
    if (members_.regular) return true;
    const auto& system = members_.system;
    load_point();
    system.hessian(point_.data(), parameters_.data(), blocks_.data(), work_.data());
    const std::size_t r = system.system.r();
    return plainly_regular(std::span(blocks_).first(r * r), r);
  }

  /// Copies (x, w, z, t, l) of the start into `point_`, with l = nu or 0.
  void load_point() {
    const auto base = static_cast<std::ptrdiff_t>(members_.system.system.n() + members_.system.system.r() + 1);
    const auto& state = start_.state;
    auto at = std::copy_n(state.begin(), base, point_.begin());
    *at++ = start_.t0;
    at = std::copy(state.begin() + base, state.end(), at);
    std::fill(at, point_.end(), 0.0);
  }

  /// Runs a member by Simulator::run. This serves starts that have to be found, and failures that need a sentence.
  bool by_name(std::size_t k) {
    InitialState initial = members_.common.initial;
    InitialState parameters = members_.common.parameters;
    for (std::size_t i = 0; i < given_.size(); ++i)
      (members_.varying[i].parameter ? parameters : initial)[members_.varying[i].name] = given_[i];
    // Members share their schedule, so the default rows of a run that ends early must not be adapted to it.
    Settings settings = members_.common.settings;
    if (!settings.output_every && !settings.output_step && settings.output_times.empty()) {
      const integrate::Schedule& schedule = members_.settings.schedule;
      if (schedule.every > 0) settings.output_every = schedule.every;
      if (schedule.interval > 0) settings.output_step = schedule.interval;
    }
    bool stopped = false;
    const auto progress = [&](double) {
      stopped = proceed_ && !proceed_();
      return !stopped;
    };
    std::string failure;
    analyse::Trajectory run;
    try {
      InitialState next = members_.common.next;
      members_.common.expressions.apply(members_.system.system, parameters, initial, next);
      run = members_.simulator.run(initial, settings, parameters, progress, next);
    } catch (RunFailed& failed) {
      failure = failed.what();
      run = std::move(failed.partial);
    } catch (const Refused& refused) {
      failure = refused.what();
    }
    if (stopped) return false;
    const std::vector<std::size_t> kept = members_.shared_rows(run);
    std::vector<double> row(run.columns.size());
    for (std::size_t index = 0; index < kept.size(); ++index) {
      for (std::size_t c = 0; c < row.size(); ++c) row[c] = run.columns[c].values[kept[index]];
      results_.row(k, index, row);
    }
    results_.done(k, kept.size(), run.facts.steps, failure);
    return true;
  }

  const Impl& members_;
  const Values& values_;
  const Results& results_;
  const std::function<bool()>& proceed_;
  integrate::Settings settings_;
  RowMaker rows_;
  Start start_;
  std::vector<double> parameters_;
  std::vector<double> given_;
  std::vector<std::size_t> left_over_;
  std::vector<double> point_;
  std::vector<double> blocks_;
  std::vector<double> work_;
};

Members::Members(const Simulator& simulator, Common common, std::vector<Varying> varying, int lanes,
                 const std::shared_ptr<const compile::Device>& device)
    : impl_(std::make_unique<Impl>(simulator, *simulator.impl_, std::move(common), std::move(varying), lanes,
                                   device.get())) {}
Members::~Members() = default;
Members::Members(Members&&) noexcept = default;
Members& Members::operator=(Members&&) noexcept = default;

const std::vector<analyse::Column>& Members::columns() const {
  return impl_->rows.columns();
}
const integrate::MethodInfo& Members::method() const {
  return *impl_->method;
}
const std::string& Members::method_reason() const {
  return impl_->reason;
}
int Members::order() const {
  return integrate::order_of(*impl_->method, impl_->settings);
}
int Members::lanes() const {
  return impl_->lanes;
}
std::vector<double> Members::times() const {
  return integrate::sample_times(impl_->settings, impl_->method->adaptive, impl_->start.t0);
}

std::vector<std::size_t> Members::shared_rows(const analyse::Trajectory& run) const {
  return impl_->shared_rows(run);
}

bool Members::run(const Next& next, const Values& values, const Results& results,
                  const std::function<bool()>& proceed) const {
  return Run(*impl_, values, results, proceed)(next);
}

bool Members::run(std::size_t count, const Values& values, const Results& results,
                  const std::function<bool()>& proceed) const {
  std::size_t taken = 0;
  const auto next = [&](std::size_t& k) {
    k = taken;
    return taken++ < count;
  };
  return run(next, values, results, proceed);
}

}  // namespace herglotz::simulate
