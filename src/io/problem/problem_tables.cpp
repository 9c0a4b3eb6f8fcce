#include "problem/problem_tables.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <utility>

#include "herglotz/control/methods.hpp"
#include "herglotz/symbolic/graph.hpp"
#include "quote.hpp"

namespace herglotz::io {
namespace {

using ProblemKind = control::Kind;
using symbolic::Expr;
using symbolic::Scope;

class ProblemReader {
 public:
  ProblemReader(const Vocabulary& vocabulary, const Value& document, mechanics::System system,
                std::vector<Expr> controls, Expr zeta)
      : vocabulary_(vocabulary), source_(vocabulary.source()), document_(document) {
    problem_.kind = has_kinematics(document) ? ProblemKind::kinematic
                    : has_controls(document) ? ProblemKind::mechanical
                                             : ProblemKind::two_point;
    problem_.system = std::move(system);
    problem_.controls = std::move(controls);
    problem_.bounds.resize(problem_.controls.size());
    problem_.cost.action = zeta;
    problem_.cost.running = graph().number(0);
    problem_.cost.terminal = graph().number(0);
    problem_.boundary.duration_symbol = graph().symbol("duration()");
    problem_.guess.s = graph().symbol("s()");
  }

  control::Problem read() && {
    if (const Member* table = document_.find("control")) read_control(table->value);
    if (const Member* table = document_.find("cost")) read_cost(*table);
    if (problem_.kind != ProblemKind::two_point && document_.find("cost") == nullptr)
      source_.fail(document_.find("control")->place, "the model has [control] and no [cost]",
                   "say in [cost] what is minimised");
    if (const Member* table = document_.find("initial")) read_initial(table->value);
    read_ends();
    return std::move(problem_);
  }

  /// Reads the tables that a motion does not need.
  void check() && {
    if (const Member* table = document_.find("cost")) read_cost(*table);
    read_ends();
  }

 private:
  [[nodiscard]] symbolic::Graph& graph() const { return problem_.system.graph(); }
  [[nodiscard]] bool mechanical() const { return problem_.kind == ProblemKind::mechanical; }
  /// Returns the kinds of names that vary along the path, and parameters.
  [[nodiscard]] Uses path_uses() const {
    return uses::parameter | uses::base | uses::action | uses::time | uses::control | uses::cost |
           (mechanical() ? uses::fibre : 0);
  }
  [[nodiscard]] ExpressionRole along(std::string_view of) const {
    return {of, path_uses(), "use states, controls, the action, time and parameters"};
  }
  [[nodiscard]] static ExpressionRole constant(std::string_view of) {
    return {of, uses::parameter, "use parameters and definitions of these"};
  }
  [[nodiscard]] std::vector<std::string> fibre_names() const { return names(problem_.system.algebroid.y); }
  static std::vector<std::string> names(const std::vector<Expr>& symbols) {
    std::vector<std::string> result;
    for (const Expr& symbol : symbols) result.emplace_back(symbol.name());
    return result;
  }

  void check_keys(const Value& table, const std::vector<std::string>& known) const {
    for (const Member& member : table.members)
      if (std::find(known.begin(), known.end(), member.key) == known.end())
        source_.unknown(member.place, "key", member.key, known);
  }
  /// Returns the place of a name among the known names. Throws InputError at an unknown name.
  std::size_t place_among(const Member& member, const std::vector<std::string>& known, std::string_view what) const {
    const auto it = std::find(known.begin(), known.end(), member.key);
    if (it == known.end()) source_.unknown(member.place, what, member.key, known);
    return static_cast<std::size_t>(it - known.begin());
  }
  [[nodiscard]] const Value* table_of(const Value& table, std::string_view key) const {
    const Member* member = table.find(key);
    if (member == nullptr) return nullptr;
    source_.expect(member->value, Kind::table, in_quotes(key));
    return &member->value;
  }

  void read_ends() {
    if (const Member* table = document_.find("boundary")) read_boundary(table->value);
    if (const Member* table = document_.find("guess")) read_guess(table->value);
    if (const Member* table = document_.find("mesh")) read_mesh(table->value);
  }

