#include <fmt/format.h>

#include <algorithm>

#include "herglotz/error.hpp"
#include "herglotz/io/family_file.hpp"
#include "herglotz/io/model_file.hpp"
#include "herglotz/mechanics/presentation.hpp"
#include "herglotz/report/report.hpp"
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
  SingleModel(const std::string& text, simulate::Problem problem)
      : given_(std::move(problem)),
        asked_(given_),
        simulator_(given_.system, {}, given_.initial, given_.discrete),
        pages_(text) {}

  void set(const Wishes& wishes) override {
    asked_ = given_;
    changed_.clear();
    for (const auto& [name, value] : wishes.changes) {
      io::apply_setting(asked_, fmt::format("{}={:.17g}", name, value));
      changed_.push_back(name);
    }
    newest_ = wishes.newest;
    if (!wishes.method.empty()) asked_.settings.method = wishes.method;
    if (!wishes.columns.empty())
      throw Refused("the model has no index, and every column is a curve", "ask for no columns", "columns");
  }

  /// A start that changed values lead off the constraints is moved onto them: with all changed coordinates held if that
  /// is possible, else with those that were changed last, else with none.
  Studied run(const GoOn& go_on) override {
    auto trajectory = run_if_consistent(asked_, go_on);
    simulate::Problem moved = asked_;
    moved.settings.project = true;
    for (const Names& held : {changed_, newest_, Names()}) {
      if (trajectory || changed_.empty()) break;
      moved.settings.fixed = asked_.settings.fixed;
      for (const std::string& name : held)
        if (is_coordinate(asked_.system, name)) moved.settings.fixed.push_back(name);
      trajectory = run_if_consistent(moved, go_on);
    }
    return {trajectory ? std::move(*trajectory) : followed(asked_, go_on)};
  }

  [[nodiscard]] report::LiveRun page_of(const Studied& studied, std::size_t rows) const override {
    return pages_.page_of(studied.shown, rows);
  }
  [[nodiscard]] std::string report_of(const Studied& studied) const override { return report::render(studied.shown); }
  std::string equations() override {
    return mechanics::render(mechanics::equations_of_motion(simulator_.system(), simulator_.equations()),
                             symbolic::Format::latex);
  }

 private:
  /// Returns `std::nullopt` if the run does not accept its start.
  std::optional<analyse::Trajectory> run_if_consistent(const simulate::Problem& problem, const GoOn& go_on) {
    try {
      analyse::Trajectory trajectory = followed(problem, go_on);
      if (trajectory.rows() > 0 || !go_on()) return trajectory;
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
      return simulator_.run(
          problem.initial, problem.settings, parameters, [&](double) { return go_on(); }, problem.next);
    } catch (simulate::RunFailed& failed) {
      return std::move(failed.partial);
    }
  }

  simulate::Problem given_;
  simulate::Problem asked_;
  Names changed_;
  Names newest_;
  simulate::Simulator simulator_;
  report::RunPages pages_;
};

}  // namespace

std::unique_ptr<Model> single_model(const std::string& text, const std::string& file) {
  return std::make_unique<SingleModel>(text, io::parse_model(text, file));
}

std::unique_ptr<Model> read_model(const std::string& text, const std::string& file) {
  return io::states_families(text, file) ? indexed_model(text, file) : single_model(text, file);
}

}  // namespace herglotz::studio
