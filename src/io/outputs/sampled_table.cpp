#include "outputs/sampled_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "herglotz/symbolic/evaluate.hpp"
#include "outputs/events_table.hpp"
#include "quote.hpp"

namespace herglotz::io {
namespace {

using symbolic::Expr;

constexpr std::string_view kEvent = "sampled";
/// Share of the interval by which rounding may set times apart that are one.
constexpr double kTogether = 1e-9;

const std::vector<Member>& entries(const Value& document) {
  static const std::vector<Member> none;
  const Member* table = document.find("sampled");
  return table == nullptr ? none : table->value.members;
}

std::string count_of(const std::string& name) {
  return "samples_" + name;
}

void check_entry(const Source& source, const Member& entry) {
  const std::string of = "the sampled value " + in_quotes(entry.key);
  source.expect(entry.value, Kind::table, of);
  for (const Member& member : entry.value.members)
    if (member.key != "value" && member.key != "every")
      source.unknown(member.place, "key", member.key, {"value", "every"});
  for (const char* key : {"value", "every"})
    if (entry.value.find(key) == nullptr)
      source.fail(entry.value.place, of + " has no " + in_quotes(key), R"(write { value = "-k*q", every = 0.01 })");
}

/// Reads the interval of an entry. Throws InputError unless it is positive and finite with the parameters of the model.
Expr read_interval(const Vocabulary& vocabulary, const Member& entry, const mechanics::System& system) {
  const Value& text = entry.value.find("every")->value;
  const Expr every = vocabulary.expression(
      text, {"the interval of a sampled value", uses::parameter, "use parameters and definitions of these"});
  std::vector<Expr> symbols;
  std::vector<double> values;
  for (const auto& parameter : system.parameters) {
    symbols.push_back(parameter.symbol);
    values.push_back(parameter.value);
  }
  const double value = symbolic::evaluate(every, symbols, values);
  if (!(value > 0) || !std::isfinite(value))
    vocabulary.source().fail(text.place,
                             fmt::format("the sampled value '{}' is taken every {} units of time", entry.key, value),
                             "give a positive interval");
  return every;
}

}  // namespace

AlgebroidTable with_sampled(const Source& source, const Value& document, AlgebroidTable algebroid) {
  if (entries(document).empty()) return algebroid;
  AlgebroidTable held;
  held.kind = kEvent;
  held.title = "[sampled]";
  held.table = &document.find("sampled")->value;
  for (const Member& entry : entries(document)) {
    check_entry(source, entry);
    held.base.push_back({entry.key, entry.place});
    held.base.push_back({count_of(entry.key), entry.place});
  }
  AlgebroidTable product;
  product.kind = "product";
  product.title = algebroid.title;
  product.table = algebroid.table;
  product.base = algebroid.base;
  product.base.insert(product.base.end(), held.base.begin(), held.base.end());
  product.fibre = algebroid.fibre;
  product.factors = {std::move(algebroid), std::move(held)};
  return product;
}

void read_sampled(const Vocabulary& vocabulary, const Value& document, const ExpressionRole& role,
                  mechanics::System& system) {
  if (entries(document).empty()) return;
  const Member& table = *document.find("sampled");
  symbolic::Graph& graph = system.graph();
  require_free_columns(vocabulary.source(), table.place, std::string(kEvent), system);
  if (const Member* events = document.find("events"))
    if (const Member* other = events->value.find(kEvent))
      vocabulary.source().fail(other->place, "[sampled] has an event of that name", "give this event another name");
  mechanics::Event event;
  event.name = kEvent;
  event.direction = mechanics::Direction::rising;
  Expr next;
  struct Due {
    Expr time;
    Expr interval;
  };
  std::vector<Due> due;
  for (const Member& entry : table.value.members) {
    const Expr every = read_interval(vocabulary, entry, system);
    const Expr count = graph.symbol(count_of(entry.key));
    due.push_back({every * (count + 1), every});
    const Expr& at = due.back().time;
    next = next.valid() ? symbolic::select(next - at, graph.number(0), at, next) : at;
  }
  event.value = system.t - next;
  const bool one_clock = std::all_of(due.begin(), due.end(),
                                     [&](const Due& one) { return one.interval.id() == due.front().interval.id(); });
  for (std::size_t k = 0; k < due.size(); ++k) {
    const Member& entry = table.value.members[k];
    const Expr waits = due[k].time - graph.number(kTogether) * due[k].interval - system.t;
    const auto add = [&](const std::string& coordinate, const Expr& value) {
      const Expr held = graph.symbol(coordinate);
      event.resets.push_back({coordinate, one_clock ? value : symbolic::select(waits, graph.number(0), held, value)});
    };
    add(entry.key, vocabulary.expression(entry.value.find("value")->value, role));
    add(count_of(entry.key), graph.symbol(count_of(entry.key)) + 1);
  }
  system.events.push_back(std::move(event));
}

Starts with_first_samples(const Value& document, const std::string& time) {
  const Member* initial = document.find("initial");
  Starts starts{initial == nullptr ? Value{} : initial->value, {}};
  for (const Member& entry : entries(document)) {
    const Value& every = entry.value.find("every")->value;
    const auto add = [&](const std::string& coordinate, Value value) {
      if (starts.values.find(coordinate) != nullptr) return false;
      starts.values.members.push_back({coordinate, entry.place, std::move(value)});
      return true;
    };
    if (add(entry.key, entry.value.find("value")->value)) starts.first_samples.push_back(entry.key);
    // An interval that other parameters make 0, negative or infinite gives no number, which is refused.
    Value count = every;
    count.kind = Kind::string;
    const std::string interval = every.is_number() ? fmt::format("{}", every.number) : every.text;
    count.text =
        fmt::format("if(1/({0}) > 0, floor({1}/({0}) + {2}), sqrt(-1 - ({1}/({0}))^2))", interval, time, kTogether);
    add(count_of(entry.key), std::move(count));
  }
  return starts;
}

}  // namespace herglotz::io