  void read_control(const Value& table) {
    check_keys(table, {"controls", "kinematics", "bounds", "path"});
    if (const Value* kinematics = table_of(table, "kinematics")) read_kinematics(*kinematics);
    if (const Value* bounds = table_of(table, "bounds")) {
      for (const Member& member : bounds->members)
        problem_.bounds[place_among(member, names(problem_.controls), "control")] = read_bounds(member);
    }
    if (const Member* path = table.find("path"))
      for (const Value* inequality : source_.strings(path->value, "'path'"))
        problem_.path.push_back(vocabulary_.expression(*inequality, along("a path inequality")));
  }

  void read_kinematics(const Value& table) {
    const auto fibre = fibre_names();
    std::vector<bool> given(fibre.size(), false);
    problem_.kinematics.assign(fibre.size(), graph().number(0));
    for (const Member& member : table.members) {
      const std::size_t a = place_among(member, fibre, "fibre coordinate");
      given[a] = true;
      problem_.kinematics[a] = vocabulary_.expression(member.value, along("the kinematics"));
    }
    const auto missing = std::find(given.begin(), given.end(), false);
    if (missing != given.end())
      source_.fail(table.place,
                   "the kinematics do not give " + in_quotes(fibre[static_cast<std::size_t>(missing - given.begin())]),
                   "give every fibre coordinate, \"0\" among them");
  }

  control::Bounds read_bounds(const Member& member) const {
    source_.expect(member.value, Kind::array, "the bounds of " + in_quotes(member.key));
    if (member.value.items.size() != 2)
      source_.fail(member.value.place, "the bounds of " + in_quotes(member.key) + " are not two numbers",
                   "give [lower, upper], with -inf or inf where there is none");
    const auto bound = [&](const Value& value, double none) -> std::optional<Expr> {
      if (value.is_number() && value.number == none) return std::nullopt;
      return vocabulary_.expression(value, constant("a bound"));
    };
    const double inf = std::numeric_limits<double>::infinity();
    return {bound(member.value.items[0], -inf), bound(member.value.items[1], inf)};
  }

  void read_cost(const Member& member) {
    const Value& table = member.value;
    if (problem_.kind == ProblemKind::two_point)
      source_.fail(member.place, "[cost] has no controls to choose", "give [control], or remove [cost]");
    check_keys(table, {"action", "running", "terminal", "sense"});
    if (const Member* running = table.find("running")) {
      ExpressionRole role = along("the running cost");
      role.allowed |= uses::fibre;
      problem_.cost.running = vocabulary_.expression(running->value, role);
      if (!mechanical())
        problem_.cost.running =
            symbolic::substitute(problem_.cost.running, problem_.system.algebroid.y, problem_.kinematics);
    }
    if (const Member* terminal = table.find("terminal"))
      problem_.cost.terminal = vocabulary_.expression(terminal->value,
                                                      {"the terminal cost", path_uses() & ~uses::control & ~uses::time,
                                                       "use final states, duration and parameters"},
                                                      {{"duration", problem_.boundary.duration_symbol}});
    if (const Member* sense = table.find("sense")) {
      source_.expect(sense->value, Kind::string, "'sense'");
      const std::string& text = sense->value.text;
      if (text != "minimise" && text != "maximise")
        source_.unknown(sense->value.place, "sense", text, {"minimise", "maximise"});
      problem_.cost.maximise = text == "maximise";
    }
  }

  void read_initial(const Value& table) {
    std::vector<std::string> known = control::end_names(problem_);
    known.emplace_back(problem_.system.t.name());
    if (problem_.kind == ProblemKind::two_point) known.emplace_back(problem_.system.z.name());
    for (const Member& member : table.members) {
      const auto fibre = fibre_names();
      if (!mechanical() && std::find(fibre.begin(), fibre.end(), member.key) != fibre.end())
        source_.fail(member.place, in_quotes(member.key) + " is unknown at the start and comes with the solution",
                     "remove it, or guess it in [guess]");
      place_among(member, known, "initial value");
      problem_.boundary.initial.emplace(member.key, vocabulary_.expression(member.value, constant("an initial value")));
    }
  }

