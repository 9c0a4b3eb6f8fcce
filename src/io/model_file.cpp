#include "herglotz/io/model_file.hpp"

#include <algorithm>
#include <set>

#include "herglotz/io/plan_file.hpp"
#include "herglotz/io/problem_file.hpp"
#include "herglotz/io/view.hpp"
#include "herglotz/symbolic/names.hpp"
#include "herglotz/symbolic/parser.hpp"
#include "model/algebroid_table.hpp"
#include "model/constrained_table.hpp"
#include "model/constraints_table.hpp"
#include "model/discrete_table.hpp"
#include "model/initial_table.hpp"
#include "model/inputs_table.hpp"
#include "model/settings_table.hpp"
#include "model/sweep_table.hpp"
#include "model/swept_setting.hpp"
#include "model/vocabulary.hpp"
#include "outputs/column_name.hpp"
#include "outputs/dissipated_table.hpp"
#include "outputs/events_table.hpp"
#include "outputs/friction_table.hpp"
#include "outputs/impacts_table.hpp"
#include "outputs/latex_table.hpp"
#include "outputs/sampled_table.hpp"
#include "outputs/view_table.hpp"
#include "problem/problem_tables.hpp"
#include "quote.hpp"
#include "units/units_table.hpp"

namespace herglotz::io {
namespace {

using mechanics::Formulation;
using mechanics::System;
using symbolic::Expr;

const std::vector<std::string> kTables{
    "model",      "algebroid",   "parameters", "definitions", "dynamics", "constraints", "symmetries", "dissipated",
    "invariants", "observables", "initial",    "simulation",  "discrete", "events",      "sweep",      "latex",
    "gauge",      "control",     "cost",       "boundary",    "guess",    "mesh",        "view",       "inputs",
    "files",      "impacts",     "units",      "friction",    "sampled"};

/// Reader that builds a Plan from a document, table by table.
class ModelReader {
 public:
  ModelReader(std::string_view text, const std::string& file)
      : source_(text, file),
        document_(parse_document(text, file)),
        vocabulary_(source_, std::make_shared<symbolic::Graph>()) {}

  /// Reads the plan. If `sweep` is true, the model must have that table.
  ensemble::Plan read(bool sweep) && {
    check_tables();
    check_view();
    if (has_controls(document_))
      source_.fail(document_.find("control")->place, "the model states a problem of control, which has no motion yet",
                   "use `herglotz solve`");
    if (has_problem_tables(document_)) ModelReader(source_.text(), source_.file()).check_problem();
    const Value* swept = sweep ? &required_table("sweep") : optional_table("sweep");
    ensemble::Plan plan{{read_system(), {}, {}, std::string(source_.text()) + files_, std::nullopt, {}}, {}, {}};
    simulate::Problem& problem = plan.problem;
    if (const Value* table = optional_table("simulation")) read_simulation(*table, problem.settings);
    if (const Value* table = optional_table("discrete")) read_discrete_table(vocabulary_, *table, problem);
    const Starts starts = with_first_samples(document_, time_);
    read_initial_table(vocabulary_, starts.values, starts.first_samples, problem);
    check_units(source_, document_, problem);
    start_at_identity(algebroid_, problem.initial);
    if (swept != nullptr) read_sweep_table(vocabulary_, *swept, plan);
    if (sweep) require_swept(vocabulary_, *swept, plan);
    return plan;
  }

  control::Problem read_problem() && {
    if (const Member* indices = document_.find("indices"))
      source_.fail(indices->place, "problems of boundary values and control have no index",
                   "run the model, or write out its coordinates");
    check_tables();
    check_view();
    if (optional_table("boundary") == nullptr)
      source_.fail({1, 1}, "the model has no [boundary] table", "say there what holds at the ends");
    refuse_tables_of_runs(source_, document_);
    System system = read_system();
    simulate::Problem with_step{system, {}, {}, {}, std::nullopt, {}};
    const Value* discrete = optional_table("discrete");
    if (discrete != nullptr) read_discrete_table(vocabulary_, *discrete, with_step);
    const Expr zeta = system.graph().symbol(has_controls(document_) ? cost_action(source_, document_) : action_);
    control::Problem problem =
        read_problem_tables(vocabulary_, document_, std::move(system), std::move(controls_), zeta);
    if (discrete != nullptr) read_discrete_rule(*discrete, std::move(with_step.discrete), problem);
    check_units(source_, document_, problem);
    problem.text = std::string(source_.text());
    return problem;
  }

