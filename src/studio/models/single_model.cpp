#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "herglotz/error.hpp"
#include "herglotz/io/family_file.hpp"
#include "herglotz/io/model_file.hpp"
#include "herglotz/io/setting.hpp"
#include "herglotz/mechanics/presentation.hpp"
#include "herglotz/report/report.hpp"
#include "herglotz/simulate/clone.hpp"
#include "herglotz/simulate/simulate.hpp"
#include "models/studied.hpp"

namespace herglotz::studio {
namespace {

/// Returns whether a start can be moved with this coordinate held.
bool is_coordinate(const mechanics::System& system, const std::string& name) {
  const auto has = [&](const std::vector<symbolic::Expr>& list) {
    return std::any_of(list.begin(), list.end(), [&](const symbolic::Expr& one) { return one.name() == name; });
  };
  return has(system.algebroid.x) || has(system.w());
}

/// A model without an index.
class SingleModel final : public Model {
 public:
  SingleModel(const std::string& text, const std::string& file)
      : given_(io::parse_model(text, file)),
        asked_(given_),
        simulator_(given_.system, {}, given_.initial, given_.discrete),
        pages_(text) {}

  /// Columns are not chosen: every column is a curve.
  Names set(const Wishes& wishes) override {
    Names unknown;
    Names assignments;
    asked_ = given_;
    changed_.clear();
    for (const auto& [name, value] : wishes.changes) {
      if (io::is_setting(given_, name)) {
        changed_.push_back(name);
        assignments.push_back(fmt::format("{}={:.17g}", name, value));
      } else {
        unknown.push_back(name);
      }
    }
    assign(assignments);
    newest_ = wishes.newest;
    if (!wishes.method.empty()) asked_.settings.method = wishes.method;
    return unknown;
  }

  Studied run(const GoOn& go_on) override {
    Studied studied{.shown = with_consistent_start(asked_, go_on)};
    const analyse::Trajectory& run = studied.shown;
    if (run.rows() > 1) {
      const auto& time = run[asked_.system.t.name()];
      between_rows_ = std::abs(time.back() - time.front()) / static_cast<double>(run.rows() - 1);
    }
    return studied;
  }

  std::optional<Studied> beginning(double share, const GoOn& go_on) override {
    simulate::Problem begun = asked_;
    if (!begun.settings.output_times.empty()) return std::nullopt;
    const auto given = begun.initial.find(std::string(begun.system.t.name()));
    const double t0 = given == begun.initial.end() ? 0 : given->second;
    const double duration = begun.settings.t_end - t0;
    double length = share * duration;
    if (const auto& step = begun.settings.step)
      length = std::copysign(std::max(1.0, std::floor(std::abs(length) / *step)) * *step, length);
    begun.settings.t_end = t0 + length;
    keep_rows_apart(begun.settings);
    double done = 0;
    Studied studied{.shown = with_consistent_start(begun, [&](double fraction) { return go_on(done = fraction); }),
                    .part = length / duration};
    // An event that ended it ends the whole run too.
    if (!studied.shown.facts.complete || done < 1) return std::nullopt;
    return studied;
  }

  [[nodiscard]] report::LiveRun page_of(const Studied& studied, std::size_t rows) const override {
    return pages_.page_of(studied.shown, rows);
  }
  [[nodiscard]] std::string report_of(const Studied& studied) const override { return report::render(studied.shown); }
  [[nodiscard]] std::function<std::string()> equations() const override {
    return [own = std::make_shared<simulate::Problem>(simulate::clone(given_))] {
      const simulate::Simulator derived(own->system, {.backend = compile::Backend::interpreter}, own->initial,
                                        own->discrete);
      return mechanics::render(mechanics::equations_of_motion(derived.system(), derived.equations()),
                               symbolic::Format::latex);
    };
  }

 private:
  /// Lets the rows of a beginning lie as far apart as those of the latest whole run: a run whose rows are not asked for
  /// has a number of them, whatever its duration.
  void keep_rows_apart(simulate::Settings& settings) const {
    if (settings.output_every || settings.output_step || between_rows_ == 0) return;
    if (settings.step)
      settings.output_every = static_cast<std::size_t>(std::max(1.0, std::round(between_rows_ / *settings.step)));
    else
      settings.output_step = between_rows_;
  }

  /// Sets values. Some may be allowed only with the others, as in a start sqrt(b^2 - a^2): those are set again last.
  void assign(const Names& assignments) {
    Names refused;
    for (const std::string& one : assignments) {
      try {
        io::apply_setting(asked_, one);
      } catch (const io::InputError&) {
        refused.push_back(one);
      }
    }
    for (const std::string& one : refused) io::apply_setting(asked_, one);
  }

  /// A start that changed values lead off the constraints is moved onto them: with all changed coordinates held if that
  /// is possible, else with those that were changed last, else with none.
  analyse::Trajectory with_consistent_start(const simulate::Problem& problem, const GoOn& go_on) {
    auto trajectory = run_if_consistent(problem, go_on);
    simulate::Problem moved = problem;
    moved.settings.project = true;
    for (const Names& held : {changed_, newest_, Names()}) {
      if (trajectory || changed_.empty()) break;
      moved.settings.fixed = problem.settings.fixed;
      for (const std::string& name : held)
        if (is_coordinate(problem.system, name)) moved.settings.fixed.push_back(name);
      trajectory = run_if_consistent(moved, go_on);
    }
    return trajectory ? std::move(*trajectory) : followed(problem, go_on);
  }
  /// Returns `std::nullopt` if the run does not accept its start.
  std::optional<analyse::Trajectory> run_if_consistent(const simulate::Problem& problem, const GoOn& go_on) {
    try {
      analyse::Trajectory trajectory = followed(problem, go_on);
      if (trajectory.rows() > 0 || !go_on(0)) return trajectory;
    } catch (const Refused& refused) {
      if (refused.where() != "[initial]") throw;
    }
    return std::nullopt;
  }

  /// A run as far as it came.
  analyse::Trajectory followed(const simulate::Problem& problem, const GoOn& go_on) {
    simulate::InitialState parameters;
    for (const auto& parameter : problem.system.parameters)
      parameters[std::string(parameter.symbol.name())] = parameter.value;
    try {
      return simulator_.run(problem.initial, problem.settings, parameters, go_on, problem.next);
    } catch (simulate::RunFailed& failed) {
      return std::move(failed.partial);
    }
  }

  simulate::Problem given_;
  simulate::Problem asked_;
  Names changed_;
  Names newest_;
  double between_rows_ = 0;  ///< time between the rows of the latest whole run
  simulate::Simulator simulator_;
  report::RunPages pages_;
};

}  // namespace

std::unique_ptr<Model> single_model(const std::string& text, const std::string& file) {
  return std::make_unique<SingleModel>(text, file);
}

std::unique_ptr<Model> read_model(const std::string& text, const std::string& file) {
  return io::states_families(text, file) ? indexed_model(text, file) : single_model(text, file);
}

}  // namespace herglotz::studio