  void read_boundary(const Value& table) {
    check_keys(table, {"duration", "final", "free_initial", "conditions"});
    read_duration(source_.required(table, "duration", "[boundary]", "give a number, or \"free\""));
    const auto ends = control::end_names(problem_);
    if (const Value* final = table_of(table, "final")) {
      for (const Member& member : final->members) {
        place_among(member, ends, "state");
        problem_.boundary.final.emplace(member.key, vocabulary_.expression(member.value, constant("a final value")));
      }
    }
    if (const Member* free = table.find("free_initial")) {
      for (const Value* name : source_.strings(free->value, "'free_initial'")) {
        if (std::find(ends.begin(), ends.end(), name->text) == ends.end())
          source_.unknown(name->place, "state", name->text, ends);
        if (problem_.boundary.initial.contains(name->text))
          source_.fail(name->place, in_quotes(name->text) + " is free, and given in [initial]", "keep one of them");
        problem_.boundary.free_initial.push_back(name->text);
      }
    }
    if (const Member* conditions = table.find("conditions")) {
      Scope own{{"duration", problem_.boundary.duration_symbol}};
      for (const auto& name : ends)
        for (const auto& symbol : {control::initial_name(name), control::final_name(name)})
          own.emplace(symbol, graph().symbol(symbol));
      for (const Value* condition : source_.strings(conditions->value, "'conditions'"))
        problem_.boundary.conditions.push_back(vocabulary_.expression(
            *condition, {"a condition", uses::parameter, "use <state>_initial, <state>_final, duration and parameters"},
            own));
    }
  }

  void read_duration(const Value& value) {
    auto& boundary = problem_.boundary;
    if (value.kind == Kind::string && value.text == "free") return;
    if (value.kind != Kind::table) {
      boundary.duration = vocabulary_.expression(value, constant("the duration"));
      return;
    }
    check_keys(value, {"free", "min", "max"});
    const Member* free = value.find("free");
    if (free == nullptr || free->value.kind != Kind::boolean || !free->value.flag)
      source_.fail(value.place, "a duration with bounds is free", "write { free = true, min = .., max = .. }");
    if (const Member* min = value.find("min"))
      boundary.shortest = vocabulary_.expression(min->value, constant("the shortest duration"));
    if (const Member* max = value.find("max"))
      boundary.longest = vocabulary_.expression(max->value, constant("the longest duration"));
  }

  void read_guess(const Value& table) {
    std::vector<std::string> known = control::end_names(problem_);
    for (const auto& name : names(problem_.controls)) known.push_back(name);
    if (problem_.kind == ProblemKind::two_point)
      for (const auto& name : fibre_names()) known.push_back(name);
    known.emplace_back(problem_.cost.action.name());
    known.emplace_back("duration");
    if (const Member* file = table.find("file");
        file != nullptr && std::find(known.begin(), known.end(), "file") == known.end())
      return read_guess_file(table, *file);
    for (const Member& member : table.members) {
      place_among(member, known, "guess");
      if (member.key == "duration") {
        if (problem_.boundary.duration)
          source_.fail(member.place, "[guess] has a duration, but [boundary] fixes it",
                       "remove it, or write duration = \"free\" in [boundary]");
        const double value = vocabulary_.constant(member.value, "the guess of the duration");
        if (!(value > 0))
          source_.fail(member.value.place, "the guess of the duration is not positive", "give one above 0");
        problem_.guess.duration = value;
        continue;
      }
      problem_.guess.values.emplace(
          member.key,
          vocabulary_.expression(member.value, {"a guess", uses::parameter, "use s = t/duration and parameters"},
                                 {{"s", problem_.guess.s}}));
    }
  }

  /// Reads the place of a path, which is relative to the model file.
  void read_guess_file(const Value& table, const Member& file) {
    source_.expect(file.value, Kind::string, "'file'");
    for (const Member& member : table.members)
      if (member.key != "file")
        source_.fail(member.place, "[guess] has a file, and the expression of " + in_quotes(member.key),
                     "keep one of them");
    const auto folder = std::filesystem::path(source_.file()).parent_path();
    problem_.guess.file = (folder / file.value.text).string();
  }

  void read_mesh(const Value& table) {
    auto& settings = problem_.settings;
    const auto count = [&](const Member& member) {
      const double value = source_.number(member.value, in_quotes(member.key));
      if (member.value.kind != Kind::integer || value < 1 || value > 1e6)
        source_.fail(member.value.place, in_quotes(member.key) + " is not a number of intervals",
                     "give an integer of at least 1");
      return static_cast<std::size_t>(value);
    };
    for (const Member& member : table.members) {
      if (member.key == "intervals") {
        settings.intervals = count(member);
      } else if (member.key == "max_intervals") {
        settings.max_intervals = count(member);
      } else if (member.key == "method") {
        source_.expect(member.value, Kind::string, "'method'");
        std::vector<std::string> known{"auto"};
        for (const auto& method : control::methods()) known.push_back(method.name);
        if (std::find(known.begin(), known.end(), member.value.text) == known.end())
          source_.unknown(member.value.place, "method", member.value.text, known);
        settings.method = member.value.text;
      } else if (member.key == "tolerance") {
        settings.tolerance = source_.number(member.value, "'tolerance'");
        if (settings.tolerance <= 0)
          source_.fail(member.value.place, "'tolerance' is not positive", "give a number above 0");
      } else if (member.key == "output_times") {
        source_.expect(member.value, Kind::array, "'output_times'");
        for (const Value& time : member.value.items)
          settings.output_times.push_back(source_.number(time, "an output time"));
      } else {
        source_.unknown(member.place, "key", member.key,
                        {"intervals", "max_intervals", "method", "tolerance", "output_times"});
      }
    }
  }