  std::optional<View> read_view() && {
    check_tables();
    read_system();
    const Value* table = optional_table("view");
    return table == nullptr ? std::nullopt
                            : std::optional(read_view_table(vocabulary_, *table, of_the_motion("a view")));
  }

 private:
  /// Throws InputError for a mistake in the tables of boundary values. A graph of its own is no start of a motion.
  void check_problem() && { check_problem_tables(vocabulary_, document_, read_system()); }

  /// Throws InputError for a mistake in [view], which is read in a graph of its own: no picture changes a number.
  void check_view() const {
    if (optional_table("view") != nullptr) ModelReader(source_.text(), source_.file()).read_view();
  }

  System read_system() {
    const Value& table = required_table("algebroid");
    algebroid_ =
        with_sampled(source_, document_, read_algebroid_table(source_, *ambient_table(source_, table), "[algebroid]"));
    read_formulation();
    claim_names(algebroid_);
    read_parameters();
    files_ = read_inputs(vocabulary_, document_, vocabulary_.graph().symbol(time_));
    read_definitions();
    System system = mechanics::make_system(build_algebroid(algebroid_, vocabulary_), action_, time_);
    system.formulation = formulation_;
    system.parameters = std::move(parameters_);
    system.definitions = std::move(definitions_);
    read_model(system);
    read_dynamics(system);
    read_constraints(system);
    read_symmetries(system);
    read_dissipated_functions(system);
    declare_unit_quaternions(algebroid_, system);
    read_invariants(system);
    read_observables(system);
    read_events(system);
    read_latex(system);
    read_gauge(system);
    check_units(source_, document_, system, controls_);
    if (!is_constrained(table)) return system;
    return restricted(vocabulary_, table, in_state("a constraint"), document_, std::move(system));
  }

  [[nodiscard]] bool hamiltonian() const { return formulation_ == Formulation::hamiltonian; }
  [[nodiscard]] Uses state_uses() const {
    return uses::parameter | uses::base | uses::action | uses::time | (hamiltonian() ? uses::momentum : uses::fibre);
  }
  [[nodiscard]] ExpressionRole in_state(std::string_view of) const {
    return {of, state_uses(),
            hamiltonian() ? "use base coordinates, momenta p_<fibre>, the action, time, parameters and definitions"
                          : "use base and fibre coordinates, the action, time, parameters and definitions"};
  }

  void check_tables() const {
    for (const Member& member : document_.members) {
      if (member.key == "indices")
        source_.fail(member.place, "this command does not take a model with an index",
                     "use check, derive, simulate, sweep, fit, linearise, lyapunov or orbit");
      if (member.key == "structure")
        source_.fail(member.place, "a structure of one's own is not a model", "`herglotz flow` writes one");
      const bool known = std::find(kTables.begin(), kTables.end(), member.key) != kTables.end();
      if (!known) source_.unknown_table(member, kTables);
      source_.expect(member.value, Kind::table, "[" + member.key + "]");
    }
  }

  [[nodiscard]] const Value* optional_table(std::string_view name) const {
    const Member* member = document_.find(name);
    return member == nullptr ? nullptr : &member->value;
  }

  [[nodiscard]] const Value& required_table(const std::string& name) const {
    if (const Value* table = optional_table(name)) return *table;
    source_.fail({1, 1}, "the model has no [" + name + "] table",
                 name == "algebroid" ? "say what the configuration space is: kind, base and fibre"
                 : name == "sweep"   ? "say there what varies: [sweep.parameters], [sweep.initial]"
                                     : "give a lagrangian or a hamiltonian there");
  }

  void check_keys(const Value& table, const std::vector<std::string>& known) const {
    for (const Member& member : table.members)
      if (std::find(known.begin(), known.end(), member.key) == known.end())
        source_.unknown(member.place, "key", member.key, known);
  }

  [[nodiscard]] std::string string_or(const Value& table, std::string_view key, std::string otherwise) const {
    const Member* member = table.find(key);
    if (member == nullptr) return otherwise;
    source_.expect(member->value, Kind::string, in_quotes(key));
    return member->value.text;
  }

