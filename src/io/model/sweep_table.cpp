#include "model/sweep_table.hpp"

#include <algorithm>

#include "herglotz/error.hpp"
#include "herglotz/mechanics/derive/volume.hpp"
#include "herglotz/mechanics/events/friction.hpp"
#include "herglotz/mechanics/power.hpp"
#include "herglotz/simulate/volume.hpp"
#include "herglotz/symbolic/names.hpp"
#include "model/initial_table.hpp"
#include "quote.hpp"

namespace herglotz::io {
namespace {

using ensemble::Keep;
using ensemble::ProbabilityDistribution;
using ensemble::Range;
using ensemble::Sampling;
using ensemble::Swept;
using ensemble::Target;
using symbolic::Expr;
using Names = std::vector<std::string>;

const Names kKeys{"keep", "times", "columns", "sampling", "samples", "seed", "zip", "device", "parameters", "initial"};
const Names kKeeps{"trajectory", "times", "final", "statistics"};
const Names kSamplings{"random", "sobol"};
const Names kDevices{"cpu", "host", "cuda", "hip", "auto"};
const Names kSpacings{"linear", "log"};
const Names kDistributions{"uniform", "log-uniform", "normal", "log-normal", "exponential"};
constexpr double most_exact = 9007199254740992;  // 2^53

bool contains(const Names& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

Names names_of(const std::vector<Expr>& symbols) {
  Names names;
  for (const Expr& symbol : symbols) names.emplace_back(symbol.name());
  return names;
}

Names parameter_names(const mechanics::System& system) {
  Names names;
  for (const auto& parameter : system.parameters) names.emplace_back(parameter.symbol.name());
  return names;
}

/// Returns the names of the columns of a run.
Names column_names(const mechanics::System& system) {
  Names names{std::string(system.t.name())};
  for (const auto* symbols : {&system.algebroid.x, &system.w()})
    for (const Expr& symbol : *symbols) names.emplace_back(symbol.name());
  names.emplace_back(system.z.name());
  for (const Expr& symbol : system.constraints.multipliers) names.emplace_back(symbol.name());
  names.insert(names.end(), {"energy", "integrating_factor", "energy_invariant", "energy_residual"});
  for (const auto& symmetry : system.symmetries)
    for (auto& column : mechanics::law_columns(mechanics::LawKind::momentum, symmetry.name))
      names.push_back(std::move(column));
  for (const auto& f : system.dissipated)
    for (auto& column : mechanics::law_columns(mechanics::LawKind::dissipated, f.name))
      names.push_back(std::move(column));
  for (std::size_t k = 1; k <= system.constraints.equations.size(); ++k)
    names.push_back("constraint." + std::to_string(k));
  for (const auto& observable : system.observables) names.push_back(observable.name);
  for (auto& column : mechanics::friction_columns(system)) names.push_back(std::move(column));
  auto on_demand = mechanics::power_columns(system);
  on_demand.insert(on_demand.end(),
                   {mechanics::volume_column, simulate::volume_column, simulate::volume_residual_column});
  for (const auto& name : on_demand)
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  return names;
}

class SweepTable {
 public:
  SweepTable(const Vocabulary& vocabulary, const Value& table, ensemble::Plan& plan,
             const std::function<bool(const std::string&)>& knows_column)
      : vocabulary_(vocabulary),
        source_(vocabulary.source()),
        table_(table),
        plan_(plan),
        knows_column_(knows_column) {}

  void read() {
    check_keys(table_, kKeys);
    for (const Member& member : table_.members) {
      if (member.key == "parameters") read_quantities(member, Target::parameter);
      if (member.key == "initial") read_quantities(member, Target::initial);
    }
    check_fibre();
    read_sampling();
    read_zip();
    read_output();
    at(table_.place, plan_.sweep);
  }

 private:
  using Sweep = ensemble::Sweep;

  void check_keys(const Value& table, const Names& known) const {
    for (const Member& member : table.members)
      if (!contains(known, member.key)) source_.unknown(member.place, "key", member.key, known);
  }

  /// Validates the sweep, and reports an error at the place.
  void at(Place place, const Sweep& sweep) const {
    try {
      sweep.validate();
    } catch (const Refused& reason) {
      source_.fail(place, reason.problem(), reason.remedy());
    }
  }

  [[nodiscard]] std::size_t choice(const Member& member, std::string_view what, const Names& known) const {
    source_.expect(member.value, Kind::string, in_quotes(member.key));
    const auto it = std::find(known.begin(), known.end(), member.value.text);
    if (it == known.end()) source_.unknown(member.value.place, what, member.value.text, known);
    return static_cast<std::size_t>(it - known.begin());
  }

  [[nodiscard]] std::uint64_t whole(const Member& member, double least) const {
    const double value = source_.number(member.value, in_quotes(member.key));
    if (member.value.kind != Kind::integer || value < least || value > most_exact)
      source_.fail(member.value.place,
                   in_quotes(member.key) + " is not a whole number from " + (least > 0 ? "1" : "0") + " to 2^53",
                   least > 0 ? "give an integer of at least 1" : "give such an integer");
    return static_cast<std::uint64_t>(value);
  }

  void read_quantities(const Member& entry, Target target) {
    source_.expect(entry.value, Kind::table, "[sweep." + entry.key + "]");
    for (const Member& member : entry.value.members) {
      check_name(member, target);
      plan_.sweep.quantities.push_back({target, member.key, read_values(member)});
      Sweep alone;
      alone.quantities.push_back(plan_.sweep.quantities.back());
      alone.samples = 1;
      at(member.value.place, alone);
    }
  }

  void check_name(const Member& member, Target target) const {
    const Names parameters = parameter_names(plan_.problem.system);
    const Names initial = initial_names(plan_.problem.system);
    const bool parameter = target == Target::parameter;
    if (contains(parameter ? parameters : initial, member.key)) return;
    if (contains(parameter ? initial : parameters, member.key))
      source_.fail(member.place, in_quotes(member.key) + (parameter ? " is an initial value" : " is a parameter"),
                   std::string("give its values in [sweep.") + (parameter ? "initial]" : "parameters]"));
    if (!parameter && contains(names_of(plan_.problem.system.algebroid.y), member.key))
      source_.fail(member.place, "a Hamiltonian model starts from momenta, not from " + in_quotes(member.key),
                   "give p_" + member.key);
    source_.unknown(member.place, parameter ? "parameter" : "initial value", member.key,
                    parameter ? parameters : initial);
  }

  [[nodiscard]] std::variant<Range, std::vector<double>, ProbabilityDistribution> read_values(
      const Member& member) const {
    const Value& value = member.value;
    if (value.kind == Kind::array) {
      std::vector<double> list;
      for (const Value& item : value.items)
        list.push_back(vocabulary_.constant(item, "a value of " + in_quotes(member.key)));
      return list;
    }
    if (value.kind != Kind::table)
      source_.fail(value.place, "expected an array or a table, got " + std::string(kind_name(value.kind)),
                   "give " + in_quotes(member.key) +
                       " a list [1, 2], a range { from = 0, to = 1, count = 11 } or a distribution");
    if (const Member* distribution = value.find("distribution"))
      return read_distribution(member.key, value, *distribution);
    return read_range(member.key, value);
  }

  [[nodiscard]] Range read_range(const std::string& name, const Value& value) const {
    check_keys(value, {"from", "to", "count", "spacing", "distribution"});
    const std::string of = "the range of " + in_quotes(name);
    Range range{number(value, "from", of), number(value, "to", of), 0, false};
    const Member* count = value.find("count");
    if (count == nullptr)
      source_.fail(value.place, of + " has no 'count'", "say how many values it has, both ends among them");
    range.count = whole(*count, 1);
    if (const Member* spacing = value.find("spacing")) range.logarithmic = choice(*spacing, "spacing", kSpacings) == 1;
    return range;
  }

  [[nodiscard]] double number(const Value& table, std::string_view key, const std::string& of) const {
    const Value& value = source_.required(table, key, of, "add " + std::string(key) + " = 1.0");
    return vocabulary_.constant(value, in_quotes(key));
  }

  [[nodiscard]] ProbabilityDistribution read_distribution(const std::string& name, const Value& value,
                                                          const Member& distribution) const {
    using Kind = ProbabilityDistribution::Kind;
    const auto kind = static_cast<Kind>(choice(distribution, "distribution", kDistributions));
    const bool ends = kind == Kind::uniform || kind == Kind::log_uniform;
    Names keys = ends ? Names{"from", "to"} : kind == Kind::exponential ? Names{"mean"} : Names{"mean", "deviation"};
    const std::string of = "the distribution of " + in_quotes(name);
    ProbabilityDistribution result{kind, number(value, keys[0], of), 1};
    if (keys.size() > 1) result.b = number(value, keys[1], of);
    keys.insert(keys.begin(), "distribution");
    check_keys(value, keys);
    return result;
  }

  /// Throws InputError if both velocities and momenta are given.
  void check_fibre() const {
    if (plan_.problem.system.formulation == mechanics::Formulation::hamiltonian) return;
    const Names velocities = names_of(plan_.problem.system.algebroid.y);
    const Names momenta = names_of(plan_.problem.system.p);
    const auto first_of = [&](const Names& names) -> const Member* {
      const Member* initial = table_.find("initial");
      if (initial == nullptr) return nullptr;
      const auto& members = initial->value.members;
      const auto it =
          std::find_if(members.begin(), members.end(), [&](const Member& m) { return contains(names, m.key); });
      return it == members.end() ? nullptr : &*it;
    };
    const Member* velocity = first_of(velocities);
    const Member* momentum = first_of(momenta);
    if (velocity != nullptr && momentum != nullptr)
      source_.fail(std::max(velocity->place, momentum->place),
                   "both the velocity " + in_quotes(velocity->key) + " and the momentum " + in_quotes(momentum->key) +
                       " are swept",
                   "start from velocities alone, or from momenta alone");
  }

  void read_sampling() {
    const auto& quantities = plan_.sweep.quantities;
    const bool random = std::any_of(quantities.begin(), quantities.end(), [](const Swept& quantity) {
      return std::holds_alternative<ProbabilityDistribution>(quantity.values);
    });
    for (const char* key : {"sampling", "samples", "seed"}) {
      const Member* member = table_.find(key);
      if (member != nullptr && !random)
        source_.fail(member->place, in_quotes(key) + " is for distributions, and no quantity has one", "remove it");
    }
    if (const Member* sampling = table_.find("sampling"))
      plan_.sweep.sampling = static_cast<Sampling>(choice(*sampling, "sampling", kSamplings));
    if (const Member* samples = table_.find("samples")) plan_.sweep.samples = whole(*samples, 1);
    if (const Member* seed = table_.find("seed")) plan_.sweep.seed = whole(*seed, 0);
  }

  void read_zip() {
    const Member* zip = table_.find("zip");
    if (zip == nullptr) return;
    source_.expect(zip->value, Kind::array, "'zip'");
    Names swept;
    for (const Swept& quantity : plan_.sweep.quantities) swept.push_back(quantity.name);
    for (const Value& group : zip->value.items) {
      plan_.sweep.zipped.emplace_back();
      for (const Value* value : source_.strings(group, "a group of 'zip'")) {
        const std::string name = symbolic::with_plain_greek(value->text);
        if (!contains(swept, name)) source_.unknown(value->place, "swept quantity", name, swept);
        plan_.sweep.zipped.back().push_back(name);
        Sweep so_far = plan_.sweep;
        so_far.samples = 1;
        at(value->place, so_far);
      }
    }
  }

  void read_output() {
    if (const Member* keep = table_.find("keep"))
      plan_.output.keep = static_cast<Keep>(choice(*keep, "choice", kKeeps));
    const Member* times = table_.find("times");
    const Keep keep = plan_.output.keep;
    if (times == nullptr && keep == Keep::times)
      source_.fail(table_.find("keep")->place, "keep = \"times\" has no 'times'", "give them, e.g. times = [1, 2, 5]");
    if (times != nullptr && keep != Keep::times && keep != Keep::statistics)
      source_.fail(times->place, "'times' go with keep = \"times\" or \"statistics\"",
                   "choose one of them, or remove 'times'");
    if (times != nullptr) read_times(times->value);
    if (const Member* columns = table_.find("columns")) read_columns(columns->value);
    if (const Member* device = table_.find("device")) plan_.device = kDevices[choice(*device, "device", kDevices)];
  }

  void read_times(const Value& value) {
    source_.expect(value, Kind::array, "'times'");
    auto& times = plan_.output.times;
    for (const Value& item : value.items) {
      const double time = vocabulary_.constant(item, "a time");
      const bool backwards = times.size() > 1 && times[1] < times[0];
      if (!times.empty() && (time == times.back() || (times.size() > 1 && (time < times.back()) != backwards)))
        source_.fail(item.place, "'times' do not follow each other", "give each once, in their order");
      times.push_back(time);
    }
    if (times.empty()) source_.fail(value.place, "'times' is empty", "give at least one time, or remove the key");
  }

  void read_columns(const Value& value) {
    const Names known = column_names(plan_.problem.system);
    auto& columns = plan_.output.columns;
    for (const Value* item : source_.strings(value, "'columns'")) {
      const std::string name = symbolic::with_plain_greek(item->text);
      const bool other = knows_column_ && knows_column_(name);
      if (!other && !contains(known, name)) source_.unknown(item->place, "column", name, known);
      if (contains(columns, name))
        source_.fail(item->place, "the column " + in_quotes(name) + " is named twice", "name it once");
      columns.push_back(name);
    }
    if (columns.empty())
      source_.fail(value.place, "'columns' is empty", "name at least one, or remove the key for all");
  }

  const Vocabulary& vocabulary_;
  const Source& source_;
  const Value& table_;
  ensemble::Plan& plan_;
  const std::function<bool(const std::string&)>& knows_column_;
};

}  // namespace

void read_sweep_table(const Vocabulary& vocabulary, const Value& table, ensemble::Plan& plan,
                      const std::function<bool(const std::string&)>& knows_column) {
  SweepTable(vocabulary, table, plan, knows_column).read();
}

void require_swept(const Vocabulary& vocabulary, const Value& table, const ensemble::Plan& plan) {
  if (plan.sweep.quantities.empty())
    vocabulary.source().fail(table.place, "[sweep] varies nothing",
                             "give quantities in [sweep.parameters] or [sweep.initial]");
}

}  // namespace herglotz::io