  const Vocabulary& vocabulary_;
  const Source& source_;
  const Value& document_;
  control::Problem problem_;
};

}  // namespace

bool has_controls(const Value& document) {
  return document.find("control") != nullptr;
}

bool has_kinematics(const Value& document) {
  const Member* control = document.find("control");
  return control != nullptr && control->value.find("kinematics") != nullptr;
}

std::string cost_action(const Source& source, const Value& document) {
  const Member* cost = document.find("cost");
  const Member* action = cost == nullptr ? nullptr : cost->value.find("action");
  if (action == nullptr) return "zeta";
  source.expect(action->value, Kind::string, "'action'");
  return action->value.text;
}

std::vector<Expr> claim_controls(Vocabulary& vocabulary, const Value& document) {
  const Source& source = vocabulary.source();
  const Value& table = document.find("control")->value;
  const Value& names = source.required(table, "controls", "[control]", "name the controls, as in [\"u\"]");
  std::vector<Expr> controls;
  for (const Value* name : source.strings(names, "'controls'"))
    controls.push_back(vocabulary.claim(name->text, "control", uses::control, name->place));
  if (controls.empty()) source.fail(names.place, "'controls' is empty", "name at least one");
  return controls;
}

control::Problem read_problem_tables(const Vocabulary& vocabulary, const Value& document, mechanics::System system,
                                     std::vector<Expr> controls, Expr zeta) {
  return ProblemReader(vocabulary, document, std::move(system), std::move(controls), zeta).read();
}

bool has_problem_tables(const Value& document) {
  constexpr std::array tables{"cost", "boundary", "guess", "mesh"};
  return std::any_of(tables.begin(), tables.end(), [&](const char* table) { return document.find(table) != nullptr; });
}

void check_problem_tables(const Vocabulary& vocabulary, const Value& document, mechanics::System system) {
  const Expr action = system.z;
  ProblemReader(vocabulary, document, std::move(system), {}, action).check();
}

void read_discrete_rule(const Value& table, std::optional<discrete::DiscreteLagrangian> made,
                        control::Problem& problem) {
  const Member* rule = table.find("rule");
  if (rule == nullptr) return;
  using discrete::PositionRule;
  problem.position_rule = rule->value.text == "left"       ? PositionRule::left
                          : rule->value.text == "midpoint" ? PositionRule::midpoint
                                                           : PositionRule::trapezoid;
  const Member* action = table.find("action_rule");
  const bool left = action != nullptr && action->value.text == "left";
  problem.action_rule = left ? discrete::ActionRule::left : discrete::ActionRule::implicit;
  problem.discrete = std::move(made);
}

void refuse_tables_of_runs(const Source& source, const Value& document) {
  const bool controlled = has_controls(document);
  const std::string of = controlled ? "control" : "boundary values";
  const auto refuse = [&](const std::string& table, const std::string& remedy) {
    if (const Member* given = document.find(table))
      source.fail(given->value.place, "a problem of " + of + " takes no [" + table + "]", remedy);
  };
  refuse("inputs", "write them as expressions of time");
  refuse("sampled", "declare a control in [control], or remove it");
  refuse("impacts", controlled ? "remove it; an inequality of 'path' in [control] keeps a gap open" : "remove it");
  refuse("friction", "write a smooth force, such as -F*tanh(v/0.01)");
  if (const Member* events = document.find("events"))
    for (const Member& event : events->value.members)
      if (const Member* set = event.value.find("set"))
        source.fail(set->value.place, "a problem of " + of + " takes no event that changes the state", "remove 'set'");
  if (controlled) refuse("gauge", "remove it: it chooses what a singular Lagrangian leaves open");
}

}  // namespace herglotz::io