  void read_formulation() {
    if (optional_table("dynamics") == nullptr && has_kinematics(document_)) {
      action_ = cost_action(source_, document_);
      time_ = "t";
      return;
    }
    const Value& table = required_table("dynamics");
    if (has_kinematics(document_))
      source_.fail(table.place, "both [dynamics] and the kinematics of [control] are given", "keep one of them");
    check_keys(table, {"lagrangian", "hamiltonian", "action", "time", "forces"});
    const Member* lagrangian = table.find("lagrangian");
    const Member* hamiltonian = table.find("hamiltonian");
    if (lagrangian != nullptr && hamiltonian != nullptr) {
      source_.fail(std::max(lagrangian->place, hamiltonian->place), "both 'lagrangian' and 'hamiltonian' are given",
                   "keep one of them");
    }
    if (lagrangian == nullptr && hamiltonian == nullptr) {
      source_.fail(table.place, "[dynamics] has neither 'lagrangian' nor 'hamiltonian'", "give one of them");
    }
    if (hamiltonian != nullptr) formulation_ = Formulation::hamiltonian;
    action_ = symbolic::with_plain_greek(string_or(table, "action", "z"));
    time_ = symbolic::with_plain_greek(string_or(table, "time", "t"));
  }

  /// Claims the names of the document, those of the format first: a clash is reported where the user chose the name.
  void claim_names(const AlgebroidTable& algebroid) {
    vocabulary_.claim("energy", "output column", uses::energy, {});
    for (const std::string_view column : {"integrating_factor", "energy_invariant", "energy_residual"}) {
      vocabulary_.claim(std::string(column), "output column", uses::output, {});
    }
    claim_multipliers();
    std::set<std::string> momenta;
    for (const auto& name : algebroid.fibre) {
      const std::string momentum = "p_" + name.text;
      if (symbolic::is_identifier(momentum) && momenta.insert(momentum).second) {
        vocabulary_.claim(momentum, "momentum", uses::momentum, name.place);
      }
    }
    for (const auto& name : algebroid.base) vocabulary_.claim(name.text, "base coordinate", uses::base, name.place);
    for (const auto& name : algebroid.fibre) vocabulary_.claim(name.text, "fibre coordinate", uses::fibre, name.place);
    for (const std::string_view name : {"parameters", "definitions"})
      if (const Value* table = optional_table(name); table != nullptr && table->find("deg") != nullptr)
        vocabulary_.announce("deg");
    if (has_controls(document_)) {
      controls_ = claim_controls(vocabulary_, document_);
      if (!has_kinematics(document_))
        vocabulary_.claim(cost_action(source_, document_), "action of the cost", uses::cost,
                          document_.find("control")->place);
      vocabulary_.claim("hamiltonian", "output column", uses::energy, {});
    }
    static const Value none;
    const Value* given = optional_table(table_that_names_action());
    const Value& table = given == nullptr ? none : *given;
    const auto place = [&](std::string_view key) {
      const Member* member = table.find(key);
      return member == nullptr ? table.place : member->value.place;
    };
    claim_default(action_, "action variable", uses::action, place("action"), table.find("action") == nullptr);
    claim_default(time_, "time variable", uses::time, place("time"), table.find("time") == nullptr);
    for (const auto& name : algebroid.base) state_.push_back(name.text);
    for (const auto& name : algebroid.fibre) state_.push_back((hamiltonian() ? "p_" : "") + name.text);
    state_.push_back(action_);
    state_.push_back(time_);
  }

  /// Claims a name. The InputError of a default name that is taken advises to set another one under its own key.
  void claim_default(const std::string& name, const std::string& what, Uses use, Place place, bool is_default) {
    try {
      vocabulary_.claim(name, what, use, place);
    } catch (const InputError& error) {
      if (!is_default) throw;
      const bool is_time = use == uses::time;
      std::string remedy = "name the " + what + " in [" + table_that_names_action() + "], e.g. ";
      remedy += is_time ? "time = \"tau\"" : "action = \"S\"";
      if (is_time && has_kinematics(document_)) remedy = "give the other one another name";
      source_.fail(place, error.problem() + ", and the default name of the " + what, remedy);
    }
  }
  [[nodiscard]] std::string table_that_names_action() const { return has_kinematics(document_) ? "cost" : "dynamics"; }

  void claim_multipliers() {
    const Value* table = optional_table("constraints");
    if (table == nullptr) return;
    const Member* equations = table->find("equations");
    const Member* rule = table->find("rule");
    if (equations == nullptr || rule == nullptr) return;
    const bool vakonomic = rule->value.text == "vakonomic";
    for (std::size_t k = 1; k <= equations->value.items.size(); ++k) {
      const std::string name = (vakonomic ? "nu" : "lambda") + std::to_string(k);
      vocabulary_.claim(name, "multiplier", uses::multiplier, equations->place);
      columns_.insert("constraint." + std::to_string(k));
    }
  }

