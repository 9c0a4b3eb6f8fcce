#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "herglotz/error.hpp"
#include "herglotz/families/flat.hpp"
#include "herglotz/families/pictures.hpp"
#include "herglotz/families/presentation.hpp"
#include "herglotz/io/family_file.hpp"
#include "herglotz/mechanics/presentation.hpp"
#include "herglotz/report/indexed.hpp"
#include "models/studied.hpp"

namespace herglotz::studio {
namespace {

using Values = std::vector<std::pair<std::string, double>>;

/// Sets parameters, and the action and the time of the start. Every name is one of them.
void assign(families::Model& model, const Values& values) {
  for (const auto& [name, value] : values) {
    const auto parameter = std::find_if(model.parameters.begin(), model.parameters.end(),
                                        [&name = name](const auto& one) { return one.symbol.name() == name; });
    if (parameter != model.parameters.end())
      parameter->value = value;
    else
      (name == model.t.name() ? model.t0 : model.z0) = value;
  }
}

/// A model with an index.
class IndexedModel final : public Model {
 public:
  IndexedModel(std::string text, std::string file) : text_(std::move(text)), file_(std::move(file)) { read({}, {}); }

  Names set(const Wishes& wishes) override {
    Names others;
    Values values;
    Values starts;
    for (const auto& change : wishes.changes) {
      if (is_value(change.first))
        values.push_back(change);
      else if (io::set_start(*model_, change.first, change.second))
        starts.push_back(change);
      else
        others.push_back(assignment(change));
    }
    Names unknown = read_known(others, wishes.method);
    // The values of the text are those with which it was read just now, numbers of sites among them.
    model_->initial = initial_;
    assign(*model_, given_);
    assign(*model_, values);
    changed_.clear();
    for (const auto& start : starts) {
      // With fewer sites, which is said as of a text.
      if (!io::set_start(*model_, start.first, start.second)) {
        others.push_back(assignment(start));
        read_known(others, wishes.method);
      }
      changed_.push_back(start.first);
    }
    newest_ = wishes.newest;
    columns_ = wishes.columns;
    return unknown;
  }

  [[nodiscard]] std::size_t readings() const override { return readings_; }
  Studied run(const GoOn& go_on) override { return studied(with_consistent_start(go_on)); }
  /// Runs are made for one duration: a beginning is a run that is stopped.
  std::optional<Studied> beginning(double share, const GoOn& go_on) override {
    bool stopped = false;
    const auto until = [&](double fraction) {
      stopped = fraction >= share && fraction < 1;
      return !stopped && go_on(fraction);
    };
    families::FieldRun run = with_consistent_start(until);
    if (!stopped || run.trajectory.rows() < 2) return std::nullopt;
    const double reached = run.trajectory.columns.front().values.back();
    Studied begun = studied(std::move(run));
    begun.part = (reached - model_->t0) / (model_->settings.t_end - model_->t0);
    return begun;
  }

  [[nodiscard]] report::LiveRun page_of(const Studied& studied, std::size_t rows) const override {
    return report::page_of(studied.shown, *studied.indexed, with_its_values(studied), rows, studied.part);
  }
  [[nodiscard]] std::string report_of(const Studied& studied) const override {
    return report::render(studied.shown, *studied.indexed, with_its_values(studied));
  }
  [[nodiscard]] std::function<std::string()> equations() const override {
    return [own = std::make_shared<families::Model>(io::parse_family_model(text_, file_, others_))] {
      return mechanics::render(families::presentation(*own), symbolic::Format::latex);
    };
  }

 private:
  static std::string assignment(const std::pair<std::string, double>& change) {
    return fmt::format("{}={:.17g}", change.first, change.second);
  }

  families::FieldRun followed(const GoOn& go_on) { return loops_ ? loops_->run(go_on) : written_out_->run(go_on); }

  /// A start that changed values lead off the constraints is moved onto them, as of a model without an index.
  families::FieldRun with_consistent_start(const GoOn& go_on) {
    if (model_->constraints.empty() || changed_.empty()) return followed(go_on);
    auto run = run_if_consistent(go_on);
    const simulate::Settings given = model_->settings;
    model_->settings.project = true;
    for (const Names& held : {changed_, newest_, Names()}) {
      if (run) break;
      model_->settings.fixed = given.fixed;
      for (const std::string& name : held)
        if (std::find(changed_.begin(), changed_.end(), name) != changed_.end()) model_->settings.fixed.push_back(name);
      run = run_if_consistent(go_on);
    }
    model_->settings = given;
    return run ? std::move(*run) : followed(go_on);
  }
  /// Returns `std::nullopt` if the run does not accept its start.
  std::optional<families::FieldRun> run_if_consistent(const GoOn& go_on) {
    try {
      families::FieldRun run = followed(go_on);
      if (run.trajectory.rows() > 0 || !go_on(0)) return run;
    } catch (const Refused& refused) {
      if (refused.where() != "[initial]") throw;
    }
    return std::nullopt;
  }

