#include "herglotz/simulate/members.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "herglotz/analyse/run_facts.hpp"
#include "herglotz/error.hpp"
#include "members/members_impl.hpp"

namespace herglotz::simulate {

namespace {

/// Returns the largest |value|; NaN if a value is not a number.
double largest_of(const std::vector<double>& values) {
  double largest = 0;
  for (const double value : values) {
    if (std::isnan(value)) return value;
    largest = std::max(largest, std::abs(value));
  }
  return largest;
}

}  // namespace

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
    std::size_t lane = 0;  ///< where its rows are made in lanes
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
        if (!members_.lane_rows) run.rows.restart(parameters_);
        run.k = k;
        run.index = 0;
        return true;
      }
    };
    integrate::SampleReceiver receiver;
    receiver.one = [&](std::size_t place, const integrate::Sample& sample) {
      Underway& run = underway[place];
      run.rows.make(sample);
      results_.row(run.k, run.index++, run.rows.row());
      return sample.t == start_.t0 || !proceed_ || proceed_();  // a start counts as no progress
    };
    std::vector<LaneRows> lane_rows;
    std::vector<std::size_t> numbers;
    if (members_.lane_rows) {
      receiver.lanes = members_.lane_rows->lanes();
      lane_rows.assign(underway.size() / receiver.lanes, *members_.lane_rows);
      numbers.resize(receiver.lanes);
      receiver.together = [&](const integrate::LaneSamples& samples) {
        LaneRows& rows = lane_rows[samples.first / samples.runs.size()];
        const bool wanted = samples.last || !members_.common.end_only;
        wanted ? rows.make(samples) : rows.follow(samples);
        std::size_t index = 0;
        for (std::size_t l = 0; l < numbers.size(); ++l) {
          Underway& run = underway[samples.runs[l]];
          numbers[l] = run.k;
          if ((samples.lanes >> l & 1U) == 0) continue;  // an idle lane has a run that may be in another lane by now
          run.lane = samples.first + l;
          index = run.index++;
        }
        if (wanted) hand_over({numbers, samples.lanes, index, rows.rows()});
        return samples.fresh || !proceed_ || proceed_();
      };
    }
    runs.sample = std::move(receiver);
    runs.starts = members_.starts;
    runs.proceed = proceed_;
    runs.done = [&](std::size_t place, bool well, std::size_t steps) {
      const Underway& run = underway[place];
      free.push_back(place);
      if (well)
        results_.done(run.k, {run.index,
                              steps,
                              {},
                              lane_rows.empty()
                                  ? run.rows.largest_residuals()
                                  : lane_rows[run.lane / numbers.size()].largest_residuals(run.lane % numbers.size())});
      else
        left_over_.push_back(run.k);
    };
    const bool followed =
        members_.on_device
            ? integrate::integrate_on_device(*members_.dynamics, *members_.on_device, members_.settings, runs)
            : integrate::integrate_lanes(*members_.dynamics, *members_.wide, members_.settings, runs);
    return followed && !stopped && those_left_over();
  }

  /// Passes the rows of members on, one by one if nobody takes them together.
  void hand_over(const Rows& rows) {
    if (results_.rows && results_.rows(rows)) return;
    const std::size_t lanes = rows.members.size();
    row_.resize(rows.values.size() / lanes);
    for (std::size_t l = 0; l < lanes; ++l) {
      if ((rows.lanes >> l & 1U) == 0) continue;
      for (std::size_t c = 0; c < row_.size(); ++c) row_[c] = rows.values[c * lanes + l];
      results_.row(rows.members[l], rows.index, row_);
    }
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
    results_.done(k, {index, outcome.steps, {}, rows_.largest_residuals()});
    return true;
  }

  /// Returns whether quick checks of the start find nothing wrong: its values are finite and W is plainly regular.
  bool startable() {
    const auto finite = [](double value) { return std::isfinite(value); };
    if (!std::all_of(given_.begin(), given_.end(), finite)) return false;
    if (!members_.following.empty() && !std::all_of(start_.state.begin(), start_.state.end(), finite)) return false;
    if (members_.pulses_vary && members_.system.pulses.times(settings_, parameters_, start_.t0) != members_.pulses)
      return false;
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
    settings.columns = columns_asked_for(members_.common);
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
    End end{kept.size(), run.facts.steps, failure};
    if (run.rows() != 0) {
      for (const auto& [column, largest] : analyse::largest_residuals(run.facts))
        end.largest_residuals.push_back(largest);
      for (const auto& column : run.columns)
        if (column.role == analyse::Role::residual && column.name == volume_residual_column)
          end.largest_residuals.push_back(largest_of(column.values));
    }
    results_.done(k, end);
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
  std::vector<double> row_;
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
  return impl_->columns;
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