  void read_parameters() {
    const Value* table = optional_table("parameters");
    if (table == nullptr) return;
    for (const Member& member : table->members) {
      const Expr symbol = vocabulary_.claim(member.key, "parameter", uses::parameter, member.place);
      const double value = vocabulary_.constant(member.value, "the parameter " + in_quotes(member.key));
      parameters_.push_back({symbol, value});
    }
  }

  void read_definitions() {
    const Value* table = optional_table("definitions");
    if (table == nullptr) return;
    for (const Member& member : table->members) {
      definitions_.push_back(vocabulary_.define(member, in_state("the definition " + in_quotes(member.key))));
    }
  }

  void read_model(System& system) const {
    const Value* table = optional_table("model");
    static const Value empty;
    if (table == nullptr) table = &empty;
    check_keys(*table, {"name", "title", "reference"});
    system.name = string_or(*table, "name", std::filesystem::path(source_.file()).stem().string());
    if (const Member* name = table->find("name"); name != nullptr && name->value.text.empty()) {
      source_.fail(name->value.place, "'name' is empty", "give the model a name, or leave the key out");
    }
    system.title = string_or(*table, "title", "");
    system.reference = string_or(*table, "reference", "");
  }

  void read_dynamics(System& system) const {
    if (optional_table("dynamics") == nullptr) return;
    const Value& table = required_table("dynamics");
    const Member* generator = table.find(hamiltonian() ? "hamiltonian" : "lagrangian");
    system.generator =
        vocabulary_.expression(generator->value, in_state(hamiltonian() ? "the Hamiltonian" : "the Lagrangian"));
    require_no_jump(source_, system.generator, 0, generator->value.place,
                    hamiltonian() ? "the Hamiltonian" : "the Lagrangian", "the energy would jump with it");
    const Member* forces = table.find("forces");
    if (forces == nullptr) return;
    source_.expect(forces->value, Kind::table, "'forces'");
    std::vector<std::string> fibre;
    for (const Expr& y : system.algebroid.y) fibre.emplace_back(y.name());
    for (const Member& member : forces->value.members) {
      const auto it = std::find(fibre.begin(), fibre.end(), member.key);
      if (it == fibre.end()) source_.unknown(member.place, "fibre coordinate", member.key, fibre);
      system.forces[static_cast<std::size_t>(it - fibre.begin())] =
          vocabulary_.expression(member.value, {"a force", state_uses() | uses::control, in_state("a force").rule});
    }
  }

  void read_constraints(System& system) const {
    const Value* table = optional_table("constraints");
    if (table == nullptr) return;
    read_constraints_table(vocabulary_, *table, in_state("a constraint"), system);
  }

  void read_symmetries(System& system) {
    const Value* table = optional_table("symmetries");
    if (table == nullptr) return;
    for (const Member& member : table->members) {
      check_column_name(source_, member, "a symmetry");
      const std::string shape = "one component of the section for each fibre coordinate";
      if (member.value.kind != Kind::array) {
        source_.fail(member.value.place, "expected an array, got " + std::string(kind_name(member.value.kind)), shape);
      }
      if (member.value.items.size() != system.r()) {
        source_.fail(member.value.place,
                     "expected " + std::to_string(system.r()) + (system.r() == 1 ? " component" : " components") +
                         ", got " + std::to_string(member.value.items.size()),
                     shape);
      }
      mechanics::Symmetry symmetry{member.key, {}};
      for (const Value& component : member.value.items) {
        symmetry.section.push_back(vocabulary_.expression(
            component,
            {"a section", uses::base | uses::parameter, "use base coordinates, parameters and definitions of these"}));
      }
      for (auto& column : mechanics::law_columns(mechanics::LawKind::momentum, member.key))
        columns_.insert(std::move(column));
      system.symmetries.push_back(std::move(symmetry));
    }
  }

  /// Reads each entry of a table whose keys are names of columns.
  template <class Read>
  void each(std::string_view name, std::string_view what, const Read& read) const {
    const Value* table = optional_table(name);
    for (std::size_t k = 0; table != nullptr && k < table->members.size(); ++k) {
      check_column_name(source_, table->members[k], what);
      read(table->members[k]);
    }
  }

  void read_dissipated_functions(System& system) {
    each("dissipated", "a dissipated function", [&](const Member& member) {
      read_dissipated(vocabulary_, member, system);
      for (auto& column : mechanics::law_columns(mechanics::LawKind::dissipated, member.key))
        columns_.insert(std::move(column));
    });
  }