  /// Returns a run with its curves.
  [[nodiscard]] Studied studied(families::FieldRun run) const {
    Studied result{families::with_curves(*model_, run, columns_)};
    result.indexed = std::move(run);
    result.view = view_;
    return result;
  }

  /// Returns whether runs follow another value of a name without being derived and compiled again.
  [[nodiscard]] bool is_value(const std::string& name) const {
    const bool parameter = std::any_of(model_->parameters.begin(), model_->parameters.end(),
                                       [&](const auto& one) { return one.symbol.name() == name; });
    const bool count = std::find(model_->counts.begin(), model_->counts.end(), name) != model_->counts.end();
    return (parameter && !count) || name == model_->z.name() || name == model_->t.name();
  }

  /// Reads the text with those assignments whose names it knows, if it was not read with them before. Returns the names
  /// of the others.
  Names read_known(Names assignments, const std::string& method) {
    if (assignments == others_ && method == method_) return {};
    Names unknown;
    try {
      read(assignments, method);
    } catch (const io::InputError&) {
      std::erase_if(assignments, [&](const std::string& one) {
        const bool known = knows(one);
        if (!known) unknown.push_back(one.substr(0, one.find('=')));
        return !known;
      });
      if (unknown.empty()) throw;
      if (assignments != others_ || method != method_) read(assignments, method);
    }
    return unknown;
  }

  /// Returns whether the text has the name of an assignment.
  [[nodiscard]] bool knows(const std::string& assignment) const {
    try {
      static_cast<void>(io::parse_family_model(text_, file_, {assignment}));
    } catch (const io::UnknownName&) {
      return false;
    } catch (const io::InputError&) {  // the name is known, and its value or the text is wrong
      return true;
    }
    return true;
  }

  /// Reads the text with assignments, and makes what runs it. What was read before stays if it throws.
  void read(const Names& assignments, const std::string& method) {
    auto view = std::make_shared<io::FamilyView>(io::parse_family_view(text_, file_, assignments));
    auto model = std::make_unique<families::Model>(io::parse_family_model(text_, file_, assignments));
    if (!method.empty()) model->settings.method = method;
    std::unique_ptr<families::Runs> loops;
    std::unique_ptr<families::FlatRuns> written_out;
    // Without constraints it does not depend on the number of sites, and to ask costs as much as to derive the motion.
    const bool in_loops = loops_ && method == method_ && model->constraints.empty();
    if (in_loops || families::runs_in_loops(*model))
      loops = std::make_unique<families::Runs>(*model);
    else
      written_out = std::make_unique<families::FlatRuns>(*model);
    loops_ = std::move(loops);
    written_out_ = std::move(written_out);
    model_ = std::move(model);
    view_ = std::move(view);
    if (readings_ == 0 || others_ != assignments) ++readings_;
    others_ = assignments;
    method_ = method;
    initial_ = model_->initial;
    given_ = {{std::string(model_->z.name()), model_->z0}, {std::string(model_->t.name()), model_->t0}};
    for (const auto& parameter : model_->parameters) given_.emplace_back(parameter.symbol.name(), parameter.value);
  }

  /// Returns the view of a run, which has its values of the parameters.
  static io::FamilyView& with_its_values(const Studied& studied) {
    assign(studied.view->model, studied.shown.facts.parameters);
    return *studied.view;
  }

  std::string text_;
  std::string file_;
  Names others_;  ///< assignments with which the text was read
  std::size_t readings_ = 0;
  std::string method_;  ///< for which the runs were made
  std::unique_ptr<families::Model> model_;
  std::shared_ptr<io::FamilyView> view_;
  std::unique_ptr<families::Runs> loops_;
  std::unique_ptr<families::FlatRuns> written_out_;
  Values given_;                                     ///< parameters, action and time of the text
  std::map<std::size_t, families::Values> initial_;  ///< starts of the text
  Names changed_;                                    ///< coordinates at single sites whose start is another one
  Names newest_;
  Names columns_;
};

}  // namespace

std::unique_ptr<Model> indexed_model(const std::string& text, const std::string& file) {
  return std::make_unique<IndexedModel>(text, file);
}

}  // namespace herglotz::studio