  void read_invariants(System& system) const {
    const ExpressionRole role{"an invariant", uses::base | uses::time | uses::parameter,
                              "use base coordinates, time, parameters and definitions of these"};
    each("invariants", "an invariant", [&](const Member& member) {
      system.invariants.push_back({member.key, vocabulary_.expression(member.value, role)});
      require_no_jump(source_, system.invariants.back().value, 0, member.value.place, "an invariant",
                      "no motion keeps it");
    });
  }

  void read_observables(System& system) {
    const Value* table = optional_table("observables");
    if (table == nullptr) return;
    columns_.insert({"energy", "integrating_factor", "energy_invariant", "energy_residual"});
    columns_.insert(state_.begin(), state_.end());
    const Value* constraints = optional_table("constraints");
    for (std::size_t k = 1; constraints != nullptr && k <= system.constraints.equations.size(); ++k) {
      const bool vakonomic = system.constraints.rule == mechanics::Rule::vakonomic;
      columns_.insert((vakonomic ? "nu" : "lambda") + std::to_string(k));
    }
    for (const Member& member : table->members) {
      check_column_name(source_, member, "an observable");
      if (!columns_.insert(member.key).second) {
        source_.fail(member.place, "there is a column " + in_quotes(member.key) + " already",
                     "give the observable another name");
      }
      system.observables.push_back({member.key, vocabulary_.expression(member.value, of_the_motion("an observable"))});
    }
  }
  [[nodiscard]] ExpressionRole of_the_motion(std::string_view of) const {
    return {of, state_uses() | uses::momentum | uses::energy | uses::multiplier | uses::control | uses::cost,
            "use momenta p_<fibre> instead of fibre coordinates"};
  }

  void read_events(System& system) const {
    const std::vector<std::string> state(state_.begin(), state_.end() - 1);  // without time
    each("friction", "a friction",
         [&](const Member& member) { read_friction(vocabulary_, member, in_state("a friction"), system); });
    read_sampled(vocabulary_, document_, of_the_motion("a sampled value"), system);
    each("events", "an event",
         [&](const Member& member) { read_event(vocabulary_, member, of_the_motion("an event"), state, system); });
    each("impacts", "an impact", [&](const Member& member) { read_impact(vocabulary_, member, system); });
  }

  void read_latex(System& system) const {
    if (const Value* table = optional_table("latex")) read_latex_table(vocabulary_, *table, system);
  }

  void read_gauge(System& system) const {
    if (const Value* table = optional_table("gauge")) read_gauge_table(vocabulary_, *table, system);
  }

  void read_simulation(const Value& table, simulate::Settings& settings) const {
    settings = read_settings(source_, table);
    const Member* scale = table.find("time_scale");
    if (scale == nullptr) return;
    settings.time_scale = vocabulary_.expression(
        scale->value, {"the time scale", uses::parameter | uses::base | uses::action | uses::time,
                       "use base coordinates, the action, time, parameters and definitions of these"});
  }

  Source source_;
  Value document_;
  Vocabulary vocabulary_;
  AlgebroidTable algebroid_;
  Formulation formulation_ = Formulation::lagrangian;
  std::string action_;
  std::string time_;
  std::string files_;               ///< the [files] table to be added to the text
  std::vector<std::string> state_;  ///< base, fibre or momenta, action, time
  std::set<std::string> columns_;
  std::vector<mechanics::Parameter> parameters_;
  std::vector<Expr> definitions_;
  std::vector<Expr> controls_;
};

}  // namespace

simulate::Problem parse_model(std::string_view text, const std::string& file) {
  return ModelReader(text, file).read(false).problem;
}

control::Problem parse_problem(std::string_view text, const std::string& file) {
  return ModelReader(text, file).read_problem();
}

std::optional<View> parse_view(std::string_view text, const std::string& file) {
  return ModelReader(text, file).read_view();
}

bool states_control(std::string_view text, const std::string& file) {
  return has_controls(parse_document(text, file));
}

ensemble::Plan parse_plan(std::string_view text, const std::string& file, const std::vector<std::string>& swept) {
  ensemble::Plan plan = ModelReader(text, file).read(swept.empty());
  for (const std::string& assignment : swept) apply_swept(plan, assignment);
  ensemble::drop_swept_conflicts(plan);
  return plan;
}

simulate::Problem read_model(const std::filesystem::path& file) {
  return parse_model(model_file_text(file), file.string());
}

ensemble::Plan read_plan(const std::filesystem::path& file) {
  return parse_plan(model_file_text(file), file.string());
}

}  // namespace herglotz::io
